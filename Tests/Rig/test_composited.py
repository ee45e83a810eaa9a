"""A display without a plane for the OSD: the bar is drawn into the film's frames (B3), and the rules are the same."""

import subprocess
import time

import numpy
import pytest

from bar import Finger, Layout, hold_bar, show_bar, thumb, wait_for_frame, wait_for_thumb, wait_until_reported
from cards import CONNECTED, plug_in
from turned import Turn, TurnedPanel

LAYOUT = Layout()


def settle(program) -> None:
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)


def test_a_primary_plane_alone_shows_film_and_bar(play, films, card, panel):
    """Like the Pi 5's panel: the film plays, with black around it, and follows a finger on the bar, also while
    paused."""
    _, name = plug_in(play, card, overlays=0, status=CONNECTED)
    film = films("360p-key50.mp4")
    program = play(film, "--connector", name)
    panel.wait_until_read()
    # On a busy machine the film's time goes on while its first frame still stands.
    program.ipc.wait_for("vitrine/frame-time", lambda now: now is not None and now > 3e8)
    # A picture taken during a flip shows parts of two frames.
    assert program.reading(film).frame > 0
    picture = program.screenshot()
    assert picture.any(axis=2).mean() > 0.4
    assert not picture[:20].any(), "black above the film"
    assert thumb(picture) is None
    show_bar(program, panel)
    duration = program.ipc.wait_for("duration")
    finger = Finger(panel)
    finger.down(LAYOUT.of_frame(300, film, duration), LAYOUT.y)
    finger.glide(LAYOUT.of_frame(1100, film, duration), seconds=0.4)
    finger.wait()
    wait_for_frame(program, film, 1100)
    wait_for_thumb(program, LAYOUT.thumb_x(finger.steps[-1].x), near=3)
    finger.up()
    settle(program)
    assert program.ipc.get("pause") is False
    program.ipc.command("set_property", "pause", True)
    # It hides by itself, and leaves the film's frame as it was.
    program.ipc.wait_for("vitrine/osd-visible", lambda visible: visible is False)
    frame = program.frame(film)
    assert thumb(program.screenshot()) is None
    # While paused, a touch shows it at once, on the same frame.
    finger = hold_bar(program, panel)
    wait_for_thumb(program, LAYOUT.left + frame / film.rate / duration * LAYOUT.length, near=3)
    finger.up()
    assert program.frame(film) == frame


def luma(picture: numpy.ndarray) -> numpy.ndarray:
    return picture @ (0.299, 0.587, 0.114)


def test_it_looks_the_same(play, films, panel):
    """The same film, the same bar, on planes and composited: the OSD surface's luma differs nowhere by more than 24 of
    255, and by less than 1 on average. The edges of the bar may differ in colour, which the film's frame has one of for
    four pixels, but not by more than 1 on average. The film differs by less than 1."""
    film = films("360p-key50.mp4")
    pictures = {}
    for way in ("plane", "composited"):
        program = play(film, "--paused", "--start", "10.02", "--osd", way)
        panel.wait_until_read()
        finger = hold_bar(program, panel)
        wait_for_thumb(program, LAYOUT.left + 10.02 / program.ipc.get("duration") * LAYOUT.length, near=3)
        pictures[way] = program.screenshot(f"looks-{way}").astype(int)
        finger.up()
        program.stop()
    top = LAYOUT.centre - 60
    plane, composited = pictures["plane"], pictures["composited"]
    difference = abs(luma(plane) - luma(composited))
    print("strip's luma:", difference[top:].max(), difference[top:].mean(), "film's:", difference[:top].mean())
    assert difference[top:].max() <= 24 and difference[top:].mean() < 1
    assert abs(plane - composited)[top:].mean() < 1
    assert abs(plane - composited)[:top].mean() < 1
    # The bound refuses a surface that is one line lower.
    assert abs(luma(plane)[top - 1 : -1] - luma(composited)[top:]).max() > 24


def test_the_bar_is_on_black_where_there_is_no_film(play, films, card, panel):
    """Sound alone has a bar, too, and failures are reported."""
    _, name = plug_in(play, card, overlays=0, status=CONNECTED)
    program = play.run("play", films("sound-only.m4a").path, "--connector", name)
    panel.wait_until_read()
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.2)
    assert not program.screenshot().any()
    finger = hold_bar(program, panel)
    wait_for_thumb(program, 512, near=512)
    finger.up()
    program.ipc.wait_for("vitrine/osd-visible", lambda visible: visible is False)
    wait_for_black(program)


def wait_for_black(program) -> None:
    for _ in range(20):
        if not program.screenshot().any():
            return
    raise AssertionError("the display is not black again")


def test_one_film_after_another(play, films, card, panel):
    """The display stays on between films, and the bar moves from one to the next."""
    _, name = plug_in(play, card, overlays=0, status=CONNECTED)
    film, other = films("silent.mp4"), films("square-4x3.mp4")
    program = play(film, other, "--connector", name, "--paused")
    panel.wait_until_read()
    finger = hold_bar(program, panel)
    wait_for_thumb(program, LAYOUT.left, near=3)
    finger.up()
    program.ipc.command("playlist-next")
    program.ipc.wait_for("path", lambda path: path == other.path)
    program.ipc.wait_for("vo-configured")
    wait_until_reported(program, other, 0)
    assert program.reading(other).film == other.number
    finger = hold_bar(program, panel)
    wait_for_thumb(program, LAYOUT.left, near=3)
    finger.up()


@pytest.mark.parametrize("turn, by", [(Turn(180, True), "plane"), (Turn(90, False), "plane"), (Turn(90, False), "pipeline")],
                         ids=["180 reflected", "90", "90 by the pipeline"])
def test_it_turns(play, films, card, panel, turn: Turn, by: str):
    """N2 on a single plane."""
    _, name = plug_in(play, card, overlays=0, status=CONNECTED)
    film = films("360p-key50.mp4")
    program = play(film, "--paused", "--connector", name, *turn.arguments, "--rotate-by", by)
    width, height = (768, 1024) if turn.swaps else (1024, 768)
    layout, viewer = Layout(width, height), TurnedPanel(panel, turn)
    panel.wait_until_read()
    show_bar(program, viewer)
    duration = program.ipc.wait_for("duration")
    viewer.tap(layout.of_frame(700, film, duration), layout.y)
    wait_until_reported(program, film, 700)
    settle(program)
    picture = turn.upright(program.screenshot())
    assert program.frame(film, picture) == 700
    wait_for_thumb(program, layout.thumb_x(layout.of_frame(700, film, duration)), 3, layout=layout, upright=turn.upright)


def sheet(folder, pattern: str):
    """A second of one colour."""
    # Under one name, which is the title.
    path = folder / pattern / "sheet.mkv"
    path.parent.mkdir()
    source = f"videotestsrc pattern={pattern} num-buffers=25 ! video/x-raw,format=I420,width=640,height=480,framerate=25/1"
    command = f"gst-launch-1.0 -q {source} ! jpegenc quality=100 ! matroskamux ! filesink location={path}"
    subprocess.run(command.split(), check=True, timeout=60)
    return path


@pytest.mark.parametrize("way", ["plane", "composited"])
def test_edges_are_right_over_white_and_over_black(play, panel, tmp_path, way: str):
    """Colours are multiplied by their alpha once: over white and over black, edges of text and bar have the same ink,
    and none of it is brighter than ink can be (which shines) or darker over white than its alpha makes it (a seam)."""
    shots = {}
    for pattern in ("black", "white"):
        program = play(str(sheet(tmp_path, pattern)), "--paused", "--osd", way)
        panel.wait_until_read()
        finger = hold_bar(program, panel)
        wait_for_thumb(program, LAYOUT.left, near=3)
        shots[pattern] = program.screenshot()[LAYOUT.centre - 100 :].astype(float)
        finger.up()
        program.stop()
    black, white = shots["black"], shots["white"]
    # Over black, c = ink * alpha; over white, c = ink * alpha + 255 * (1 - alpha).
    alpha = 1 - (white - black) / 255
    assert alpha.min() > -0.02 and alpha.max() < 1.02
    # All three channels have the same alpha.
    assert (alpha.max(axis=2) - alpha.min(axis=2)).max() < (0.03 if way == "plane" else 0.3)
    excess = black - alpha * 255
    print(f"{way}: ink brighter than ink by {excess.max():.1f}; alpha {alpha.min():.2f} to {alpha.max():.2f}")
    assert excess.max() < 6
    assert (black > 200).any() and ((black > 60) & (black < 200)).any(), "text, and edges of it"


@pytest.mark.parametrize("way", ["plane", "composited"])
def test_the_bar_answers_a_touch_while_the_film_is_paused(play, films, panel, way: str):
    """Within two frames of 60 Hz, and as much again for a busy machine: the quickest tenth of thirty moves has the
    least of it. A bar that waited for its next turn would be 100 ms late."""
    film = films("360p-key50.mp4")
    program = play(film, "--paused", "--osd", way)
    panel.wait_until_read()
    # The first bar loads its pipeline and typeface.
    finger = hold_bar(program, panel)
    wait_for_thumb(program, LAYOUT.left, near=3)
    finger.up()
    show_bar(program, panel)
    waits = []
    finger.down(LAYOUT.x(0.1), LAYOUT.y)
    for step in range(30):
        # Longer than the bar's interval, so that each move is drawn separately; and no seek is in its way.
        settle_bar(program)
        updates = program.ipc.get("vitrine/osd-updates")
        moved = time.monotonic_ns()
        finger.move(LAYOUT.x(0.12 + step / 50), LAYOUT.y)
        program.ipc.wait_for_counter("vitrine/osd-updates", lambda count: count > updates)
        settle_bar(program)
        waits.append((program.ipc.get("vitrine/osd-shown") - moved) / 1e6)
    finger.up()
    print(f"{way}: ms from touch to bar", sorted(round(wait) for wait in waits))
    assert sorted(waits)[len(waits) // 10] < 67
    assert sorted(waits)[len(waits) // 2] < 300


def settle_bar(program) -> None:
    """Waits until nothing has been drawn for 100 ms."""
    count, since = -1, 0.0
    while (now := program.ipc.get("vitrine/osd-updates")) != count or time.monotonic() - since < 0.1:
        if now != count:
            count, since = now, time.monotonic()
        time.sleep(0.01)
