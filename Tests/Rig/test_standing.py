"""The visible frame at a place, in films and after commands that make it hard to determine (M8, A8, N1)."""

import pytest

from bar import Finger, Layout, show_bar, wait_for_frame, wait_until_reported
from test_formats import settled
from thorough import also

LAYOUT = Layout()
VARIABLE = ["variable.mp4", "variable.mkv"]


@pytest.mark.parametrize("name", VARIABLE)
def test_a_finger_rests_on_frames_that_stand_long(play, films, panel, name):
    """In the rest of the time of one, then of another, and behind some short ones."""
    film = films(name)
    program = play(film, "--paused")
    panel.wait_until_read()
    show_bar(program, panel)
    finger = Finger(panel)
    finger.down(LAYOUT.x(2 / 50), LAYOUT.y)
    onwards = [(3.5, 2), (10, 6), (11, 6), (13.5, 13), (20, 14), (25, 14), (40, 31), (45, 31)]
    for place, frame in [*onwards, (25, 14), (3.5, 2), (12.5, 12)]:
        finger.move(LAYOUT.x(place / 50), LAYOUT.y)
        wait_until_reported(program, film, frame)
    wait_for_frame(program, film, 12)
    finger.up()
    settled(program)
    assert program.frame(film) == 12
    assert program.ipc.get("vitrine/rebuilds") == 0


def test_a_finger_goes_on_from_a_step(play, films, panel):
    film = films("silent.mp4")
    program = play(film, "--paused")
    panel.wait_until_read()
    show_bar(program, panel)
    for command in ("frame-step", "frame-step"):
        program.ipc.command(command)
        settled(program)
    show_bar(program, panel)
    finger = Finger(panel)
    duration = program.ipc.get("duration")
    for frame in (12, 24):
        place = LAYOUT.of_frame(frame, film, duration), LAYOUT.y
        finger.move(*place) if finger.steps else finger.down(*place)
        wait_for_frame(program, film, frame)
    finger.up()
    settled(program)
    assert program.frame(film) == 24


def test_a_finger_goes_on_from_a_film_that_played_backwards(play, films, panel):
    film = films("silent.mp4")
    program = play(film, "--start", "8")
    panel.wait_until_read()
    program.ipc.set("play-direction", "backward")
    settled(program)
    program.ipc.set("pause", True)
    settled(program)
    program.ipc.command("seek", 6, "absolute+exact")
    settled(program)
    show_bar(program, panel)
    finger, duration = Finger(panel), program.ipc.get("duration")
    for frame in (155, 165):
        place = LAYOUT.of_frame(frame, film, duration), LAYOUT.y
        finger.move(*place) if finger.steps else finger.down(*place)
        wait_for_frame(program, film, frame)
    finger.up()
    settled(program)
    assert program.ipc.get("vitrine/rebuilds") == 0


def place_of(frame: int) -> float:
    """The start of a frame of close.webm, in seconds."""
    return frame // 3 * 0.12 + frame % 3 * 0.01


def test_frames_that_stand_shorter_than_they_say(play, films):
    film = films("close.webm")
    program = play(film, "--paused")
    for frame in (9, 22, 23, 21, 35, 46):
        program.ipc.command("seek", place_of(frame) + 0.005, "absolute+exact")
        settled(program)
        assert program.frame(film) == frame
    frames = []
    for command in ["frame-back-step"] * 5 + ["frame-step"] * 3:
        program.ipc.command(command)
        settled(program)
        frames.append(program.frame(film))
    assert frames == [45, 44, 43, 42, 41, 42, 43, 44]
    assert program.ipc.get("vitrine/rebuilds") == 0


@pytest.mark.parametrize("name", ["late.mp4", *also("late.mkv")])
@pytest.mark.parametrize("is_paused", [True, False], ids=["paused", "playing"])
def test_sound_before_the_first_frame(play, films, name, is_paused):
    """There is nothing to see yet, and the seek is answered nevertheless."""
    film = films(name)
    program = play(film, *["--paused"] * is_paused, "--end", "stop", wait=False)
    program.ipc.wait_for("duration")
    for place in (0.5, 2.52, 1, 0.2):
        program.ipc.command("seek", place, "absolute+exact")
        settled(program)
        if is_paused and place > 1.5:
            assert program.frame(film) == pytest.approx((place - 1.5) * film.rate, abs=2)
    program.ipc.set("pause", False)
    program.ipc.wait_for("eof-reached", timeout=15)
    assert program.frame(film) >= 46
    assert program.ipc.get("vitrine/rebuilds") == 0
