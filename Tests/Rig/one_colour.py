"""A film of one colour, with two languages of sound and two of subtitles: what is drawn over it is all that can be seen."""

import pathlib
import subprocess


def one_colour(path: pathlib.Path, colour: str, seconds: int = 10) -> pathlib.Path:
    """Makes it, a Matroska file. White is as white as a display can be."""
    words = path.parent / "words.srt"
    words.write_text("1\n00:00:08,000 --> 00:00:08,500\nWords\n")
    subprocess.run([
        "ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i", f"color={colour}:size=640x480:rate=25:duration={seconds}",
        *["-f", "lavfi", "-i", f"sine=frequency=440:duration={seconds}"] * 2, *["-i", str(words)] * 2,
        "-map", "0", "-map", "1", "-map", "2", "-map", "3", "-map", "4", "-c:v", "libx264", "-preset", "ultrafast",
        "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac", "-c:s", "srt",
        "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu",
        "-metadata:s:s:0", "language=eng", "-metadata:s:s:1", "language=deu", str(path),
    ], check=True, timeout=60)
    return path
