"""Fitting a film of another shape into the display (S4), and a film whose size changes (S3, M13)."""

import time

import numpy
import pytest

import frames


def bounds(picture: numpy.ndarray) -> tuple[int, int, int, int]:
    return tuple(map(round, frames.bounds(picture)))


DISPLAY = (0, 0, 1024, 768)


@pytest.mark.parametrize("name", ["360p-key50.mp4", "pal-16x9.mp4"])
def test_fill_and_stretch_leave_no_black(play, films, name):
    film = films(name)
    seen = {}
    for gravity in ("fit", "fill", "stretch"):
        program = play(film, "--paused", "--start", "2.02", "--gravity", gravity)
        assert program.ipc.get("vitrine/gravity") == gravity
        picture = program.screenshot(f"gravity-{gravity}-{name}")
        seen[gravity] = picture
        if gravity == "fit":
            assert picture[:60].max() == 0
        else:
            lit = picture.max(axis=2) > 0
            # The marks in the films' frames are black, too, within 4 to 20 % of the height.
            edges = [lit[:20], lit[-20:], lit[160:, :20], lit[160:, -20:]]
            assert all(edge.mean() > 0.97 for edge in edges), "there is black beside the film"
        program.stop()
    # Stretched, the number's blocks reach from edge to edge of the display.
    assert frames.read(seen["stretch"], frames.Rect(*DISPLAY)).frame == 50
    # Filled, the film is as high as the display, and its sides are cropped.
    width = 768 * film.aspect
    whole = frames.Rect((1024 - width) / 2, 0, width, 768)
    middle = seen["fit"][96 + 200 : 672 - 150, 1024 // 4 : 1024 * 3 // 4].astype(float).mean()
    filled = seen["fill"][267:568, 170:853].astype(float).mean()
    assert abs(middle - filled) < 12, "another part of the film"
    assert whole.x < 0


def test_changed_while_it_plays(play, films):
    """In place: the film continues at its position, and is not black in between."""
    film = films("360p-key50.mp4")
    program = play(film)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 1)
    for name, value, top in (
        ("vitrine/gravity", "stretch", 0), ("keepaspect", True, 96), ("panscan", 1, 0), ("panscan", 0, 96),
    ):
        before, began = program.ipc.get("time-pos"), time.monotonic()
        program.ipc.set(name, value)
        for _ in range(100):
            picture = program.screenshot()
            assert picture.any(), "the display is black"
            if abs(bounds(picture)[1] - top) <= 2:
                break
        else:
            pytest.fail(f"{name} {value}: the film is at {bounds(picture)}")
        program.ipc.wait_for("time-pos", lambda now: now is not None and now > before + 0.3)
        assert program.ipc.get("time-pos") < before + time.monotonic() - began + 1
    assert program.ipc.get("pause") is False


def test_a_still_is_fitted_anew(play, films):
    """S4: it has no position, and its end is not reported."""
    still = films("still.jpg")
    program = play(still, "--paused")
    assert program.frame(still) == 0
    program.ipc.set("vitrine/gravity", "stretch")
    for _ in range(100):
        picture = program.screenshot()
        assert picture.any(), "the display is black"
        if bounds(picture)[1] <= 2:
            break
    else:
        pytest.fail(f"the still is at {bounds(picture)}")
    assert frames.read(picture, frames.Rect(*DISPLAY)).film == still.number
    assert program.ipc.get("vitrine/ends") == 0 and program.ipc.get("pause") is True


@pytest.mark.parametrize("gravity", ["fit", "fill"])
def test_a_film_whose_size_changes_is_fitted_anew(play, films, gravity):
    """S3, S4, M13."""
    film, other = films("resized.ts"), films("square-4x3.mp4")
    program = play(film, "--paused", "--end", "stop", "--gravity", gravity)
    if gravity == "fit":
        assert program.reading(film).film == film.number
    assert [program.ipc.get("width"), program.ipc.get("height")] == [640, 360]
    program.ipc.set("pause", False)
    program.ipc.wait_for("eof-reached", timeout=60)
    assert [program.ipc.get("width"), program.ipc.get("height")] == [640, 480]
    # It has the display's shape, and is not cropped, whatever the one before lost.
    assert frames.read(program.screenshot(), frames.Rect(*DISPLAY)).film == other.number
