"""The open files of another process."""

import contextlib
import os
import pathlib


def opened(pid: int) -> set[str]:
    """The names of its files; others are named as in /proc, such as "socket:[7]"."""
    names = set()
    for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        # It may have been closed meanwhile.
        with contextlib.suppress(FileNotFoundError):
            names.add(os.readlink(entry))
    return names
