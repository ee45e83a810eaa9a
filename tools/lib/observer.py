"""The films' frame numbers on the display: the record of tools/bench.d/observe.c, which knows nothing of the player."""

import pathlib
import signal
import subprocess
import sys
import time

CARD = "/dev/dri/card0"


class Observer:
    """The witness, and its output so far. It holds the card open until it is stopped."""

    def __init__(self, program: str, row: str, shape: str, folder: pathlib.Path):
        path = folder / "observed"
        with open(path, "wb") as output:
            self.process = subprocess.Popen([program, CARD, shape, row], stdout=output)
        # Another descriptor than the witness writes by, with a place of its own.
        self._file = open(path, "rb")
        self._held = b""
        self.seen: list[tuple[int, int]] = []
        """CLOCK_MONOTONIC in nanoseconds, and the frame number, -1 for none: each change."""
        self.remark = ""

    def read(self) -> list[tuple[int, int]]:
        self._held += self._file.read()
        *lines, self._held = self._held.split(b"\n")
        for line in lines:
            if line.startswith(b"#"):
                self.remark = line.decode()
            else:
                when, frame = line.split()
                self.seen.append((int(when), int(frame)))
        return self.seen

    def wait_until_ready(self, seconds: float = 10) -> None:
        """Waits for its first line. Before that it may be the card's master, as the opener of a card without a master
        is, and drops that."""
        end = time.monotonic() + seconds
        while not self.read():
            if self.process.poll() is not None or time.monotonic() > end:
                sys.exit(f"the observer says nothing; its status is {self.process.returncode}")
            time.sleep(0.01)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()
        self.read()
