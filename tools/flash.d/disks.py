"""The disks of this machine, as Linux tells of them in /sys and /proc."""

import os
import pathlib
import stat
from typing import NamedTuple

BLOCKS = pathlib.Path("/sys/class/block")
SECTOR = 512


def read(path: pathlib.Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def spoken(size: int) -> str:
    """As it stands on a card: 32 GB."""
    for unit, factor in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size} bytes"


class Disk(NamedTuple):
    name: str
    size: int

    @property
    def path(self) -> str:
        return f"/dev/{self.name}"

    @property
    def folder(self) -> pathlib.Path:
        return BLOCKS / self.name

    @property
    def title(self) -> str:
        words = [read(self.folder / "device" / name) for name in ("vendor", "model", "name")]
        # A virtual disk's vendor is a number.
        return " ".join(" ".join(word for word in words if not word.startswith("0x")).split()) or "no name"

    @property
    def parts(self) -> list[str]:
        """Itself and its partitions."""
        return [self.name] + sorted(path.parent.name for path in self.folder.resolve().glob("*/partition"))

    def uses(self) -> list[str]:
        """What this machine uses it for, now."""
        numbers = {read(BLOCKS / part / "dev"): part for part in self.parts}
        found = []
        for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines():
            words = line.split()
            # The field after "-" and the type: what was mounted. Some file systems have a device number of their own.
            source = os.path.realpath(words[words.index("-") + 2])
            part = numbers.get(words[2]) or next((one for one in self.parts if source == f"/dev/{one}"), None)
            if part:
                found.append(f"/dev/{part} is mounted at {words[4]}")
        swaps = [line.split()[0] for line in pathlib.Path("/proc/swaps").read_text().splitlines()[1:]]
        found += [f"/dev/{part} is swap" for part in self.parts if f"/dev/{part}" in map(os.path.realpath, swaps)]
        for part in self.parts:
            found += [f"/dev/{part} is a part of {holder.name}" for holder in (BLOCKS / part / "holders").glob("*")]
        return found

    @property
    def is_card(self) -> bool:
        """A stick, or a card in a reader. Built-in readers say nothing of "removable", and eMMC, which looks like them, is
        soldered in."""
        kind = read(self.folder / "device" / "type")
        return read(self.folder / "removable") == "1" or (self.name.startswith("mmcblk") and kind == "SD")

    def refusals(self, largest: int, needed: int = 0) -> list[str]:
        """Why it is not to be overwritten; empty for a card."""
        found = self.uses()
        if not self.is_card:
            found.append("it is not removable")
        if self.size == 0:
            found.append("there is no card in it")
        elif self.size > largest:
            found.append(f"it is larger than a card: {spoken(self.size)}; --largest allows for it")
        elif self.size < needed:
            found.append(f"it is smaller than the image: {spoken(self.size)}, and not {spoken(needed)}")
        if read(self.folder / "ro") == "1":
            found.append("it is write-protected")
        return found


def disk(name: str) -> Disk:
    return Disk(name, int(read(BLOCKS / name / "size") or 0) * SECTOR)


def every() -> list[Disk]:
    """Whole disks with hardware behind them."""
    names = sorted(path.name for path in BLOCKS.iterdir()
                   if not (path / "partition").exists() and (path / "device").exists())
    return [disk(name) for name in names if not name.startswith(("sr", "fd")) and "boot" not in name]


class NoDisk(Exception):
    """Says why a word names no disk."""


def named(word: str) -> Disk:
    """The disk whose device that is."""
    try:
        status = os.stat(word)
    except OSError as error:
        raise NoDisk(f"{word}: {error.strerror}") from None
    if not stat.S_ISBLK(status.st_mode):
        raise NoDisk(f"{word} is no disk")
    link = pathlib.Path(f"/sys/dev/block/{os.major(status.st_rdev)}:{os.minor(status.st_rdev)}").resolve()
    if (link / "partition").exists():
        raise NoDisk(f"{word} is a partition; the disk is /dev/{link.parent.name}")
    return disk(link.name)
