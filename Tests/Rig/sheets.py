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
    """The pictures of a complete sheet; fails if the file is no BIF."""
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


def planes(pictures: list[Picture]) -> list[tuple[numpy.ndarray, ...]]:
    """Y, Cb and Cr of pictures of one size, as the JPEGs have them."""
    width, height = size(pictures[0])
    # By default, ffmpeg assumes that JPEG's range is requested, and converts nothing.
    command = ["ffmpeg", "-v", "error", "-f", "mjpeg", "-i", "-", "-fps_mode", "passthrough", "-pix_fmt", "yuvj420p", "-f", "rawvideo", "-"]
    data = b"".join(picture.jpeg for picture in pictures)
    raw = subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True, timeout=100).stdout
    across, down = (width + 1) // 2, (height + 1) // 2
    luma, chroma = width * height, across * down
    frames_ = numpy.frombuffer(raw, numpy.uint8).reshape(len(pictures), luma + 2 * chroma)
    return [
        (frame[:luma].reshape(height, width), frame[luma : luma + chroma].reshape(down, across),
         frame[luma + chroma :].reshape(down, across))
        for frame in frames_
    ]


def readings(pictures: list[Picture], turned: int = 0) -> list[frames.Reading]:
    """The frame numbers in the pictures of a film that is turned clockwise to be upright."""
    read = []
    for luma, _, _ in planes(pictures):
        stored = numpy.rot90(luma, turned // 90)
        read.append(frames.read(stored, frames.Rect(0, 0, stored.shape[1], stored.shape[0])))
    return read
