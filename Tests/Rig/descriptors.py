"""The open files of another process."""

import collections
import contextlib
import os
import pathlib
import re


def links(pid: int):
    """What each of its descriptors stands for, as /proc has it: a file's name, or "socket:[7]" and the like."""
    for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        # It may have been closed meanwhile.
        with contextlib.suppress(FileNotFoundError):
            yield os.readlink(entry)


def opened(pid: int) -> set[str]:
    return set(links(pid))


def kinds(pid: int) -> collections.Counter:
    """The number of its open files of each name, of sockets, of pipes and the like."""
    return collections.Counter(re.sub(r":\[\d+\]$", "", link) for link in links(pid))
