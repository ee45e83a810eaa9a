"""Damaged films and subtitles never bring the player down, hold it up or eat its memory, and the next film plays (T4, T8).
`tools/check rig -- -k mutations --long` damages 400 of each kind; MUTATIONS_SEED chooses others."""

import os
import pathlib
import random
import shutil
import zlib

import derived
import mutations
import pytest

KINDS = {"mp4": "brief.mp4", "mkv": "brief.mkv", "webm": "brief.webm", "ts": "brief.ts", "srt": "brief.mp4"}
FEW, MANY = 5, 400
SEED = int(os.environ.get("MUTATIONS_SEED", 1))
# What `vitrine --help` lists for a file: played, is none, no decoder, no more.
STATUSES = (0, 3, 4)
MEGABYTES = 400

pytestmark = pytest.mark.slow


@pytest.fixture(params=KINDS)
def damaged(request, films, tmp_path) -> list[pathlib.Path]:
    """Films to be played; of a subtitle file, the film that it lies beside."""
    kind = request.param
    dice = random.Random(SEED * 1000 + zlib.crc32(kind.encode()))
    whole = pathlib.Path(films(KINDS[kind]).path)
    made = []
    for number in range(MANY if request.config.getoption("--long") else FEW):
        path = tmp_path / f"{number}{whole.suffix}"
        if kind == "srt":
            path.symlink_to(whole)
            path.with_suffix(".srt").write_bytes(mutations.mutated(derived.srt("Text", 1).encode(), dice))
        else:
            path.write_bytes(mutations.mutated(whole.read_bytes(), dice))
        made.append(path)
    return made


def keep(path: pathlib.Path) -> str:
    """For whoever looks for the reason."""
    folder = pathlib.Path(os.environ.get("RIG_OUT", "/tmp")) / "failed"
    folder.mkdir(exist_ok=True)
    for file in path.parent.glob(f"{path.stem}.*"):
        shutil.copy(file, folder / f"mutation-{file.name}")
    return f"{path.name}, kept in {folder}"


def test_damaged_films_are_inspected(play, damaged, request):
    # The plugins are loaded for each: slow.
    for path in damaged if request.config.getoption("--long") else damaged[:2]:
        status = play.run("inspect", path).wait_until_ended(30)
        assert status in STATUSES, f"status {status}: {keep(path)}"


def test_damaged_films_are_played(play, films, damaged):
    """Two seconds of each, one after another in one process."""
    whole = films("short.mp4")
    program = play(*map(str, damaged), whole, "--end", "stop", "--subtitle", "en", wait=False)
    for place, path in enumerate(damaged):
        try:
            program.ipc.wait_for("playlist-pos", lambda now: now is None or now > place, timeout=2)
        except TimeoutError:
            program.ipc.command("playlist-next")
        except ConnectionError:
            pytest.fail(f"ended with {program.wait_until_ended()}: {keep(path)}")
    program.ipc.wait_for("path", lambda path: path == whole.path)
    program.ipc.wait_for("eof-reached", timeout=20)
    # A machine that is busy may lose the last ones.
    assert program.frame(whole) >= whole.frames - 5
    assert program.memory() < MEGABYTES << 20
