"""Power cuts: what a disk may hold after one. QEMU's blklogwrites notes each write and each flush; a disk keeps what was
flushed, and of what came after any part, in any order."""

import pathlib
import random
import struct
from typing import NamedTuple

# The log's format is dm-log-writes' (Linux, Documentation/admin-guide/device-mapper/log-writes.rst).
SECTOR = 512
FLUSH, FUA, DISCARD = 1, 2, 4


def drive(disk: pathlib.Path, log: pathlib.Path) -> tuple[str, ...]:
    """QEMU's words for a disk "card" whose writes are noted in `log`, which is made anew."""
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


def read_log(path: pathlib.Path) -> list[Write]:
    """In the order in which the disk got them, until where the plug was pulled."""
    writes = []
    with path.open("rb") as log:
        log.seek(SECTOR)
        while len(head := log.read(SECTOR)) == SECTOR:
            sector, count, flags, _ = struct.unpack_from("<QQQQ", head)
            if not count and not flags:
                break
            data = b"" if flags & DISCARD else log.read(count * SECTOR)
            if not flags & DISCARD and len(data) < count * SECTOR:
                break
            writes.append(Write(sector * SECTOR, data, flags))
    return writes


def cut(disk: pathlib.Path, writes: list[Write], dice: random.Random) -> int:
    """Brings to the disk what it may hold after a cut at the writes' end; returns how many were lost."""
    flushed = max((index for index, write in enumerate(writes) if write.flags & FLUSH), default=-1)
    lost = 0
    with disk.open("r+b") as file:
        for index, write in enumerate(writes):
            is_safe = index <= flushed or write.flags & FUA
            if not is_safe and dice.random() < 0.5:
                lost += 1
                continue
            file.seek(write.start)
            file.write(write.data)
    return lost
