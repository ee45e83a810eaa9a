"""The GEM handles of another process: its memory of a graphics card. The kernel does not list them, but a process that
shares the open card can query each."""

import ctypes
import errno
import fcntl
import os
import pathlib
import struct

CARDS = "/dev/dri/card"
# Linux's number of the call on all architectures; DRM_IOWR(0x2d, struct drm_prime_handle).
PIDFD_GETFD = 438
PRIME_HANDLE_TO_FD = 0xC00C642D
# The kernel assigns the smallest free number.
MOST = 1024

libc = ctypes.CDLL(None, use_errno=True)


def count(pid: int) -> int:
    """The handles of all cards that the process has open; those of a card that it has open twice may count twice."""
    process = os.pidfd_open(pid)
    try:
        return sum(_of(process, number) for number in _cards(pid))
    finally:
        os.close(process)


def _cards(pid: int) -> list[int]:
    numbers = []
    for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            if os.readlink(entry).startswith(CARDS):
                numbers.append(int(entry.name))
        except FileNotFoundError:
            pass  # Closed meanwhile.
    return numbers


def _of(process: int, number: int) -> int:
    card = libc.syscall(PIDFD_GETFD, process, number, 0)
    if card < 0 and ctypes.get_errno() == errno.EBADF:
        return 0  # Closed meanwhile.
    if card < 0:
        raise OSError(ctypes.get_errno(), "pidfd_getfd")
    try:
        return sum(_is_there(card, handle) for handle in range(1, MOST))
    finally:
        os.close(card)


def _is_there(card: int, handle: int) -> bool:
    try:
        answer = fcntl.ioctl(card, PRIME_HANDLE_TO_FD, struct.pack("IIi", handle, os.O_CLOEXEC, -1))
    except FileNotFoundError:
        return False
    os.close(struct.unpack("IIi", answer)[2])
    return True
