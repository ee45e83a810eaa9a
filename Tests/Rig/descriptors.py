"""The open files of another process."""

import collections
import contextlib
import os
import pathlib
import re


def opened(pid: int) -> set[str]:
    """The names of its files; others are named as in /proc, such as "socket:[7]"."""
    names = set()
    for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        # It may have been closed meanwhile.
        with contextlib.suppress(FileNotFoundError):
            names.add(os.readlink(entry))
    return names


def kinds(pid: int) -> collections.Counter:
    """The number of its open files of each name, of sockets, of pipes and the like."""
    found = collections.Counter()
    for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            found[re.sub(r":\[\d+\]$", "", os.readlink(entry))] += 1
    return found
