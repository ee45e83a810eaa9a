"""A visit, as an owner and a visitor see it (N3): power on, the attract loop, a finger, the menu, a film, nobody, the loop."""

import os
import pathlib
import re
import subprocess
import time

import frames
import numpy
from conftest import FILM, PATIENCE, SIZE

LOOP = "short.mp4"
IDLE, COUNTDOWN = 5, 3
# Where each film begins in FILM: in another scene than the loop's, and than each other's poster.
FILMS = {"The river": 10, "The storm": 14}


def test_a_visit(card, board, tmp_path):
    folder = pathlib.Path(os.environ["VITRINE_FILMS"])
    card.put(f"films/{FILM}", None)
    card.put(f"films/attract/{LOOP}", (folder / LOOP).read_bytes())
    for name, start in FILMS.items():
        part = ["ffmpeg", "-v", "error", "-ss", str(start), "-i", folder / FILM]
        subprocess.run([*part, "-c", "copy", tmp_path / f"{name}.mp4"], check=True)
        card.put(f"films/{name}.mp4", (tmp_path / f"{name}.mp4").read_bytes())
    # The other one's poster is a frame of its own.
    subprocess.run([*part[:3], "-i", tmp_path / "The river.mp4", "-frames:v", "1", tmp_path / "The river.jpg"], check=True)
    card.put("films/The river.jpg", (tmp_path / "The river.jpg").read_bytes())
    settings = re.sub(rb"(?m)^idle-seconds = .*$", b"idle-seconds = %d" % IDLE, card.get("vitrine.toml"))
    card.put("vitrine.toml", settings + f"\nfilm-idle-seconds = 30\ncountdown-seconds = {COUNTDOWN}\n".encode())
    machine = board()
    first = machine.wait_picture(frames.number, PATIENCE)
    machine.wait_picture(lambda picture: (frames.number(picture) or 0) != first or None, PATIENCE)
    machine.picture("attract")

    def is_menu(picture: numpy.ndarray) -> bool:
        """The film is dimmed to its corners, and the right poster is there: a frame, decoded once the loop has played for 15 s."""
        poster = picture[SIZE[1] * 2 // 5 : SIZE[1] * 7 // 10, SIZE[0] * 55 // 100 : SIZE[0] * 9 // 10]
        return bool(picture[-8:, :64].mean() < 70 and frames.number(picture) is None and poster.std() > 20)

    # A visitor does not know whether the panel already existed, and stays until both posters are there.
    end = time.monotonic() + PATIENCE
    while True:
        machine.tap(SIZE[0] / 2, SIZE[1] * 0.97)
        if any(is_menu(machine.picture()) for _ in range(4)):
            break
        assert time.monotonic() < end, "no menu with both posters"
    machine.picture("menu")
    # The left one of two, which stand side by side.
    machine.tap(SIZE[0] * 0.3, SIZE[1] * 0.45)
    status = "systemctl show -P StatusText vitrine.service"
    end = time.monotonic() + PATIENCE
    while "The river" not in machine.shell(status):
        assert time.monotonic() < end, machine.shell(status)
    machine.wait_picture(frames.number, PATIENCE)
    machine.picture("film")
    # Nobody: the countdown, and the loop.
    end = time.monotonic() + PATIENCE
    while LOOP not in machine.shell(status):
        assert time.monotonic() < end, machine.shell(status)
    machine.wait_picture(frames.number, PATIENCE)
    machine.picture("attract-again")
    lines = machine.shell("cat /data/vitrine/visits.csv").splitlines()
    assert len(lines) == 2 and ",The river," in lines[1], lines
