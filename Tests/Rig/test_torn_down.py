"""T8: whatever the player does when it is ended, nothing is leaked: GStreamer's tracer `leaks` checks it.
TORN_DOWN_SEED chooses other moments."""

import os
import random
import time
import zlib

import pytest

from bar import Finger, Layout, show_bar
from network import FILM, NO_CONNECTION, bytes_a_second, proxy, serve
from thorough import also
from tracers import LEAKS, end, gst_log

SEED = int(os.environ.get("TORN_DOWN_SEED", 1))
TIMES = 3
LAYOUT = Layout()

pytestmark = pytest.mark.slow


@pytest.fixture
def ended(play, gst_log, request):
    """`ended(begin, *words, within=1)`: `begin` brings a program that plays `words` into a state, and within so many
    seconds it is ended; three times, at random moments."""
    dice = random.Random(SEED * 1000 + zlib.crc32(request.node.name.encode()))

    def run(begin, *words, within: float, before=lambda: None, wait: bool = True) -> None:
        for _ in range(TIMES):
            before()
            program = play(*words, wait=wait, environment=LEAKS | gst_log.environment("GST_TRACER:7"))
            begin(program, dice)
            after = dice.uniform(0, within)
            print(f"ended after {after:.3f} s")
            time.sleep(after)
            end(program)
            gst_log.nothing_left()

    return run


@pytest.mark.parametrize("name", ["tracks.mkv", "noise.mp4", *also("360p-key50.mp4", "still.jpg")])
def test_while_it_opens(ended, films, name):
    """A second film keeps the program running if the first one is none."""
    ended(lambda program, _: program.ipc, films(name), films("silent.mp4"), within=0.8, wait=False)


@pytest.mark.parametrize("paused", [True, False], ids=["paused", "playing"])
def test_in_mid_seek(ended, films, paused):
    def seek(program, dice) -> None:
        for _ in range(dice.randint(1, 4)):
            program.ipc.command("seek", dice.uniform(0, 59), "absolute+exact")

    ended(seek, films("360p-key250.mp4"), *(["--paused"] if paused else []), within=0.3)


def test_under_a_finger(ended, films, panel):
    finger = Finger(panel)

    def lift() -> None:
        if finger.steps:
            finger.wait()
            finger.up()
            finger.steps.clear()

    def drag(program, dice) -> None:
        panel.wait_until_read()
        show_bar(program, panel)
        finger.down(LAYOUT.x(dice.random()), LAYOUT.y)
        finger.glide(LAYOUT.x(dice.random()), seconds=1)

    ended(drag, films("360p-key50.mp4"), within=1, before=lift)
    lift()


def test_while_it_buffers(ended, films, proxy):
    rate = bytes_a_second(films(FILM))

    def starve(program, _) -> None:
        proxy.limit(rate / 3)
        program.ipc.command("seek", 50, "absolute+exact")
        program.ipc.wait_for("paused-for-cache", timeout=60)

    ended(starve, proxy.url(FILM), within=1, before=lambda: proxy.limit(rate * 2))


def test_while_it_connects_again(ended, films, proxy):
    """The server is there again, and does not answer."""
    proxy.limit(bytes_a_second(films(FILM)) * 2)

    def leave(program, _) -> None:
        proxy.leave()
        program.ipc.wait_for("vitrine/message", lambda text: text == NO_CONNECTION, timeout=60)
        proxy.stall()
        proxy.come_back()

    ended(leave, proxy.url(FILM), within=3, before=lambda: proxy.stall(False))


@pytest.mark.parametrize("names", [("brief.mp4", "brief.mkv"), ("brief-silent.mp4",)], ids=["films", "a loop"])
def test_as_one_film_follows_another(ended, films, names):
    def play_on(program, dice) -> None:
        ends = program.ipc.get("vitrine/ends") + dice.randint(1, 3)
        program.ipc.wait_for_counter("vitrine/ends", lambda count: count >= ends)

    ended(play_on, *map(films, names), "--loop", within=0.5)


def test_as_a_client_changes_films(ended, films):
    def change(program, dice) -> None:
        for _ in range(dice.randint(1, 4)):
            program.ipc.set("playlist-pos", dice.randrange(3))

    ended(change, films("short.mp4"), films("tracks.mkv"), films("vp9-opus.webm"), within=0.5)
