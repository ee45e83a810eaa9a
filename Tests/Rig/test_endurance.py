"""Many fingers: nothing hangs, nothing grows (M7, M8, T8)."""

import contextlib
import random
import time
from collections.abc import Callable

import pytest

import descriptors
from bar import Layout, show_bar
from ipc import IPCError
from test_scrub_sheet import prepared  # noqa: F401, a fixture
from test_soak import FRAMEBUFFERS
from thorough import IS_ASKED, also

LAYOUT = Layout()
DRAGS = 2000 if IS_ASKED else 80
# The allocator's use of buffers varies; 80 drags that each lost one 360p frame would be 28 MB.
GROWTH = 16_000_000


def count_framebuffers() -> int:
    return FRAMEBUFFERS.read_text().count("framebuffer[")


@pytest.mark.slow
@pytest.mark.timeout(7200 if IS_ASKED else 240)
@pytest.mark.parametrize("has_sheet", [False, *also(True)], ids=["decoded", "sheet"])
def test_random_drags(play, films, prepared, panel, has_sheet):
    """Random places, lengths and speeds, most of them released in motion; half of them paused, half playing. Each
    release is answered with the requested frame; then no seek is pending, and fds, threads, framebuffers and memory are
    as before."""
    film = films("360p-key50.mp4")
    program = play(prepared("360p-key50.mp4") if has_sheet else film, "--loop", "--paused")
    panel.wait_until_read()
    chance = random.Random(20)
    duration = program.ipc.wait_for("duration")
    program.ipc.command("observe_property", 900, "seeking")
    slowest = 0.0

    def drag() -> None:
        nonlocal slowest
        show_bar(program, panel)
        frame = chance.randrange(film.frames - 50)
        places = [(LAYOUT.x(chance.random()), LAYOUT.y) for _ in range(chance.randint(1, 3))]
        places.append((LAYOUT.of_frame(frame, film, duration), LAYOUT.y))
        steps = panel.path(places, seconds=chance.choice((0.03, 0.06, 0.1, 0.2)), hold=chance.choice((0, 0, 0.07)))
        lifted, wanted = time.monotonic(), {frame}
        # A turn of less than a millimetre is taken for the panel's noise, unless the player reads both places at once. The
        # place before may be between two frames.
        first, before, last = (step.x for step in steps[-3:])
        if (before - first) * (last - before) < 0 and abs(last - before) * LAYOUT.width < 5:
            turned = LAYOUT.frame(before, film, duration)
            wanted |= {turned - 1, turned, turned + 1}
        # Queries overtake the finger's own events on the player's loop at first: repeated until they match.
        while True:
            seeking, shown = program.ipc.get("seeking"), program.ipc.get("vitrine/frame-time")
            frame_shown = round(shown / 1e9 * film.rate)
            passed = (time.monotonic() - lifted) * film.rate
            exact = any(one <= frame_shown <= one + (0 if paused else passed + 2) for one in wanted)
            if not seeking and exact:
                break
            assert time.monotonic() - lifted < 15, f"frame {frame} asked, {frame_shown} shown, seeking: {seeking}"
        slowest = max(slowest, time.monotonic() - lifted)

    paused = True
    for _ in range(20):  # The first ones fill pools and caches.
        drag()
    program.ipc.wait_for_counter("vitrine/osd-visible", lambda visible: not visible, timeout=6)
    files = descriptors.kinds(program.process.pid)
    threads, memory, framebuffers = program.threads(), program.memory(), count_framebuffers()
    for number in range(DRAGS):
        if number == DRAGS // 2:
            paused = False
            program.ipc.set("pause", False)
        drag()
    assert program.ipc.get("pause") is False
    program.ipc.set("pause", True)
    program.ipc.wait_for("core-idle")
    program.ipc.wait_for_counter("vitrine/osd-visible", lambda visible: not visible, timeout=6)
    figures = f"slowest release {slowest:.2f} s, memory {memory / 1e6:.0f} -> {program.memory() / 1e6:.0f} MB"
    print(figures)
    assert program.ipc.get("vitrine/rebuilds") == 0
    assert program.ipc.get("vitrine/seeks-completed") <= program.ipc.get("vitrine/seeks-sent")
    # One may be read just now.
    end = time.monotonic() + 5
    while (grown := descriptors.kinds(program.process.pid) - files) and time.monotonic() < end:
        time.sleep(0.1)
    assert not grown, f"{grown}, {figures}"
    # One frame may wait to be shown.
    assert abs(count_framebuffers() - framebuffers) <= 2, f"{framebuffers} framebuffers before, {count_framebuffers()} after"
    # A queue's worker may still exist, or not yet.
    assert abs(program.threads() - threads) <= 4, f"{threads} threads before, {program.threads()} after"
    assert program.memory() - memory < GROWTH, figures


@pytest.mark.slow
def test_films_opened_again_and_again_leave_nothing(play, films):
    """T8: films opened thirty times, each opened while the one before plays."""
    names = ["short.mp4", "square-4x3.mp4", "vp9-opus.webm"]
    program = play(films(names[-1]))

    def open_all() -> None:
        for name in names:
            open_film(program, films(name))
            program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.05)

    leaves_nothing(program, open_all)


def open_film(program, film) -> None:
    program.ipc.command("loadfile", film.path)
    program.ipc.wait_for("path", lambda path: path == film.path)


def close(program) -> int:
    """The number of fds without a film, once it is stable."""
    program.ipc.command("stop")
    program.ipc.wait_for("idle-active")
    end, counts = time.monotonic() + 20, [-1]
    while len(set(counts[-10:])) > 1 or len(counts) < 10:
        assert time.monotonic() < end, f"fds come and go while nothing is played: {counts}"
        counts.append(program.fds())
        time.sleep(0.05)
    return counts[-1]


def leaves_nothing(program, play_some: Callable[[], None]) -> None:
    """Plays twice, and eight times more: fds, threads and memory without a film are the same."""
    play_some()
    play_some()
    fds, threads, memory = close(program), program.threads(), program.memory()
    for _ in range(8):
        play_some()
    assert close(program) == fds
    assert abs(program.threads() - threads) <= 4
    assert program.memory() - memory < GROWTH, f"{memory / 1e6:.0f} -> {program.memory() / 1e6:.0f} MB"


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name, place", also(("jump.ts", 50), ("wrap.ts", 95), ("clocks.ts", 33)))
def test_recordings_with_clocks_of_their_own_leave_nothing(play, films, name, place):
    """T8: each time sought before their clocks have been read, played to their end and, from there, reopened to
    loop."""
    film = films(name)
    program = play(film, "--end", "loop")

    def play_some() -> None:
        open_film(program, film)
        # Refused, once the clocks have been read.
        with contextlib.suppress(IPCError):
            program.ipc.command("seek", place, "absolute-percent+exact")
        ends = program.ipc.get("vitrine/ends")
        program.ipc.wait_for_counter("vitrine/ends", lambda now: now >= ends + 2, timeout=60)

    leaves_nothing(program, play_some)
