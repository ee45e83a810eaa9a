"""The command tools/board."""

import argparse
import pathlib
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tools" / "lib"))

import board

DESCRIPTION = """Starts a card's image in the virtual board: an arm64 machine in QEMU by software emulation, with a display
and a touch panel. The image is not changed: what the board writes is thrown away at the end. Takes a picture of its display
each second of the first twenty, or as often as --every says, into the folder OUT, beside console.log."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools/board", description=DESCRIPTION)
    parser.add_argument("image", type=pathlib.Path, nargs="?", help="default: the newest that tools/image made")
    parser.add_argument("--out", type=pathlib.Path, default=TOP / ".build/board", help="default: .build/board")
    parser.add_argument("--seconds", type=float, default=60, help="how long it is on (default 60)")
    parser.add_argument("--every", type=float, default=1, help="seconds from picture to picture (default 1)")
    parser.add_argument("--memory", default="1024M", help="default 1024M; 256M is what the player needs")
    parser.add_argument("--mode", default="1280x720", help="the display's preferred mode (default 1280x720)")
    parser.add_argument("--words", default="", help="more words for the kernel's command line")
    given = parser.parse_args()
    image = given.image or max((TOP / ".build/image").glob("*.img"), key=lambda path: path.stat().st_mtime, default=None)
    if not image or not image.exists():
        print(f"board: no image {image or ''}: tools/image makes one", file=sys.stderr)
        return 66
    width, _, height = given.mode.partition("x")
    with tempfile.TemporaryDirectory(prefix="card.", dir="/tmp") as folder:
        card = board.Card(image, pathlib.Path(folder))
        with board.Board(card, given.out, memory=given.memory, size=(int(width), int(height)), words=given.words) as machine:
            number, lit = 0, None
            while machine.is_on and machine.age < given.seconds:
                picture = machine.picture(f"{number:03}")
                if lit is None and picture.max() > 60 and (picture > 60).mean() > 0.05:
                    lit = machine.age
                    print(f"board: something to see after {lit:.1f} s", file=sys.stderr)
                number += 1
                time.sleep(max(0, number * given.every - machine.age))
    print(given.out)
    return 0


sys.exit(main())
