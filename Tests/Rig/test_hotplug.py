"""A display that is connected only later: a second card, made by vkms' configfs (N7)."""

from cards import DISCONNECTED, plug_in


def test_it_waits_for_the_display_and_then_plays(play, films, card):
    """A missing display is no error: it is reported once, and the film starts when there is one (N7)."""
    made, name = plug_in(play, card, overlays=2, status=DISCONNECTED)
    film = films("360p-key50.mp4")
    program = play(film, "--connector", name, wait=False)
    program.wait_for_log("waiting")
    assert program.log().count("no display") == 1
    made.plug()
    program.wait_until_shown()
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.3)
    assert program.reading(film).film == film.number
    program.signal()
    assert program.wait_until_ended() == 0, program.log()


def test_clients_are_served_while_it_waits(play, films, card):
    """Nothing hangs without a display: properties are answered, a seek is remembered, `quit` ends it."""
    made, name = plug_in(play, card, overlays=2, status=DISCONNECTED)
    film = films("360p-key50.mp4")
    program = play(film, "--paused", "--connector", name, wait=False)
    program.wait_for_log("waiting")
    assert program.ipc.get("path") == film.path
    assert program.ipc.get("vo-configured") is False
    program.ipc.command("seek", 20.02, "absolute+exact")
    made.plug()
    program.wait_until_shown()
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.frame(film) == 500
    program.stop()
    made.plug(DISCONNECTED)
    program = play(film, "--connector", name, wait=False)
    program.wait_for_log("waiting")
    program.ipc.command("quit", 3)
    assert program.wait_until_ended(5) == 3


def test_it_can_be_ended_while_it_waits(play, films, card):
    _, name = plug_in(play, card, overlays=2, status=DISCONNECTED)
    program = play(films("short.mp4"), "--connector", name, wait=False)
    program.wait_for_log("waiting")
    program.signal()
    assert program.wait_until_ended(5) == 0, program.log()
