"""Touches as people and panels make them: a tap on a waiting film, a finger that trembles, dirt that never lifts (N13,
U1)."""

import threading
import time

import pytest

from bar import Finger, Layout, lift, show_bar, wait_for_frame, wait_until_reported
from finger import Panel

LAYOUT = Layout()


def settle(program) -> None:
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)


@pytest.mark.parametrize("why", ["--paused", "--end pause", "--end stop", "off, by a client"])
def test_a_tap_starts_a_film_that_waits(play, films, panel, why):
    """U1: with a finger alone, and with its first tap, which shows the bar, too. Without controls, also if somebody
    else paused it."""
    film = films("short.mp4")
    program = play(film, *(why.split() if why.startswith("--") else ["--end", "stop", "--controls", "off"]))
    panel.wait_until_read()
    ends = 0
    hides = why.startswith("off")
    if hides:
        program.ipc.set("pause", True)
    elif why != "--paused":
        program.ipc.wait_for("pause")
        ends = 1
    settle(program)
    assert program.ipc.get("vitrine/ends") == ends and program.ipc.get("vitrine/osd-visible") is False
    stands = program.ipc.get("time-pos")
    panel.tap(0.5, 0.4)
    program.ipc.wait_for("pause", lambda paused: paused is False)
    if not hides:
        program.ipc.wait_for("vitrine/osd-visible")
    start = 0 if why == "--end stop" else stands
    program.ipc.wait_for("time-pos", lambda now: now is not None and start < now < start + 1.5)
    if hides:
        assert program.ipc.get("vitrine/osd-visible") is False
        return
    # While it plays, a tap is for the bar.
    program.ipc.set("loop-file", "inf")
    panel.tap(0.5, 0.4)
    program.ipc.wait_for("vitrine/osd-visible", lambda visible: visible is False, timeout=2.5)
    assert program.ipc.get("pause") is False


class Tremble:
    """A panel's reports of a resting finger, 100 a second, until the end of the block."""

    def __init__(self, finger: Finger, pixels: float):
        self._finger, self._pixels = finger, pixels
        self._x, self._y = finger.steps[-1].x, finger.steps[-1].y
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "Tremble":
        self._thread.start()
        return self

    def _run(self) -> None:
        report = 0
        while not self._is_over.wait(0.01):
            report += 1
            # Now and then one report is far away.
            away = 0.3 if report % 80 == 0 else self._pixels / LAYOUT.width * (report % 2)
            self._finger.move(self._x - away, self._y)

    def __exit__(self, *_) -> None:
        self._is_over.set()
        self._thread.join()


def counts(program) -> list[int]:
    return [program.ipc.get(f"vitrine/{name}") for name in ("seeks-asked", "seeks-sent", "frames-shown")]


@pytest.mark.parametrize("pixels", [1, 4])
def test_a_finger_that_trembles_rests(play, films, panel, pixels):
    """N13: by less than 1 mm, 5 pixels on a display that does not report its size: the exact frame under it stays from
    then on, no more seeks are sent, even if single reports are far away, and the release is the resting place, not the
    last report's."""
    film = films("360p-key50.mp4")
    program = play(film, "--paused")
    panel.wait_until_read()
    show_bar(program, panel)
    duration = program.ipc.get("duration")
    finger = Finger(panel)
    finger.down(LAYOUT.x(0.2), LAYOUT.y)
    finger.glide(LAYOUT.of_frame(900, film, duration), seconds=0.4)
    finger.wait()
    with Tremble(finger, pixels):
        wait_until_reported(program, film, 900)
        end = time.monotonic() + 10
        before, now = None, counts(program)
        while before != now:
            assert time.monotonic() < end, "it does not rest"
            time.sleep(1)
            before, now = now, counts(program)
        time.sleep(1)  # Nothing is what must happen from now on.
        assert counts(program) == before
        assert program.ipc.get("vitrine/thumb") == pytest.approx(LAYOUT.value(LAYOUT.of_frame(900, film, duration)), abs=0.001)
    finger.move(LAYOUT.of_frame(900, film, duration) + 40 / LAYOUT.width, LAYOUT.y)
    lift(program, finger)
    settle(program)
    wait_for_frame(program, film, 900)


def test_the_lift_of_a_panel_that_is_pulled_out_is_none(play, films):
    """B1: a single-touch panel then only reports that the finger left."""
    film = films("360p-key50.mp4")
    program = play(film, "--paused", "--start", "6")
    with Panel(name="Single-touch panel", single_touch=True) as panel:
        panel.wait_until_read()
        show_bar(program, panel)
        before = program.ipc.get("time-pos")
        finger = Finger(panel)
        finger.down(LAYOUT.x(0.5), LAYOUT.y)
        finger.glide(LAYOUT.of_frame(1200, film, program.ipc.get("duration")), seconds=0.4)
        finger.wait()
        wait_until_reported(program, film, 1200)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now < 30)
    settle(program)
    assert program.frame(film) == film.frame_at(before)
    assert program.ipc.get("vitrine/rebuilds") == 0


@pytest.mark.long
def test_a_touch_that_never_lifts(play, films, panel):
    """N13: dirt in a corner, and a finger that never leaves the bar. After a minute both are void: the film returns to
    its position, the bar hides, and another finger finds the panel free."""
    film = films("360p-key50.mp4")
    program = play(film, "--loop")
    panel.wait_until_read()
    dirt, stuck, visitor = (Finger(panel, slot) for slot in range(3))
    dirt.down(0.02, 0.03)
    program.ipc.wait_for("vitrine/osd-visible")
    before = program.ipc.get("time-pos")
    stuck.down(LAYOUT.x(0.8), LAYOUT.y)
    program.ipc.wait_for("core-idle")
    began = time.monotonic()
    while time.monotonic() < began + 56:
        assert program.ipc.get("core-idle") is True and program.ipc.get("vitrine/osd-visible") is True
        time.sleep(1)  # Dirt trembles, too.
        for finger in (dirt, stuck):
            finger.move(finger.steps[0].x + 3 / LAYOUT.width * (len(finger.steps) % 2), finger.steps[0].y)
    program.ipc.wait_for("core-idle", lambda idle: idle is False)
    assert 55 < time.monotonic() - began < 70
    program.ipc.wait_for("time-pos", lambda now: now is not None and before < now < before + 10)
    program.ipc.wait_for("vitrine/osd-visible", lambda visible: visible is False)
    assert program.log().count("has not moved for 60 s") == 2
    # The visitor's taps and drags.
    for visible in (True, False, True):
        panel.tap(0.5, 0.4, slot=2)
        program.ipc.wait_for("vitrine/osd-visible", lambda now, visible=visible: now is visible, timeout=2.5)
    visitor.down(LAYOUT.x(0.3), LAYOUT.y)
    visitor.glide(LAYOUT.of_frame(1200, film, program.ipc.get("duration")), seconds=0.5)
    visitor.wait()
    wait_for_frame(program, film, 1200)
    lift(program, visitor)
    dirt.up()
    stuck.up()
    settle(program)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 48.5)
