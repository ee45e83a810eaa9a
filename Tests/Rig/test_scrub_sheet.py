"""The frame under the finger, at every move: a film's scrub sheet while the finger runs, the film's own frame while it
rests (N1, N11)."""

import copy
import os
import shutil
import subprocess
import time

import numpy
import pytest

import frames
import sheets
from bar import Finger, Layout, lift, show_bar, thumb, wait_for_thumb
from cards import CONNECTED, node, plug_in, state
from conftest import Film, film_rect
from ipc import IPCError
from thorough import also
from turned import TURNS, TurnedPanel
from witness import witness  # noqa: F401, a fixture

LAYOUT = Layout()


@pytest.fixture(scope="module")
def prepared(films, tmp_path_factory):
    """`prepared(name)`: a film with its whole scrub sheet beside it."""
    folder, made = tmp_path_factory.mktemp("prepared"), {}

    def prepare(name: str) -> Film:
        if name not in made:
            film = films(name)
            path = shutil.copy2(film.path, folder / name)
            subprocess.run([os.environ["VITRINE_BIN"], "prepare", path], check=True, stdout=subprocess.DEVNULL)
            made[name] = copy.copy(film)
            made[name].path = str(path)
        return made[name]

    return prepare


# So many frames behind its place is the frame that a displaced picture shows.
AWAY = 750


@pytest.fixture
def displaced(prepared, tmp_path):
    """`displaced(name)`: a film with a sheet of its own, whose pictures can be told from the film's: they show frames half a
    film away."""

    def displace(name: str) -> Film:
        for ending in ("", ".bif"):
            shutil.copy2(f"{prepared(name).path}{ending}", tmp_path / f"film.mp4{ending}")
        sheets.displace(tmp_path / "film.mp4.bif", AWAY)
        return Film(tmp_path / "film.mp4", name)

    return displace


def started(play, panel, film, *options: str, **more):
    program = play(film, "--log", "trace", *options, **more)
    panel.wait_until_read()
    program.ipc.wait_for("duration")
    return program


def wait_until_revealed(program, timeout: float = 20) -> None:
    """Waits until no picture of the sheet covers the film."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        try:
            program.ipc.get("vitrine/sheet-picture-time")
        except IPCError:
            return
        time.sleep(0.02)
    raise TimeoutError("a picture of the sheet lies over the film")


def wait_for_own_frame(program, film, asked: int) -> None:
    """Waits until a finger that rests has the film's own frame."""
    program.ipc.wait_for_counter(
        "vitrine/frame-time", lambda time: time is not None and film.frame_at(time / 1e9 + 0.01) in (asked - 1, asked))
    wait_until_revealed(program)


def run_through(program, film, panel, witness, start: float, end: float) -> tuple[Finger, list[tuple[float, int]]]:
    """Drags from one place of the bar to another in 2 s, and checks that the exact frame is shown after the lift. Returns the finger,
    and the frames on the display with their times in seconds."""
    show_bar(program, panel)
    duration = program.ipc.get("duration")
    seen = witness(25)
    finger = Finger(panel)
    finger.down(LAYOUT.x(start), LAYOUT.y)
    finger.glide(LAYOUT.x(end), seconds=2)
    finger.wait()
    asked = LAYOUT.frame(finger.steps[-1].x, film, duration)
    lift(program, finger)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    wait_until_revealed(program)
    assert program.frame(film) in (asked - 1, asked)
    assert program.ipc.get("vitrine/sheet-pictures-shown") >= 5
    seen.stop()
    return finger, [(at / 1e9, frame) for at, frame in seen.shown.items()]


@pytest.mark.parametrize("name", ["360p-key250.mp4", *also("720p-key50.mp4")])
def test_a_fast_finger_sees_the_frame_it_is_at(play, prepared, panel, witness, name):
    """From 10 to 89 % in 2 s: each frame on the display is one that the finger was at a moment before, and none of them
    is near a key frame. After the film's own frame is shown, no other one follows."""
    film = prepared(name)
    program = started(play, panel, film, "--paused")
    finger, shown = run_through(program, film, panel, witness, 0.1, 0.89)
    duration, begin = program.ipc.get("duration"), finger.steps[0].time
    asked = LAYOUT.frame(finger.steps[-1].x, film, duration)
    assert len({frame for _, frame in shown}) >= 5
    for at, frame in shown:
        if at < begin:
            continue
        # Half a second, if the machine is busy; a move is noted once it is sent.
        near = [LAYOUT.frame(x, film, duration) for x in finger.between(at - 0.5, at + 0.1)]
        assert min(near) - 2 <= frame <= max(near) + 2, f"frame {frame}, where the finger was at {near[0]} to {near[-1]}"
    # The finger's last frame may be there before it lifts.
    assert shown[-1][1] in (asked - 1, asked)


WAYS = {"plane": (), "composited": ("--osd", "composited")}


@pytest.mark.parametrize("way", WAYS)
def test_a_sheets_picture_lies_where_the_film_does(play, prepared, panel, way):
    """During a drag, the display's picture has the frame's number in the same place as the film, and the thumb at a
    place of the finger's."""
    film = prepared("360p-key250.mp4")
    program = started(play, panel, film, "--paused", *WAYS[way])
    look_in_the_midst(program, film, panel, panel, LAYOUT, lambda picture: picture)


@pytest.mark.decoders
def test_a_sheets_picture_lies_where_a_plane_scales_the_film(play, prepared, panel, card):
    """The highest step of the ladder of planes."""
    _, name = plug_in(play, card, overlays=2, status=CONNECTED)
    film = prepared("360p-key250.mp4")
    program = started(
        play, panel, film, "--paused", "--connector", name, "--mode", "1024x768",
        environment={"GST_PLUGIN_FEATURE_RANK": "v4l2slh264dec:NONE"})
    assert any("src-pos=640.000000x360.000000" in part and "crtc=crtc" in part for part in state(node(play, name)).split("plane[")[1:])
    look_in_the_midst(program, film, panel, panel, LAYOUT, lambda picture: picture)


@pytest.mark.parametrize("name", ["pal-16x9.mp4", "phone.mp4", *also("high10.mp4")])
def test_a_sheets_picture_is_shaped_as_the_film_is(play, prepared, panel, name):
    """Of pixels that are no squares, lying on its side, of ten bits."""
    film = prepared(name)
    program = started(play, panel, film, "--paused")
    look_in_the_midst(program, film, panel, panel, LAYOUT, lambda picture: picture)


def filled(picture, film) -> frames.Rect:
    """The film's place with `--gravity fill`, beyond the display's edges."""
    height, width = picture.shape[:2]
    whole = max(width, height * film.aspect)
    return frames.Rect((width - whole) / 2, (height - whole / film.aspect) / 2, whole, whole / film.aspect)


def stretched(picture, _) -> frames.Rect:
    height, width = picture.shape[:2]
    return frames.Rect(0, 0, width, height)


RECTS = {"fill": filled, "stretch": stretched}


@pytest.mark.parametrize("gravity, way", [("fill", "plane"), *also(("fill", "composited"), ("stretch", "plane"))])
def test_a_sheet_is_cropped_and_stretched_as_the_film_is(play, prepared, panel, gravity, way):
    """A film of 4:3 on a display of 5:4, which crops so little that the number stays in view."""
    film = prepared("square-4x3.mp4")
    program = started(play, panel, film, "--paused", "--mode", "1280x1024", "--gravity", gravity, *WAYS[way])
    look_in_the_midst(program, film, panel, panel, Layout(1280, 1024), lambda picture: picture, RECTS[gravity])


@pytest.mark.parametrize("overlays", [0, *also(1)])
def test_a_sheet_on_fewer_planes(play, prepared, panel, card, overlays):
    """The film is on the primary plane; the bar on the only overlay plane, or in the film's frames."""
    _, name = plug_in(play, card, overlays=overlays, status=CONNECTED)
    film = prepared("360p-key250.mp4")
    program = started(play, panel, film, "--paused", "--connector", name, "--mode", "1024x768")
    look_in_the_midst(program, film, panel, panel, LAYOUT, lambda picture: picture)


@pytest.mark.parametrize("turn, by", [(3, "pipeline"), (1, "plane"), *also((6, "pipeline"), (4, "plane"))])
def test_a_sheet_turns_with_the_display(play, prepared, panel, turn, by):
    turn = TURNS[turn]
    film = prepared("360p-key250.mp4")
    program = started(play, panel, film, "--paused", *turn.arguments, "--rotate-by", by)
    viewer = TurnedPanel(panel, turn)
    layout = Layout(*((768, 1024) if turn.swaps else (1024, 768)))
    look_in_the_midst(program, film, panel, viewer, layout, turn.upright)


def test_a_sheet_that_comes_with_another_film_is_not_shown(play, films, prepared, panel, tmp_path):
    """Somebody copies another film and its sheet over the one that plays: its pictures are not that film's."""
    shutil.copy2(films("360p-key50.mp4").path, tmp_path / "film.mp4")
    program = started(play, panel, Film(tmp_path / "film.mp4", "360p-key50.mp4"), "--paused")
    for ending in (".bif", ""):
        shutil.copy2(f"{prepared('360p-key250.mp4').path}{ending}", tmp_path / "other")
        os.replace(tmp_path / "other", tmp_path / f"film.mp4{ending}")
    show_bar(program, panel)
    finger = Finger(panel)
    finger.down(LAYOUT.x(0.1), LAYOUT.y)
    finger.glide(LAYOUT.x(0.89), seconds=2)
    finger.wait()
    lift(program, finger)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.ipc.get("vitrine/sheet-pictures-shown") == 0


def test_a_finger_that_leaves_half_a_sheet_does_not_see_where_it_came_from(play, prepared, panel, witness, tmp_path):
    """Where the pictures end, the last one stays until the film has a frame of this drag."""
    whole = prepared("360p-key50.mp4")
    for ending in ("", ".bif"):
        shutil.copy2(f"{whole.path}{ending}", tmp_path / f"film.mp4{ending}")
    pictures = sheets.read(f"{whole.path}.bif")
    sheets.write(tmp_path / "film.mp4.bif", pictures[: len(pictures) // 2])
    film = Film(tmp_path / "film.mp4", "360p-key50.mp4")
    program = started(play, panel, film, "--paused")
    finger, shown = run_through(program, film, panel, witness, 0.2, 0.9)
    duration = program.ipc.get("duration")
    # The first picture is where the finger came down.
    followed = shown[next(place for place, (_, frame) in enumerate(shown) if frame > 200) :]
    assert len({frame // 50 for _, frame in followed if frame > 800}) >= 3, "the film's own frames follow, too"
    for at, frame in followed:
        # A second late, if the machine is busy.
        places = [LAYOUT.frame(x, film, duration) for x in finger.between(at - 1, at + 0.1)]
        assert min(places) // 50 * 50 - 50 <= frame, f"frame {frame}, finger at {places[0]} to {places[-1]}"


@pytest.mark.parametrize("trouble", ["unreadable", *also("cut off")])
def test_a_sheet_that_ends_under_the_finger(play, displaced, panel, witness, troubles, trouble):
    """As on a stick that is pulled: reading it fails, or finds less of it. From then on the finger has the film's own frames,
    as without a sheet, and the exact one at the lift."""
    film = displaced("360p-key50.mp4")
    program = started(play, panel, film, "--paused", environment=troubles.environment)
    show_bar(program, panel)
    duration = program.ipc.get("duration")
    seen = witness(25)
    finger = Finger(panel)
    finger.down(LAYOUT.x(0.1), LAYOUT.y)
    finger.glide(LAYOUT.x(0.4), seconds=1)
    finger.wait()
    wait_for_own_frame(program, film, LAYOUT.frame(finger.steps[-1].x, film, duration))
    shown = program.ipc.get("vitrine/sheet-pictures-shown")
    assert shown
    if trouble == "unreadable":
        troubles.begin("unreadable-sheets")
    else:
        os.truncate(f"{film.path}.bif", 100)
    begin = time.monotonic()
    finger.glide(LAYOUT.x(0.9), seconds=4)
    finger.wait()
    asked = LAYOUT.frame(finger.steps[-1].x, film, duration)
    lift(program, finger)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    wait_until_revealed(program)
    assert program.frame(film) in (asked - 1, asked)
    seen.stop()
    assert program.ipc.get("vitrine/sheet-pictures-shown") == shown
    [said] = [line for line in program.log().splitlines() if "scrub sheet is not used" in line]
    assert ("Input/output error" in said) == (trouble == "unreadable")
    followed = [(at / 1e9, frame) for at, frame in seen.shown.items() if begin <= at / 1e9]
    # The finger crosses 15 groups of frames.
    assert len({frame // 50 for _, frame in followed}) >= 4
    for at, frame in followed:
        # A second late, if the machine is busy; at most a twentieth of the film ahead, where a fast finger is met, by the nearest
        # key frame.
        places = [LAYOUT.frame(x, film, duration) for x in finger.between(at - 1, at + 0.1)]
        ahead = (max(places) + film.frames // 20 + 25) // 50 * 50
        assert min(places) // 50 * 50 <= frame <= ahead, f"frame {frame}, finger at {places}"


@pytest.mark.parametrize("name", ["red.mov", "red-full.mp4", "red-601.mp4"])
def test_a_film_keeps_its_colours(play, prepared, panel, name):
    """In RGB, whose plane never gets YCbCr properties; in the full range; of standard definition."""
    film = prepared(name)
    program = started(play, panel, film, "--paused")
    show_bar(program, panel)

    def red(picture):
        # Above the OSD surface.
        return picture[540, 512].astype(int)

    own = red(program.screenshot("own"))
    finger = Finger(panel)
    finger.down(LAYOUT.x(0.2), LAYOUT.y)
    finger.glide(LAYOUT.x(0.8), seconds=4, rate=20)
    seen = []
    while finger.is_moving:
        before = program.ipc.get("vitrine/sheet-pictures-shown")
        picture = program.screenshot("sheet")
        if before:
            seen.append(red(picture))
    lift(program, finger)
    assert seen
    for color in seen:
        assert abs(color - own).max() <= 12, f"{color} in place of {own}"


def look_in_the_midst(program, film, panel, viewer, layout, upright, rect=film_rect):
    """Repeats until a picture is taken between two flips. `rect(picture, film)` is the film's place."""
    for _ in range(4):
        if finger := drag_and_look(program, film, viewer, layout, upright, rect):
            break
    else:
        raise AssertionError("no picture of the display was taken in the midst of a drag")
    assert program.ipc.get("vitrine/sheet-pictures-shown")
    wait_for_thumb(program, layout.thumb_x(finger.steps[-1].x), 3, layout=layout, upright=upright)


def edges(picture, rect: frames.Rect) -> numpy.ndarray:
    """Where the number is as a picture shows it: the outer edges of its first and its last white cell, left, right, top,
    bottom."""
    white = picture.mean(axis=2) > 128
    cell = rect.width * frames.WIDTH / frames.CELLS
    y = round(rect.y + rect.height * (frames.TOP + frames.HEIGHT / 2))
    first, last = (round(rect.x + rect.width * frames.LEFT + cell * (number + 0.5)) for number in (0, frames.CELLS - 2))
    ways = white[y, first::-1], white[y, last:], white[y::-1, first], white[y:, first]
    left, right, above, below = (int(numpy.argmin(way)) for way in ways)
    return numpy.array([first - left, last + right, y - above, y + below])


def drag_and_look(program, film, viewer, layout, upright, rect) -> Finger | None:
    def frame_in(picture) -> int:
        reading = frames.read(picture, rect(picture, film))
        assert reading.film == film.number
        return reading.frame

    duration = program.ipc.get("duration")
    show_bar(program, viewer)
    own = upright(program.screenshot())
    before, place_before = frame_in(own), edges(own, rect(own, film))
    # It may have hidden, because a picture of the display takes long.
    show_bar(program, viewer)
    finger = Finger(viewer)
    finger.down(layout.x(0.1), layout.y)
    # Rare enough for a picture between two flips, and too frequent for a finger that rests.
    finger.glide(layout.x(0.9), seconds=4, rate=20)
    found = 0
    while finger.is_moving:
        begin = time.monotonic()
        picture = upright(program.screenshot())
        end = time.monotonic()
        if begin < finger.steps[0].time + 0.5 or not finger.is_moving:
            continue
        places = finger.between(begin - 0.5, end + 0.1)
        near = [layout.frame(x, film, duration) for x in places]
        try:
            frame = frame_in(picture)
        except frames.NoFrame:
            # A picture taken during a flip.
            continue
        # If a busy machine has not handled the finger yet, the earlier frame is visible.
        if frame == before:
            continue
        assert min(near) - 2 <= frame <= max(near) + 2
        moved = edges(picture, rect(picture, film)) - place_before
        # It is cropped by whole pixels of its own, each of which is up to three of the display.
        assert abs(moved).max() <= (4 if rect is filled else 2), f"the sheet's picture lies {moved} pixels from the film's frame"
        place = thumb(picture, layout)
        # The same: the buffer is being repainted during the reading, and the OSD surface is last.
        if place is None:
            continue
        assert layout.thumb_x(min(places)) - 12 <= place <= layout.thumb_x(max(places)) + 12
        found += 1
    asked = layout.frame(finger.steps[-1].x, film, duration)
    lift(program, finger)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    wait_until_revealed(program)
    assert frame_in(upright(program.screenshot())) in (asked - 1, asked)
    return finger if found else None


def test_a_finger_that_rests_sees_the_films_own_frame(play, prepared, panel):
    """A sheet's picture has 640 pixels, the film's 1,280: the exact frame is shown while the finger still holds it, and
    the next move shows the sheet again."""
    film = prepared("720p-key50.mp4")
    program = started(play, panel, film, "--paused")
    show_bar(program, panel)
    duration = program.ipc.get("duration")
    finger = Finger(panel)
    finger.down(LAYOUT.x(0.1), LAYOUT.y)
    for value in (0.5, 0.8):
        finger.glide(LAYOUT.x(value), seconds=0.6)
        finger.wait()
        asked = LAYOUT.frame(finger.steps[-1].x, film, duration)
        wait_for_own_frame(program, film, asked)
        assert program.frame(film) in (asked - 1, asked)
    lift(program, finger)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.frame(film) in (asked - 1, asked)


# Where a drag begins and ends, in how many seconds, and whether the finger rests before it lifts.
DRAGS = [(0.1, 0.8, 0.6, False), (0.7, 0.25, 0.3, False), (0.2, 0.6, 0.4, True), (0.9, 0.55, 0.15, False), (0.5, 0.15, 0.5, True)]


@pytest.mark.parametrize("count", [5, *also(60)])
@pytest.mark.parametrize("state, way", [("paused", "plane"), ("playing", "plane"), *also(("paused", "composited"))])
def test_no_picture_of_the_sheet_follows_the_films_own_frame(play, displaced, panel, witness, state, way, count):
    """Once a drag's last frame is shown, until the next drag: by all frames that the display shows."""
    film = displaced("360p-key250.mp4")
    program = started(play, panel, film, *(("--paused",) if state == "paused" else ("--loop",)), *WAYS[way])
    duration = program.ipc.get("duration")
    seen, drags = witness(25, "16:9"), []
    for number in range(count):
        begin, end, seconds, rests = DRAGS[number % len(DRAGS)]
        show_bar(program, panel)
        finger = Finger(panel)
        drags.append((time.monotonic(), finger.steps))
        finger.down(LAYOUT.x(begin), LAYOUT.y)
        finger.glide(LAYOUT.x(end), seconds)
        finger.wait()
        if rests:
            wait_until_revealed(program)
        lift(program, finger)
        program.ipc.wait_for("seeking", lambda seeking: seeking is False)
        wait_until_revealed(program)
        # While a picture of the display is taken, many others could follow.
        program.frame(film)
    seen.stop()
    pictures = 0
    for (begin, steps), (end, _) in zip(drags, [*drags[1:], (time.monotonic(), None)]):
        asked = LAYOUT.frame(steps[-1].x, film, duration)
        shown = [(at / 1e9, frame) for at, frame in sorted(seen.shown.items()) if begin <= at / 1e9 < end]
        # A film that plays on may show a later one first, and on a busy machine plays for seconds.
        own = range(asked - 1, asked + (1 if state == "paused" else 250))
        # Before the finger's last move, a film that plays may have been there.
        first = next((place for place, (at, frame) in enumerate(shown) if at >= steps[-1].time and frame in own), None)
        assert first is not None, f"frame {asked} was never shown: {shown}"
        pictures += len({frame for _, frame in shown[:first]})
        after = [frame for _, frame in shown[first:] if frame not in own]
        assert not after, f"after frame {asked}, {after} in {shown[first:]}"
    print(f"{state}, {way}: {pictures} other frames during {count} drags")
    # How many there are depends on how busy the machine is.
    assert pictures > 0 and program.ipc.get("vitrine/sheet-pictures-shown") > 0


def test_a_film_plays_on_from_under_its_sheet(play, prepared, panel, witness):
    film = prepared("360p-key250.mp4")
    program = started(play, panel, film)
    show_bar(program, panel)
    duration = program.ipc.get("duration")
    finger = Finger(panel)
    finger.down(LAYOUT.x(0.2), LAYOUT.y)
    finger.glide(LAYOUT.x(0.6), seconds=0.5)
    finger.wait()
    asked = LAYOUT.frame(finger.steps[-1].x, film, duration)
    lift(program, finger)
    shown = program.ipc.get("vitrine/frames-shown")
    program.ipc.wait_for("vitrine/frames-shown", lambda now: now >= shown + 25)
    first, later = program.frame(film), None
    assert first >= asked
    program.ipc.wait_for("vitrine/frames-shown", lambda now: now >= shown + 75)
    assert program.frame(film) > first


def test_a_sheet_of_another_film_is_not_shown(play, prepared, films, panel, tmp_path):
    film = prepared("360p-key250.mp4")
    other = Film(shutil.copy2(films("360p-key50.mp4").path, tmp_path / "film.mp4"), "360p-key50.mp4")
    for ending in (".sheet", ".bif"):
        if os.path.exists(film.path + ending):
            shutil.copy(film.path + ending, other.path + ending)
    program = started(play, panel, other, "--paused")
    show_bar(program, panel)
    finger = Finger(panel)
    finger.down(LAYOUT.x(0.1), LAYOUT.y)
    finger.glide(LAYOUT.x(0.5), seconds=0.5)
    finger.wait()
    duration = program.ipc.get("duration")
    asked = LAYOUT.frame(finger.steps[-1].x, other, duration)
    lift(program, finger)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.frame(other) in (asked - 1, asked)
    assert program.ipc.get("vitrine/sheet-pictures-shown") == 0


@pytest.mark.parametrize("drags", [60, *also(600)])
def test_many_drags_leave_nothing_behind(play, prepared, panel, drags):
    film = prepared("360p-key250.mp4")
    program = started(play, panel, film)
    show_bar(program, panel)

    def drag(number: int) -> None:
        finger = Finger(panel)
        finger.down(LAYOUT.x(0.1 + number % 7 / 10), LAYOUT.y)
        finger.glide(LAYOUT.x(0.9 - number % 5 / 10), seconds=0.15)
        finger.wait()
        lift(program, finger)

    for number in range(20):
        drag(number)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    before = program.memory(), program.fds(), program.threads()
    for number in range(drags):
        drag(number)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    # The number varies; one for each drag would be many.
    assert program.fds() <= before[1] + 10
    assert program.threads() <= before[2] + 4
    assert program.memory() < before[0] * 1.1
