"""Power cuts: the possible contents of a disk after one. QEMU's blklogwrites records each write and each flush; a disk
keeps flushed data, and any part of later data, in any order."""

import pathlib
import random
import re
import struct
import time
from typing import NamedTuple

import board as boards

# The log's format is dm-log-writes' (Linux, Documentation/admin-guide/device-mapper/log-writes.rst).
SECTOR = 512
FLUSH, FUA, DISCARD = 1, 2, 4


def drive(disk: pathlib.Path, log: pathlib.Path) -> tuple[str, ...]:
    """QEMU's arguments for a disk "card" whose writes are recorded in `log`, which is created anew."""
    log.unlink(missing_ok=True)
    with log.open("wb") as file:
        file.truncate(4 << 30)
    nodes = (f"driver=file,node-name=plain,filename={disk}", "driver=raw,node-name=disk,file=plain",
             f"driver=file,node-name=notes,filename={log}", "driver=blklogwrites,node-name=card,file=disk,log=notes")
    return tuple(word for node in nodes for word in ("-blockdev", node))


class Write(NamedTuple):
    start: int
    data: bytes
    flags: int


def read_log(path: pathlib.Path, within: tuple[int, int] | None = None) -> list[Write]:
    """The writes in the order in which the disk got them, until the cut. Writes outside of `within`, first byte and
    number of bytes, have empty data."""
    writes = []
    with path.open("rb") as log:
        log.seek(SECTOR)
        while len(head := log.read(SECTOR)) == SECTOR:
            sector, count, flags, _ = struct.unpack_from("<QQQQ", head)
            if not count and not flags:
                break
            start, size, data = sector * SECTOR, 0 if flags & DISCARD else count * SECTOR, b""
            if within and not is_within(start, within):
                log.seek(size, 1)
            elif len(data := log.read(size)) < size:
                break
            writes.append(Write(start, data, flags))
    return writes


def is_within(start: int, part: tuple[int, int]) -> bool:
    return part[0] <= start < part[0] + part[1]


def wait_write(log: pathlib.Path, part: tuple[int, int], is_on, seconds: float) -> None:
    """Returns with the first write in a part of the disk, first byte and number of bytes."""
    limit = time.monotonic() + seconds
    while not any(write.data and is_within(write.start, part) for write in read_log(log, part)):
        assert is_on() and time.monotonic() < limit, f"nothing was written at {part} in {seconds} s"
        time.sleep(0.05)


def cut(disk: pathlib.Path, writes: list[Write], dice: random.Random, first: int = 0) -> int:
    """Applies a possible result of a cut at the end of the writes to the disk; returns the number of lost writes.
    `disk` begins with the byte `first` of the written disk."""
    flushed = last_flush(writes)
    lost = 0
    with disk.open("r+b") as file:
        for index, write in enumerate(writes):
            if not write.data:
                continue
            is_safe = index <= flushed or write.flags & FUA
            if not is_safe and dice.random() < 0.5:
                lost += 1
                continue
            file.seek(write.start - first)
            file.write(write.data)
    return lost


def last_flush(writes: list[Write]) -> int:
    """The index up to which nothing can be lost any more."""
    return max((index for index, write in enumerate(writes) if write.flags & FLUSH), default=-1)


# Findings of fsck.fat after a cut that lose nothing: the dirty mark, which the copy of the first sector lacks; the
# number of free clusters, which is a hint; the second table, which is written after the first and never read; and
# clusters of a file that was about to be created.
HARMLESS = re.compile(r"""fsck\.fat\ .*|\ *|Leaving\ filesystem\ unchanged\.
|There\ are\ differences\ between\ boot\ sector\ and\ its\ backup\.|This\ is\ mostly\ harmless\.\ .*|\ +65:01/00
|\ +Not\ automatically\ fixing\ this\.|Dirty\ bit\ is\ set\.\ .*|\ +Automatically\ removing\ dirty\ bit\.
|Free\ cluster\ summary\ wrong\ .*|\ +Auto-correcting\.|FATs\ differ\ but\ appear\ to\ be\ intact\.|\ +Using\ first\ FAT\.
|Reclaimed\ \d+\ unused\ clusters?\ .*""", re.X)


def check_fat(image: pathlib.Path, unfinished: str) -> None:
    """Fails if a FAT has more errors than a cut must leave. `unfinished` matches the paths of files that were being
    written: such a file may end early, and is not in use yet."""
    # 1: something is to be corrected.
    said = boards.trixie("sh", "-c", f"fsck.fat -n {image} || [ $? = 1 ]")
    is_unfinished = False
    for line in said.splitlines():
        if line.startswith("/"):
            is_unfinished = bool(re.fullmatch(unfinished, line.strip(), re.I))
            assert is_unfinished or line.startswith(f"{image}: "), said
        elif not (is_unfinished and line.startswith(" ")):
            assert HARMLESS.fullmatch(line), said
