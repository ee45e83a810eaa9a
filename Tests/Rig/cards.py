"""More cards than the rig has by itself: made by vkms' configfs, with any number of planes, and a cable that can be
pulled."""

import ctypes
import json
import os
import pathlib

VKMS = pathlib.Path("/sys/kernel/config/vkms")
CONNECTED, DISCONNECTED = "1", "2"


class Card:
    """With several connectors, each has a CRTC and a primary plane of its own; overlays can be used by any. The first
    connector is plugged in as `status` says, the others are empty."""

    def __init__(self, name: str, overlays: int, status: str, connectors: int = 1):
        self.folder = VKMS / name
        self.folder.mkdir()
        numbers = range(connectors)
        planes = {f"primary{number}": [number] for number in numbers}
        planes |= {f"overlay{number}": list(numbers) for number in range(overlays)}
        parts = [f"{kind}s/{kind}{number}" for kind in ("crtc", "encoder", "connector") for number in numbers]
        for part in parts + [f"planes/{plane}" for plane in planes]:
            (self.folder / part).mkdir()
        for plane, crtcs in planes.items():
            self._write(f"planes/{plane}/type", "1" if plane.startswith("primary") else "0")
            for number in crtcs:
                self._link(f"planes/{plane}/possible_crtcs", f"crtcs/crtc{number}")
        for number in numbers:
            self._link(f"encoders/encoder{number}/possible_crtcs", f"crtcs/crtc{number}")
            self._link(f"connectors/connector{number}/possible_encoders", f"encoders/encoder{number}")
            self.plug(DISCONNECTED if number else status, number)
        self._write("enabled", "1")

    def _link(self, folder: str, target: str) -> None:
        (self.folder / folder / pathlib.Path(target).name).symlink_to(self.folder / target)

    def _write(self, name: str, value: str) -> None:
        (self.folder / name).write_text(value)

    def plug(self, status: str = CONNECTED, connector: int = 0) -> None:
        self._write(f"connectors/connector{connector}/status", status)

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


def node(play, name: str) -> str:
    """The card of a connector: /dev/dri/card1."""
    program = play.run("displays", "--json", "--connector", name)
    assert program.wait_until_ended() == 0
    return json.loads(program.log())["choice"]["card"]


def state(node: str) -> str:
    """The kernel's state of the card's planes, CRTCs and connectors."""
    return pathlib.Path(f"/sys/kernel/debug/dri/{node.removeprefix('/dev/dri/card')}/state").read_text()


def connectors(play) -> list[str]:
    program = play.run("displays", "--json")
    program.wait_until_ended()
    report = json.loads(program.log())
    return [entry["name"] for one in report["displays"]["cards"] for entry in one["connectors"]]


class Vblanks:
    """The vblanks of a card's first CRTC, by the kernel's own numbers."""

    def __init__(self, node: str = "/dev/dri/card0"):
        self.drm = ctypes.CDLL("libdrm.so.2", use_errno=True)
        self.drm.drmModeGetResources.restype = ctypes.POINTER(Lender.Resources)
        self.card = os.open(node, os.O_RDWR)
        self.crtc = ctypes.c_uint32(self.drm.drmModeGetResources(self.card).contents.crtcs[0])
        self.first = self._read()

    def _read(self) -> tuple[int, int]:
        """The number of the last vblank, and its time in ns."""
        number, time = ctypes.c_uint64(), ctypes.c_uint64()
        assert self.drm.drmCrtcGetSequence(self.card, self.crtc, ctypes.byref(number), ctypes.byref(time)) == 0, ctypes.get_errno()
        return number.value, time.value

    def between(self, begin: int, end: int) -> int:
        """The number of vblanks between two times, ns."""
        (number, time), (last, now) = self.first, self._read()
        length = (now - time) / (last - number)
        return int((end - time) // length - (begin - time) // length)

    def close(self) -> None:
        os.close(self.card)


class Lender:
    """A program that is the card's master and lends the first connector, CRTC and plane, like a compositor."""

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
