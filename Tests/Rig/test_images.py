"""The library's still images of a film (A9): the requested frame, at its time and in the film's shape."""

import os
import shutil
import subprocess

import numpy
import pytest
from PIL import Image

import frames
import sheets
from network import serve  # noqa: F401, a fixture
from thorough import also


@pytest.fixture
def images(tmp_path):
    """`images(address, *times, before=0, after=0, width=640)`: {requested time: (output, the picture or None)}, in the order of
    arrival."""

    def make(address: str, *times: int, before: int = 0, after: int = 0, width: int = 640, word: str | None = None) -> dict:
        program = os.path.join(os.environ["VITRINE_EMBEDDED"], "Images")
        words = [program, address, tmp_path, *map(str, (before, after, width)), *([word] if word else []), *map(str, times)]
        said = subprocess.run(words, check=True, capture_output=True, text=True, timeout=300).stdout.splitlines()
        made = {}
        for line in said:
            asked, _, rest = line.partition(" ")
            path = tmp_path / f"{asked}.png"
            made[int(asked) if asked.isdecimal() else asked] = rest, numpy.array(Image.open(path).convert("RGB")) if path.exists() else None
        return made

    return make


def number(picture: numpy.ndarray) -> int:
    return frames.read(picture, frames.Rect(0, 0, picture.shape[1], picture.shape[0])).frame


# When the first frame is shown, in ms after the film's start.
FIRST = {"vp9-opus.webm": 7, "short.mpg": 540, "disc.vob": 540, "long.ts": 80, "late.mp4": 1500}


@pytest.mark.parametrize(
    "name", ["360p-key250.mp4", "disc.vob", *also("720p-key50.mp4", "vp9-opus.webm", "short.mpg", "long.ts", "late.mp4", "jpegs.avi")])
def test_each_time_has_its_frame(films, images, name):
    film, first = films(name), FIRST.get(name, 0)
    times = [0, 20, 1000, 1900] if film.seconds < 20 else [7312, 0, 41, 30_000, 59_990]
    made = images(film.path, *times)
    assert list(made) == sorted(times)
    for time, (said, picture) in made.items():
        frame = film.frame_at(max(time - first, 0) / 1000)
        assert number(picture) == frame
        actual = int(said.split()[0])
        assert abs(actual - first - frame * 1000 / film.rate) <= 1
        assert abs(picture.shape[1] / picture.shape[0] - film.aspect) < 0.02


@pytest.mark.parametrize(("name", "time", "key"), [("360p-key50.mp4", 3900, 50), ("disc.vob", 2200, 30)])
def test_a_key_frame_will_do_where_one_is_near_enough(films, images, name, time, key):
    """It is within two seconds, and not within a fifth of one. A DVD's demuxer cannot find it by itself."""
    film, first = films(name), FIRST.get(name, 0)
    for before, frame in (2000, key), (200, film.frame_at((time - first) / 1000)):
        said, picture = images(film.path, time, before=before)[time]
        assert number(picture) == frame
        assert abs(int(said.split()[0]) - first - frame * 40) <= 1


def test_a_sheets_picture_will_do_where_one_is_near_enough(films, images, tmp_path):
    """This sheet has a picture at 5.2 s, where no key frame is, and none within four seconds: with less tolerance the exact
    frame is decoded."""
    path = shutil.copy2(films("silent.mp4").path, tmp_path / "film.mp4")
    subprocess.run([os.environ["VITRINE_BIN"], "prepare", path], check=True, stdout=subprocess.DEVNULL)
    sheets.write(f"{path}.bif", sheets.read(f"{path}.bif")[30::100])
    wanted = {(5000, 0, 300): 130, (5000, 300, 100): 125, (5500, 400, 0): 130, (5500, 200, 400): 137}
    seen = {}
    for time, before, after in wanted:
        said, picture = images(path, time, before=before, after=after)[time]
        seen[time, before, after] = number(picture)
        assert int(said.split()[0]) == number(picture) * 40
    assert seen == wanted


def test_a_sheets_pictures_are_the_same_frames(films, images, tmp_path):
    film = films("360p-key50.mp4")
    path = shutil.copy2(film.path, tmp_path / "film.mp4")
    subprocess.run([os.environ["VITRINE_BIN"], "prepare", path], check=True, stdout=subprocess.DEVNULL)
    made = images(path, 5000, 1040, 59_000, width=200)
    assert {time: number(picture) for time, (_, picture) in made.items()} == {
        time: film.frame_at(time / 1000) for time in (5000, 1040, 59_000)
    }
    for _, picture in made.values():
        assert picture.shape[1] == 200


def test_a_servers_file_has_images_and_its_list_has_none(images, serve):  # noqa: F811
    web = serve()
    made = images(web.url("360p-key50.mp4"), 3900, 20_000)
    assert {time: number(picture) for time, (_, picture) in made.items()} == {3900: 97, 20_000: 500}
    said, picture = images(web.url("list.m3u8"), 0)[0]
    assert picture is None and said.startswith("notMedia")


def test_what_has_no_video_says_so(films, images):
    said, picture = images(films("sound-only.m4a").path, 0)[0]
    assert picture is None and said.startswith("notMedia")


def test_what_is_cancelled_says_so(films, images):
    made = images(films("360p-key50.mp4").path, 0, 10_000, 20_000, word="cancel")
    assert made[0][1] is not None
    for time in (10_000, 20_000):
        said, picture = made[time]
        assert picture is None and said.startswith("cancelled")
    assert made["after"][0] == "20000" and made["given"][0] == "cancelled"


@pytest.mark.timeout(400)
@pytest.mark.parametrize("source", ["decoder", *also("sheet")])
@pytest.mark.parametrize("count", [20, *also(200)])
def test_many_images_take_the_memory_of_few(films, images, tmp_path, source, count):
    """One is in memory at a time: the process does not grow by more than a few once it has made three of them, with the
    decoder's frames."""
    film = films("720p-key50.mp4")
    path, width = film.path, 1120
    if source == "sheet":
        path, width = shutil.copy2(path, tmp_path / "film.mp4"), 640
        subprocess.run([os.environ["VITRINE_BIN"], "prepare", path], check=True, stdout=subprocess.DEVNULL)
    made = images(path, *range(40, 60_000, 60_000 // count), width=width, word="memory")
    memory = []
    for said, _ in made.values():
        _, size, kilobytes = said.split()
        assert size == f"{width}x{width * 9 // 16}"
        memory.append(int(kilobytes))
    image = width * width * 9 // 16 * 3 // 1024
    print(f"{source}, {count} images of {image} KB: {memory[0]} KB after the first, then {min(memory[1:])} to {max(memory[1:])}")
    assert len(memory) >= count
    assert max(memory) < max(memory[:3]) + 5 * image
