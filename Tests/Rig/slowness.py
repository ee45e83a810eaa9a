"""Simulates a machine that is too slow for a program."""

import contextlib
import signal
import threading


@contextlib.contextmanager
def slowed(program, works: float, rests: float):
    """The program gets a small part of the processor's time: it alternately works and rests, for so many seconds
    each."""
    ended = threading.Event()

    def slow() -> None:
        while not ended.is_set():
            program.signal(signal.SIGSTOP)
            ended.wait(rests)
            program.signal(signal.SIGCONT)
            ended.wait(works)

    thread = threading.Thread(target=slow)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
