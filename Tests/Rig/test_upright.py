"""Films with an orientation tag, as phones record them (S3, S4, M13)."""

import pytest

import frames
from test_commands import output
from test_preload import seen, until_near_end, until_open
from thorough import also
from turned import Turn

STRAIGHT = Turn(0, False)


def reported_size(program) -> list[int]:
    return [program.ipc.get("width"), program.ipc.get("height")]


def frame(program, film, turn: Turn, screen: Turn = STRAIGHT) -> int:
    """The film's own frame: the screen's turn is undone first."""
    return program.frame(film, turn.upright(screen.upright(program.screenshot())))


@pytest.mark.parametrize("options", [[], ["--osd", "composited"]], ids=["planes", "composited"])
def test_a_phone_s_film_is_upright(play, films, options):
    """Its frames are on their side in the file."""
    film = films("phone.mp4")
    program = play(film, "--paused", *options)
    assert program.frame(film) == 0
    assert reported_size(program) == [640, 360]


@pytest.mark.parametrize("degrees, size", [(270, [360, 640]), *also((90, [360, 640]), (180, [640, 360]))])
def test_a_film_is_turned_as_it_says(play, films, degrees, size):
    """Clockwise, and its size is reported as it is seen (M13)."""
    film = films(f"rotated-{degrees}.mp4")
    program = play(film, "--paused", "--start", "1")
    assert frame(program, film, Turn(degrees, False)) == 25
    assert reported_size(program) == size


# By Exif's number: mirrored, then turned clockwise.
PHOTOGRAPHS = [Turn(0, False), Turn(0, True), Turn(180, False), Turn(180, True), Turn(270, True), Turn(90, False), Turn(90, True),
               Turn(270, False)]


@pytest.mark.parametrize("number", [6, 7, *also(1, 2, 3, 4, 5, 8)])
def test_a_photograph_is_upright(play, films, number):
    film, turn = films(f"turned-{number}.jpg"), PHOTOGRAPHS[number - 1]
    program = play(film)
    assert frame(program, film, turn) == 0
    assert reported_size(program) == ([360, 640] if turn.swaps else [640, 360])


@pytest.mark.parametrize("by", ["plane", *also("pipeline")])
@pytest.mark.parametrize("screen", [Turn(90, False), Turn(270, True)], ids=str)
def test_film_and_screen_turn_each_for_itself(play, films, screen: Turn, by: str):
    film = films("rotated-90.mp4")
    program = play(film, "--paused", *screen.arguments, "--rotate-by", by)
    assert frame(program, film, Turn(90, False), screen) == 0
    assert reported_size(program) == [360, 640]


@pytest.mark.parametrize("gravity", ["fill", "stretch"])
def test_fill_and_stretch_take_the_turned_shape(play, films, gravity):
    """S4: a high film on a wide display."""
    film = films("rotated-90.mp4")
    program = play(film, "--paused", "--gravity", gravity)
    picture = Turn(90, False).upright(program.screenshot(f"upright-{gravity}"))
    height, width = picture.shape[:2]
    assert (width, height) == (768, 1024)
    lit = picture.max(axis=2) > 0
    # The film's marks are black, too, except for its edges and its lower part.
    edges = [lit[:20], lit[-20:], lit[250:, :20], lit[250:, -20:]]
    assert all(edge.mean() > 0.97 for edge in edges), "there is black beside the film"
    if gravity == "stretch":
        assert frames.read(picture, frames.Rect(0, 0, width, height)).film == film.number


def test_in_a_playlist_each_film_has_its_own_turn(play, films):
    """One after another by a client, and preloaded."""
    straight, turned, last = films("silent.mp4"), films("rotated-90.mp4"), films("short-4x3.mp4")
    program = play(straight, turned, last)
    until_near_end(program, straight)
    until_open(program, turned)
    seen(program, turned)
    program.ipc.set("pause", True)
    assert frame(program, turned, Turn(90, False)) < turned.frames
    assert reported_size(program) == [360, 640]
    program.ipc.command("playlist-next")
    program.ipc.wait_for("width", lambda width: width == 640)
    assert program.frame(last) == 0
    program.ipc.command("playlist-prev")
    program.ipc.wait_for("width", lambda width: width == 360)
    assert frame(program, turned, Turn(90, False)) == 0


def test_a_film_in_a_format_that_cannot_be_turned_is_converted(play, films):
    film, screen = films("422.mp4"), Turn(180, False)
    program = play(film, "--paused", *screen.arguments, "--rotate-by", "pipeline")
    assert program.frame(film, screen.upright(program.screenshot())) == 0


def test_inspect_prints_how_a_film_is_turned(play, films):
    text = output(play.run("inspect", films("rotated-270.mp4").path))
    assert "640x360" in text and "turned by 270 degrees" in text, text
    assert "turned" not in output(play.run("inspect", films("short.mp4").path))
