"""The count of GEM handles (handles.py): the soak test relies on it."""

import fcntl
import os
import struct

import handles

CREATE_DUMB, DESTROY_DUMB = 0xC02064B2, 0xC00464B4


def test_counts_what_is_there():
    card = os.open("/dev/dri/card0", os.O_RDWR)
    try:
        assert handles.count(os.getpid()) == 0
        made = []
        for _ in range(3):
            answer = fcntl.ioctl(card, CREATE_DUMB, struct.pack("IIIIIIQ", 64, 64, 32, 0, 0, 0, 0))
            made.append(struct.unpack("IIIIIIQ", answer)[4])
        assert handles.count(os.getpid()) == 3
        fcntl.ioctl(card, DESTROY_DUMB, struct.pack("I", made[1]))
        assert handles.count(os.getpid()) == 2
    finally:
        os.close(card)


def test_a_film_has_some(play, films):
    program = play(films("silent.mp4"))
    playing = handles.count(program.process.pid)
    assert playing > 0
    program.ipc.command("stop")
    program.ipc.wait_for("idle-active")
    program.ipc.wait_for_counter("idle-active", lambda _: handles.count(program.process.pid) < playing)
