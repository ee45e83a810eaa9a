"""Computes figures from the observer's record. All times in the runs are CLOCK_MONOTONIC nanoseconds of the rig."""

import math
import statistics

import fingers
from hostcpu import between


def lags(run: dict, film: dict, drag: dict) -> list[float]:
    """The distance of the frame on the screen from the finger, each millisecond from press to release, in ms of the
    finger's travel. Before the first frame of the drag, the frame is the earlier one."""
    begin, release = run["drag"]["begin"], run["drag"]["release"]
    frames = film["frames"]
    speed = fingers.speed(drag) / 100 * frames / 1000
    seen = [(when, frame) for when, frame in run["seen"] if frame >= 0 and when < release]
    found, place, shown = [], 0, None
    for now in range(begin, release, 1_000_000):
        while place < len(seen) and seen[place][0] <= now:
            shown = seen[place][1]
            place += 1
        if shown is not None:
            finger = fingers.place(drag, (now - begin) / 1e9) / 100 * frames
            found.append(abs(finger - shown - 0.5) / speed)
    return found


def answers(run: dict, film: dict, drag: dict) -> list[float]:
    """From each move of a finger that goes forwards to the vblank that first showed that place or one behind it, ms. The way from one move
    to the next is several frames: one that is nearer than half of that is the place."""
    begin, release = run["drag"]["begin"], run["drag"]["release"]
    near = fingers.speed(drag) / drag["rate"] / 100 * film["frames"] / 2
    seen = [(when, frame) for when, frame in run["seen"] if frame >= 0 and when >= begin]
    found = []
    for move in range(1, round(drag["seconds"] * drag["rate"])):
        asked = begin + round(move * 1e9 / drag["rate"])
        frame = fingers.place(drag, move / drag["rate"]) / 100 * film["frames"]
        answer = next((when for when, shown in seen if when >= asked and shown >= frame - near), None)
        if answer is not None and answer < release:
            found.append((answer - asked) / 1e6)
    return sorted(found)


def drag_figures(run: dict, film: dict, drag: dict) -> dict:
    """The number of frames during the drag, the longest time without a new one, their distance from the finger, and the
    time from the release to the exact one, and to the one that follows it."""
    begin, release, end = (run["drag"][key] for key in ("begin", "release", "end"))
    before = [frame for when, frame in run["seen"] if when < begin]
    shown = before[-1] if before else -1
    times, numbers = [], set()
    for when, frame in run["seen"]:
        if begin <= when < release and frame >= 0 and frame != shown:
            times.append(when)
            numbers.add(frame)
            shown = frame
    edges = [begin, *times, release]
    # The target is in the middle of a frame. Players differ in whether they show that frame or the next.
    wanted = film["wanted"]
    exact = plays = None
    if shown in wanted:
        exact = 0.0
    for when, frame in run["seen"]:
        if not release <= when <= end:
            continue
        if frame in wanted and exact is None:
            exact, shown = (when - release) / 1e6, frame
        # Not a frame that a player shows ahead of the exact one before going back.
        elif exact is not None and plays is None and shown < frame <= wanted[-1] + 10:
            plays = (when - release) / 1e6
        elif exact is not None and frame in wanted and frame < shown:
            plays, shown = None, frame
    far = sorted(lags(run, film, drag))
    out = {
        "lag": statistics.fmean(far) if far else math.inf,
        "lag 99 %": far[len(far) * 99 // 100] if far else math.inf,
        "frames": len(numbers),
        "gap": max(b - a for a, b in zip(edges, edges[1:])) / 1e6,
        "exact": math.inf if exact is None else exact,
        "plays": math.inf if plays is None else plays,
    }
    if drag["kind"] == "fast":
        late = answers(run, film, drag)
        out |= {name: late[place] if late else math.inf for name, place in
                (("touch", len(late) // 2), ("touch 99 %", len(late) * 99 // 100), ("touch most", -1))}
    return out


def dropped(run: dict, phase: dict) -> int | None:
    """Frames that a stretch of playing skipped; None if none was seen at all."""
    frames = [frame for when, frame in run["seen"] if phase["begin"] <= when <= phase["end"] and frame >= 0]
    if not frames:
        return None
    return frames[-1] - frames[0] + 1 - len(set(frames))


def figures(run: dict, film: dict, drag: dict, cpu, idle: float) -> dict:
    """Every figure of one run; `idle` is the CPU share of the rig at rest, in seconds per second."""
    if "error" in run:
        return {"error": run["error"]}
    out = {"start": (run["first"] - run["spawned"]) / 1e6, "memory": run["peak_kilobytes"] / 1024}
    if "anonymous_kilobytes" in run:
        out["anonymous"] = run["anonymous_kilobytes"] / 1024
    for name, phase in run["phases"].items():
        begin, end = phase["wall"]
        out[f"cpu {name}"] = between(cpu, begin, end) - idle * (end - begin)
        out[f"dropped {name}"] = dropped(run, phase)
    if "drag" in run:
        out |= drag_figures(run, film, drag)
        begin, end = run["drag"]["wall"]
        out["cpu drag"] = between(cpu, begin, end) - idle * (end - begin)
        out["share drag"] = out["cpu drag"] / (end - begin) * 100
    return out


def medians(rows: list[dict]) -> dict:
    """The median of every figure over the repeats. A repeat that failed is left out; one that could not be measured
    (None) leaves the figure without a median."""
    names = {name for row in rows for name in row if name != "error"}
    medians = {}
    for name in names:
        values = [row[name] for row in rows if name in row]
        medians[name] = None if None in values else statistics.median(values)
    return medians
