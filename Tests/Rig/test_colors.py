"""The film's plane gets the matrix and the range of the film's colours (B3)."""

import pathlib
import subprocess

import pytest

from cards import state
from shown_frames import SinkLog

# GStreamer's numbers of range, matrix, transfer and primaries, and the kernel's properties of the plane.
COLORS = [
    ("2:4:5:4", "ITU-R BT.601 YCbCr", "YCbCr limited range"),
    ("2:3:5:1", "ITU-R BT.709 YCbCr", "YCbCr limited range"),
    ("2:6:13:7", "ITU-R BT.2020 YCbCr", "YCbCr limited range"),
    ("1:3:5:1", "ITU-R BT.709 YCbCr", "YCbCr full range"),
]


def make(film: pathlib.Path, colorimetry: str, pictures: int = 25) -> str:
    caps = f"video/x-raw,format=I420,width=640,height=360,framerate=25/1,colorimetry={colorimetry}"
    source = f"videotestsrc num-buffers={pictures} ! {caps}"
    command = f"gst-launch-1.0 -q {source} ! x264enc speed-preset=ultrafast ! matroskamux ! filesink location={film}"
    subprocess.run(command.split(), check=True, timeout=60)
    return str(film)


def plane() -> str:
    shown = [part for part in state("/dev/dri/card0").split("plane[") if "crtc=crtc" in part and "format=YU12" in part]
    assert len(shown) == 1, "one plane shows YCbCr"
    return shown[0]


@pytest.mark.parametrize("colorimetry, encoding, range", COLORS, ids=["601", "709", "2020", "709 full"])
def test_the_plane_knows_the_film_s_colours(play, tmp_path, colorimetry: str, encoding: str, range: str):
    play(make(tmp_path / "film.mkv", colorimetry), "--paused", "--mute")
    shown = plane()
    assert f"color-encoding={encoding}" in shown and f"color-range={range}" in shown, shown


def test_a_film_made_ready_leaves_the_plane_its_colours(play, tmp_path):
    """Until the preloaded film is visible (A13)."""
    first, second = make(tmp_path / "first.mkv", COLORS[0][0], pictures=200), make(tmp_path / "second.mkv", COLORS[2][0])
    log = SinkLog(tmp_path)
    program = play(first, second, "--mute", "--end", "stop", environment=log.environment)
    log.wait_for("kept from the screen")
    assert program.ipc.get("path") == first
    assert f"color-encoding={COLORS[0][1]}" in plane()
    program.ipc.wait_for("path", lambda path: path == second, timeout=15)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.3)
    assert f"color-encoding={COLORS[2][1]}" in plane()
