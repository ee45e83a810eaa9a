"""The contents of a plane of the display, seen from outside of the program that shows it: the kernel gives root each
plane's framebuffer and its memory."""

import fcntl
import mmap
import os
import pathlib
import re
import struct
from typing import NamedTuple

import numpy

from frames import Rect
from observer import CARD

STATE = pathlib.Path("/sys/kernel/debug/dri/0/state")
# DRM_IO(0x1f), DRM_IOWR(0xce, struct drm_mode_fb_cmd2), DRM_IOWR(0xb3, struct drm_mode_map_dumb),
# DRM_IOW(0x09, struct drm_gem_close).
DROP_MASTER, GETFB2, MAP_DUMB, GEM_CLOSE = 0x641F, 0xC06864CE, 0xC01064B3, 0x40086409
FRAMEBUFFER = struct.Struct("=5I4I4I4I4x4Q")
PLANE = re.compile(
    r"^plane\[\d+\]: \S+\n\tcrtc=crtc-\d+\n\tfb=(\d+)\n.*?format=(\w{4}) .*?crtc-pos=(\d+)x(\d+)\+(\d+)\+(\d+)\n", re.M | re.S
)


class Film(NamedTuple):
    """A plane's contents in YCbCr, which only films have."""

    rect: Rect
    """Its place on the display."""
    luma: numpy.ndarray
    """The display's height x width, uint8, 16 to 235; 0 beside the film."""


def film(width: int = 1024, height: int = 768) -> Film | None:
    """`None` where none is on the display."""
    while found := _film():
        number, rect = found
        luma = _luma(number, rect)
        # If it is still shown, nobody has drawn into it meanwhile.
        if luma is not None and _film() == found:
            display = numpy.zeros((height, width), numpy.uint8)
            display[rect.y : rect.y + rect.height, rect.x : rect.x + rect.width] = luma
            return Film(rect, display)
    return None


def letters() -> int:
    """The number of pixels of the on-screen display's plane that are as white as letters; 0 if there is none."""
    found = _plane("AR24")
    pixels = found and _luma(found[0], found[1]._replace(width=found[1].width * 4))
    return 0 if pixels is None else int((pixels.reshape(len(pixels), -1, 4).min(axis=2) > 200).sum())


def brightness(points: list[tuple[int, int]]) -> list[int]:
    """The brightness of these pixels of the uppermost plane in RGB, 0 to 255; empty if there is none, or it does not
    cover them."""
    found = _plane("XR24")
    pixels = found and _luma(found[0], found[1]._replace(width=found[1].width * 4))
    if pixels is None:
        return []
    rect = found[1]
    if any(not (rect.x <= x < rect.x + rect.width and rect.y <= y < rect.y + rect.height) for x, y in points):
        return []
    colours = pixels.reshape(rect.height, -1, 4)
    return [round(float(colours[y - rect.y, x - rect.x, :3] @ (0.114, 0.587, 0.299))) for x, y in points]


def _film() -> tuple[int, Rect] | None:
    return _plane("YU12")


def _plane(kind: str) -> tuple[int, Rect] | None:
    # The last of them is above the others.
    for number, format, width, height, x, y in reversed(PLANE.findall(STATE.read_text())):
        if format == kind:
            return int(number), Rect(int(x), int(y), int(width), int(height))
    return None


def _luma(number: int, rect: Rect) -> numpy.ndarray | None:
    card = os.open(CARD, os.O_RDWR | os.O_CLOEXEC)
    try:
        try:
            # The opener of a card without a master becomes its master.
            fcntl.ioctl(card, DROP_MASTER)
        except OSError:
            pass
        answer = bytearray(FRAMEBUFFER.pack(number, *[0] * 20))
        try:
            fcntl.ioctl(card, GETFB2, answer)
        except FileNotFoundError:
            return None
        values = FRAMEBUFFER.unpack(answer)
        handles, pitch, offset = set(values[5:9]) - {0}, values[9], values[13]
        try:
            answer = bytearray(struct.pack("=IIQ", values[5], 0, 0))
            fcntl.ioctl(card, MAP_DUMB, answer)
            start = struct.unpack("=IIQ", answer)[2]
            size = -(-(offset + pitch * rect.height) // mmap.PAGESIZE) * mmap.PAGESIZE
            with mmap.mmap(card, size, mmap.MAP_SHARED, mmap.PROT_READ, offset=start) as memory:
                rows = numpy.frombuffer(memory.read(offset + pitch * rect.height), numpy.uint8, offset=offset)
        finally:
            for handle in handles:
                fcntl.ioctl(card, GEM_CLOSE, struct.pack("=II", handle, 0))
        return rows.reshape(rect.height, pitch)[:, : rect.width]
    finally:
        os.close(card)
