"""After a crash or a power cut the film resumes at its position; a film that crashes the program is skipped (N5)."""

import json
import pathlib
import shutil
import signal
import time

import pytest


@pytest.fixture
def state(tmp_path):
    folder = tmp_path / "state"
    folder.mkdir()
    return folder


def kept(state: pathlib.Path) -> dict:
    return json.loads((state / "playing.json").read_text())["record"]


def crash(program) -> None:
    program.signal(signal.SIGKILL)
    program.wait_until_ended()


def test_a_crash_loses_at_most_five_seconds(play, films, state):
    first, film = films("silent.mp4"), films("360p-key50.mp4")
    program = play(first, film, "--state", state)
    program.ipc.set("playlist-pos", 1)
    program.ipc.wait_for("path", lambda path: path == film.path)
    program.ipc.wait_for("vitrine/frame-time")
    program.ipc.command("seek", 20, "absolute+exact")
    # Five seconds after the seek, and a busy machine's delay.
    last = program.ipc.wait_for("time-pos", lambda time: time is not None and time > 26.5)
    crash(program)
    # The player is paused, so that the frame does not depend on how fast the program starts.
    program = play(first, film, "--paused", "--state", state)
    assert program.ipc.get("path") == film.path
    assert last - 5.5 <= program.frame(film) / film.rate <= last + 0.5


def test_a_pause_is_kept_and_an_end_that_was_asked_for_is_no_crash(play, films, state):
    film = films("360p-key50.mp4")
    program = play(film, "--state", state)
    program.ipc.command("seek", 10.02, "absolute+exact")
    program.ipc.set("pause", True)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    shown = program.frame(film)
    program.stop()
    record = kept(state)
    assert 0 <= record["milliseconds"] - shown * 1000 / film.rate < 1000 / film.rate
    assert record["falls"] == {}
    program = play(film, "--paused", "--state", state)
    assert program.frame(film) == shown
    assert program.complaints() == []


@pytest.mark.parametrize("text", ["", "{", '{"version": 3}', "\0" * 100], ids=["empty", "cut off", "foreign", "zeros"])
def test_a_damaged_record_is_as_good_as_none(play, films, state, text):
    (state / "playing.json").write_text(text)
    film = films("silent.mp4")
    program = play(film, "--paused", "--state", state)
    assert program.ipc.get("vitrine/frame-time") == 0
    assert program.complaints() == []


def test_where_nothing_can_be_kept_the_film_plays(play, films):
    film = films("silent.mp4")
    program = play(film, "--state", "/proc/nowhere")
    for what in ("playing.json", "sheets"):
        program.wait_for_log(f"/proc/nowhere/{what}")
    assert len(program.complaints()) == 2, program.log()


def test_a_film_that_brings_the_program_down_is_passed_over(play, films, state, tmp_path):
    """After three starts that did not last; another file of its name gets another chance."""
    bad, good = tmp_path / "bad.mp4", films("silent.mp4")
    shutil.copy(films("360p-key50.mp4").path, bad)
    for fall in range(1, 4):
        program = play(bad, good, "--state", state)
        assert program.ipc.get("path") == str(bad)
        crash(program)
        assert kept(state)["falls"][str(bad)]["count"] == fall
    program = play(bad, good, "--state", state)
    assert program.ipc.get("path") == good.path
    assert "bad.mp4: passed over" in program.log()
    crash(program)
    # Without any other film, it is tried nevertheless.
    program = play(bad, "--state", state)
    assert program.ipc.get("path") == str(bad)
    crash(program)
    shutil.copy(films("360p-key10.mp4").path, bad)
    program = play(bad, good, "--state", state)
    assert program.ipc.get("playlist-count") == 2


def test_a_film_that_brings_the_program_down_late_is_passed_over(play, films, state):
    """At a place later than a start has to outlast: a film that was healthy until there, twice from its position, and
    once from its start, from where it plays longer than would otherwise be enough."""
    bad, good = films("360p-key50.mp4"), films("silent.mp4")

    def until(is_so) -> None:
        end = time.monotonic() + 40
        while not is_so(kept(state)):
            assert time.monotonic() < end, kept(state)
            time.sleep(0.1)

    def count() -> int:
        return kept(state)["falls"].get(bad.path, {"count": 0})["count"]

    program = play(bad, good, "--state", state)
    program.ipc.command("seek", 25, "absolute+exact")
    until(lambda _: count() == 0)
    crash(program)
    place = kept(state)["milliseconds"]
    assert place > 30_000
    for fall in (1, 2):
        program = play(bad, good, "--state", state)
        program.ipc.wait_for("time-pos", lambda now: now is not None and now * 1000 > place)
        crash(program)
        assert count() == fall
    program = play(bad, good, "--state", state)
    assert program.ipc.get("time-pos") < 5
    until(lambda record: record["milliseconds"] >= 15_000)
    crash(program)
    assert count() == 3
    program = play(bad, good, "--state", state)
    assert program.ipc.get("path") == good.path
