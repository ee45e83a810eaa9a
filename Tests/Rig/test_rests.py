"""Sound that outlasts the frames: the display and the reports behind the last one (M2, M3, A5)."""

import time

import pytest

from bar import Layout, hold_bar, show_bar, wait_for_thumb, wait_until_reported
from test_formats import settled
from thorough import also

LAYOUT = Layout()
# Two seconds of frames, and the sound's length.
MORE = {"more-sound.mp4": 4, "much-more-sound.mp4": 8, "more-sound.mkv": 12}
SOME = ["more-sound.mkv", *also("more-sound.mp4", "much-more-sound.mp4")]
LAST = 49


@pytest.mark.parametrize("name", SOME)
def test_the_time_goes_on_with_the_sound(play, films, name):
    """Until the end, while the last frame stays."""
    film, length = films(name), MORE[name]
    program = play(film, "--start", "1.2", "--end", "stop")
    reported = []
    while not program.ipc.get("eof-reached"):
        reported.append((time.monotonic(), program.ipc.get("time-pos")))
        time.sleep(0.05)  # As often as is to be seen.
    behind = [(at, place) for at, place in reported if place > 2.2]
    assert behind and behind[0][1] < 3 and behind[-1][1] > length - 0.5, reported[-1]
    # Reporting the end takes the machine a while.
    behind = [one for one in behind if one[1] < length - 0.3]
    passed, gone = (behind[-1][index] - behind[0][index] for index in (0, 1))
    assert gone == pytest.approx(passed, abs=0.4)
    assert all(later[1] >= one[1] for one, later in zip(reported, reported[1:])), "the time went back"
    assert program.ipc.get("time-pos") == pytest.approx(length, abs=0.2)
    assert program.frame(film) >= LAST - 3
    assert program.ipc.get("vitrine/ends") == 1 and program.ipc.get("vitrine/rebuilds") == 0


def test_a_pause_behind_the_last_frame(play, films):
    """The time stands, and continues from there; so does another rate."""
    film = films("much-more-sound.mp4")
    program = play(film, "--start", "1.2", "--end", "stop")
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 4)
    program.ipc.set("pause", True)
    stands = program.ipc.get("time-pos")
    assert 4 < stands < 6
    time.sleep(1.5)  # Nothing is to happen.
    assert program.ipc.get("time-pos") == pytest.approx(stands, abs=0.3)
    program.ipc.set("speed", 2)
    settled(program)
    assert program.ipc.get("time-pos") == pytest.approx(stands, abs=0.3)
    begun = time.monotonic()
    program.ipc.set("pause", False)
    program.ipc.wait_for("eof-reached", timeout=15)
    assert time.monotonic() - begun == pytest.approx((8 - stands) / 2, abs=1)
    assert program.ipc.get("vitrine/rebuilds") == 0


def test_the_thumb_goes_on_with_the_sound(play, films, panel):
    film = films("much-more-sound.mp4")
    program = play(film, "--end", "stop")
    panel.wait_until_read()
    finger = hold_bar(program, panel)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 4.5, timeout=20)
    program.ipc.set("pause", True)
    place = LAYOUT.left + LAYOUT.length * program.ipc.get("time-pos") / 8
    assert wait_for_thumb(program, place, 5) == pytest.approx(place, abs=10)
    finger.up()


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("is_paused", [True, False], ids=["paused", "playing"])
def test_a_seek_behind_the_last_frame(play, films, name, is_paused):
    """It is shown, and time and sound are at the requested place."""
    film, length = films(name), MORE[name]
    program = play(film, *["--paused"] * is_paused, "--end", "stop")
    for place in (length - 1, length - 1.5):
        begun = time.monotonic()
        program.ipc.command("seek", place, "absolute+exact")
        settled(program)
        if is_paused:
            assert program.frame(film) == LAST
            assert program.ipc.get("time-pos") == pytest.approx(place, abs=0.01)
        else:
            assert place - 0.01 <= program.ipc.get("time-pos") <= place + time.monotonic() - begun
    program.ipc.set("pause", False)
    begun = time.monotonic()
    program.ipc.wait_for("eof-reached", timeout=15)
    assert time.monotonic() - begun < 1.5 + 1
    assert program.frame(film) == LAST
    assert program.ipc.get("time-pos") == pytest.approx(length, abs=0.2)
    assert program.ipc.get("vitrine/ends") == 1 and program.ipc.get("vitrine/rebuilds") == 0
    # And back.
    program.ipc.set("pause", True)
    program.ipc.command("seek", 1.23, "absolute+exact")
    settled(program)
    assert program.frame(film) == 30


@pytest.mark.parametrize("name", SOME)
def test_a_start_behind_the_last_frame(play, films, name):
    film, length = films(name), MORE[name]
    program = play(film, "--paused", "--start", length - 1)
    settled(program)
    assert program.frame(film) == LAST
    assert program.ipc.get("time-pos") == pytest.approx(length - 1, abs=0.01)
    assert program.ipc.get("vitrine/rebuilds") == 0


@pytest.mark.parametrize("name", SOME)
def test_a_finger_behind_the_last_frame(play, films, panel, name):
    """While it rests there, and after its lift."""
    film, length = films(name), MORE[name]
    program = play(film, "--paused")
    panel.wait_until_read()
    show_bar(program, panel)
    x = LAYOUT.x((length - 1) / length)
    panel.drag(LAYOUT.x(0.1), LAYOUT.y, x, LAYOUT.y, seconds=0.3, lift=False)
    wait_until_reported(program, film, LAST)
    panel.up()
    panel.frame()
    settled(program)
    assert program.frame(film) == LAST
    assert program.ipc.get("time-pos") == pytest.approx(length - 1, abs=0.05)
    assert program.ipc.get("vitrine/rebuilds") == 0
