"""`vitrine inspect` and `report` name the decoder that plays a film here, and say whether its frames reach the plane
without a copy; the player then does the same."""

import os
import re
import subprocess

import pytest

from decoders import (  # noqa: F401: fixtures
    COLUMNS, HARDWARE, KNOWS_DEVICES, Shown, decoder, forgive, is_columns, leniently, make, plays, shape)
from thorough import also

pytestmark = pytest.mark.decoders
VITRINE = os.environ.get("VITRINE_BIN")
TAKEN = re.compile(r": (\w+), of the (hardware|processor): (.*)$", re.M)


def reported(film: str, *words: str) -> tuple[str, str, str]:
    """Name, kind and the way of its frames."""
    command = [VITRINE, "inspect", "--decoder", *words, film]
    # With columns GStreamer 1.26.2 calls it a mistake that it cannot copy frames that are cut off (decoders.py, `leniently`).
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, env={**os.environ, "G_DEBUG": ""})
    assert run.returncode == 0, run.stderr
    return TAKEN.search(run.stdout).groups()


@pytest.mark.parametrize("codec", [
    "h264", "h265", "untagged", "h265-window", *also("h264-window", "vp9", "av1"),
    pytest.param("h265-10", marks=pytest.mark.since_1_24("an older GStreamer leaves HEVC to the processor"))])
def test_what_inspect_says_is_what_the_player_does(play, make, codec: str, is_columns: bool):
    film = make("h264", 640, 360) if codec == "h264-window" else make(codec, *shape(codec))
    name, kind, frames = reported(film)
    program = play(film, "--loop", "--mute", **leniently(codec))
    plays(program)
    shown = Shown()
    assert decoder(program) == name
    assert (kind == "hardware") == (program.ipc.get("hwdec-current") != "no")
    assert ("without a copy" in frames) == shown.is_imported, (frames, shown.text)
    if KNOWS_DEVICES:
        assert name == f"v4l2sl{'h264' if codec == 'untagged' else codec.split('-')[0]}dec"
        assert (f"NV12:0x{COLUMNS:016x}" in frames) == is_columns
    # Another program's display: the driver cannot be asked whether its plane scales, and that is reported.
    again = reported(film)
    assert again[:2] == (name, kind) and ("another program holds the display" in again[2]) == shown.is_imported
    forgive(play, codec)


def test_fields_become_whole_frames(play, make, is_columns: bool):
    """Of lines in system memory, which the decoder is asked for; columns are no frames to make others of, and the next
    decoder is used. inspect says the same."""
    film = make("h264-fields")
    name, kind, frames = reported(film)
    program = play(film, "--loop", "--mute")
    plays(program)
    assert decoder(program) == name == ("avdec_h264" if is_columns else HARDWARE["h264"])
    assert ("the pipeline makes whole frames of fields" in frames) == (kind == "hardware") == (not is_columns), frames
    assert not Shown().is_imported


@pytest.mark.parametrize("lines, reason", [
    ("rotate = 90", "the plane does not scale, and 640x480 is shown on 1024x768"),
    ('gravity = "fill"', "the pipeline fits the frames into the display"),
    ('osd = "composited"', "the bar is drawn into the frames while it is seen"),
])
def test_why_frames_are_copied(make, tmp_path, lines: str, reason: str):
    """By the settings, as a kiosk has them."""
    settings = tmp_path / "vitrine.toml"
    settings.write_text(lines + "\n")
    name, kind, frames = reported(make("h264"), "--settings", str(settings))
    assert (name, kind) == (HARDWARE["h264"], "hardware")
    assert frames.startswith("each frame (NV12) is copied: ") and reason in frames


def test_displays_says_in_which_layouts_a_plane_takes_a_format(play):
    program = play.run("displays")
    assert program.wait_until_ended() == 0
    assert re.search(r"^ +NV12 also as .*SAND128", program.log(), re.M), program.log()
    program = play.run("displays", "--json")
    assert program.wait_until_ended() == 0
    assert f"0x{COLUMNS:016x}" in program.log()


@pytest.mark.parametrize("options, scaling", [
    ((), "the film is scaled by its plane"),
    (("--rotate", "180"), "the film is scaled by its plane"),
    (("--rotate", "90"), "the film is scaled in the pipeline and turned by its plane"),
])
def test_displays_says_who_scales_the_film(play, options: tuple, scaling: str):
    program = play.run("displays", *options)
    assert program.wait_until_ended() == 0
    assert f"step own-planes-scaling: film and OSD have planes of their own, {scaling}" in program.log()


def test_report_says_it_of_each_film_and_each_codec(make, tmp_path):
    films = tmp_path / "films"
    films.mkdir()
    (films / "it's one.mp4").symlink_to(make("h264"))
    (films / "two.mp4").symlink_to(make("h265"))
    settings = tmp_path / "vitrine.toml"
    settings.write_text(f'films = "{films}"\n')
    command = [VITRINE, "report", "--settings", str(settings)]
    text = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout
    parts = dict(part.split("\n", 1) for part in re.split(r"^== ", text, flags=re.M) if "\n" in part)
    assert "H.264: v4l2slh264dec (hardware), then avdec_h264 (processor)" in parts["decoders by stream"]
    passed_over = "" if KNOWS_DEVICES else ", passed over: GStreamer before 1.24 crashes with it where HEVC is in wavefronts"
    assert f"HEVC: v4l2slh265dec (hardware{passed_over}), then avdec_h265 (processor)" in parts["decoders by stream"]
    reported_of = TAKEN.findall(parts["films' decoders"])
    assert [(name, "without a copy" in frames) for name, _, frames in reported_of] == [
        (HARDWARE["h264"], True), (HARDWARE["h265"], KNOWS_DEVICES)]
