"""What another process has open."""

import contextlib
import os
import pathlib


def opened(pid: int) -> set[str]:
    """The names of its files; what is none is named as /proc names it, such as "socket:[7]"."""
    names = set()
    for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        # It may have been closed meanwhile.
        with contextlib.suppress(FileNotFoundError):
            names.add(os.readlink(entry))
    return names
