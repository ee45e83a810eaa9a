"""A picture and a tone without any film (S1)."""

import numpy
import pytest

from ipc import IPCError


def edge(picture: numpy.ndarray) -> tuple[int, ...]:
    """The start of the second bar, yellow after grey, on lines all over the bars' height."""
    return tuple(int(numpy.argmax(picture[y, 60:, 2] < 100)) for y in range(110, 480, 10))


def test_the_test_picture(play, films):
    program = play("testsrc:")
    picture = program.screenshot("testsrc")
    # The upper part of seven bars, in their order: grey, yellow, cyan, green, magenta, red, blue.
    colours = [picture[200, int((number + 0.5) * 1024 / 7)].astype(int) for number in range(7)]
    on = [(int(red > 100), int(green > 100), int(blue > 100)) for red, green, blue in colours]
    assert on == [(1, 1, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1)]
    # The effect: edges wave, differently from frame to frame.
    waves = {edge(picture), edge(program.screenshot()), edge(program.screenshot())}
    assert len(waves) > 1 and any(max(wave) - min(wave) > 2 for wave in waves), waves
    assert program.ipc.get("media-title") == "Test picture"
    shown = program.ipc.get("vitrine/frames-shown")
    program.ipc.wait_for_counter("vitrine/frames-shown", lambda now: now > shown + 50)
    film = films("silent.mp4")
    program.ipc.command("loadfile", film.path)
    program.ipc.wait_for("filename", lambda name: name == "silent.mp4")
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.2)
    assert program.reading(film).film == film.number


def test_the_tone(play, recorder):
    """The test picture's own, and none when muted."""
    program = play("testsrc:", environment=recorder.environment)
    recorder.wait_for_pitch(440)
    recorder.expect_pitch(440)
    program.ipc.set("mute", True)
    recorder.wait_for_pitch(None)


@pytest.fixture(params=["folder", "list"])
def empty(request, tmp_path):
    """Its path, and its message."""
    if request.param == "list":
        path = tmp_path / "films.m3u"
        path.write_text("#EXTM3U\n")
    else:
        path = tmp_path / "films"
        path.mkdir()
    return str(path), f"there is no film in this {request.param}"


def shows_bars(program) -> None:
    program.ipc.wait_for("path", lambda path: path == "testsrc:")
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.2)
    assert numpy.unique((program.screenshot()[200] > 100).astype(int), axis=0).shape[0] >= 7


def test_where_no_film_is_the_test_picture_is_shown(play, empty):
    """An empty folder, an empty list, on the command line."""
    path, words = empty
    program = play(path)
    shows_bars(program)
    assert words in program.log()


@pytest.mark.parametrize("command", ["loadfile", "loadlist"])
def test_a_client_s_list_without_a_film_shows_the_test_picture(play, films, empty, command):
    """In place of the current film. An empty list to append, and an unreadable one, are refused."""
    path, words = empty
    film = films("silent.mp4")
    program = play(film)
    for refused in ((path, "append"), (path + "/nothing.m3u",)):
        with pytest.raises(IPCError, match="loading failed"):
            program.ipc.command(command, *refused)
    assert program.ipc.get("path") == film.path and program.ipc.get("playlist-count") == 1
    program.ipc.command(command, path)
    shows_bars(program)
    assert program.ipc.get("playlist-count") == 1
    assert program.log().count(words) == 2, program.log()


def test_a_kiosk_says_what_it_waits_for_instead(play, films, empty, tmp_path):
    """And plays its own films as soon as it has found them."""
    film = films("silent.mp4")
    settings = tmp_path / "vitrine.toml"
    settings.write_text(f'films = ["{film.path}"]\n')
    program = play("--settings", settings)
    program.ipc.wait_for("path", lambda path: path == film.path)
    program.ipc.command("loadlist", empty[0])
    program.ipc.wait_for("vitrine/message", lambda text: text is not None and text.startswith("No film found."))
    assert program.ipc.get("playlist-count") == 0
    program.ipc.wait_for("path", lambda path: path == film.path)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.2)
    assert program.reading(film).film == film.number


def test_without_a_card(play):
    """Without a card for the tone the picture is shown nevertheless."""
    program = play("testsrc:", environment={"ALSA_CONFIG_PATH": "/nonexistent"})
    shown = program.ipc.get("vitrine/frames-shown")
    program.ipc.wait_for_counter("vitrine/frames-shown", lambda now: now > shown + 50)
    assert program.log().count("no sound") == 1, program.log()
