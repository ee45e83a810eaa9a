"""The command tools/flash."""

import argparse
import fcntl
import hashlib
import mmap
import os
import pathlib
import re
import sys
import time

import disks
from image import BadImage, Image, Range

TOP = pathlib.Path(__file__).resolve().parents[2]

DESCRIPTION = """Writes a card's image (tools/image) to a card, and reads the card back. Without DEVICE it lists the disks of
this machine, and which of them are cards. It overwrites nothing that is mounted, in use, not removable or larger than a card,
so the worst that a slip can cost is another card."""

EPILOG = """What is written: what the image's .bmap names, if that lies beside it, which leaves out what is empty and takes
seconds instead of minutes; else all of it. An image that was cut short or damaged is noticed by the sums beside it.

exit status: 0 the card holds the image; 1 it does not, or could not be written; 2 refused, nothing was written;
64 wrong usage; 66 no such image or disk, or the image is damaged; 77 not allowed to write to the disk

examples:
  tools/flash                     which cards are there?
  sudo tools/flash /dev/sda       the newest image of .build/image
  sudo tools/flash --image vitrine-0.1.0-arm64.img.xz /dev/mmcblk0"""

# From linux/fs.h: forget what is cached of a disk; read its partition table anew.
BLKFLSBUF, BLKRRPART = 0x1261, 0x125F

LARGEST = 256 * 10**9

# What reading past the cache wants: whole pages.
CHUNK = 4 << 20


class Parser(argparse.ArgumentParser):
    def error(self, message):
        fail(64, f"{message}; see tools/flash --help")


def fail(status: int, message: str):
    print(f"flash: {message}", file=sys.stderr)
    sys.exit(status)


def refuse(disk: disks.Disk, reasons: list[str]) -> None:
    if reasons:
        fail(2, "\n       ".join([f"{disk.path} ({disk.title}) is left alone:", *reasons]))


def number_of_bytes(word: str) -> int:
    match = re.fullmatch(r"(\d+)(M|G|T)B?", word)
    if not match:
        raise argparse.ArgumentTypeError(f"{word}: 128G, for example")
    return int(match[1]) * {"M": 10**6, "G": 10**9, "T": 10**12}[match[2]]


def newest_image() -> pathlib.Path | None:
    found = [path for path in (TOP / ".build/image").glob("vitrine-*.img*") if path.suffix in (".img", ".xz")]
    # Of the two of one build the plain one: nothing has to be unpacked.
    plain = {path for path in found if path.suffix == ".img"}
    return max(plain or found, key=lambda path: path.stat().st_mtime, default=None)


class Progress:
    """A line that grows on a terminal; elsewhere a line for each tenth."""

    def __init__(self, doing: str, total: int):
        self.doing, self.total, self.done, self._told, self._start = doing, max(total, 1), 0, -1, time.monotonic()

    def add(self, size: int) -> None:
        self.done += size
        is_terminal = sys.stderr.isatty()
        step = self.done * (100 if is_terminal else 10) // self.total
        if step == self._told:
            return
        self._told = step
        speed = self.done / max(time.monotonic() - self._start, 0.001)
        text = f"flash: {self.doing} {disks.spoken(self.done)} of {disks.spoken(self.total)}, {disks.spoken(int(speed))}/s"
        print(f"\r\033[K{text}" if is_terminal else text, end="" if is_terminal and self.done < self.total else "\n",
              file=sys.stderr, flush=True)


def show() -> None:
    found = disks.every()
    for disk in found:
        reasons = disk.refusals(LARGEST)
        print(f"{disk.path:14} {disks.spoken(disk.size):>8}  {disk.title}" + (f": no, {reasons[0]}" if reasons else ""))
    if not any(not disk.refusals(LARGEST) for disk in found):
        print("flash: no card is there; put one in", file=sys.stderr)


def write(image: Image, device: int) -> dict[Range, str]:
    """Returns what the card should hold: the sum of each range."""
    sums = {one: hashlib.sha256() for one in image.ranges}
    progress = Progress("writing", sum(one.end - one.start for one in image.ranges))
    waiting = 0
    for one, place, data in image.pieces():
        sums[one].update(data)
        view = memoryview(data)
        while view:
            count = os.pwrite(device, view, place)
            view, place = view[count:], place + count
        waiting += len(data)
        # The card's own pace, not that of this machine's memory.
        if waiting >= 32 << 20:
            os.fdatasync(device)
            progress.add(waiting)
            waiting = 0
    os.fsync(device)
    progress.add(waiting)
    found = {one: total.hexdigest() for one, total in sums.items()}
    for one, total in found.items():
        if one.sum and one.sum != total:
            raise BadImage(f"{image.path} is not what its .bmap says, at {one.start}; the card is of no use yet")
    return found


def first_difference(path: str, sums: dict[Range, str]) -> Range | None:
    """Reads the disk itself, past the memory that still holds what was written."""
    progress = Progress("reading back", sum(one.end - one.start for one in sums))
    device = os.open(path, os.O_RDONLY | os.O_DIRECT)
    try:
        with mmap.mmap(-1, CHUNK) as page:
            for one, wanted in sums.items():
                total, place = hashlib.sha256(), one.start
                while place < one.end:
                    count = os.preadv(device, [page], place)
                    if count <= 0:
                        return one
                    data = page[:min(count, one.end - place)]
                    total.update(data)
                    place += len(data)
                    progress.add(len(data))
                if total.hexdigest() != wanted:
                    return one
    finally:
        os.close(device)
    return None


def main() -> int:
    parser = Parser(prog="tools/flash", description=DESCRIPTION, epilog=EPILOG,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("device", nargs="?", help="the card's whole disk: /dev/sda, /dev/mmcblk0")
    parser.add_argument("--image", type=pathlib.Path, help=".img or .img.xz (default: the newest in .build/image)")
    parser.add_argument("--largest", type=number_of_bytes, default=LARGEST, metavar="SIZE",
                        help="how large a card may be (default 256G)")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    given = parser.parse_args()
    if not given.device:
        show()
        return 0
    try:
        disk = disks.named(given.device)
    except disks.NoDisk as error:
        fail(2 if os.path.exists(given.device) else 66, str(error))
    # Before the image is read: that takes a while.
    refuse(disk, disk.refusals(given.largest))
    path = given.image or newest_image()
    if not path or not path.is_file():
        fail(66, f"{path}: no such image" if path else "no image was made here yet: tools/image makes one")
    try:
        image = Image(path)
        is_checked = image.check_sum()
    except BadImage as error:
        fail(66, str(error))
    refuse(disk, disk.refusals(given.largest, image.size))

    print(f"flash: {path.name}{', whose sum is right,' if is_checked else ''} to {disk.path}: {disk.title}, "
          f"{disks.spoken(disk.size)}", file=sys.stderr)
    if image.has_debians_kernel:
        print("flash: it has Debian's kernel: films are decoded by the processor, and no Pi 5 starts from it", file=sys.stderr)
    if not given.yes:
        if not sys.stdin.isatty():
            fail(64, "nobody to ask whether that is right; --yes does not ask")
        if input(f"Everything on it will be gone. Type {disk.name} to go on: ").strip() != disk.name:
            fail(2, "nothing was written")
    try:
        # Exclusive: refused while anybody has it mounted, who came after the look above.
        device = os.open(disk.path, os.O_WRONLY | os.O_EXCL)
    except PermissionError:
        fail(77, f"{disk.path} may only be written to by root: sudo tools/flash ...")
    except OSError as error:
        fail(2, f"{disk.path} is in use: {error.strerror}")
    try:
        sums = write(image, device)
        fcntl.ioctl(device, BLKFLSBUF)
    except BadImage as error:
        fail(66, str(error))
    except OSError as error:
        fail(1, f"{disk.path} cannot be written to: {error.strerror}. Is it worn out, or was it pulled out?")
    finally:
        os.close(device)
    try:
        if (wrong := first_difference(disk.path, sums)) is not None:
            fail(1, f"{disk.path} does not hold what was written, at {wrong.start}: another card")
        device = os.open(disk.path, os.O_RDONLY)
        try:
            fcntl.ioctl(device, BLKRRPART)
        finally:
            os.close(device)
    except OSError as error:
        # Whoever looks at a new card at once, a desktop for example, keeps the kernel from reading its table anew.
        if error.errno != 16:
            fail(1, f"{disk.path} cannot be read back: {error.strerror}")
    print(f"flash: {disk.path} holds the image; take it out", file=sys.stderr)
    return 0


sys.exit(main())
