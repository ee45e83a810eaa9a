"""Scrub sheets that `vitrine prepare` makes: which frame each picture is of, its shape and colours, and runs that are broken off."""

import os
import shutil
import signal
import subprocess
import time

import pytest
import sheets

VITRINE = os.environ["VITRINE_BIN"]


def prepare(*words, expect=0, **options) -> subprocess.CompletedProcess:
    result = subprocess.run(
        [VITRINE, "prepare", *map(str, words)], capture_output=True, text=True, timeout=100, **options)
    assert result.returncode == expect, (result.returncode, result.stdout, result.stderr)
    return result


@pytest.fixture
def copy(tmp_path, films):
    """Copies a film into a folder of the test's own."""

    def copied(name, folder=films.folder):
        return shutil.copy(folder / name, tmp_path / name)

    return copied


@pytest.mark.parametrize(
    ("name", "size", "count"),
    [
        ("360p-key250.mp4", (640, 360), 1500),
        ("pal-4x3.mp4", (480, 360), 250),
        ("vp9-opus.webm", (640, 360), 250),
        ("high10.mp4", (640, 360), 125),
    ],
)
def test_each_frame_is_in_its_place(copy, name, size, count):
    film = copy(name)
    prepare(film)
    pictures = sheets.read(f"{film}.bif")
    assert sheets.size(pictures[0]) == size
    assert [reading.frame for reading in sheets.readings(pictures)] == list(range(count))
    assert [picture.milliseconds for picture in pictures] == [40 * frame for frame in range(count)]
