"""A display that is connected only later, and one that has its primary plane alone: a second card, made by vkms'
configfs."""

import json
import pathlib

import pytest

VKMS = pathlib.Path("/sys/kernel/config/vkms")
CONNECTED, DISCONNECTED = "1", "2"


class Card:
    def __init__(self, name: str, overlays: int, status: str):
        self.folder = VKMS / name
        self.folder.mkdir()
        planes = ["primary"] + [f"overlay{number}" for number in range(overlays)]
        parts = ["crtcs/crtc", "encoders/encoder", "connectors/connector"]
        for part in parts + [f"planes/{plane}" for plane in planes]:
            (self.folder / part).mkdir()
        for plane in planes:
            self._write(f"planes/{plane}/type", "1" if plane == "primary" else "0")
            (self.folder / f"planes/{plane}/possible_crtcs/crtc").symlink_to(self.folder / "crtcs/crtc")
        (self.folder / "encoders/encoder/possible_crtcs/crtc").symlink_to(self.folder / "crtcs/crtc")
        link = self.folder / "connectors/connector/possible_encoders/encoder"
        link.symlink_to(self.folder / "encoders/encoder")
        self._write("connectors/connector/status", status)
        self._write("enabled", "1")

    def _write(self, name: str, value: str) -> None:
        (self.folder / name).write_text(value)

    def plug(self, status: str = CONNECTED) -> None:
        self._write("connectors/connector/status", status)

    def remove(self) -> None:
        self._write("enabled", "0")
        for link in self.folder.glob("*/*/possible_*/*"):
            link.unlink()
        for part in self.folder.glob("*/*"):
            part.rmdir()
        self.folder.rmdir()


@pytest.fixture
def card():
    cards = []

    def make(**options) -> Card:
        cards.append(Card(f"test{len(cards)}", **options))
        return cards[-1]

    yield make
    for made in cards:
        made.remove()


def connectors(play) -> list[str]:
    program = play.run("displays", "--json")
    program.wait_until_ended()
    report = json.loads(program.log())
    return [entry["name"] for one in report["displays"]["cards"] for entry in one["connectors"]]


def test_it_waits_for_the_display_and_then_plays(play, films, card):
    """No display connected is no error: it says so once, and starts when there is one (N7)."""
    before = connectors(play)
    made = card(overlays=2, status=DISCONNECTED)
    name = next(name for name in connectors(play) if name not in before and "Writeback" not in name)
    film = films("360p-key50.mp4")
    program = play(film, "--connector", name, wait=False)
    program.wait_for_log("waiting")
    assert program.log().count("no display") == 1
    made.plug()
    program.wait_until_shown(timeout=10)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.3)
    assert program.reading(film).film == film.number
    program.signal()
    assert program.wait_until_ended() == 0, program.log()


def test_clients_are_served_while_it_waits(play, films, card):
    """Nobody hangs for want of a display: properties are answered, a seek is remembered, `quit` ends it."""
    before = connectors(play)
    made = card(overlays=2, status=DISCONNECTED)
    name = next(name for name in connectors(play) if name not in before and "Writeback" not in name)
    film = films("360p-key50.mp4")
    program = play(film, "--paused", "--connector", name, wait=False)
    program.wait_for_log("waiting")
    assert program.ipc.get("path") == film.path
    assert program.ipc.get("vo-configured") is False
    program.ipc.command("seek", 20.02, "absolute+exact")
    made.plug()
    program.wait_until_shown(timeout=10)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.frame(film) == 500
    program.stop()
    made.plug(DISCONNECTED)
    program = play(film, "--connector", name, wait=False)
    program.wait_for_log("waiting")
    program.ipc.command("quit", 3)
    assert program.wait_until_ended(5) == 3


def test_it_can_be_ended_while_it_waits(play, films, card):
    before = connectors(play)
    card(overlays=2, status=DISCONNECTED)
    name = next(name for name in connectors(play) if name not in before and "Writeback" not in name)
    program = play(films("short.mp4"), "--connector", name, wait=False)
    program.wait_for_log("waiting")
    program.signal()
    assert program.wait_until_ended(5) == 0, program.log()


def test_a_display_with_its_primary_plane_alone_shows_the_film(play, films, card):
    before = connectors(play)
    card(overlays=0, status=CONNECTED)
    name = next(name for name in connectors(play) if name not in before and "Writeback" not in name)
    film = films("360p-key50.mp4")
    program = play(film, "--connector", name)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.3)
    picture = program.screenshot()
    assert program.frame(film, picture) > 0
    assert picture.any(axis=2).mean() > 0.4
