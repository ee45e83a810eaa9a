"""Puts the pictures of `test_looks.py`, or of the board's visit, where the documents show them:

    PYTHON Tests/Rig/looks.py FOLDER             # what the rig left in $RIG_OUT: docs/controls and docs/visit.png
    PYTHON Tests/Rig/looks.py --board FOLDER     # .build/board/seen/test_a_visit: docs/visit.png
"""

import argparse
import pathlib
import sys

import PIL.Image

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(TOP / "tools" / "lib"))
import demo  # noqa: E402

CONTROLS = {
    "800x600": ("looks-controls-800x600-0-subtitles", 0), "portrait": ("looks-controls-1280x720-90-volume", 90),
    "languages": ("looks-controls-1280x720-0-languages", 0), "filmstrip": ("looks-filmstrip", 0),
}
VISIT = {
    "attract": "nobody is there: the loop", "menu": "a touch: the menu", "film": "a poster: its film",
    "attract-again": "nobody any more: the loop again",
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="looks.py")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--board", action="store_true")
    options = parser.parse_args()
    docs = TOP / "docs"
    if not options.board:
        for name, (seen, degrees) in CONTROLS.items():
            with PIL.Image.open(options.folder / f"{seen}.png") as picture:
                # Upright for the viewer.
                upright = picture.convert("RGB").rotate(degrees, expand=True)
            upright.quantize(160).save(docs / "controls" / f"{name}.png", optimize=True)
    begin = "" if options.board else "looks-1280x720-"
    shots = [(caption, options.folder / f"{begin}{name}.png") for name, caption in VISIT.items()]
    demo.sheet(shots, docs / "visit.png")


main()
