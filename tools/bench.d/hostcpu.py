"""The use of this machine's processors by a process and its descendants over time: the rig's CPU from outside."""

import os
import threading
import time


def _parents() -> dict[int, int]:
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as stat:
                    parents[int(name)] = int(stat.read().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
    return parents


def _used(process: int) -> int:
    used = 0
    for task in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{task}/schedstat") as schedstat:
            used += int(schedstat.read().split()[0])
    return used


class HostCPU:
    """Samples five times a second: pairs of wall-clock time and seconds of CPU so far."""

    def __init__(self, root: int):
        self.root = root
        self.samples: list[tuple[float, float]] = []
        # A process that has ended keeps its last value.
        self.used: dict[int, int] = {}
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()

    def _watch(self) -> None:
        while not self.ended.wait(0.2):
            parents = _parents()
            below = {self.root}
            grown = True
            while grown:
                more = {process for process, parent in parents.items() if parent in below} - below
                below |= more
                grown = bool(more)
            when = time.time()
            for process in below:
                try:
                    self.used[process] = max(_used(process), self.used.get(process, 0))
                except (OSError, IndexError, ValueError):
                    continue
            self.samples.append((when, sum(self.used.values()) / 1e9))

    def stop(self) -> None:
        self.ended.set()
        self.thread.join()


def between(samples: list[tuple[float, float]], begin: float, end: float) -> float:
    """The seconds of CPU used from one wall-clock time to another, interpolated."""
    def at(when: float) -> float:
        earlier = samples[0]
        for sample in samples:
            if sample[0] >= when:
                (t0, c0), (t1, c1) = earlier, sample
                return c1 if t1 == t0 else c0 + (c1 - c0) * (when - t0) / (t1 - t0)
            earlier = sample
        return earlier[1]

    return at(end) - at(begin)
