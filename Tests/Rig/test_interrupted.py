"""Drags that do not end as they should: a palm, a second finger, a panel that is unplugged (B1, B2)."""

import pytest

from bar import Finger, Layout, lift, show_bar, wait_for_frame
from finger import Panel

LAYOUT = Layout()


def settle(program) -> None:
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)


@pytest.mark.parametrize("paused", [True, False], ids=["paused", "playing"])
@pytest.mark.parametrize("end", ["palm", "unplugged"])
def test_what_was_before_the_drag_is_back(play, films, panel, end, paused):
    """B2: cancel, and the panel's removal, restore position and state."""
    film = films("360p-key50.mp4")
    program = play(film, "--start", "6", *(["--paused"] if paused else []))
    panel.wait_until_read()
    show_bar(program, panel)
    before = program.ipc.get("time-pos")
    finger = Finger(panel)
    finger.down(LAYOUT.x(0.5), LAYOUT.y)
    finger.glide(LAYOUT.of_frame(1200, film, program.ipc.get("duration")), seconds=0.4)
    finger.wait()
    wait_for_frame(program, film, 1200)
    if end == "palm":
        panel.cancel()
        panel.frame()
    else:
        panel.unplug()
    program.ipc.wait_for("time-pos", lambda now: now is not None and now < 30)
    settle(program)
    assert program.ipc.get("pause") is paused
    shown = program.frame(film)
    if paused:
        assert shown == film.frame_at(before)
    else:
        # The position at the finger's touch, with a tolerance for the time between this test's query and the touch, and
        # onwards.
        assert film.frame_at(before) - 2 <= shown <= film.frame_at(before) + 5 * film.rate
        program.ipc.wait_for("time-pos", lambda now: now > shown / film.rate + 0.4)
    assert program.ipc.get("vitrine/rebuilds") == 0


def test_a_panel_plugged_in_again_works(play, films, panel):
    """B1: hotplug while running."""
    film = films("360p-key50.mp4")
    program = play(film, "--paused")
    panel.wait_until_read()
    show_bar(program, panel)
    panel.down(LAYOUT.x(0.5), LAYOUT.y)
    panel.frame()
    panel.unplug()
    with Panel(name="Another panel") as another:
        another.wait_until_read()
        show_bar(program, another)
        another.tap(LAYOUT.of_frame(800, film, program.ipc.get("duration")), LAYOUT.y)
        wait_for_frame(program, film, 800)


def test_a_second_finger_is_ignored(play, films, panel):
    """B1: one finger owns the drag from down to up; others neither move nor end it, nor take it over."""
    film = films("360p-key50.mp4")
    program = play(film, "--paused")
    panel.wait_until_read()
    show_bar(program, panel)
    duration = program.ipc.get("duration")
    owner, other = Finger(panel), Finger(panel, slot=1)
    owner.down(LAYOUT.of_frame(500, film, duration), LAYOUT.y)
    wait_for_frame(program, film, 500)
    asked = program.ipc.get("vitrine/seeks-asked")
    other.down(LAYOUT.x(0.9), LAYOUT.y)
    other.glide(LAYOUT.x(0.1), seconds=0.3)
    other.wait()
    assert program.ipc.get("vitrine/thumb") == pytest.approx(LAYOUT.value(owner.steps[-1].x), abs=0.001)
    other.up()
    # The owner's next move shows that the other's lift was read.
    owner.move(LAYOUT.of_frame(560, film, duration), LAYOUT.y)
    wait_for_frame(program, film, 560)
    assert program.ipc.get("vitrine/seeks-asked") == asked + 1, "the second finger asked for seeks"
    other.down(LAYOUT.x(0.9), LAYOUT.y)
    lift(program, owner)
    settle(program)
    assert program.frame(film) == 560
    asked = program.ipc.get("vitrine/seeks-asked")
    other.move(LAYOUT.x(0.2), LAYOUT.y)
    lift(program, other)
    panel.tap(LAYOUT.of_frame(700, film, duration), LAYOUT.y)
    wait_for_frame(program, film, 700)
    settle(program)
    assert program.ipc.get("vitrine/seeks-asked") == asked + 2, "the second finger took the drag over"


def test_a_film_that_changes_under_the_finger_ends_the_drag(play, films, panel):
    """M8: the drag does not affect the next film."""
    film, other = films("360p-key50.mp4"), films("silent.mp4")
    program = play(film, "--paused")
    panel.wait_until_read()
    show_bar(program, panel)
    finger = Finger(panel)
    finger.down(LAYOUT.x(0.5), LAYOUT.y)
    finger.glide(LAYOUT.x(0.8), seconds=1)
    program.ipc.command("loadfile", other.path)
    finger.wait()
    finger.up()
    program.ipc.wait_for("path", lambda path: path == other.path)
    program.ipc.wait_for("vo-configured")
    settle(program)
    assert program.reading(other) == (0, other.number)
