"""Visits by real fingers: the attract loop, the film or the menu, nobody any more, the attract loop again (N3)."""

import contextlib
import csv
import datetime
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import threading
import time

import numpy
import PIL.Image
import pytest

import bar
import handles
from buttons import Buttons, legibility
from conftest import Film
from network import NO_CONNECTION, said, serve
from one_colour import one_colour
from test_soak import FRAMEBUFFERS
from thorough import IS_ASKED, also
from turned import Turn, TurnedPanel

LAYOUT = bar.Layout()
SIZE = (LAYOUT.width, LAYOUT.height)
IDLE = 5
COUNTDOWN = 2
LANGUAGES = ["de", "en", "fr"]


class Exhibit:
    """A folder like an owner's, and the program that plays it."""

    def __init__(self, folder: pathlib.Path, play, attract, films: dict, settings: str = "", controls: str = "bar"):
        self.play, self.folder = play, folder
        self.films = folder / "films"
        (self.films / "attract").mkdir(parents=True)
        self.state = folder / "state"
        self.state.mkdir()
        self.attract = attract
        if attract:
            shutil.copy(attract.path, self.films / "attract")
        for name, film in films.items():
            shutil.copy(film.path, self.films / f"{name}{pathlib.Path(film.path).suffix}")
        self.file = folder / "vitrine.toml"
        self.file.write_text(
            f"idle-seconds = {IDLE}\nfilm-idle-seconds = 30\ncountdown-seconds = {COUNTDOWN}\ncontrols = \"{controls}\"\n{settings}")

    def start(self, *options):
        self.program = self.play("--settings", self.file, "--state", self.state, *options)
        return self.program

    def until_plays(self, name: str, timeout: float = 30) -> None:
        """Waits until a film of this name, without the extension, runs."""
        ipc = self.program.ipc
        ipc.wait_for("filename", lambda now: now and pathlib.Path(now).stem == name, timeout=timeout)
        ipc.wait_for("time-pos", lambda now: now is not None and now > 0.1, timeout=timeout)

    def film(self) -> str:
        """The current film, without the extension."""
        return pathlib.Path(self.program.ipc.get("filename")).stem

    def until_attract(self, timeout: float = 60) -> None:
        self.until_plays(pathlib.Path(self.attract.path).stem, timeout)

    def widget(self, name: str, timeout: float = 10):
        """The middle of a widget of the menu, 0...1, once it exists."""
        end = time.monotonic() + timeout
        while True:
            found = (self.program.ipc.get("vitrine/controls") or {}).get(name)
            if found:
                return (found["x"] + found["w"] / 2) / LAYOUT.width, (found["y"] + found["h"] / 2) / LAYOUT.height
            assert time.monotonic() < end, f"no {name} on the screen"
            time.sleep(0.05)

    def visits(self) -> list[dict]:
        path = self.state / "visits.csv"
        if not path.exists():
            return []
        with open(path, newline="", encoding="utf-8-sig") as file:
            return list(csv.DictReader(file))

    def until_visits(self, count: int) -> list[dict]:
        end = time.monotonic() + 10
        while len(self.visits()) < count:
            assert time.monotonic() < end, f"{self.visits()}"
            time.sleep(0.05)
        return self.visits()


@pytest.fixture
def exhibit(tmp_path, play):
    def make(attract, films, settings="", **options):
        return Exhibit(tmp_path / "card", play, attract, films, settings, **options)

    (tmp_path / "card").mkdir()
    yield make
    play.stop()


@contextlib.contextmanager
def kept(console):
    """The planes that show something now go on doing so meanwhile."""
    lit, dark, is_over = set(console.planes()), [], threading.Event()

    def look() -> None:
        while not is_over.wait(0.01):
            if missing := lit - set(console.planes()):
                dark.append(missing)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
    assert not dark, f"off: {dark}"


def test_one_film(exhibit, films, panel, console):
    """The first touch plays the film and presses nothing; its end, and a visitor who left, lead back; a line is
    logged."""
    loop, film = films("short.mp4"), films("short-4x3.mp4")
    card = exhibit(loop, {"The river": film})
    program = card.start()
    card.until_attract()
    panel.wait_until_read()
    lit = set(console.planes())
    # The bar's future place, which a first touch does not mean.
    panel.tap(0.5, LAYOUT.y)
    card.until_plays("The river")
    console.keeps(lit, 0.2)
    assert program.ipc.get("vitrine/osd-visible") is False and program.ipc.get("pause") is False
    assert program.reading(film).film == film.number
    program.ipc.wait_for("eof-reached", timeout=30)
    program.ipc.wait_for("vitrine/message", lambda words: words and "to stay" in words, timeout=IDLE + 10)
    program.ipc.wait_for("vitrine/osd-visible")
    time.sleep(0.5)
    program.screenshot("visit-countdown")
    assert "play" not in program.ipc.get("vitrine/controls"), "what is touched then is no button"
    console.keeps(lit, 0.2)
    card.until_attract()
    assert not program.ipc.get("vitrine/osd-visible")
    visit, = card.until_visits(1)
    assert visit["films"] == "The river" and visit["drags"] == "0" and visit["languages"] == ""
    assert film.seconds - 2 <= int(visit["seconds watched"]) <= film.seconds + 1
    assert int(visit["seconds"]) >= int(film.seconds) + IDLE
    console.keeps(lit, 0.2)


def test_stay(exhibit, films, panel):
    """A touch in the countdown stays, and presses nothing; changed settings are restored afterwards."""
    loop, film = films("short.mp4"), films("360p-key50.mp4")
    card = exhibit(loop, {"The river": film}, "volume = 60\nvolume-limit = 70\n")
    program = card.start()
    card.until_attract()
    panel.wait_until_read()
    panel.tap(0.5, 0.3)
    card.until_plays("The river")
    program.ipc.set("volume", 100)
    assert program.ipc.get("volume") == 70, "no louder than the limit"
    program.ipc.set("volume", 20)
    program.ipc.set("speed", 2)
    program.ipc.set("pause", True)
    program.ipc.wait_for("vitrine/message", lambda words: words and "to stay" in words, timeout=IDLE + 10)
    panel.tap(0.5, LAYOUT.y)
    program.ipc.wait_for("vitrine/message", lambda words: not words)
    assert program.ipc.get("pause") is True and card.film() == "The river"
    panel.tap(0.5, 0.3)
    program.ipc.wait_for("vitrine/osd-visible")
    # A tap is no drag.
    panel.tap(LAYOUT.x(0.4), LAYOUT.y)
    program.ipc.wait_for_counter("vitrine/seeks-asked")
    panel.drag(LAYOUT.x(0.2), LAYOUT.y, LAYOUT.x(0.7), LAYOUT.y, seconds=0.5)
    card.until_attract()
    assert program.ipc.get("volume") == 60 and program.ipc.get("speed") == 1 and program.ipc.get("pause") is False
    visit, = card.until_visits(1)
    assert visit["drags"] == "1"


@pytest.mark.long
def test_a_drop(exhibit, films, panel):
    """Water that falls on the attract loop and never lifts: it trembles, single reports are far away, and it is no visitor."""
    card = exhibit(films("short.mp4"), {"The river": films("short-4x3.mp4")})
    program = card.start()
    card.until_attract()
    panel.wait_until_read()
    panel.down(0.4, 0.3)
    panel.frame()
    card.until_plays("The river")
    end = time.monotonic() + 60 + COUNTDOWN + 15
    reports = 0
    while "The river" in (program.ipc.get("filename") or ""):
        assert time.monotonic() < end, "the drop is a visitor"
        reports += 1
        panel.move(0.8 if reports % 20 == 0 else 0.4 + 2 / LAYOUT.width * (reports % 2), 0.3)
        panel.frame()
        time.sleep(0.05)
    card.until_attract()
    assert card.visits() == []
    panel.tap(0.7, 0.6, slot=1)
    card.until_plays("The river")
    card.until_attract()
    visit, = card.until_visits(1)
    assert visit["films"] == "The river"


HOUSE = ("alang", "aid", "slang", "sid", "sub-visibility", "mute", "volume", "audio-device", "vitrine/sound-route", "speed")


def test_the_next_visitor_finds_the_house_s_settings(exhibit, films, panel):
    """A visitor changes all that can be changed: the attract loop has the house's settings again, and so has the same
    film for the next visitor."""
    film = films("tracks.mkv")
    card = exhibit(
        film, {"1 Mills": film, "2 The river": films("short-4x3.mp4")},
        'languages = ["de", "en"]\nsubtitles = "de"\nvolume = 60\nchoose-output = true\n', controls="full")
    program = card.start()
    card.until_attract()
    panel.wait_until_read()
    program.ipc.wait_for("vitrine/sound-route", lambda route: route is not None)
    program.ipc.wait_for("sid", lambda number: number == 2)
    house = {name: program.ipc.get(name) for name in HOUSE}
    assert house["aid"] == 2 and house["volume"] == 60 and house["mute"] is False
    panel.tap(0.5, 0.5)
    panel.tap(*card.widget("option-1"))
    program.ipc.wait_for("alang", lambda tags: "en" in str(tags))
    panel.tap(*card.widget("picture-0"))
    card.until_plays("1 Mills")
    program.ipc.wait_for("aid", lambda number: number == 1)
    program.ipc.set("pause", True)
    # A finger that rests on the film keeps the visitor there on a busy machine.
    panel.down(0.4, 0.3, 1)
    panel.frame()
    buttons = Buttons(program, panel, SIZE)
    for button, choice, name in [
        ("languages", "Track 3", "aid"), ("subtitles", "Track 3", "sid"), ("outputs", None, "vitrine/sound-route")
    ]:
        before = program.ipc.get(name)
        buttons.tap(button)
        buttons.wait_for("panel")
        buttons.choose(choice or next(text for text in buttons.texts() if text not in buttons.chosen()))
        program.ipc.wait_for(name, lambda value: value not in (None, before))
        buttons.tap(button)
        buttons.wait_until_gone("panel")
    buttons.tap("volume")
    level = buttons.wait_for("level")
    panel.tap(*buttons.at(*level.middle))
    program.ipc.wait_for("volume", lambda volume: volume != 60)
    buttons.tap("mute")
    program.ipc.wait_for("mute")
    # No finger can.
    program.ipc.set("speed", 2)
    program.ipc.set("sub-visibility", False)
    theirs = {name: program.ipc.get(name) for name in HOUSE}
    assert not [name for name in HOUSE if theirs[name] == house[name]], (theirs, house)
    panel.up(1)
    panel.frame()
    card.until_attract()
    for name, value in house.items():
        program.ipc.wait_for_counter(name, lambda now: now == value)
    panel.tap(0.5, 0.5)
    panel.tap(*card.widget("picture-0"))
    card.until_plays("1 Mills")
    for name, value in house.items():
        program.ipc.wait_for_counter(name, lambda now: now == value)
    visit, = card.until_visits(1)
    assert visit["languages"] == "en; unknown" and visit["drags"] == "0"


def until_colour(program, panel, place, colour, near: int = 30) -> None:
    """Waits until a poster, which is made concurrently, is there in its colour. Touches keep the visitor there."""
    # Films without another picture are decoded for it once the attract film has played for a while.
    end = time.monotonic() + 30
    x, y = int(place[0] * LAYOUT.width), int(place[1] * LAYOUT.height) - 20
    while abs((seen := program.screenshot("visit-menu")[y, x].astype(int)) - colour).max() > near:
        assert time.monotonic() < end, f"{seen} is not the poster's colour"
        panel.tap(0.5, 0.97)
        time.sleep(0.1)


def test_menu(exhibit, films, panel, console):
    """Several films: a touch opens the menu, a poster plays its film, whose end opens the menu again."""
    loop = films("short.mp4")
    names = {"1 The river": "short-4x3.mp4", "2 Mills": "plain.mp4", "3 The storm": "short.avi", "4 The bell": "plain.mp4"}
    card = exhibit(loop, {title: films(name) for title, name in names.items()}, 'languages = ["de", "en"]\n')
    # One has a poster, one a file that is no picture and a scrub sheet, the others nothing.
    solid((200, 40, 40)).save(card.films / "1 The river.jpg")
    (card.films / "2 Mills.jpg").write_bytes(b"no picture at all")
    subprocess.run([os.environ["VITRINE_BIN"], "prepare", card.films / "2 Mills.mp4"], check=True, stdout=subprocess.DEVNULL)
    program = card.start()
    card.until_attract()
    panel.wait_until_read()
    lit = set(console.planes())
    language = program.ipc.get("alang")
    panel.tap(0.5, 0.5)
    first = card.widget("picture-0")
    assert card.widget("heading") and {"option-0", "option-1"} <= set(program.ipc.get("vitrine/controls"))
    until_colour(program, panel, first, (200, 40, 40))
    # The film's own, to a few steps of the encoders.
    for place in ("picture-1", "picture-3"):
        until_colour(program, panel, card.widget(place), (254, 0, 0), near=10)
    assert card.film() == "short" and program.ipc.get("pause") is False
    for name, number in [("1 The river", 0), ("3 The storm", 2)]:
        # The check may have taken so long that a countdown runs, which swallows one touch.
        panel.tap(0.5, 0.97)
        panel.tap(*card.widget(f"picture-{number}"))
        card.until_plays(name)
        console.keeps(lit, 0.1)
        program.ipc.wait_for("vitrine/controls", lambda seen: not seen)
        card.widget("picture-0", timeout=30)
    panel.tap(*card.widget("option-1"))
    program.ipc.wait_for("alang", lambda tags: "en" in str(tags))
    card.until_attract()
    program.ipc.wait_for("alang", lambda tags: tags == language)
    # On a busy machine the visit may have ended between two touches.
    visits = card.until_visits(1)
    assert "; ".join(visit["films"] for visit in visits if visit["films"]) == "1 The river; 3 The storm"
    assert visits[-1]["languages"] == "en"


def until_legible(program, part, picture: str, keep=lambda: None) -> float:
    """Waits until the white words in a part of the display are readable, and returns their contrast."""
    end = time.monotonic() + 20
    while (seen := legibility(part(program.screenshot(picture)))) <= 3:
        assert time.monotonic() < end, f"{picture}.png: {seen:.1f} to 1, and 3 is required"
        keep()
    return seen


def test_words_are_read_over_white(exhibit, panel, tmp_path):
    """The menu's, and the countdown's, both there and over the film."""
    white = Film(one_colour(tmp_path / "white.mkv", "white", 4))
    card = exhibit(white, {"1 The river": white, "2 Mills": white}, 'languages = ["de", "en"]\n')
    card.file.write_text(card.file.read_text().replace(f"countdown-seconds = {COUNTDOWN}", "countdown-seconds = 60"))
    program = card.start()
    card.until_attract()
    panel.wait_until_read()
    panel.tap(0.5, 0.5)
    buttons = Buttons(program, panel, SIZE)
    poster, chosen, other = (buttons.wait_for(name) for name in ("picture-1", "option-0", "option-1"))
    assert (chosen.state, other.state) == ("chosen", "normal")
    title = poster.y + poster.width * 9 // 16 + 2
    words = {
        "title": lambda picture: picture[title : title + 30, poster.x : poster.x + poster.width],
        "language": other.of,
        # Dark on white.
        "chosen language": lambda picture: 255 - chosen.of(picture),
    }

    def heading(picture):
        return picture[chosen.y : chosen.y + chosen.height, : chosen.x - 10]

    for name, part in {"heading": heading, **words}.items():
        print(name, until_legible(program, part, "contrast-menu", keep=lambda: panel.tap(0.5, 0.97)))
    buttons.wait_for("seconds-left")
    for name, part in {"countdown": heading, "title": words["title"]}.items():
        print(name, until_legible(program, part, "contrast-menu-countdown"))
    panel.tap(0.5, 0.97)
    panel.tap(*card.widget("picture-0"))
    card.until_plays("1 The river")
    program.ipc.set("pause", True)
    program.ipc.wait_for("vitrine/message", lambda words: words and "bleiben" in words, timeout=IDLE + 10)
    line = int(LAYOUT.live[1])
    print("message", until_legible(program, lambda picture: picture[line - 12 : line + 12], "contrast-film-countdown"))


def test_back_to_the_menu(exhibit, films, panel):
    """A button leads from a film to the menu, where the next film is chosen."""
    card = exhibit(films("short.mp4"), {"1 Mills": films("360p-key50.mp4"), "2 The river": films("short-4x3.mp4")})
    program = card.start()
    card.until_attract()
    panel.wait_until_read()
    panel.tap(0.5, 0.5)
    panel.tap(*card.widget("picture-0"))
    card.until_plays("1 Mills")
    panel.tap(0.5, 0.3)
    panel.tap(*card.widget("menu"))
    place = card.widget("picture-1")
    assert program.ipc.get("pause") is True, "nothing is heard below the menu"
    panel.tap(*place)
    card.until_plays("2 The river")
    card.until_attract()
    visit, = card.until_visits(1)
    assert visit["films"] == "1 Mills; 2 The river"


def test_films_that_arrive_later(exhibit, films, panel):
    """A card that is empty, and is filled while the player runs: first its loop, then a film, then another one."""
    card = exhibit(None, {})
    program = card.play("--settings", card.file, "--state", card.state, wait=False)
    card.program = program
    program.ipc.wait_for("vitrine/message", lambda words: words and words.startswith("No film found"))
    card.attract = films("short.mp4")

    def copy(film, name: str) -> None:
        shutil.copy(film.path, card.folder / "new")
        os.rename(card.folder / "new", card.films / name)

    copy(card.attract, "attract/short.mp4")
    card.until_attract()
    panel.wait_until_read()
    copy(films("short-4x3.mp4"), "The river.mp4")
    # The loop is a visitors' loop from then on.
    program.wait_for_log("there are other films", timeout=60)
    panel.tap(0.5, 0.5)
    card.until_plays("The river")
    copy(films("short.webm"), "Mills.webm")
    card.until_attract()
    program.wait_for_log("there are other films", timeout=60, count=2)
    assert card.film() == "short"
    panel.tap(0.5, 0.5)
    panel.tap(*card.widget("picture-0"))
    card.until_plays("Mills")
    assert [visit["films"] for visit in card.until_visits(1)] == ["The river"]


def solid(colour) -> PIL.Image.Image:
    picture = numpy.zeros((90, 160, 3), numpy.uint8)
    picture[:, :] = colour
    return PIL.Image.fromarray(picture)


@pytest.mark.parametrize(
    "turn, osd", [(Turn(0, False), "composited"), (Turn(90, True), "plane"), *also((Turn(270, False), "composited"))], ids=str)
def test_a_menu_on_other_displays(exhibit, films, panel, turn, osd):
    """Drawn into the film's frames, or for who looks at a display that hangs on its side: a poster is where a finger means it."""
    card = exhibit(films("short.mp4"), {"1 The river": films("short-4x3.mp4"), "2 Mills": films("plain.mp4")})
    colours = {"1 The river": (200, 40, 40), "2 Mills": (40, 40, 200)}
    for name, colour in colours.items():
        solid(colour).save(card.films / f"{name}.png")
    program = card.start(*turn.arguments, "--osd", osd)
    card.until_attract()
    panel.wait_until_read()
    size = (LAYOUT.height, LAYOUT.width) if turn.swaps else (LAYOUT.width, LAYOUT.height)
    buttons = Buttons(program, TurnedPanel(panel, turn), tuple(map(int, size)))
    buttons.panel.tap(0.5, 0.5)
    for place, colour in enumerate(colours.values()):
        x, y = map(int, buttons.wait_for(f"picture-{place}").middle)
        end = time.monotonic() + 30
        while abs((seen := turn.upright(program.screenshot(f"visit-menu-{turn}-{osd}"))[y - 20, x].astype(int)) - colour).max() > 30:
            assert time.monotonic() < end, f"{seen} is not the poster's colour"
            buttons.panel.tap(0.5, 0.97)
    # Looking may have taken so long that a countdown runs, which takes one touch.
    buttons.panel.tap(0.5, 0.97)
    buttons.panel.tap(*buttons.at(*buttons.wait_for("picture-1").middle))
    card.until_plays("2 Mills")


def test_a_poster_that_is_replaced(exhibit, films, panel):
    """A new picture of the old name is seen without a new start, and so is the first one of a film."""
    card = exhibit(films("short.mp4"), {"1 The river": films("short-4x3.mp4"), "2 Mills": films("plain.mp4")})
    solid((200, 40, 40)).save(card.films / "1 The river.png")
    program = card.start()
    card.until_attract()
    panel.wait_until_read()
    panel.tap(0.5, 0.5)
    until_colour(program, panel, card.widget("picture-0"), (200, 40, 40))
    card.until_attract()
    for name in ("1 The river", "2 Mills"):
        solid((40, 40, 200)).save(card.folder / "new.png")
        os.rename(card.folder / "new.png", card.films / f"{name}.png")
    program.wait_for_log("there are other films", timeout=60)
    panel.tap(0.5, 0.5)
    for place in ("picture-0", "picture-1"):
        until_colour(program, panel, card.widget(place), (40, 40, 200))


def test_crashes(exhibit, films, panel):
    """A crash in a visit leads back to the attract loop, and to its start. An attract film that brings the program down three times
    is passed over: the films loop."""
    card = exhibit(films("360p-key50.mp4"), {"The river": films("short-4x3.mp4")})
    loop = str(card.films / "attract" / "360p-key50.mp4")

    def crash() -> dict[str, int]:
        card.program.signal(signal.SIGKILL)
        card.program.wait_until_ended()
        falls = json.loads((card.state / "playing.json").read_text())["record"]["falls"]
        return {film: fall["count"] for film, fall in falls.items() if fall["count"]}

    program = card.start()
    card.until_attract()
    program.ipc.command("seek", 20, "absolute+exact")
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 25.5)
    panel.wait_until_read()
    panel.tap(0.5, 0.5)
    card.until_plays("The river")
    assert loop not in crash(), "it has played for long enough"
    for fall in (1, 2, 3):
        program = card.start()
        card.until_attract()
        assert str(card.films / "The river.mp4") not in program.opened()
        assert program.ipc.get("time-pos") < 10
        assert crash()[loop] == fall
    program = card.start()
    card.until_plays("The river")
    assert "360p-key50.mp4: passed over" in program.log()


def test_pages(exhibit, films, panel):
    """More films than a page has: a swipe turns it, and is no choice."""
    card = exhibit(films("short.mp4"), {f"film {number}": films("short-4x3.mp4") for number in range(14)})
    program = card.start()
    card.until_attract()
    panel.wait_until_read()
    panel.tap(0.5, 0.5)
    card.widget("pages")
    before = {name for name in program.ipc.get("vitrine/controls") if name.startswith("picture")}
    panel.drag(0.8, 0.5, 0.3, 0.5, seconds=0.3)
    program.ipc.wait_for("vitrine/controls", lambda seen: not before & set(seen or {}) and "pages" in seen)
    assert card.film() == "short", "a swipe chooses nothing"
    time.sleep(1)
    program.screenshot("visit-second-page")


def test_attract_that_does_not_play(exhibit, films, panel):
    """An attract folder without a playable film is ignored: the films loop. A film that replaces the broken one under its
    name is the loop from then on."""
    film, loop = films("short-4x3.mp4"), films("short.mp4")
    card = exhibit(None, {"The river": film})
    # Like a copy that was pulled out too early.
    (card.films / "attract" / "loop.mp4").write_bytes(bytes(pathlib.Path(loop.path).stat().st_size))
    program = card.start()
    card.until_plays("The river")
    shutil.copy(loop.path, card.folder / "new")
    os.rename(card.folder / "new", card.films / "attract" / "loop.mp4")
    program.wait_for_log("there are other films", timeout=60)
    card.until_plays("loop")
    panel.wait_until_read()
    panel.tap(0.5, 0.5)
    card.until_plays("The river")


def test_attract_that_goes(exhibit, films, panel, console):
    """An attract film that is removed during a visit: the films loop afterwards, without a black display."""
    loop = films("short.mp4")
    card = exhibit(loop, {"The river": films("short-4x3.mp4")})
    program = card.start()
    card.until_attract()
    panel.wait_until_read()
    with kept(console):
        panel.tap(0.5, 0.5)
        card.until_plays("The river")
        (card.films / "attract" / "short.mp4").unlink()
        program.ipc.command("seek", 100, "absolute-percent")
        program.wait_for_log("no film of the attract folder", timeout=IDLE + 30)
        card.until_plays("The river")


def test_attract_over_a_network(exhibit, films, panel, serve):
    """An attract film whose server is switched on later than the board is waited for."""
    server = serve()
    server.stop()
    card = exhibit(None, {"Mills": films("short.webm"), "The river": films("short-4x3.mp4")})
    card.attract = films("short.mp4")
    (card.folder / "loop.m3u").write_text(server.url("short.mp4") + "\n")
    card.file.write_text(card.file.read_text() + f'attract = "{card.folder / "loop.m3u"}"\n')
    program = card.program = card.play("--settings", card.file, "--state", card.state, wait=False)
    program.ipc.wait_for("vitrine/message", lambda words: words == NO_CONNECTION, timeout=30)
    server.start()
    card.until_attract()
    assert said(program) is None and "the films loop" not in program.log()
    panel.wait_until_read()
    panel.tap(0.5, 0.5)
    panel.tap(*card.widget("picture-1"))
    card.until_plays("The river")


def test_a_list_that_a_client_empties(exhibit, films):
    """The loop comes back by itself."""
    card = exhibit(films("short.mp4"), {"The river": films("short-4x3.mp4")})
    program = card.start()
    card.until_attract()
    (card.folder / "empty.m3u").write_text("#EXTM3U\n")
    program.ipc.command("loadlist", str(card.folder / "empty.m3u"))
    program.ipc.wait_for("vitrine/message", lambda words: words and words.startswith("No film found"))
    card.until_attract()


def test_film_that_does_not_play(exhibit, films, panel, console):
    """A film that fails leads back to the menu, and the attract film goes on; the display is never black."""
    card = exhibit(films("short.mp4"), {"The river": films("short-4x3.mp4")})
    (card.films / "Wrong.mp4").write_bytes(b"no film at all" * 1000)
    program = card.start()
    card.until_attract()
    panel.wait_until_read()
    with kept(console):
        panel.tap(0.5, 0.5)
        panel.tap(*card.widget("picture-1"))
        program.wait_for_log("Wrong")
        card.until_attract()
    panel.tap(*card.widget("picture-0"))
    card.until_plays("The river")


def test_preloaded(exhibit, films, panel):
    """A film that may be chosen is opened in advance: prints the time from the lift of the finger to the first
    frame."""
    card = exhibit(films("short.mp4"), {"The river": films("short-4x3.mp4"), "Mills": films("short.webm")})
    program = card.start()
    card.until_attract()
    panel.wait_until_read()
    times = []
    for turn in range(6):
        panel.tap(0.5, 0.5)
        place = card.widget(f"picture-{turn % 2}")
        path = str(card.films / ["Mills.webm", "The river.mp4"][turn % 2])
        panel.down(*place)
        panel.frame()
        end = time.monotonic() + 10
        while path not in program.opened():
            assert time.monotonic() < end, f"{path} is not preloaded"
            time.sleep(0.02)
        time.sleep(0.5)
        lifted = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        panel.up()
        panel.frame()
        program.ipc.wait_for("path", lambda now: now == path)
        program.ipc.wait_for("time-pos", lambda now: now is not None and 0.1 < now)
        pictures = program.ipc.get("vitrine/recent-frames")
        # The newest film's start where time last went back.
        first = max((n for n in range(1, len(pictures)) if pictures[n][0] < pictures[n - 1][0]), default=0)
        times.append((pictures[first][1] - lifted) / 1e6)
        program.ipc.command("seek", 100, "absolute-percent")
        card.widget("picture-0", timeout=30)
        card.until_attract()
    print("ms from the lift to the first frame:", [round(one, 1) for one in times])


class Witness:
    """What a visitor does, by a client's and the finger's own account, to compare with the line that is logged."""

    def __init__(self, card: Exhibit, panel, chance: random.Random):
        self.card, self.panel, self.chance, self.program = card, panel, chance, card.program
        self.paths = card.program.connect()
        self.paths.command("observe_property", 1, "path")
        self.begun, self.clock, self.touched = time.monotonic(), datetime.datetime.now(), 0.0
        self.chosen: list[str] = []
        self.languages: list[str] = []
        self.drags = 0

    def tap(self, x: float, y: float, slot: int = 0) -> None:
        self.panel.down(x, y, slot)
        self.panel.frame()
        time.sleep(0.08)
        self.lift(slot)

    def lift(self, slot: int = 0) -> None:
        """Returns once the player has read it."""
        lifted = time.monotonic_ns() // 1000 * 1000
        self.panel.up(slot)
        self.panel.frame()
        self.touched = lifted / 1e9
        self.program.ipc.wait_for_counter("vitrine/last-touch", lambda when: when and when >= lifted)

    def choose_language(self, place: int) -> None:
        """A touch that ends a countdown chooses nothing."""
        buttons = Buttons(self.program, self.panel, SIZE)
        while buttons.wait_for(f"option-{place}", lambda _: True) is None or buttons.all()[f"option-{place}"].state != "chosen":
            self.tap(*self.card.widget(f"option-{place}"))
            with contextlib.suppress(AssertionError):
                buttons.wait_for(f"option-{place}", lambda found: found and found.state == "chosen", timeout=2)
        self.languages += [LANGUAGES[place]] if LANGUAGES[place] not in self.languages else []

    def choose(self, film: int) -> None:
        self.tap(*self.card.widget(f"picture-{film}"))
        self.card.until_plays(f"film {film}")
        self.chosen.append(f"film {film}")

    def play_around(self, acts: list[int]) -> None:
        """Fingers that do anything, except choose a language."""
        chance = self.chance
        for act in acts:
            match act:
                case 1:
                    self.tap(chance.random(), 0.3 + chance.random() * 0.3)
                case 2:
                    self.tap(0.5, 0.3)
                case 3:
                    self.drag(chance.choice((0.15, 0.85)), chance.random(), chance.random())
                case 0 if (self.program.ipc.get("time-pos") or 9) < 1:
                    # A finger on the film keeps the bar there.
                    bar.slip(self.panel, lifts=False)
                    self.program.ipc.wait_for_counter("vitrine/controls")
                    if chance.random() < 0.5:
                        self.drag(0.3, LAYOUT.y, LAYOUT.y, slot=1)
                    else:
                        # A tap is no drag.
                        self.tap(LAYOUT.x(0.3), LAYOUT.y, 1)
                    self.lift()

    def drag(self, start: float, y: float, end_y: float, slot: int = 0) -> None:
        """A drag if the finger found the bar."""
        asked = self.program.ipc.get("vitrine/seeks-asked")
        self.panel.drag(start, y, 1 - start, end_y, seconds=0.2, slot=slot, lift=False)
        self.lift(slot)
        self.drags += self.program.ipc.get("vitrine/seeks-asked") > asked

    def use_all_controls(self) -> None:
        """Fingers on all that `controls = "full"` offers, in any order, while another one rests on the film. The last one leads
        back to the menu."""
        buttons = Buttons(self.program, self.panel, SIZE)
        # A film that stands does not end meanwhile.
        self.tap(0.5, 0.3)
        self.press(buttons, "play")
        self.program.ipc.wait_for("pause")
        self.panel.down(0.4, 0.3, 1)
        self.panel.frame()
        acts = [self.pick, self.pick, self.change_volume, self.scroll_filmstrip, self.seek]
        for act in self.chance.sample(acts, len(acts)):
            act(buttons)
        self.press(buttons, "menu")
        self.card.widget("heading")
        self.lift(1)

    def press(self, buttons: Buttons, name: str) -> None:
        self.tap(*buttons.at(*buttons.show().wait_for(name).middle))

    def pick(self, buttons: Buttons) -> None:
        """Any choice of a list. A choice that holds already, or none, is no choice of a language."""
        kind = self.chance.choice(("languages", "subtitles"))
        self.press(buttons, kind)
        buttons.wait_for("option-0")
        names = [name for name in buttons.all() if name.startswith("option")]
        name = self.chance.choice(names)
        if buttons.all()[name].state != "chosen":
            type = "audio" if kind == "languages" else "sub"
            tracks = [track for track in self.program.ipc.get("track-list") if track["type"] == type]
            # None comes before all subtitles.
            track = [*([None] if kind == "subtitles" else []), *tracks][names.index(name)]
            language = track and track.get("lang", "unknown")
            self.languages += [language] if language and language not in self.languages else []
            self.press(buttons, name)
            buttons.wait_for(name, lambda place: place and place.state == "chosen")
        self.press(buttons, kind)
        buttons.wait_until_gone("panel")

    def change_volume(self, buttons: Buttons) -> None:
        self.press(buttons, "volume")
        level = buttons.wait_for("level")
        before = self.program.ipc.get("volume")
        x = buttons.at(*level.middle)[0]
        start, end = ((level.y + level.height * self.chance.uniform(0.3, 0.7)) / SIZE[1] for _ in range(2))
        self.panel.drag(x, start, x, end, seconds=0.2, lift=False)
        self.lift()
        self.program.ipc.wait_for("volume", lambda now: now != before)
        self.press(buttons, "volume")
        buttons.wait_until_gone("panel")

    def scroll_filmstrip(self, buttons: Buttons) -> None:
        """A drag that is none of the bar's, and a tap on a picture."""
        self.press(buttons, "filmstrip")
        strip = buttons.wait_for("panel")
        y, drags = buttons.at(*strip.middle)[1], self.drags

        def places() -> list[int]:
            return [place.x for name, place in buttons.all().items() if name.startswith("picture")]

        seen = [places()]
        # At an end only one of them moves it.
        for start in self.chance.sample((0.8, 0.2), 2):
            self.drag(start, y, y)
            seen.append(places())
        assert self.drags == drags and not seen[0] == seen[1] == seen[2], seen
        asked = self.program.ipc.get("vitrine/seeks-asked")
        pictures = [
            name for name, place in buttons.all().items()
            if name.startswith("picture") and place.x > 0 and place.x + place.width < SIZE[0]
        ]
        self.press(buttons, self.chance.choice(pictures))
        self.program.ipc.wait_for_counter("vitrine/seeks-asked", lambda count: count > asked)
        self.program.ipc.wait_for("seeking", lambda seeking: seeking is False)
        self.press(buttons, "filmstrip")
        buttons.wait_until_gone("panel")

    def seek(self, buttons: Buttons) -> None:
        """A drag of the bar, with another finger, or a tap."""
        place = buttons.wait_for("bar")
        y = buttons.at(*place.middle)[1]
        if self.chance.random() < 0.7:
            self.drag(self.chance.uniform(0.3, 0.45), y, y, slot=self.chance.choice((0, 2)))
        else:
            self.tap(0.4, y)
        self.program.ipc.wait_for("seeking", lambda seeking: seeking is False)

    def check(self, visit: dict, lengths: dict[str, float]) -> None:
        """Fails if the line says anything else."""
        ended = time.monotonic()
        entry, loaded = {"path": ""}, []
        # The answer comes behind all earlier reports.
        self.paths.get("path")
        for event in self.paths.events:
            match event["event"]:
                # A film that follows itself has no report of its path.
                case "start-file":
                    entry = dict(entry)
                # May come behind other reports of the entry.
                case "property-change" if event["data"]:
                    entry["path"] = event["data"]
                # Again if the film is chosen again.
                case "file-loaded":
                    loaded.append(entry)
        self.paths.close()
        films = [pathlib.Path(entry["path"]).stem for entry in loaded if "/attract/" not in entry["path"]]
        if visit["films"] != "; ".join(films):
            print(*self.paths.events, sep="\n")
        assert visit["films"] == "; ".join(films), (visit, films, self.chosen)
        assert visit["languages"] == "; ".join(self.languages), (visit, self.languages)
        assert int(visit["drags"]) == self.drags, (visit, self.drags)
        seconds, watched = int(visit["seconds"]), int(visit["seconds watched"])
        assert self.touched - self.begun - 1 < seconds + 1 and seconds <= ended - self.begun + 1, (visit, ended - self.begun)
        begun = datetime.datetime.strptime(visit["start"], "%Y-%m-%d %H:%M:%S")
        assert abs((begun - self.clock).total_seconds()) < 5, (visit, self.clock)
        assert watched <= seconds
        if not self.drags:
            assert watched <= sum(lengths[film] for film in films) + len(films), (visit, films)


@pytest.mark.slow
@pytest.mark.timeout(14_400 if IS_ASKED else 900)
def test_random_visits(exhibit, films, panel):
    """Fingers that do anything: memory, descriptors, planes and threads stay stable, and the lines match the visits."""
    formats = ["short.mp4", "short.webm", "short-4x3.mp4", "short.avi", "short-pal.mkv"]
    # The first visits are to one film each, and do everything: the libraries that it needs are loaded then, and stay.
    count = len(formats) + (1000 if IS_ASKED else 5)
    card = exhibit(
        films("short.mp4"), {f"film {place}": films(name) for place, name in enumerate(formats)},
        f"languages = {json.dumps(LANGUAGES)}\n")
    if IS_ASKED:
        # A thousand are a matter of hours, of the rig's own. Idle for less than IDLE is refused.
        card.file.write_text(card.file.read_text().replace(f"countdown-seconds = {COUNTDOWN}", "countdown-seconds = 1"))
    program = card.start()
    card.until_attract()
    panel.wait_until_read()
    chance = random.Random(20261128)
    lengths = {f"film {place}": films(name).seconds for place, name in enumerate(formats)}
    samples = []
    for visit in range(count):
        witness = Witness(card, panel, chance)
        witness.tap(chance.random(), chance.random())
        is_first = visit < len(formats)
        for place in chance.sample(range(1, len(LANGUAGES)), 2 if is_first else chance.choice((0, 0, 1, 2))):
            witness.choose_language(place)
        witness.choose(visit if is_first else chance.randrange(len(formats)))
        witness.play_around(list(range(4)) if is_first else chance.choices(range(4), k=chance.randrange(4)))
        if visit == 0 or chance.random() < 0.2:
            # At the film's end, if no finger has opened another one.
            witness.choose(chance.randrange(len(formats)))
        card.until_attract(timeout=90)
        assert len(card.until_visits(visit + 1)) == visit + 1
        witness.check(card.visits()[-1], lengths)
        if visit % 100 == 0:
            print(f"visit {visit}", flush=True)
        samples.append((program.memory() / 1e6, program.fds(), program.threads(),
                        FRAMEBUFFERS.read_text().count("framebuffer["), handles.count(program.process.pid)))
    samples = samples[len(formats):]
    half = len(samples) // 2
    early, late = numpy.array(samples[:half]), numpy.array(samples[half:])
    print("MB, fds, threads, framebuffers, handles:", numpy.median(early, 0), numpy.median(late, 0))
    # Of few visits, one whose film is still being closed counts much.
    assert numpy.median(late[:, 0]) - numpy.median(early[:, 0]) < (8 if IS_ASKED else 16), samples
    # A sample may coincide with a moment without a preloaded film.
    assert (numpy.median(late, 0)[1:] - numpy.median(early, 0)[1:] <= [1, 3, 1, 1]).all(), samples


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_random_visits_with_all_controls(exhibit, films, panel):
    """Lists, the volume, the filmstrip and the way back to the menu, in any order, with a finger that rests: the lines match the
    visits, and the next visitor hears the house's volume."""
    chance = random.Random(20261130)
    card = exhibit(
        films("short.mp4"), {"film 0": films("tracks.mkv"), "film 1": films("tracks.mkv")}, f"languages = {json.dumps(LANGUAGES)}\n",
        controls="full")
    program = card.start()
    card.until_attract()
    panel.wait_until_read()
    program.ipc.wait_for("vitrine/sound-route", lambda route: route is not None)
    lengths = {f"film {place}": films("tracks.mkv").seconds for place in range(2)}
    for visit in range(6):
        witness = Witness(card, panel, chance)
        witness.tap(chance.random(), chance.random())
        if chance.random() < 0.5:
            witness.choose_language(1)
        for film in chance.sample(range(2), chance.choice((1, 1, 2))):
            witness.choose(film)
            witness.use_all_controls()
        card.until_attract(timeout=90)
        assert len(card.until_visits(visit + 1)) == visit + 1
        witness.check(card.visits()[-1], lengths)
        print(f"visit {visit}: {card.visits()[-1]}")
        program.ipc.wait_for("volume", lambda volume: volume == 100)
