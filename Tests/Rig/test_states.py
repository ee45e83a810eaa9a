"""The pipeline's states: reported as they are (T5), refused (T3), and the effect of a lost clock: none (M12)."""

import re
import time


def states(program) -> list[str]:
    return re.findall(r"State changed to (\w+)", program.log())


def until(program, wanted: list[str]) -> None:
    """Waits until the reported states are these, without any other before them."""
    end = time.monotonic() + 10
    while len(states(program)) < len(wanted):
        assert time.monotonic() < end, states(program)
        time.sleep(0.02)
    assert states(program) == wanted


def goes_on(program) -> None:
    at = program.ipc.get("time-pos")
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > at + 0.5)


def test_each_state_of_the_pipeline_is_reported_once(play, films):
    """And none of its elements', which each change in the same way (T5)."""
    program = play(films("360p-key50.mp4"), "--paused", "--log", "debug")
    expected = ["READY", "PAUSED"]
    until(program, expected)
    for pause, state in ((False, "PLAYING"), (True, "PAUSED"), (False, "PLAYING")):
        program.ipc.set("pause", pause)
        expected.append(state)
        until(program, expected)
    goes_on(program)
    assert states(program) == expected


def test_a_state_that_is_refused_is_a_message(play, films, troubles):
    """The requested state stays requested, the program survives, and after another request the film continues (T3)."""
    program = play(films("360p-key50.mp4"), "--paused", environment=troubles.environment)
    at = program.ipc.get("time-pos")
    troubles.begin("refused")
    program.ipc.set("pause", False)
    program.wait_for_log("the pipeline refuses the state PLAYING")
    assert program.ipc.get("pause") is False and program.ipc.get("core-idle") is True
    assert program.ipc.get("time-pos") == at
    troubles.end("refused")
    program.ipc.set("pause", True)
    program.ipc.set("pause", False)
    goes_on(program)
    assert program.log().count("refuses the state") == 1


def test_a_clock_that_is_lost_stops_nothing(play, films, troubles):
    """The film has a clock of its own, whichever card that follows (M12)."""
    program = play(films("360p-key50.mp4"), "--log", "debug", environment=troubles.environment)
    expected = ["READY", "PAUSED", "PLAYING"]
    until(program, expected)
    troubles.begin("clock-lost")
    goes_on(program)
    goes_on(program)
    until(program, expected)
    assert program.ipc.get("pause") is False
