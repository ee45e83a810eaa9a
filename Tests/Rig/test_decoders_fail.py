"""A hardware decoder that fails is replaced by the next one: at opening, in the middle, in a seek, when it gets stuck,
and when it crashes the program. The decoder is libav's under another name (troubles.c)."""

import json
import pathlib
import subprocess
import time

import pytest

FAILING, NEXT = "failingdec", "avdec_h264"


def decoder(program) -> str:
    return program.ipc.wait_for("vitrine/decoder", timeout=20)


def wait_for_next(program, timeout: float = 30) -> None:
    program.ipc.wait_for("vitrine/decoder", lambda name: name == NEXT, timeout=timeout)
    assert program.ipc.wait_for("hwdec-current") == "no"


def assert_reported(program, why: str, count: int = 1) -> None:
    reported = [line for line in program.log().splitlines() if "does not play with the decoder" in line]
    assert len(reported) == count and all(FAILING in line and why in line for line in reported), program.log()


def test_one_that_works_is_used(play, films, troubles):
    troubles.begin("hardware")
    film = films("360p-key50.mp4")
    program = play(film, "--paused", environment=troubles.environment)
    assert decoder(program) == FAILING == program.ipc.wait_for("hwdec-current")
    assert program.frame(film) == 0
    assert_reported(program, "", count=0)


def test_inspect_tries_the_next_one_as_the_player_does(play, films, troubles):
    """And reports which one plays the film, and why not the one before it."""
    troubles.begin("hardware")
    film = films("360p-key50.mp4")

    def reported(*words: str) -> str:
        program = play.run("inspect", *words, film.path, environment=troubles.environment)
        assert program.wait_until_ended(30) == 0, program.log()
        return program.log()

    # libav under another name: it claims to be hardware's, with system memory.
    assert f"{film.path}: {FAILING}, of the hardware: each frame (I420) is copied" in reported("--decoder")
    troubles.begin("refuses")
    text = reported("--decoder")
    assert f"{film.path}: {NEXT}, of the processor: each frame (I420) is copied for the plane; not {FAILING}: " in text
    lines = reported().splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith(f"  decoder    {NEXT}, of the processor"))
    # Why: the demuxer says it and the decoder, in other words and in either order.
    assert lines[place + 1].startswith(f"             not {FAILING}: "), lines
    assert any(f"by {NEXT}" in line for line in lines if line.startswith("  playing")), lines


def test_that_agrees_to_no_format(play, films, troubles):
    """At opening: the film starts at its requested place."""
    troubles.begin("hardware")
    troubles.begin("refuses")
    film = films("360p-key50.mp4")
    program = play(film, "--paused", "--start", "12", environment=troubles.environment)
    wait_for_next(program)
    assert program.frame(film) == film.frame_at(12)
    assert_reported(program, "Internal data stream error")


@pytest.mark.parametrize("trouble, why", [
    ("wedges-at-once", ""), ("wedges-in-opening", ""), ("breaks-in-seek", "the hardware is out of order"), ("wedges", "did not come back")])
def test_that_fails_before_the_first_frame(play, films, troubles, trouble: str, why: str):
    """At first, or in the seek to the film's place: it starts there nevertheless, with the next decoder."""
    troubles.begin("hardware")
    troubles.begin(trouble)
    film = films("360p-key50.mp4")
    program = play(film, "--paused", "--start", "12", wait=False, environment=troubles.environment)
    wait_for_next(program, timeout=60)
    program.wait_until_shown()
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.frame(film) == film.frame_at(12)
    assert_reported(program, why)


@pytest.mark.parametrize("name, start", [("360p-key50.mp4", 0), ("360p-key50.mp4", 12), ("silent.mp4", 0)])
def test_that_gives_no_frame_up_to_the_film_s_end(play, films, troubles, name: str, start: int):
    """The end prerolls the sink in place of the first frame. The film starts at its place with the next decoder."""
    troubles.begin("hardware")
    troubles.begin("swallows")
    film = films(name)
    program = play(film, "--paused", *(["--start", str(start)] if start else []), environment=troubles.environment)
    wait_for_next(program)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.frame(film) == film.frame_at(start)
    assert_reported(program, "no frame up to the film's end")


def test_that_gives_no_frame_of_a_seek_up_to_the_film_s_end(play, films, troubles):
    troubles.begin("hardware")
    film = films("360p-key50.mp4")
    program = play(film, "--paused", environment=troubles.environment)
    assert decoder(program) == FAILING
    troubles.begin("swallows")
    program.ipc.command("seek", 20, "absolute+exact")
    wait_for_next(program)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.frame(film) == film.frame_at(20)
    assert_reported(program, "no frame up to the film's end")


def test_that_gives_no_frame_of_a_preloaded_film(play, films, troubles):
    """It is opened alone, and then with the next decoder."""
    troubles.begin("hardware")
    troubles.begin("swallows")
    first, second = films("short.mp4"), films("square-4x3.mp4")
    program = play(first, second, "--end", "stop", environment=troubles.environment)
    wait_for_next(program)
    program.ipc.wait_for("playlist-pos", lambda place: place == 1, timeout=30)
    program.ipc.wait_for("time-pos", lambda place: place is not None and place > 1)
    wait_for_next(program)
    assert_reported(program, "no frame up to the film's end", count=2)


def test_that_nothing_reaches_is_used_again(play, films, troubles):
    """A source that does not answer a seek is no decoder's fault."""
    troubles.begin("hardware")
    film = films("360p-key50.mp4")
    program = play(film, "--paused", environment=troubles.environment)
    assert decoder(program) == FAILING
    troubles.begin("seeks-nothing")
    program.ipc.command("seek", 20, "absolute+exact")
    troubles.wait_for("said-nothing")
    # The next pipeline's source answers.
    troubles.end("seeks-nothing")
    program.ipc.wait_for("vitrine/rebuilds", lambda count: count == 1, timeout=20)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.frame(film) == film.frame_at(20)
    assert decoder(program) == FAILING
    assert_reported(program, "", count=0)


def test_that_fails_after_a_hundred_frames(play, films, troubles):
    """The film continues at its position, and plays to its end; the next time it is opened with the next decoder at
    once."""
    troubles.begin("hardware")
    troubles.begin("breaks")
    film = films("360p-key50.mp4")
    program = play(film, "--loop", environment=troubles.environment)
    assert decoder(program) == FAILING
    wait_for_next(program)
    assert 3 < program.ipc.wait_for("time-pos") < 8
    before = program.ipc.wait_for_counter("vitrine/frames-shown")
    program.ipc.wait_for("vitrine/frames-shown", lambda shown: shown > before + 50)
    assert program.ipc.wait_for("vitrine/rebuilds") == 1
    assert_reported(program, "the hardware is out of order")
    # Another film uses it again, and this one does not.
    other = films("square-4x3.mp4")
    troubles.end("breaks")
    program.ipc.command("loadfile", other.path)
    program.ipc.wait_for("vitrine/decoder", lambda name: name == FAILING)
    program.ipc.command("loadfile", film.path)
    wait_for_next(program)
    assert_reported(program, "the hardware is out of order")


@pytest.mark.parametrize("trouble, why", [
    ("breaks-in-seek", "the hardware is out of order"), ("wedges", "did not come back"), ("wedges-in-flush", "did not come back")])
def test_that_fails_in_a_seek(play, films, troubles, trouble: str, why: str):
    """The seek's target is reached nevertheless."""
    troubles.begin("hardware")
    film = films("360p-key50.mp4")
    program = play(film, "--paused", environment=troubles.environment)
    assert decoder(program) == FAILING
    troubles.begin(trouble)
    program.ipc.command("seek", 20, "absolute+exact")
    wait_for_next(program)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.frame(film) == film.frame_at(20)
    assert_reported(program, why)


@pytest.mark.parametrize("name", ["silent.mp4", "360p-key50.mp4"])
def test_that_gets_stuck_while_the_film_plays(play, films, troubles, name: str):
    """The film goes on where its frame stood, although the sound played on."""
    troubles.begin("hardware")
    troubles.begin("wedges-in-play")
    film = films(name)
    program = play(film, "--loop", environment=troubles.environment)
    assert decoder(program) == FAILING
    wait_for_next(program, timeout=60)
    assert 3 < program.ipc.wait_for("time-pos") < 8
    before = program.ipc.wait_for_counter("vitrine/frames-shown")
    program.ipc.wait_for("vitrine/frames-shown", lambda shown: shown > before + 50)
    assert_reported(program, "it stood still")
    assert program.reading(film).film == film.number


def test_in_a_playlist_the_film_after_it_is_ready_in_time(play, films, troubles):
    """A film that is preloaded while another film plays is opened with the next decoder."""
    troubles.begin("hardware")
    troubles.begin("refuses")
    first, second = films("short.mp4"), films("square-4x3.mp4")
    program = play(first, second, "--end", "stop", environment=troubles.environment)
    wait_for_next(program)
    program.ipc.wait_for("playlist-pos", lambda place: place == 1, timeout=30)
    program.ipc.wait_for("vitrine/decoder", lambda name: name == NEXT)
    program.ipc.wait_for("time-pos", lambda place: place is not None and place > 1)


def test_that_takes_the_program_with_it(play, films, troubles, tmp_path):
    """In the second start in a row; the third one uses the next decoder, and so do those after it."""
    troubles.begin("hardware")
    troubles.begin("falls")
    film, state = films("360p-key50.mp4"), tmp_path / "state"
    state.mkdir()
    for _ in range(2):
        program = play(film, "--state", str(state), wait=False, environment=troubles.environment)
        try:
            assert program.wait_until_ended(20) < 0
        except subprocess.TimeoutExpired:
            pytest.fail(f"it goes on: {program.log()}")
    for _ in range(2):
        program = play(film, "--state", str(state), environment=troubles.environment)
        wait_for_next(program)
        assert "brought the program down twice" in program.log()
        before = program.ipc.wait_for_counter("vitrine/frames-shown")
        program.ipc.wait_for("vitrine/frames-shown", lambda shown: shown > before + 60)
        program.stop()
    # Another version of the program tries it again.
    kept = state / "playing.json"
    reported = json.loads(kept.read_text())
    assert reported["record"]["decoders"]
    kept.write_text(json.dumps({**reported, "version": "before"}))
    troubles.end("falls")
    program = play(film, "--state", str(state), environment=troubles.environment)
    assert decoder(program) == FAILING


def test_what_fails_is_remembered_for_the_next_start(play, films, troubles, tmp_path):
    troubles.begin("hardware")
    troubles.begin("refuses")
    film, state = films("360p-key50.mp4"), tmp_path / "state"
    state.mkdir()
    program = play(film, "--state", str(state), environment=troubles.environment)
    wait_for_next(program)
    assert_reported(program, "")
    end = time.monotonic() + 10
    while FAILING not in pathlib.Path(state / "playing.json").read_text():
        assert time.monotonic() < end
        time.sleep(0.05)
    program.stop()
    program = play(film, "--state", str(state), environment=troubles.environment)
    wait_for_next(program)
    assert_reported(program, "", count=0)
