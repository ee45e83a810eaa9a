"""A film that is too demanding for the processor (N5): few frames are shown, but they are shown."""

import contextlib

import pytest

from slowness import slowed

# The working time between two rests. Its effect depends on the machine's other work, and with some values the decoder
# catches up now and then.
WORKS, RESTS = (0.004, 0.002, 0.008, 0.004, 0.006), 0.3


@pytest.mark.speed
@pytest.mark.timeout(420)
def test_a_decoder_that_stays_behind_shows_frames_all_the_same(play, films):
    for works in WORKS:
        program = play(films("720p-key50.mp4"), "--mute")
        with slowed(program, works, RESTS):
            with contextlib.suppress(AssertionError):
                program.wait_for_log("too much for this computer's processor", timeout=25)
                shown = program.ipc.get("vitrine/frames-shown")
                program.ipc.wait_for("vitrine/frames-shown", lambda now: now >= shown + 4, timeout=90)
                break
        play.stop()
    else:
        raise AssertionError("no decoder stayed behind")
    # Each warning is logged once, and a film that has caught up plays on.
    assert program.log().count("too much for this computer's processor") == 1
    assert program.log().count("buffers are being dropped") <= 1, program.log()
    shown = program.ipc.get("vitrine/frames-shown")
    program.ipc.wait_for("vitrine/frames-shown", lambda now: now >= shown + 25, timeout=90)
