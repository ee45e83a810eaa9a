"""A hardware decoder on each step of the display's ladder, and problems of a display: the kernel reports whether frames
are copied."""

import pathlib
import random
import time

import pytest

from bar import Finger, Layout, hold_bar, lift, show_bar
from cards import CONNECTED, DISCONNECTED, node, plug_in, state
from decoders import (  # noqa: F401: fixtures
    COLUMNS, HARDWARE, KINDS, KNOWS_DEVICES, RATE, SECONDS, bufinfo, decoder, forgive, is_columns, leniently, make, plays, shape)
from thorough import also

pytestmark = pytest.mark.decoders
SCALING = pathlib.Path("/sys/module/vkms/parameters/enable_scaling")
LAYOUT = Layout()


@pytest.fixture
def unscaled():
    SCALING.write_text("0")
    yield
    SCALING.write_text("1")


def shown(card: str) -> str:
    """What the kernel says of the one plane that shows YCbCr."""
    planes = [part for part in state(card).split("plane[")[1:] if "crtc=crtc" in part]
    luma = [part for part in planes if any(f"format={name} " in part for name in ("NV12", "YU12", "P010"))]
    assert len(luma) == 1, planes
    return luma[0]


def is_imported(card: str) -> bool:
    return "imported=yes" in shown(card)


@pytest.mark.parametrize("codec, size, without_copy", [
    ("h264", (1024, 768), True), ("untagged", (1024, 768), True), ("h264", (640, 480), False)])
def test_planes_that_do_not_scale(play, make, unscaled, is_columns: bool, codec: str, size: tuple[int, int], without_copy: bool):
    """A film of the display's size passes the scaler unchanged, also one without colours. Columns cannot: the next decoder
    has the film."""
    program = play(make(codec, *size), "--loop", "--mute")
    plays(program)
    assert decoder(program) == ("avdec_h264" if is_columns else HARDWARE["h264"])
    assert is_imported("/dev/dri/card0") == (without_copy and not is_columns)


@pytest.mark.parametrize("overlays", [1, 0])
@pytest.mark.parametrize("size, without_copy", [((1024, 768), True), ((640, 480), False)])
def test_steps_below(play, make, card, is_columns: bool, overlays: int, size: tuple[int, int], without_copy: bool):
    """The film on the primary plane, which it has to cover, with the bar on an overlay or in its frames: the pipeline
    scales one of another size, into a copy. Columns go to the next decoder."""
    _, name = plug_in(play, card, overlays=overlays, status=CONNECTED)
    program = play(make("h264", *size), "--loop", "--mute", "--connector", name, "--mode", "1024x768")
    plays(program)
    assert decoder(program) == ("avdec_h264" if is_columns else HARDWARE["h264"])
    assert program.ipc.get("vitrine/rebuilds") == (1 if is_columns and KNOWS_DEVICES else 0)
    assert is_imported(node(play, name)) == (without_copy and not is_columns)


def test_frames_are_copied_while_the_bar_is_in_them(play, make, card, panel):
    """Without a plane for it, the bar is drawn into copies. When hidden, it costs no copy."""
    _, name = plug_in(play, card, overlays=0, status=CONNECTED)
    program = play(make("h264", 1024, 768), "--loop", "--mute", "--connector", name, "--mode", "1024x768")
    plays(program)
    card = node(play, name)
    assert is_imported(card)
    finger = hold_bar(program, panel)
    plays(program, 10)
    assert not is_imported(card)
    finger.up()
    program.ipc.wait_for("vitrine/osd-visible", lambda visible: visible is False)
    plays(program, 10)
    assert is_imported(card)
    assert decoder(program) == HARDWARE["h264"] and program.ipc.get("vitrine/rebuilds") == 0


@pytest.mark.parametrize("codec", ["h264", "h265", *KINDS])
def test_the_cable_is_pulled(play, make, card, is_columns: bool, codec: str):
    made, name = plug_in(play, card, overlays=2, status=CONNECTED)
    program = play(make(codec, *shape(codec)), "--loop", "--mute", "--connector", name, **leniently(codec))
    plays(program)
    before, text, kept = decoder(program), shown(node(play, name)), []
    is_device = KNOWS_DEVICES or codec == "h264" and not is_columns
    assert before.startswith("v4l2sl") == is_device
    for _ in range(3):
        made.plug(DISCONNECTED)
        program.ipc.wait_for("vitrine/display-power", lambda power: power is False)
        made.plug(CONNECTED)
        program.ipc.wait_for("vitrine/display-power")
        plays(program, 10)
        program.ipc.set("pause", True)
        kept.append((program.fds(), bufinfo()))
        program.ipc.set("pause", False)
    assert all(last <= first + 4 for first, last in zip(kept[0], kept[-1])), kept
    assert decoder(program) == before and "does not play" not in program.log()
    for text in text, shown(node(play, name)):
        # GStreamer 1.26.2 copies the lines of frames that are cut off.
        assert ("imported=yes" in text) == (is_device and (is_columns or codec != "h265-window")), text
        assert (f"modifier=0x{COLUMNS:x}" in text) == (is_device and is_columns), text
    forgive(play, codec)


def drag(program, panel, times: int) -> None:
    """Down, three moves, up: to places from a seed."""
    generator = random.Random(11)
    for _ in range(times):
        finger = Finger(panel)
        finger.down(LAYOUT.x(generator.random()), LAYOUT.y)
        for _ in range(3):
            finger.glide(LAYOUT.x(generator.random()), generator.choice([0.02, 0.05, 0.1]))
            finger.wait()
        lift(program, finger)


@pytest.mark.slow
@pytest.mark.parametrize("codec, times", [
    ("h264", 40), *also(("h264", 200), ("h265", 200)), *(pytest.param(*kind.values, 200, marks=kind.marks) for kind in KINDS)])
def test_a_finger_drags(play, make, panel, is_columns: bool, codec: str, times: int):
    """The film follows to the place of the lift, and the drags leak nothing."""
    program = play(make(codec, *shape(codec)), "--paused", "--mute", **leniently(codec))
    panel.wait_until_read()
    show_bar(program, panel)
    drag(program, panel, 3)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    before, buffers = program.fds(), bufinfo()
    drag(program, panel, times)
    # The last one ends at a place that is known.
    finger = Finger(panel)
    frame = 77
    finger.down(LAYOUT.x(0.1), LAYOUT.y)
    finger.glide(LAYOUT.x((frame + 0.5) / RATE / SECONDS), 0.3)
    finger.wait()
    lift(program, finger)
    program.ipc.wait_for("vitrine/frame-time", lambda at: at is not None and round(at * RATE / 1e9) == frame)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.ipc.get("vitrine/rebuilds") == 0
    assert program.fds() <= before + 4 and bufinfo() <= buffers + 4
    forgive(play, codec)


@pytest.mark.slow
@pytest.mark.parametrize("codec", ["h264", *also("h265"), *KINDS])
def test_torn_down_at_random_moments(play, make, is_columns: bool, codec: str):
    """By another film, and by the program's end: the drivers' shared buffers are as before."""
    film, generator, before = make(codec, *shape(codec)), random.Random(5), bufinfo()
    for _ in range(6):
        program = play(film, "--loop", "--mute", wait=generator.random() < 0.5, **leniently(codec))
        # Before that it has no handler for signals.
        assert program.ipc
        for _ in range(generator.randrange(3)):
            program.ipc.command("seek", generator.random() * SECONDS, "absolute+exact")
            time.sleep(generator.random() * 0.1)
            if generator.random() < 0.5:
                program.ipc.command("loadfile", film)
        time.sleep(generator.random() * 0.8)
        program.stop()
        end = time.monotonic() + 5
        while bufinfo() > before:
            assert time.monotonic() < end, f"{bufinfo()} buffers, of {before}"
            time.sleep(0.05)
    forgive(play, codec)
