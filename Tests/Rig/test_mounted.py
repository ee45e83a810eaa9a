"""A panel that is mounted on its side, and reports it: the kernel's `panel orientation` (N2). In a rig of its own,
whose kernel has this option."""

import pytest

from bar import Layout, show_bar, wait_until_reported
from turned import Turn, TurnedPanel

pytestmark = pytest.mark.mounted

# Left Side Up: the panel's left side is the viewer's upper one.
PANEL = Turn(270, False)


@pytest.mark.parametrize(
    "arguments, turn", [([], PANEL), (["--rotate", "90"], Turn(0, False)), (["--rotate", "180"], Turn(90, False))]
)
def test_the_mounting_is_made_up_for_once(play, films, panel, arguments: list[str], turn: Turn):
    """Film, bar and touch are upright for the viewer without a setting, and `--rotate` turns from there."""
    film = films("360p-key50.mp4")
    program = play(film, "--paused", *arguments)
    layout = Layout(*((768, 1024) if turn.swaps else (1024, 768)))
    viewer = TurnedPanel(panel, turn)
    panel.wait_until_read()
    show_bar(program, viewer)
    viewer.tap(layout.of_frame(700, film, program.ipc.wait_for("duration")), layout.y)
    wait_until_reported(program, film, 700)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.frame(film, turn.upright(program.screenshot())) == 700


def test_displays_says_so(play):
    program = play.run("displays")
    assert program.wait_until_ended() == 0
    assert 'the panel is mounted "Left Side Up"' in program.log()
