"""A decoder that keeps its own state, like a Raspberry Pi 4's of H.264: the kernel's vicodec, through GStreamer's
elements for such devices. Its frames are the film's (troubles.c, "stateful"), so that they can be read, and their
colours compared with those of a software decoder."""

import random
import subprocess
import time

import numpy
import pytest

from bar import Finger, Layout, lift, show_bar
from cards import CONNECTED, DISCONNECTED, node, plug_in
from decoders import HARDWARE, KNOWS_DEVICES, Shown, bufinfo, decoder, encode_untagged, make, plays  # noqa: F401: fixtures

pytestmark = pytest.mark.decoders
# docs/support.md has the three faults.
plays_it = pytest.mark.since_1_24("three faults of an older GStreamer's v4l2fwhtdec keep it from its first frame: the next decoder plays")
STATEFUL = "statefuldec"
LAYOUT = Layout()


@pytest.fixture
def stateful(troubles):
    troubles.begin("stateful")
    return troubles.environment


def settled(program) -> None:
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)


def test_its_frames_go_to_the_plane_without_a_copy(play, films, stateful):
    """With an older GStreamer, those of the next decoder, which is visl: the first one takes in the whole film, whose end comes
    on a fast machine before the player gives up."""
    film = films("360p-key50.mp4")
    program = play(film, "--loop", environment=stateful)
    if not KNOWS_DEVICES:
        program.ipc.wait_for("vitrine/decoder", lambda name: name == HARDWARE["h264"], timeout=30)
        plays(program)
        assert f"does not play with the decoder {STATEFUL}" in program.log()
        assert "too much for this computer" not in program.log()
        return
    assert decoder(program) == STATEFUL == program.ipc.wait_for("hwdec-current")
    plays(program)
    assert Shown().is_imported, Shown().text
    assert program.reading(film).film == film.number


@plays_it
def test_seeks_are_exact(play, films, stateful):
    film = films("360p-key50.mp4")
    program = play(film, "--paused", environment=stateful)
    assert program.frame(film) == 0
    before = None
    for place in (20.02, 3.3, 40.5, 40.54, 0.02, 59.5):
        program.ipc.command("seek", place, "absolute+exact")
        settled(program)
        assert program.frame(film) == film.frame_at(place)
        before = before or (program.fds(), bufinfo())
    assert program.fds() <= before[0] + 4 and bufinfo() <= before[1] + 4
    assert program.ipc.get("vitrine/rebuilds") == 0 and decoder(program) == STATEFUL


@plays_it
def test_a_finger_drags(play, films, panel, stateful):
    """To the place of the lift. GStreamer 1.26.2's element for such devices may hang after flushes in quick succession
    (it was not examined whether it or the device is the cause): then the next decoder is used, at the same position."""
    film = films("360p-key50.mp4")
    program = play(film, "--paused", environment=stateful)
    duration = program.ipc.get("duration")
    for frame in (300, 900, 60, 1200):
        # It may have hidden, because a picture of the display takes long.
        show_bar(program, panel)
        finger = Finger(panel)
        finger.down(LAYOUT.x(0.5), LAYOUT.y)
        finger.glide(LAYOUT.of_frame(frame, film, duration), 0.4)
        finger.wait()
        lift(program, finger)
        # Whichever decoder is used then; the frames of the kernel's other one do not contain the film's number.
        place = round(frame * 1e9 / film.rate)
        program.ipc.wait_for("vitrine/frame-time", lambda at: at is not None and abs(at - place) < 1e9 / film.rate / 2, timeout=40)
        if decoder(program) != STATEFUL:
            break
        assert program.frame(film) == frame
    assert program.ipc.get("vitrine/rebuilds") <= 1


@plays_it
def test_loops_rates_and_succession(play, films, stateful):
    film = films("360p-key50.mp4")
    program = play(film, "--loop", environment=stateful)
    for _ in range(3):
        program.ipc.command("seek", film.seconds - 1, "absolute+exact")
        program.ipc.wait_for("time-pos", lambda at: at is not None and at > 5)
        program.ipc.wait_for("time-pos", lambda at: at is not None and at < 5)
    for speed in (2, 0.5, 1):
        program.ipc.set("speed", speed)
        plays(program, 20)
    for _ in range(3):
        program.ipc.command("loadfile", film.path)
        plays(program, 5)
    assert decoder(program) == STATEFUL and program.ipc.get("vitrine/rebuilds") == 0


@plays_it
@pytest.mark.parametrize("overlays", [1, 0])
@pytest.mark.parametrize("size, without_copy", [((1024, 768), True), ((640, 480), False)])
def test_steps_below(play, make, card, stateful, overlays: int, size: tuple[int, int], without_copy: bool):
    """The film on the primary plane, which it has to cover: one of another size is scaled by the pipeline, into a copy."""
    _, name = plug_in(play, card, overlays=overlays, status=CONNECTED)
    program = play(make("h264", *size), "--loop", "--mute", "--connector", name, "--mode", "1024x768", environment=stateful)
    plays(program)
    assert decoder(program) == STATEFUL and program.ipc.get("vitrine/rebuilds") == 0
    assert Shown(node(play, name)).is_imported == without_copy


@plays_it
def test_the_cable_is_pulled(play, films, card, stateful):
    made, name = plug_in(play, card, overlays=2, status=CONNECTED)
    film = films("360p-key50.mp4")
    program = play(film, "--loop", "--mute", "--connector", name, environment=stateful)
    plays(program)
    for _ in range(3):
        made.plug(DISCONNECTED)
        program.ipc.wait_for("vitrine/display-power", lambda power: power is False)
        made.plug(CONNECTED)
        program.ipc.wait_for("vitrine/display-power")
        plays(program, 10)
    assert decoder(program) == STATEFUL and "does not play" not in program.log()
    assert Shown(node(play, name)).is_imported
    assert program.reading(film).film == film.number


@plays_it
@pytest.mark.slow
def test_torn_down_at_random_moments(play, films, stateful):
    """By another film, and by the program's end: the drivers' shared buffers are as before."""
    film, generator, before = films("360p-key50.mp4"), random.Random(5), bufinfo()
    for _ in range(6):
        program = play(film, "--loop", "--mute", wait=generator.random() < 0.5, environment=stateful)
        # Before that it has no handler for signals.
        assert program.ipc
        for _ in range(generator.randrange(3)):
            program.ipc.command("seek", generator.random() * film.seconds, "absolute+exact")
            time.sleep(generator.random() * 0.1)
            if generator.random() < 0.5:
                program.ipc.command("loadfile", film.path)
        time.sleep(generator.random() * 0.8)
        program.stop()
        end = time.monotonic() + 5
        while bufinfo() > before:
            assert time.monotonic() < end, f"{bufinfo()} buffers, of {before}"
            time.sleep(0.05)


# GStreamer's numbers of range, matrix, transfer and primaries; none: the film gives no colours.
COLORS = {"601": "2:4:5:4", "709": "2:3:5:1", "601-full": "1:4:5:4", "709-full": "1:3:5:1", "untagged": None}


def colored(folder, name: str, size: tuple[int, int]) -> str:
    """A film of bars, whose colours are right if the player knows their encoding."""
    path = folder / f"{name}-{size[1]}.mkv"
    shape = f"video/x-raw,format=I420,width={size[0]},height={size[1]},framerate=25/1"
    source = f"videotestsrc num-buffers=50 pattern=smpte100 ! {shape}"
    if not COLORS[name]:
        encode_untagged(path, source, size)
        return str(path)
    source += f",colorimetry={COLORS[name]}"
    command = f"gst-launch-1.0 -q {source} ! x264enc speed-preset=ultrafast quantizer=10 pass=quant ! matroskamux ! filesink location={path}"
    subprocess.run(command.split(), check=True, timeout=60)
    return str(path)


@plays_it
@pytest.mark.parametrize("size", [(640, 480), (1280, 720)], ids=["SD", "HD"])
@pytest.mark.parametrize("name", COLORS)
def test_colours_are_those_of_the_processor_s_decoder(play, tmp_path, troubles, name: str, size: tuple[int, int]):
    """In pictures of the display, bar for bar, and in the plane's properties."""
    film, seen, reported = colored(tmp_path, name, size), {}, {}
    for kind in ("processor", "stateful"):
        environment = {"GST_PLUGIN_FEATURE_RANK": "v4l2slh264dec:NONE"} | troubles.environment
        if kind == "stateful":
            troubles.begin("stateful")
        program = play(film, "--paused", "--mute", environment=environment)
        assert decoder(program) == (STATEFUL if kind == "stateful" else "avdec_h264")
        seen[kind] = program.screenshot(f"colours-{name}-{size[1]}-{kind}").astype(int)
        reported[kind] = [line for line in Shown().text.splitlines() if "color-" in line]
        assert Shown().is_imported == (kind == "stateful"), "nothing converts what is compared"
        program.stop()
    assert reported["stateful"] == reported["processor"]
    # Within the bars, whose edges a lossy code blurs.
    bars = [round((bar + 0.5) * 1024 / 7) for bar in range(7)]
    here, there = (numpy.array([seen[kind][330:360, x - 20:x + 20].reshape(-1, 3).mean(axis=0) for x in bars]) for kind in seen)
    assert numpy.ptp(here, axis=0).min() > 100, "these are bars"
    assert numpy.abs(here - there).max() <= 4, (here.round(), there.round())
