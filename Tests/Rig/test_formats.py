"""Containers, codecs and oddities: the right frame at the start, after an exact seek and at the end (M1, M6, M9)."""

import contextlib
import time
from typing import NamedTuple

import pytest

import frames
from bar import Finger, Layout, lift, reported_frame, show_bar
from derived import SOME
from shown_frames import in_time
from thorough import also


class Expected(NamedTuple):
    """A film's expected frames: a place in seconds, and the test film's frames at the start, at that place, and at the
    end."""

    place: float
    frames: tuple[int, int, int]
    seconds: float = 2
    inexact: int = 0


FORMATS = {
    "hevc.mp4": Expected(1.22, (0, 30, 49)),
    "av1.webm": Expected(1.22, (0, 30, 49)),
    "short.webm": Expected(1.22, (0, 30, 49)),
    "theora.ogv": Expected(1.22, (0, 30, 49)),
    # ffmpeg puts MPEG-4's frames one later, because of the MP3's delay.
    "short.avi": Expected(1.22, (0, 29, 49)),
    # Places follow the clock, which runs ahead of reordered frames.
    "prompt.ts": Expected(1.22, (0, 30, 49), inexact=2),
    "4k.mp4": Expected(1.3, (0, 30, 45)),
    "422.mp4": Expected(1.22, (0, 30, 49)),
    "variable.mp4": Expected(0.5, (0, 12, 49)),
    "variable.mkv": Expected(0.5, (0, 12, 49)),
    "edited.mp4": Expected(1.22, (25, 5, 24)),
    "cut.mp4": Expected(1.02, (13, 38, 49), 1.48),
    "more-sound.mp4": Expected(1.22, (0, 30, 49), 4),
    # ffmpeg puts the first frame at 0.08 s.
    "fragments.mp4": Expected(1.22, (0, 28, 49)),
}


def settled(program) -> None:
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)


@pytest.mark.parametrize("name", FORMATS)
def test_the_right_frame(play, films, name):
    film, expected = films(name), FORMATS[name]
    program = play(film, "--paused", "--end", "stop")
    frames = [program.frame(film)]
    assert program.ipc.get("duration") == pytest.approx(expected.seconds, abs=0.1)
    program.ipc.command("seek", expected.place, "absolute+exact")
    settled(program)
    frames.append(program.frame(film))
    program.ipc.set("pause", False)
    program.ipc.wait_for("eof-reached", timeout=20)
    settled(program)
    frames.append(program.frame(film))
    assert (frames[0], frames[2]) == expected.frames[::2] and abs(frames[1] - expected.frames[1]) <= expected.inexact, frames
    assert program.ipc.get("eof-reached") is True
    assert program.ipc.get("vitrine/rebuilds") == 0


# Containers and codecs, the most different first.
EXACT = [
    "alpha.webm", "disc.vob", "animated.gif", "motion.avi", "short.flv", "far.mpg", "short.mp4", "hevc.mp4", "short.webm",
    "av1.webm", "theora.ogv", "short.avi", "short.mkv", "fragments.mp4", "422.mp4",
]
EACH_RUN = 4
# The first frame's own start time: sound precedes it. When opened, such a film is at 0.
FIRST = {"short.avi": 0.04, "short.mkv": 0.021}
# The last reachable frame: the length of MPEG-TS is counted from its clock's start, and its frames' times, too.
LAST = {"prompt.ts": 45, "short.ts": 27}


@pytest.mark.parametrize("name", [*EXACT[:EACH_RUN], *also(*EXACT[EACH_RUN:], *LAST)])
def test_ten_places_are_sought_exactly(play, films, name):
    """M6: the frame on the screen is the requested one, and `time-pos` is within it."""
    film = films(name)
    program = play(film, "--paused")
    first = FIRST.get(name, program.ipc.get("time-pos"))
    last = LAST.get(name, film.frames - 1)
    # For a program stream and a fragmented film, this is known once it has been read.
    program.ipc.wait_for("duration", lambda now: now >= first + (last + 1) / film.rate - 0.05)
    for frame in (last // 2, 3, last, last // 3, 0, last - 2, last * 3 // 4, last // 5, last - 7, 1):
        program.ipc.command("seek", (frame + 0.5) / film.rate + first, "absolute+exact")
        settled(program)
        shown = program.frame(film)
        assert shown == frame
        begins = shown / film.rate + first
        assert begins - 0.005 <= program.ipc.get("time-pos") <= begins + 1 / film.rate + 0.005
    assert program.ipc.get("vitrine/rebuilds") == 0


class Odd(NamedTuple):
    """An unusual film: the test film's frames in their order, the duration of each and the start of the first one, in
    seconds, and the parts of their time at which each is sought."""

    frames: list[int]
    length: float = 1 / 25
    first: float = 0
    parts: tuple[float, float] = (0.25, 0.75)


ODD = {
    "fields.mp4": Odd([*range(0, 50, 2)], length=2 / 25),
    # MPEG-2 has 12 frames a second instead of 12.5. Each one's duration is given as half of its time, and a seek behind
    # that shows the next one.
    "fields.mpg": Odd([*range(0, 50, 2)], length=1 / 12, first=0.5833, parts=(0.2, 0.4)),
    "edited.mp4": Odd([*range(25, 50), *range(25)]),
    "cut.mp4": Odd([*range(13, 50)]),
    # The last frame stays while there is sound.
    "more-sound.mp4": Odd([*range(50), *[49] * 50]),
    "two-sounds.mp4": Odd([*range(50)]),
    "tracks.mkv": Odd([*range(500)], first=0.021),
}


@pytest.mark.parametrize("name", also(*ODD))
def test_ten_places_of_an_odd_film_are_sought_exactly(play, films, name):
    """M6: also with fields, if an edit list reorders or omits frames, if sound continues alone, and with several
    sounds."""
    film, (shown, length, first, parts) = films(name), ODD[name]
    program = play(film, "--paused")
    count = len(shown)
    program.ipc.wait_for("duration", lambda now: now >= first + count * length - 0.05)
    for number, place in enumerate((count // 2, 3, count - 1, count // 3, 0, count - 3, count * 3 // 4, count // 5, count - 8, 1)):
        begins = first + place * length
        program.ipc.command("seek", begins + parts[number % 2] * length, "absolute+exact")
        settled(program)
        assert program.frame(film) == shown[place], place
        assert begins - 0.005 <= program.ipc.get("time-pos") <= begins + length + 0.005
    assert program.ipc.get("vitrine/rebuilds") == 0


@pytest.mark.parametrize("name", ["disc.vob", *also("far.mpg", "animated.gif")])
def test_it_plays_to_its_end_from_an_exact_place(play, films, name):
    """M6, M9: in its time; and it is played again from its start."""
    film = films(name)
    program = play(film, "--paused", "--end", "stop")
    first = program.ipc.get("time-pos")
    for _ in range(2):
        program.ipc.command("seek", first + film.seconds / 2, "absolute+exact")
        settled(program)
        ends = program.ipc.get("vitrine/ends")
        program.ipc.set("pause", False)
        program.ipc.wait_for_counter("vitrine/ends", lambda now: now > ends, timeout=20)
    shown = program.ipc.get("vitrine/recent-frames")
    shown = shown[max(at for at, (place, _) in enumerate(shown) if place / 1e9 <= first + film.seconds / 2) :]
    assert len(shown) > film.seconds / 2 * film.rate / 2, shown
    (begin, began), (end, ended) = shown[1], shown[-1]
    assert end / 1e9 == pytest.approx(first + film.seconds - 1 / film.rate, abs=0.05)
    assert in_time((ended - began) / 1e9, (end - begin) / 1e9)
    assert program.ipc.get("vitrine/rebuilds") == 0


def test_a_finger_at_the_end_of_a_program_stream(play, films, panel):
    """M6, M8: if the demuxer starts behind the last key frame the film does not fail, even before it has been read."""
    film, layout = films("far.mpg"), Layout()
    program = play(film)
    panel.wait_until_read()
    for place in (0.95, 0.5, 0.99):
        show_bar(program, panel)
        panel.drag(layout.x(0.3), layout.y, layout.x(place), layout.y, seconds=0.3, lift=False)
        lift(program, Finger(panel))
        settled(program)
    assert program.ipc.get("vitrine/rebuilds") == 0


@pytest.mark.parametrize("name", ["apart-sound-first.mp4", *also("fragments.mp4", "apart.mp4")])
def test_fragments_are_sought_in_exactly(play, films, name):
    """M6: in the first one and the last, too, and whichever track's is first."""
    film = films(name)
    program = play(film, "--paused")
    # ffmpeg puts the first frame at 0.08 s. The end of the last fragment is known once all have been read.
    program.ipc.wait_for("duration", lambda now: now == pytest.approx(film.seconds + 0.08, abs=0.1))
    places, shown = [*range(0, film.frames - 1, 10), film.frames - 1], []
    for frame in places:
        program.ipc.command("seek", (frame + 0.5) / film.rate + 0.08, "absolute+exact")
        settled(program)
        shown.append(program.frame(film))
    assert shown == places
    assert program.ipc.get("vitrine/rebuilds") == 0


# The start of their frames, by their own times.
UNINDEXED = {"recorded.mkv": 0.021, "recorded.webm": 0.014, "unindexed.avi": 0.04}


@pytest.mark.parametrize("name", ["recorded.mkv", *also("recorded.webm", "unindexed.avi")])
def test_a_film_without_an_index_is_played_in_full(play, films, name):
    """And from its start again. The recorded ones do not give their length or their key frames."""
    film = films(name)
    program = play(film, "--end", "stop", "--paused")
    assert program.frame(film) == 0
    for count in (1, 2):
        program.ipc.set("pause", False)
        program.ipc.wait_for_counter("vitrine/ends", lambda ends: ends == count, timeout=20)
        shown = [int(place * film.rate / 1e9 + 0.02) for place, _ in program.ipc.get("vitrine/recent-frames")]
        assert shown[-1] - shown[0] >= film.frames - 5, shown
    assert program.ipc.get("vitrine/rebuilds") == 0


@pytest.mark.parametrize("name", ["recorded.webm", "unindexed.avi", *also("recorded.mkv")])
def test_a_film_without_an_index_is_sought_in(play, films, name):
    """M6, M2: once it has been read, which gives its key frames and its length."""
    film, first = films(name), UNINDEXED[name]
    program = play(film, "--paused")

    def shown(frame: int, precision: str = "exact") -> int | None:
        """The number of the visible frame; `None` for a grey picture."""
        program.ipc.command("seek", (frame + 0.5) / film.rate + first, f"absolute+{precision}")
        settled(program)
        with contextlib.suppress(frames.NoFrame):
            return program.frame(film)

    program.ipc.wait_for("duration", lambda now: now == pytest.approx(2 + first, abs=0.03))
    end = time.monotonic() + 20
    while shown(30) != 30:
        assert time.monotonic() < end
    places = (46, 7, 48, 20, 33)
    assert [shown(frame) for frame in places] == list(places)
    keyframes = [36, 0, 48, 12, 24] if name == "unindexed.avi" else [0] * 5
    assert [shown(frame, "keyframes") for frame in places] == keyframes
    # And it plays on from there; a busy machine loses some frames.
    assert shown(12) == 12
    program.ipc.set("pause", False)
    program.ipc.wait_for_counter("vitrine/ends", lambda ends: ends == 1)
    played = [(round((place / 1e9 - first) * film.rate), at) for place, at in program.ipc.get("vitrine/recent-frames")]
    played = played[max(at for at, one in enumerate(played) if one[0] == 12) + 1 :]
    (start, began), (last, ended) = next(one for one in played if one[0] > 12), max(played)
    assert 12 < start < 30 < 45 <= last, played
    assert in_time((ended - began) / 1e9, (last - start) / film.rate)
    assert program.ipc.get("vitrine/rebuilds") == 0


def test_a_step_is_the_next_frame_however_long_it_stands(play, films):
    film = films("variable.mp4")
    program = play(film, "--paused")
    frames = [program.frame(film)]
    for command in ["frame-step"] * 7 + ["frame-back-step"] * 2:
        program.ipc.command(command)
        settled(program)
        frames.append(program.frame(film))
    assert frames == [*SOME[:8], SOME[6], SOME[5]]


VARIABLE = ["variable.mp4", "variable.mkv"]


@pytest.mark.parametrize("name", VARIABLE)
def test_a_step_back_is_the_frame_before_however_long_that_stood(play, films, name):
    """A8: from the last one to the first."""
    film = films(name)
    program = play(film, "--paused", "--start", "1.99")
    frames = [program.frame(film)]
    while frames[-1] > 0 and len(frames) <= len(SOME):
        program.ipc.command("frame-back-step")
        settled(program)
        frames.append(program.frame(film))
        assert program.ipc.get("time-pos") == pytest.approx(frames[-1] / film.rate, abs=0.002)
    assert frames == SOME[::-1]
    # And many at once.
    for _ in range(len(SOME) - 2):
        program.ipc.command("frame-step")
    settled(program)
    assert program.frame(film) == SOME[-2]


@pytest.mark.parametrize("name", VARIABLE)
def test_the_frame_that_stands_there(play, films, name):
    """In the rest of a frame's time in the middle, and right before the next frame; behind the last one, too."""
    film = films(name)
    program = play(film, "--paused")
    for frame, following in zip(SOME, [*SOME[1:], 50]):
        for place in ((frame + following) / 2, following - 0.1):
            program.ipc.command("seek", place / film.rate, "absolute+exact")
            settled(program)
            assert reported_frame(program, film) == frame
            # The last one is sought at its start, at the latest.
            assert program.ipc.get("time-pos") == pytest.approx(min(place, 49) / film.rate, abs=0.001)
        if following - frame > 5:
            assert program.frame(film) == frame
    assert program.ipc.get("vitrine/rebuilds") == 0


def test_a_finger_leaves_the_frame_that_stands_there(play, films, panel):
    film, layout = films("variable.mp4"), Layout()
    program = play(film, "--paused")
    panel.wait_until_read()
    for frame, place in ((14, 25), (31, 40), (6, 10)):
        show_bar(program, panel)
        panel.drag(layout.x(0.1), layout.y, layout.x(place / 50), layout.y, seconds=0.3, lift=False)
        lift(program, Finger(panel))
        settled(program)
        assert program.frame(film) == frame
        assert program.ipc.get("time-pos") == pytest.approx(place / film.rate, abs=0.01)


def test_it_plays_on_from_a_frame_that_stands_long(play, films):
    """The next one is in time."""
    film = films("variable.mp4")
    program = play(film, "--paused")
    program.ipc.command("seek", 16 / film.rate, "absolute+exact")
    settled(program)
    program.ipc.set("pause", False)
    program.ipc.wait_for("eof-reached", timeout=20)
    shown = [(round(place / 1e9 * film.rate), at) for place, at in program.ipc.get("vitrine/recent-frames")]
    gone = {frame: at for frame, at in shown if frame > 14}
    assert list(gone) == SOME[-3:], shown
    assert in_time((gone[49] - gone[30]) / 1e9, 19 / film.rate)


def test_sound_goes_on_behind_the_last_frame(play, films):
    """The last frame stands as long."""
    film = films("more-sound.mp4")
    program = play(film, "--start", "1.2", "--end", "stop")
    program.ipc.wait_for("eof-reached", timeout=20)
    ended = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    place, shown = program.ipc.get("vitrine/recent-frames")[-1]
    assert (ended - shown) / 1e9 > 4 - place / 1e9 - 0.3
    assert program.frame(film) >= 46
    assert program.ipc.get("vitrine/ends") == 1 and program.ipc.get("vitrine/rebuilds") == 0


def test_a_length_that_changes(play, films):
    """M2: if a file does not contain its length, it is estimated, and improved on the way; observers are notified."""
    film = films("growing.mp3")
    program = play(film, "--end", "stop", wait=False)
    first = program.ipc.wait_for("duration", lambda now: now is not None)
    assert first < film.seconds - 1.5
    program.ipc.wait_for("duration", lambda now: now == pytest.approx(film.seconds, abs=0.5), timeout=30)
    program.ipc.wait_for("eof-reached", timeout=30)
    assert program.ipc.get("time-pos") == pytest.approx(film.seconds, abs=0.5)


@pytest.mark.parametrize("name", ["sound.mp3", "sound.flac"])
def test_sound(play, films, name):
    program = play(films(name), "--end", "stop", wait=False)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.3)
    assert program.ipc.get("duration") == pytest.approx(4, abs=0.1)
    program.ipc.command("seek", 2.5, "absolute+exact")
    settled(program)
    sought = time.monotonic()
    now = program.ipc.wait_for("time-pos", lambda now: now is not None and now > 3)
    assert now < 3.5 + time.monotonic() - sought
    program.ipc.wait_for("eof-reached")
    # Reported four times a second.
    assert program.ipc.get("time-pos") == pytest.approx(4, abs=0.3)


@pytest.mark.parametrize("name", ["cover.mp3", "cover.m4a", *also("cover.flac")])
def test_a_sound_shows_its_cover(play, films, name):
    """While it is paused, after a seek, and to its end."""
    film = films(name)
    program = play(film, "--paused", "--end", "stop")
    assert program.frame(film) == 0
    assert [track["type"] for track in program.ipc.get("track-list")] == ["audio"]
    program.ipc.command("seek", 1, "absolute+exact")
    settled(program)
    assert program.ipc.get("time-pos") == pytest.approx(1, abs=0.1) and program.frame(film) == 0
    program.ipc.set("pause", False)
    program.ipc.wait_for("time-pos", lambda now: now > 1.3)
    assert program.frame(film) == 0
    program.ipc.wait_for("eof-reached", timeout=20)
    assert program.frame(film) == 0
    assert program.ipc.get("time-pos") == pytest.approx(2, abs=0.3) and program.ipc.get("vitrine/rebuilds") == 0
    # And again.
    program.ipc.set("pause", False)
    program.ipc.wait_for_counter("vitrine/ends", lambda ends: ends == 2, timeout=20)
    assert program.frame(film) == 0


BACK = ["frame-back-step"]


@pytest.mark.parametrize("name, back", [("fields.mp4", BACK), ("fields.mpg", [])])
def test_fields_become_whole_frames(play, films, name, back):
    """Of two fields the first. In a combed frame, the numbers of two frames mix, and are unreadable."""
    film = films(name)
    program = play.run("inspect", film.path)
    assert program.wait_until_ended() == 0 and ", interlaced" in program.log(), program.log()
    program = play(film, "--paused", "--end", "stop")
    shown = [program.frame(film)]
    for command in ["frame-step"] * 3 + back:
        program.ipc.command(command)
        settled(program)
        shown.append(program.frame(film))
    assert shown == [0, 2, 4, 6, 4][: 4 + len(back)]
    if name == "fields.mp4":
        for frame in (30, 48, 16):
            program.ipc.command("seek", (frame + 1) / film.rate, "absolute+exact")
            settled(program)
            assert program.frame(film) == frame
    program.ipc.set("pause", False)
    program.ipc.wait_for("eof-reached", timeout=20)
    settled(program)
    assert program.frame(film) == 48 and program.ipc.get("vitrine/ends") == 1


def test_sounds_put_together_play_in_full(play, films):
    """M9: to their end and once, though the first one's header contains only its own length."""
    film = films("joined.mp3")
    program = play(film, "--end", "stop", wait=False)
    assert program.ipc.wait_for("duration", lambda now: now is not None) < film.seconds - 2
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > film.seconds - 1, timeout=30)
    assert program.ipc.get("vitrine/ends") == 0
    program.ipc.wait_for("eof-reached")
    assert program.ipc.get("vitrine/ends") == 1 and program.ipc.get("vitrine/rebuilds") == 0


def test_recordings_put_together_play_in_full(play, films):
    """M9, M2: once each time, without a bar: GStreamer's demuxer cannot seek in them."""
    film = films("joined.ts")
    program = play.run("inspect", film.path)
    assert program.wait_until_ended() == 0
    assert "  duration   00:00:06, not seekable\n" in program.log() and "recordings were put together" in program.log()
    program = play(film, "--loop", "--paused")
    program.ipc.wait_for("seekable", lambda seekable: seekable is False)
    # Its clock starts before its first frame.
    assert program.ipc.get("duration") == pytest.approx(film.seconds + 1.4, abs=0.8)
    program.ipc.set("pause", False)
    program.ipc.wait_for_counter("vitrine/ends", lambda ends: ends == 1, timeout=30)
    shown = [place for place, _ in program.ipc.get("vitrine/recent-frames")]
    assert max(shown) - min(shown) > (film.seconds - 0.5) * 1e9, shown
    assert len(shown) > 3 * 50 * 0.8
    program.ipc.wait_for_counter("vitrine/ends", lambda ends: ends == 2, timeout=30)
