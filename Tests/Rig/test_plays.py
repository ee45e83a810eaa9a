"""A film on the display: it moves, has the right shape, starts, loops, continues and ends as requested (S2, S3, M2,
M9)."""

import time

import numpy
import pytest

import frames
from bar import Layout, hold_bar, reported_frame, show_bar, slip, thumb, wait_for_frame, wait_for_thumb
from thorough import also


def test_frames_rise_while_it_plays(play, films):
    """S2: frames reach the screen in order, and all over the film's rectangle."""
    film = films("360p-key50.mp4")
    program = play(film)
    seen = []
    # Half a second of film after the frame before: a screenshot occupies the rig's one processor.
    for _ in range(4):
        after = (seen[-1] / film.rate if seen else 0) + 0.5
        program.ipc.wait_for("time-pos", lambda time: time is not None and time >= after)
        # A busy machine shows a newer frame later.
        seen.append(next(frame for frame in iter(lambda: program.frame(film), None) if not seen or frame != seen[-1]))
    assert all(earlier < later for earlier, later in zip(seen, seen[1:])), seen
    assert seen[-1] < film.frames, seen


def test_frames_stand_while_it_is_paused(play, films):
    film = films("360p-key50.mp4")
    program = play(film, "--paused")
    assert program.ipc.get("pause") is True
    assert program.frame(film) == 0
    shown = program.ipc.get("vitrine/frames-shown")
    time.sleep(0.5)  # Nothing is what must happen.
    assert program.frame(film) == 0
    assert program.ipc.get("vitrine/frames-shown") == shown


@pytest.mark.parametrize(
    "name", ["square-4x3.mp4", "pal-16x9.mp4", "720p-key50.mp4", *also("360p-key50.mp4", "pal-4x3.mp4", "vp9-opus.webm")]
)
def test_the_film_has_its_own_shape(play, films, name):
    """S3: the largest rectangle of the film's shape, pixel aspect ratio counted, between black bars."""
    film = films(name)
    program = play(film, "--paused")
    picture = program.screenshot()
    expected = frames.fit((1024, 768), film.aspect)
    found = frames.bounds(picture)
    # Subsampled formats and scalers need even numbers.
    for edge, other in zip(found, expected):
        assert abs(edge - other) <= 2, f"the film is at {tuple(found)}, not {tuple(expected)}"
    assert frames.read(picture, expected) == (0, film.number)
    above = picture[: max(0, int(expected.y) - 2)]
    assert not above.any(), f"the bar above the film is not black: {above.max()}"


@pytest.mark.parametrize("mode", ["800x600", "1280x720", "1920x1080"])
def test_the_film_fills_another_mode(play, films, mode):
    """S3, S2: `--mode` sets the mode, and the film fits it."""
    film = films("360p-key50.mp4")
    program = play(film, "--paused", "--mode", mode)
    picture = program.screenshot()
    assert f"{picture.shape[1]}x{picture.shape[0]}" == mode
    assert program.frame(film, picture) == 0
    assert [program.ipc.get("osd-width"), program.ipc.get("osd-height")] == [int(side) for side in mode.split("x")]


def test_a_wrong_frame_is_refused(play, films):
    """The readers of this suite can fail: a film is not mistaken for another, nor one frame for the next, nor one shape
    for another, and the film's frame is that in its file."""
    film, other = films("360p-key50.mp4"), films("360p-key10.mp4")
    program = play(film, "--paused", "--start", "10.02")
    picture = program.screenshot()
    assert program.frame(film, picture) == 250
    with pytest.raises(AssertionError, match="shows film"):
        program.frame(other, picture)
    with pytest.raises(frames.NoFrame):
        frames.read(picture, frames.fit((1024, 768), 4 / 3))

    def difference(reference: numpy.ndarray) -> float:
        rect = frames.fit((1024, 768), film.aspect)
        top, bottom = int(rect.y), int(rect.y + rect.height)
        return float(abs(picture[top:bottom].astype(int) - reference[top:bottom]).mean())

    # The same picture is accepted; the neighbour's, and one with red and blue exchanged, are not.
    program.ipc.command("seek", 20, "absolute+exact")
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    wrong = program.screenshot()
    program.ipc.command("seek", 10.02, "absolute+exact")
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    again = program.screenshot()
    assert difference(again) < 1
    assert difference(wrong) > 10
    assert difference(again[:, :, ::-1]) > 10


def test_ten_bits_a_colour(play, films):
    """A film of 10 bits is shown on planes of 8."""
    film = films("high10.mp4")
    program = play(film, "--paused", "--start", "2.02")
    assert program.frame(film) == 50


def test_colours_do_not_depend_on_the_display_s_size(play, films):
    """The plane gets the film's matrix, however large the scaler makes the frames."""
    film = films("360p-key50.mp4")
    means = []
    for mode in ("1024x768", "1920x1080"):
        program = play(film, "--paused", "--start", "10.02", "--mode", mode)
        picture = program.screenshot()
        rect = frames.fit((picture.shape[1], picture.shape[0]), film.aspect)
        top, left = int(rect.y), int(rect.x)
        means.append(picture[top : top + int(rect.height), left : left + int(rect.width)].mean(axis=(0, 1)))
        program.stop()
    assert means[1] == pytest.approx(means[0], abs=1)


@pytest.mark.parametrize("start, frame", [("12.5", 312), ("00:00:30", 750), ("0:59.98", 1499), ("1:30:00", 1499)])
def test_it_starts_where_asked(play, films, start, frame):
    """`--start`: the first frame is the requested one (M6), or the last if the time is behind it."""
    film = films("360p-key250.mp4")
    program = play(film, "--paused", "--start", start)
    assert program.frame(film) == frame
    assert program.ipc.get("vitrine/frames-shown") == 1, "another frame was seen before"


def test_a_loop_begins_again(play, films):
    """M9, policy loop: the last frames are followed by the first ones, again and again, and it never pauses."""
    film = films("short.mp4")
    program = play(film, "--loop")
    wraps, last, seen = 0, -1, []
    end = time.monotonic() + 60
    while wraps < 2:
        assert time.monotonic() < end, f"frames {seen} in 60 s: the film did not begin again twice"
        frame = reported_frame(program, film)
        if frame is None or frame == last:
            continue
        seen.append(frame)
        wraps += frame < last
        last = frame
    shown = program.frame(film)
    assert 0 <= shown < film.frames
    assert program.ipc.get("pause") is False
    assert max(seen) > film.frames / 2


def test_a_playlist_goes_on_to_the_next_film(play, films):
    """Films one after another; the end of the last one is the playlist's."""
    first, second = films("short.mp4"), films("silent.mp4")
    program = play(first, second, "--paused")
    assert program.ipc.get("playlist-count") == 2
    assert program.reading(first).film == first.number
    program.ipc.command("set_property", "pause", False)
    program.ipc.wait_for("path", lambda path: path == second.path)
    program.ipc.wait_for("time-pos", lambda time: time is not None and time > 0.5)
    assert program.reading(second).film == second.number
    assert program.ipc.get("playlist-pos") == 1
    assert program.ipc.get("pause") is False


def test_a_film_that_cannot_be_played_is_passed_over(play, films):
    film = films("silent.mp4")
    program = play(films("text.mp4"), film)
    program.ipc.wait_for("path", lambda path: path == film.path)
    program.ipc.wait_for("time-pos", lambda time: time is not None and time > 0.2)
    assert program.reading(film).film == film.number
    assert "text.mp4" in program.log()


def test_at_its_end_it_goes_back_to_the_start_and_pauses(play, films, panel):
    """M9, policy pause: first frame, paused, thumb at 0."""
    film = films("short.mp4")
    program = play(film)
    panel.wait_until_read()
    program.ipc.wait_for("pause")
    wait_for_frame(program, film, 0)
    assert program.ipc.get("time-pos") == pytest.approx(0, abs=1 / film.rate)
    assert program.ipc.get("vitrine/thumb") == pytest.approx(0, abs=0.01)
    finger = hold_bar(program, panel)
    wait_for_thumb(program, Layout().left, near=2)
    finger.up()
    # It plays again when asked, from the start.
    program.ipc.set("pause", False)
    program.ipc.wait_for("time-pos", lambda time: time is not None and 0.3 < time < 1.5)


def test_the_bar_comes_with_a_touch_and_goes_after_three_seconds(play, films, panel):
    """B3: hidden at first; visible at a touch; hidden 3 s after the last one; its plane is off then."""
    film = films("silent.mp4")
    program = play(film)
    panel.wait_until_read()
    assert program.ipc.get("vitrine/osd-visible") is False
    assert thumb(program.screenshot()) is None
    finger = hold_bar(program, panel)
    wait_for_thumb(program, 0, near=1024)
    finger.up()
    panel.tap(0.3, Layout().y)  # A touch on the bar; the three seconds begin anew.
    lifted = time.monotonic()
    program.ipc.wait_for("vitrine/osd-visible", lambda visible: visible is False)
    assert 2.8 <= time.monotonic() - lifted <= 6, "the bar stays 3 s"
    end = time.monotonic() + 10
    while thumb(program.screenshot()) is not None:
        assert time.monotonic() < end, "the bar is said to be hidden, and is on the screen"


def test_a_tap_on_the_film_hides_the_bar(play, films, panel):
    program = play(films("silent.mp4"))
    panel.wait_until_read()
    panel.tap(0.5, 0.4)
    program.ipc.wait_for("vitrine/osd-visible")
    panel.tap(0.5, 0.4)
    program.ipc.wait_for("vitrine/osd-visible", lambda visible: visible is False, timeout=2.5)


@pytest.mark.parametrize("place", [0.4, Layout().y], ids=["on the film", "on the bar"])
def test_the_bar_never_goes_while_a_finger_is_down(play, films, panel, place):
    """B3: a finger that rests for longer than the 3 s keeps the bar."""
    program = play(films("silent.mp4"), "--paused")
    panel.wait_until_read()
    show_bar(program, panel)
    panel.down(0.5, place)
    panel.frame()
    with pytest.raises(TimeoutError):
        program.ipc.wait_for("vitrine/osd-visible", lambda visible: visible is False, timeout=3.6)
    assert program.ipc.get("vitrine/osd-visible") is True
    assert thumb(program.screenshot()) is not None
    panel.up()
    panel.frame()
    program.ipc.wait_for("vitrine/osd-visible", lambda visible: visible is False)


def at_rest(program, timeout: float = 20) -> numpy.ndarray:
    """The display once nothing changes any more: a plane may get a film's colours, or the console be removed, with a
    flip after that of the first frame."""
    end, picture = time.monotonic() + timeout, program.screenshot()
    while not numpy.array_equal(before := picture, picture := program.screenshot()):
        assert time.monotonic() < end, "the display does not come to rest"
    return before


def test_without_osd_a_touch_shows_nothing(play, films, panel):
    """`--osd off`: the plane is never used."""
    film = films("silent.mp4")
    program = play(film, "--osd", "off", "--paused")
    panel.wait_until_read()
    before = at_rest(program)
    shown = program.ipc.get("vitrine/frames-shown")
    slip(panel)
    # Nor is there a bar that could be dragged while hidden.
    touched = time.monotonic_ns()
    panel.drag(Layout().x(0.3), Layout().y, Layout().x(0.7), Layout().y, seconds=0.2)
    # Its lift.
    program.ipc.wait_for_counter("vitrine/last-touch", lambda last: last > touched + 200_000_000)
    assert program.ipc.get("vitrine/seeks-asked") == 0
    assert program.ipc.get("vitrine/osd-visible") is False
    assert program.ipc.get("vitrine/osd-updates") == 0
    after = program.screenshot()
    differs = numpy.argwhere((after != before).any(axis=2))
    assert program.ipc.get("vitrine/frames-shown") == shown, "the film itself went on"
    most = numpy.abs(after.astype(int) - before).max(axis=(0, 1))
    assert not differs.size, f"{len(differs)} pixels from {differs.min(axis=0)} to {differs.max(axis=0)}, by up to {most}"

