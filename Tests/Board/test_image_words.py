"""The messages of tools/image before it makes anything: about films that no card can hold, about sizes, about space
(B4)."""

import os
import pathlib
import subprocess

import pytest
from conftest import TOP

USAGE, DATA, NO_INPUT, UNAVAILABLE = 64, 65, 66, 69


def image(*words, by=(), **variables) -> subprocess.CompletedProcess:
    return subprocess.run([*by, TOP / "tools/image", *words], capture_output=True, text=True, timeout=60, cwd=TOP,
                          env=os.environ | variables)


@pytest.fixture
def film(tmp_path):
    """`film(NAME, SIZE)`: a sparse file."""
    def make(name: str, size: int = 1) -> pathlib.Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        with path.open("wb") as file:
            file.truncate(size)
        return path

    return make


@pytest.mark.parametrize("name", ["Part 1: intro?.mp4", 'a"b.mp4', "a*.mp4", "a<b.mp4", "a>b.mp4", "a\\b.mp4", "a|b.mp4", "a\tb.mp4"])
def test_a_name_that_fat_does_not_take(name, film):
    done = image("--film", film(name))
    assert done.returncode == DATA and name in done.stderr and "rename" in done.stderr, done.stderr


@pytest.mark.parametrize("name", ["film.mp4.", "film "])
def test_a_name_that_fat_cuts_short(name, film):
    done = image("--film", film(name))
    assert done.returncode == DATA and "ends in" in done.stderr, done.stderr


@pytest.mark.parametrize("first, second", [("film.mp4", "FILM.mp4"), ("Über.mp4", "über.MP4"), ("a/film.mp4", "b/film.mp4")])
def test_two_films_that_would_be_one(first, second, film):
    one, two = film(first), film(second)
    done = image("--film", one, "--film", two)
    assert done.returncode == DATA and str(one) in done.stderr and str(two) in done.stderr, done.stderr


def test_a_film_beyond_fats_size(film):
    done = image("--film", film("long.mp4", 1 << 32))
    assert done.returncode == DATA and "long.mp4 has 4096 MB" in done.stderr, done.stderr


def test_a_partition_that_is_too_small(film, tmp_path):
    """The message names a sufficient size, which is accepted. A film's scrub sheet comes with it; one that still grows does
    not."""
    film("a.mp4.bif", 100 << 20)
    film("a.mp4.sheet", 200 << 20)
    words = ("--kernel", "debian", "--film", film("a.mp4", 800 << 20))
    done = image("--boot-size", "1G", *words)
    assert done.returncode == USAGE and "--boot-size 1024M" in done.stderr and "at least 1079M" in done.stderr, done.stderr
    # The next check is about space.
    done = image("--boot-size", "1079M", *words, TMPDIR=str(tmp_path / "nowhere"))
    assert done.returncode == UNAVAILABLE and "nowhere is no folder" in done.stderr, done.stderr


def test_a_film_that_is_a_folder_or_not_there(film, tmp_path):
    for path in (tmp_path, tmp_path / "none.mp4"):
        done = image("--film", path)
        assert done.returncode == NO_INPUT and str(path) in done.stderr, done.stderr


def test_space_that_is_too_little(film, tmp_path):
    """As on a machine whose temporary files are in memory."""
    small = tmp_path / "small"
    small.mkdir()
    mounted = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
               'mount -t tmpfs -o size=64M none "$TMPDIR" && exec "$@"', "sh"]
    done = image("--film", film("a.mp4", 500 << 20), by=mounted, TMPDIR=str(small))
    assert done.returncode == UNAVAILABLE, done.stderr
    assert f"{small} has 64 MB free" in done.stderr and "3002 MB" in done.stderr and "TMPDIR" in done.stderr, done.stderr
