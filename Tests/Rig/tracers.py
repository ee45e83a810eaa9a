"""GStreamer's log of a program, and its tracer of what leaks."""

import re

import pytest

from mistakes import TALKING

# Pads that decodebin has made and not added: without a parent, and with a name that they lose when they are added. Its
# gst_decode_bin_expose forgets its list of them if the film is closed while it sorts them (GStreamer 1.22.0, and main of 2026).
FORGOTTEN = re.compile(r"<'':decodepad\d+>, ref-count=\(uint\)1,|<decodepad\d+:proxypad\d+>")


@pytest.fixture
def gst_log(tmp_path):
    """GStreamer's output: `gst_log.environment(level)` for a program, and `gst_log.lines()` once it has ended."""

    class GstLog:
        path = tmp_path / "gstreamer.log"

        def environment(self, level: str) -> dict[str, str]:
            # Its end is logged on a level of its own.
            return TALKING | {"GST_DEBUG": f"{level},GST_INIT:4", "GST_DEBUG_FILE": str(self.path)}

        def lines(self) -> list[str]:
            return self.path.read_text(errors="replace").splitlines()

        def nothing_left(self) -> None:
            assert any("deinitialized GStreamer" in line for line in self.lines()), "the tracer was not asked"
            alive = [line.partition("object-alive, ")[2] for line in self.lines() if "object-alive, " in line]
            alive = [line for line in alive if "%s" not in line and not FORGOTTEN.search(line)]
            assert not alive, "\n".join(alive)

    return GstLog()


LEAKS = {"GST_TRACERS": "leaks"}


def end(program) -> None:
    program.ipc.command("quit")
    assert program.wait_until_ended(20) == 0
