"""Rare behaviour of GStreamer and libav."""

import os
import pathlib
import time

import pytest


class Troubles:
    """Implemented by a preloaded library (troubles.c, which tools/check compiles)."""

    def __init__(self, folder: pathlib.Path):
        self._folder = folder / "troubles"
        self._folder.mkdir()
        library = os.environ.get("VITRINE_TROUBLES") or pytest.skip("no troubles.so: tools/check rig compiles it")
        self.environment = {"LD_PRELOAD": library, "TROUBLES": str(self._folder)}

    def begin(self, name: str) -> None:
        (self._folder / name).touch()

    def has(self, name: str) -> bool:
        return (self._folder / name).exists()

    def wait_for(self, name: str, timeout: float = 20) -> None:
        """Waits until the library reports this."""
        end = time.monotonic() + timeout
        while not self.has(name):
            assert time.monotonic() < end, f"no {name} in {timeout} s"
            time.sleep(0.01)

    def end(self, name: str) -> None:
        (self._folder / name).unlink()
