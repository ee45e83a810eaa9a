"""Damaged films and subtitles never crash the player, block it or use up its memory, and the next film plays (T4, T8).
`tools/check rig -- -k mutations --long` damages 400 of each kind; MUTATIONS_SEED chooses others."""

import contextlib
import os
import pathlib
import random
import shutil
import time
import zlib

import derived
import mistakes
import mutations
import pytest

KINDS = {"mp4": "brief.mp4", "mkv": "brief.mkv", "webm": "brief.webm", "ts": "brief.ts", "srt": "brief.mp4"}
FEW, MANY = 5, 400
SEED = int(os.environ.get("MUTATIONS_SEED", 1))
# The statuses of `vitrine --help` for a file: played, is none, no decoder, no more.
STATUSES = (0, 3, 4)
# The most megabytes at any moment, for a board with 1,024 in total. Of 2,000 inspected files the worst took half of it.
# For played ones, a decoder may believe a damaged header, and keeps 16 frames of up to 12 MB each (4K).
INSPECTED, PLAYED = 200, 400

# Each file has its own limit.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]


@pytest.fixture(params=KINDS)
def damaged(request, films, tmp_path) -> list[pathlib.Path]:
    """Films to play; for a subtitle file, the film beside it."""
    kind = request.param
    dice = random.Random(SEED * 1000 + zlib.crc32(kind.encode()))
    whole = pathlib.Path(films(KINDS[kind]).path)
    made = []
    for number in range(MANY if request.config.getoption("--long") else FEW):
        path = tmp_path / f"{number}{whole.suffix}"
        if kind == "srt":
            path.symlink_to(whole)
            # In the chosen language: read, and shown.
            path.with_suffix(".en.srt").write_bytes(mutations.mutated(derived.srt("Text", 1).encode(), dice))
        else:
            path.write_bytes(mutations.mutated(whole.read_bytes(), dice))
        made.append(path)
    return made


def keep(path: pathlib.Path) -> str:
    """Keeps it, so that the reason can be found."""
    folder = pathlib.Path(os.environ.get("RIG_OUT", "/tmp")) / "failed"
    folder.mkdir(exist_ok=True)
    for file in path.parent.glob(f"{path.stem}.*"):
        shutil.copy(file, folder / f"mutation-{file.name}")
    return f"{path.name}, kept in {folder}"


def end_of(program, seconds: float) -> tuple[int, int]:
    """Its exit status, and its peak memory in megabytes. Memory that it frees before its end counts."""
    most, end = 0, time.monotonic() + seconds
    while program.process.poll() is None:
        assert time.monotonic() < end, f"runs for {seconds} s"
        # It may have ended meanwhile.
        with contextlib.suppress(FileNotFoundError, IndexError):
            most = max(most, program.memory("VmHWM") >> 20)
        time.sleep(0.01)
    return program.wait_until_ended(), most


def test_damaged_films_are_inspected(play, damaged, request):
    megabytes = []
    # The plugins are loaded for each: slow.
    for path in damaged if request.config.getoption("--long") else damaged[:2]:
        subtitles = path.with_suffix(".en.srt")
        inspected = subtitles if subtitles.exists() else path
        status, most = end_of(play.run("inspect", inspected, environment=mistakes.DAMAGED), 30)
        assert status in STATUSES, f"status {status}: {keep(path)}"
        assert most < INSPECTED, f"{most} MB: {keep(path)}"
        megabytes.append(most)
    print(f"at most {max(megabytes)} MB")


def test_damaged_films_are_played(play, films, damaged):
    """Two seconds of each, one after another in one process."""
    whole = films("short.mp4")
    words = [*map(str, damaged), whole, "--end", "stop", "--subtitle", "en"]
    program = play(*words, wait=False, environment=mistakes.DAMAGED)
    for place, path in enumerate(damaged):
        try:
            program.ipc.wait_for("playlist-pos", lambda now: now is None or now > place, timeout=2)
        except TimeoutError:
            program.ipc.command("playlist-next")
        except ConnectionError:
            pytest.fail(f"ended with {program.wait_until_ended()}: {keep(path)}")
    program.ipc.wait_for("path", lambda path: path == whole.path)
    program.ipc.wait_for("eof-reached", timeout=20)
    # A busy machine may lose the last ones, and then seeks the very last.
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.frame(whole) >= whole.frames - 5
    most = program.memory("VmHWM") >> 20
    print(f"at most {most} MB")
    assert most < PLAYED
