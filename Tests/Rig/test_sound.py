"""Sound goes to ALSA's default card, and never stands in the film's way."""

import os
import pathlib
import threading

import pytest

UNBIND = pathlib.Path("/sys/bus/platform/drivers/snd_dummy")


def playing_streams() -> list[str]:
    """What the kernel says of ALSA's playback streams that run."""
    states = pathlib.Path("/proc/asound").glob("card0/pcm*p/sub*/status")
    return [state for state in (path.read_text() for path in states) if "state: RUNNING" in state]


def plays_on(program, film, seconds: float) -> None:
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > seconds)
    assert program.reading(film).film == film.number


def test_the_card_runs_while_the_film_plays_and_rests_while_it_is_paused(play, films):
    film = films("360p-key50.mp4")
    program = play(film)
    plays_on(program, film, 0.5)
    assert len(playing_streams()) == 1
    program.ipc.set("pause", True)
    program.ipc.wait_for("core-idle")
    assert not playing_streams(), "paused is silent"
    assert "no sound" not in program.log()


def test_mute(play, films):
    film = films("360p-key50.mp4")
    program = play(film, "--mute")
    plays_on(program, film, 0.5)
    assert not playing_streams()
    assert program.log() == "", "asked for, so not told"


def test_without_a_card_it_plays_on_and_says_so_once(play, films):
    """Also when the film begins again and again."""
    film = films("short.mp4")
    program = play(film, "--loop", environment={"ALSA_CONFIG_PATH": "/nonexistent"})
    plays_on(program, film, 1.5)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now < 1)
    program.ipc.command("loadfile", films("square-4x3.mp4").path)
    plays_on(program, films("square-4x3.mp4"), 0.3)
    assert program.log().count("no sound") == 1, program.log()
    assert not playing_streams()


def test_with_a_busy_card_it_plays_on_and_says_so_once(play, films):
    film = films("360p-key50.mp4")
    held = []
    try:
        while True:
            held.append(os.open("/dev/snd/pcmC0D0p", os.O_RDWR | os.O_NONBLOCK))
    except OSError:
        pass  # All its streams are taken.
    try:
        assert held
        # The card as an exclusive one: without a mixer in front.
        program = play(film)
        plays_on(program, film, 0.5)
        assert program.log().count("no sound") == 1, program.log()
        assert "busy" in program.log()
    finally:
        for stream in held:
            os.close(stream)


def test_a_film_of_sound_alone_plays(play, films):
    program = play(films("sound-only.m4a"), wait=False)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.5)
    assert len(playing_streams()) == 1
    assert program.ipc.get("vo-configured") is False
    program.ipc.command("seek", 20, "absolute+exact")
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 20.3)


def test_a_card_that_goes_away_in_mid_film(play, films):
    """Plays on, silent, from where it was, and says so once. The kernel waits for the card's users to leave."""
    film = films("360p-key50.mp4")
    if not (UNBIND / "snd_dummy.0").exists():
        pytest.skip("the kernel's dummy card is not a platform device here")
    program = play(film)
    plays_on(program, film, 1)
    unbind = threading.Thread(target=lambda: (UNBIND / "unbind").write_text("snd_dummy.0"))
    unbind.start()
    try:
        plays_on(program, film, 2.5)
        assert program.log().count("no sound") == 1, program.log()
        assert program.ipc.get("pause") is False
    finally:
        program.stop()
        unbind.join(10)
        (UNBIND / "bind").write_text("snd_dummy.0")
