"""A display of one primary plane and a cursor: told as such, and played on (S2, N3)."""

import json
import os
import subprocess
import time

import numpy

import frames


def test_displays_tells_a_primary_and_a_cursor_plane_only():
    command = [os.environ["VITRINE_BIN"], "displays", "--json"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    (card,) = report["displays"]["cards"]
    assert card["driver"] == "virtio_gpu"
    assert sorted(plane["kind"] for plane in card["planes"]) == ["cursor", "primary"]
    assert report["choice"]["step"] == "composited"


def test_the_film_is_on_the_screen(terminal, monitor, play, films):
    """As the display sees it, from outside: the film's pictures move; paused it is what Vitrine's own capture tells, and
    nothing of the console, its cursor included, is in it."""
    film = films("square-4x3.mp4")
    program = play(film, "--mode", "640x480", "--mute")

    def shown() -> frames.Reading:
        picture = monitor.screendump()
        assert picture.shape == (480, 640, 3)
        return frames.read(picture, frames.Rect(0, 0, 640, 480))

    first = shown()
    assert first.film == film.number
    program.ipc.wait_for("time-pos", lambda time: time is not None and time > first.frame / film.rate + 0.4)
    assert shown().frame > first.frame
    program.ipc.set("pause", True)
    program.ipc.command("seek", 1, "absolute+exact")
    end = time.monotonic() + 10
    while shown().frame != film.frame_at(1):
        assert time.monotonic() < end, shown()
        time.sleep(0.1)
    own = program.screenshot()
    assert numpy.array_equal(own, monitor.screendump("machine-film"))
