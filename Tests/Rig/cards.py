"""More cards than the rig has by itself: made by vkms' configfs, with as many planes as a test wants, and a cable that can
be pulled."""

import ctypes
import json
import os
import pathlib

VKMS = pathlib.Path("/sys/kernel/config/vkms")
CONNECTED, DISCONNECTED = "1", "2"


class Card:
    def __init__(self, name: str, overlays: int, status: str):
        self.folder = VKMS / name
        self.folder.mkdir()
        planes = ["primary"] + [f"overlay{number}" for number in range(overlays)]
        parts = ["crtcs/crtc", "encoders/encoder", "connectors/connector"]
        for part in parts + [f"planes/{plane}" for plane in planes]:
            (self.folder / part).mkdir()
        for plane in planes:
            self._write(f"planes/{plane}/type", "1" if plane == "primary" else "0")
            (self.folder / f"planes/{plane}/possible_crtcs/crtc").symlink_to(self.folder / "crtcs/crtc")
        (self.folder / "encoders/encoder/possible_crtcs/crtc").symlink_to(self.folder / "crtcs/crtc")
        link = self.folder / "connectors/connector/possible_encoders/encoder"
        link.symlink_to(self.folder / "encoders/encoder")
        self._write("connectors/connector/status", status)
        self._write("enabled", "1")

    def _write(self, name: str, value: str) -> None:
        (self.folder / name).write_text(value)

    def plug(self, status: str = CONNECTED) -> None:
        self._write("connectors/connector/status", status)

    def remove(self) -> None:
        self._write("enabled", "0")
        for link in self.folder.glob("*/*/possible_*/*"):
            link.unlink()
        for part in self.folder.glob("*/*"):
            part.rmdir()
        self.folder.rmdir()


def plug_in(play, card, **options) -> tuple[Card, str]:
    """A new card, and its connector's name."""
    before = connectors(play)
    made = card(**options)
    return made, next(name for name in connectors(play) if name not in before and "Writeback" not in name)


def connectors(play) -> list[str]:
    program = play.run("displays", "--json")
    program.wait_until_ended()
    report = json.loads(program.log())
    return [entry["name"] for one in report["displays"]["cards"] for entry in one["connectors"]]


class Lender:
    """A program that is the card's master and lends the first connector, CRTC and plane: what a compositor does."""

    UNIVERSAL_PLANES = 2

    class Resources(ctypes.Structure):
        _fields_ = [
            (name, kind)
            for part in ("fbs", "crtcs", "connectors")
            for name, kind in ((f"count_{part}", ctypes.c_int), (part, ctypes.POINTER(ctypes.c_uint32)))
        ]

    class Planes(ctypes.Structure):
        _fields_ = [("count", ctypes.c_uint32), ("planes", ctypes.POINTER(ctypes.c_uint32))]

    def __init__(self, node: str):
        self.drm = ctypes.CDLL("libdrm.so.2", use_errno=True)
        self.drm.drmModeGetResources.restype = ctypes.POINTER(self.Resources)
        self.drm.drmModeGetPlaneResources.restype = ctypes.POINTER(self.Planes)
        self.card = os.open(node, os.O_RDWR)
        self.drm.drmSetClientCap(self.card, ctypes.c_uint64(self.UNIVERSAL_PLANES), ctypes.c_uint64(1))

    def lend(self) -> int:
        resources = self.drm.drmModeGetResources(self.card).contents
        planes = self.drm.drmModeGetPlaneResources(self.card).contents
        lent = [resources.crtcs[0], resources.connectors[0], planes.planes[0]]
        self.lessee = ctypes.c_uint32()
        objects = (ctypes.c_uint32 * len(lent))(*lent)
        lease = self.drm.drmModeCreateLease(self.card, objects, len(lent), 0, ctypes.byref(self.lessee))
        assert lease >= 0, os.strerror(-lease)
        return lease

    def take_back(self) -> None:
        assert self.drm.drmModeRevokeLease(self.card, self.lessee) == 0
