"""The frame number's reader (tools/lib/frames.py): the other tests rely on it. Needs no rig."""

import io

import numpy
import PIL.Image
import pytest

import frames
import scenery


def drawn(number: int, film: int = 5, size: tuple[int, int] = (640, 360), step: int = 3) -> numpy.ndarray:
    """A film's frame as RGB, with the chroma of half size, like a decoder's."""
    for planes in scenery.pictures(size, step + 1):
        pass
    frames.draw(planes, number, film)
    full = [planes[0]] + [plane.repeat(2, axis=0).repeat(2, axis=1) for plane in planes[1:]]
    y, u, v = (plane.astype(float) for plane in full)
    y, u, v = (y - 16) * 255 / 219, u - 128, v - 128
    rgb = numpy.stack((y + 1.596 * v, y - 0.392 * u - 0.813 * v, y + 2.017 * u), axis=2)
    return rgb.clip(0, 255).astype(numpy.uint8)


def shown(film: numpy.ndarray, display: tuple[int, int], aspect: float) -> tuple[numpy.ndarray, frames.Rect]:
    rect = frames.fit(display, aspect)
    picture = numpy.zeros((display[1], display[0], 3), numpy.uint8)
    size = round(rect.width), round(rect.height)
    x, y = int(rect.x), int(rect.y)
    picture[y : y + size[1], x : x + size[0]] = PIL.Image.fromarray(film).resize(size)
    return picture, rect


@pytest.mark.parametrize("number", [0, 1, 255, 256, 1499, 43690, 65535])
def test_reads_the_number_and_the_film_that_were_drawn(number):
    picture = drawn(number)
    assert frames.read(picture, frames.Rect(0, 0, 640, 360)) == (number, 5)


@pytest.mark.parametrize("display", [(1024, 768), (800, 480), (1920, 1080), (1024, 600), (480, 800)])
def test_reads_after_scaling_to_a_display(display):
    picture, rect = shown(drawn(1234), display, 16 / 9)
    assert frames.read(picture, rect).frame == 1234


def test_reads_a_film_with_pixels_that_are_not_square():
    picture, rect = shown(drawn(77, size=(720, 576)), (1024, 768), 4 / 3)
    assert frames.read(picture, rect).frame == 77


@pytest.mark.parametrize("quality", [80, 40, 15])
def test_reads_through_the_noise_of_compression(quality):
    file = io.BytesIO()
    PIL.Image.fromarray(drawn(1001)).save(file, "jpeg", quality=quality)
    picture = numpy.array(PIL.Image.open(file))
    noise = numpy.random.default_rng(3).normal(0, 12, picture.shape)
    picture = (picture + noise).clip(0, 255).astype(numpy.uint8)
    assert frames.read(picture, frames.Rect(0, 0, 640, 360)).frame == 1001


def test_every_frame_reads_as_itself_and_no_other():
    planes = [numpy.zeros((360, 640), numpy.uint8), *(numpy.full((180, 320), 128, numpy.uint8) for _ in "UV")]
    for number in range(0, 1500, 7):
        frames.draw(planes, number, number % 16)
        assert frames.read(planes[0], frames.Rect(0, 0, 640, 360)) == (number, number % 16)


@pytest.mark.parametrize("level", [0, 128, 255])
def test_refuses_a_plain_picture(level):
    with pytest.raises(frames.NoFrame):
        frames.read(numpy.full((768, 1024, 3), level, numpy.uint8), frames.Rect(0, 96, 1024, 576))


def test_refuses_a_film_without_the_row():
    for planes in scenery.pictures((640, 360), 4):
        with pytest.raises(frames.NoFrame):
            frames.read(planes[0], frames.Rect(0, 0, 640, 360))


def test_refuses_a_film_of_another_shape_than_expected():
    picture, _ = shown(drawn(1234), (1024, 768), 16 / 9)
    with pytest.raises(frames.NoFrame):
        frames.read(picture, frames.fit((1024, 768), 4 / 3))
    with pytest.raises(frames.NoFrame):
        frames.read(picture, frames.Rect(-10, 0, 1024, 768))


def test_refuses_a_blend_of_two_frames():
    blend = (drawn(1234).astype(int) + drawn(1242)) // 2
    with pytest.raises(frames.NoFrame, match="two frames"):
        frames.read(blend.astype(numpy.uint8), frames.Rect(0, 0, 640, 360))


def test_refuses_a_picture_torn_within_the_row():
    torn, other = drawn(1234), drawn(1235)
    middle = round(360 * (frames.TOP + frames.HEIGHT / 2))
    torn[:middle] = other[:middle]
    with pytest.raises(frames.NoFrame, match="torn"):
        frames.read(torn, frames.Rect(0, 0, 640, 360))


@pytest.mark.parametrize("cell", range(len(frames.START), frames.CELLS - len(frames.STOP)))
def test_refuses_a_wrong_cell(cell):
    picture = drawn(1234)
    left = round(640 * (frames.LEFT + frames.WIDTH * cell / frames.CELLS))
    right = round(640 * (frames.LEFT + frames.WIDTH * (cell + 1) / frames.CELLS))
    picture[22:58, left:right] = 255 - picture[22:58, left:right]
    with pytest.raises(frames.NoFrame, match="checksum"):
        frames.read(picture, frames.Rect(0, 0, 640, 360))


def test_finds_the_film_between_black_bars():
    picture, rect = shown(drawn(1), (1024, 768), 16 / 9)
    assert frames.bounds(picture) == rect
    picture, rect = shown(drawn(1), (1024, 600), 4 / 3)
    found = frames.bounds(picture)
    assert abs(found.x - rect.x) <= 1 and abs(found.width - rect.width) <= 1 and found.height == 600


def test_a_film_fits_the_display_by_its_shape():
    assert frames.fit((1024, 768), 16 / 9) == (0, 96, 1024, 576)
    assert frames.fit((1024, 768), 4 / 3) == (0, 0, 1024, 768)
    assert frames.fit((800, 480), 4 / 3) == (80, 0, 640, 480)
