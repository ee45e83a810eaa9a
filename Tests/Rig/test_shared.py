"""A display and a panel that are partly used by others: a lent connector, a panel of another display, a panel that udev
turns."""

import os
import pathlib
import subprocess

import pytest

from bar import Finger, Layout, show_bar, wait_for_frame
from cards import CONNECTED, Lender, node, plug_in
from thorough import also
from turned import Turn, TurnedPanel

LAYOUT = Layout()
RULES = pathlib.Path("/run/udev/rules.d/99-vitrine-test.rules")


def test_a_film_on_a_lent_connector(play, films, card):
    """A compositor lends connector, CRTC and one plane (`--drm-fd`); the rest of the card stays its own, and so does
    the display afterwards."""
    _, name = plug_in(play, card, overlays=2, status=CONNECTED)
    lender = Lender(node(play, name))
    lease = lender.lend()
    film = films("360p-key50.mp4")
    program = play(film, "--paused", "--start", "10.02", "--drm-fd", str(lease), pass_fds=[lease])
    assert program.frame(film) == 250
    program.signal()
    assert program.wait_until_ended() == 0, program.log()
    os.close(lease)
    # Still master: a lessee has not taken that along.
    os.close(lender.lend())
    os.close(lender.card)


@pytest.fixture
def udev():
    """`udev(property, value)`: sets a property of touch panels that are plugged in from now on."""

    def rule(name: str, value: str) -> None:
        RULES.parent.mkdir(parents=True, exist_ok=True)
        RULES.write_text(f'ENV{{ID_INPUT_TOUCHSCREEN}}=="1", ENV{{{name}}}="{value}"\n')
        subprocess.run(["udevadm", "control", "--reload"], check=True)

    yield rule
    RULES.unlink(missing_ok=True)
    subprocess.run(["udevadm", "control", "--reload"], check=True)


# udev.rules(5) of libinput: a panel that is glued on upside down, and one turned by a quarter.
MATRICES = [("-1 0 1 0 -1 1", Turn(180, False)), ("0 -1 1 1 0 0", Turn(90, False))]


@pytest.mark.parametrize("matrix, glued", MATRICES, ids=["180", "90"])
@pytest.mark.parametrize("turn", [Turn(270, True), *also(Turn(0, False))], ids=str)
def test_a_calibrated_panel_is_turned_once(play, films, udev, matrix: str, glued: Turn, turn: Turn):
    """libinput turns the panel's reports to the display, then Vitrine turns them to the viewer; neither does both."""
    from finger import Panel

    udev("LIBINPUT_CALIBRATION_MATRIX", matrix)
    with Panel() as panel:
        film = films("360p-key50.mp4")
        program = play(film, "--paused", *turn.arguments)
        panel.wait_until_read()
        layout = Layout(*((768, 1024) if turn.swaps else (1024, 768)))
        # The matrix is undone here: the panel's own places for those of the display.
        back = Turn((360 - glued.degrees) % 360, False)
        viewer = TurnedPanel(TurnedPanel(panel, back), turn)
        show_bar(program, viewer)
        duration = program.ipc.get("duration")
        viewer.tap(layout.of_frame(700, film, duration), layout.y)
        program.ipc.wait_for("vitrine/frame-time", lambda time: int(time / 1e9 * film.rate + 1e-6) == 700)
        program.ipc.wait_for("seeking", lambda seeking: seeking is False)
        assert program.frame(film, turn.upright(program.screenshot())) == 700


def test_a_panel_of_another_display_is_not_ours(play, films, udev):
    """udev's WL_OUTPUT says which display a panel belongs to; `--touch` overrides it."""
    from finger import Panel

    udev("WL_OUTPUT", "HDMI-A-9")
    with Panel(name="Other panel") as other:
        film = films("360p-key50.mp4")
        program = play(film, "--paused")
        other.wait_until_read()
        # A panel that belongs to no display, and shows when the other's touches are read.
        udev("NOTHING", "1")
        with Panel(name="Our panel") as ours:
            ours.wait_until_read()
            finger = Finger(other)
            finger.down(0.5, LAYOUT.y)
            show_bar(program, ours)
            finger.move(0.8, LAYOUT.y)
            finger.up()
            duration = program.ipc.get("duration")
            ours.tap(LAYOUT.of_frame(300, film, duration), LAYOUT.y)
            wait_for_frame(program, film, 300)
            assert program.ipc.get("vitrine/seeks-asked") == 2, "more than the tap's down and up"
            program.stop()
            program = play(film, "--paused", "--touch", "other")
            other.wait_until_read()
            show_bar(program, other)
            ours.tap(LAYOUT.of_frame(300, film, duration), LAYOUT.y)
            other.tap(LAYOUT.of_frame(500, film, duration), LAYOUT.y)
            wait_for_frame(program, film, 500)
            assert program.ipc.get("vitrine/seeks-asked") == 2, "more than the tap's down and up"


def test_film_on_the_primary_and_bar_on_the_overlay(play, films, card, panel):
    """The ladder's third step: one overlay, which is the bar's."""
    _, name = plug_in(play, card, overlays=1, status=CONNECTED)
    film = films("360p-key50.mp4")
    program = play(film, "--paused", "--connector", name)
    panel.wait_until_read()
    assert not program.screenshot()[:20].any(), "black above the film"
    show_bar(program, panel)
    duration = program.ipc.get("duration")
    panel.tap(LAYOUT.of_frame(700, film, duration), LAYOUT.y)
    wait_for_frame(program, film, 700)
