"""Damage that cards, cables and downloads cause: flipped bits, missing ends, exchanged parts."""

import random
import struct


def mutated(data: bytes, dice: random.Random) -> bytes:
    """The same file, damaged in one to three ways."""
    for _ in range(dice.randint(1, 3)):
        data = dice.choice((flipped, truncated, wiped, exchanged, with_boxes_swapped))(data, dice)
    return data


def flipped(data: bytes, dice: random.Random) -> bytes:
    """Flips single bits, more often among the first bytes, which decide how the rest is read."""
    damaged = bytearray(data)
    for _ in range(dice.choice((1, 4, 30))):
        place = dice.randrange(min(len(damaged), dice.choice((64, 2048, len(damaged)))))
        damaged[place] ^= 1 << dice.randrange(8)
    return bytes(damaged)


def truncated(data: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(1, len(data) + 1)]


def wiped(data: bytes, dice: random.Random) -> bytes:
    """A block that reads as zeros, or ones."""
    first, size = dice.randrange(len(data)), dice.choice((1, 4, 512, 4096))
    return data[:first] + dice.choice((b"\0", b"\xff")) * len(data[first : first + size]) + data[first + size :]


def exchanged(data: bytes, dice: random.Random) -> bytes:
    """Two pieces in each other's place."""
    ends = sorted(dice.randrange(len(data) + 1) for _ in range(4))
    first, second, third, fourth = ends
    return data[:first] + data[third:fourth] + data[second:third] + data[first:second] + data[fourth:]


def with_boxes_swapped(data: bytes, dice: random.Random) -> bytes:
    """Exchanges an MP4's boxes; any other file stays as it is."""
    boxes, place = [], 0
    while place + 8 <= len(data):
        size, = struct.unpack_from(">I", data, place)
        if size < 8 or place + size > len(data):
            break
        boxes.append(data[place : place + size])
        place += size
    dice.shuffle(boxes)
    return b"".join(boxes) + data[place:]
