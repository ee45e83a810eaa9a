"""Fixtures of the tests that run in the machine, with virtio-gpu, virtual terminals and a keyboard: `tools/check machine`,
or `tools/machine -- PYTHON -m pytest Tests/Machine` with VITRINE_BIN and VITRINE_FILMS set. The players, films and
panels are the rig's."""

import fcntl
import importlib.util
import pathlib
import struct
import subprocess
import sys
import time
from typing import NamedTuple

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "Rig"))
_spec = importlib.util.spec_from_file_location("rig_conftest", HERE.parent / "Rig" / "conftest.py")
rig = importlib.util.module_from_spec(_spec)
sys.modules["rig_conftest"] = rig
_spec.loader.exec_module(rig)

from monitor import Monitor  # noqa: E402
from screen import Screen  # noqa: E402

films, play, panel = rig.films, rig.play, rig.panel
pytest_runtest_makereport = rig.pytest_runtest_makereport

# From linux/kd.h and linux/vt.h.
KDGETMODE, KDGKBMODE, VT_ACTIVATE, VT_WAITACTIVE = 0x4B3B, 0x4B44, 0x5606, 0x5607
KD_TEXT, KD_GRAPHICS, K_UNICODE, K_OFF = 0, 1, 3, 4


class Modes(NamedTuple):
    display: int
    keyboard: int


FILM = Modes(KD_GRAPHICS, K_OFF)
TEXT = Modes(KD_TEXT, K_UNICODE)


class Terminal:
    """A virtual terminal, for reading its state only."""

    def __init__(self, number: int):
        self.path = f"/dev/tty{number}"
        self.number = number

    def modes(self) -> Modes:
        with open(self.path, "rb", buffering=0) as terminal:
            return Modes(
                *(
                    struct.unpack("i", fcntl.ioctl(terminal, request, b"\0" * 4))[0]
                    for request in (KDGETMODE, KDGKBMODE)
                )
            )

    def wait_for(self, modes: Modes, timeout: float = 20) -> None:
        end = time.monotonic() + timeout
        while (now := self.modes()) != modes:
            assert time.monotonic() < end, f"{self.path} is {now}, not {modes}"
            time.sleep(0.01)

    def show(self) -> None:
        """Makes it the visible one, which gets the keyboard."""
        with open(self.path, "rb", buffering=0) as terminal:
            fcntl.ioctl(terminal, VT_ACTIVATE, self.number)
            fcntl.ioctl(terminal, VT_WAITACTIVE, self.number)


@pytest.fixture(scope="session")
def monitor():
    monitor = Monitor()
    yield monitor
    monitor.close()


@pytest.fixture
def screen():
    screen = Screen()
    yield screen
    screen.close()


@pytest.fixture
def terminal():
    """The tests' controlling terminal, in text mode before and after."""
    terminal = Terminal(1)
    assert terminal.modes() == TEXT
    yield terminal
    terminal.wait_for(TEXT)


class Shell:
    """A shell that reads the terminal, and the keys typed there."""

    def __init__(self, terminal: Terminal, monitor: Monitor, folder: pathlib.Path):
        self.folder, self.monitor = folder, monitor
        folder.mkdir()
        with open(terminal.path, "rb") as keys:
            self.process = subprocess.Popen(["bash"], stdin=keys, cwd=folder)

    def type(self, name: str) -> None:
        """Types a command that creates a file of that name."""
        self.monitor.type(f"touch {name}\n")

    def heard(self) -> set[str]:
        return {path.name for path in self.folder.iterdir()}

    def wait_for(self, name: str, timeout: float = 20) -> None:
        end = time.monotonic() + timeout
        while name not in self.heard():
            assert time.monotonic() < end, f"the shell did not hear {name!r}, only {self.heard()}"
            time.sleep(0.02)


@pytest.fixture
def shell(terminal, monitor, tmp_path):
    terminal.show()
    shell = Shell(terminal, monitor, tmp_path / "shell")
    yield shell
    shell.process.kill()
    shell.process.wait()
