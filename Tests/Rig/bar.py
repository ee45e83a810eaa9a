"""The seek bar as a viewer sees it: the thumb's place in a picture of the display, the time of a place on the track,
and a finger that drags it while the test watches."""

import threading
import time
from typing import NamedTuple

import numpy

from finger import Panel, Step
from ipc import IPCError


class Layout:
    """The bar's place on a display that does not report its millimetres, by the rules of PlayerCore's OSDLayout: with
    the button left of it, and `right` buttons right of it. `test_drag.py` compares it with the screen."""

    def __init__(self, width: int = 1024, height: int = 768, right: int = 0):
        self.width, self.height = width, height
        unit = min(width, height) / 100
        font = min(max(18, round(unit * 3)), height // 10)
        self.radius = min(max(10, round(unit * 1.5)), height // 16)
        held = self.radius * 4 // 3
        margin = max(held + 8, round(unit * 4))
        side = max(64, font * 9 // 4)
        edge = max(margin - (side - side * 5 // 8) // 2, 0)
        self.left = edge + side + held + 2
        end = width - edge - right * side - held - 2 if right else width - margin
        self.length = end - self.left
        assert self.length >= width * 0.4, "the buttons stand below the bar"
        self.centre = height - max(32, held + font // 2, (side + 1) // 2)
        self.held = held
        # The live mark, a dot left of the title: its middle.
        self.live = self.left + font // 4, self.centre - held - font // 4 - font * 3 // 4

    @property
    def y(self) -> float:
        """The track's height on the panel, 0...1."""
        return self.centre / self.height

    def x(self, value: float) -> float:
        """The place on the panel, 0...1, for this value of the slider."""
        return (self.left + value * self.length) / self.width

    def value(self, x: float) -> float:
        """The slider's value, 0...1, under a finger at a place of the panel."""
        return min(max(0.0, (x * self.width - self.left) / self.length), 1.0)

    def thumb_x(self, x: float) -> float:
        """The thumb's required centre, in pixels, for a finger at a place of the panel: below the finger, clamped to
        the track."""
        return min(max(self.left, x * self.width), self.left + self.length)

    def of_frame(self, frame: int, film, duration: float) -> float:
        """The place on the panel, 0...1, that asks for the middle of a frame."""
        return self.x((frame + 0.5) / film.rate / duration)

    def frame(self, x: float, film, duration: float) -> int:
        """The frame that a finger at a place of the panel asks for."""
        return film.frame_at(self.value(x) * duration)


def thumb(picture: numpy.ndarray, layout: Layout | None = None) -> float | None:
    """The x of the thumb's centre in a picture of the display; None if there is no thumb.

    The thumb is the only white thing in the bar's rows: the film below the OSD surface is darkened."""
    height, width = picture.shape[:2]
    layout = layout or Layout(width, height)
    rows = picture[layout.centre - layout.radius // 2 : layout.centre + layout.radius // 2]
    # There are white icons beside it, too.
    left, right = layout.left - layout.held, layout.left + layout.length + layout.held
    columns = left + numpy.flatnonzero((rows[:, left:right].min(axis=2) > 235).mean(axis=0) > 0.6)
    if not columns.size:
        return None
    assert columns[-1] - columns[0] < 4 * layout.radius, f"white from {columns[0]} to {columns[-1]}: more than a thumb"
    return (columns[0] + columns[-1] + 1) / 2


def has_live_mark(picture: numpy.ndarray) -> bool:
    """Whether a picture of the display has OSDPalette's red dot, and not only a film's red."""
    height, width = picture.shape[:2]
    x, y = Layout(width, height).live
    dot = picture[y - 3 : y + 3, x - 3 : x + 3].astype(int)
    return bool((abs(dot - (0xFF, 0x5A, 0x4F)) <= 12).all())


class Finger:
    """One finger of a panel that moves on a thread of its own, so that the test can watch meanwhile.

    `steps` are the sent events: time and place."""

    def __init__(self, panel: Panel, slot: int = 0):
        self.panel, self.slot = panel, slot
        self.steps: list[Step] = []
        # Nanoseconds, in whole microseconds, as the kernel gives an event's time.
        self.lifted = 0
        self._thread: threading.Thread | None = None

    def down(self, x: float, y: float) -> None:
        self._send(self.panel.down, x, y)

    def move(self, x: float, y: float) -> None:
        self._send(self.panel.move, x, y)

    def up(self) -> None:
        self.lifted = time.monotonic_ns() // 1000 * 1000
        self.panel.up(self.slot)
        self.panel.frame()

    def _send(self, action, x: float, y: float) -> None:
        action(x, y, self.slot)
        self.panel.frame()
        self.steps.append(Step(time.monotonic(), x, y))

    def glide(self, x: float, seconds: float, rate: float = 60) -> None:
        """Moves horizontally from the current place, at a steady pace, on the thread; `wait()` waits for the end."""
        start, from_x, y = time.monotonic(), self.steps[-1].x, self.steps[-1].y

        def run() -> None:
            count = max(1, round(seconds * rate))
            for step in range(1, count + 1):
                time.sleep(max(0.0, start + seconds * step / count - time.monotonic()))
                self.move(from_x + (x - from_x) * step / count, y)

        self._thread = threading.Thread(target=run)
        self._thread.start()

    @property
    def is_moving(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def wait(self) -> None:
        if self._thread:
            self._thread.join()

    def between(self, begin: float, end: float) -> list[float]:
        """All places of the finger between two moments, including the one from before."""
        steps = self.steps[:]
        before = [step.x for step in steps if step.time <= begin][-1:]
        return before + [step.x for step in steps if begin < step.time <= end]


def lift(program, finger: Finger, timeout: float = 20) -> None:
    """Lifts, and waits until the player has read it, so that a client's next request follows the finger's."""
    finger.up()
    wait_until_lifted(program, finger, timeout)


def wait_until_lifted(program, finger: Finger, timeout: float = 20) -> None:
    program.ipc.wait_for_counter("vitrine/last-touch", lambda touch: (touch or 0) >= finger.lifted, timeout)


def slip(panel: Panel, lifts: bool = True) -> None:
    """A touch on the film that slips along it, and so is no tap, which would start a paused film."""
    panel.down(0.45, 0.4)
    panel.frame()
    panel.move(0.55, 0.4)
    panel.frame()
    if lifts:
        panel.up()
        panel.frame()


def show_bar(program, panel: Panel) -> None:
    """A touch on the film, so that the next touch finds the bar (a first touch never starts a drag)."""
    # An earlier touch is lost.
    panel.wait_until_read()
    if not program.ipc.get("vitrine/osd-visible"):
        slip(panel)
        program.ipc.wait_for("vitrine/osd-visible")


def hold_bar(program, panel: Panel) -> Finger:
    """A finger that rests on the film, so that the bar stays while pictures of the display are taken; the test lifts
    it."""
    panel.wait_until_read()
    slip(panel, lifts=False)
    program.ipc.wait_for("vitrine/osd-visible")
    return Finger(panel)


class Look(NamedTuple):
    """One picture of the display during a drag."""

    asked: float
    answered: float
    thumb: float | None
    frame: int


def look(program, film) -> Look:
    asked = time.monotonic()
    picture = program.screenshot()
    answered = time.monotonic()
    return Look(asked, answered, thumb(picture), program.frame(film, picture))


def reported_frame(program, film) -> int | None:
    """The frame that the player reports on the screen; cheap, while a picture of the display uses the rig's one
    processor for half a second. None while there is none."""
    try:
        return int(program.ipc.get("vitrine/frame-time") / 1e9 * film.rate + 1e-6)
    except IPCError:
        return None


def wait_until_reported(program, film, frame: int, timeout: float = 20) -> None:
    """Waits until the player reports the frame on the screen."""
    end = time.monotonic() + timeout
    while (reported := reported_frame(program, film)) != frame:
        assert time.monotonic() < end, f"the player shows frame {reported}, not {frame}, after {timeout} s"
        time.sleep(0.01)


def wait_for_frame(program, film, frame: int, timeout: float = 20, upright=lambda picture: picture) -> numpy.ndarray:
    """Waits until the player reports the frame on the screen, and a picture of the display confirms it. Returns the
    picture. One for the place where a finger was to be may follow while the picture is taken, and then the finger's own again."""
    while True:
        wait_until_reported(program, film, frame, timeout)
        count = program.ipc.get("vitrine/frames-shown")
        picture = upright(program.screenshot())
        shown = program.frame(film, picture)
        if shown == frame:
            return picture
        assert program.ipc.get("vitrine/frames-shown") != count, f"the display shows frame {shown}; the player says {frame}"


def wait_for_thumb(program, x: float, near: float, layout: Layout | None = None, upright=lambda picture: picture) -> float:
    """The thumb's place in pixels, once it is within `near` of x. A change of the bar takes a frame or two to the
    screen; the first bar takes longer, because its pipeline and typeface are loaded."""
    end = time.monotonic() + 20
    while True:
        picture = upright(program.screenshot())
        late = time.monotonic() > end
        try:
            place = thumb(picture, layout)
        except AssertionError:
            # A white film, without a bar so far.
            if late:
                raise
            continue
        if place is not None and abs(place - x) <= near:
            return place
        assert not late, f"the thumb is at {place}, not within {near} of {x}"
