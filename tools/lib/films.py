"""Makes the test films; `tools/films` calls it. Each is made once and kept by the hash of this recipe."""

import argparse
import fcntl
import hashlib
import inspect
import os
import pathlib
import subprocess
import sys
import time

import numpy

import frames
import scenery

RATE = 25
# Bit rates of films as people have them; B-frames and references are x264's own choice.
H264 = ["-c:v", "libx264", "-preset", "fast", "-sc_threshold", "0"]
AAC = ["-c:a", "aac", "-b:a", "96k"]
MP4 = ["-movflags", "+faststart"]


class Film:
    """One file: `encoding` is ffmpeg's output options; `pixel` the shape of a pixel, width:height; a `title` makes it
    a film for people, without frame numbers."""

    def __init__(
        self, name, encoding, *, size=(640, 360), seconds=60, pixel="1:1", sound=True, picture=True, title=None
    ):
        self.name, self.encoding, self.size, self.seconds = name, encoding, size, seconds
        self.pixel, self.sound, self.picture, self.title = pixel, sound, picture, title


def h264(name: str, key: int, rate: str, **shape) -> Film:
    video = [*H264, "-g", str(key), "-keyint_min", str(key), "-b:v", rate, "-maxrate", rate, "-bufsize", rate]
    sound = AAC if shape.get("sound", True) else []
    return Film(name, [*video, *sound, *MP4], **shape)


# The place in this list is the film's number in its pictures (frames.Reading.film): append only.
FILMS = [
    # A key frame every 10, 50, 250 frames; the bench's six are 360p, 720p and 1080p with 50 and 250.
    h264("360p-key10.mp4", 10, "1200k"),
    h264("360p-key50.mp4", 50, "1000k"),
    h264("360p-key250.mp4", 250, "1000k"),
    h264("720p-key50.mp4", 50, "2500k", size=(1280, 720)),
    h264("720p-key250.mp4", 250, "2500k", size=(1280, 720)),
    Film(
        "vp9-opus.webm",
        ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "7", "-row-mt", "1", "-b:v", "1000k", "-g", "50"]
        + ["-c:a", "libopus", "-b:a", "96k"],
        seconds=10,
    ),
    # PAL: the same 720x576 stored pixels, shown as 4:3 and as 16:9.
    h264("pal-4x3.mp4", 50, "1500k", size=(720, 576), pixel="16:15", seconds=10),
    h264("pal-16x9.mp4", 50, "1500k", size=(720, 576), pixel="64:45", seconds=10),
    h264("square-4x3.mp4", 50, "1000k", size=(640, 480), seconds=10),
    h264("silent.mp4", 50, "1000k", seconds=20, sound=False),
    h264("short.mp4", 50, "1000k", seconds=2),
    Film("high10.mp4", [*H264, "-pix_fmt", "yuv420p10le", "-g", "50", "-b:v", "1000k", *AAC, *MP4], seconds=5),
    Film("sound-only.m4a", [*AAC, *MP4], seconds=30, picture=False),
    h264("mountains.mp4", 50, "3000k", size=(1280, 720), title="Along the mountains"),
    # Every fifth picture of 25 a second: for a virtual board, which has its work cut out with a film.
    Film("360p-5fps.mp4", [*H264, "-r", "5", "-g", "10", "-b:v", "300k", *MP4], sound=False),
    h264("1080p-key50.mp4", 50, "5000k", size=(1920, 1080)),
    h264("1080p-key250.mp4", 250, "5000k", size=(1920, 1080)),
]

# Made only when asked for: no test plays them, people and the bench do.
ON_REQUEST = ["mountains.mp4", "720p-key250.mp4", "1080p-key50.mp4", "1080p-key250.mp4"]

TEXT = "This is a text file whose name ends in .mp4.\n" * 40


def damaged(folder: pathlib.Path) -> dict[str, bytes]:
    """The broken ones, by name."""
    whole = (folder / DAMAGED_FROM).read_bytes()
    index = whole.index(b"moov") - 4
    data = whole.index(b"mdat") - 4
    assert index < data, "the index is expected in front of the data"
    return {
        # Ends within the pictures, before second 24: plays, then stops early.
        "truncated.mp4": whole[: len(whole) * 2 // 5],
        # Pictures without the index that says where they are: unplayable.
        "no-index.mp4": whole[:index] + whole[data : data + 500_000],
        "zero-bytes.mp4": b"",
        "text.mp4": TEXT.encode(),
        "noise.mp4": numpy.random.default_rng(1).bytes(300_000),
    }


DAMAGED_FROM = "360p-key50.mp4"
DAMAGED = ["truncated.mp4", "no-index.mp4", "zero-bytes.mp4", "text.mp4", "noise.mp4"]


def encode(film: Film, number: int, folder: pathlib.Path) -> None:
    """Makes one film in the folder, whole or not at all."""
    unfinished = folder / f".{os.getpid()}-{film.name}"
    command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-y"]
    if film.picture:
        width, height = film.size
        command += ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{width}x{height}", "-r", str(RATE), "-i", "pipe:0"]
    if film.sound:
        # A tone, with a beep every second.
        tone = f"sine=frequency=330:beep_factor=4:duration={film.seconds}:sample_rate=48000"
        command += ["-f", "lavfi", "-i", tone, "-ac", "2"]
    if film.picture:
        command += ["-vf", f"setsar={film.pixel.replace(':', '/')}"]
        command += [] if "-pix_fmt" in film.encoding else ["-pix_fmt", "yuv420p"]
    command += ["-metadata", f"title={film.title or f'Test film {number}'}", *film.encoding, str(unfinished)]
    encoder = subprocess.Popen(command, stdin=subprocess.PIPE if film.picture else subprocess.DEVNULL)
    if film.picture:
        assert encoder.stdin
        try:
            for frame, planes in enumerate(scenery.pictures(film.size, film.seconds * RATE)):
                if not film.title:
                    frames.draw(planes, frame, number)
                for plane in planes:
                    encoder.stdin.write(plane.tobytes())
            encoder.stdin.close()
        except BrokenPipeError:
            pass
    if encoder.wait() != 0:
        unfinished.unlink(missing_ok=True)
        sys.exit(f"films: ffmpeg could not make {film.name}")
    unfinished.rename(folder / film.name)


def folder_of_recipe() -> pathlib.Path:
    """Where films made by exactly this recipe are kept: options, pictures, the row's look; not how it is read back."""
    recipe = hashlib.sha256()
    for film in FILMS:
        recipe.update(repr(vars(film)).encode())
    recipe.update(inspect.getsource(encode).encode() + inspect.getsource(damaged).encode())
    recipe.update(inspect.getsource(scenery).encode())
    row = [numpy.zeros(shape, numpy.uint8) for shape in ((360, 640), (180, 320), (180, 320))]
    frames.draw(row, 12345, 6)
    recipe.update(b"".join(plane.tobytes() for plane in row))
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return cache / "vitrine" / "films" / recipe.hexdigest()[:12]


def main() -> None:
    names = [film.name for film in FILMS] + DAMAGED
    parser = argparse.ArgumentParser(
        prog="tools/films",
        description="Makes the test films that are not there yet, and prints their folder.",
        epilog="Each frame carries its number (tools/lib/frames.py). Films: " + ", ".join(names),
    )
    most = "all but " + ", ".join(ON_REQUEST)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these (with or without ending; default: {most})")
    asked = parser.parse_args().names
    unknown = [one for one in asked if one not in names and one not in [name.rsplit(".", 1)[0] for name in names]]
    if unknown:
        parser.error(f"no film {unknown[0]}; there are {', '.join(names)}")

    def is_wanted(name: str) -> bool:
        return not asked and name not in ON_REQUEST or name in asked or name.rsplit(".", 1)[0] in asked

    folder = folder_of_recipe()
    folder.mkdir(parents=True, exist_ok=True)
    # Who comes second waits, and finds everything done.
    lock = open(folder / ".lock", "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    broken = [name for name in DAMAGED if is_wanted(name) and not (folder / name).exists()]
    wanted = [film for film in FILMS if is_wanted(film.name) or broken and film.name == DAMAGED_FROM]
    # The row has room for 16 numbers. The tests, which tell films apart, play the first ones.
    todo = [(FILMS.index(film) % (1 << frames.FILM_BITS), film) for film in wanted if not (folder / film.name).exists()]
    for done, (number, film) in enumerate(todo, 1):
        started = time.monotonic()
        encode(film, number, folder)
        size = (folder / film.name).stat().st_size / 1e6
        print(
            f"films: {done}/{len(todo)} {film.name}: {film.seconds} s, {size:.1f} MB, "
            f"made in {time.monotonic() - started:.0f} s",
            file=sys.stderr,
        )
    if broken:
        contents = damaged(folder)
        for name in broken:
            (folder / name).write_bytes(contents[name])
    print(folder)


if __name__ == "__main__":
    main()
