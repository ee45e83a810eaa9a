"""Formats of the kernel's virtual decoder besides H.264 and HEVC in wavefronts: cropped sizes, 10 bit, and other
codecs."""

import numpy
import pytest

from decoders import (  # noqa: F401: fixtures
    COLUMNS, COLUMNS_ALONE, KNOWS_DEVICES, Shown, bufinfo, columns, decoder, is_columns, make, plays)

pytestmark = pytest.mark.decoders
HEVC = pytest.mark.since_1_24("an older GStreamer's decoder of HEVC is passed over, because wavefronts crash it")

# In lines. GStreamer 1.22 knows no decoder of AV1, crashes with HEVC in wavefronts, which cannot be recognised in
# advance, and its decoder of VP9 finds no memory with the virtual one: a software decoder follows.
DEVICES = {
    "h265-rows": "v4l2slh265dec" if KNOWS_DEVICES else "avdec_h265",
    "vp8": "v4l2slvp8dec",
    "vp9": "v4l2slvp9dec" if KNOWS_DEVICES else "vp9dec",
    "av1": "v4l2slav1dec" if KNOWS_DEVICES else "av1dec",
}


@pytest.mark.parametrize("codec", DEVICES)
def test_it_goes_to_the_plane_without_a_copy(play, make, codec: str):
    program = play(make(codec), "--loop", "--mute")
    name = decoder(program)
    # Debian decides which software decoder exists.
    assert name == DEVICES[codec] or not DEVICES[codec].startswith("v4l2") and not name.startswith("v4l2")
    plays(program)
    assert Shown().is_imported == name.startswith("v4l2"), Shown().text
    for place in (4.2, 0.52, 3):
        program.ipc.command("seek", place, "absolute+exact")
        program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    plays(program, 3)
    assert program.ipc.get("vitrine/rebuilds") == (0 if KNOWS_DEVICES or codec != "vp9" else 1)


@pytest.mark.since_1_24("an older GStreamer knows no columns")
@pytest.mark.parametrize("codec", ["h265-rows", "vp9", "av1"])
def test_columns_of_it_do_too(play, make, columns, codec: str):
    program = play(make(codec), "--loop", "--mute")
    plays(program)
    assert decoder(program) == DEVICES[codec]
    assert Shown().is_imported and Shown().modifier == COLUMNS


@pytest.mark.parametrize("codec", ["h264", pytest.param("h265-window", marks=HEVC)])
def test_of_a_size_that_is_cut_off_it_shows_what_is_left(play, make, is_columns: bool, codec: str):
    """360 lines of 368, as 1080 of 1088. Frames in columns go to the plane unchanged. In lines GStreamer 1.22 copies
    those of H.264, and 1.26.2 those of HEVC, which it tries in columns, too, and cannot, and reports with each frame:
    the third time is the last that is logged."""
    program = play(make(codec, 640, 360), "--loop", "--mute", environment={"G_DEBUG": ""})
    plays(program, 100)
    is_device = KNOWS_DEVICES or not is_columns
    assert decoder(program) == (f"v4l2sl{codec[:4]}dec" if is_device else "avdec_h264")
    shown = Shown()
    if KNOWS_DEVICES and is_columns:
        assert shown.is_imported and shown.modifier == COLUMNS, shown.text
    elif codec == "h264":
        assert shown.is_imported == KNOWS_DEVICES, shown.text
    assert "src-pos=640.000000x360.000000" in shown.text, shown.text
    said = [line for line in program.log().splitlines() if "CRITICAL" in line]
    assert len(said) <= 3 * len(set(line.split("CRITICAL")[1] for line in said)), program.log()
    program.stop()
    # The fixture checks every program for such lines: these are known.
    play.programs.clear()


def test_ten_bit_plays(play, make, is_columns: bool):
    """To the plane as it is decoded. In columns the virtual decoder makes 8 bit: GStreamer knows no others."""
    program = play(make("h265-10"), "--loop", "--mute")
    plays(program)
    assert decoder(program) == ("v4l2slh265dec" if KNOWS_DEVICES else "avdec_h265")
    assert program.ipc.get("vitrine/rebuilds") == 0
    if KNOWS_DEVICES:
        shown = Shown()
        assert shown.is_imported and shown.format == ("NV12" if is_columns else "P010"), shown.text


@HEVC
def test_ten_bit_shows_the_same_picture(play, make):
    """As 8 bit: the virtual decoder's pattern, below its text."""
    pictures = []
    for codec, layout in (("h265-rows", "NV12"), ("h265-10", "P010")):
        program = play(make(codec), "--paused", "--mute")
        pictures.append(program.screenshot()[730:].astype(int))
        assert Shown().format == layout
        program.stop()
    assert len(numpy.unique(pictures[0].reshape(-1, 3), axis=0)) > 5, "colour bars"
    assert numpy.abs(pictures[0] - pictures[1]).max() <= 2


def test_a_turn_that_is_over_is_no_reason_any_more(play, make, columns, tmp_path):
    """A decoder that makes only columns cannot be used for a cropped film. With another gravity it is used: it is not
    broken."""
    kept = tmp_path / "state"
    kept.mkdir()
    program = play(make("h264", 640, 360), "--loop", "--mute", "--gravity", "fill", "--state", str(kept))
    plays(program)
    assert decoder(program) == "avdec_h264"
    if KNOWS_DEVICES:
        for gravity, name in (("fit", "v4l2slh264dec"), ("fill", "avdec_h264"), ("fit", "v4l2slh264dec")):
            program.ipc.set("vitrine/gravity", gravity)
            program.ipc.wait_for("vitrine/decoder", lambda now, name=name: now == name)
            plays(program, 10)
        # It fails once, the first time: from then on it is not asked for a form that it cannot make.
        assert program.log().count("does not play with the decoder") == 1
        assert program.ipc.get("vitrine/rebuilds") == 1
    program.stop()
    assert "v4l2sl" not in (kept / "playing.json").read_text()
