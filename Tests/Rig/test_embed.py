"""Other programs with a player in them (A1): the program of docs/engineer.md, README's kiosk and the tutorial's listings,
exactly as printed, and one that a test controls. `tools/check embed` builds them. The display is read from outside."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import time

import pytest

import descriptors
import frames
import handles
import mistakes
import scanout
import servers
from bar import Finger, Layout, slip
from network import FILM, bytes_a_second, proxy, serve
from threads import stuck
from tracers import LEAKS, gst_log  # noqa: F401, a fixture
from witness import witness  # noqa: F401, a fixture

DISPLAY = frames.Rect(0, 0, 1024, 768)
# Of wide.mp4.
WIDE = 504 / 360


def fill(aspect: float, area: frames.Rect = DISPLAY) -> frames.Rect:
    """The place of a film that fills this part of the display, including the cropped parts."""
    width, height = max(area.width, area.height * aspect), max(area.height, area.width / aspect)
    return frames.Rect(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height)


def fit(aspect: float, area: frames.Rect = DISPLAY) -> frames.Rect:
    """The place of a film that is entirely visible."""
    inside = frames.fit(area[2:], aspect)
    return inside._replace(x=area.x + inside.x, y=area.y + inside.y)


def place() -> frames.Rect | None:
    """The place of the film on the display."""
    film = scanout.film()
    return film and film.rect


def is_near(rect: frames.Rect, other: frames.Rect) -> bool:
    """Scalers and planes may round to a pixel or two."""
    return all(abs(one - two) <= 2 for one, two in zip(rect, other))


def frame_in(rect: frames.Rect, film, whole: frames.Rect | None = None) -> int | None:
    """The film's frame at this place of the display, where the `whole` film may be larger; `None` for another place, or
    no film."""
    shown = scanout.film()
    if not shown or not is_near(shown.rect, rect):
        return None
    try:
        reading = frames.read(shown.luma, whole or rect)
    except frames.NoFrame:
        # The previous gravity has the same place, or a frame was drawn during the reading.
        return None
    assert reading.film == film.number
    return reading.frame


class Embedding:
    """One of the programs, in a folder with its films."""

    def __init__(self, name: str, folder: pathlib.Path, arguments: tuple[str, ...] = (), environment: dict[str, str] = {}):
        built = os.environ.get("VITRINE_EMBEDDED")
        assert built, "VITRINE_EMBEDDED is not set: the folder of what tools/check embed builds"
        program = pathlib.Path(built) / name
        assert program.exists(), f"there is no {program}: tools/check embed"
        self.output, self.errors = folder / "output", folder / "errors"
        with open(self.output, "wb") as output, open(self.errors, "wb") as errors:
            # Into a file, a program writes many lines at once.
            command = ["stdbuf", "-oL", program, *arguments]
            self.process = subprocess.Popen(
                command, cwd=folder, stdin=subprocess.PIPE, stdout=output, stderr=errors, text=True, env=os.environ | environment
            )

    def lines(self) -> list[str]:
        return self.output.read_text().splitlines()

    def said(self) -> str:
        return f"{self.output.read_text()}\n{self.errors.read_text()}"

    def wait_for(self, what, timeout: float = 60):
        """Waits until `what()` returns a value, and returns it."""
        end = time.monotonic() + timeout
        while (found := what()) is None:
            assert self.process.poll() is None, f"ended with status {self.process.returncode}:\n{self.said()}"
            assert time.monotonic() < end, f"not after {timeout} s; the film is at {place()}, and it said\n{self.said()}"
            time.sleep(0.01)
        return found

    def wait_for_line(self, line: str, timeout: float = 60) -> None:
        self.wait_for(lambda: line in self.lines() or None, timeout)

    def wait_for_frame(self, first: int, *where, timeout: float = 60) -> int:
        """Waits until the display shows a frame of a film from this one on, as `frame_in`; returns it."""
        return self.wait_for(lambda: next((at for at in [frame_in(*where)] if at is not None and at >= first), None), timeout)

    def order(self, line: str) -> str:
        """Sends the program an order; returns the rectangle in its answer."""
        known = len(self.lines())
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.wait_for(lambda: next((said for said in self.lines()[known:] if said[0].isdigit() or said == "nowhere"), None))

    def reported(self, order: str) -> dict[str, str]:
        """The program's output for an order, before it answers with the rectangle, by its first word."""
        known = len(self.lines())
        self.order(order)
        return dict(line.split(": ", 1) for line in self.lines()[known:] if ": " in line)

    def opened(self) -> set[str]:
        """The files that it has open."""
        return descriptors.opened(self.process.pid)

    def ends(self, console, timeout: float = 60) -> None:
        """Waits until it ends by itself, successfully, and the console is back."""
        self.process.stdin.close()
        assert self.process.wait(timeout) == 0, self.said()
        assert not mistakes.found(self.errors.read_text())
        console.wait_until_shown()


@pytest.fixture
def embedding(tmp_path):
    """`embedding("Tutorial", film)`: starts it where the film is "film.mp4"; strings among the films are its arguments."""
    started = []

    def start(name: str, *films, environment: dict[str, str] = {}) -> Embedding:
        arguments = tuple(film for film in films if isinstance(film, str))
        for number, film in enumerate(film for film in films if film not in arguments):
            (tmp_path / f"film{number or ''}.mp4").symlink_to(film.path)
        started.append(Embedding(name, tmp_path, arguments, environment))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


def test_ten_lines(films, embedding, console, witness):
    """That of docs/engineer.md: a film from its first frame to its last, once (A5), as large as the display allows (S3), and the
    console again."""
    film = films("short.mp4")
    seen = witness(film.rate)
    program = embedding("Embedding", film)
    program.wait_for_frame(0, fit(film.aspect), film)
    program.ends(console)
    seen.stop()
    shown = [frame for frame, _ in seen.frames if frame >= 0]
    assert shown == sorted(shown) and len(set(shown)) > 5 and shown[-1] >= film.frames - 2, shown
    assert program.lines() == []


def test_the_kiosk(films, embedding, panel, console, tmp_path):
    """README's: films follow one another, over and over, also after one that fails; a finger on the bar seeks (M3);
    SIGTERM ends it successfully."""
    short, noise, film = films("short.mp4"), films("noise.mp4"), films("360p-key50.mp4")
    (tmp_path / "films").mkdir()
    for number, one in enumerate((short, noise, film)):
        (tmp_path / "films" / f"{number}.mp4").symlink_to(one.path)
    program = embedding("Kiosk")
    rect = fit(film.aspect)
    assert fit(short.aspect) == rect, "only their numbers differ"

    def wait_for(film, accepts) -> int:
        """Waits until the display shows an accepted frame of this film; returns it."""

        def found() -> int | None:
            shown = scanout.film()
            if not shown or not is_near(shown.rect, rect):
                return None
            with contextlib.suppress(frames.NoFrame):
                reading = frames.read(shown.luma, rect)
                return reading.frame if reading.film == film.number and accepts(reading.frame) else None

        return program.wait_for(found)

    wait_for(short, lambda frame: frame > 5)
    wait_for(film, lambda frame: frame > 5)
    assert [line for line in program.said().splitlines() if line.startswith("films/1.mp4: ")], program.said()
    assert "is back" not in program.said(), "no display was gone"
    # The failure's message must disappear: then the letters are the bar's.
    program.wait_for(lambda: scanout.letters() == 0 or None)
    panel.wait_until_read()
    slip(panel)
    program.wait_for(lambda: scanout.letters() > 100 or None)
    # The loudness and the filmstrip are right of the bar.
    finger, layout, asked = Finger(panel), Layout(right=2), film.frames - 50
    finger.down(layout.of_frame(film.frames // 2, film, film.seconds), layout.y)
    finger.glide(layout.of_frame(asked, film, film.seconds), seconds=1)
    finger.wait()
    wait_for(film, lambda frame: abs(frame - asked) <= 5)
    finger.up()
    wait_for(film, lambda frame: frame > asked + 10)
    wait_for(short, lambda frame: True)
    program.process.send_signal(signal.SIGTERM)
    program.ends(console)


def test_the_kiosk_without_films(embedding, console, tmp_path):
    """It says why, and ends as a program that has failed; a name that is not there may be a film's."""
    (tmp_path / "empty").mkdir()
    program = embedding("Kiosk", "empty")
    assert program.process.wait(60) == 1 and program.lines() == ["empty: there is no film in this folder"], program.said()
    program = embedding("Kiosk", "nowhere")
    # At once, and not when it ends.
    program.wait_for(lambda: any(line.startswith("nowhere: No such file") for line in program.said().splitlines()) or None)
    program.process.send_signal(signal.SIGTERM)
    program.ends(console)


def test_the_tutorial(films, embedding, console, tmp_path):
    """It writes a still image (A9), its film fills the display (S4), its seeks are answered once their frames are shown, its
    wheel scrubs (A6, A7), and it is notified of the end once (A5)."""
    film = films("wide.mp4")
    program = embedding("Tutorial", film)
    program.wait_for_line("there: 00:00:11")
    assert program.lines()[:2] == ["not yet", "22.016 2 tracks"]
    assert (tmp_path / "film.jpg").read_bytes().startswith(b"\xff\xd8"), "no image of the film"
    program.wait_for_line("the next frame")
    program.wait_for_line("to 00:00:20")
    program.wait_for_frame(20 * film.rate, DISPLAY, film, fill(WIDE))
    program.wait_for_line("the end")
    program.ends(console)
    assert program.lines().count("the end") == 1
    assert program.lines().count("to 00:00:20") == 1


def test_gravity_and_rectangle_while_it_plays(films, embedding, console):
    """S3, S4: the layer's rectangle is the display's, for each gravity and for a film of another shape; the film plays
    on."""
    film, other = films("wide.mp4"), films("square-4x3.mp4")
    program = embedding("Stage", film, other)
    at = 0
    for order, rect, whole in (
        ("play film.mp4", fit(WIDE), None), ("gravity stretch", DISPLAY, None), ("gravity fill", DISPLAY, fill(WIDE)),
        ("gravity fit", fit(WIDE), None),
    ):  # fmt: skip
        answer = program.order(order)
        assert is_near(parse_rect(answer), rect), f"{order}: {answer}"
        before, at = at, program.wait_for_frame(at + 5, rect, film, whole)
        assert at < before + 100, f"{order}: it does not go on where it was"
    assert program.order("hide") == "nowhere"
    program.wait_for(lambda: place() is None or None)
    program.order("gravity stretch")
    program.order("show")
    at = program.wait_for_frame(at, DISPLAY, film)
    program.order("gravity fit")
    program.order("play film1.mp4")
    program.wait_for_frame(1, DISPLAY, other)
    program.order("close")
    program.ends(console)
    assert not [line for line in program.lines() if line.startswith("end of")]


def test_a_seek_is_answered_with_its_frame(films, embedding, console):
    """A1: also if the film has to be reopened meanwhile. And a layer that replaces another one shows the player."""
    film = films("wide.mp4")
    program = embedding("Stage", film)
    program.order("play film.mp4")
    program.wait_for_frame(5, fit(WIDE), film)
    assert program.reported("seek-anew 4") == {"sought": "true"}
    at = frame_in(DISPLAY, film, fill(WIDE))
    assert at is not None and 100 <= at < 150
    program.order("another-layer")
    program.wait_for_frame(at + 25, DISPLAY, film, fill(WIDE))
    program.order("close")
    program.ends(console)


def parse_rect(rect: str) -> frames.Rect:
    return frames.Rect(*map(int, re.fullmatch(r"(\d+)x(\d+)\+(\d+)\+(\d+)", rect).group(3, 4, 1, 2)))


def frame_lit(rect: frames.Rect, film, whole: frames.Rect | None = None) -> int | None:
    """As `frame_in`, if the frames may be as large as the display: it has to be black around `rect`, and lit in it."""
    shown = scanout.film()
    if not shown:
        return None
    luma = shown.luma.astype(int)
    left, top, right, bottom = (round(edge) for edge in (rect.x, rect.y, rect.x + rect.width, rect.y + rect.height))
    inside = luma[top + 3 : bottom - 3, left + 3 : right - 3]
    around = luma.copy()
    around[max(top - 3, 0) : bottom + 3, max(left - 3, 0) : right + 3] = 0
    # In the limited range, black is 16.
    if around.max() > 20 or any((edge > 20).mean() < 0.3 for edge in (inside[:4], inside[-4:], inside[:, :4], inside[:, -4:])):
        return None
    try:
        reading = frames.read(shown.luma, whole or rect)
    except frames.NoFrame:
        return None
    assert reading.film == film.number
    return reading.frame


PART = frames.Rect(200, 120, 640, 480)
LOW = frames.Rect(300, 500, 600, 240)


@pytest.mark.parametrize("way", ["planes", "composited"])
def test_films_stand_in_a_part_of_the_display(films, embedding, console, way):
    """A1, S3, S4: each gravity fits them into the frame, which can be replaced while the film plays; around it is
    black. One that reaches beyond the display is cut."""
    film = films("wide.mp4")
    program = embedding("Stage", film, *(["composited"] if way == "composited" else []))
    at = 0
    for order, rect, whole in (
        ("frame 200 120 640 480", None, None), ("play film.mp4", fit(WIDE, PART), None),
        ("gravity stretch", PART, PART), ("gravity fill", PART, fill(WIDE, PART)),
        ("frame 300 500 600 240", LOW, fill(WIDE, LOW)), ("gravity stretch", LOW, LOW), ("gravity fit", fit(WIDE, LOW), None),
        ("frame -100 -100 740 580", fit(WIDE, frames.Rect(0, 0, 640, 480)), None), ("whole", fit(WIDE), None),
    ):  # fmt: skip
        answer = program.order(order)
        if not rect:
            assert answer == "nowhere", "nothing plays yet"
            continue
        assert is_near(parse_rect(answer), rect), f"{order}: {answer}"
        if order == "frame 300 500 600 240":
            # Filled, and wider than the film: the number is cut off.
            continue
        before = at
        at = program.wait_for(lambda: next((now for now in [frame_lit(rect, film, whole)] if now is not None and now > at), None))
        assert at < before + 150, f"{order}: it does not go on where it was"
    # And the frame that stands.
    program.order("rate 0")
    program.wait_for(lambda: program.reported("actual") == {"rate": "0.0"} or None)
    stands = program.wait_for(lambda: frame_lit(fit(WIDE), film))
    program.order("frame 200 120 640 480")
    assert program.wait_for(lambda: frame_lit(fit(WIDE, PART), film)) == stands
    program.order("close")
    program.ends(console)


def test_the_last_frame_counts(films, embedding, console):
    """Set while the film is opened, over and over. One outside of the display hides the film, which plays on."""
    film = films("wide.mp4")
    program = embedding("Stage", film)
    program.order("begin film.mp4")
    for step in range(40):
        program.order(f"frame {step * 4} {step * 2} 640 480")
    at = program.wait_for_frame(0, fit(WIDE, frames.Rect(39 * 4, 39 * 2, 640, 480)), film)
    for hidden in ("frame 0 0 0 0", "frame 1024 0 300 300", "frame 1023 0 300 300"):
        assert program.order(hidden) == "nowhere"
        program.wait_for(lambda: place() is None or None)
        program.order("frame 200 120 640 480")
        at = program.wait_for_frame(at, fit(WIDE, PART), film)
    # Without a player it is kept, and may change.
    for order in ("whole", "frame 200 120 640 480"):
        program.order("hide")
        program.wait_for(lambda: place() is None or None)
        program.order(order)
        program.order("show")
        at = program.wait_for_frame(at, fit(WIDE, PART if order != "whole" else DISPLAY), film)
    program.order("close")
    program.ends(console)


def test_the_very_last_frame_stands_on_a_busy_machine(films, embedding, console):
    """M9, `pause` at the end: the program does not run while it is due."""
    film = films("short.mp4")
    program = embedding("Stage", film)
    program.order("at-end pause")
    program.order("play film.mp4")
    program.wait_for_frame(film.frames - 12, fit(film.aspect), film)
    program.process.send_signal(signal.SIGSTOP)
    time.sleep(1)  # The last frame's time passes.
    program.process.send_signal(signal.SIGCONT)
    program.wait_for_line("end of film.mp4")
    program.wait_for(lambda: frame_in(fit(film.aspect), film) == film.frames - 1 or None)
    program.order("close")
    program.ends(console)
    assert program.lines().count("end of film.mp4") == 1


def test_a_stuck_pipeline_holds_up_no_caller(films, embedding, console):
    """T1: while its threads are stopped calls return, and another pipeline performs them."""
    film = films("360p-key50.mp4")
    program = embedding("Stage", film)
    program.order("play film.mp4")
    program.wait_for_frame(5, fit(film.aspect), film)
    with stuck(program, "multiqueue"):
        for order in ("seek 10", "rate 0", "rate 0.5", "gravity resizeAspect", "rate 1", "actual"):
            began = time.monotonic()
            program.order(order)
            assert time.monotonic() - began < 2, f"{order} waits for the pipeline"
        assert "sought" not in program.said(), "the pipeline answers: this is no test"
        program.wait_for(lambda: "opened anew" in program.said() or None)
    program.wait_for_line("sought: true")
    program.wait_for_frame(10 * 25, fit(film.aspect), film)
    program.order("close")
    program.ends(console)


def test_a_seek_with_tolerances_is_to_a_key_frame(films, embedding, console):
    """M6: to the nearest one between them, once key frames are known (every 10 s); if there is none, to the exact
    frame."""
    film = films("360p-key250.mp4")
    program = embedding("Stage", film)
    program.order("begin film.mp4")
    program.order("rate 0")

    def shown(seconds: float, before: float, behind: float) -> int:
        """The frame on the screen, which contains the time."""
        answer = program.reported(f"seek-near {' '.join(str(round(time * 1000)) for time in (seconds, before, behind))}")
        assert answer["there"] == "true"
        frame = program.wait_for(lambda: frame_in(fit(film.aspect), film))
        assert float(answer["time"]) == pytest.approx(frame / film.rate, abs=0.001)
        return frame

    program.wait_for(lambda: (shown(33.2, 0, 0), shown(12.3, 2.5, 0)) == (830, 250) or None)
    for seconds, before, behind, frame in (
        (27.2, 0, 3, 750), (24.4, 5, 6, 500), (26.2, 9, 9, 750), (33.2, 3, 6, 830), (20, 0, 0, 500), (48.4, 90, 0, 1000),
    ):
        assert shown(seconds, before, behind) == frame, (seconds, before, behind)
    # And it plays on from there.
    program.order("rate 1")
    assert 1000 < program.wait_for_frame(1010, fit(film.aspect), film) < 1100
    program.order("close")
    program.ends(console)


def test_steps_are_answered_with_their_frames(films, embedding, console):
    """A8: some frames on or back from the visible one, over key frames, too, and none beyond the film's first and
    last."""
    film = films("wide.mp4")
    program = embedding("Stage", film)
    program.order("play film.mp4")
    program.wait_for_frame(5, fit(WIDE), film)

    def step(count: int) -> int:
        answer = program.reported(f"step {count}")
        assert answer["stepped"] == "true", count
        return seen(answer)

    def seen(answer: dict[str, str]) -> int:
        frame = program.wait_for(lambda: frame_in(fit(WIDE), film))
        # A seek's target in a frame's middle, as at the film's end, is the film's position then.
        assert frame / film.rate - 0.001 < float(answer["time"]) < (frame + 1) / film.rate
        return frame

    at = step(1)
    for count in (1, 3, 25, -1, -7, 1):
        assert step(count) == at + count, count
        at += count
    for end, beyond in ((0, -1), (30_000, 1)):
        at = seen(program.reported(f"seek-near {end} 0 0"))
        answer = program.reported(f"step {beyond}")
        assert answer["stepped"] == "false" and seen(answer) == at
        assert step(-beyond) == at - beyond
    # And it plays on from there.
    program.order("seek-near 2000 0 0")
    program.order("rate 1")
    program.wait_for_frame(60, fit(WIDE), film)
    program.order("close")
    program.ends(console)


def test_an_end_is_reported_once(films, embedding, console):
    """A5: while the film stands at its start again (M9); and after another playback, once more."""
    film = films("short.mp4")
    program = embedding("Stage", film)
    for count in (1, 2):
        program.order("play film.mp4")
        program.wait_for(lambda: program.lines().count("end of film.mp4") == count or None)
        program.wait_for(lambda: frame_in(fit(film.aspect), film) == 0 or None)
    program.order("close")
    program.ends(console)
    assert program.lines().count("end of film.mp4") == 2


def test_a_queue_without_a_gap(films, embedding, console, witness):
    """A2, of films of different size: the display, looked at from outside all the time, always shows one of them, each in its own
    place, and no seam costs a frame each time. They end in turn."""
    first, second = films("short.mp4"), films("short-4x3.mp4")
    assert (first.frames, first.rate) == (second.frames, second.rate)
    places = {fit(film.aspect): film for film in (first, second)}
    seen = witness(first.rate)
    program = embedding("Stage", first, second, "queue")
    program.order("queue film.mp4 film1.mp4")
    program.wait_for_frame(0, fit(first.aspect), first)

    def ended() -> list[str]:
        return [line for line in program.lines() if line.startswith("end of")]

    end = time.monotonic() + 90
    while len(ended()) < 6:
        assert time.monotonic() < end, program.said()
        seen.look()
        shown = scanout.film()
        assert shown, f"nothing is shown after {ended()}"
        where, film = next((where, film) for where, film in places.items() if is_near(shown.rect, where))
        with contextlib.suppress(frames.NoFrame):
            assert frames.read(shown.luma, where).film == film.number
    reported = ended()
    seen.stop()
    seen.confirms(first.frames, len(reported) + 1, edge=1)
    program.order("close")
    program.ends(console)
    assert reported == [f"end of film{'1' if at % 2 else ''}.mp4" for at in range(len(reported))]


def test_a_loop_of_one_loses_no_frame(films, embedding, console, witness):
    """N6, A5, A13: by the numbers that the display shows, as often as ends are reported."""
    film = films("brief.mp4")
    seen = witness(film.rate)
    program = embedding("Stage", film, "looping")
    program.order("play film.mp4")

    def has_ended() -> bool | None:
        seen.look()
        return program.lines().count("end of film.mp4") >= 20 or None

    program.wait_for(has_ended, timeout=60)
    reported = program.lines().count("end of film.mp4")
    seen.stop()
    seen.confirms(film.frames, reported + 1)
    program.order("close")
    program.ends(console)


def test_each_size_is_reported_once(films, embedding, console):
    """M13: also in mid-stream; and the film is fitted by it (S3)."""
    film, other = films("resized.ts"), films("square-4x3.mp4")
    program = embedding("Stage", film)
    program.order("sizes")
    program.order("at-end pause")
    program.order("play film.mp4")
    program.wait_for_line("end of film.mp4")
    sizes = [line.removeprefix("size: ") for line in program.lines() if line.startswith("size: ")]
    assert sizes == ["none", "640x360", "640x480"]
    program.wait_for(lambda: frame_in(DISPLAY, other) or None)
    assert is_near(parse_rect(program.order("gravity fit")), DISPLAY)
    program.order("close")
    program.ends(console)


def test_a_display_of_another_size(films, embedding, console):
    """S3: the film is fitted into the display's current size, and continues at its position."""
    film = films("wide.mp4")
    program = embedding("Stage", film)
    program.order("play film.mp4")
    at = program.wait_for_frame(5, fit(WIDE), film)
    for mode, area in (("800x600", frames.Rect(0, 0, 800, 600)), ("640x480", frames.Rect(0, 0, 640, 480)), ("1024x768", DISPLAY)):
        assert program.order("hide") == "nowhere"
        program.wait_for(lambda: place() is None or None)
        assert is_near(parse_rect(program.order(f"mode {mode}")), fit(WIDE, area))
        before, at = at, program.wait_for_frame(at, fit(WIDE, area), film)
        assert at < before + 250, "it does not go on where it was"
    program.order("close")
    program.ends(console)


def test_a_refused_rate_is_reported_as_it_plays(films, embedding, console):
    """A8: MPEG-TS does not play backwards. It plays on, reports it, and stands at its start again (M9)."""
    film = films("long.ts")
    program = embedding("Stage", film)
    program.order("play film.mp4")
    program.order("rate -1")
    program.wait_for_frame(10, fit(film.aspect), film)
    assert program.reported("actual") == {"rate": "1.0"}
    program.wait_for_line("end of film.mp4")
    program.wait_for(lambda: frame_in(fit(film.aspect), film) == 0 or None)
    program.order("close")
    program.ends(console)


def test_a_refused_rate_is_reported_as_it_loops(films, embedding, console):
    """A8: as above, and so behind the first pass."""
    film = films("prompt.ts")
    program = embedding("Stage", film, "looping")
    program.order("play film.mp4")
    program.order("rate -1")
    program.wait_for_frame(10, fit(film.aspect), film)
    assert program.reported("actual") == {"rate": "1.0"}
    for count in (1, 2):
        program.wait_for(lambda: program.lines().count("end of film.mp4") >= count or None)
    assert program.reported("actual") == {"rate": "1.0"}
    program.wait_for(lambda: program.lines().count("end of film.mp4") >= 3 or None)
    program.order("close")
    program.ends(console)


def states(program) -> list[str]:
    return [line.removeprefix("state: ") for line in program.lines() if line.startswith("state: ")]


def test_states_and_refusals_are_reported(films, embedding, console, troubles):
    """T5, T3: each state once; one that the pipeline refuses is a message, and after another request the film plays
    on."""
    film = films("360p-key50.mp4")
    program = embedding("Stage", film, environment=troubles.environment)
    program.order("states")
    program.order("play film.mp4")
    expected = ["NULL", "READY", "PAUSED", "PLAYING"]
    program.wait_for(lambda: states(program) == expected or None)
    program.order("rate 0")
    program.wait_for(lambda: states(program) == [*expected, "PAUSED"] or None)
    troubles.begin("refused")
    program.order("rate 1")
    program.wait_for_line("warning: the pipeline refuses the state PLAYING")
    assert program.reported("actual") == {"rate": "0.0"}
    troubles.end("refused")
    program.order("rate 0")
    program.order("rate 1")
    program.wait_for(lambda: states(program) == [*expected, "PAUSED", "PLAYING"] or None)
    program.order("close")
    program.ends(console)
    assert states(program) == [*expected, "PAUSED", "PLAYING", "NULL"]


def test_what_failed_says_so_on_the_screen(films, embedding, serve, console):
    """The messages for the program's own viewers are shown to an embedding one's, too, until there is something else to
    see. The program gets them as well: about a missing file on a server, about a file that is no film, and about no
    file at all, before there was any film."""
    film = films("short.mp4")
    program = embedding("Stage", film)
    program.order("words")
    address = serve().url("missing.mp4")
    for name, words in (
        ("/nowhere/lost.mp4", "lost: This film is not there. Copy it again."),
        (address, "missing: The server does not have this film. Check the address."),
        (films("noise.mp4").path, "noise: This is not a film. Copy it again."),
    ):  # fmt: skip
        program.order(f"begin {name}")
        program.wait_for(lambda: any(line.startswith(f"failed: {words}") for line in program.lines()) or None)
        program.wait_for(lambda: any(line == f"words: {words}" for line in program.lines()) or None)
        program.wait_for(lambda: scanout.letters() > 100 or None)
        assert place() is None
    # They stay for as long as it takes to read them, and no longer.
    program.order("play film.mp4")
    program.wait_for_frame(1, fit(film.aspect), film)
    program.wait_for(lambda: scanout.letters() == 0 or None)
    assert [line for line in program.lines() if line.startswith("words: ")][-1] == "words: none"
    program.order("close")
    program.ends(console)


def test_a_film_that_is_stuck_holds_up_no_display(films, embedding, console, troubles):
    """T1: while another film's pipeline cannot be built, the display is removed and added, and in the end the player is
    closed within its 5 s."""
    film = films("short.mp4")
    program = embedding("Stage", film, environment=troubles.environment)
    program.order("play film.mp4")
    program.wait_for_frame(1, fit(film.aspect), film)

    def begin_stuck() -> None:
        troubles.begin("stuck")
        program.order("begin film.mp4")
        program.wait_for(lambda: troubles.has("waits") or None)

    begin_stuck()
    program.order("hide")
    # The earlier frame waited for the next film's.
    program.wait_for(lambda: place() is None or None)
    assert "GStreamer is stuck with a film" in program.said()
    program.order("show")
    troubles.end("stuck")
    program.order("play film.mp4")
    program.wait_for_frame(1, fit(film.aspect), film)
    troubles.end("waits")
    begin_stuck()
    program.order("hide")
    program.order("show")
    began = time.monotonic()
    program.order("close")
    assert time.monotonic() - began < 8
    troubles.end("stuck")
    program.ends(console)


def bufferings(program) -> list[str]:
    """The reported values, the newest last."""
    return [line.removeprefix("buffering: ") for line in program.lines() if line.startswith("buffering: ")]


@pytest.mark.parametrize("way", ["slow", "gone"])
def test_buffering_is_reported(films, embedding, proxy, way):
    """M10: the reason why a film waits, and that it continues, each change once; a server that is gone counts as
    nothing loaded."""
    program = embedding("Stage")
    film = films(FILM)
    rate = bytes_a_second(film)
    proxy.limit(rate * 2)
    program.order("watch")
    program.order("words")
    program.order(f"play {proxy.url(FILM)}")
    program.wait_for_frame(50, fit(film.aspect), film)
    program.wait_for(lambda: bufferings(program)[-1:] == ["done"] or None)
    known = len(bufferings(program))
    proxy.limit(rate / 2) if way == "slow" else proxy.leave()
    program.wait_for(lambda: bufferings(program)[known:][-1:] not in ([], ["done"]) or None, timeout=60)
    if way == "gone":
        program.wait_for(lambda: "tried again in" in program.said() or None, timeout=60)
        program.wait_for(lambda: "0" in bufferings(program)[known:] or None, timeout=60)
        proxy.come_back()
    proxy.limit(None)
    program.wait_for(lambda: bufferings(program)[-1] == "done" or None, timeout=60)
    reported = bufferings(program)
    assert all(one != other for one, other in zip(reported, reported[1:])), reported
    # The viewer reads it, and so may the program.
    def words() -> list[str]:
        return [line for line in program.lines() if line.startswith("words: ")]

    assert any(re.fullmatch(r"words: Buffering \d+%", line) for line in words()), words()
    program.wait_for(lambda: words()[-1] == "words: none" or None)


def test_what_is_loaded_over_a_network(films, embedding, proxy):
    """A1: from the film's position, and no further than its server has sent; further once that sends more."""
    film = films(FILM)
    program = embedding("Stage")
    proxy.limit(bytes_a_second(film) * 1.5)
    began = time.monotonic()
    program.order(f"play {proxy.url(FILM)}")

    def loaded() -> tuple[float, float, float]:
        return tuple(map(float, program.reported("loaded")["loaded"].split()))

    # Data in socket buffers is sent, too, and no second has the same bytes as another.
    start, at, end = program.wait_for(lambda: next((part for part in [loaded()] if part[1] > 2), None))
    assert start == pytest.approx(at, abs=1) and at - 0.5 <= end <= (time.monotonic() - began) * 1.5 + 5
    proxy.limit(None)
    program.wait_for(lambda: loaded()[2] > end + 15 or None)


def test_asset_and_item_agree(films, embedding, serve, tmp_path):
    """M4, M11: whether it is live, and whether it is seekable."""
    folder = tmp_path / "live"
    folder.mkdir()
    encoder = servers.LiveEncoder(films("silent.mp4").path, folder)
    program = embedding("Stage")
    try:
        for address, words in (
            (serve(folder).url("live.m3u8"), "live true, seekable false, no end"),
            (serve().url("silent.mp4"), "live false, seekable true, 00:00:20 end"),
            (serve(ranges=False).url("silent.mp4"), "live false, seekable false, 00:00:20 end"),
        ):
            program.order(f"play {address}")
            assert program.reported(f"look {address}") == {"asset": words, "item": words}
    finally:
        encoder.stop()


@pytest.mark.parametrize("moment", ["playing", "opening", "seeking", "fitted anew"])
def test_what_it_had_it_lets_go_of(films, embedding, console, moment):
    """While the program runs on, whenever the player is closed (T8): it keeps only Dispatch's files, and no more of the
    display's memory than before. The display shows the console."""
    film = films("wide.mp4")
    program = embedding("Stage", film)
    program.order("hide")
    before, memory = program.opened(), handles.count(program.process.pid)
    program.order("show")
    if moment == "opening":
        program.order("begin film.mp4")
    else:
        program.order("play film.mp4")
        program.wait_for_frame(1, fit(WIDE), film)
        assert {film.path, "/dev/snd/pcmC0D0p"} <= program.opened()
        assert handles.count(program.process.pid) > memory
    if moment == "seeking":
        program.order("seek 15")
    elif moment == "fitted anew":
        program.order("gravity fill")
    program.order("close")
    assert handles.count(program.process.pid) <= memory
    assert console.is_shown(), console.planes()
    # GStreamer's first scan of its plugins' folder and of the one in it, which delays and ends no film, and glibc's of
    # its tables of character sets.
    known = "anon_inode:|.*/gstreamer-1.0(/include)?$|.*/gconv-modules.cache$"
    assert not {name for name in program.opened() - before if not re.match(known, name)}
    program.ends(console)


def test_sounds_subtitles_and_loudness(films, embedding, recorder, console):
    """A11, A14: an item's tracks are chosen while it plays and while it is paused, and are heard, and seen on the bar's plane."""
    film = films("tracks.mkv")
    program = embedding("Stage", film, "looping", environment=recorder.environment)
    program.order("play film.mp4")
    recorder.wait_for_pitch(330)
    program.order("choose audible 2")
    recorder.wait_for_pitch(550)
    program.order("volume 0")
    recorder.wait_for_pitch(None)
    program.order("volume 100")
    recorder.wait_for_pitch(550)
    program.order("choose audible off")
    recorder.wait_for_pitch(None)
    program.order("rate 0")
    program.wait_for(lambda: program.reported("actual") == {"rate": "0.0"} or None)
    # Each second has a text except in its last moments.
    assert program.reported("seek-near 5500 0 0")["there"] == "true" and scanout.letters() == 0
    program.order("choose legible 0")
    program.wait_for(lambda: scanout.letters() > 100 or None)
    program.order("choose legible off")
    program.wait_for(lambda: scanout.letters() == 0 or None)
    program.order("close")
    program.ends(console)


def test_the_test_picture_of_a_library_s_player(embedding, recorder, console):
    """S1: its seven bars, the brightest first, and its tone."""
    program = embedding("Stage", environment=recorder.environment)
    program.order("play testsrc:")

    # The effect has it in RGB.
    def is_there() -> bool:
        seen = scanout.brightness([(int((number + 0.5) * 1024 / 7), 200) for number in range(7)])
        return len(set(seen)) == 7 and seen == sorted(seen, reverse=True)

    program.wait_for(lambda: is_there() or None)
    recorder.wait_for_pitch(440)
    program.order("close")
    program.ends(console)


@pytest.mark.parametrize("way", ["planes", "composited"])
def test_nothing_of_gstreamer_s_is_left_of_a_player(films, embedding, console, gst_log, way):
    """GStreamer's own tracer of leaks, asked after an embedding program has closed its player: films, seeks, steps,
    rates, tracks, another gravity, a failure (T8)."""
    film, other = films("tracks.mkv"), films("short.mp4")
    program = embedding(
        "Stage", film, other, *(["composited"] if way == "composited" else []),
        environment=LEAKS | gst_log.environment("GST_TRACER:7"))  # fmt: skip
    program.order("play film.mp4")
    program.wait_for(lambda: place() or None)
    for order in ("seek 8", "choose audible 1", "choose legible 0", "rate 2", "rate -1", "rate 1", "gravity fill", "step 1"):
        program.order(order)
        program.wait_for(lambda: place() or None)
    program.order("words")
    program.order("begin /nowhere/lost.mp4")
    program.wait_for(lambda: "failed: " in program.said() or None)
    program.order("play film1.mp4")
    program.wait_for(lambda: place() or None)
    program.order("close")
    program.ends(console)
    gst_log.nothing_left()
