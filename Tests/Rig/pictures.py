"""What reached the screen, picture by picture, as the player's sink tells it."""

import pathlib
import time

from mistakes import TALKING

# So many pictures a change may cost where the machine is not too busy elsewhere.
SOME = 0.2
# The same picture after so many nanoseconds is another pass's.
ANOTHER = 500_000_000


class SinkLog:
    """What the player says of pictures and pipelines in GStreamer's log (`vitrine:6`), and kmssink of its start."""

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
    """Gathers `vitrine/recent-frames` for as long as a test looks; `pictures` are (frame, ns), `None` for no frame."""

    def __init__(self, program, rate: int):
        self.program, self.rate = program, rate
        self.shown: dict[int, int | None] = {}

    def look(self) -> None:
        for place, at in self.program.ipc.get("vitrine/recent-frames"):
            # A film may begin some milliseconds behind its start.
            self.shown[at] = None if place is None else int(place * self.rate / 1e9 + 0.02)

    def look_until(self, condition, timeout: float = 60) -> None:
        end = time.monotonic() + timeout
        while not condition():
            self.look()
            assert time.monotonic() < end, f"not within {timeout} s; shown: {self.pictures[-60:]}"
            time.sleep(0.5)
        self.look()

    @property
    def pictures(self) -> list[tuple[int | None, int]]:
        return [(frame, at) for at, frame in sorted(self.shown.items())]

    def passes(self) -> list[list[tuple[int, int]]]:
        """The pictures of each pass of a film that is shown again and again."""
        passes: list[list[tuple[int, int]]] = []
        for frame, at in self.pictures:
            # Of one that had no time for more than its first picture, the next one's comes long after it.
            if not passes or frame < passes[-1][-1][0] or frame == passes[-1][-1][0] and at > passes[-1][-1][1] + ANOTHER:
                passes.append([])
            passes[-1].append((frame, at))
        return passes

    def complete(self, count: int) -> list[list[tuple[int, int]]]:
        """The passes, but for the one that is seen, in which each of so many pictures came once. None may come twice."""
        passes = self.passes()[:-1]
        for one in passes:
            frames = [frame for frame, _ in one]
            assert len(frames) == len(set(frames)), f"a picture came twice: {frames}"
        return [one for one in passes if len(one) == count]

    def fair(self, count: int) -> list[list[tuple[int, int]]]:
        """As `complete`, with those that a busy machine took no more than a quarter of the pictures from; none before one has been
        complete."""
        return [one for one in self.passes()[:-1] if len(one) >= count * 3 / 4] if self.complete(count) else []

    def check_seams(self, count: int, edge: int = 1, some: float = SOME) -> str:
        """Fails where passes of so many pictures lose one of the first or the last ones, `edge` of each, more often than others,
        but for `some` in a pass. A busy machine loses some anywhere in a pass; a change from one to the next that costs one loses
        it each time. In words, what was lost."""
        # The first pass ends as no other does, and the last one is seen.
        passes = [{frame for frame, _ in one} for one in self.passes()[1:-1]]
        lost = [sum(frame not in one for one in passes) / len(passes) for frame in range(count)]
        seam = sum(lost[:edge] + lost[-edge:])
        elsewhere = sum(lost[edge:-edge]) / (count - 2 * edge)
        told = f"{len(passes)} passes lack at a seam {seam:.2f} pictures, elsewhere {elsewhere:.1%}"
        assert seam <= some + 4 * edge * elsewhere, told
        return told

    def gaps(self) -> list[float]:
        """From the last picture of each pass to the first of the next, in ms."""
        passes = self.passes()
        return [(after[0][1] - before[-1][1]) / 1e6 for before, after in zip(passes, passes[1:])]
