"""Fixtures of the tests that play in a window of a desktop: `tools/check window`, or `PYTHON -m pytest Tests/Window` with
VITRINE_BIN and VITRINE_FILMS set. The desktop is an X server without a screen (Xvfb) or a Wayland compositor without one
(Weston); the players and films are the rig's."""

import ctypes
import importlib.util
import os
import pathlib
import subprocess
import sys
import time

import numpy
import PIL.ImageGrab
import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "Rig"))
_spec = importlib.util.spec_from_file_location("rig_conftest", HERE.parent / "Rig" / "conftest.py")
rig = importlib.util.module_from_spec(_spec)
sys.modules["rig_conftest"] = rig
_spec.loader.exec_module(rig)

films, play = rig.films, rig.play
pytest_runtest_makereport = rig.pytest_runtest_makereport

# The desktop on which the tests are started must be invisible to the player.
NO_DESKTOP = {"DISPLAY": "", "WAYLAND_DISPLAY": ""}


class ClientMessage(ctypes.Structure):
    """XClientMessageEvent, in the space of an XEvent."""

    _fields_ = [
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("message_type", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
        ("room", ctypes.c_long * 24),
    ]


class Desktop:
    """An X server with one window, at its upper left corner, and a mouse."""

    def __init__(self, size: tuple[int, int]):
        ours, theirs = os.pipe()
        self._server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(theirs), "-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten", "tcp"],
            pass_fds=[theirs],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs)
        with os.fdopen(ours) as numbers:
            number = numbers.readline().strip()
        assert number, "Xvfb does not start"
        self.name = f":{number}"
        self.environment = {**NO_DESKTOP, "DISPLAY": self.name}

    def stop(self) -> None:
        self._server.terminate()
        self._server.wait(5)

    def picture(self) -> numpy.ndarray:
        """The whole screen: height x width x 3, uint8."""
        return numpy.array(PIL.ImageGrab.grab(xdisplay=self.name).convert("RGB"))

    def xdotool(self, *words) -> str:
        run = subprocess.run(
            ["xdotool", *map(str, words)], env={**os.environ, "DISPLAY": self.name}, capture_output=True, text=True
        )
        assert run.returncode == 0, f"xdotool {words}: {run.stderr}"
        return run.stdout

    def windows(self) -> list[int]:
        run = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", "."],
            env={**os.environ, "DISPLAY": self.name},
            capture_output=True,
            text=True,
        )
        return [int(line) for line in run.stdout.split()]

    def window(self) -> int:
        """The only window."""
        (window,) = self.windows()
        return window

    def wait_for_size(self, size: tuple[int, int]) -> None:
        end = time.monotonic() + 5
        while f"{size[0]}x{size[1]}" not in self.xdotool("getwindowgeometry", self.window()):
            assert time.monotonic() < end, f"the window is not {size}"
            time.sleep(0.02)

    def close_window(self) -> None:
        """Closes it as a window manager does when somebody presses the window's cross."""
        x = ctypes.CDLL("libX11.so.6")
        x.XOpenDisplay.restype = ctypes.c_void_p
        x.XInternAtom.restype = ctypes.c_ulong
        display = ctypes.c_void_p(x.XOpenDisplay(self.name.encode()))
        window = self.window()
        protocols, delete = (x.XInternAtom(display, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
        message = ClientMessage(type=33, window=window, message_type=protocols, format=32)
        message.data[0] = delete
        x.XSendEvent(display, ctypes.c_ulong(window), 0, ctypes.c_long(0), ctypes.byref(message))
        x.XCloseDisplay(display)


class Mouse:
    """The mouse with the interface of a panel (tools/lib/finger.py): places are fractions of a picture in the window,
    at `offset` on the screen, turned by the viewer's `turn`."""

    def __init__(self, desktop: Desktop, size: tuple[int, int] = (1280, 720), offset=(0, 0), turn=None):
        self._desktop, self._size, self._offset, self._turn = desktop, size, offset, turn

    def move(self, x: float, y: float, slot: int = 0) -> None:
        self._desktop.xdotool("mousemove", "--sync", *self._pixel(x, y)) if self._is_elsewhere(x, y) else None

    def down(self, x: float, y: float, slot: int = 0, button: int = 1) -> None:
        self.move(x, y)
        self._desktop.xdotool("mousedown", button)

    def up(self, slot: int = 0, button: int = 1) -> None:
        self._desktop.xdotool("mouseup", button)

    def frame(self) -> None:
        pass

    def wait_until_read(self) -> None:
        """A desktop does not say which of its events a program has read."""

    def tap(self, x: float, y: float) -> None:
        self.down(x, y)
        self.up()

    def place(self, x: float, y: float) -> tuple[float, float]:
        """The place in whole pixels, which a mouse is limited to."""
        pixel = self._pixel(x, y)
        return tuple((at - start) / size for at, start, size in zip(pixel, self._offset, self._size))

    def _is_elsewhere(self, x: float, y: float) -> bool:
        # `--sync` waits for a motion.
        words = self._desktop.xdotool("getmouselocation", "--shell").split()
        return words[:2] != [f"{axis}={at}" for axis, at in zip("XY", self._pixel(x, y))]

    def _pixel(self, x: float, y: float) -> tuple[int, int]:
        if self._turn:
            x, y = self._turn.place(x, y)
        across, down = (
            start + min(max(round(part * size), 0), size - 1)
            for part, start, size in zip((x, y), self._offset, self._size)
        )
        return across, down


@pytest.fixture(scope="session")
def desktop():
    one = Desktop((1600, 1300))
    yield one
    one.stop()


class OnDesktop:
    """A program in a window, whose pictures are taken from the X server's screen: the interface that bar.py needs."""

    def __init__(self, program, desktop: Desktop, size: tuple[int, int], offset=(0, 0), turn=None):
        self._program, self.desktop, self.size, self.offset, self._turn = program, desktop, size, offset, turn

    def screenshot(self) -> numpy.ndarray:
        (left, top), (width, height) = self.offset, self.size
        picture = self.desktop.picture()[top : top + height, left : left + width]
        return self._turn.upright(picture) if self._turn else picture

    def reading(self, film, picture=None):
        return rig.frames.read(picture, rig.film_rect(picture, film))

    def frame(self, film, picture: numpy.ndarray | None = None) -> int:
        picture = self.screenshot() if picture is None else picture
        reading = self.reading(film, picture)
        assert reading.film == film.number, f"the window shows film {reading.film}, not {film.number}"
        return reading.frame

    def __getattr__(self, name: str):
        return getattr(self._program, name)


@pytest.fixture
def play_window(play, desktop):
    """`play_window(film, "--paused", size=(1280, 720), turn=None)`: a player with a window on the desktop."""

    def start(*arguments, size=(1280, 720), turn=None) -> OnDesktop:
        words = ["--mute", "--output", "window", "--mode", f"{size[0]}x{size[1]}", *(turn.arguments if turn else [])]
        program = play(*arguments, *words, environment=desktop.environment)
        return OnDesktop(program, desktop, size, turn=turn)

    return start
