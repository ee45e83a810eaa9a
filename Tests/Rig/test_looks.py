"""The pictures in the documents, and others to look at: `looks.py` takes them from $RIG_OUT. Those of the visit have no
numbers in their film if `tools/films mountains` has made it."""

import os
import pathlib
import shutil
import subprocess
import time

import numpy
import PIL.Image
import pytest

from bar import hold_bar
from buttons import Buttons
from cards import CONNECTED, node, plug_in, state
from test_scrub_sheet import prepared  # noqa: F401, a fixture
from test_sizes import FULL, PANELS, SIDE, UPRIGHT, open_each_panel
from test_tracks import ABOVE, until_ink
from test_visit import Exhibit
from turned import Turn, TurnedPanel

# They are for looking at: a usual run has other tests of everything on them.
pytestmark = pytest.mark.thorough

TITLES = ["1 Along the mountains", "2 The river", "3 How mills work", "4 Voices of 1950", "5 For children", "6 The storm"]

# Displays and turns of the step that has a rig of its own.
SCALED = ["1280x720", "1920x1080"]
OVERHEAD = Turn(180, True)


def until_steady(program, name: str, places, meanwhile=lambda: None) -> None:
    """Waits until these places, which were redrawn a moment ago, are the same in eight pictures of the display."""
    same, before, end = 0, None, time.monotonic() + 60
    while same < 8:
        seen = program.screenshot(name).astype(int)
        parts = [place.of(seen) for place in places]
        same = same + 1 if before and all(abs(now - then).mean() < 2 for now, then in zip(parts, before)) else 0
        before = parts
        assert time.monotonic() < end, "it goes on changing"
        meanwhile()


def pictures(buttons) -> list:
    buttons.wait_for("picture-0")
    return [place for name, place in buttons.all().items() if name.startswith("picture-")]


@pytest.mark.parametrize("mode", ["848x480", "1280x720"])
def test_visit(films, play, panel, tmp_path, mode: str):
    """Attract loop, menu, film and attract loop in the exhibit's first language, and a visitor's texts in others."""
    has_mountains = (pathlib.Path(os.environ["VITRINE_FILMS"]) / "mountains.mp4").exists()
    film = films("mountains.mp4" if has_mountains else "720p-key50.mp4")
    size = tuple(map(int, mode.split("x")))
    (tmp_path / "card").mkdir()
    card = Exhibit(
        tmp_path / "card", play, film, {}, f'mode = "{mode}"\nlanguages = ["en", "de", "fr"]\n')
    card.file.write_text(card.file.read_text().replace('"bar"', '"full"').replace("down-seconds = 2", "down-seconds = 9"))
    for number, title in enumerate(TITLES):
        shutil.copy(film.path, card.films / f"{title.split(' ', 1)[1]}.mp4")
        picture = card.films / f"{title.split(' ', 1)[1]}.jpg"
        subprocess.run(["ffmpeg", "-v", "error", "-ss", str(4 + 9 * number), "-i", film.path, "-frames:v", "1", picture], check=True)
    program = card.start()
    card.until_attract()
    panel.wait_until_read()
    buttons = Buttons(program, panel, size)
    program.screenshot(f"looks-{mode}-attract")

    def settled(name: str) -> None:
        """The menu once it no longer changes, except below it, where the film plays: its texts and posters."""
        seen = []
        while len(seen) < 2 or abs(seen[-1] - seen[-2]).mean() > 3:
            seen.append(program.screenshot(f"looks-{mode}-{name}")[::4, ::4].astype(int))
            # Looking takes time: a touch keeps the visitor there.
            panel.tap(0.5, 0.99)
        assert numpy.ptp(seen[-1]) > 200, "nothing light on something dark"

    panel.tap(0.5, 0.5)
    # Looking takes time: a touch keeps the visitor there.
    until_steady(program, f"looks-{mode}-menu", pictures(buttons), lambda: panel.tap(0.5, 0.99))
    settled("menu")
    for number, language in enumerate(["menu-en", "menu-de", "menu-fr"]):
        panel.tap(*buttons.at(*buttons.wait_for(f"option-{number}").middle))
        buttons.wait_for(f"option-{number}", lambda place: place and place.state == "chosen")
        settled(language)
    panel.tap(*buttons.at(*buttons.wait_for("option-1").middle))
    languages = [place for name, place in buttons.all().items() if name.startswith("option-")]
    buttons.wait_for("seconds-left")
    # It stands in place of the languages.
    until_steady(program, f"looks-{mode}-menu-countdown", languages)
    panel.tap(0.5, 0.99)
    buttons.wait_for("option-1")
    panel.tap(*buttons.at(*buttons.wait_for("picture-0").middle))
    card.until_plays("Along the mountains")
    buttons.show().wait_for("menu")
    buttons.picture(f"looks-{mode}-film")
    buttons.tap("filmstrip")
    buttons.wait_for("panel")
    # A finger that rests on the film keeps it open.
    panel.down(0.4, 0.3, 1)
    panel.frame()
    until_steady(program, f"looks-{mode}-filmstrip", pictures(buttons))
    panel.up(1)
    panel.frame()
    buttons.show().tap("play")
    program.ipc.wait_for("vitrine/message", lambda words: words and "zu bleiben" in words, timeout=40)
    program.ipc.wait_for("vitrine/osd-visible")
    program.screenshot(f"looks-{mode}-countdown")
    card.until_attract()
    program.ipc.wait_for("vitrine/osd-visible", lambda is_visible: not is_visible)
    program.screenshot(f"looks-{mode}-attract-again")


def test_controls(play, films, panel):
    """Other displays are those of `test_sizes.py`."""
    program = play(films("tracks.mkv"), "--controls", "full", "--paused", "--start", "3", "--choose-output", "--mode", "1280x720")
    panel.wait_until_read()
    program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 7)
    program.ipc.wait_for("vitrine/sound-route", lambda route: route is not None)
    buttons = Buttons(program, panel, (1280, 720))
    buttons.show().tap("languages")
    buttons.wait_for("panel")
    buttons.picture("looks-controls-languages")


@pytest.mark.decoders
@pytest.mark.timeout(400)
@pytest.mark.parametrize("turn", [UPRIGHT, OVERHEAD, SIDE], ids=str)
@pytest.mark.parametrize("mode", SCALED)
def test_controls_over_a_film_that_its_plane_scales(play, films, card, panel, mode: str, turn: Turn):
    """The highest step of the ladder of planes. The other steps are those of `test_sizes.py`, in a rig whose planes do not scale."""
    _, name = plug_in(play, card, overlays=2, status=CONNECTED)
    program = play(
        films("tracks.mkv"), *FULL, "--paused", "--start", "3", "--choose-output", "--mode", mode, "--connector", name,
        *turn.arguments, environment={"GST_PLUGIN_FEATURE_RANK": "v4l2slh264dec:NONE"})
    panel.wait_until_read()
    program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 7)
    program.ipc.wait_for("vitrine/sound-route", lambda route: route is not None)
    planes = [part for part in state(node(play, name)).split("plane[")[1:] if "crtc=crtc" in part]
    film = next(part for part in planes if "format=YU12" in part)
    # kmssink scales no film that its plane turns by a quarter: the pipeline does.
    assert ("src-pos=640.000000x360.000000" in film) == (not turn.swaps), film
    size = tuple(map(int, mode.split("x")))[:: -1 if turn.swaps else 1]
    buttons = Buttons(program, TurnedPanel(panel, turn), size)
    # One panel is open in the picture: each somewhere.
    shown = PANELS[(2 * SCALED.index(mode) + turn.degrees // 90) % len(PANELS)]
    assert open_each_panel(program, buttons, turn, shown, f"sizes-{mode}-scaling-{turn}").shape[:2] == size[::-1]


@pytest.mark.parametrize("way", ["plane", "composited"])
@pytest.mark.parametrize("name", ["captions.mp4", "captions-708.mp4"])
def test_captions(play, films, panel, name: str, way: str):
    """Alone, and above the bar."""
    program = play(films(name), "--paused", "--start", "3.2", "--subtitle", "en", "--osd", way)
    program.ipc.wait_for("sub-text", bool)
    until_ink(program, lambda count: count > 100)
    program.screenshot(f"looks-{name}-{way}")
    finger = hold_bar(program, panel)
    until_ink(program, lambda count: count > 100, ABOVE)
    program.screenshot(f"looks-{name}-{way}-bar")
    finger.up()


def test_filmstrip(play, prepared, panel):
    """With all of its pictures."""
    program = play(prepared("360p-key250.mp4"), "--controls", "full", "--paused", "--mode", "1280x720")
    panel.wait_until_read()
    buttons = Buttons(program, panel, (1280, 720))
    buttons.tap("filmstrip")
    panel.down(0.4, 0.3, 1)
    panel.frame()
    until_steady(program, "looks-filmstrip", pictures(buttons))
    panel.up(1)
    panel.frame()
