"""Chapters: mpv's properties, jumps, marks on the bar."""

import numpy
import pytest

from bar import Layout, hold_bar, wait_for_frame, wait_for_thumb
from derived import CHAPTERS
from ipc import IPCError


@pytest.fixture(params=["chapters.mkv", "chapters.mp4"])
def chaptered(request, play, films):
    film = films(request.param)
    program = play(film, "--paused")
    program.ipc.wait_for("chapters", lambda count: count == len(CHAPTERS))
    return film, program


def test_chapters_are_listed(chaptered):
    _, program = chaptered
    assert program.ipc.get("chapter-list") == [
        {"time": pytest.approx(start), "title": title} for start, title in CHAPTERS
    ]
    assert program.ipc.get("chapter-list/count") == len(CHAPTERS)
    assert program.ipc.get("chapter-list/1/title") == "The middle"
    assert program.ipc.get("chapter") == 0


def test_a_chapter_is_jumped_to(chaptered):
    film, program = chaptered

    def shows(number: int) -> None:
        wait_for_frame(program, film, film.frame_at(CHAPTERS[number][0]))
        assert program.ipc.get("chapter") == number

    program.ipc.set("chapter", 2)
    shows(2)
    program.ipc.command("add", "chapter", -1)
    shows(1)
    program.ipc.command("add", "chapter", 1)
    shows(2)
    # From far into a chapter, back to its own start.
    program.ipc.command("seek", 18, "absolute+exact")
    wait_for_frame(program, film, film.frame_at(18))
    program.ipc.command("add", "chapter", -1)
    shows(2)
    # Behind the last one there is no film.
    with pytest.raises(IPCError):
        program.ipc.command("add", "chapter", 1)
    program.ipc.set("chapter", 0)
    shows(0)
    program.ipc.command("add", "chapter", -1)
    shows(0)


def test_behind_the_last_chapter_comes_the_next_film(play, films):
    program = play(films("chapters.mkv"), films("square-4x3.mp4"), "--paused")
    program.ipc.wait_for("chapters", lambda count: count == len(CHAPTERS))
    program.ipc.set("chapter", len(CHAPTERS))
    program.ipc.wait_for("path", lambda path: path == films("square-4x3.mp4").path)
    program.ipc.wait_for("chapters", lambda count: count == 0)
    with pytest.raises(IPCError):
        program.ipc.get("chapter")
    with pytest.raises(IPCError):
        program.ipc.command("add", "chapter", 1)


def test_marks_stand_on_the_bar(chaptered, panel):
    """The track has gaps at the starts of chapters, and none at its own start."""
    film, program = chaptered
    panel.wait_until_read()
    finger = hold_bar(program, panel)
    layout = Layout()
    wait_for_thumb(program, layout.left, near=2)
    # The track's middle row, right of the thumb: it has one colour except for the marks.
    first = layout.left + 2 * layout.radius
    row = program.screenshot()[layout.centre].astype(int).sum(axis=1)[first : layout.left + layout.length]
    dark = numpy.flatnonzero(row < numpy.median(row) - 40) + first - layout.left
    finger.up()
    duration = program.ipc.get("duration")
    wanted = [start / duration * layout.length for start, _ in CHAPTERS[1:]]
    assert dark.size, "no marks"
    for place in dark:
        assert min(abs(place + 0.5 - mark) for mark in wanted) < 3, (dark, wanted)
    for mark in wanted:
        assert numpy.abs(dark + 0.5 - mark).min() < 1.5, (dark, wanted)


@pytest.mark.parametrize("name", ["chapters.mkv", "chapters.mp4"])
def test_inspect_lists_chapters(play, films, name):
    program = play.run("inspect", films(name).path)
    assert program.wait_until_ended(30) == 0
    lines = program.log().splitlines()
    [first] = [number for number, line in enumerate(lines) if line.startswith("  chapters   00:00:00 Opening")]
    assert lines[first + 1].split(maxsplit=1) == ["00:00:05", "The middle"]
    assert lines[first + 2].split(maxsplit=1) == ["00:00:12", "Schluß"]
