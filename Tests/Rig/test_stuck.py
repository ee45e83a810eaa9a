"""A pipeline that does not answer blocks nothing but itself (T1)."""

import time

import pytest

from bar import Finger, Layout, lift, show_bar, slip, wait_for_thumb
from threads import stuck

LAYOUT = Layout()
# Seconds for an answer: work behind a stuck pipeline waits for 3 s until the pipeline is given up, or for as long as
# the test keeps it stuck.
BOUND = 2


@pytest.mark.parametrize("paused", [True, False], ids=["paused", "playing"])
def test_touch_and_bar_and_clients_go_on(play, films, panel, paused):
    """The decoding threads are stopped, as by a driver that never answers: seeks are not answered, and no state
    changes; after a while the film is reopened. The bar appears, its thumb follows the finger, and clients are
    answered."""
    program = play(films("360p-key250.mp4"), *(["--paused"] if paused else []))
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    panel.wait_until_read()
    ipc = program.ipc
    with stuck(program, "multiqueue"):
        began = time.monotonic()
        finger = Finger(panel)
        slip(panel)
        ipc.wait_for("vitrine/osd-visible", timeout=BOUND)
        finger.down(LAYOUT.x(0.2), LAYOUT.y)
        updates = []
        for place in (0.4, 0.6, 0.3):
            finger.glide(LAYOUT.x(place), seconds=0.3)
            finger.wait()
            ipc.wait_for_counter("vitrine/thumb", lambda value: abs(value - place) < 0.01, timeout=BOUND)
            updates.append(ipc.get("vitrine/osd-updates"))
            assert ipc.get("seeking") is True, "the pipeline answers: this is no test"
        assert updates == sorted(set(updates)), f"the bar is not drawn: {updates}"
        # On the screen, too.
        wait_for_thumb(program, LAYOUT.x(0.3) * LAYOUT.width, near=LAYOUT.width / 100)
        # While the pipeline is given up, and another one is made.
        while not ipc.command("get_property", "vitrine/rebuilds", timeout=BOUND):
            assert time.monotonic() < began + 20, "the pipeline is not given up"
        # The wait has a limit.
        program.wait_for_log("GStreamer did not let go of it", timeout=15)
        finger.glide(LAYOUT.x(0.5), seconds=0.3)
        finger.wait()
        ipc.wait_for_counter("vitrine/thumb", lambda value: abs(value - 0.5) < 0.01, timeout=BOUND)
        lift(program, finger, BOUND)
        # Every command of a client is accepted.
        for command in (["set_property", "pause", not paused], ["set_property", "pause", paused], ["set_property", "volume", 40],
                        ["seek", 10, "absolute+exact"], ["show-text", "stuck"], ["get_property", "time-pos"]):  # fmt: skip
            ipc.command(*command, timeout=BOUND)
    # And the last request is done, once it can be.
    ipc.wait_for("seeking", lambda seeking: seeking is False)
    ipc.wait_for("time-pos", lambda now: now is not None and 10 <= now < 20)
    assert ipc.get("pause") is paused
