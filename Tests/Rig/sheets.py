"""Scrub sheets as files: Roku's BIF, read independently of Vitrine's code, and the frame numbers in its pictures."""

import struct
import subprocess
from typing import NamedTuple

import frames
import numpy


class Picture(NamedTuple):
    """One picture of a sheet."""

    milliseconds: int
    jpeg: bytes


def read(path) -> list[Picture]:
    """The pictures of a complete sheet; fails where the file is no BIF."""
    data = open(path, "rb").read()
    assert data[:8] == b"\x89BIF\r\n\x1a\n", data[:8]
    version, count, multiplier = struct.unpack_from("<III", data, 8)
    assert version == 0 and multiplier == 1
    table = [struct.unpack_from("<II", data, 64 + 8 * line) for line in range(count + 1)]
    assert table[-1] == (0xFFFFFFFF, len(data))
    assert sorted(table) == table
    return [Picture(time, data[start:end]) for (time, start), (_, end) in zip(table, table[1:])]


def size(picture: Picture) -> tuple[int, int]:
    """Width and height, from the JPEG's frame header."""
    at = 2
    while picture.jpeg[at + 1] not in (0xC0, 0xC1):
        at += 2 + struct.unpack_from(">H", picture.jpeg, at + 2)[0]
    height, width = struct.unpack_from(">HH", picture.jpeg, at + 5)
    return width, height


def grey(pictures: list[Picture]) -> list[numpy.ndarray]:
    """Their luma, all of one size, as the JPEGs have it."""
    width, height = size(pictures[0])
    command = ["ffmpeg", "-v", "error", "-f", "mjpeg", "-i", "-", "-fps_mode", "passthrough"]
    command += ["-vf", "extractplanes=y", "-f", "rawvideo", "-"]
    data = b"".join(picture.jpeg for picture in pictures)
    raw = subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True, timeout=100).stdout
    return list(numpy.frombuffer(raw, numpy.uint8).reshape(len(pictures), height, width))


def readings(pictures: list[Picture]) -> list[frames.Reading]:
    """What the pictures' blocks say."""
    width, height = size(pictures[0])
    return [frames.read(picture, frames.Rect(0, 0, width, height)) for picture in grey(pictures)]
