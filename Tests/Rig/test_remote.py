"""A film that comes from a web server (M4): Debian's busybox, over the rig's loopback network."""

import os
import socket
import subprocess
import time
import urllib.parse

import numpy
import pytest

import servers
from bar import Finger, Layout, show_bar, wait_for_frame, wait_for_thumb

LAYOUT = Layout()


@pytest.fixture
def server(films):
    """`server("360p-key50.mp4")`: the film's address on a web server."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    folder = films("360p-key50.mp4").path.rsplit("/", 1)[0]
    process = subprocess.Popen(["busybox", "httpd", "-f", "-p", f"127.0.0.1:{port}", "-h", folder])
    end = time.monotonic() + 10
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except ConnectionRefusedError:
            assert time.monotonic() < end, "the web server does not answer"
            time.sleep(0.02)
    yield lambda name: f"http://127.0.0.1:{port}/{name}"
    process.kill()
    process.wait()


def row(program) -> numpy.ndarray:
    """The middle of the track as it is on the screen, one brightness per column."""
    return program.screenshot()[LAYOUT.centre].mean(axis=1)


def test_a_remote_film_is_sought_once_when_the_finger_lifts(play, films, panel, server):
    """M4, N1: while the finger is down the thumb follows, without seeks; at the release the exact frame is shown."""
    film = films("360p-key50.mp4")
    program = play(server("360p-key50.mp4"), "--paused")
    panel.wait_until_read()
    show_bar(program, panel)
    duration = program.ipc.wait_for("duration")
    sent = program.ipc.get("vitrine/seeks-sent")
    finger = Finger(panel)
    finger.down(LAYOUT.x(0.2), LAYOUT.y)
    target = LAYOUT.of_frame(1010, film, duration)
    finger.glide(target, seconds=1)
    finger.wait()
    wait_for_thumb(program, LAYOUT.thumb_x(target), near=LAYOUT.width / 100)
    assert program.ipc.get("vitrine/seeks-sent") == sent, "sought while the finger was down"
    finger.up()
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    wait_for_frame(program, film, 1010)
    assert program.ipc.get("vitrine/seeks-sent") == sent + 1


def test_the_bar_shows_how_far_a_remote_film_is_loaded(play, films, panel, server):
    """The issue's "buffered part": brighter than the rest of the track, which looks as with a local film."""
    loaded, unloaded = (round(LAYOUT.x(value) * LAYOUT.width) for value in (0.1, 0.9))
    rows, film = [], films("360p-key50.mp4")
    proxy = servers.Proxy(urllib.parse.urlsplit(server("")).port)
    # A fifth of it in a second: the loaded part of a paused film depends on the speed.
    proxy.limit(os.path.getsize(film.path) / 5)
    for where in (film, proxy.url("360p-key50.mp4")):
        program = play(where, "--paused")
        panel.wait_until_read()
        # A paused player queries its source at each touch, and not otherwise.
        if where != film:
            proxy.wait_until_sent(os.path.getsize(film.path) / 5)
        finger = Finger(panel)
        # Held, so that the bar stays.
        show_bar(program, panel)
        finger.down(LAYOUT.x(0.01), LAYOUT.y)
        wait_for_thumb(program, LAYOUT.thumb_x(LAYOUT.x(0.01)), near=LAYOUT.width / 100)
        rows.append(row(program))
        # The answer arrives after the touch.
        end = time.monotonic() + 10
        while len(rows) == 2 and rows[1][loaded] < rows[0][loaded] + 20 and time.monotonic() < end:
            rows[1] = row(program)
        finger.up()
        program.stop()
    proxy.leave()
    local, remote = rows
    assert remote[loaded] > local[loaded] + 20
    assert remote[unloaded] == pytest.approx(local[unloaded], abs=3)
