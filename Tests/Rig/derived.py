"""Films made of the test films (tools/films): other containers, codecs, lengths, tracks. `derived.py`, with VITRINE_FILMS set,
makes them if they are not there yet, keeps them by the hash of this file and of those films, and prints their folder."""

import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys


class Derived:
    """Called with the test films' folder and a name, it makes the film that is not there yet, in its own folder."""

    def __init__(self, source: pathlib.Path, folder: pathlib.Path):
        self.source, self.folder = source, folder

    def __call__(self, name: str) -> tuple[pathlib.Path, str, float]:
        """Path, the test film that its pictures are of, and how long it is in seconds."""
        path = self.folder / name
        original, seconds, options = RECIPES[name]
        if not path.exists() and name in JOINED:
            parts = []
            for number, offset in enumerate(JOINED[name]):
                stream = self.folder / f"{name}.{number}.ts"
                subprocess.run([
                    "ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-i", str(self.source / original), "-c", "copy",
                    "-muxdelay", "0", "-output_ts_offset", str(offset), "-f", "mpegts", str(stream),
                ], check=True)
                parts.append(stream.read_bytes())
            path.write_bytes(b"".join(parts))
        elif not path.exists() and name in STANDARDS:
            command = ["/usr/bin/python3", str(CAPTIONS), str(self.source / original), str(path), STANDARDS[name]]
            subprocess.run(command, check=True)
        elif not path.exists() and options is None:
            parts = []
            for part in ("short.mp4", "square-4x3.mp4"):
                stream = self.folder / f"{part}.ts"
                subprocess.run([
                    "ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-i", str(self.source / part), "-an",
                    "-frames:v", "50", "-c", "copy", "-output_ts_offset", str(2 * len(parts)), str(stream),
                ], check=True)
                parts.append(stream.read_bytes())
            path.write_bytes(b"".join(parts))
        elif not path.exists():
            if CAPTIONED in options:
                self(CAPTIONED)
            inputs = [option.format(folder=self.source) for option in options]
            for beside, text in TEXTS.items():
                (self.folder / beside).write_text(text)
            command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-i", str(self.source / original), *inputs]
            subprocess.run([*command, str(path)], check=True, cwd=self.folder)
            if name in CHANGED:
                path.write_bytes(CHANGED[name](path.read_bytes()))
        return path, original, seconds


def srt(words: str, seconds: int = 20, length: int = 960) -> str:
    """A line a second, each with its number, "words 3", that stands for so many milliseconds."""
    return "".join(
        f"{at + 1}\n00:00:{at:02},000 --> 00:00:{at + length // 1000:02},{length % 1000:03}\n{words} {at}\n\n"
        for at in range(seconds)
    )


CHAPTERS = [(0, "Opening"), (5, "The middle"), (12.01, "Schluß")]


def metadata() -> str:
    """ffmpeg's: chapters, each up to the next one."""
    ends = [start for start, _ in CHAPTERS[1:]] + [20]
    return ";FFMETADATA1\n" + "".join(
        f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={int(start * 1000)}\nEND={int(end * 1000)}\ntitle={title}\n"
        for (start, title), end in zip(CHAPTERS, ends)
    )


def vtt(words: str, seconds: int = 20) -> str:
    """A cue a second, every other one with a name and settings."""
    return "WEBVTT\n\n" + "".join(
        f"{f'cue {at}' if at % 2 else ''}\n"
        f"00:00:{at:02}.000 --> 00:00:{at:02}.960{' line:0 align:start' if at % 2 else ''}\n"
        f"<v Anna>{words} {at}</v> &amp;\n\n" for at in range(seconds)
    )


# Room for the boxes around a cue, less the two bytes of a text's length.
ROOM = "#" * 14
TEXTS = {
    "en.srt": srt("English"), "de.srt": srt("Deutsch"), "en.vtt": vtt("English"),
    # With an override of ASS, as people write it into SubRip.
    "plain.srt": srt("{\\an8}Plain"),
    "roomy.srt": srt(ROOM + "English", length=1000), "chapters.txt": metadata(),
}


def damaged(film: bytes) -> bytes:
    """A film in fragments whose second one, at 2 s, is none."""
    place = film.index(b"moof", film.index(b"moof") + 4)
    return film[: place - 4] + b"\0\0\0\x09" + film[place:]


def as_mkvmerge(film: bytes) -> bytes:
    """ffmpeg's WebVTT, which is WebM's, as Matroska's own: another name of the codec, and only text in the blocks.
    Blanks fill what is left of them."""
    film = film.replace(b"D_WEBVTT/SUBTITLES", b"S_TEXT/WEBVTT\0\0\0\0\0")
    heads = [f"{f'cue {at}' if at % 2 else ''}\n{'line:0 align:start' if at % 2 else ''}\n" for at in range(20)]
    for at, head in enumerate(heads):
        text = f"<v Anna>English {at}</v> &amp;"
        block = (head + text).encode()
        assert film.count(block) == 1, block
        film = film.replace(block, text.encode() + b" " * len(head))
    return film


def box(name: bytes, contents: bytes) -> bytes:
    return (len(contents) + 8).to_bytes(4, "big") + name + contents


def as_wvtt(film: bytes) -> bytes:
    """ffmpeg's own subtitles of MP4 as WebVTT's (ISO 14496-30): another entry of the same size, and a box in each
    sample."""
    entry = film.index(b"tx3g") - 4
    size = int.from_bytes(film[entry : entry + 4], "big")
    head = film[entry + 8 : entry + 16] + box(b"vttC", b"WEBVTT\n")
    film = film[:entry] + box(b"wvtt", head + box(b"free", bytes(size - 16 - len(head)))) + film[entry + size :]
    for at in range(20):
        text = f"English {at}".encode()
        sample = (len(text) + len(ROOM)).to_bytes(2, "big") + ROOM.encode() + text
        assert film.count(sample) == 1, sample
        film = film.replace(sample, box(b"vttc", box(b"payl", text)))
    return film


def edited(film: bytes) -> bytes:
    """Two seconds whose edit list plays the second one first. ffmpeg's has one entry, and the pictures start where it
    says."""
    place = film.index(b"elst") - 4
    start = int.from_bytes(film[place + 20 : place + 24], "big")
    scale = film.index(b"mdhd") + 16
    second = int.from_bytes(film[scale : scale + 4], "big")
    of_film = film.index(b"mvhd") + 16
    length = film[of_film : of_film + 4]
    entries = b"".join(length + media.to_bytes(4, "big") + b"\0\1\0\0" for media in (start + second, start))
    larger = bytearray(film[: place + 12] + (2).to_bytes(4, "big") + entries + film[place + 28 :])
    for name in (b"moov", b"trak", b"edts", b"elst"):
        head = film.index(name) - 4
        larger[head : head + 4] = (int.from_bytes(film[head : head + 4], "big") + 12).to_bytes(4, "big")
    return bytes(larger)


def unindexed(film: bytes) -> bytes:
    """An AVI that ends with its pictures, and does not claim an index (AVIF_HASINDEX)."""
    film = bytearray(film[: film.rindex(b"idx1")])
    film[4:8] = (len(film) - 8).to_bytes(4, "little")
    flags = film.index(b"avih") + 8 + 12
    film[flags] &= ~0x10
    return bytes(film)


def turned(*matrix: int):
    """A change of an MP4: its first track, the pictures, is to be shown turned (ISO 14496-12, `tkhd`)."""
    def change(film: bytes) -> bytes:
        straight = b"".join(number.to_bytes(4, "big") for number in (1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30))
        a, b, c, d = (number << 16 for number in matrix)
        place = film.index(straight, film.index(b"tkhd"))
        words = b"".join(number.to_bytes(4, "big", signed=True) for number in (a, b, 0, c, d, 0, 0, 0, 1 << 30))
        return film[:place] + words + film[place + len(words) :]
    return change


def exif(orientation: int):
    """A change of a JPEG: Exif tells how it is to be shown, by its number for that (the field 0x112, a short)."""
    def change(picture: bytes) -> bytes:
        numbers = ((0x112, 2), (3, 2), (1, 4), (orientation, 2))
        field = b"".join(number.to_bytes(size, "big") for number, size in numbers)
        words = b"Exif\0\0MM\0*" + (8).to_bytes(4, "big") + (1).to_bytes(2, "big") + field + bytes(2 + 4)
        return picture[:2] + b"\xff\xe1" + (len(words) + 2).to_bytes(2, "big") + words + picture[2:]
    return change


def patched(*changes: tuple[bytes, bytes]):
    """A change: each name of a codec, in its first place in the index, is another one's."""
    def change(film: bytes) -> bytes:
        index = film.index(b"moov")
        for name, other in changes:
            place = film.index(name, index)
            film = film[:place] + other + film[place + 4 :]
        return film
    return change


# Codecs that there are none of; and what a camera calls its telemetry, of which there is a handler's and a codec's name.
NO_VIDEO, NO_SOUND, TELEMETRY = (b"avc1", b"xyz1"), (b"mp4a", b"xyz2"), [(b"sbtl", b"meta"), (b"tx3g", b"gpmd")]

CHANGED = {
    "data.mp4": patched(*TELEMETRY), "two-videos.mp4": patched(NO_VIDEO), "no-videos.mp4": patched(NO_VIDEO),
    "two-sounds.mp4": patched(NO_SOUND), "joined.ts": lambda film: film * 3,
    "joined.mp3": lambda sound: sound * 3,
    **{f"turned-{number}.jpg": exif(number) for number in range(1, 9)},
    "breaks.mp4": damaged, "breaks-too.mp4": damaged, "vtt-mkvmerge.mkv": as_mkvmerge, "vtt.mp4": as_wvtt,
    "edited.mp4": edited,
    "rotated-90.mp4": turned(0, 1, -1, 0), "rotated-180.mp4": turned(-1, 0, 0, -1),
    "rotated-270.mp4": turned(0, -1, 1, 0),
    "phone.mp4": turned(0, 1, -1, 0), "unindexed.avi": unindexed,
}

FIRST = ["-frames:v", "50", "-t", "2", "-c", "copy"]
# One group of pictures.
BRIEF = ["-frames:v", "10", "-t", "0.4", "-c", "copy"]
TONES = [
    word for frequency in (330, 440, 550)
    for word in ("-f", "lavfi", "-i", f"sine=frequency={frequency}:duration=20:sample_rate=48000")
]
BREAKS = ["-an", "-c", "copy", "-movflags", "frag_keyframe+empty_moov"]
CHAPTERED = ["-i", "chapters.txt", "-map", "0", "-map_metadata", "1", "-map_chapters", "1", "-c", "copy"]
MOV_TEXT = ["-map", "0:v", "-map", "1:s", "-c:v", "copy", "-c:s", "mov_text", "-metadata:s:s:0", "language=eng"]
# The pictures that a film of another rate at each moment has, by the test film's numbers.
SOME = [0, 1, 2, 5, 6, 12, 13, 14, 30, 31, 49]
VARIABLE = [
    "-an", "-vf", f"select='{'+'.join(f'eq(n,{number})' for number in SOME)}'", "-fps_mode", "vfr",
    "-c:v", "libx264", "-preset", "fast", "-g", "50",
]
# Three pictures each 120 ms, 10 ms from one to the next: WebM's are told to stand for 40.
CLOSE = [
    "-an", "-vf", "settb=1/1000,setpts='(floor(N/3)*120+mod(N\\,3)*10)/1000/TB'", "-fps_mode", "passthrough",
    "-enc_time_base", "1/1000", "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g", "25",
]
# Nothing moves for twelve seconds, without sound: no frame is there to say so, as screen recorders write it.
STANDS = ["-an", "-t", "14", "-vf", "select='lt(t,1)+gte(t,13)'", "-fps_mode", "vfr"]
# The same for forty seconds. A recorder writes no clock reference meanwhile; a broadcaster's multiplexer fills the time with
# empty packets and clock references.
STANDS_LONG = [
    "-an", "-t", "44", "-vf", "scale=320:180,select='lt(t,2)+gte(t,42)'", "-fps_mode", "vfr",
    "-c:v", "libx264", "-preset", "ultrafast", "-g", "25",
]
# The pictures begin when the sound has gone on for a second and a half.
LATE = [
    "-itsoffset", "1.5", "-i", "{folder}/short.mp4", *TONES[:3], "sine=frequency=330:duration=3.5:sample_rate=48000",
    "-map", "1:v", "-map", "2:a", "-c:v", "copy", "-c:a", "aac",
]


def toned(frequency: int, *codec: str) -> tuple:
    """Six seconds of a tone that begins and ends with a whole wave."""
    tone = f"sine=frequency={frequency}:duration=6:sample_rate=48000"
    return "360p-key50.mp4", 6, [
        "-f", "lavfi", "-i", tone, "-map", "0:v", "-map", "1:a", "-frames:v", "150", "-c:v", "copy", "-c:a", *codec]


VTT = ["-i", "en.vtt", "-map", "0:v", "-map", "1:s", "-c", "copy", "-metadata:s:s:0", "language=eng"]
WORDS = [
    word
    for text in ("title=Once upon a Time", "artist=Ann", "album=Westerns", "date=1968-12-21", "comment=The long one")
    for word in ("-metadata", text)
]
# Another video track, which is not the film: green.
GREEN = ["-f", "lavfi", "-i", "color=green:size=320x180:rate=25:duration=2", "-map", "1:v", "-map", "0"]
OTHER = [*GREEN, "-c", "copy", "-c:v:0", "libx264", "-preset:v:0", "ultrafast"]
COVER = ["-map", "0:a", "-map", "1:v", "-frames:v", "1", "-c:v", "mjpeg", "-q:v", "2", "-disposition:v", "attached_pic"]
# Two frames are the fields of one: with the odd lines of the next one, 12.5 frames a second.
FIELDS = ["-an", "-vf", "tinterlace=interleave_top,setfield=tff", "-flags", "+ilme+ildct"]
# Recordings joined as they are, each with a clock of its own. The clock of MPEG-TS has 33 bits, and wraps after 95,443.7 s.
JOINED = {"clocks.ts": (95442.7, 36000), "jump.ts": (0, 5000), "wrap.ts": (95442.7,)}
PROMPT = ["-muxdelay", "0", "-muxpreload", "0"]
# Closed captions in its frames; and what makes it.
CAPTIONED, CAPTIONS = "captions.mp4", pathlib.Path(__file__).with_name("captions.py")
STANDARDS = {CAPTIONED: "608", "captions-708.mp4": "708"}
# name: the test film, seconds, ffmpeg's words after that film
RECIPES = {
    "seam-440.mkv": toned(440, "pcm_s16le"), "seam-1760.mkv": toned(1760, "pcm_s16le"),
    "seam-440.mp4": toned(440, "aac"), "seam-1760.mp4": toned(1760, "aac"),
    "seam-44100.mkv": toned(1760, "pcm_s16le", "-ar", "44100"),
    "short-silent.mp4": ("short.mp4", 2, ["-an", "-c", "copy"]),
    "long.mkv": ("360p-key50.mp4", 60, ["-c", "copy"]),
    "seldom-silent.mp4": ("360p-key250.mp4", 60, ["-an", "-c", "copy"]),
    "long-silent.mp4": ("360p-key50.mp4", 60, ["-an", "-c", "copy"]),
    # A tone without beeps.
    "long-tone.mp4": ("360p-key50.mp4", 60, [
        "-f", "lavfi", "-i", "sine=frequency=330:duration=60:sample_rate=48000", "-map", "0:v", "-map", "1:a",
        "-c:v", "copy", "-c:a", "aac",
    ]),
    # A beep in each second.
    "ticks.mp4": ("360p-key50.mp4", 60, [
        "-f", "lavfi", "-i", "aevalsrc=0.5*sin(2*PI*1000*t)*lt(mod(t\\,1)\\,0.02):d=60:s=48000", "-map", "0:v", "-map", "1:a",
        "-c:v", "copy", "-c:a", "aac",
    ]),
    # A little wider than the display: filling it, the number in its pictures is still seen.
    "wide.mp4": ("360p-key50.mp4", 22, [
        "-t", "22", "-vf", "scale=504:360,setsar=1", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25",
        "-c:a", "copy",
    ]),
    "short.mkv": ("short.mp4", 2, ["-c", "copy"]),
    "short.webm": ("vp9-opus.webm", 2, FIRST),
    "short-4x3.mp4": ("square-4x3.mp4", 2, FIRST),
    "short-pal.mkv": ("pal-16x9.mp4", 2, FIRST),
    "short.avi": ("short.mp4", 2, ["-vf", "scale=480:270", "-c:v", "mpeg4", "-q:v", "4", "-c:a", "libmp3lame"]),
    # Each frame is a key frame, and the sound needs no decoder.
    "jpegs.avi": ("short.mp4", 2, ["-vf", "scale=480:270", "-c:v", "mjpeg", "-q:v", "4", "-c:a", "pcm_s16le"]),
    # Half a film of sound.
    "early-sound.mp4": ("short.mp4", 2, ["-c:v", "copy", "-c:a", "aac", "-af", "atrim=end=1"]),
    "early-sound.mkv": ("short.mp4", 2, ["-c:v", "copy", "-c:a", "aac", "-af", "atrim=end=1"]),
    "brief.mp4": ("360p-key10.mp4", 0.4, BRIEF),
    "brief-silent.mp4": ("360p-key10.mp4", 0.4, ["-an", *BRIEF]),
    "brief.mkv": ("360p-key10.mp4", 0.4, BRIEF),
    "brief.webm": ("vp9-opus.webm", 0.4, BRIEF),
    "brief.ts": ("360p-key10.mp4", 0.4, BRIEF),
    "short.ts": ("short.mp4", 2, ["-c", "copy"]),
    "clocks.ts": ("short.mp4", 4, None),
    "jump.ts": ("short.mp4", 4, None),
    "wrap.ts": ("short.mp4", 2, None),
    "long.ts": ("360p-key50.mp4", 8, ["-t", "8", "-an", "-c", "copy", "-muxdelay", "0", "-muxpreload", "0"]),
    "short.mpg": ("short.mp4", 2, ["-c:v", "mpeg2video", "-q:v", "2", "-c:a", "mp2"]),
    "short.flv": ("short.mp4", 2, ["-c", "copy"]),
    # Key frames every two seconds, and one every half.
    "alpha.webm": ("360p-key50.mp4", 4, [
        "-t", "4", "-an", "-vf", "scale=320:180", "-c:v", "libvpx", "-auto-alt-ref", "0", "-pix_fmt", "yuva420p",
        "-deadline", "realtime", "-cpu-used", "8", "-g", "50",
    ]),
    "disc.vob": ("360p-key50.mp4", 4, [
        "-t", "4", "-vf", "scale=320:180", "-c:v", "mpeg2video", "-q:v", "2", "-g", "15", "-bf", "2", "-c:a", "mp2", "-f", "vob",
    ]),
    "far.mpg": ("360p-key50.mp4", 4, [
        "-t", "4", "-vf", "scale=320:180", "-c:v", "mpeg2video", "-q:v", "2", "-g", "50", "-c:a", "mp2",
    ]),
    "motion.avi": ("short.mp4", 2, ["-vf", "scale=320:180", "-c:v", "mjpeg", "-q:v", "2", "-c:a", "pcm_s16le"]),
    "animated.gif": ("short.mp4", 2, ["-an", "-vf", "scale=320:180:flags=neighbor"]),
    # Of one colour.
    "plain.mp4": ("short.mp4", 2, ["-an", "-vf", "drawbox=color=red:t=fill", "-c:v", "libx264", "-preset", "ultrafast"]),
    # In RGB, with a red box at its foot.
    "red.mov": ("short.mp4", 2, [
        "-an", "-vf", "drawbox=x=iw*3/8:y=ih*3/4:w=iw/4:h=ih/8:color=red:t=fill", "-c:v", "qtrle", "-pix_fmt", "rgb24",
    ]),
    # The same box in the full range, and in the colours of standard definition.
    **{name: ("short.mp4", 2, [
        "-an", "-vf", f"drawbox=x=iw*3/8:y=ih*3/4:w=iw/4:h=ih/8:color=red:t=fill,scale=out_color_matrix={matrix}:out_range={span},format=yuv420p",
        "-color_range", span, "-colorspace", tag, "-color_primaries", tag, "-color_trc", tag, "-c:v", "libx264", "-preset", "ultrafast",
    ]) for name, matrix, span, tag in (("red-full.mp4", "bt709", "pc", "bt709"), ("red-601.mp4", "bt601", "tv", "smpte170m"))},
    # Its clock runs with its pictures.
    "prompt.ts": ("short.mp4", 2, ["-c", "copy", *PROMPT]),
    # Ten pictures that cannot be sought in; two whose length nobody knows, which GStreamer 1.26 seeks in, and 1.22 does
    # not.
    "brief.ivf": ("short.mp4", 0.4, ["-an", "-frames:v", "10", "-c:v", "libvpx"]),
    "brief.mjpeg": ("short.mp4", 0.08, ["-an", "-frames:v", "2", "-q:v", "2", "-f", "mjpeg"]),
    "still.jpg": ("short.mp4", 0.04, ["-frames:v", "1", "-q:v", "2"]),
    # A photograph whose Exif says how the camera was held.
    **{f"turned-{number}.jpg": ("short.mp4", 0.04, ["-frames:v", "1", "-q:v", "2"]) for number in range(1, 9)},
    "still.png": ("short.mp4", 0.04, ["-frames:v", "1"]),
    # As a camera puts a panorama together: 24 million pixels, 36 MB once decoded.
    "panorama.jpg": ("short.mp4", 0.04, [
        "-frames:v", "1", "-vf", "scale=12000:2000:flags=neighbor,setsar=1", "-q:v", "5",
    ]),
    "one.mp4": ("silent.mp4", 0.04, ["-frames:v", "1", "-c", "copy"]),
    # Opens, and fails after two seconds.
    "breaks.mp4": ("silent.mp4", 20, BREAKS),
    "breaks-too.mp4": ("silent.mp4", 20, BREAKS),
    "chapters.mkv": ("silent.mp4", 20, CHAPTERED),
    "chapters.mp4": ("silent.mp4", 20, CHAPTERED),
    # A picture stands for ten seconds; or there is none. Texts wait for the first picture, however long its encoder takes.
    "slow.mkv": ("silent.mp4", 20, [
        "-i", "en.srt", "-map", "0:v", "-map", "1:s", "-vf", "fps=0.1", "-c:v", "libx264", "-preset", "ultrafast",
        "-c:s", "srt", "-metadata:s:s:0", "language=eng", "-max_interleave_delta", "0",
    ]),
    "spoken.mkv": ("silent.mp4", 20, [
        *TONES[:4], "-i", "en.srt", "-map", "1:a", "-map", "2:s", "-c:a", "aac", "-c:s", "srt",
        "-metadata:s:s:0", "language=eng",
    ]),
    # WebVTT in Matroska, as ffmpeg and as mkvmerge write it.
    "vtt.mkv": ("silent.mp4", 20, VTT),
    "vtt-mkvmerge.mkv": ("silent.mp4", 20, VTT),
    # MP4's own subtitles, and WebVTT.
    "timed-text.mp4": ("silent.mp4", 20, ["-i", "en.srt", *MOV_TEXT]),
    "vtt.mp4": ("silent.mp4", 20, ["-i", "roomy.srt", *MOV_TEXT]),
    # Further codecs.
    "hevc.mp4": ("short.mp4", 2, [
        "-vf", "scale=320:180", "-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1",
        "-x265-params", "log-level=error:keyint=25:pools=none:frame-threads=1", "-c:a", "copy",
    ]),
    "av1.webm": ("short.mp4", 2, [
        "-vf", "scale=320:180", "-c:v", "libaom-av1", "-usage", "realtime", "-cpu-used", "8", "-g", "25",
        "-c:a", "libopus",
    ]),
    "theora.ogv": ("short.mp4", 2, ["-c:v", "libtheora", "-q:v", "6", "-g", "25", "-c:a", "libvorbis"]),
    "sound.mp3": ("sound-only.m4a", 4, ["-t", "4", "-c:a", "libmp3lame"]),
    # Noise takes many bytes, silence few: without a table of contents its length is guessed, too short at first.
    "growing.mp3": ("short.mp4", 10, [
        "-f", "lavfi", "-i", "anoisesrc=d=4:r=48000", "-f", "lavfi", "-i", "anullsrc=d=6:r=48000:cl=mono",
        "-filter_complex", "[1:a][2:a]concat=n=2:v=0:a=1", "-c:a", "libmp3lame", "-q:a", "4", "-write_xing", "0",
        "-id3v2_version", "0",
    ]),
    "sound.flac": ("sound-only.m4a", 4, ["-t", "4", "-c:a", "flac"]),
    # Five frames a second.
    "4k.mp4": ("short.mp4", 2, [
        "-an", "-vf", "select='not(mod(n,5))',scale=3840:2160:flags=neighbor", "-r", "5",
        "-c:v", "libx264", "-preset", "ultrafast",
    ]),
    # Without an index: as a browser records, an AVI whose end is cut off, fragments.
    "recorded.mkv": ("short.mp4", 2, ["-c", "copy", "-live", "1"]),
    "recorded.webm": ("vp9-opus.webm", 2, [*FIRST, "-live", "1"]),
    "unindexed.avi": ("short.mp4", 2, ["-vf", "scale=480:270", "-c:v", "mpeg4", "-q:v", "4", "-c:a", "libmp3lame"]),
    "fragments.mp4": ("short.mp4", 2, ["-c", "copy", "-movflags", "frag_keyframe+empty_moov"]),
    # With a fragment of its own for each track, of which a track's last one is the file's last.
    **{name: ("360p-key50.mp4", 6, [
        "-t", "6", "-frames:v", "150", *tracks, "-c", "copy", "-movflags", "frag_keyframe+empty_moov+separate_moof",
    ]) for name, tracks in (("apart.mp4", []), ("apart-sound-first.mp4", ["-map", "0:a", "-map", "0:v"]))},
    # Odd ones: another rate at each moment, pictures close together, sound that begins first, the second half first,
    # the first half second cut off without encoding, sound for twice as long as pictures.
    "variable.mp4": ("short.mp4", 2, VARIABLE),
    "variable.mkv": ("short.mp4", 2, VARIABLE),
    "close.webm": ("short.mp4", 2, CLOSE),
    "stands.webm": ("silent.mp4", 14, [*STANDS, "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8"]),
    **{f"stands.{kind}": ("silent.mp4", 14, [*STANDS, "-c:v", "libx264", "-preset", "ultrafast", "-g", "25"])
       for kind in ("mkv", "mp4")},
    # A lecture's: the sound plays on while a frame stands.
    "slides.mkv": ("360p-key50.mp4", 14, [*STANDS[1:], "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a", "copy"]),
    "stands.ts": ("360p-key50.mp4", 44, STANDS_LONG),
    "stands-clocked.ts": ("360p-key50.mp4", 44, [*STANDS_LONG, "-b:v", "300k", "-muxrate", "600k"]),
    # A camera's: a frame a second, each a key frame.
    "camera.mp4": ("360p-key50.mp4", 60, [
        "-an", "-vf", "select='not(mod(n,25))'", "-r", "1", "-c:v", "libx264", "-preset", "ultrafast", "-g", "1",
    ]),
    "late.mp4": ("short.mp4", 3.5, LATE),
    "late.mkv": ("short.mp4", 3.5, LATE),
    "edited.mp4": ("short.mp4", 2, ["-an", "-c", "copy"]),
    "cut.mp4": ("short.mp4", 1.48, ["-ss", "0.52", "-i", "{folder}/short.mp4", "-map", "1", "-c", "copy"]),
    **{name: ("short.mp4", seconds, [
        *TONES[:3], f"sine=frequency=330:duration={seconds}:sample_rate=48000", "-map", "0:v", "-map", "1:a",
        "-c:v", "copy", "-c:a", "aac",
    ]) for name, seconds in (("more-sound.mp4", 4), ("more-sound.mkv", 12), ("much-more-sound.mp4", 8))},
    "most-sound.mkv": ("short.mp4", 20, ["-f", "lavfi", "-i", "sine=frequency=330:duration=20:sample_rate=48000",
                                         "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "aac"]),
    # An MP4's pictures of less than a fifth of the film would be left out.
    "most-sound.mp4": ("360p-key50.mp4", 19, ["-f", "lavfi", "-i", "sine=frequency=330:duration=19:sample_rate=48000",
                                              "-map", "0:v", "-map", "1:a", "-frames:v", "100", "-c:v", "copy", "-c:a", "aac"]),
    # To be shown turned clockwise; and one whose pictures lie on their left side, as a phone's that was held upright.
    **{f"rotated-{degrees}.mp4": ("short.mp4", 2, ["-c", "copy"]) for degrees in (90, 180, 270)},
    "phone.mp4": ("short.mp4", 2, [
        "-vf", "transpose=cclock", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "copy",
    ]),
    # A format that a display has and the element that turns pictures has not.
    "422.mp4": ("short.mp4", 2, ["-an", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv422p"]),
    # What a film says of itself.
    "words.mp4": ("short.mp4", 2, ["-c", "copy", *WORDS]),
    "words.mkv": ("short.mp4", 2, ["-c", "copy", *WORDS]),
    "words.mp3": ("short.mp4", 2, ["-vn", "-c:a", "libmp3lame", *WORDS]),
    "words.ogg": ("short.mp4", 2, ["-vn", "-c:a", "libvorbis", *WORDS]),
    # Tracks beside the film: of data, of video and of sound that nothing decodes, another one that the container does not prefer, a
    # thumbnail; and a film of which nothing decodes the video.
    "data.mp4": ("short.mp4", 2, ["-i", "en.srt", "-map", "0", "-map", "1", "-t", "2", "-c", "copy", "-c:s", "mov_text"]),
    "two-videos.mp4": ("short.mp4", 2, OTHER),
    "no-videos.mp4": ("short.mp4", 2, ["-c", "copy"]),
    "two-sounds.mp4": ("short.mp4", 2, ["-map", "0:v", "-map", "0:a", "-map", "0:a", "-c", "copy"]),
    "second-default.mkv": ("short.mp4", 2, [*OTHER, "-disposition:v:0", "0", "-disposition:v:1", "default"]),
    "thumbnail.mov": ("short.mp4", 2, [*GREEN, "-c", "copy", "-c:v:0", "mjpeg", "-r:v:0", "1", "-disposition:v:1", "0"]),
    "film-cover.mkv": ("short.mp4", 2, [
        "-map", "0:v", "-map", "0:a", "-map", "0:v", "-c", "copy", "-c:v:1", "mjpeg", "-frames:v:1", "1", "-disposition:v:1", "attached_pic",
    ]),
    # Sounds with a cover.
    **{name: ("short.mp4", 2, ["-i", "{folder}/short.mp4", *COVER, *codec]) for name, codec in (
        ("cover.mp3", ["-c:a", "libmp3lame"]), ("cover.flac", ["-c:a", "flac"]), ("cover.m4a", ["-c:a", "copy"]),
    )},
    # Three recordings, put together as they are. The first of the sounds has the length of one in its header.
    "joined.ts": ("short.mp4", 6, ["-c", "copy"]),
    "joined.mp3": ("short.mp4", 6, ["-vn", "-c:a", "libmp3lame"]),
    # Of fields.
    "fields.mp4": ("short.mp4", 2, [*FIELDS, "-c:v", "libx264", "-preset", "ultrafast", "-x264-params", "tff=1", "-g", "12"]),
    "fields.mpg": ("short.mp4", 2, [*FIELDS, "-c:v", "mpeg2video", "-q:v", "2", "-top", "1", "-g", "12"]),
    # Another size in mid-stream.
    "resized.ts": ("short.mp4", 4, None),
    **dict.fromkeys(STANDARDS, ("silent.mp4", 20, None)),
    "captions.mkv": ("silent.mp4", 20, ["-i", CAPTIONED, "-map", "1:v", "-c", "copy"]),
    "captions.ts": ("silent.mp4", 20, ["-i", CAPTIONED, "-map", "1:v", "-c", "copy", *PROMPT]),
    "captions-mpeg2.ts": ("silent.mp4", 20, [
        "-i", CAPTIONED, "-map", "1:v", "-c:v", "mpeg2video", "-q:v", "3", "-bf", "2", "-g", "500",
        "-force_key_frames", "expr:gte(t,n_forced*2)", *PROMPT,
    ]),
    # Beside other tracks, of which the first sound is English.
    "captions-tracks.mkv": ("silent.mp4", 20, [
        "-i", CAPTIONED, *TONES[:4], "-i", "de.srt", "-map", "1:v", "-map", "2:a", "-map", "3:s", "-c:v", "copy", "-c:a", "aac",
        "-c:s", "srt", "-metadata:s:a:0", "language=eng", "-metadata:s:s:0", "language=deu",
    ]),
    # Three tracks of sound, three of subtitles.
    "tracks.mkv": ("silent.mp4", 20, [
        *TONES, "-i", "en.srt", "-i", "de.srt", "-i", "plain.srt",
        "-map", "0:v", "-map", "1:a", "-map", "2:a", "-map", "3:a", "-map", "4:s", "-map", "5:s", "-map", "6:s",
        "-c:v", "copy", "-c:a", "aac", "-c:s:0", "srt", "-c:s:1", "ass", "-c:s:2", "srt",
        "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu", "-metadata:s:a:1", "title=Kommentar",
        "-metadata:s:s:0", "language=eng", "-metadata:s:s:1", "language=deu", "-metadata:s:s:1", "title=Deutsch (SDH)",
        "-disposition:s:0", "0", "-disposition:s:1", "hearing_impaired",
    ]),
}


def folder() -> pathlib.Path:
    """VITRINE_DERIVED, where all of them are there; else of this run of the rig, which throws away what is written there."""
    path = pathlib.Path(os.environ.get("VITRINE_DERIVED", "/tmp/derived-films"))
    path.mkdir(exist_ok=True)
    return path


def main() -> None:
    source = pathlib.Path(os.environ["VITRINE_FILMS"])
    recipe = hashlib.sha256(pathlib.Path(__file__).read_bytes() + CAPTIONS.read_bytes() + source.name.encode()).hexdigest()[:12]
    kept = source.parent.parent / "derived" / recipe
    kept.parent.mkdir(exist_ok=True)
    with (kept.parent / ".lock").open("w") as lock:
        # Who comes second waits, and finds everything done.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            print(f"films: {len(RECIPES)} are made of them, once, about a minute", file=sys.stderr)
            unfinished = kept.parent / "unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            derive = Derived(source, unfinished)
            for name in RECIPES:
                derive(name)
            unfinished.rename(kept)
    print(kept)


if __name__ == "__main__":
    main()
