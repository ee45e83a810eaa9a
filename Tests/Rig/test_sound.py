"""Sound, and its card, which never blocks the film."""

import contextlib
import os
import pathlib
import re
import threading
import time

import pytest

from bar import Finger, Layout, show_bar

UNBIND = pathlib.Path("/sys/bus/platform/drivers/snd_dummy")


def holds_card(program) -> bool:
    """Whether the program has an ALSA playback stream open."""
    return any(re.search(r"^/dev/snd/pcm.*p$", name) for name in program.opened())


def plays_on(program, film, seconds: float) -> None:
    program.ipc.wait_for("path", lambda path: path == film.path)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > seconds)
    assert program.reading(film).film == film.number


def test_playing_is_heard_pausing_and_dragging_are_silent(play, films, panel, recorder):
    """M4: a film that is paused or dragged makes no sound, and is heard again afterwards."""
    film = films("360p-key50.mp4")
    program = play(film, environment=recorder.environment)
    panel.wait_until_read()
    plays_on(program, film, 0.5)
    assert "no sound" not in program.log()
    loud = recorder.loudness(1)
    assert loud > 0.01, "nothing is heard"
    program.ipc.set("pause", True)
    program.ipc.wait_for("core-idle")
    recorder.loudness(0.5)  # What was on its way.
    assert recorder.loudness(0.5) < loud / 100
    program.ipc.set("pause", False)
    program.ipc.wait_for("core-idle", lambda idle: idle is False)
    recorder.loudness(0.3)
    assert recorder.loudness(0.5) > loud / 3
    layout = Layout()
    show_bar(program, panel)
    finger = Finger(panel)
    finger.down(layout.x(0.2), layout.y)
    finger.glide(layout.x(0.7), seconds=1.6)
    recorder.loudness(0.5)
    assert recorder.loudness(0.8) < loud / 100, "the drag is heard"
    finger.wait()
    finger.up()
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    recorder.loudness(0.5)
    assert recorder.loudness(0.5) > loud / 3, "nothing is heard after the drag"


def test_mute(play, films):
    film = films("360p-key50.mp4")
    program = play(film, "--mute")
    plays_on(program, film, 0.5)
    assert not holds_card(program)
    assert program.complaints() == [], "asked for, so not reported"


def test_without_a_card_it_plays_on_and_says_so_once(play, films):
    """Also when the film repeats."""
    film = films("short.mp4")
    program = play(film, "--loop", environment={"ALSA_CONFIG_PATH": "/nonexistent"})
    plays_on(program, film, 1.5)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now < 1)
    program.ipc.command("loadfile", films("square-4x3.mp4").path)
    plays_on(program, films("square-4x3.mp4"), 0.3)
    assert program.log().count("no sound") == 1, program.log()
    assert not holds_card(program)


def test_a_card_that_does_not_open_is_no_damaged_film(play, films, tmp_path):
    """ALSA's plugin `file` opens its file for writing, which blocks for a pipe without a reader."""
    film = films("360p-key50.mp4")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "asound.conf").write_text(
        f'pcm.!default {{ type file; file "{tmp_path}/pipe"; format "raw"; slave.pcm {{ type null }} }}\n')
    program = play(film, environment={"ALSA_CONFIG_PATH": str(tmp_path / "asound.conf")}, wait=False)
    program.wait_until_shown(timeout=40)
    plays_on(program, film, 0.5)
    assert program.log().count("no sound") == 1 and "damaged" not in program.log(), program.log()
    # A reader releases the thread that waits for the card: nothing is stuck at the end.
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    program.stop()
    os.close(reader)


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
        # The card as an exclusive one: without a mixer.
        program = play(film)
        plays_on(program, film, 0.5)
        assert program.log().count("no sound") == 1, program.log()
        assert "busy" in program.log()
    finally:
        for stream in held:
            os.close(stream)


def test_a_card_that_has_one_user_goes_from_film_to_film(play, films, recorder):
    """Without a mixer: each film releases it before the next one opens it, silent ones, too."""
    film = films("360p-key50.mp4")
    program = play(film, environment=recorder.environment)
    plays_on(program, film, 0.3)
    for name in ("silent.mp4", "360p-key250.mp4", "silent.mp4"):
        program.ipc.command("loadfile", films(name).path)
        plays_on(program, films(name), 0.3)
        assert holds_card(program) == (name != "silent.mp4"), name
    program.ipc.command("stop")
    program.ipc.command("loadfile", films("360p-key250.mp4").path)
    program.ipc.command("loadfile", film.path)
    plays_on(program, film, 0.3)
    assert holds_card(program)
    assert program.complaints() == []


def test_a_card_that_has_one_user_goes_to_a_film_made_ready(play, films, recorder):
    """It is opened while the one before still has the card, and only then requests the card."""
    names = ["short.mp4", "short.webm", "short-silent.mp4", "short.mkv"]
    program = play(*map(films, names), environment=recorder.environment)
    for name in names:
        program.ipc.wait_for("path", lambda path: path == films(name).path)
        program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.3)
        assert holds_card(program) == ("silent" not in name), name
    assert program.complaints() == []


def test_a_film_of_sound_alone_plays(play, films):
    program = play(films("sound-only.m4a"), wait=False)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.5)
    assert holds_card(program)
    assert program.ipc.get("vo-configured") is False
    program.ipc.command("seek", 20, "absolute+exact")
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 20.3)


@contextlib.contextmanager
def card_gone(program):
    """The kernel waits for the card's users to leave, which the program does within 10 s."""
    if not (UNBIND / "snd_dummy.0").exists():
        pytest.skip("the kernel's dummy card is not a platform device here")
    unbind = threading.Thread(target=lambda: (UNBIND / "unbind").write_text("snd_dummy.0"))
    unbind.start()
    try:
        yield
        unbind.join(10)
        assert not holds_card(program)
    finally:
        if holds_card(program):
            program.stop()
        unbind.join(10)
        (UNBIND / "bind").write_text("snd_dummy.0")


def test_a_card_that_goes_away_in_mid_film(play, films):
    """Plays on, silent, from its position, and reports it once; the card is used again when it is back."""
    film, second = films("360p-key50.mp4"), films("360p-key10.mp4")
    program = play(film, second, "--start", "30", "--end", "loop")
    plays_on(program, film, 31)
    assert holds_card(program)
    with card_gone(program):
        # Without a query, it does not know its position by chance.
        program.wait_for_log("no sound")
        shown = program.ipc.get("vitrine/frames-shown")
        program.ipc.wait_for_counter("vitrine/frames-shown", lambda now: now >= shown + 25)
        assert program.frame(film) >= 31 * film.rate, "it began again"
        plays_on(program, film, 32.5)
        assert program.log().count("no sound") == 1, program.log()
        assert program.ipc.get("pause") is False
    program.ipc.wait_for("vitrine/sound-route")
    for following in (second, film):
        program.ipc.command("playlist-next")
        plays_on(program, following, 0.3)
        program.ipc.wait_for("vitrine/sound-route")
        assert holds_card(program)


def test_a_card_that_goes_away_takes_no_choice_with_it(play, films):
    """It is the same film: subtitles and sound without a language, which cannot be found again by their language, stay
    chosen, and an observer of the position sees no other one (A11, M6)."""
    program = play(films("tracks.mkv"), "--start", "5")
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 5.3)
    assert holds_card(program)
    program.ipc.set("sid", 3)
    program.ipc.set("aid", 3)
    program.ipc.wait_for("sub-text", lambda text: text.startswith("Plain "))
    # Another sound needs a seek.
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    with card_gone(program):
        program.wait_for_log("no sound")
        shown = program.ipc.get("vitrine/frames-shown")
        program.ipc.wait_for_counter("vitrine/frames-shown", lambda now: now >= shown + 25)
        assert program.ipc.get("sid") == 3 and program.ipc.get("aid") == 3
        program.ipc.wait_for("sub-text", lambda text: text.startswith("Plain "))


def processor_seconds(program) -> float:
    fields = pathlib.Path(f"/proc/{program.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_client_that_follows_the_time_costs_little_while_paused(play, films):
    """The sound's position is queried from the pipeline; once known, it is not queried again."""
    program = play(films("sound-only.m4a"), wait=False)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.3)
    program.ipc.set("pause", True)
    program.ipc.wait_for("core-idle")
    program.ipc.command("observe_property", 900, "time-pos")
    before = processor_seconds(program)
    time.sleep(3)  # Nothing is to happen.
    assert processor_seconds(program) - before < 1
