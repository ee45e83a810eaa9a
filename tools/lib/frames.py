"""The frame number in the test films' pictures: drawn by tools/films, read back from screenshots.

A row of cells near the film's upper edge, each black or white:

    start 1 0 1 | 16 bits frame number | 4 bits film | 8 bits CRC | 0 1 0 stop      (most significant bit first)

The row's place is given in fractions of the film's frame, so that it survives scaling; a cell is 17 pixels wide in
a 640-pixel film. It ends above the middle: the on-screen display covers the lower part.
"""

from typing import NamedTuple

import numpy

START = (1, 0, 1)
STOP = (0, 1, 0)
NUMBER_BITS = 16
FILM_BITS = 4
CRC_BITS = 8
CELLS = len(START) + NUMBER_BITS + FILM_BITS + CRC_BITS + len(STOP)

# Of the film's width and height.
LEFT, WIDTH = 0.05, 0.90
TOP, HEIGHT = 0.06, 0.10

# Luma of BT.601/709 video range.
BLACK, WHITE = 16, 235
# White must be this much brighter than black, of 255, and a cell no further than this part of it from one of the two:
# between them lies a blend of two frames, or no mark at all.
CONTRAST = 90
DOUBT = 0.3


class Rect(NamedTuple):
    """A rectangle on the display, in pixels from its upper left corner."""

    x: float
    y: float
    width: float
    height: float


class Reading(NamedTuple):
    """What a picture says: the film's frame (the first is 0) and which film (tools/lib/films.py)."""

    frame: int
    film: int


class NoFrame(Exception):
    """The picture shows no readable frame number; says why."""


def fit(display: tuple[int, int], aspect: float) -> Rect:
    """The largest rectangle of the shape `aspect` (width / height as shown) in the middle of the display."""
    width, height = display
    if width / height > aspect:
        return Rect((width - height * aspect) / 2, 0, height * aspect, height)
    return Rect(0, (height - width / aspect) / 2, width, width / aspect)


def _crc(value: int) -> int:
    """CRC-8, polynomial 0x07, of the number and the film; starts at 0xff, so that an all-black row is wrong."""
    crc = 0xFF
    for shift in (16, 8, 0):
        crc ^= value >> shift & 0xFF
        for _ in range(8):
            crc = (crc << 1 ^ 0x07 if crc & 0x80 else crc << 1) & 0xFF
    return crc


def cells(frame: int, film: int) -> list[int]:
    """The row for one frame, 1 for white."""
    if not 0 <= frame < 1 << NUMBER_BITS or not 0 <= film < 1 << FILM_BITS:
        raise ValueError(f"frame {frame} of film {film} has no room in the row")
    value = frame << FILM_BITS | film
    bits = value << CRC_BITS | _crc(value)
    count = NUMBER_BITS + FILM_BITS + CRC_BITS
    return [*START, *(bits >> (count - 1 - i) & 1 for i in range(count)), *STOP]


def draw(planes: list[numpy.ndarray], frame: int, film: int) -> None:
    """Draws the row into the planes Y, U, V (uint8, 4:2:0), on a black ground one third of a cell wider, colourless."""
    luma, *chroma = planes
    height, width = luma.shape
    edges = [round(width * (LEFT + WIDTH * i / CELLS)) for i in range(CELLS + 1)]
    top, bottom = round(height * TOP), round(height * (TOP + HEIGHT))
    margin = round(width * WIDTH / CELLS / 3)
    luma[max(0, top - margin) : bottom + margin, edges[0] - margin : edges[-1] + margin] = BLACK
    for plane in chroma:
        plane[max(0, top - margin) // 2 : (bottom + margin) // 2, (edges[0] - margin) // 2 : (edges[-1] + margin) // 2] = 128
    for cell, left, right in zip(cells(frame, film), edges, edges[1:]):
        luma[top:bottom, left:right] = WHITE if cell else BLACK


def _levels(grey: numpy.ndarray, rect: Rect, part: float) -> numpy.ndarray:
    """Mean brightness of each cell's middle, in the strip around `part` (0 ... 1) of the row's height."""
    height, width = grey.shape
    top = round(rect.y + rect.height * (TOP + HEIGHT * (part - 0.12)))
    bottom = max(top + 1, round(rect.y + rect.height * (TOP + HEIGHT * (part + 0.12))))
    cell = rect.width * WIDTH / CELLS
    levels = []
    for i in range(CELLS):
        middle = rect.x + rect.width * LEFT + cell * (i + 0.5)
        left = round(middle - cell / 4)
        right = max(left + 1, round(middle + cell / 4))
        if left < 0 or top < 0 or right > width or bottom > height:
            raise NoFrame(f"the film's rectangle {tuple(rect)} is not within the {width}x{height} picture")
        levels.append(grey[top:bottom, left:right].mean())
    return numpy.array(levels)


def _bits(levels: numpy.ndarray) -> list[int]:
    guards = numpy.array([*START, *([-1] * (CELLS - len(START) - len(STOP))), *STOP])
    white, black = levels[guards == 1].mean(), levels[guards == 0].mean()
    if white - black < CONTRAST:
        raise NoFrame(f"no frame number here: guard cells {white:.0f} and {black:.0f} of 255")
    shares = (levels - black) / (white - black)
    doubtful = numpy.flatnonzero(numpy.minimum(abs(shares), abs(shares - 1)) > DOUBT)
    if doubtful.size:
        raise NoFrame(f"cell {doubtful[0]} is neither black nor white ({shares[doubtful[0]]:.2f}): two frames at once?")
    return [int(share > 0.5) for share in shares]


def read(picture: numpy.ndarray, rect: Rect) -> Reading:
    """Reads the row out of an RGB (height x width x 3) or grey picture whose film fills `rect`; raises NoFrame."""
    picture = numpy.asarray(picture)
    grey = picture.astype(float) if picture.ndim == 2 else picture[:, :, :3].astype(float) @ (0.299, 0.587, 0.114)
    # Twice, near the row's upper and lower edge: a torn picture reads differently.
    upper, lower = _bits(_levels(grey, rect, 0.25)), _bits(_levels(grey, rect, 0.75))
    if upper != lower:
        raise NoFrame("the row's upper and lower half differ: a torn picture")
    if tuple(upper[: len(START)]) != START or tuple(upper[-len(STOP) :]) != STOP:
        raise NoFrame("the guard cells are wrong")
    bits = upper[len(START) : -len(STOP)]
    number = int("".join(map(str, bits)), 2)
    value, crc = number >> CRC_BITS, number & 0xFF
    if _crc(value) != crc:
        raise NoFrame(f"checksum wrong: frame {value >> FILM_BITS}, film {value & 0xF}, CRC {crc:#04x}")
    return Reading(value >> FILM_BITS, value & (1 << FILM_BITS) - 1)


def number(picture: numpy.ndarray, aspect: float = 16 / 9) -> int | None:
    """The frame of the film that fills the display as far as its shape `aspect` allows; None where none is to be read."""
    try:
        return read(picture, fit((picture.shape[1], picture.shape[0]), aspect)).frame
    except NoFrame:
        return None


def bounds(picture: numpy.ndarray, black: int = 24) -> Rect:
    """The smallest rectangle around everything brighter than `black` (of 255): the film between its black bars.

    The films' pictures are nowhere as dark as that at their edges.
    """
    bright = numpy.asarray(picture)[:, :, :3].max(axis=2) > black
    rows, columns = numpy.flatnonzero(bright.mean(axis=1) > 0.1), numpy.flatnonzero(bright.mean(axis=0) > 0.1)
    if not rows.size or not columns.size:
        raise NoFrame("the picture is black")
    left, right, top, bottom = (int(edge) for edge in (columns[0], columns[-1], rows[0], rows[-1]))
    return Rect(left, top, right - left + 1, bottom - top + 1)
