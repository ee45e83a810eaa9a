"""Films for the kernel's virtual decoders (`tools/rig --decoders`), and the kernel's report of the plane that shows
them."""

import pathlib
import re
import subprocess

import pytest

from cards import state

COLUMNS = 0x0700000000000004
SECONDS, RATE = 6, 25
KNOWS_DEVICES = tuple(map(int, re.search(r"version (\d+)\.(\d+)", subprocess.run(
    ["gst-launch-1.0", "--version"], capture_output=True, text=True).stdout).groups())) >= (1, 24)
# GStreamer 1.22's crashes with wavefronts, and is left out.
HARDWARE = {"h264": "v4l2slh264dec", "h265": "v4l2slh265dec" if KNOWS_DEVICES else "avdec_h265"}


def x265(*options: str) -> str:
    words = ":".join([*options, "pools=none", "log-level=error"])
    return f"x265enc speed-preset=ultrafast key-int-max=25 option-string={words} ! h265parse"


# Encoders with the container's muxer. x265 makes wavefronts by default, and codes blocks of 16, which makes more lines
# than 360: a conformance window removes the rest.
ENCODERS = {
    "h264": "x264enc speed-preset=ultrafast key-int-max=25 ! h264parse ! mp4mux",
    "h264-fields": "capssetter caps=video/x-raw,interlace-mode=interleaved ! x264enc speed-preset=ultrafast key-int-max=25 ! h264parse ! mp4mux",
    "h265": x265() + " ! mp4mux",
    "h265-rows": x265("wpp=0") + " ! mp4mux",
    "h265-window": x265("wpp=0", "min-cu-size=16") + " ! mp4mux",
    "h265-10": x265("wpp=0") + " ! mp4mux",
    "vp8": "vp8enc deadline=1 cpu-used=8 keyframe-max-dist=25 ! matroskamux",
    "vp9": "vp9enc deadline=1 cpu-used=8 keyframe-max-dist=25 ! matroskamux",
    "av1": "av1enc usage-profile=realtime cpu-used=8 keyframe-max-dist=25 ! av1parse ! matroskamux",
}


# What else the kernel's decoder takes, of tests that `tools/check --thorough` has.
KINDS = [pytest.param(codec, marks=[pytest.mark.thorough, pytest.mark.since_1_24("an older GStreamer leaves these to the processor")])
         for codec in ("h265-window", "h265-10", "vp9", "av1")]


def encode_untagged(path: pathlib.Path, source: str, size: tuple[int, int]) -> None:
    """GStreamer's encoders write a film's colours even if they were not given."""
    frames = subprocess.Popen(f"gst-launch-1.0 -q {source} ! fdsink".split(), stdout=subprocess.PIPE)
    command = f"ffmpeg -v error -f rawvideo -pix_fmt yuv420p -s {size[0]}x{size[1]} -r {RATE} -i - -c:v libx264 -preset ultrafast -qp 10 -g 25 {path}"
    subprocess.run(command.split(), stdin=frames.stdout, check=True, timeout=120)
    assert frames.wait() == 0


@pytest.fixture(scope="session")
def make(tmp_path_factory):
    """`make("h264", 640, 480)`: a film, by its path; "untagged": one of H.264 without colours. Colours are GStreamer's numbers of range,
    matrix, transfer and primaries; such a film is Matroska, because GStreamer 1.22 takes any MP4 for limited range."""
    folder = tmp_path_factory.mktemp("coded")

    def film(codec: str, width: int = 640, height: int = 480, colors: str = "") -> str:
        is_untagged = codec == "untagged"
        encoder = ENCODERS.get(codec, "matroskamux")
        if colors:
            encoder = encoder.replace("mp4mux", "matroskamux")
        path = folder / f"{codec}-{width}x{height}{colors.replace(':', '-')}.{'mkv' if 'matroska' in encoder else 'mp4'}"
        if path.exists():
            return str(path)
        source = f"videotestsrc num-buffers={SECONDS * RATE} pattern=smpte ! " \
            f"video/x-raw,format={'I420_10LE' if codec.endswith('10') else 'I420'},width={width},height={height},framerate={RATE}/1"
        if colors:
            source += f",colorimetry={colors}"
        if is_untagged:
            encode_untagged(path, source, (width, height))
        else:
            command = f"gst-launch-1.0 -q {source} ! {encoder} ! filesink location={path}"
            subprocess.run(command.split(), check=True, timeout=120)
        return str(path)

    return film


def shape(codec: str) -> tuple[int, int]:
    """Of a film of some codec whose size does not matter."""
    return (640, 360) if codec == "h265-window" else (640, 480)


def leniently(codec: str) -> dict:
    """How `play` starts a film of it: of frames that are cut off GStreamer 1.26.2 tries to copy each one, which it cannot in columns, and
    says so as of a caller's mistake."""
    return {"environment": {"G_DEBUG": ""}} if codec == "h265-window" else {}


def forgive(play, codec: str) -> None:
    """At the end, else the fixture finds those lines."""
    if codec == "h265-window":
        for program in play.programs:
            program.stop()
        play.programs.clear()


COLUMNS_ALONE = pathlib.Path("/sys/module/visl/parameters/columns")


@pytest.fixture
def columns():
    """Makes the decoder produce only columns."""
    COLUMNS_ALONE.write_text("1")
    yield
    COLUMNS_ALONE.write_text("0")


@pytest.fixture(params=[False, True], ids=["lines", "columns"])
def is_columns(request):
    """Whether it produces columns."""
    COLUMNS_ALONE.write_text("1" if request.param else "0")
    yield request.param
    COLUMNS_ALONE.write_text("0")


class Shown:
    """The plane that shows a film's YCbCr."""

    def __init__(self, card: str = "/dev/dri/card0"):
        planes = [part for part in state(card).split("plane[") if "crtc=crtc" in part]
        self.text = next(part for part in planes if re.search(r"format=(NV12|YU12|P010) ", part))
        self.format = re.search(r"format=(\w+)", self.text)[1]
        self.modifier = int(re.search(r"modifier=0x(\w+)", self.text)[1], 16)
        self.is_imported = "imported=yes" in self.text
        self.encoding = re.search(r"color-encoding=(ITU-R \S+)", self.text)[1]
        self.range = re.search(r"color-range=YCbCr (\w+) range", self.text)[1]


def decoder(program) -> str:
    return program.ipc.wait_for("vitrine/decoder")


def plays(program, frames: int = 40) -> None:
    before = program.ipc.wait_for_counter("vitrine/frames-shown")
    program.ipc.wait_for("vitrine/frames-shown", lambda shown: shown >= before + frames)


def bufinfo() -> int:
    """The number of buffers that drivers share."""
    return int(re.search(r"Total (\d+) objects", pathlib.Path("/sys/kernel/debug/dma_buf/bufinfo").read_text())[1])
