"""The console's picture is restored on the display after any end of the player, at any moment (S2, T8)."""

import os
import pathlib
import random
import re
import select
import signal
import time

import numpy
import pytest

from bar import Finger, Layout, show_bar
from thorough import also

LAYOUT = Layout()
CRC = pathlib.Path("/sys/kernel/debug/dri/0/crtc-0/crc")
KILL, TERM, INT, HUP = signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP


def checksum() -> str:
    """The kernel's checksum of the CRTC's output, all planes composed: a reader that is no part of Vitrine, and opens
    no card."""
    CRC.joinpath("control").write_text("auto")
    data = os.open(CRC / "data", os.O_RDONLY | os.O_NONBLOCK)
    try:
        lines: list[bytes] = []
        end = time.monotonic() + 10
        # The first ones may be of an earlier frame.
        while len(lines) < 4:
            ready, _, _ = select.select([data], [], [], max(0, end - time.monotonic()))
            assert ready, "the CRTC shows nothing: it is off"
            lines += re.findall(rb"0x[0-9a-f]+ (0x[0-9a-f]+)", os.read(data, 4096))
        return lines[-1].decode()
    finally:
        os.close(data)


@pytest.fixture
def pattern(console):
    """Paints the console; `pattern()` fails unless the display shows exactly that again."""
    height, width = 768, 1024
    picture = numpy.zeros((height, width, 4), numpy.uint8)
    picture[..., 0] = numpy.arange(width) // 4
    picture[..., 1] = (numpy.arange(height) // 3)[:, None]
    picture[::32, :, 2] = 255
    with open("/dev/fb0", "r+b") as framebuffer:
        before = framebuffer.read(picture.nbytes)
        framebuffer.seek(0)
        framebuffer.write(picture.tobytes())
    assert console.is_shown(), console.planes()
    painted = checksum()

    def check() -> None:
        console.wait_until_shown()
        assert pathlib.Path("/dev/fb0").read_bytes()[: picture.nbytes] == picture.tobytes()
        assert checksum() == painted, "the display does not show the console's picture"

    yield check
    with open("/dev/fb0", "r+b") as framebuffer:
        framebuffer.write(before)


def test_the_checksum_distinguishes_pictures(play, films, pattern, console):
    """The reader can fail: a film, black, and a changed console differ from the pattern."""
    program = play(films("360p-key50.mp4"), "--paused")
    film = checksum()
    assert not console.is_shown()
    with pytest.raises(AssertionError):
        console.wait_until_shown(timeout=0.2)
    program.ipc.command("stop")
    program.ipc.wait_for("idle-active")
    end = time.monotonic() + 10
    while (black := checksum()) == film:
        assert time.monotonic() < end, "the film is still shown after stop"
    program.signal()
    assert program.wait_until_ended() == 0
    pattern()
    seen = checksum()
    assert len({film, black, seen}) == 3
    with open("/dev/fb0", "r+b") as framebuffer:
        framebuffer.seek(1024 * 4 * 400)
        framebuffer.write(b"\xff" * 4096)
    assert checksum() != seen
    with pytest.raises(AssertionError):
        pattern()


@pytest.mark.parametrize("end", [TERM, INT, HUP, KILL], ids=lambda end: end.name)
def test_after_a_signal_while_playing(play, films, pattern, end):
    program = play(films("360p-key50.mp4"))
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.3)
    program.signal(end)
    assert program.wait_until_ended() == (-KILL if end == KILL else 0), program.log()
    pattern()


@pytest.mark.parametrize("end", [TERM, INT, KILL], ids=lambda end: end.name)
def test_after_a_signal_in_mid_drag(play, films, panel, pattern, end):
    chance = random.Random(int(end))
    program = play(films("360p-key250.mp4"))
    panel.wait_until_read()
    show_bar(program, panel)
    finger = Finger(panel)
    finger.down(LAYOUT.x(0.2), LAYOUT.y)
    finger.glide(LAYOUT.x(0.8), seconds=1)
    time.sleep(chance.uniform(0.1, 0.9))
    program.signal(end)
    assert program.wait_until_ended() == (-KILL if end == KILL else 0), program.log()
    pattern()
    finger.wait()
    finger.up()


@pytest.mark.parametrize("number", [0, 2, 5, 6, *also(1, 3, 4, 7)])
def test_after_sigterm_at_a_random_moment_of_the_start(play, films, pattern, number):
    """Before there is anything, while the display is taken, while the film is opened, at its first frame. A process
    that does not handle signals yet is ended by the signal itself."""
    chance = random.Random(number)
    program = play(films("360p-key50.mp4"), wait=False)
    time.sleep(chance.uniform(0.01, 0.15) * (number + 1))
    program.signal(TERM if number % 3 else INT)
    assert program.wait_until_ended() in (0, -TERM, -INT), program.log()
    pattern()


def test_after_two_signals(play, films, pattern):
    """Someone impatient presses Ctrl-C twice."""
    program = play(films("360p-key50.mp4"))
    program.signal(INT)
    program.signal(INT)
    assert program.wait_until_ended() in (0, -INT)
    pattern()


def test_after_quit(play, films, pattern):
    program = play(films("360p-key50.mp4"))
    program.ipc.command("quit")
    assert program.wait_until_ended() == 0
    pattern()


def test_while_another_program_has_the_card_open(play, films, pattern):
    """The kernel restores its console when the card's last user leaves; here another user stays, so Vitrine must do
    it."""
    program = play(films("360p-key50.mp4"), "--mode", "1280x720")
    other = os.open("/dev/dri/card0", os.O_RDWR | os.O_CLOEXEC)
    try:
        program.signal()
        assert program.wait_until_ended() == 0, program.log()
        pattern()
    finally:
        os.close(other)


def test_a_paused_film_with_its_bar_shown(play, films, panel, pattern):
    """Three planes are on: all go."""
    program = play(films("360p-key50.mp4"), "--paused")
    panel.wait_until_read()
    show_bar(program, panel)
    program.ipc.wait_for_counter("vitrine/osd-updates")
    program.signal()
    assert program.wait_until_ended() == 0
    pattern()
