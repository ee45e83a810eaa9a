"""The part of a film that is read ahead by HTTP (M10): half a minute or 8 MB of it, and it does not wait for all of
that."""

import re
import time

from network import FILM, bytes_a_second, plays_on, proxy, serve

MOST = 8 << 20


def ahead(program) -> float:
    """The loaded seconds beyond the visible frame."""
    return program.ipc.get("demuxer-cache-time") - program.ipc.get("time-pos")


def wait_until_ahead(program, seconds: float, timeout: float = 30) -> None:
    program.ipc.wait_for(
        "demuxer-cache-time", lambda end: end is not None and end >= program.ipc.get("time-pos") + seconds, timeout=timeout
    )


def test_a_server_that_stalls_is_not_seen(play, films, proxy):
    """For ten seconds, once it has sent half a minute: the film plays on, and is read ahead again afterwards."""
    program = play(proxy.url(FILM))
    wait_until_ahead(program, 20)
    connections = proxy.connections
    proxy.stall()
    began, at = time.monotonic(), program.ipc.get("time-pos")
    while time.monotonic() < began + 10:
        assert program.ipc.get("paused-for-cache") is False
        time.sleep(0.1)
    assert program.ipc.get("time-pos") > at + 9
    proxy.stall(False)
    wait_until_ahead(program, 20)
    assert program.ipc.get("paused-for-cache") is False and proxy.connections == connections


def test_it_plays_as_soon_as_two_seconds_are_there(play, films, proxy):
    film = films(FILM)
    proxy.limit(bytes_a_second(film) * 1.5)
    program = play(proxy.url(FILM))
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.1)
    assert ahead(program) < 8
    plays_on(program, 4)
    assert program.ipc.get("paused-for-cache") is False


def test_it_is_read_ahead_where_the_pipeline_changes_meanwhile(play, proxy, troubles):
    """The film was read no further than its first seconds: the queue was not found while the bin changed, as it does
    when decodebin adds an element, and was not searched for again."""
    troubles.begin("bin-changes")
    wait_until_ahead(play(proxy.url(FILM), environment=troubles.environment), 20)


def test_nobody_else_sizes_the_queue(play, films, proxy):
    """uridecodebin does so with each bit rate in a tag, and reports it before ("overall bitrate"); if that was last,
    the film stopped after the first seconds without data from the server."""
    program = play(proxy.url(FILM), environment={"GST_DEBUG": "uridecodebin:5"})
    wait_until_ahead(program, 20)
    log = program.log()
    assert re.search(r"found bitrate [1-9]", log) and "overall bitrate" not in log


def test_after_a_seek_too(play, films, proxy):
    """By byte ranges; the loaded part is abandoned."""
    film = films(FILM)
    program = play(proxy.url(FILM))
    wait_until_ahead(program, 20)
    proxy.limit(bytes_a_second(film) * 1.5)
    program.ipc.command("seek", 50, "absolute+exact")
    program.ipc.wait_for("seeking", lambda seeking: seeking is False, timeout=20)
    assert 49.9 < plays_on(program, 0.2) < 55 and ahead(program) < 8
    program.ipc.command("seek", 10, "absolute+exact")
    program.ipc.wait_for("seeking", lambda seeking: seeking is False, timeout=20)
    proxy.limit(None)
    wait_until_ahead(program, 20)
    assert program.ipc.get("time-pos") < 30 and program.ipc.get("vitrine/rebuilds") == 0


def test_a_large_film_takes_no_more_memory(play, films, proxy):
    """8 MB are 28 s of this one, of 60."""
    film = films("720p-key50.mp4")
    program = play(proxy.url("720p-key50.mp4"))
    before = program.memory()
    wait_until_ahead(program, 22)
    plays_on(program, 3)
    # Counted from the frame on the screen, which lags behind on a busy machine; the film is 2.2 of it.
    assert ahead(program) * bytes_a_second(film) < 2 * MOST
    more = program.memory() - before
    print(f"{ahead(program):.1f} s ahead: {more / 1e6:.1f} MB more than {before / 1e6:.1f}")
    assert more < 3 * MOST
