"""A finger on the bar, and the film under it (M3, M4, M5, A7, N1)."""

import time

import pytest

import frames
from bar import Finger, Layout, look, show_bar, thumb, wait_for_frame

LAYOUT = Layout()
# 1 % of the display's width.
NEAR = LAYOUT.width / 100
# The finger of the issue: from 20 % to 70 % of the track.
FROM, TO = LAYOUT.x(0.2), LAYOUT.x(0.7)


def settle(program) -> None:
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)


@pytest.fixture
def started(play, films, panel):
    """`started(name, *options)`: a film with its bar shown, and its length."""

    def start(name: str, *options: str):
        film = films(name)
        program = play(film, *options)
        panel.wait_until_read()
        show_bar(program, panel)
        return film, program, program.ipc.get("duration")

    return start


def test_the_bar_is_where_this_suite_believes(started, panel):
    """The track's ends as they are on the screen are those that places on the track are reckoned from."""
    film, program, _ = started("silent.mp4", "--paused")
    finger = Finger(panel)
    finger.down(0.5, LAYOUT.y)
    for x, edge in ((0.0, LAYOUT.left), (1.0, LAYOUT.left + LAYOUT.length)):
        finger.move(x, LAYOUT.y)
        assert _settled_thumb(program, edge) == pytest.approx(edge, abs=1)
    finger.up()


@pytest.mark.parametrize("paused", [True, False], ids=["paused", "playing"])
@pytest.mark.parametrize("name", ["360p-key50.mp4", "360p-key250.mp4", "720p-key50.mp4"])
def test_thumb_and_film_follow_a_finger_that_stops_on_its_way(started, panel, name, paused):
    """M3, N1: 2 s of moving from 20 % to 70 %, resting at five stations while pictures are taken: there the thumb is
    within 1 % of the width of the finger, and the film shows the very frame under it. Then the release."""
    film, program, duration = started(name, *(["--paused"] if paused else []))
    finger = Finger(panel)
    finger.down(FROM, LAYOUT.y)
    stations = [FROM + (TO - FROM) * part / 5 for part in range(1, 6)]
    for number, x in enumerate(stations):
        asked = LAYOUT.frame(x, film, duration)
        x = LAYOUT.of_frame(asked, film, duration)  # The middle of a frame, so that the answer is one and no other.
        finger.glide(x, seconds=2 / len(stations))
        finger.wait()
        place = _settled_thumb(program, x * LAYOUT.width)
        assert abs(place - x * LAYOUT.width) <= NEAR, f"station {number}: thumb at {place}"
        picture = wait_for_frame(program, film, asked, timeout=3)
        assert abs(thumb(picture) - x * LAYOUT.width) <= NEAR
        assert program.ipc.get("pause") is paused, "a drag does not change what the viewer wants"
    finger.up()
    lifted = time.monotonic()
    settle(program)
    if paused:
        assert program.frame(film) == asked
        time.sleep(0.3)  # Nothing is what must happen.
        assert program.frame(film) == asked
        assert program.ipc.get("pause") is True
    else:
        shown = program.frame(film)
        passed = (time.monotonic() - lifted) * film.rate
        assert asked <= shown <= asked + passed + 2, f"frame {shown}, {passed:.0f} frames after frame {asked} was asked"
        program.ipc.wait_for("time-pos", lambda now: now > (asked + 15) / film.rate)
        assert program.frame(film) > shown
        assert program.ipc.get("pause") is False


@pytest.mark.parametrize("name", ["360p-key50.mp4", "360p-key250.mp4"])
def test_thumb_and_film_follow_a_finger_that_does_not_stop(started, panel, name):
    """M3, N1: one drag of 2 s from 20 % to 70 %, pictures of the display taken one after another meanwhile. A picture
    takes some 50 ms, the finger moves 13 px in that time: so the thumb must be within 1 % of the width of a place where
    the finger was between 60 ms before the picture was asked for and its arrival."""
    film, program, duration = started(name, "--paused")
    program.screenshot()  # The first one makes the writeback's buffers.
    finger = Finger(panel)
    finger.down(FROM, LAYOUT.y)
    _settled_thumb(program, FROM * LAYOUT.width)
    before = program.ipc.get("vitrine/pictures-shown")
    finger.glide(TO, seconds=2)
    looks = []
    while finger.is_moving:
        looks.append(look(program, film))
    finger.wait()
    shown = program.ipc.get("vitrine/pictures-shown") - before
    finger.up()
    settle(program)
    assert len(looks) >= 5, f"only {len(looks)} pictures in 2 s"
    for one in looks:
        places = [x * LAYOUT.width for x in finger.between(one.asked - 0.06, one.answered)]
        assert one.thumb is not None
        away = min(abs(one.thumb - place) for place in places)
        assert away <= NEAR, f"the thumb is at {one.thumb}, the finger was at {min(places):.0f}...{max(places):.0f}"
    # The film follows: it moves with each look or nearly, never back, and shows where the finger has been of late.
    shots = [one.frame for one in looks]
    assert shots == sorted(shots), shots
    assert len(set(shots)) >= len(shots) // 2, shots
    for one in looks[1:]:
        where = [LAYOUT.frame(x, film, duration) for x in finger.between(one.asked - 0.8, one.answered)]
        assert min(where) - 1 <= one.frame <= max(where) + 1, f"frame {one.frame}, finger at {min(where)}...{max(where)}"
    assert shown >= 10, f"{shown} pictures reached the screen"
    assert program.frame(film) == LAYOUT.frame(TO, film, duration)


@pytest.mark.parametrize("name", ["360p-key10.mp4", "360p-key250.mp4", "vp9-opus.webm", "pal-4x3.mp4"])
def test_the_release_shows_exactly_the_frame_asked_for(started, panel, name):
    """A7: zero tolerance at touch-up; both edges of a frame's time, forwards and backwards, slow and fast."""
    film, program, duration = started(name, "--paused")
    last = film.frames - 1
    for target, seconds in ((last // 3, 0.3), (last // 3 + 1, 0.1), (7, 0.15), (last - 1, 0.05), (last // 2, 0.05)):
        for part in (0.15, 0.85):
            x = LAYOUT.x((target + part) / film.rate / duration)
            show_bar(program, panel)
            panel.drag(LAYOUT.x(0.4), LAYOUT.y, x, LAYOUT.y, seconds=seconds)
            settle(program)
            assert program.frame(film) == target, f"released at {part} of frame {target}"
            assert program.ipc.get("time-pos") == pytest.approx((target + part) / film.rate, abs=1 / film.rate)


def test_a_tap_on_the_bar_jumps(started, panel):
    film, program, duration = started("360p-key50.mp4", "--paused")
    for frame in (1000, 200):
        panel.tap(LAYOUT.of_frame(frame, film, duration), LAYOUT.y)
        settle(program)
        wait_for_frame(program, film, frame, timeout=3)


def test_a_finger_above_the_bar_picture_still_hits_it(started, panel):
    """The touch target is higher than the bar: 64 px at least."""
    film, program, duration = started("360p-key50.mp4", "--paused")
    for offset, frame in ((-30, 300), (30, 600)):
        panel.tap(LAYOUT.of_frame(frame, film, duration), (LAYOUT.centre + offset) / LAYOUT.height)
        settle(program)
        wait_for_frame(program, film, frame, timeout=3)


def test_the_finger_owns_the_drag_outside_the_bar_too(started, panel):
    """B1: from down to up, wherever it goes."""
    film, program, duration = started("360p-key50.mp4", "--paused")
    frame = 900
    panel.path(
        [(LAYOUT.x(0.3), LAYOUT.y), (0.4, 0.3), (LAYOUT.of_frame(frame, film, duration), 0.2)], seconds=0.5, hold=0.1
    )
    settle(program)
    assert program.frame(film) == frame


def test_a_first_touch_shows_the_bar_and_starts_no_drag(play, films, panel):
    film = films("silent.mp4")
    program = play(film, "--paused")
    panel.wait_until_read()
    panel.drag(FROM, LAYOUT.y, TO, LAYOUT.y, seconds=0.2)
    program.ipc.wait_for("vitrine/osd-visible")
    assert program.frame(film) == 0
    assert program.ipc.get("vitrine/seeks-asked") == 0


def test_a_drag_to_the_end_does_not_end_the_film(started, panel):
    """The last picture stands while the finger holds it; playing on from there ends it (M9)."""
    film, program, _ = started("silent.mp4")
    finger = Finger(panel)
    finger.down(TO, LAYOUT.y)
    finger.glide(1.0, seconds=0.3)
    finger.wait()
    wait_for_frame(program, film, film.frames - 1, timeout=3)
    assert program.ipc.get("pause") is False
    finger.up()
    program.ipc.wait_for("pause", timeout=5)
    settle(program)
    assert program.frame(film) == 0


def test_the_answer_to_a_touch_is_measured(started, panel):
    """N10: the times of the last touch and of the picture that answered it are properties, on the same clock."""
    film, program, duration = started("360p-key50.mp4", "--paused")
    before = time.monotonic_ns()
    panel.tap(LAYOUT.of_frame(700, film, duration), LAYOUT.y)
    settle(program)
    wait_for_frame(program, film, 700, timeout=3)
    touch, answer = program.ipc.get("vitrine/last-touch"), program.ipc.get("vitrine/last-answer")
    assert before - 50_000_000 <= touch <= time.monotonic_ns()
    assert 0 < answer - touch < 2_000_000_000


def _settled_thumb(program, x: float, timeout: float = 1.5) -> float:
    """The thumb once it has come to a resting finger at x pixels, or where it is when time is up: a change of the bar
    takes a frame or two to the screen."""
    end = time.monotonic() + timeout
    while True:
        place = thumb(program.screenshot())
        if place is not None and abs(place - x) <= NEAR or time.monotonic() > end:
            assert place is not None, "no thumb on the screen"
            return place
