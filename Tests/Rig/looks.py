"""Puts the pictures of `test_looks.py`, `test_sizes.py` and the board's visit where the documents show them:

    PYTHON Tests/Rig/looks.py FOLDER             # what test_looks.py left in $RIG_OUT: docs/controls and docs/visit.png
    PYTHON Tests/Rig/looks.py --sizes FOLDER     # what test_sizes.py, and test_looks.py in the rig with decoders, left there, of a
                                                 # thorough run: docs/controls/sizes.png
    PYTHON Tests/Rig/looks.py --board FOLDER     # .build/board/seen/test_a_visit: docs/visit.png
"""

import argparse
import pathlib
import sys

import numpy
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(TOP / "tools" / "lib"))
import demo  # noqa: E402
from turned import Turn  # noqa: E402

CONTROLS = {"languages": "looks-controls-languages", "filmstrip": "looks-filmstrip"}
SIZES = ["800x480", "1024x600", "1280x720", "1920x1080", "3840x2160"]
STEPS = ["planes", "primary", "frames"]
TURNS = [Turn(0, False), Turn(90, False), Turn(270, True)]
# The highest step, of the rig whose planes scale.
SCALED = ["1280x720", "1920x1080"]
SCALED_TURNS = [Turn(0, False), Turn(180, True), Turn(90, False)]
VISIT = {
    "attract": "nobody is there: the loop", "menu": "a touch: the menu", "film": "a poster: its film",
    "attract-again": "nobody any more: the loop again",
}


def sizes(folder: pathlib.Path, path: pathlib.Path) -> None:
    """A row for each size; upright, on its side and mirrored, each on three steps of the ladder of planes. Below them the highest step,
    upright, upside down and mirrored, and on its side."""
    gap, height, line = 8, 200, 24
    font = PIL.ImageFont.truetype(next(font for font in demo.FONTS if pathlib.Path(font).exists()), 14)
    rows = []
    shots = {size: [(size, step, turn) for turn in TURNS for step in STEPS] for size in SIZES}
    shots[f"{' and '.join(SCALED)}, on a display whose planes scale"] = [
        (size, "scaling", turn) for turn in SCALED_TURNS for size in SCALED]
    for shown in shots.values():
        row = []
        for size, step, turn in shown:
            with PIL.Image.open(folder / f"sizes-{size}-{step}-{turn}.png") as picture:
                upright = PIL.Image.fromarray(turn.upright(numpy.array(picture.convert("RGB"))))
            upright.thumbnail((height * 2, height), PIL.Image.Resampling.LANCZOS)
            row.append(upright)
        rows.append(row)
    width = max(sum(picture.width + gap for picture in row) for row in rows) + gap
    canvas = PIL.Image.new("RGB", (width, len(rows) * (line + height) + gap), (245, 245, 245))
    draw = PIL.ImageDraw.Draw(canvas)
    for number, (caption, row) in enumerate(zip(shots, rows)):
        x, y = gap, number * (line + height)
        draw.text((x, y + 4), caption, fill=(40, 40, 40), font=font)
        for picture in row:
            canvas.paste(picture, (x, y + line))
            x += picture.width + gap
    canvas.quantize(160, dither=PIL.Image.Dither.NONE).save(path, optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="looks.py")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--board", action="store_true")
    parser.add_argument("--sizes", action="store_true")
    options = parser.parse_args()
    docs = TOP / "docs"
    if options.sizes:
        return sizes(options.folder, docs / "controls" / "sizes.png")
    if not options.board:
        for name, seen in CONTROLS.items():
            with PIL.Image.open(options.folder / f"{seen}.png") as picture:
                picture.convert("RGB").quantize(160).save(docs / "controls" / f"{name}.png", optimize=True)
    begin = "" if options.board else "looks-1280x720-"
    shots = [(caption, options.folder / f"{begin}{name}.png") for name, caption in VISIT.items()]
    demo.sheet(shots, docs / "visit.png")


main()
