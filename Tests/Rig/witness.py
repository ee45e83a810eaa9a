"""The display's frames, one by one: the films' own numbers, read from its framebuffers (tools/lib/observer.py)."""

import os
import pathlib

import pytest

import frames
from observer import Observer
from shown_frames import Recorder

# The place of the number's row of cells, in fractions of the film.
ROW = f"{frames.LEFT},{frames.WIDTH},{frames.TOP + frames.HEIGHT / 2}"


class Witness(Recorder):
    """A recorder that reads the display instead of asking the player."""

    def __init__(self, rate: int, observer: Observer | None = None):
        super().__init__(None, rate)
        self._observer = observer

    def look(self) -> None:
        assert self._observer.process.poll() is None, "the witness has ended"
        self.learn(self._observer.read())

    def stop(self) -> None:
        """Stops watching."""
        self._observer.stop()
        print(f"witness: {self._observer.remark[2:]}")
        self.learn(self._observer.read())

    def learn(self, seen: list[tuple[int, int]]) -> None:
        first = next((place for place, (_, frame) in enumerate(seen) if frame >= 0), len(seen))
        self.shown = {at: frame for at, frame in seen[first:]}

    def confirms(self, count: int, passes: int, edge: int = 2) -> None:
        """Whether the display has shown so many passes of so many frames each, in their order and none black, without
        losing one at a seam each time. On a busy machine not each vertical blank is seen: it may miss frames, and whole
        passes are not required."""
        blanks = sum(frame < 0 for frame in self.shown.values())
        assert not blanks, f"no number was shown {blanks} times"
        # A step from one half to the other is the next pass. Within one half it is the next pass if at least half of
        # the time for the frames in between has passed, less one frame: the rest was missed.
        backwards = [
            (before, after, f"{(at - since) / 1e6:.0f} ms")
            for (before, since), (after, at) in zip(self.frames, self.frames[1:])
            if after < before and not (after < count / 2 <= before)
            and (at - since) * self.rate / 1e9 < (count - before + after) / 2 - 1
        ]
        assert not backwards, f"from a frame to one before it: {backwards}"
        seen = self.passes()
        assert passes - 2 <= len(seen) <= passes + 2, f"{len(seen)} passes, where {passes} were played"
        print(f"on the display: {len(seen)} passes, {len(self.complete(count))} of them whole; {self.check_seams(count, edge, some=0.5)}")


@pytest.fixture
def witness(tmp_path):
    """`witness(rate, shape)`: watches from now on. A film on a plane of its own fills the plane; one that is drawn into a
    picture of the display needs its shape."""
    started = []

    def start(rate: int, shape: str = "0:0") -> Witness:
        program = os.environ.get("VITRINE_OBSERVE")
        assert program, "VITRINE_OBSERVE is not set: tools/check rig compiles it"
        observer = Observer(program, ROW, shape, tmp_path)
        started.append(observer)
        observer.wait_until_ready()
        return Witness(rate, observer)

    yield start
    for one in started:
        one.stop()
