"""A machine that is too slow for a program, whatever it is."""

import contextlib
import signal
import threading


@contextlib.contextmanager
def slowed(program, works: float, rests: float):
    """The program has a small part of the processor's time: it works and rests in turn, for so many seconds each."""
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
