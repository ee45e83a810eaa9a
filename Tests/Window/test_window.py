"""A window for developers: the film, the same bar, and the mouse as the finger."""

import os
import subprocess
import time

import numpy
import pytest

from bar import Finger, Layout, reported_frame, show_bar, thumb, wait_for_frame, wait_for_thumb, wait_until_reported
from conftest import NO_DESKTOP, Mouse
from turned import Turn

LAYOUT = Layout(1280, 720)
# The delay, in seconds, after which the mouse's events are reported: ximagesink polls 20 times a second.
LOOKS = 0.2


def settle(program) -> None:
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)


def test_the_film_follows_a_dragged_mouse(play_window, films, desktop):
    """A click shows the bar, a drag along it scrubs the film, and the release leaves the exact frame (M4, M7)."""
    film, mouse = films("360p-key50.mp4"), Mouse(desktop)
    program = play_window(film, "--paused")
    assert program.frame(film) == 0
    assert thumb(program.screenshot(), LAYOUT) is None
    show_bar(program, mouse)
    wait_for_thumb(program, LAYOUT.left, near=3)
    duration = program.ipc.wait_for("duration")
    finger = Finger(mouse)
    finger.down(LAYOUT.x(0), LAYOUT.y)
    finger.glide(LAYOUT.of_frame(1100, film, duration), seconds=1.5, rate=20)
    seen = set()
    while finger.is_moving:
        seen.add(program.frame(film))
    finger.wait()
    between = {frame for frame in seen if 0 < frame < 1100}
    assert len(between) >= 3, f"the film did not follow the finger: {sorted(seen)}"
    finger.up()
    settle(program)
    x, _ = mouse.place(finger.steps[-1].x, LAYOUT.y)
    picture = wait_for_frame(program, film, LAYOUT.frame(x, film, duration))
    assert wait_for_thumb(program, x * 1280, near=2) == pytest.approx(x * 1280, abs=2)
    assert picture[700:].mean() < program.screenshot()[300:320].mean(), "the strip darkens the film below the bar"


def test_the_mouse_is_no_finger_without_its_left_button(play_window, films, desktop):
    film, mouse = films("360p-key50.mp4"), Mouse(desktop)
    program = play_window(film, "--paused")
    mouse.move(0.3, 0.4)
    mouse.down(0.6, 0.5, button=3)
    mouse.move(0.5, 0.5)
    mouse.up(button=3)
    time.sleep(LOOKS)
    assert program.ipc.get("vitrine/osd-visible") is False
    show_bar(program, mouse)
    time.sleep(LOOKS)
    touched = program.ipc.get("vitrine/last-touch")
    for step in range(5):
        mouse.move(0.2 + step / 10, LAYOUT.y)
    time.sleep(LOOKS)
    assert program.ipc.get("vitrine/last-touch") == touched
    assert program.ipc.get("vitrine/seeks-asked") == 0
    assert program.frame(film) == 0


def test_the_windows_corners(play_window, films, desktop):
    """All of the window is touched: the upper corners are film, the lower ones the ends of the bar."""
    film, mouse = films("360p-key50.mp4"), Mouse(desktop)
    program = play_window(film, "--paused")
    # A touch on the film starts a paused one.
    mouse.tap(0, 0)
    program.ipc.wait_for("pause", lambda paused: paused is False)
    program.ipc.set("pause", True)
    mouse.tap(1, 1)
    wait_until_reported(program, film, film.frames - 1)
    settle(program)
    mouse.tap(0, 1)
    wait_for_frame(program, film, 0)
    asked = program.ipc.get("vitrine/seeks-asked")
    mouse.tap(1, 0)
    program.ipc.wait_for("pause", lambda paused: paused is False)
    assert program.ipc.get("vitrine/seeks-asked") == asked


@pytest.mark.parametrize("turn", [Turn(90, False), Turn(180, True)], ids=str)
def test_film_bar_and_mouse_are_turned_together(play_window, films, desktop, turn: Turn):
    """N2: by the pipeline."""
    film = films("360p-key50.mp4")
    size = (720, 1280) if turn.swaps else (1280, 720)
    mouse = Mouse(desktop, size, turn=turn)
    program = play_window(film, "--paused", size=size, turn=turn)
    duration = program.ipc.wait_for("duration")
    show_bar(program, mouse)
    mouse.tap(LAYOUT.of_frame(700, film, duration), LAYOUT.y)
    program.ipc.wait_for_counter("vitrine/seeks-completed")
    settle(program)
    reported = reported_frame(program, film)
    assert reported == pytest.approx(700, abs=1500 / LAYOUT.length + 1)
    picture = wait_for_frame(program, film, reported)
    x = LAYOUT.x((reported + 0.5) / film.rate / duration)
    assert wait_for_thumb(program, x * 1280, near=3) == pytest.approx(x * 1280, abs=3)
    assert picture.shape[:2] == (720, 1280)


def test_a_larger_window_has_the_film_in_its_middle(play_window, films, desktop):
    """Places are relative to the frame, wherever it is in the window."""
    film = films("360p-key50.mp4")
    program = play_window(film, "--paused")
    desktop.xdotool("windowsize", desktop.window(), 1500, 900)
    desktop.wait_for_size((1500, 900))
    program.offset = (110, 90)
    end = time.monotonic() + 5
    while program.screenshot()[-1].max() == 0 or desktop.picture()[:90, :1500].any():
        assert time.monotonic() < end, "the picture is not in the middle"
        time.sleep(0.05)
    assert program.frame(film) == 0
    mouse = Mouse(desktop, offset=(110, 90))
    show_bar(program, mouse)
    duration = program.ipc.wait_for("duration")
    at = LAYOUT.of_frame(900, film, duration)
    mouse.tap(at, LAYOUT.y)
    x, _ = mouse.place(at, LAYOUT.y)
    wait_for_frame(program, film, LAYOUT.frame(x, film, duration))
    assert wait_for_thumb(program, x * 1280, near=2) == pytest.approx(x * 1280, abs=2)


def test_a_screenshot_is_what_the_window_shows(play_window, films, desktop, tmp_path):
    film = films("pal-4x3.mp4")
    program = play_window(film, "--paused", "--start", "3")
    show_bar(program, Mouse(desktop))
    wait_for_thumb(program, LAYOUT.left + 0.3 * LAYOUT.length, near=6)
    shown, shot = program.screenshot(), program._program.screenshot()
    assert numpy.array_equal(shown, shot)
    assert program.frame(film, shot) == 75
    # Black beside the film, but not below the bar, which is as wide as the window.
    assert not shown[:400, :150].any() and shown[LAYOUT.centre, :150].any()


def test_a_picture_in_rgb_is_shown(play_window, films):
    """The RGB format of an X server depends on its depth."""
    still = films("still.png")
    assert play_window(still).frame(still) == 0


def test_the_next_film_has_a_window_too(play_window, films, desktop):
    """A button that is held when its window closes holds nothing any more."""
    film, other = films("360p-key50.mp4"), films("short.mp4")
    program, mouse = play_window(film, other, "--paused"), Mouse(desktop)
    show_bar(program, mouse)
    mouse.down(0.5, LAYOUT.y)
    program.ipc.wait_for_counter("vitrine/seeks-completed")
    program.ipc.command("playlist-next")
    program.ipc.wait_for("path", lambda path: path == other.path)
    wait_until_reported(program, other, 0)
    mouse.up()
    wait_for_frame(program, other, 0)
    # The bar hides, which it does not do under a finger.
    program.ipc.wait_for("vitrine/osd-visible", lambda visible: visible is False)
    show_bar(program, mouse)
    mouse.tap(LAYOUT.of_frame(30, other, program.ipc.wait_for("duration")), LAYOUT.y)
    wait_for_frame(program, other, 30)


@pytest.mark.parametrize("arguments", [[], ["--paused"]], ids=["playing", "paused"])
def test_closing_the_window_ends_the_program(play_window, films, desktop, arguments):
    program = play_window(films("360p-key50.mp4"), *arguments)
    desktop.close_window()
    assert program.wait_until_ended() == 0
    assert program.log() == ""
    assert desktop.windows() == []


@pytest.mark.parametrize(
    "environment, says",
    [
        (NO_DESKTOP, "neither WAYLAND_DISPLAY nor DISPLAY is set. Start the program from a terminal"),
        ({**NO_DESKTOP, "DISPLAY": ":9999"}, "no desktop answers at DISPLAY=:9999"),
        ({**NO_DESKTOP, "WAYLAND_DISPLAY": "nobody-0"}, "no desktop answers at WAYLAND_DISPLAY=nobody-0"),
    ],
    ids=["unset", "x11", "wayland"],
)
def test_without_a_desktop_it_says_so(play, films, environment, says):
    program = play(films("360p-key50.mp4"), "--output", "window", wait=False, environment=environment)
    assert program.wait_until_ended() == 5
    assert says in program.log()


def test_a_window_has_no_planes(play, films):
    program = play(films("short.mp4"), "--output", "window", "--osd", "plane", wait=False)
    assert program.wait_until_ended() == 64


@pytest.fixture
def weston(tmp_path):
    """A Wayland compositor without a screen."""
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    tmp_path.chmod(0o700)
    with open(tmp_path / "weston.log", "wb") as log:
        server = subprocess.Popen(
            ["weston", "--backend=headless-backend.so", "--socket=vitrine-test", "--no-config", "--idle-time=0"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    end = time.monotonic() + 10
    while not (tmp_path / "vitrine-test").exists():
        assert server.poll() is None and time.monotonic() < end, (tmp_path / "weston.log").read_text()
        time.sleep(0.02)
    yield {**NO_DESKTOP, "WAYLAND_DISPLAY": "vitrine-test", "XDG_RUNTIME_DIR": str(tmp_path)}
    server.terminate()
    server.wait(5)


def test_a_film_plays_on_wayland(play, films, weston):
    film = films("360p-key50.mp4")
    program = play(film, "--output", "window", "--mute", environment=weston)
    program.ipc.wait_for_counter("vitrine/frames-shown", lambda shown: shown > 20)
    first = reported_frame(program, film)
    picture = program.screenshot()
    assert picture.shape == (720, 1280, 3)
    assert first <= program.frame(film, picture) <= first + 25
    program.signal()
    assert program.wait_until_ended() == 0


def test_x11_is_taken_where_waylands_sink_does_not_report_the_mouse(play, films, desktop, weston):
    """As on a Wayland desktop with Xwayland."""
    both = {**weston, "DISPLAY": desktop.name}
    program = play(films("360p-key50.mp4"), "--output", "window", "--paused", "--mute", environment=both)
    assert len(desktop.windows()) == 1
    show_bar(program, Mouse(desktop))
