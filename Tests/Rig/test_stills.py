"""Pictures without a duration, and very short films: how long they are shown, how often they are opened."""

import resource
import time

import pytest

import frames
from thorough import also


@pytest.mark.parametrize("name", ["still.jpg", *also("still.png", "one.mp4")])
def test_a_still_stands_for_ten_seconds(play, films, name):
    still, film = films(name), films("silent.mp4")
    program = play(still, film, "--end", "stop")
    begun = time.monotonic()
    assert program.frame(still) == 0
    program.ipc.wait_for("path", lambda path: path == film.path, timeout=30)
    assert time.monotonic() - begun > 8
    assert program.ipc.get("vitrine/ends") == 1


@pytest.mark.parametrize("name", ["one.mp4", *also("still.jpg")])
def test_a_still_that_is_alone_stands(play, films, name):
    """Its ends are reported as those of a film of ten seconds; it is opened once, and not sought."""
    program = play(films(name), "--end", "loop")
    program.ipc.wait_for_counter("vitrine/ends", lambda count: count >= 1, timeout=30)
    assert program.ipc.get("vitrine/ends") == 1
    assert program.ipc.get("vitrine/frames-shown") == 1
    assert program.frame(films(name)) == 0
    assert program.ipc.get("pause") is False


def test_a_paused_still_does_not_end(play, films):
    program = play(films("still.jpg"), films("silent.mp4"))
    program.ipc.set("pause", True)
    time.sleep(11)  # Nothing is to happen.
    assert program.ipc.get("vitrine/ends") == 0 and program.ipc.get("playlist-pos") == 0
    program.ipc.set("pause", False)
    program.ipc.wait_for("playlist-pos", lambda place: place == 1, timeout=30)
    assert program.ipc.get("vitrine/ends") == 1


def test_a_brief_film_is_opened_once_a_second_at_most(play, films):
    """Ten frames that are not seekable, for ever: each load costs the card a write, and the processor much more."""
    program = play(films("brief.ivf"), "--end", "loop")
    program.ipc.wait_for("seekable", lambda is_seekable: is_seekable is False)  # Unknown between two loads.
    program.ipc.events.clear()
    opened = []
    while len(opened) < 6:
        program.ipc.wait_for_event("start-file", timeout=20)
        opened.append(time.monotonic())
    assert opened[-1] - opened[0] > 0.9 * (len(opened) - 1)


def test_a_film_that_cannot_be_sought_in_ends_once(play, films):
    """A5: played on at its end it is reopened, and its end is another one."""
    program = play(films("brief.ivf"), "--end", "stop")
    for count in (1, 2):
        program.ipc.wait_for("pause")
        assert program.ipc.get("eof-reached") is True
        assert program.ipc.get("vitrine/ends") == count
        program.ipc.events.clear()
        program.ipc.set("pause", False)
        program.ipc.wait_for_event("start-file")
    program.ipc.wait_for("pause")


@pytest.mark.parametrize("name", ["brief.ivf", "brief.mjpeg"])
def test_a_film_of_unknown_length_loops(play, films, name):
    program = play(films(name), "--end", "loop")
    for count in (1, 3):
        program.ipc.wait_for_counter("vitrine/ends", lambda ends: ends >= count, timeout=20)
        assert program.frame(films(name)) < films(name).frames
    assert program.ipc.get("pause") is False


def test_a_panorama_is_shown_with_little_memory(play, films):
    """T4: 24 million pixels, with room for two of its decoded frames, of 36 MB each."""
    panorama, room = films("panorama.jpg"), 80_000_000
    program = play(films("short.mp4"), "--paused")
    shown, before = program.ipc.get("vitrine/frames-shown"), program.memory()
    limit = program.memory("VmSize") + room
    resource.prlimit(program.process.pid, resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
    program.ipc.command("loadfile", panorama.path)
    program.ipc.wait_for_counter("vitrine/frames-shown", lambda now: now > shown)
    assert program.ipc.get("path") == panorama.path
    assert program.memory("VmHWM") - before < room
    # A screenshot takes memory, too.
    resource.prlimit(program.process.pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    picture = program.screenshot()
    height, width = picture.shape[:2]
    assert frames.read(picture, frames.fit((width, height), 12000 / 2000)) == (0, panorama.number)
    assert program.ipc.get("vitrine/rebuilds") == 0
