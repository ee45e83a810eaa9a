"""A visitor's actions with a finger: buttons, lists and the volume over the film (A10, A11, A14, and the seeds'
buttons)."""

import itertools
import time

import numpy
import pytest

import frames
import servers

from bar import Layout, slip, thumb, wait_until_reported
from buttons import Buttons, legibility
from cards import CONNECTED, Vblanks, plug_in
from network import FILM, bytes_a_second, plays_on, serve  # noqa: F401, a fixture
from one_colour import one_colour
from test_composited import settle_bar
from test_scrub_sheet import prepared  # noqa: F401, a fixture
from thorough import also, few
from turned import TURNS, Turn, TurnedPanel

FULL = ("--controls", "full")


def settle(program) -> None:
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)


def plays(program, is_playing: bool = True) -> None:
    program.ipc.wait_for("pause", lambda paused: paused is not is_playing)


# MARK: A paused film


@pytest.mark.parametrize("way, controls", few(
    itertools.product(["--paused", "--end pause", "--end stop", "at-end pause", "at-end stop"], ["full", "bar", "off"]),
    ("--paused", "full"), ("--end pause", "off"), ("--end stop", "bar"), ("at-end pause", "full"), ("at-end stop", "off")))
def test_a_visitor_starts_it_with_a_finger_alone(play, films, panel, tmp_path, way: str, controls: str):
    """Whichever option or setting pauses the film: one tap anywhere on it, at its start or its end, starts it."""
    film = films("short.mp4")
    if way.startswith("at-end"):
        settings = tmp_path / "vitrine.toml"
        settings.write_text(f'films = ["{film.path}"]\nat-end = "{way.split()[1]}"\ncontrols = "{controls}"\n')
        program = play("--settings", settings)
    else:
        program = play(film, *way.split(), "--controls", controls)
    panel.wait_until_read()
    if way != "--paused":
        program.ipc.wait_for("eof-reached", timeout=60)
    plays(program, False)
    settle(program)
    panel.tap(0.4, 0.3)
    plays(program)
    # And again, if it reached its end meanwhile.
    if way != "--paused":
        program.ipc.wait_for("eof-reached", lambda ended: not ended)


def test_the_button_starts_and_stops_it_where_it_stands(play, films, panel):
    film = films("360p-key50.mp4")
    program = play(film, *FULL, "--no-loop")
    panel.wait_until_read()
    program.ipc.wait_for("vitrine/frame-time", lambda now: now is not None and now > 1e9)
    buttons = Buttons(program, panel)
    assert buttons.show().wait_for("play").text == "pause"
    buttons.tap("play")
    plays(program, False)
    buttons.wait_for("play", lambda place: place and place.text == "play")
    # In mid-film a tap beside the button hides the controls, and starts nothing.
    panel.tap(0.4, 0.3)
    program.ipc.wait_for("vitrine/osd-visible", lambda visible: visible is False)
    assert program.ipc.get("pause") is True
    panel.tap(0.4, 0.3)
    program.ipc.wait_for("vitrine/osd-visible")
    assert program.ipc.get("pause") is True
    frame = program.frame(film)
    buttons.tap("play")
    plays(program)
    program.ipc.wait_for("vitrine/frame-time", lambda now: now > (frame + 1) / film.rate * 1e9)
    # The first touch of hidden controls only shows them.
    program.ipc.wait_for("vitrine/osd-visible", lambda visible: visible is False)
    place = Layout().height - 20
    panel.tap(*buttons.at(30, place))
    program.ipc.wait_for("vitrine/osd-visible")
    assert program.ipc.get("pause") is False


def test_a_finger_that_slips_off_or_is_taken_back_does_nothing(play, films, panel):
    program = play(films("360p-key50.mp4"), *FULL)
    panel.wait_until_read()
    buttons = Buttons(program, panel)
    place = buttons.show().wait_for("play")
    at = buttons.at(*place.middle)
    panel.down(*at)
    panel.frame()
    buttons.wait_for("play", lambda place: place.state == "pressed")
    panel.move(0.4, 0.3)
    panel.frame()
    buttons.wait_for("play", lambda place: place.state == "normal")
    panel.up()
    panel.frame()
    program.ipc.wait_for_counter("vitrine/last-touch")
    assert program.ipc.get("pause") is False
    # A palm.
    panel.down(*at)
    panel.frame()
    buttons.wait_for("play", lambda place: place.state == "pressed")
    panel.cancel()
    panel.frame()
    buttons.wait_for("play", lambda place: place.state == "normal")
    assert program.ipc.get("pause") is False


def test_a_drag_that_begins_on_the_bar_stays_its(play, films, panel):
    """Also over the button, which a second finger cannot press meanwhile."""
    film = films("360p-key50.mp4")
    program = play(film, "--paused", *FULL)
    panel.wait_until_read()
    buttons = Buttons(program, panel)
    bar = buttons.show().wait_for("bar")
    button = buttons.wait_for("play")
    panel.down(*buttons.at(*bar.middle))
    panel.frame()
    program.ipc.wait_for_counter("vitrine/seeks-asked")
    panel.move(*buttons.at(*button.middle))
    panel.frame()
    panel.down(*buttons.at(*button.middle), 1)
    panel.frame()
    panel.up(1)
    panel.frame()
    assert buttons.wait_for("play").state == "normal"
    panel.up()
    panel.frame()
    wait_until_reported(program, film, 0)
    settle(program)
    assert program.ipc.get("pause") is True


# MARK: Lists


def test_languages_and_subtitles_are_chosen_by_their_own_names(play, films, panel):
    film = films("tracks.mkv")
    program = play(film, *FULL, "--loop")
    panel.wait_until_read()
    program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 7)
    buttons = Buttons(program, panel)
    assert buttons.show().wait_for("languages").text == "EN"
    buttons.tap("subtitles")
    buttons.wait_for("panel")
    assert buttons.texts() == ["None", "English", "Deutsch (SDH)", "Track 3"] and buttons.chosen() == ["None"]
    buttons.choose("Deutsch (SDH)")
    program.ipc.wait_for("sid", lambda number: number == 2)
    buttons.wait_for("option-2", lambda place: place and place.state == "chosen")
    assert buttons.chosen() == ["Deutsch (SDH)"]
    buttons.choose("None")
    program.ipc.wait_for("sid", lambda number: number is False)
    # A touch beside it closes it, and does not affect the film or the controls.
    panel.tap(0.2, 0.2)
    buttons.wait_until_gone("panel")
    assert program.ipc.get("vitrine/osd-visible") is True and program.ipc.get("pause") is False
    buttons.tap("languages")
    buttons.wait_for("panel")
    assert buttons.texts() == ["English", "Deutsch – Kommentar", "Track 3"]
    buttons.choose("Deutsch – Kommentar")
    program.ipc.wait_for("aid", lambda number: number == 2)
    buttons.wait_for("languages", lambda place: place and place.text == "DE")
    buttons.tap("subtitles")
    buttons.wait_for("option-0", lambda place: place and place.text == "Keine")
    # The same button closes it.
    buttons.tap("subtitles")
    buttons.wait_until_gone("panel")


def test_a_list_closes_by_itself(play, films, panel):
    program = play(films("tracks.mkv"), *FULL, "--paused")
    panel.wait_until_read()
    program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 7)
    buttons = Buttons(program, panel)
    buttons.tap("subtitles")
    buttons.wait_for("panel")
    touched = time.monotonic()
    buttons.wait_until_gone("panel", timeout=12)
    assert 7 < time.monotonic() - touched < 11
    assert program.ipc.get("vitrine/osd-visible") is True
    program.ipc.wait_for("vitrine/osd-visible", lambda visible: visible is False, timeout=6)


def test_buttons_are_there_where_they_are_of_use(play, films, panel):
    program = play(films("silent.mp4"), *FULL, "--paused")
    panel.wait_until_read()
    buttons = Buttons(program, panel)
    buttons.show().wait_for("play")
    assert set(buttons.all()) == {"play", "bar", "filmstrip"}, "neither sound nor texts"


def test_without_controls_a_touch_shows_nothing(play, films, panel):
    program = play(films("360p-key50.mp4"), "--controls", "off")
    panel.wait_until_read()
    updates = program.ipc.get("vitrine/osd-updates")
    slip(panel)
    panel.tap(0.4, 0.3)
    program.ipc.wait_for_counter("vitrine/last-touch")
    assert program.ipc.get("vitrine/osd-visible") is False and program.ipc.get("vitrine/osd-updates") == updates
    assert program.ipc.get("pause") is False, "a film that plays is not stopped"


# MARK: Sound


def test_the_volume_follows_a_finger(play, films, panel):
    program = play(films("360p-key50.mp4"), *FULL, "--volume", "40", "--loop")
    panel.wait_until_read()
    buttons = Buttons(program, panel)
    assert buttons.show().wait_for("volume").text == "speaker"
    buttons.tap("volume")
    level = buttons.wait_for("level")
    panel.drag(*buttons.at(level.middle[0], level.middle[1]), *buttons.at(level.middle[0], level.y - 50), seconds=0.3)
    program.ipc.wait_for("volume", lambda volume: volume > 99.5)
    buttons.tap("mute")
    program.ipc.wait_for("mute")
    buttons.wait_for("volume", lambda place: place and place.text == "speakerMuted")
    # The slider has an effect at once, even if the sound was muted.
    level = buttons.wait_for("level")
    panel.tap(*buttons.at(*level.middle))
    program.ipc.wait_for("mute", lambda muted: muted is False)
    assert 40 < program.ipc.get("volume") < 60
    # A palm's change is undone.
    before = program.ipc.get("volume")
    panel.down(*buttons.at(level.middle[0], level.y + 5))
    panel.frame()
    program.ipc.wait_for("volume", lambda volume: volume > 90)
    panel.cancel()
    panel.frame()
    program.ipc.wait_for("volume", lambda volume: abs(volume - before) < 0.5)


@pytest.mark.parametrize("may", [True, False], ids=["allowed", "not allowed"])
def test_outputs_are_chosen_where_that_is_allowed(play, films, panel, may: bool):
    """The rig has a dummy card and a loopback."""
    program = play(films("360p-key50.mp4"), *FULL, *(["--choose-output"] if may else []), "--loop")
    panel.wait_until_read()
    program.ipc.wait_for("vitrine/sound-route", lambda route: route is not None)
    buttons = Buttons(program, panel)
    buttons.show().wait_for("volume")
    if not may:
        assert "outputs" not in buttons.all()
        return
    buttons.tap("outputs")
    buttons.wait_for("panel")
    other = next(text for text in buttons.texts() if text not in buttons.chosen())
    before = program.ipc.get("vitrine/sound-route")
    buttons.choose(other)
    program.ipc.wait_for("vitrine/sound-route", lambda route: route not in (None, before))
    assert program.ipc.get("pause") is False


# MARK: The filmstrip


def strip_frames(program, film, buttons, picture) -> dict[str, int]:
    """The frame of the film in each fully visible picture of the filmstrip."""
    seen = {}
    for name, place in buttons.all().items():
        if not name.startswith("picture") or place.x < 0 or place.x + place.width > buttons.size[0]:
            continue
        try:
            reading = frames.read(picture, frames.Rect(place.x, place.y, place.width, place.height))
        except frames.NoFrame:
            continue
        if reading.film == film.number:
            seen[name] = reading.frame
    return seen


@pytest.mark.parametrize("way", ["plane", "composited"])
def test_a_picture_of_the_filmstrip_leads_there(play, prepared, panel, way: str):
    """They come from the film's sheet; a touch on one shows its exact frame, a drag scrolls them."""
    film = prepared("360p-key250.mp4")
    program = play(film, *FULL, "--paused", "--osd", way, "--mode", "1280x720")
    panel.wait_until_read()
    buttons = Buttons(program, panel, (1280, 720))
    buttons.tap("filmstrip")
    buttons.wait_for("panel")
    # A finger that rests on the film keeps it open while pictures of the display are taken.
    panel.down(0.4, 0.3, 1)
    panel.frame()
    end = time.monotonic() + 20
    while len(seen := strip_frames(program, film, buttons, program.screenshot(f"filmstrip-{way}"))) < 5:
        assert time.monotonic() < end, f"in the filmstrip there is {seen}"
    assert sorted(seen.values()) == list(seen.values()) and len(set(seen.values())) == len(seen)
    # The step from one to the next is a twentieth of the film.
    steps = numpy.diff(list(seen.values()))
    assert abs(steps - film.frames / 20).max() <= 3
    name, frame = list(seen.items())[3]
    buttons.tap(name)
    wait_until_reported(program, film, frame)
    settle(program)
    before = buttons.wait_for(name)
    y = before.y + before.height / 2
    panel.drag(*buttons.at(1000, y), *buttons.at(500, y), seconds=0.3)
    buttons.wait_for(name, lambda place: place is None or place.x < before.x - 300)
    assert program.ipc.get("seeking") is False and program.frame(film) == frame
    # To the end, and no farther.
    for _ in range(6):
        panel.drag(*buttons.at(1200, y), *buttons.at(100, y), seconds=0.2)
    last = buttons.wait_for("picture-19")
    assert last.x + last.width <= 1280
    panel.up(1)
    panel.frame()
    buttons.wait_until_gone("picture-19")


def whole(buttons) -> set[str]:
    """The fully visible pictures of the filmstrip."""
    return {
        name for name, place in buttons.all().items()
        if name.startswith("picture") and place.x >= 0 and place.x + place.width <= buttons.size[0]
    }


@pytest.mark.parametrize("name, way", [("long.mkv", "disk"), ("360p-key250.mp4", "disk"), (FILM, "server")])
def test_a_film_without_a_sheet_fills_its_filmstrip(play, films, serve, panel, name: str, way: str):
    """With key frames if these are near enough, else with the exact frames. The film plays on meanwhile, and loses
    none."""
    film = films(name)
    program = play(serve().url(name) if way == "server" else film, *FULL, "--loop", "--mode", "1280x720")
    panel.wait_until_read()
    buttons = Buttons(program, panel, (1280, 720))
    buttons.tap("filmstrip")
    buttons.wait_for("panel")
    # A finger that rests on the film keeps it open.
    panel.down(0.4, 0.3, 1)
    panel.frame()
    shown = whole(buttons)
    assert len(shown) >= 5
    end = time.monotonic() + 120
    while (seen := strip_frames(program, film, buttons, program.screenshot(f"filmstrip-without-sheet-{name}"))).keys() != shown:
        assert time.monotonic() < end, f"in the filmstrip there is {seen}, not all of {shown}"
        # A picture of the display takes half a second of the one processor.
        time.sleep(1)
    for one, frame in seen.items():
        due = int(one.removeprefix("picture-")) * film.frames / 20
        assert abs(frame - due) <= film.frames / 40 + 1, f"{one} is frame {frame}, not near {due}"
    assert program.ipc.get("pause") is False
    one, frame = list(seen.items())[3]
    buttons.tap(one)
    program.ipc.wait_for_counter("vitrine/seeks-asked")
    settle(program)
    panel.up(1)
    panel.frame()


def test_the_filling_gives_way_to_a_finger_that_drags(play, films, panel):
    """A film with expensive frames: none is read until the finger lifts."""
    film = films("360p-key250.mp4")
    program = play(film, *FULL, "--paused", "--mode", "1280x720")
    panel.wait_until_read()
    buttons = Buttons(program, panel, (1280, 720))
    buttons.tap("filmstrip")
    bar = buttons.wait_for("bar")
    panel.down(*buttons.at(*bar.middle))
    panel.frame()
    program.ipc.wait_for("vitrine/frame-time", lambda now: now is not None and now > film.seconds / 4 * 1e9)
    before = strip_frames(program, film, buttons, program.screenshot())
    # In this time it would otherwise be filled.
    for step in range(10):
        time.sleep(1)
        panel.move(*buttons.at(bar.middle[0] + 20 * (step % 2), bar.middle[1]))
        panel.frame()
    shown = whole(buttons)
    assert strip_frames(program, film, buttons, program.screenshot("filmstrip-waits")) == before
    assert len(before) < len(shown)
    panel.up()
    panel.frame()
    buttons.tap("filmstrip")
    panel.down(0.4, 0.3, 1)
    panel.frame()
    end = time.monotonic() + 60
    while not len(strip_frames(program, film, buttons, program.screenshot())) > len(before):
        assert time.monotonic() < end, "it is not filled after the finger's lift"
    panel.up(1)
    panel.frame()


# MARK: The picture above the thumb


def bar_layout(buttons) -> Layout:
    return Layout(*buttons.size, right=sum(one in buttons.all() for one in ("volume", "filmstrip")))


def preview_frame(film, buttons, picture) -> int | None:
    """The frame of the film in the picture above the thumb."""
    place = buttons.all().get("preview")
    if place is None:
        return None
    try:
        reading = frames.read(picture, frames.Rect(place.x, place.y, place.width, place.height))
    except frames.NoFrame:
        return None
    return reading.frame if reading.film == film.number else None


def wait_for_preview(program, film, buttons, frame: int, name: str, upright=lambda picture: picture) -> numpy.ndarray:
    """Waits until the picture above the thumb is this frame; returns the display's picture."""
    end = time.monotonic() + 60
    while (seen := preview_frame(film, buttons, picture := upright(program.screenshot(name)))) != frame:
        assert time.monotonic() < end, f"above the thumb there is {seen}, not {frame}"
        # A picture of the display takes half a second of the one processor, which the reader needs.
        time.sleep(0.5)
    return picture


def nearest_key_frame(film, value: float) -> int:
    """The frame of the filmstrip's picture for a value of the bar: twenty for the film, a key frame every two
    seconds."""
    due = min(round(value * 20), 19) * film.seconds / 20
    return int(due // 2 * 2 * film.rate)


@pytest.mark.parametrize("way, turn", few(
    itertools.product(["plane", "composited"], [TURNS[0], TURNS[2], TURNS[6]]), ("plane", TURNS[0]), ("composited", TURNS[2])),
    ids=str)
def test_a_film_of_a_server_has_a_picture_above_the_thumb(play, films, serve, panel, way: str, turn: Turn):
    """Its own frame stays while the finger moves. The picture follows the finger to the display's edges, shows the
    frame that is nearest of those that have been read, and goes with the finger."""
    film, size = films(FILM), (1280, 720)
    program = play(serve().url(FILM), *FULL, "--paused", "--osd", way, "--mode", "1280x720", *turn.arguments)
    panel.wait_until_read()
    panel = TurnedPanel(panel, turn)
    buttons = Buttons(program, panel, size)
    bar = buttons.show().wait_for("bar")
    shown, sent = program.ipc.get("vitrine/frame-time"), program.ipc.get("vitrine/seeks-sent")
    layout = bar_layout(buttons)
    y = layout.y
    panel.down(layout.x(0.34), y)
    panel.frame()
    wait_for_preview(program, film, buttons, nearest_key_frame(film, 0.34), f"preview-{way}-{turn}", turn.upright)
    last = film.frames // 2
    # To the middle of a frame at last.
    for value in (0.66, 0.95, 0.05, (last + 0.5) / film.frames):
        for step in range(1, 6):
            panel.move(layout.x(value) + (5 - step) * 0.004, y)
            panel.frame()
        # While the finger rests, the place under it comes next.
        picture = wait_for_preview(
            program, film, buttons, nearest_key_frame(film, value), f"preview-{way}-{turn}-{value:.2f}", turn.upright)
        place = buttons.wait_for("preview")
        seconds = int(film.seconds * value)
        assert place.text in (f"00:00:{seconds:02}", f"00:00:{seconds - 1:02}")
        middle = layout.left + layout.length * value
        if 0.2 < value < 0.8:
            assert abs(place.middle[0] - middle) <= 2
        assert place.x >= 0 and place.x + place.width <= size[0] and place.y + place.height < bar.middle[1]
        assert thumb(picture, layout) == pytest.approx(middle, abs=2)
    assert program.ipc.get("vitrine/seeks-sent") == sent and program.ipc.get("vitrine/frame-time") == shown
    panel.up()
    panel.frame()
    buttons.wait_until_gone("preview")
    wait_until_reported(program, film, last)
    picture = turn.upright(program.screenshot(f"preview-{way}-{turn}-gone"))
    with pytest.raises(frames.NoFrame):
        frames.read(picture, frames.Rect(place.x, place.y, place.width, place.height))


def test_a_film_on_the_disk_has_no_picture_above_the_thumb(play, films, panel):
    """Its own frame is under the finger."""
    film = films(FILM)
    program = play(film, *FULL, "--paused", "--mode", "1280x720")
    panel.wait_until_read()
    buttons = Buttons(program, panel, (1280, 720))
    # All pictures are there.
    buttons.tap("filmstrip")
    panel.down(0.4, 0.3, 1)
    panel.frame()
    buttons.wait_for("picture-0")
    shown = whole(buttons)
    end = time.monotonic() + 60
    while strip_frames(program, film, buttons, program.screenshot()).keys() != shown:
        assert time.monotonic() < end
        time.sleep(1)
    buttons.tap("filmstrip")
    buttons.wait_until_gone("panel")
    layout = bar_layout(buttons)
    panel.down(layout.x(0.3), layout.y)
    panel.frame()
    for frame in (600, 900):
        panel.move(layout.of_frame(frame, film, program.ipc.get("duration")), layout.y)
        panel.frame()
        wait_until_reported(program, film, frame)
        assert "preview" not in buttons.all()
    for slot in (0, 1):
        panel.up(slot)
        panel.frame()


def test_reading_pictures_gives_way_to_a_film_that_waits(play, films, serve, panel):
    """The connection for pictures is closed while the film's own brings nothing, and the film gets the rest."""
    film, proxy = films(FILM), servers.Proxy(serve().port)
    # More than the film needs, also on a busy machine, and not all of it at once.
    proxy.limit(bytes_a_second(film) * 3)
    program = play(proxy.url(FILM), *FULL, "--no-loop")
    panel.wait_until_read()
    # A finger that rests on the film keeps the bar visible.
    slip(panel, lifts=False)
    program.ipc.wait_for("vitrine/osd-visible")
    plays_on(program, 0.5)
    end = time.monotonic() + 20
    while proxy.connections_now < 2:
        assert time.monotonic() < end, "no pictures are read"
        time.sleep(0.02)
    proxy.stall()
    program.ipc.wait_for("paused-for-cache", timeout=60)
    # A reader that gets nothing gives up only after 20 s.
    end = time.monotonic() + 8
    while proxy.connections_now > 1:
        assert time.monotonic() < end, f"{proxy.connections_now} connections while the film waits"
        time.sleep(0.02)
    proxy.stall(False)
    proxy.limit(None)
    program.ipc.wait_for("paused-for-cache", lambda waits: waits is False, timeout=60)
    plays_on(program, 0.5)
    buttons = Buttons(program, panel)
    panel.up()
    panel.frame()
    layout = bar_layout(buttons)
    panel.down(layout.x(0.34), layout.y)
    panel.frame()
    wait_for_preview(program, film, buttons, nearest_key_frame(film, 0.34), "preview-after-stall")
    panel.up()
    panel.frame()
    proxy.leave()


# MARK: Appearance

@pytest.mark.parametrize("way", ["plane", "composited"])
def test_it_is_seen_where_it_is_touched(play, films, panel, way: str):
    """Each icon is white on its target, and open panels are at their reported places; closed, the film is as it was."""
    film = films("tracks.mkv")
    program = play(film, *FULL, "--paused", "--start", "1", "--osd", way, "--choose-output")
    panel.wait_until_read()
    program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 7)
    buttons = Buttons(program, panel)
    buttons.show().wait_for("volume")
    for name in ("languages", "subtitles", "volume", "outputs"):
        buttons.tap(name)
        buttons.wait_for("panel")
        picture = buttons.picture(f"controls-{way}-{name}")
        panel_place = buttons.wait_for("panel")
        corner = picture[panel_place.y + 12, panel_place.x + panel_place.width // 2]
        assert corner.max() < 90, f"the sheet of {name} is {corner}"
        buttons.tap(name)
        buttons.wait_until_gone("panel")
    settle_bar(program)
    assert thumb(program.screenshot(), Layout(right=5)) is not None
    program.ipc.wait_for("vitrine/osd-visible", lambda visible: visible is False)
    time.sleep(0.2)
    assert program.frame(film) is not None


@pytest.mark.parametrize("turn, way", few(
    itertools.product(TURNS, ["plane", "composited"]),
    (TURNS[1], "plane"), (TURNS[3], "composited"), (TURNS[4], "composited"), (TURNS[6], "plane")), ids=str)
def test_it_turns(play, films, panel, turn: Turn, way: str):
    """A list opens, and is chosen from, on a display that is turned."""
    film = films("tracks.mkv")
    program = play(film, *FULL, "--paused", "--osd", way, *turn.arguments)
    panel.wait_until_read()
    program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 7)
    size = (768, 1024) if turn.swaps else (1024, 768)
    buttons = Buttons(program, TurnedPanel(panel, turn), size)
    buttons.tap("subtitles")
    buttons.wait_for("panel")
    buttons.picture(f"controls-turned-{turn}-{way}", turn.upright)
    buttons.choose("English")
    program.ipc.wait_for("sid", lambda number: number == 1)


@pytest.mark.parametrize("overlays", [0, *also(1)])
def test_the_film_on_the_primary_plane(play, films, card, panel, overlays):
    """Alone, like the Pi 5's panel; or with one other plane, for the controls."""
    _, name = plug_in(play, card, overlays=overlays, status=CONNECTED)
    program = play(films("tracks.mkv"), *FULL, "--connector", name, "--loop")
    panel.wait_until_read()
    program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 7)
    buttons = Buttons(program, panel)
    buttons.tap("languages")
    buttons.choose("Deutsch – Kommentar")
    program.ipc.wait_for("aid", lambda number: number == 2)
    buttons.tap("play")
    plays(program, False)
    buttons.wait_until_gone("panel")
    settle_bar(program)
    buttons.picture(f"controls-primary-{overlays}")


def until_legible(program, buttons, names, picture: str, normal: numpy.ndarray | None = None) -> numpy.ndarray:
    """Waits until the signs of these widgets are readable, and look different from a picture before: a busy machine may
    not have drawn them yet."""
    end = time.monotonic() + 10
    while True:
        settle_bar(program)
        shown, places = program.screenshot(picture), buttons.all()
        seen = {name: round(legibility(places[name].of(shown)), 1) for name in names}
        is_drawn = normal is None or all((places[name].of(shown) != places[name].of(normal)).any() for name in names)
        if is_drawn and min(seen.values()) > 3:
            print(picture, seen)
            return shown
        assert time.monotonic() < end, f"{picture}.png: {seen}, and 3 to 1 is required"


@pytest.mark.parametrize("way", ["plane", "composited"])
def test_signs_are_read_over_white_and_over_black(play, panel, tmp_path, way: str):
    """All buttons as they are, pressed, and with their panel open, and the signs of that panel."""
    for pattern in ("black", "white"):
        film = one_colour(tmp_path / f"{pattern}.mkv", pattern)
        program = play(str(film), "--paused", "--osd", way, "--choose-output", *FULL)
        panel.wait_until_read()
        program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 5)
        program.ipc.wait_for("vitrine/sound-route", lambda route: route is not None)
        buttons = Buttons(program, panel)
        # A finger that rests on the film keeps them visible.
        slip(panel, lifts=False)
        buttons.wait_for("outputs")
        names = [name for name in buttons.all() if name != "bar"]
        assert set(names) == {"play", "languages", "subtitles", "volume", "outputs", "filmstrip"}
        normal = until_legible(program, buttons, names, f"contrast-{way}-{pattern}")
        panel.up()
        panel.frame()
        for name in names:
            panel.down(*buttons.at(*buttons.show().wait_for(name).middle))
            panel.frame()
            buttons.wait_for(name, lambda place: place.state == "pressed")
            until_legible(program, buttons, [name], f"contrast-{way}-{pattern}-{name}-pressed", normal)
            panel.move(0.4, 0.3)
            panel.frame()
            buttons.wait_for(name, lambda place: place.state == "normal")
            panel.up()
            panel.frame()
        for name in names[1:]:
            buttons.tap(name)
            buttons.wait_for("panel")
            panel.down(0.4, 0.3)
            panel.frame()
            inside = [one for one in buttons.all() if one.startswith("option") or one == "mute"]
            assert inside or name == "filmstrip"
            until_legible(program, buttons, [*names, *inside], f"contrast-{way}-{pattern}-{name}-open")
            panel.up()
            panel.frame()
            buttons.wait_until_gone("panel")
        program.stop()


def test_a_pressed_button_is_seen_at_once(play, films, panel):
    """After two vblanks at most, of most touches: a busy machine delays one of ten."""
    program = play(films("360p-key50.mp4"), "--paused", "--start", "10", *FULL)
    panel.wait_until_read()
    buttons = Buttons(program, panel)
    place = buttons.show().wait_for("play")
    at = buttons.at(*place.middle)
    settle_bar(program)
    vblanks, waits = Vblanks(), []
    for _ in range(20):
        buttons.show()
        settle_bar(program)
        updates = program.ipc.get("vitrine/osd-updates")
        panel.down(*at)
        panel.frame()
        program.ipc.wait_for_counter("vitrine/osd-updates", lambda count: count > updates)
        settle_bar(program)
        waits.append(vblanks.between(program.ipc.get("vitrine/last-touch"), program.ipc.get("vitrine/osd-shown")))
        panel.move(0.4, 0.3)
        panel.frame()
        panel.up()
        panel.frame()
    vblanks.close()
    waits.sort()
    print("vblanks from touch to pressed", waits)
    assert 0 <= waits[0] and waits[len(waits) // 2] <= 2
