"""A program's threads, and how to stop them."""

import contextlib
import ctypes
import os
import pathlib


def threads_named(program, name: str) -> frozenset[int]:
    threads = set()
    for task in pathlib.Path(f"/proc/{program.process.pid}/task").iterdir():
        # It may have ended meanwhile.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if name in (task / "comm").read_text():
                threads.add(int(task.name))
    return frozenset(threads)


@contextlib.contextmanager
def stuck(program, name: str, but: frozenset[int] = frozenset()):
    """Stops the program's threads of this name, as a debugger does."""
    attach, detach, wait_for_threads = 16, 17, 0x40000000  # linux/ptrace.h, __WALL of linux/wait.h
    libc = ctypes.CDLL(None)
    threads = threads_named(program, name) - but
    assert threads
    for thread in threads:
        assert libc.ptrace(attach, thread, None, None) == 0
        os.waitpid(thread, wait_for_threads)
    try:
        yield
    finally:
        for thread in threads:
            if libc.ptrace(detach, thread, None, None) != 0:
                # It has ended, and its process ends once the tracer has waited for it.
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(thread, wait_for_threads)
