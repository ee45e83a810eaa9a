"""Helpers of tests of films over a network: servers of the test films, and a film's progress."""

import pathlib
import re

import pytest

import servers
from ipc import IPCError

FILM = "360p-key50.mp4"
NO_CONNECTION = "No connection to the film. Trying again …"
# The program's exit status.
NETWORK = 9


@pytest.fixture
def serve(films, tmp_path):
    """`serve()`: a web server with the test films, or `serve(folder)` with a folder's."""
    made = []

    def make(documents=None, **options) -> servers.WebServer:
        folder = tmp_path / f"server-{len(made)}"
        folder.mkdir()
        documents = documents or pathlib.Path(films(FILM).path).parent
        made.append(servers.WebServer(documents, folder, **options))
        return made[-1]

    yield make
    for server in made:
        server.stop()


@pytest.fixture
def proxy(serve):
    """A proxy before a web server with the test films."""
    proxy = servers.Proxy(serve().port)
    yield proxy
    proxy.leave()


def bytes_a_second(film) -> float:
    return pathlib.Path(film.path).stat().st_size / film.seconds


def plays_on(program, seconds: float = 1, timeout: float = 20) -> float:
    """Waits until the film has played for so long; returns its position."""
    start = program.ipc.wait_for("time-pos", lambda now: now is not None, timeout=timeout)
    return program.ipc.wait_for("time-pos", lambda now: now is not None and now >= start + seconds, timeout=timeout)


def shows_frames(program, count: int = 15, timeout: float = 20) -> None:
    shown = program.ipc.get("vitrine/frames-shown")
    try:
        program.ipc.wait_for_counter("vitrine/frames-shown", lambda now: now >= shown + count, timeout=timeout)
    except TimeoutError as error:
        names = ["time-pos", "pause", "seeking", "paused-for-cache", "cache-buffering-state"]
        reported = {name: program.ipc.get(name) for name in names}
        raise TimeoutError(f"{error}; {shown} before; {reported}") from error


def inspected(play, address: str) -> str:
    """The length and the seekability that `vitrine inspect` reports."""
    program = play.run("inspect", address)
    assert program.wait_until_ended(30) == 0, program.log()
    return re.search(r"^  duration   (.*)$", program.log(), re.MULTILINE)[1]


def said(program) -> str | None:
    """The message on the screen in place of the title."""
    try:
        return program.ipc.get("vitrine/message")
    except IPCError:
        return None
