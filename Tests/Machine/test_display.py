"""A display with one primary plane and a cursor: reported as such, and used for playback (S2, N2)."""

import contextlib
import json
import os
import subprocess
import time

import numpy

import frames
from bar import Layout, show_bar, thumb
from turned import Turn, TurnedPanel


def test_displays_lists_a_primary_and_a_cursor_plane_only():
    command = [os.environ["VITRINE_BIN"], "displays", "--json"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    (card,) = report["displays"]["cards"]
    assert card["driver"] == "virtio_gpu"
    assert sorted(plane["kind"] for plane in card["planes"]) == ["cursor", "primary"]
    assert report["choice"]["step"] == "composited"


def test_the_film_is_on_the_screen(terminal, monitor, play, films):
    """As seen from outside: the film's frames move, in their own shape. When paused, the display shows the same as
    Vitrine's own capture, and nothing of the console, not even its cursor."""
    film = films("360p-key50.mp4")
    program = play(film, "--mute")

    def shown() -> frames.Reading:
        picture = monitor.screendump()
        assert picture.shape == (768, 1024, 3)
        return frames.read(picture, frames.fit((1024, 768), film.aspect))

    first = shown()
    assert first.film == film.number
    program.ipc.wait_for("time-pos", lambda time: time is not None and time > first.frame / film.rate + 0.4)
    # On a busy machine the frames of some moments are late, and dropped.
    wait_until(lambda: shown().frame > first.frame)
    program.ipc.set("pause", True)
    program.ipc.command("seek", 1, "absolute+exact")
    wait_until(lambda: shown().frame == film.frame_at(1))
    own = program.screenshot()
    seen = monitor.screendump("machine-film")
    assert numpy.array_equal(own, seen)
    # The bars above and below.
    assert not seen[:90].any() and not seen[-90:].any()


def test_a_film_of_the_display_s_size_is_shown_as_it_is(terminal, monitor, play, films):
    film = films("square-4x3.mp4")
    play(film, "--mode", "640x480", "--paused", "--mute")
    seen = monitor.screendump()
    assert seen.shape == (480, 640, 3)
    assert frames.read(seen, frames.Rect(0, 0, 640, 480)) == frames.Reading(0, film.number)


def test_ten_bits_a_colour_and_four_thousand_pixels(terminal, monitor, play, films):
    """A film of 10 bits on a display of 8, in a requested 4K mode."""
    film = films("high10.mp4")
    play(film, "--paused", "--start", "2.02", "--mute", "--mode", "3840x2160")
    seen = monitor.screendump()
    assert seen.shape == (2160, 3840, 3)
    assert reads(seen, film) == 50


def test_it_turns(terminal, monitor, panel, play, films):
    """N2 on a display whose planes do not turn: the pipeline turns film, bar and touch."""
    film, turn = films("360p-key50.mp4"), Turn(90, True)
    program = play(film, "--paused", "--start", "10.02", "--mute", *turn.arguments)
    assert reads(turn.upright(monitor.screendump()), film) == 250
    panel.wait_until_read()
    viewer, layout = TurnedPanel(panel, turn), Layout(768, 1024)
    show_bar(program, viewer)
    viewer.tap(layout.of_frame(700, film, program.ipc.wait_for("duration")), layout.y)
    wait_until(lambda: reads(turn.upright(monitor.screendump()), film) == 700)


def test_the_rate_follows_the_film(terminal, play, films):
    """`--match-refresh`: 25 frames a second are shown at 75 Hz, each for as long as the next, and stay on the
    screen."""
    film = films("360p-key50.mp4")
    program = play(film, "--paused", "--start", "10.02", "--mute", "--mode", "1024x768@60", "--match-refresh",
                   "--log", "info")
    program.wait_for_log("it suits the film")
    assert "mode 1024x768@74.99" in program.log()
    assert program.frame(film) == 250


def test_a_finger_drags_the_bar_that_is_drawn_into_the_film(terminal, monitor, panel, play, films):
    layout = Layout()
    film = films("360p-key50.mp4")
    program = play(film, "--paused", "--mute")
    panel.wait_until_read()
    show_bar(program, panel)
    target = layout.x(0.6)
    panel.drag(layout.x(0.2), layout.y, target, layout.y, seconds=1, rate=30)
    wait_until(lambda: abs((thumb(monitor.screendump("machine-bar")) or 0) - layout.thumb_x(target)) < 3)
    frame = film.frame_at(layout.value(target) * film.seconds)
    rect = frames.fit((1024, 768), film.aspect)
    wait_until(lambda: abs(frames.read(monitor.screendump(), rect).frame - frame) <= 1)


def wait_until(is_so, timeout: float = 15) -> None:
    """A display without a film is waited for: if a seek takes too long here, the film is reopened, and the display is
    black for a moment."""
    end = time.monotonic() + timeout
    while True:
        with contextlib.suppress(frames.NoFrame):
            if is_so():
                return
        assert time.monotonic() < end, "it did not come so"
        time.sleep(0.1)


def test_another_display_takes_the_film_over(terminal, monitor, panel, screen, play, films):
    """N7: the display becomes another one, with another EDID, mode and shape, while the film plays and while it is
    paused: the film is there again at its position, in the new size, and so is the bar for a finger."""
    film = films("360p-key50.mp4")
    program = play(film, "--paused", "--start", "10.02", "--mute", "--log", "info")
    panel.wait_until_read()
    for width, height in ((1280, 800), (800, 600), (1024, 768)):
        screen.resize(width, height)
        program.ipc.wait_for("osd-width", lambda reported: reported == width)
        program.ipc.wait_for("vo-configured")
        wait_until(lambda: monitor.screendump().shape == (height, width, 3))
        wait_until(lambda: reads(monitor.screendump(), film) == 250)
    layout = Layout(1024, 768)
    show_bar(program, panel)
    duration = program.ipc.wait_for("duration")
    panel.tap(layout.of_frame(700, film, duration), layout.y)
    wait_until(lambda: reads(monitor.screendump(), film) == 700)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    program.ipc.set("pause", False)
    screen.resize(1280, 800)
    program.ipc.wait_for("osd-width", lambda reported: reported == 1280)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 28.5)
    # The first frames after the change may be late, and dropped.
    wait_until(lambda: (reads(monitor.screendump(), film) or 0) > 28 * film.rate)


def reads(picture: numpy.ndarray, film) -> int | None:
    """The film's frame, where it is on the display and aspect-fit."""
    height, width = picture.shape[:2]
    try:
        reading = frames.read(picture, frames.fit((width, height), film.aspect))
    except frames.NoFrame:
        return None
    return reading.frame if reading.film == film.number else None
