"""The film's plane is told the matrix and the range of the film's colours (B3)."""

import subprocess

import pytest

from cards import state

# GStreamer's numbers of range, matrix, transfer and primaries, and what the kernel says of the plane.
COLORS = [
    ("2:4:5:4", "ITU-R BT.601 YCbCr", "YCbCr limited range"),
    ("2:3:5:1", "ITU-R BT.709 YCbCr", "YCbCr limited range"),
    ("2:6:13:7", "ITU-R BT.2020 YCbCr", "YCbCr limited range"),
    ("1:3:5:1", "ITU-R BT.709 YCbCr", "YCbCr full range"),
]


@pytest.mark.parametrize("colorimetry, encoding, range", COLORS, ids=["601", "709", "2020", "709 full"])
def test_the_plane_knows_the_film_s_colours(play, tmp_path, colorimetry: str, encoding: str, range: str):
    film = tmp_path / "film.mkv"
    caps = f"video/x-raw,format=I420,width=640,height=360,framerate=25/1,colorimetry={colorimetry}"
    command = f"gst-launch-1.0 -q videotestsrc num-buffers=25 ! {caps} ! x264enc ! matroskamux ! filesink location={film}"
    subprocess.run(command.split(), check=True, timeout=60)
    play(str(film), "--paused", "--mute")
    shown = [part for part in state("/dev/dri/card0").split("plane[") if "crtc=crtc" in part and "format=YU12" in part]
    assert len(shown) == 1, "one plane shows YCbCr"
    assert f"color-encoding={encoding}" in shown[0] and f"color-range={range}" in shown[0], shown[0]
