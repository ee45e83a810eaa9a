"""The frames that reached the screen, one by one, as the player's sink reports them."""

import pathlib
import time

from mistakes import TALKING

# The most frames that a change may cost on a machine that is not too busy.
SOME = 0.2
# The same frame so many nanoseconds later belongs to another pass.
ANOTHER = 500_000_000


def in_time(passed: float, film: float) -> bool:
    """Whether so many seconds passed between two frames that are `film` seconds apart. A busy machine shows either of them
    late; a film that is out of step is so by seconds, or has no time between its frames."""
    return film - min(0.5, film / 2) <= passed <= film + 2


class SinkLog:
    """The player's lines about frames and pipelines in GStreamer's log (`vitrine:6`), and kmssink's about its start."""

    def __init__(self, folder: pathlib.Path):
        self._path = folder / "sinks.log"
        self.environment = TALKING | {"GST_DEBUG": "vitrine:6,kmssink:4", "GST_DEBUG_FILE": str(self._path)}

    def lines(self) -> list[str]:
        return self._path.read_text(errors="replace").splitlines() if self._path.exists() else []

    def wait_for(self, text: str, times: int = 1, timeout: float = 15) -> None:
        end = time.monotonic() + timeout
        while sum(text in line for line in self.lines()) < times:
            assert time.monotonic() < end, f"not {times} times {text!r} after {timeout} s"
            time.sleep(0.02)


class Recorder:
    """Records `vitrine/recent-frames` while a test watches; `frames` are (frame, ns), `None` for no frame."""

    def __init__(self, program, rate: int):
        self.program, self.rate = program, rate
        self.shown: dict[int, int | None] = {}

    def look(self) -> None:
        for place, at in self.program.ipc.get("vitrine/recent-frames"):
            # A film may start some milliseconds behind its start.
            self.shown[at] = None if place is None else int(place * self.rate / 1e9 + 0.02)

    def look_until(self, condition, timeout: float = 60) -> None:
        end = time.monotonic() + timeout
        while not condition():
            self.look()
            assert time.monotonic() < end, f"not within {timeout} s; shown: {self.frames[-60:]}"
            time.sleep(0.5)
        self.look()

    @property
    def frames(self) -> list[tuple[int | None, int]]:
        return [(frame, at) for at, frame in sorted(self.shown.items())]

    def passes(self) -> list[list[tuple[int, int]]]:
        """The frames of each pass of a film that repeats."""
        passes: list[list[tuple[int, int]]] = []
        for frame, at in self.frames:
            # If a pass had time only for its first frame, the next pass's arrives long after it.
            if not passes or frame < passes[-1][-1][0] or frame == passes[-1][-1][0] and at > passes[-1][-1][1] + ANOTHER:
                passes.append([])
            passes[-1].append((frame, at))
        return passes

    def complete(self, count: int) -> list[list[tuple[int, int]]]:
        """The complete passes, except the current one, in which each of so many frames appeared once. None may appear
        twice."""
        passes = self.passes()[:-1]
        for one in passes:
            frames = [frame for frame, _ in one]
            assert len(frames) == len(set(frames)), f"a frame came twice: {frames}"
        return [one for one in passes if len(one) == count]

    def fair(self, count: int) -> list[list[tuple[int, int]]]:
        """As `complete`, with passes of which a busy machine lost no more than a quarter of the frames; none before one
        was complete."""
        return [one for one in self.passes()[:-1] if len(one) >= count * 3 / 4] if self.complete(count) else []

    def check_seams(self, count: int, edge: int = 1, some: float = SOME) -> str:
        """Fails if passes of so many frames lose one of the first or the last ones, `edge` of each, more often than
        others, except `some` in a pass. A busy machine loses some anywhere in a pass; a change from one to the next
        that costs one loses it each time. Returns the loss in words."""
        # The first pass ends as no other does, and the last one is incomplete.
        passes = [{frame for frame, _ in one} for one in self.passes()[1:-1]]
        lost = [sum(frame not in one for one in passes) / len(passes) for frame in range(count)]
        seam = sum(lost[:edge] + lost[-edge:])
        elsewhere = sum(lost[edge:-edge]) / (count - 2 * edge)
        summary = f"{len(passes)} passes lack at a seam {seam:.2f} frames, elsewhere {elsewhere:.1%}"
        assert seam <= some + 4 * edge * elsewhere, summary
        return summary

    def gaps(self) -> list[float]:
        """The times from the last frame of each pass to the first one of the next, in ms."""
        passes = self.passes()
        return [(after[0][1] - before[-1][1]) / 1e6 for before, after in zip(passes, passes[1:])]
