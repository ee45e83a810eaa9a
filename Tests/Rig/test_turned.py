"""One setting turns film, bar and touch together (N2)."""

import pytest

from bar import Finger, Layout, show_bar, wait_for_frame, wait_for_thumb, wait_until_reported
from thorough import also
from turned import TURNS, TurnedPanel

# Without a turn, plane and pipeline are one case.
WAYS = {f"{turn}-{by}": (turn, by) for turn in TURNS for by in ("plane", "pipeline")}
del WAYS["0-plane"]
EACH_RUN = ["90-plane", "180-reflected-plane", "270-pipeline", "90-reflected-pipeline"]


def settle(program) -> None:
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)


@pytest.mark.parametrize("way", [*EACH_RUN, *also(*(way for way in WAYS if way not in EACH_RUN))])
def test_film_bar_and_touch_turn_together(play, films, panel, way: str):
    """Turned back, the display's picture is that of an unturned one: the film, the bar under a finger that drags it,
    and the effect of a touch in each of the viewer's corners."""
    turn, by = WAYS[way]
    film = films("360p-key50.mp4")
    program = play(film, "--paused", *turn.arguments, "--rotate-by", by)
    width, height = (768, 1024) if turn.swaps else (1024, 768)
    layout = Layout(width, height)
    viewer = TurnedPanel(panel, turn)
    panel.wait_until_read()
    duration = program.ipc.wait_for("duration")
    assert (program.ipc.get("osd-width"), program.ipc.get("osd-height")) == (width, height)
    assert program.frame(film, turn.upright(program.screenshot())) == 0

    show_bar(program, viewer)
    finger = Finger(viewer)
    finger.down(layout.of_frame(300, film, duration), layout.y)
    finger.glide(layout.of_frame(1100, film, duration), seconds=0.4)
    finger.wait()
    wait_for_frame(program, film, 1100, upright=turn.upright)
    wait_for_thumb(program, layout.thumb_x(finger.steps[-1].x), 3, layout=layout, upright=turn.upright)
    finger.up()
    settle(program)

    # The lower right corner is the bar's end, the left one the button; a tap in an upper one starts the film, and the next ones hide and show the bar.
    viewer.tap(0.998, 0.995)
    wait_until_reported(program, film, film.frames - 1)
    settle(program)
    viewer.tap(layout.x(0), 0.995)
    wait_until_reported(program, film, 0)
    settle(program)
    viewer.tap(0.002, 0.005)
    program.ipc.wait_for("pause", lambda paused: paused is False)
    viewer.tap(0.998, 0.005)
    program.ipc.wait_for("vitrine/osd-visible", lambda visible: visible is False)
    viewer.tap(0.002, 0.005)
    program.ipc.wait_for("vitrine/osd-visible")


@pytest.mark.slow
@pytest.mark.thorough
def test_another_turn_is_another_picture(play, films):
    """The reader above can fail: each of the eight pictures is read only with its own turn."""
    film = films("360p-key50.mp4")
    pictures = {}
    for turn in TURNS:
        program = play(film, "--paused", *turn.arguments)
        pictures[turn] = program.screenshot()
        program.stop()
    for turn, picture in pictures.items():
        upright = turn.upright(picture)
        for other in TURNS:
            same = other.upright(pictures[other])
            if same.shape == upright.shape:
                assert abs(same.astype(int) - upright).mean() < 2, f"{turn} and {other} show two pictures"
            if other is not turn and pictures[other].shape == picture.shape:
                difference = abs(pictures[other].astype(int) - picture).mean()
                assert difference > 5, f"{turn} and {other} are the same on the display"


def test_what_is_no_turn_is_refused(play):
    program = play.run("play", "nothing.mp4", "--rotate", "45")
    assert program.wait_until_ended() == 64
    assert "--rotate" in program.log() and "270" in program.log()
