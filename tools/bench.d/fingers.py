"""The position of a dragging finger on the bar, in percent of the film, and its speed."""

import math

# All end at the same frame. The first kind is measured with every player, the others only beside mpv.
KINDS = {
    "fast": "over the film in 2 s",
    "slow": "8 % of the film in 2 s",
    "reversing": "forwards, half the way back, and forwards again, in 3 s",
    "trembling": "as the fast one, and to and fro by 0.4 % of the film, 9 times a second",
}
TREMOR, TREMBLES = 0.4, 9
SLOW = 8


def drag(kind: str, begin: float, end: float, moves: int) -> dict:
    """A drag from one percentage to another, with so many moves a second."""
    seconds = 3 if kind == "reversing" else 2
    return {"kind": kind, "from": end - SLOW if kind == "slow" else begin, "to": end, "seconds": seconds, "rate": moves, "after": 2.5}


def speed(drag: dict) -> float:
    """In percent a second, without the trembling."""
    way = drag["to"] - drag["from"]
    return (2 * way if drag["kind"] == "reversing" else way) / drag["seconds"]


def place(drag: dict, seconds: float) -> float:
    """The finger's position so many seconds after the press."""
    moved, way = speed(drag) * min(seconds, drag["seconds"]), drag["to"] - drag["from"]
    if drag["kind"] == "reversing":
        back = min(max(moved - way, 0), way / 2)
        moved = min(moved, way) - back + max(moved - way * 3 / 2, 0)
    elif drag["kind"] == "trembling":
        moved += TREMOR * math.sin(2 * math.pi * TREMBLES * min(seconds, drag["seconds"]))
    return drag["from"] + moved
