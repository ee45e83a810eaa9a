"""A picture and a tone without any film (S1)."""

import numpy
import pytest


def test_the_test_picture(play, films):
    program = play("testsrc:")
    picture = program.screenshot("testsrc")
    # The upper part of seven bars, in their order: grey, yellow, cyan, green, magenta, red, blue.
    colours = [picture[200, int((number + 0.5) * 1024 / 7)].astype(int) for number in range(7)]
    on = [(int(red > 100), int(green > 100), int(blue > 100)) for red, green, blue in colours]
    assert on == [(1, 1, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1)]
    assert program.ipc.get("media-title") == "Test picture"
    shown = program.ipc.get("vitrine/pictures-shown")
    program.ipc.wait_for_counter("vitrine/pictures-shown", lambda now: now > shown + 50)
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


@pytest.mark.parametrize("name, words", [("films", "there is no film in this folder"), ("films.m3u", "there is no film in this list")])
def test_where_no_film_is_the_test_picture_is_shown(play, tmp_path, name, words):
    """An empty folder, an empty list."""
    path = tmp_path / name
    if path.suffix:
        path.write_text("#EXTM3U\n")
    else:
        path.mkdir()
    program = play(str(path))
    assert program.ipc.get("path") == "testsrc:"
    assert numpy.any(program.screenshot())
    assert words in program.log()


def test_without_sound(play):
    """No card to hear the tone with is no reason not to see the picture."""
    program = play("testsrc:", "--mute")
    shown = program.ipc.get("vitrine/pictures-shown")
    program.ipc.wait_for_counter("vitrine/pictures-shown", lambda now: now > shown + 50)
