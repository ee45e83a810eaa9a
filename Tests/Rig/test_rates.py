"""Rates other than the film's own, backwards, and stepping (A8)."""

import contextlib
import time

import pytest

from bar import Layout, hold_bar, thumb
from ipc import IPCError
from network import serve  # noqa: F401, a fixture
from slowness import slowed
from thorough import also


def settled(program) -> None:
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)


def settle_at(program, rate: float, since: int = 0) -> None:
    """Waits until a second's frames on the screen have followed this rate: film time per second.

    - since: only those from then on, in ns."""

    def is_right() -> bool:
        shown = program.ipc.get("vitrine/recent-frames")[-60:]
        shown = [one for one in shown if one[1] > max(shown[-1][1] - 1e9, since)]
        if len(shown) < 5 or shown[-1][1] - shown[0][1] < 0.7e9:
            return False
        program.pace = (shown[-1][0] - shown[0][0]) / (shown[-1][1] - shown[0][1])
        return program.pace == pytest.approx(rate, rel=0.2)

    end = time.monotonic() + 30
    while not is_right():
        assert time.monotonic() < end, f"at rate {rate} the pace is {getattr(program, 'pace', None)}"
        time.sleep(0.1)


@pytest.mark.parametrize("name", ["360p-key50.mp4", "long-silent.mp4"])
def test_a_film_plays_at_another_rate(play, films, name):
    """And changes from each to the next without losing its position."""
    film = films(name)
    program = play(film, "--start", "4")
    for rate in (0.25, 4, -2, 2, -0.5, 1):
        now = program.ipc.get("time-pos")
        program.ipc.set("speed", abs(rate))
        program.ipc.set("play-direction", "backward" if rate < 0 else "forward")
        settled(program)
        assert program.ipc.get("speed") == abs(rate)
        settle_at(program, rate)
        moved = program.ipc.get("time-pos") - now
        assert moved > -0.5 if rate > 0 else moved < 0.5, (rate, moved)
        assert program.reading(film).film == film.number


TONE = 330
# For a tone that merely played faster or slower: an octave up or down.
HEARD = [(0.5, TONE), (2, TONE), (4, None), (-1, None), (1, TONE)]


def test_sound_keeps_its_pitch_or_is_silent(play, films, recorder):
    program = play(films("long-tone.mp4"), "--start", "20", environment=recorder.environment)
    recorder.wait_for_pitch(TONE)
    for rate, tone in HEARD:
        program.ipc.set("play-direction", "backward" if rate < 0 else "forward")
        program.ipc.set("speed", abs(rate))
        settled(program)
        recorder.wait_for_pitch(tone, seconds=1)
        # And it stays so.
        for _ in range(2):
            recorder.expect_pitch(tone, seconds=1)


@pytest.mark.parametrize("rate, start", [(0.25, 10), (-2, 58), *also((2, 0), (4, 0), (-1, 50))])
def test_the_bar_at_another_rate(play, films, panel, rate, start):
    """The thumb is at the film's position."""
    film, layout = films("360p-key50.mp4"), Layout()
    program = play(film, "--start", start, "--rate", rate)
    panel.wait_until_read()
    finger = hold_bar(program, panel)
    settle_at(program, rate)
    places, near = [], max(1.5 * abs(rate), 1)
    for _ in range(2):
        shown = program.ipc.get("time-pos")
        way = 2 * abs(rate)
        program.ipc.wait_for("time-pos", lambda now: now is not None and (now - shown) * (1 if rate > 0 else -1) > way)
        picture = program.screenshot()
        place, frame = thumb(picture), program.frame(film, picture)
        # The bar is redrawn a few times a second while a film plays at its rate.
        assert place == pytest.approx(layout.left + layout.length * frame / film.frames, abs=layout.length * near / film.seconds)
        places.append(place)
    assert places[1] > places[0] if rate > 0 else places[1] < places[0]
    finger.up()


def test_a_rate_from_the_start(play, films):
    program = play(films("360p-key50.mp4"), "--rate", 2)
    assert program.ipc.get("speed") == 2
    settle_at(program, 2)


@pytest.mark.parametrize("name", ["360p-key50.mp4", *also("long-silent.mp4")])
def test_a_rate_outlives_seeks_and_loops(play, films, name):
    film = films(name)
    program = play(film, "--rate", 2, "--end", "loop")
    for place in (10, film.seconds - 6):
        program.ipc.command("seek", place, "absolute+exact")
        settled(program)
        settle_at(program, 2)
    program.ipc.wait_for_counter("vitrine/ends", lambda count: count >= 1)
    program.ipc.wait_for("time-pos", lambda now: now is not None and 3 < now < 10)
    settle_at(program, 2)
    assert program.ipc.get("speed") == 2


@pytest.mark.parametrize("name", ["360p-key250.mp4", *also("long-silent.mp4", "long.mkv")])
@pytest.mark.parametrize("rate", [4, -1, *also(2)])
def test_a_rate_outlives_quick_seeks(play, films, name, rate):
    """Seeks that are not exact: to key frames, from which the film continues."""
    film = films(name)
    start = 6 if rate > 0 else 30
    program = play(film, "--start", start, "--rate", rate)
    settle_at(program, rate)
    for words in ((6, "relative"), (start + 6, "absolute+keyframes"), (6, "relative+keyframes")):
        program.ipc.command("seek", *words)
        settled(program)
        settle_at(program, rate, since=time.monotonic_ns())
        assert program.ipc.get("vitrine/ends") == 0 and program.ipc.get("pause") is False
    assert program.ipc.get("speed") == abs(rate)
    assert program.ipc.get("play-direction") == ("backward" if rate < 0 else "forward")


def test_backwards_ends_at_the_start(play, films):
    film = films("360p-key50.mp4")
    program = play(film, "--start", "2", "--rate", "-2")
    assert program.ipc.get("play-direction") == "backward"
    program.ipc.wait_for("pause")
    settled(program)
    assert program.frame(film) == 0


def test_backwards_through_long_groups_on_a_slow_machine(play, films):
    """A whole group is decoded before one of its frames is shown: the film is not given up meanwhile."""
    film = films("360p-key250.mp4")
    program = play(film, "--paused", "--start", "5")
    # The 250 frames of a group.
    began = time.monotonic()
    program.ipc.command("seek", 29.96, "absolute+exact")
    settled(program)
    took = time.monotonic() - began
    before = program.frame(film)
    # A sixteenth of that in each second.
    with slowed(program, works=0.06 * took / 16, rests=0.06):
        program.ipc.set("play-direction", "backward")
        program.ipc.set("pause", False)
        began = time.monotonic()
        program.ipc.wait_for("time-pos", lambda now: now is not None and now < 29, timeout=60)
        slowed_for = time.monotonic() - began
        print(f"{took:.2f} s, slowed {slowed_for:.1f} s to the first frames backwards")
    # It is not waited for without limit.
    assert program.ipc.get("vitrine/rebuilds") == 0 or slowed_for > 20
    assert program.reading(film).frame < before


REFUSED = "cannot be played at rate"


def plays_forwards(program) -> None:
    """And says so."""
    program.ipc.wait_for("play-direction", lambda direction: direction == "forward")
    settled(program)
    assert program.ipc.get("speed") == 1
    assert program.log().count(REFUSED) == 1


def test_a_film_that_refuses_to_play_backwards_plays_on(play, films):
    """MPEG-TS; and its end is an end."""
    film = films("prompt.ts")
    program = play(film, "--end", "stop", "--paused")
    # Refused before it is answered, or after.
    with contextlib.suppress(IPCError):
        program.ipc.set("play-direction", "backward")
    plays_forwards(program)
    with pytest.raises(IPCError, match="not supported"):
        program.ipc.set("play-direction", "backward")
    program.ipc.set("pause", False)
    program.ipc.wait_for("eof-reached", timeout=20)
    settled(program)
    assert program.frame(film) >= film.frames - 3
    assert program.ipc.get("vitrine/ends") == 1
    # Forwards it knows them all.
    program.ipc.set("speed", 2)
    settled(program)
    assert program.ipc.get("speed") == 2


def test_a_film_that_refuses_to_play_backwards_from_the_start_is_followed(play, films):
    program = play(films("short.ts"), films("silent.mp4"), "--start", 1, "--rate", -2)
    plays_forwards(program)
    program.ipc.wait_for("path", lambda path: path.endswith("silent.mp4"))
    assert program.ipc.get("vitrine/ends") == 1


def test_a_film_that_refuses_to_play_backwards_loops(play, films):
    program = play(films("short.ts"), "--start", 1, "--rate", -1, "--end", "loop")
    program.ipc.wait_for_counter("vitrine/ends", lambda count: count >= 2, timeout=30)
    plays_forwards(program)


def test_a_loop_that_refuses_to_play_backwards_goes_on(play, films):
    """Asked in its first pass."""
    program = play(films("short.ts"), "--loop", "--paused")
    with contextlib.suppress(IPCError):
        program.ipc.set("play-direction", "backward")
    program.wait_for_log("cannot be played at rate -1")
    program.ipc.set("pause", False)
    program.ipc.wait_for_counter("vitrine/ends", lambda count: count >= 2, timeout=30)
    plays_forwards(program)


def test_a_rate_that_a_server_does_not_allow(play, films, serve):
    """Without ranges there is no seek, and no other rate without one. The next film plays at it."""
    film = films("360p-key50.mp4")
    program = play(serve(ranges=False).url("360p-key50.mp4"), film, "--rate", 2)
    plays_forwards(program)
    settle_at(program, 1)
    with pytest.raises(IPCError, match="not supported"):
        program.ipc.set("speed", 4)
    assert program.ipc.get("speed") == 1
    program.ipc.command("playlist-next")
    program.ipc.wait_for("path", lambda path: path == film.path)
    assert program.ipc.get("speed") == 4
    settle_at(program, 4)


@pytest.mark.parametrize("speed", [0, 0.1, 5, "fast", -1])
def test_rates_that_there_are_not(play, films, speed):
    program = play(films("silent.mp4"), "--paused")
    with pytest.raises(IPCError):
        program.ipc.set("speed", speed)
    assert program.ipc.get("speed") == 1


@pytest.mark.parametrize("name", ["360p-key50.mp4", *also("silent.mp4", "vp9-opus.webm")])
def test_frame_by_frame(play, films, name):
    """`frame-step`, `frame-back-step`: the very next one, over a key frame, too."""
    film = films(name)
    program = play(film, "--paused", "--start", "1.98")
    frames = [program.frame(film)]
    for command in ["frame-step"] * 3 + ["frame-back-step"] * 4:
        program.ipc.command(command)
        settled(program)
        frames.append(program.frame(film))
    assert frames == [49, 50, 51, 52, 51, 50, 49, 48]


def test_a_step_pauses(play, films):
    film = films("360p-key50.mp4")
    program = play(film)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.5)
    program.ipc.command("frame-step")
    assert program.ipc.get("pause") is True
    settled(program)
    frame = program.frame(film)
    for _ in range(5):
        program.ipc.command("frame-step")
    settled(program)
    assert program.frame(film) == frame + 5


def test_no_step_before_the_first_frame(play, films):
    program = play(films("silent.mp4"), "--paused")
    with pytest.raises(IPCError):
        program.ipc.command("frame-back-step")
