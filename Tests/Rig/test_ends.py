"""What happens at a film's end: `--end`, loops, playlists (M9, A5, A13, N6)."""

import pathlib
import signal
import subprocess
import time

import pytest

from bar import reported_frame, wait_for_frame
from ipc import IPCError
from network import serve  # noqa: F401, a fixture
from shown_frames import Recorder
from thorough import also
from witness import Witness, witness  # noqa: F401, a fixture

CONTAINERS = ["short.mp4", "short.mkv", "short.ts", *also("fragments.mp4", "short.webm", "short.mpg", "short.flv", "short.avi",
                                                          "theora.ogv")]


def ends(program) -> int:
    return program.ipc.get("vitrine/ends")


def plays(program, film) -> None:
    """Waits until this film is visible."""
    program.ipc.wait_for("path", lambda path: path == film.path)
    program.ipc.wait_for("time-pos", lambda time: time is not None and time > 0.2)
    assert program.reading(film).film == film.number


def test_pause_goes_back_to_the_start(play, films):
    film = films("short.mp4")
    program = play(film, "--end", "pause")
    program.ipc.wait_for("pause")
    wait_for_frame(program, film, 0)
    assert program.ipc.get("eof-reached") is True
    assert ends(program) == 1


def test_stop_keeps_the_last_frame(play, films):
    """And playing on is playing again."""
    film = films("short.mp4")
    program = play(film, "--end", "stop")
    program.ipc.wait_for("pause")
    wait_for_frame(program, film, film.frames - 1)
    assert program.ipc.get("eof-reached") is True
    assert program.ipc.get("vitrine/end") == "stop"
    assert ends(program) == 1
    program.ipc.set("pause", False)
    program.ipc.wait_for("time-pos", lambda now: now is not None and 0.1 < now < 1.5)
    program.ipc.wait_for("pause")
    wait_for_frame(program, film, film.frames - 1)
    assert ends(program) == 2


@pytest.mark.parametrize("name", ["short.mp4", *also("short-silent.mp4", "short.mkv")])
def test_stop_keeps_the_very_last_frame_on_a_busy_machine(play, films, name):
    """The program does not run while it is due."""
    film = films(name)
    program = play(film, "--end", "stop")
    end = time.monotonic() + 10
    while (reported_frame(program, film) or 0) < film.frames - 6:
        assert time.monotonic() < end
    program.signal(signal.SIGSTOP)
    time.sleep(0.7)  # The last frame's time passes.
    program.signal(signal.SIGCONT)
    program.ipc.wait_for("eof-reached", timeout=15)
    wait_for_frame(program, film, film.frames - 1)
    assert program.ipc.get("eof-reached") is True and program.ipc.get("pause") is True
    assert ends(program) == 1
    # And it is played again from the start.
    program.ipc.set("pause", False)
    program.ipc.wait_for("time-pos", lambda now: now is not None and 0.1 < now < 1.5)


def test_next_ends_the_program(play, films):
    program = play(films("short.mp4"), films("short.mp4"), "--end", "next")
    assert program.wait_until_ended(20) == 0


LONG = [pytest.param(name, 50, marks=pytest.mark.long) for name in ("short.mp4", "short-silent.mp4", "short.mkv", "short.webm")]


@pytest.mark.parametrize("name, count", [("brief.mp4", 50), ("brief-silent.mp4", 10), ("brief.mkv", 10), ("brief.webm", 10), *LONG])
def test_a_loop_loses_no_frame_and_repeats_none(play, films, console, witness, name, count):
    """N6, A5: every frame once, never black, each end reported once; by the sink's reports, and by the numbers that the
    display shows. The first pass ends with a flush, which may cost as much as the decoder needs; from then on the next
    pass is decoded while the last one is visible."""
    film = films(name)
    seen_there = witness(film.rate)
    program = play(film, "--end", "loop")
    recorder, lit = Recorder(program, film.rate), set(console.planes())

    def is_enough() -> bool:
        console.keeps(lit, 0.2)
        seen_there.look()
        return len(recorder.complete(film.frames)) >= count

    recorder.look_until(is_enough, timeout=170)
    seen_there.stop()
    seen_there.confirms(film.frames, len(recorder.passes()))
    print(recorder.check_seams(film.frames, edge=2))
    assert program.ipc.get("pause") is False
    reported, seen = ends(program), recorder.frames
    passed = (seen[-1][1] - seen[0][1]) / 1e9 / film.seconds
    gaps = recorder.gaps()[1:]
    print(f"{name}: {reported} passes; from the last frame of one to the first of the next, ms: {min(gaps):.0f} to "
          f"{max(gaps):.0f}, median {sorted(gaps)[len(gaps) // 2]:.0f}")
    assert count <= reported <= passed + 2, "each end is reported once"
    distances = [(after - before) / 1e6 for one in recorder.passes()[1:] for (_, before), (_, after) in zip(one, one[1:])]
    assert sorted(gaps)[len(gaps) // 2] <= 3 * sorted(distances)[len(distances) // 2], "the film stands at its seam"
    assert program.ipc.get("vitrine/seeks-sent") <= 2, "it is rewound"


def test_what_the_display_shows_is_judged():
    """Errors that no busy machine causes are refused."""
    def shown_by(frames_of) -> Witness:
        one = Witness(25)
        pictures = [frame for number in range(30) for frame in frames_of(number)]
        one.learn([((place + 1) * 40_000_000, frame) for place, frame in enumerate([-1, -1, *pictures])])
        return one

    shown_by(lambda _: range(10)).confirms(10, 30)
    # One frame of each pass, another one each time.
    shown_by(lambda number: [frame for frame in range(10) if frame != number % 10]).confirms(10, 30)
    # Nothing was watched from the second frame of one pass until the first of the next.
    away = [(number * 40_000_000, number % 10) for number in range(300) if not 52 <= number < 60]
    one = Witness(25)
    one.learn(away)
    one.confirms(10, 30)
    for frames_of, words in (
        (lambda _: [*range(5), -1, *range(5, 10)], "no number"), (lambda _: [0, 1, 2, 1, *range(2, 10)], "before it"),
        (lambda _: range(9), "at a seam"), (lambda _: range(1, 10), "at a seam"),
    ):  # fmt: skip
        with pytest.raises(AssertionError, match=words):
            shown_by(frames_of).confirms(10, 30)
    with pytest.raises(AssertionError, match="passes"):
        shown_by(lambda _: range(10)).confirms(10, 20)


def test_a_film_is_repeated_as_often_as_asked(play, films):
    """`loop-file`: as in mpv, the number of repetitions."""
    film, other = films("short.mp4"), films("silent.mp4")
    program = play(film, other)
    program.ipc.set("loop-file", 2)
    assert program.ipc.get("loop-file") == 2
    plays(program, other)
    assert ends(program) == 3
    assert program.ipc.get("loop-file") is False


def test_a_loop_can_be_left(play, films):
    """`loop-file` turned off while the film plays: its end is an end."""
    film, other = films("short.mp4"), films("silent.mp4")
    program = play(film, other)
    program.ipc.set("loop-file", "inf")
    program.ipc.wait_for_counter("vitrine/ends", lambda count: count >= 2)
    program.ipc.set("loop-file", "no")
    plays(program, other)


def test_a_playlist_begins_again(play, films):
    first, second = films("short.mp4"), films("short-silent.mp4")
    program = play(first, second)
    program.ipc.set("loop-playlist", "inf")
    assert program.ipc.get("vitrine/end") == "loop"
    for film in (second, first):
        program.ipc.wait_for("path", lambda path: path == film.path)
    assert ends(program) == 2
    program.ipc.set("loop-playlist", "no")
    assert program.ipc.get("vitrine/end") == "pause"


def test_a_loop_that_is_over_ends_as_films_do(play, films):
    program = play(films("short.mp4"), "--end", "loop")
    assert program.ipc.get("vitrine/end") == "loop"
    program.ipc.set("loop-playlist", "no")
    assert program.ipc.get("vitrine/end") == "pause"
    program.ipc.wait_for("eof-reached")
    assert program.ipc.get("pause") is True


@pytest.mark.parametrize("name", ["short.mpg", *also("short.ts", "short.flv")])
def test_a_film_whose_demuxer_knows_segment_seeks_badly_loops(play, films, name):
    """MPEG-TS, MPEG-PS: they are rewound by a seek that ends with EOS."""
    program = play(films(name), "--end", "loop")
    program.ipc.wait_for_counter("vitrine/ends", lambda count: count >= 3, timeout=30)
    assert program.ipc.get("pause") is False


# The largest error of a seek, in frames (docs/player.md). The clock of MPEG-TS runs for 0.8 s before the first frame;
# MPEG-PS is sought by bytes, to a key frame behind the place.
OFF = {"short.ts": 20, "short.mpg": 25}


def assert_sought(program, film, time: float) -> None:
    name = film.path.rpartition("/")[2]
    assert program.ipc.get("time-pos") == pytest.approx(time, abs=1 if name == "short.mpg" else 0.1)
    # The first frame is at 0.08 s in containers that cannot say that it is the first.
    assert abs(program.frame(film) - time * film.rate) <= 2 + OFF.get(name, 0)
    assert program.frame(film) > 0


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_loop_begins_in_the_middle(play, films, name):
    """Its first pass begins with a seek, a segment seek if the container supports it."""
    program = play(films(name), "--start", 1, "--end", "loop", "--paused")
    assert_sought(program, films(name), 1)
    program.ipc.set("pause", False)
    program.ipc.wait_for_counter("vitrine/ends", lambda count: count >= 2, timeout=30)
    assert program.ipc.get("vitrine/rebuilds") == 0


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_loop_that_is_sought_in_goes_on(play, films, name):
    """In its first pass, before a loop was requested: some demuxers refuse that too late to continue (M9)."""
    program = play(films(name), "--loop", "--paused")
    program.ipc.command("seek", 1.2, "absolute+exact")
    program.ipc.wait_for_counter("seeking", lambda seeking: not seeking)
    assert_sought(program, films(name), 1.2)
    program.ipc.set("pause", False)
    program.ipc.wait_for_counter("vitrine/ends", lambda count: count >= 2, timeout=30)
    assert program.ipc.get("vitrine/rebuilds") == 0


@pytest.mark.parametrize("name", ["prompt.ts", "http", *also("short.mpg", "short.flv")])
def test_a_loop_by_a_flush_is_never_black(play, films, serve, console, name):
    """The last frame stays until the first one is there again; none appears twice in a pass."""
    film = films("short.mp4" if name == "http" else name)
    program = play(serve().url("short.mp4") if name == "http" else film, "--end", "loop")
    recorder = Recorder(program, film.rate)
    lit = set(console.planes())

    def look() -> bool:
        console.keeps(lit)
        return len(recorder.passes()) > 6

    recorder.look_until(look, timeout=90)
    passes = recorder.passes()[1:-1]
    recorder.complete(film.frames)
    gaps = sorted(recorder.gaps())
    print(f"{name}: from the last frame of a pass to the first of the next, ms: {gaps[0]:.0f} to {gaps[-1]:.0f}, median "
          f"{gaps[len(gaps) // 2]:.0f}; frames in each pass: {[len(one) for one in passes]} of {film.frames}; first and last: "
          f"{[(one[0][0], one[-1][0]) for one in passes]}")
    # Some demuxers' clock does not start at 0. A busy machine loses frames anywhere, the last ones, too.
    first = passes[0][0][0]
    assert all(one[0][0] == first for one in passes), "each pass begins with the film's first frame"
    assert sorted(one[-1][0] for one in passes)[len(passes) // 2] >= first + film.frames - 4
    assert ends(program) >= len(passes)


def test_between_films_the_display_is_never_black(play, films, console):
    """A13: films of different size and codec, one after another: the last frame stays until the next film's first."""
    names = ["short.mp4", "short-silent.mp4", "short.webm", "short.mkv", "short-4x3.mp4"]
    program = play(*[films(name) for name in names], "--end", "loop")
    recorder = Recorder(program, films(names[0]).rate)
    lit = set(console.planes())

    def look() -> bool:
        console.keeps(lit)
        return len(recorder.fair(50)) >= 5

    recorder.look_until(look, timeout=150)
    print("from one film's last frame to the next one's first, ms: "
          + ", ".join(f"{gap:.0f}" for gap in recorder.gaps()))


def test_next_and_previous(play, films):
    """`playlist-next`, `playlist-prev`; at an end they do nothing, unless the playlist repeats or the client
    insists."""
    first, second = films("silent.mp4"), films("square-4x3.mp4")
    program = play(first, second, "--paused")
    program.ipc.command("playlist-next")
    program.ipc.wait_for("path", lambda path: path == second.path)
    with pytest.raises(IPCError):
        program.ipc.command("playlist-next")
    program.ipc.set("loop-playlist", "inf")
    program.ipc.command("playlist-next")
    program.ipc.wait_for("path", lambda path: path == first.path)
    program.ipc.command("playlist-prev")
    program.ipc.wait_for("path", lambda path: path == second.path)
    program.ipc.set("loop-playlist", "no")
    program.ipc.command("playlist-next", "force")
    program.ipc.wait_for("idle-active")
    assert program.ipc.get("playlist-count") == 2
    # That nothing plays is reported at once; the film is closed meanwhile.
    end = time.monotonic() + 10
    while program.screenshot().any():
        assert time.monotonic() < end, "the screen is not black"


LISTS = {
    "list.m3u": "#EXTM3U\n#EXTINF:2,The first\n{short}\nnowhere.mp4\n{silent}\n",
    "list.m3u8": "\ufeff{short}\r\n{silent}\r\n",
    "list.xspf": '<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList>'
    "<track><location>file://{short}</location><title>The first</title></track>"
    "<track><location>file://{silent}</location></track></trackList></playlist>",
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_of_films(play, films, tmp_path, name):
    short, silent = films("short.mp4"), films("silent.mp4")
    path = tmp_path / name
    path.write_text(LISTS[name].format(short=short.path, silent=silent.path))
    program = play(path)
    assert program.ipc.get("playlist-count") == 2
    assert program.ipc.get("playlist")[0].get("title") == (None if name == "list.m3u8" else "The first")
    plays(program, silent)
    program.ipc.command("loadlist", str(path), "append")
    assert program.ipc.get("playlist-count") == 4


def test_a_folder_of_films(play, films, tmp_path):
    """In people's order."""
    for number, name in ((10, "silent.mp4"), (9, "short.mp4")):
        (tmp_path / f"film {number}.mp4").symlink_to(films(name).path)
    (tmp_path / "notes.txt").write_text("no film")
    program = play(tmp_path)
    assert [pathlib.Path(entry["filename"]).name for entry in program.ipc.get("playlist")] == ["film 9.mp4", "film 10.mp4"]
    program.ipc.wait_for("path", lambda path: path.endswith("film 10.mp4"))


def test_a_film_from_standard_input(play, films):
    """Read once; its end is the end."""
    film = films("short.mkv")
    with subprocess.Popen(["cat", film.path], stdout=subprocess.PIPE) as cat:
        program = play("-", stdin=cat.stdout)
        program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.5)
        assert program.reading(film).film == film.number
        program.ipc.wait_for("eof-reached")
        assert program.ipc.get("filename") == "-"
    assert ends(program) == 1


def test_a_seek_that_cannot_be_leaves_the_end_as_it_is(play, films, serve):
    """A5: the caller is notified, and there is nothing to play on from: from standard input nothing more, from a server
    the whole film again."""
    film = films("short.mkv")

    def ended(program, count: int = 1) -> None:
        program.ipc.wait_for_counter("vitrine/ends", lambda ends: ends >= count)
        program.ipc.wait_for("pause")
        for words in ((-5,), (1, "absolute+exact")):
            with pytest.raises(IPCError):
                program.ipc.command("seek", *words)
        assert program.ipc.get("eof-reached") is True

    with subprocess.Popen(["cat", film.path], stdout=subprocess.PIPE) as cat:
        program = play("-", "--end", "stop", stdin=cat.stdout)
        ended(program)
        program.ipc.set("pause", False)
        assert program.ipc.get("pause") is True
        time.sleep(1)  # Nothing is what must happen.
        assert program.ipc.get("pause") is True and ends(program) == 1
        program.stop()
    program = play(serve(ranges=False).url("short.mp4"), "--end", "stop")
    ended(program)
    program.ipc.set("pause", False)
    program.ipc.wait_for("time-pos", lambda now: now is not None and 0.1 < now < 1)
    ended(program, 2)
    assert ends(program) == 2


def test_a_seek_that_is_refused_leaves_the_end_as_it_is(play, films, troubles):
    """A5: playing on means playing again, and does not end once more."""
    film = films("short.mp4")
    program = play(film, "--end", "stop", environment=troubles.environment)
    program.ipc.wait_for("pause")
    wait_for_frame(program, film, film.frames - 1)
    for command in (("seek", 0.5, "absolute+exact"), ("seek", -1, "relative"), ("frame-back-step",)):
        troubles.begin("no-seeks")
        program.ipc.command(*command)
        program.ipc.wait_for("seeking", lambda seeking: seeking is False)
        troubles.end("no-seeks")
        assert program.ipc.get("eof-reached") is True
    assert ends(program) == 1
    program.ipc.set("pause", False)
    program.ipc.wait_for("time-pos", lambda now: now is not None and 0.1 < now < 1.5)
    program.ipc.wait_for("pause")
    assert ends(program) == 2
