"""Films on virtual decoders (`tools/rig --decoders`): the kernel's visl accepts H.264 and HEVC like a board's decoder,
and draws a test pattern with the frames' numbers instead. The kernel reports the plane's contents, and whether they
were copied.

GStreamer 1.22 outputs such a decoder's frames only as system memory, and kmssink shows them without a copy
nevertheless; it does not know columns (NC12, which a Raspberry Pi's decoder of HEVC makes)."""

import itertools
import pathlib
import random
import re

import numpy
import pytest

from bar import Finger, Layout, lift, show_bar
from decoders import (  # noqa: F401: fixtures
    COLUMNS, COLUMNS_ALONE, HARDWARE, KINDS, KNOWS_DEVICES, RATE, SECONDS, Shown, bufinfo, columns, decoder, forgive, is_columns,
    leniently, make, plays, shape)
from thorough import also, few

pytestmark = pytest.mark.decoders
LAYOUT = Layout()


def test_the_kernel_has_a_television():
    """vivid's two ends of a CEC line."""
    assert {"cec0", "cec1"} <= {path.name for path in pathlib.Path("/dev").glob("cec*")}


@pytest.mark.parametrize("codec, size", few(
    itertools.product(["h264", "h265"], [(640, 480), (1024, 768), (1280, 720)]),
    ("h264", (640, 480)), ("h265", (1024, 768)), ("h265", (1280, 720))))
def test_a_film_goes_to_the_plane_without_a_copy(play, make, codec: str, size: tuple[int, int]):
    program = play(make(codec, *size), "--loop", "--mute")
    assert decoder(program) == HARDWARE[codec]
    plays(program)
    shown = Shown()
    assert shown.is_imported == (HARDWARE[codec].startswith("v4l2")) and shown.modifier == 0, shown.text
    width, height = 1024, 1024 * size[1] // size[0]
    assert f"crtc-pos={width}x{height}+0+{(768 - height) // 2}" in shown.text, shown.text
    assert program.ipc.wait_for("hwdec-current") == (HARDWARE[codec] if HARDWARE[codec].startswith("v4l2") else "no")


@pytest.mark.parametrize("codec, size", few(
    itertools.product(["h264", "h265"], [(640, 480), (1280, 720)]), ("h264", (640, 480)), ("h265", (1280, 720))))
def test_columns_go_to_the_plane_as_they_are(play, make, columns, codec: str, size: tuple[int, int]):
    """If GStreamer knows them; else the next decoder is used."""
    program = play(make(codec, *size), "--loop", "--mute")
    plays(program)
    shown = Shown()
    if KNOWS_DEVICES:
        assert decoder(program) == HARDWARE[codec]
        assert shown.is_imported and shown.modifier == COLUMNS, shown.text
        assert "does not play with" not in program.log()
    else:
        assert decoder(program) == f"avdec_{codec}" and not shown.is_imported


def test_columns_show_the_same_picture(play, make, columns):
    """Like lines: below the text, which contains the format."""
    film = make("h264")
    program = play(film, "--paused", "--mute")
    of_columns = program.screenshot()[730:].astype(int)
    assert decoder(program) == (HARDWARE["h264"] if KNOWS_DEVICES else "avdec_h264")
    program.stop()
    COLUMNS_ALONE.write_text("0")
    program = play(film, "--paused", "--mute")
    of_lines = program.screenshot()[730:].astype(int)
    assert len(numpy.unique(of_lines.reshape(-1, 3), axis=0)) > 5, "colour bars"
    assert not KNOWS_DEVICES or numpy.abs(of_lines - of_columns).max() <= 2


@pytest.mark.parametrize("arguments", [["--rotate", "90"], ["--gravity", "fill"], ["--osd", "composited"]])
def test_what_cannot_go_as_it_is_is_decoded_in_a_form_that_can(play, make, columns, arguments: list[str]):
    """Turned, cropped, blended with the on-screen display: columns cannot be, and the next decoder is used."""
    program = play(make("h264", 640, 360), "--loop", "--mute", *arguments)
    plays(program)
    assert decoder(program) == "avdec_h264"
    if "composited" not in arguments:
        assert Shown().modifier == 0


def test_a_film_held_upright_is_turned(play, films, is_columns: bool):
    """Such a decoder is linked before its film's tags come to it."""
    program = play(films("rotated-90.mp4"), "--loop", "--mute")
    plays(program)
    assert decoder(program) == ("avdec_h264" if is_columns else "v4l2slh264dec")
    width, height = map(int, re.search(r"crtc-pos=(\d+)x(\d+)", Shown().text).groups())
    assert width < height


@pytest.mark.parametrize("codec", ["h264", "untagged"])
@pytest.mark.parametrize("size, encoding", [((640, 480), "ITU-R BT.601"), ((1280, 720), "ITU-R BT.709")])
def test_colours_are_reported_as_for_the_processor_s_decoder(play, make, codec: str, size, encoding: str, is_columns: bool):
    """And a film without colours is not copied because of that."""
    program = play(make(codec, *size), "--loop", "--mute")
    plays(program)
    shown = Shown()
    assert (shown.encoding, shown.range) == (encoding, "limited")
    assert shown.is_imported == (KNOWS_DEVICES or not is_columns), shown.text


@pytest.mark.parametrize("codec", ["h265", *also("h264")])
@pytest.mark.parametrize("colors, encoding, range", [
    ("1:3:5:1", "ITU-R BT.709", "full"), ("2:6:13:7", "ITU-R BT.2020", "limited"), *also(("1:4:5:4", "ITU-R BT.601", "full"))],
    ids=["709 full", "2020", "601 full"])
def test_full_range_and_wide_gamut_are_reported(play, make, codec: str, colors: str, encoding: str, range: str, is_columns: bool):
    """By whichever decoder plays it, and are no reason to copy frames."""
    program = play(make(codec, colors=colors), "--loop", "--mute")
    plays(program)
    shown = Shown()
    assert (shown.encoding, shown.range) == (encoding, range)
    # GStreamer 1.22 passes over its decoder of HEVC.
    is_device = KNOWS_DEVICES or codec == "h264" and not is_columns
    assert shown.is_imported == decoder(program).startswith("v4l2") == is_device, shown.text


@pytest.mark.parametrize("codec", [
    "h264", *also("h265", "h265-window", "h265-10", "vp9"),
    pytest.param("av1", marks=[pytest.mark.thorough, pytest.mark.since_1_24("an older GStreamer leaves AV1 to the processor")])])
def test_seeks_drags_rates_and_loops(play, make, panel, codec: str, is_columns: bool):
    """Each ends at the exact frame, and descriptors and buffers do not grow."""
    program = play(make(codec, *shape(codec)), "--loop", "--mute", **leniently(codec))
    plays(program)
    name, rebuilds = decoder(program), program.ipc.get("vitrine/rebuilds")
    if KNOWS_DEVICES:
        assert (name.startswith("v4l2sl"), rebuilds) == (True, 0)
    generator = random.Random(7)
    # While it plays: the newest of many that are asked for at once.
    for number in range(30):
        program.ipc.command("seek", generator.randrange(SECONDS * RATE) / RATE, "absolute+exact")
        if number % 10 == 9:
            settle(program)
            plays(program, 3)
    program.ipc.set("pause", True)
    for number in [50, *(generator.randrange(SECONDS * RATE) for _ in range(20)), 50]:
        program.ipc.command("seek", number / RATE, "absolute+exact")
        settle(program)
        assert shown_frame(program) == number
    # The bar has come.
    drag_to(program, panel, generator, 100)
    before, buffers = program.fds(), bufinfo()
    for _ in range(5):
        drag_to(program, panel, generator, generator.randrange(SECONDS * RATE))
    program.ipc.set("pause", False)
    for speed in (2, 0.5, 1):
        program.ipc.set("speed", speed)
        plays(program, 30)
    for _ in range(3):
        program.ipc.command("seek", SECONDS - 0.5, "absolute+exact")
        program.ipc.wait_for("time-pos", lambda at: at is not None and at > SECONDS - 1)
        program.ipc.wait_for("time-pos", lambda at: at is not None and at < 1)
    program.ipc.set("pause", True)
    program.ipc.command("seek", 2, "absolute+exact")
    settle(program)
    assert shown_frame(program) == 50
    assert program.fds() <= before + 4 and bufinfo() <= buffers + 4
    assert decoder(program) == name and program.ipc.get("vitrine/rebuilds") == rebuilds
    forgive(play, codec)


def settle(program) -> None:
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)


def shown_frame(program) -> int:
    return round(program.ipc.get("vitrine/frame-time") * RATE / 1e9)


def drag_to(program, panel, generator: random.Random, frame: int) -> None:
    """Down and along the bar, and up where the frame is the one that is meant."""
    show_bar(program, panel)
    finger = Finger(panel)
    finger.down(LAYOUT.x(generator.random()), LAYOUT.y)
    for place in (generator.random(), (frame + 0.5) / RATE / SECONDS):
        finger.glide(LAYOUT.x(place), generator.choice([0.05, 0.1, 0.2]))
        finger.wait()
    lift(program, finger)
    program.ipc.wait_for("vitrine/frame-time", lambda at: at is not None and round(at * RATE / 1e9) == frame)
    settle(program)


@pytest.mark.parametrize("codec", ["h265", *KINDS])
def test_films_follow_one_another(play, make, is_columns: bool, codec: str):
    """One decoder, whose device is opened anew for each."""
    films = [make("h264"), make(codec, *((1280, 720) if codec == "h265" else shape(codec))), make("h264", 1024, 768)]
    names = [f"v4l2sl{name.split('-')[0]}dec" for name in ("h264", codec, "h264")]
    if not KNOWS_DEVICES:
        names = ["avdec_h264" if is_columns else names[0], "avdec_h265", "avdec_h264" if is_columns else names[0]]
    program = play(*films, "--end", "loop", "--mute", **leniently(codec))
    for _ in range(2):
        for film, name in zip(films, names):
            program.ipc.wait_for("path", lambda path, film=film: path == film)
            program.ipc.wait_for("vitrine/decoder", lambda now, name=name: now == name)
            program.ipc.command("playlist-next")
    plays(program)
    assert program.ipc.get("vitrine/rebuilds") == 0
    forgive(play, codec)
