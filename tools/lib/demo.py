"""The demo's part at the display: plays, drags a finger, takes pictures, arranges them. See tools/demo."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont

from finger import Panel
from ipc import IPC, IPCError

FONTS = ["/usr/share/fonts/opentype/inter/Inter-Regular.otf", "/usr/share/fonts/truetype/inter/Inter-Regular.ttf",
         "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"]


def main(program: str, film: str, out: str) -> None:
    folder = pathlib.Path(out)
    socket = pathlib.Path(tempfile.mkdtemp()) / "control"
    with Panel() as panel:
        panel.wait_until_classified()
        began = time.monotonic()
        player = subprocess.Popen([program, "play", "--loop", "--control", str(socket), film])
        try:
            ipc = IPC(socket, alive=lambda: player.poll() is None)
            wait_for_frame(ipc)
            start = time.monotonic() - began
            panel.wait_until_read()
            shots, figures = drag(ipc, panel, folder)
            ipc.command("quit")
            player.wait(10)
        finally:
            if player.poll() is None:
                player.terminate()
                player.wait(10)
    sheet(shots, folder / "demo.png")
    for _, shot in shots:
        shot.unlink()
    print(f"first frame after {start * 1000:.0f} ms; {figures}")


def wait_for_frame(ipc: IPC, seconds: float = 30) -> None:
    """Waits until the first frame is on the screen; ends the demo if there will be none."""
    end = time.monotonic() + seconds
    while ipc.get("vitrine/frames-shown") == 0:
        if has_no_video(ipc):
            sys.exit("demo: this film has sound alone: give one with video")
        if time.monotonic() > end:
            sys.exit(f"demo: no frame on the screen after {seconds} s")
        time.sleep(0.01)


def has_no_video(ipc: IPC) -> bool:
    try:
        ipc.get("seekable")
    except IPCError:
        # Nothing is known of the film yet.
        return False
    return not ipc.get("vo-configured")


def wait_for_bar(ipc: IPC, since: int, seconds: float = 10) -> None:
    """Waits until the bar is on the screen, which on a busy machine takes longer than the decision to show it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if ipc.get("vitrine/osd-shown") > since:
                return
        except IPCError:
            pass  # There has been no bar yet.
        time.sleep(0.02)
    sys.exit(f"demo: no bar on the screen after {seconds} s")


def track_of_bar(ipc: IPC, panel: Panel, y: float) -> tuple[float, float]:
    """Where the bar's track begins and how long it is, as shares of the display's width: from two places of the thumb.
    Which buttons stand beside it depends on the film."""
    thumbs = []
    panel.down(0.3, y)
    panel.frame()
    for x in (0.35, 0.45):
        before = ipc.get("vitrine/thumb")
        panel.move(x, y)
        panel.frame()
        # Until it has moved, and stands again.
        end, seen = time.monotonic() + 5, [before]
        while len(seen) < 4 or seen[-1] == before or len(set(seen[-3:])) > 1:
            if time.monotonic() > end:
                sys.exit("demo: the bar does not follow the finger")
            time.sleep(0.1)
            seen.append(ipc.get("vitrine/thumb"))
        thumbs.append(seen[-1])
    panel.up()
    panel.frame()
    ipc.wait_for("seeking", lambda seeking: seeking is False)
    length = 0.1 / (thumbs[1] - thumbs[0])
    return 0.35 - thumbs[0] * length, length


def drag(ipc: IPC, panel: Panel, folder: pathlib.Path):
    shots = []

    def shoot(caption: str) -> None:
        path = folder / f"screen-{len(shots)}.png"
        ipc.command("screenshot-to-file", str(path))
        shots.append((caption, path))

    time.sleep(1)
    shoot("the film plays")
    # The bar is over the lower edge; its track keeps a margin.
    low = 1 - 32 / ipc.get("osd-height")
    tapped = time.monotonic_ns()
    panel.tap(0.5, 0.3)
    ipc.wait_for("vitrine/osd-visible", bool)
    wait_for_bar(ipc, tapped)
    shoot("a touch shows the bar")
    left, length = track_of_bar(ipc, panel, low)
    begin_x, end_x = left + 0.1 * length, left + 0.75 * length
    # Once for the figures, without a screenshot, which would use the processor; once for the pictures.
    shown = ipc.get("vitrine/frames-shown")
    panel.drag(begin_x, low, end_x, low, 2)
    moved = ipc.get("vitrine/frames-shown") - shown
    ipc.wait_for("seeking", lambda seeking: seeking is False)
    answer = (ipc.get("vitrine/last-answer") - ipc.get("vitrine/answered-touch")) / 1e6
    panel.down(begin_x, low)
    panel.frame()
    steps, rests, seconds = 120, {40, 80, 120}, 0.0
    begin = time.monotonic()
    for step in range(1, steps + 1):
        time.sleep(max(0, begin + seconds - time.monotonic()))
        panel.move(begin_x + (end_x - begin_x) * step / steps, low)
        panel.frame()
        seconds += 1 / 60
        if step in rests:
            # A finger that rests for a moment: long enough for the frame under it, and for a screenshot.
            time.sleep(0.25)
            shoot(f"the finger at {10 + 65 * step // steps} % of the bar")
            seconds = time.monotonic() - begin
    panel.up()
    panel.frame()
    ipc.wait_for("seeking", lambda seeking: seeking is False)
    time.sleep(0.5)
    shoot("released: it plays on from there")
    return shots, f"{moved} frames in the finger's 2 s; from its lift to the exact frame {answer:.0f} ms"


def sheet(shots, path: pathlib.Path) -> None:
    font_path = next((font for font in FONTS if pathlib.Path(font).exists()), None)
    font = PIL.ImageFont.truetype(font_path, 20) if font_path else PIL.ImageFont.load_default()
    pictures = [(caption, PIL.Image.open(shot)) for caption, shot in shots]
    width = 512
    height = width * pictures[0][1].height // pictures[0][1].width
    gap, line, columns = 16, 36, 2
    rows = (len(pictures) + columns - 1) // columns
    canvas = PIL.Image.new(
        "RGB", (gap + columns * (width + gap), gap + rows * (height + line + gap)), (245, 245, 245))
    draw = PIL.ImageDraw.Draw(canvas)
    for number, (caption, picture) in enumerate(pictures):
        x = gap + number % columns * (width + gap)
        y = gap + number // columns * (height + line + gap)
        canvas.paste(picture.resize((width, height), PIL.Image.Resampling.LANCZOS), (x, y))
        draw.text((x, y + height + 8), caption, fill=(40, 40, 40), font=font)
    # A quarter of the bytes, without a visible difference.
    canvas.quantize(160).save(path, optimize=True)
    # Root's files in a user's folder.
    owner = path.parent.stat()
    if path.stat().st_uid != owner.st_uid:
        os.chown(path, owner.st_uid, owner.st_gid)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except ConnectionError as error:
        # The player says why it ended.
        sys.exit(f"demo: the player ended: its message is above ({error})")
