"""Films that follow one another: the next one is preloaded while the one before plays (A13, M9)."""

import ctypes
import itertools
import json
import os
import pathlib
import select
import statistics
import time

import numpy
import pytest

from shown_frames import Recorder, SinkLog
from thorough import IS_ASKED
from witness import witness  # noqa: F401, a fixture

# Of different sizes and codecs, in different containers, with sound and without.
FIVE = ["short.mp4", "short.webm", "short-4x3.mp4", "short.avi", "short-pal.mkv"]
# Preloading starts here (Preloading.lead).
LEAD = 3


def has_open(program, film) -> bool:
    """Whether the program has the film's file open."""
    return film.path in program.opened()


def until_open(program, film, is_open: bool = True, timeout: float = 15) -> None:
    end = time.monotonic() + timeout
    while has_open(program, film) != is_open:
        assert time.monotonic() < end, f"{film.path} is {'not ' if is_open else ''}open after {timeout} s"
        time.sleep(0.02)


def until_near_end(program, film) -> None:
    """Plays to a place so far before the film's end that the next one is preloaded, but not at once."""
    program.ipc.command("seek", film.seconds - LEAD - 0.4, "absolute")
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)


def seen(program, film) -> None:
    program.ipc.wait_for("path", lambda path: path == film.path, timeout=20)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.15)


def after_asking(program, recorder: Recorder, film) -> float:
    """Requests the next film, long before it is preloaded: ms until its first frame."""
    assert not has_open(program, film)
    asked = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    program.ipc.command("playlist-next")
    seen(program, film)
    recorder.look()
    return (recorder.passes()[-1][0][1] - asked) / 1e6


def after_end(recorder: Recorder) -> float:
    """ms from the end of the last film's last frame until the next film's first."""
    recorder.look()
    return recorder.gaps()[-1] - 1000 / recorder.rate


def test_gaps_between_five_films(play, films, console, witness):
    """Each frame of each film once, except those that a busy machine loses, never black, by the sink's reports and by
    the numbers that the display shows, and each film preloaded while the one before plays; prints how long the last
    frame of each stays."""
    five = [films(name) for name in FIVE]
    seen_there = witness(five[0].rate)
    program = play(*five, "--end", "loop")
    recorder = Recorder(program, five[0].rate)
    lit = set(console.planes())
    preloaded = set()

    def look() -> bool:
        seen_there.look()
        for _ in range(4):
            console.keeps(lit, 0.1)
            place = program.ipc.get("playlist-pos")
            is_open = has_open(program, five[(place + 1) % len(five)])
            if is_open and program.ipc.get("playlist-pos") == place:
                preloaded.add(place)
        return len(recorder.fair(50)) >= 2 * len(FIVE)

    recorder.look_until(look, timeout=150)
    seen_there.stop()
    seen_there.confirms(50, len(recorder.passes()), edge=1)
    print(recorder.check_seams(50))
    gaps = recorder.gaps()
    second = [(one[1][1] - one[0][1]) / 1e6 for one in recorder.passes()[1:-1]]
    for place, (name, after) in enumerate(zip(FIVE, FIVE[1:] + FIVE[:1])):
        mine, next_ones = gaps[place :: len(FIVE)], second[place :: len(FIVE)]
        print(f"{name} -> {after}: {', '.join(f'{gap:.0f}' for gap in mine)} ms; to the one after that "
              f"{', '.join(f'{gap:.0f}' for gap in next_ones)} ms")
    print(f"all: median {statistics.median(gaps):.0f} ms, {min(gaps):.0f} to {max(gaps):.0f}; "
          f"then {statistics.median(second):.0f} ms, {min(second):.0f} to {max(second):.0f}")
    assert preloaded == set(range(len(FIVE))), "not all were preloaded"
    # Ten times the usual time: the next test compares the times.
    assert statistics.median(gaps) < 500, gaps


@pytest.mark.speed
def test_a_film_made_ready_follows_sooner_than_one_that_is_not(play, films):
    """The same change of films in the same run: at the end of the first one, and by a client long before it. Measured
    from the end of the first one: when its last frame has been shown for its time, or the next film is requested."""
    first, second = films("silent.mp4"), films("short-4x3.mp4")
    program = play(first, second, "--end", "loop")
    recorder = Recorder(program, first.rate)
    waits = {"preloaded": [], "not": []}
    for _ in range(7 if IS_ASKED else 3):
        program.ipc.set("playlist-pos", 0)
        seen(program, first)
        waits["not"].append(after_asking(program, recorder, second))
        program.ipc.set("playlist-pos", 0)
        seen(program, first)
        until_near_end(program, first)
        until_open(program, second)
        seen(program, second)
        waits["preloaded"].append(after_end(recorder))
    medians = {kind: statistics.median(of) for kind, of in waits.items()}
    print(f"from one film's end to the next one's first frame, ms: {medians}; {waits}")
    assert medians["preloaded"] < 0.4 * medians["not"], waits


def test_the_next_frame_waits_in_its_sink_and_not_for_the_sound(play, films, tmp_path):
    """Before the end of the film before, it is ready for the plane; then it is shown, and only then the sound card is
    opened. The sink of the next film is opened while it stands: on a cable no frame can be flipped meanwhile."""
    both = [films("silent.mp4"), films("square-4x3.mp4")]
    log = SinkLog(tmp_path)
    program = play(*both, "--end", "loop", environment=log.environment)
    for change in range(4):
        until_near_end(program, both[change % 2])
        log.wait_for("kept from the screen", times=change + 1)
        seen(program, both[(change + 1) % 2])
    program.stop()
    parts = "\n".join(log.lines()).split("closed; the last frame staysWithSound")
    assert len(parts) == 5
    # The part after the last change has no next one.
    parts[-1] += "kept from the screen"
    opens = "gst_kms_sink_start:<film> connector"
    for before, after in itertools.pairwise(parts):
        assert "kept from the screen" in before, before
        shown, opened = after.find("is on the screen"), after.find(opens)
        assert 0 <= shown < after.find("no longer held"), after
        assert shown < opened < after.find("kept from the screen"), after
        assert after.count(opens) == 1, after


def test_a_film_made_ready_is_left_on_the_way_back(play, films):
    """A seek back, and forth again: the film plays on, the next one is closed, and preloaded again."""
    first, second = films("silent.mp4"), films("short.mp4")
    program = play(first, second)
    until_near_end(program, first)
    until_open(program, second)
    program.ipc.command("seek", 2, "absolute")
    until_open(program, second, False)
    program.ipc.wait_for("time-pos", lambda now: now is not None and 2 < now < 10)
    until_near_end(program, first)
    until_open(program, second)
    seen(program, second)
    assert program.ipc.get("vitrine/ends") == 1


def test_a_playlist_that_changes_changes_what_is_made_ready(play, films):
    first, second, third = films("silent.mp4"), films("short.mp4"), films("short-4x3.mp4")
    program = play(first, second)
    until_near_end(program, first)
    until_open(program, second)
    program.ipc.set("pause", True)
    program.ipc.command("playlist-clear")
    until_open(program, second, False)
    program.ipc.command("loadfile", third.path, "append")
    program.ipc.set("pause", False)
    until_open(program, third)
    seen(program, third)
    assert not has_open(program, second)


def test_a_film_made_ready_can_be_asked_for(play, films):
    """Before the current one has ended: it is shown, and that one is closed."""
    first, second = films("silent.mp4"), films("square-4x3.mp4")
    program = play(first, second)
    until_near_end(program, first)
    until_open(program, second)
    program.ipc.command("playlist-next")
    assert program.ipc.get("vitrine/ends") == 0
    seen(program, second)
    until_open(program, first, False)
    # A picture taken during a flip shows parts of two frames.
    program.ipc.set("pause", True)
    program.ipc.wait_for("core-idle", lambda idle: idle)
    assert program.reading(second).film == second.number


def test_all_kinds_of_films_can_be_made_ready(play, films):
    """A still, one whose demuxer supports no segment seeks, one that changes its size, sound alone, one without an
    index."""
    kinds = [films(name) for name in ("short.mp4", "short.ts", "sound-only.m4a", "resized.ts", "still.jpg", "brief.ivf")]
    program = play(*kinds, "--end", "stop")
    for before, film in itertools.pairwise(kinds):
        if before.path.endswith(".m4a"):
            program.ipc.command("seek", 26, "absolute")
        if not before.path.endswith(".jpg"):
            until_open(program, film)
            assert program.ipc.get("path") == before.path
        program.ipc.wait_for("path", lambda path: path == film.path, timeout=20)
    program.ipc.wait_for("eof-reached", timeout=20)
    assert program.ipc.get("vitrine/ends") == len(kinds)


def test_a_film_that_repeats_itself_makes_nothing_ready(play, films):
    first, second = films("silent.mp4"), films("short.mp4")
    program = play(first, second)
    until_near_end(program, first)
    until_open(program, second)
    program.ipc.set("loop-file", 1)
    until_open(program, second, False)
    program.ipc.wait_for_counter("vitrine/ends", lambda ends: ends == 1)
    assert program.ipc.get("path") == first.path


def test_a_broken_film_disturbs_no_other(play, films):
    """Its failure is reported in its turn: the film before it is shown to its end, and the next one follows."""
    first, broken, third = films("short.mp4"), films("noise.mp4"), films("short-4x3.mp4")
    program = play(first, broken, third, "--end", "loop")
    recorder = Recorder(program, first.rate)
    recorder.look_until(lambda: len(recorder.passes()) > 6)
    passes = recorder.passes()[:-1]
    recorder.complete(50)
    # The start costs the machine more than the film. A busy one may lose the very last one.
    assert all(one[-1][0] >= 46 for one in passes[1:]), [one[-1] for one in passes]
    failures = program.log().count("Could not determine type of stream")
    assert len(passes) / 2 - 1 <= failures <= len(passes) / 2 + 1, "each reported once"


class Closing:
    """Notices when another process that had the file open closes it (inotify(7))."""

    def __init__(self, path: pathlib.Path):
        libc, closed = ctypes.CDLL(None), 0x18  # IN_CLOSE of sys/inotify.h
        self._descriptor = libc.inotify_init1(os.O_CLOEXEC)
        assert libc.inotify_add_watch(self._descriptor, os.fsencode(path), closed) >= 0

    def wait(self, timeout: float = 15) -> None:
        assert select.select([self._descriptor], [], [], timeout)[0], "nobody has closed it"
        os.close(self._descriptor)


def test_a_film_that_was_none_when_it_was_made_ready(play, films, tmp_path):
    """It was still being copied. At its turn it is complete: it is reopened, and the failure is not reported."""
    first, second = films("silent.mp4"), films("square-4x3.mp4")
    whole = pathlib.Path(second.path).read_bytes()
    copied = tmp_path / "copied.mp4"
    copied.write_bytes(whole[:1000])
    program = play(first, str(copied), "--log", "debug")
    closing = Closing(copied)
    until_near_end(program, first)
    closing.wait()
    assert program.ipc.get("path") == first.path
    copied.write_bytes(whole)
    program.ipc.wait_for("path", lambda path: path == str(copied), timeout=20)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.5)
    assert program.reading(second).film == second.number and program.ipc.get("vitrine/ends") == 1
    log = program.log()
    assert "copied.mp4 is preloaded" in log and "Error" not in log


def test_a_film_made_ready_that_shows_nothing_is_opened_alone(play, films, troubles):
    """Its decoder does not answer, like one that serves a single film at a time: it is opened again, once that film and
    the one before are closed."""
    first, second = films("silent.mp4"), films("square-4x3.mp4")
    troubles.begin("one-decoder")
    program = play(first, second, "--log", "debug", environment=troubles.environment)
    program.wait_for_log(f"{second.path} is opened alone", timeout=30)
    seen(program, second)
    assert program.reading(second).film == second.number
    assert program.ipc.get("vitrine/ends") == 1
    errors = [line for line in program.log().splitlines() if " error " in line]
    assert all("did not let go" in line for line in errors), errors


def test_a_language_chosen_late_is_the_next_film_s(play, films):
    """Sound and subtitles of a film that was preloaded with another preference."""
    first, second = films("silent.mp4"), films("tracks.mkv")
    program = play(first, second, "--audio", "en", "--subtitle", "de")
    until_near_end(program, first)
    until_open(program, second)
    program.ipc.set("alang", "de")
    seen(program, second)
    assert (program.ipc.get("aid"), program.ipc.get("sid")) == (2, 2)
    program.ipc.wait_for("sub-text", lambda text: bool(text) and text.startswith("Deutsch"))


def test_what_is_kept_is_the_film_that_plays(play, films, tmp_path):
    """While the next one is preloaded, which counts as a start of that one: it may crash the program as well."""
    first, second = films("silent.mp4"), films("short.mp4")
    program = play(first, second, "--state", tmp_path)
    until_near_end(program, first)
    until_open(program, second)
    kept = json.loads((tmp_path / "playing.json").read_text())["record"]
    assert kept["film"] == first.path and kept["falls"][second.path]["count"] == 1
    seen(program, second)
    kept = json.loads((tmp_path / "playing.json").read_text())["record"]
    assert kept["film"] == second.path and kept["falls"][second.path]["count"] == 1


@pytest.mark.slow
def test_changes_leave_nothing_behind(play, films):
    """A second each: the resources after the first ones, which fill pools and caches, are the same after the last."""
    names = ["brief.mp4", "brief.mkv", "brief.webm", "brief-silent.mp4"]
    program = play(*map(films, names), "--end", "loop")
    held = {}
    most = 60 if IS_ASKED else 35
    for count in range(most // 4, most + 1, 3):
        program.ipc.wait_for_counter("vitrine/ends", lambda ends: ends >= count, timeout=30)
        held[count] = (round(program.memory() / 1e6, 1), program.fds(), program.threads())
    print(f"megabytes, descriptors, threads after so many films: {held}")
    some = len(held) // 3
    first, last = (numpy.median(readings, axis=0) for readings in (list(held.values())[:some], list(held.values())[-some:]))
    # Allocators settle within 12 MB. A scaled frame of each change (0.9 MB) that is not freed would be 18 MB.
    assert last[0] - first[0] < 16, held
    # One film plays, another is preloaded or not, or its sink is open already: file, threads' descriptors, frames.
    assert max(fds for _, fds, _ in held.values()) - min(fds for _, fds, _ in held.values()) <= 16, held
    assert last[2] - first[2] <= 12, held
