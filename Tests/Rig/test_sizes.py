"""The controls on small and large displays, upright and on their sides, on each step of the ladder of planes. `looks.py`
makes a picture of all. The rig's kernel has the displays that vkms lacks: 800x480, 1024x600 and 3840x2160."""

import itertools

import numpy
import pytest

from buttons import Buttons
from cards import CONNECTED, DISCONNECTED, plug_in
from test_controls import FULL
from thorough import few
from turned import Turn, TurnedPanel

pytestmark = pytest.mark.mounted

# Each with the connector that has it.
SIZES = {"800x480": 0, "1024x600": 1, "1280x720": 0, "1920x1080": 0, "3840x2160": 2}
# By the number of planes besides the primary one.
STEPS = {"planes": 2, "primary": 1, "frames": 0}
UPRIGHT, SIDE, MIRRORED = Turn(0, False), Turn(90, False), Turn(270, True)
PANELS = ["languages", "subtitles", "volume", "outputs", "filmstrip"]


def overlap(one, other) -> bool:
    return (one.x < other.x + other.width and other.x < one.x + one.width
            and one.y < other.y + other.height and other.y < one.y + one.height)


def check_targets(buttons) -> None:
    """Each is large enough, on the display, and nobody else's."""
    places = {name: place for name, place in buttons.all().items() if name not in ("panel", "bar")}
    for name, place in places.items():
        # A filmstrip is scrolled.
        if not name.startswith("picture"):
            assert place.width >= 64 and place.height >= 64, f"{name} is {place}"
            assert place.x >= 0 and place.x + place.width <= buttons.size[0], f"{name} is {place}"
        assert place.y >= 0 and place.y + place.height <= buttons.size[1], f"{name} is {place}"
    for (name, place), (other, second) in itertools.combinations(places.items(), 2):
        assert not overlap(place, second), f"{name} and {other}: {place}, {second}"


@pytest.mark.timeout(400)
@pytest.mark.parametrize("mode, step, turn", few(
    itertools.product(SIZES, STEPS, [UPRIGHT, SIDE, MIRRORED]),
    ("800x480", "frames", SIDE), ("1024x600", "primary", UPRIGHT), ("1280x720", "planes", MIRRORED),
    ("1920x1080", "frames", UPRIGHT), ("3840x2160", "planes", UPRIGHT)), ids=str)
def test_there_is_room_for_all(play, films, card, panel, mode: str, step: str, turn: Turn):
    made, name = plug_in(play, card, overlays=STEPS[step], status=DISCONNECTED, connectors=3)
    kind, number = name.split("-")
    made.plug(CONNECTED, SIZES[mode])
    program = play(
        films("tracks.mkv"), *FULL, "--paused", "--start", "3", "--choose-output", "--mode", mode,
        "--connector", f"{kind}-{int(number) + SIZES[mode]}", *turn.arguments)
    panel.wait_until_read()
    program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 7)
    program.ipc.wait_for("vitrine/sound-route", lambda route: route is not None)
    size = tuple(map(int, mode.split("x")))[:: -1 if turn.swaps else 1]
    buttons = Buttons(program, TurnedPanel(panel, turn), size)
    # One panel is open in the picture: each somewhere.
    shown = PANELS[(list(SIZES).index(mode) + list(STEPS).index(step) + turn.degrees // 90) % len(PANELS)]
    picture = open_each_panel(program, buttons, turn, shown, f"sizes-{mode}-{step}-{turn}")
    assert picture.shape[:2] == size[::-1]


def open_each_panel(program, buttons, turn: Turn, shown: str, name: str) -> numpy.ndarray:
    """Opens each panel and checks its targets. Returns the picture with `shown` open, which is kept under this name."""
    for one in PANELS:
        buttons.tap(one)
        buttons.wait_for("panel")
        # A finger that rests on the film keeps it open.
        buttons.panel.down(0.2, 0.1, 1)
        buttons.panel.frame()
        check_targets(buttons)
        if one == shown:
            picture = filled(program, buttons, turn, name)
        buttons.panel.up(1)
        buttons.panel.frame()
    return picture


def filled(program, buttons, turn: Turn, name: str) -> numpy.ndarray:
    """The display with its open panel, each icon, and the frames of the filmstrip if that is open."""
    while True:
        picture = turn.upright(program.screenshot(name))
        places = buttons.all()
        panel = places.pop("panel")
        empty = [
            one for one, place in places.items()
            if (place.of(picture)[: place.height // 2].std() < 20 if one.startswith("picture")
                else one != "bar" and (place.of(picture).min(axis=2) > 200).sum() <= 20)
        ]
        # The film is brighter than the panel's edge.
        if not empty and picture[panel.y + 3, panel.x + panel.width // 2].max() < 90:
            return picture
