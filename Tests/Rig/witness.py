"""What the display shows, picture by picture: the films' own numbers, read from its framebuffers at each vertical blank by a
program that knows nothing of the player (tools/bench.d/observe.c)."""

import os
import pathlib
import signal
import subprocess
import time

import pytest

import frames
from pictures import Recorder

# Where the number's row of cells is, in fractions of the film.
ROW = f"{frames.LEFT},{frames.WIDTH},{frames.TOP + frames.HEIGHT / 2}"


class Witness(Recorder):
    """A recorder that asks the display in place of the player."""

    def __init__(self, rate: int, folder: pathlib.Path):
        super().__init__(None, rate)
        program = os.environ.get("VITRINE_OBSERVE")
        assert program, "VITRINE_OBSERVE is not set: tools/check rig compiles it"
        self._file = open(folder / "witnessed", "w+b")
        self._process = subprocess.Popen([program, "/dev/dri/card0", "0:0", ROW], stdout=self._file)
        self._read = 0
        self.blanks: list[int] = []
        """When no number could be read, behind the first one."""
        # Whoever opens a card that is nobody's is its master until it says that it is not: before its first line.
        end = time.monotonic() + 10
        while not self._read:
            assert time.monotonic() < end, "the witness says nothing"
            self.look()
            time.sleep(0.01)

    def look(self) -> None:
        assert self._process.poll() is None, "the witness has ended"
        self._gather()

    def _gather(self) -> None:
        self._file.seek(self._read)
        lines = self._file.read()
        lines = lines[: lines.rfind(b"\n") + 1]
        self._read += len(lines)
        for line in lines.splitlines():
            if line.startswith(b"#"):
                print(f"witness: {line.decode()[2:]}")
                continue
            at, frame = map(int, line.split())
            if frame >= 0:
                self.shown[at] = frame
            elif self.shown:
                self.blanks.append(at)

    def stop(self) -> None:
        """No more is seen from now on."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(10)
            self._gather()

    def confirms(self, count: int, passes: int, edge: int = 2) -> None:
        """Whether the display has shown so many passes of so many pictures each, in their order, none black or twice, and none
        missing at a seam more often than elsewhere."""
        self.stop()
        whole = self.complete(count)
        print(f"on the display: {len(self.passes())} passes, {len(whole)} of them whole")
        # It has not seen each vertical blank, either.
        print(self.check_seams(count, edge, some=0.5))
        assert not self.blanks, f"no number was shown {len(self.blanks)} times"
        assert passes - 2 <= len(self.passes()) <= passes + 2, "a picture came too late or too soon"
        # A busy machine may have the witness miss some, too.
        assert whole, self.pictures[-3 * count :]


@pytest.fixture
def witness(tmp_path):
    """`witness(rate)`: from now on."""
    started = []

    def start(rate: int) -> Witness:
        started.append(Witness(rate, tmp_path))
        return started[-1]

    yield start
    for one in started:
        one.stop()
