"""Scrub sheets as files: Roku's BIF and the growing file, read independently of Vitrine's code, and the frame numbers in
their pictures."""

import os
import struct
import subprocess
import zlib
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


class Damaged(Exception):
    """A sheet claims a picture that it does not have."""


class Film(NamedTuple):
    """A film's identity in its sheet."""

    size: int
    hash: int


class Growing(NamedTuple):
    """A growing sheet, up to its last complete record."""

    film: Film
    pictures: list[Picture]
    # The offset after that record, and the number of bytes that follow.
    end: int
    rest: int


def film(path) -> Film:
    """FNV-1a, 64 bits, of a film's first and last 64 KB."""
    part, result = 64 << 10, 0xCBF29CE484222325
    with open(path, "rb") as file:
        first, size = file.read(part), os.fstat(file.fileno()).st_size
        file.seek(max(size - part, 0))
        for byte in first + file.read(part):
            result = (result ^ byte) * 0x100000001B3 % (1 << 64)
    return Film(size, result)


# The header, the head of a record, and the stamp in a JPEG: GrowingFormat.swift, SheetStamp.swift.
HEADER, RECORD = struct.Struct("<8sIIQQqqIHHII"), struct.Struct("<4sIqI")
STAMP, STAMP_AT = struct.Struct("<4s16sQQqIBBHI"), 20


def read_growing(data: bytes) -> Growing | None:
    """The pictures of a growing sheet. A torn end is left out; `None` if the file ends before its header does. Fails if
    another picture is damaged."""
    if len(data) < HEADER.size:
        return None
    magic, version, _, size, hash_, *_, checksum = HEADER.unpack_from(data)
    if (magic, version, checksum) != (b"VITSHEET", 1, zlib.crc32(data[: HEADER.size - 4])):
        raise Damaged("the header")
    film_, records, end = Film(size, hash_), [], HEADER.size
    while end + RECORD.size <= len(data):
        magic, length, time, checksum = RECORD.unpack_from(data, end)
        start = end + RECORD.size
        is_head = magic == b"VPIC" and checksum == zlib.crc32(data[end : start - 4])
        if not is_head or start + length > len(data):
            break
        records.append((end, time, data[start : start + length]))
        end = start + length
    # The head of the last record may be on the card without all of its picture.
    while records and stamp(records[-1][2]) is None:
        end = records.pop()[0]
    for at, time, jpeg in records:
        if stamp(jpeg) != (film_, time):
            raise Damaged(f"the picture at {time / 1e9:.3f} s, byte {at}")
    return Growing(film_, [Picture(time // 1_000_000, jpeg) for _, time, jpeg in records], end, len(data) - end)


def stamp(jpeg: bytes) -> tuple[Film, int] | None:
    """The film and the time in ns that a picture states; `None` if any of its bytes has changed."""
    if len(jpeg) <= STAMP_AT + STAMP.size:
        return None
    comment, words, size, hash_, time, *_, checksum = STAMP.unpack_from(jpeg, STAMP_AT)
    rest = jpeg[: STAMP_AT + STAMP.size - 4] + jpeg[STAMP_AT + STAMP.size :]
    is_whole = (comment, words, checksum) == (b"\xff\xfe\x00\x36", b"Vitrine sheet 1\0", zlib.crc32(rest))
    return (Film(size, hash_), time) if is_whole else None


def displace(path, count: int) -> None:
    """Exchanges the pictures of a complete sheet: each becomes that of the frame `count` pictures further on, beyond the end
    from the first one on. So a test can tell a sheet's picture from the film's own frame. The sheet stays valid."""
    pictures, made = read(path), []
    for number, (time, jpeg) in enumerate(pictures):
        other = pictures[(number + count) % len(pictures)].jpeg
        words = list(STAMP.unpack_from(other, STAMP_AT))
        words[4] = exact = stamp(jpeg)[1]
        head, rest = other[:STAMP_AT] + STAMP.pack(*words)[:-4], other[STAMP_AT + STAMP.size :]
        made.append(Picture(time, head + struct.pack("<I", zlib.crc32(head + rest)) + rest))
        assert stamp(made[-1].jpeg)[1] == exact
    write(path, made)


def write(path, pictures: list[Picture]) -> None:
    """Gives a complete sheet other pictures."""
    head = open(path, "rb").read(64)
    data = head[:12] + struct.pack("<I", len(pictures)) + head[16:]
    at = 64 + 8 * (len(pictures) + 1)
    for time, jpeg in pictures:
        data += struct.pack("<II", time, at)
        at += len(jpeg)
    data += struct.pack("<II", 0xFFFFFFFF, at)
    with open(path, "wb") as file:
        file.write(data + b"".join(picture.jpeg for picture in pictures))


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
