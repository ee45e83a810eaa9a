"""Hours of a kiosk's life in minutes: a player's resources are the same after its thousandth loop as after its fiftieth
(T8). `tools/check rig -- -k soak --long -s` prints the slopes."""

import pathlib
from collections.abc import Callable, Iterator

import numpy
import pytest

import handles
from bar import Layout, show_bar

LAYOUT = Layout()
FRAMEBUFFERS = pathlib.Path("/sys/kernel/debug/dri/0/framebuffer")
SAMPLES = 40
# The most that the whole run may add to the memory: a film of 360p has 0.35 MB per frame, so that losing one in fifty
# would be more.
MEGABYTES = 8
# The limits of other resources: a film that is being opened has more for a while, including two descriptors, and a
# sample may coincide with any number of loads. The least of a quarter of the samples is the stable value.
MORE = {"fds": 1, "threads": 3, "framebuffers": 1, "handles": 1}

pytestmark = [pytest.mark.long, pytest.mark.timeout(1500)]


def held(program) -> dict[str, float]:
    return {"megabytes": program.memory() / 1e6, "fds": program.fds(), "threads": program.threads(),
            "framebuffers": FRAMEBUFFERS.read_text().count("framebuffer["), "handles": handles.count(program.process.pid)}


def soak(program, what: str, count: int, done: Callable[[], int], steps: Iterator[None]) -> None:
    """Runs until `done` has counted that many; fails if resources grow after the first tenth."""
    samples = []
    for _ in steps:
        now = done()
        if now >= count * (1 + 9 * len(samples) / SAMPLES) / 10:
            samples.append((now, held(program)))
        if now >= count:
            break
    counts = numpy.array([now for now, _ in samples])
    for name in samples[0][1]:
        values = numpy.array([one[name] for _, one in samples])
        common = numpy.median if name == "megabytes" else numpy.min
        quarters = [common(part) for part in numpy.array_split(values, 4)]
        slope = numpy.polyfit([numpy.median(part) for part in numpy.array_split(counts, 4)], quarters, 1)[0]
        print(f"{counts[-1]} {what}: {name} {values[0]:.1f} -> {values[-1]:.1f}, {slope * 100:+.3f} in a hundred,",
              "quarters " + " ".join(f"{one:.1f}" for one in quarters))
        if name == "megabytes":
            assert slope * count < MEGABYTES, values
        else:
            assert quarters[-1] - quarters[0] <= MORE[name] and slope * count < 2, (name, values)


@pytest.mark.parametrize("name", ["brief.mp4", "brief.mkv", "brief.webm"])
def test_soak_of_loops(play, films, name):
    program = play(films(name), "--loop")

    def steps():
        while True:
            before = program.ipc.get("vitrine/ends")
            yield program.ipc.wait_for_counter("vitrine/ends", lambda now: now > before)

    soak(program, f"loops of {name}", 500, lambda: program.ipc.get("vitrine/ends"), steps())


def test_soak_of_films(play, films):
    """Of several sizes and codecs, each left while it plays."""
    names = ["short.mp4", "square-4x3.mp4", "vp9-opus.webm", "short.mkv", "pal-16x9.mp4"]
    program = play(*map(films, names), "--end", "loop")
    changes = 0

    def steps():
        nonlocal changes
        while True:
            place = (program.ipc.get("playlist-pos") + 1) % len(names)
            program.ipc.set("playlist-pos", place)
            program.ipc.wait_for("path", lambda path: path == films(names[place]).path)
            program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.04)
            changes += 1
            yield

    soak(program, "films", 500, lambda: changes, steps())


def test_soak_of_preloaded_films(play, films):
    """A13: each film preloaded while the one before plays, and shown at its end; one a second."""
    program = play(*map(films, ("brief.mp4", "brief.mkv", "brief.webm")), "--end", "loop")

    def steps():
        while True:
            before = program.ipc.get("vitrine/ends")
            yield program.ipc.wait_for_counter("vitrine/ends", lambda now: now > before)

    soak(program, "films that follow", 500, lambda: program.ipc.get("vitrine/ends"), steps())


def test_soak_of_seeks(play, films, panel):
    """A finger that drags the film to and fro."""
    program = play(films("360p-key50.mp4"), "--loop")
    panel.wait_until_read()

    def steps():
        while True:
            show_bar(program, panel)
            panel.path([(LAYOUT.x(x), LAYOUT.y) for x in (0.1, 0.9, 0.2, 0.8)], seconds=3)
            program.ipc.wait_for_counter("seeking", lambda seeking: not seeking)
            yield

    soak(program, "seeks", 2000, lambda: program.ipc.get("vitrine/seeks-completed"), steps())
