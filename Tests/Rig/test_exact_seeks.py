"""Exact seeks into the midst of a group: what is decoded on the way, and which frame is shown."""

import pytest

from shown_frames import SinkLog
from thorough import also

GROUP = 250


@pytest.mark.parametrize("name", ["360p-key250.mp4", *also("720p-key250.mp4")])
def test_frames_that_no_other_one_needs_are_skipped_on_the_way(play, films, tmp_path, name):
    """As mpv does (`hr-seek-framedrop`). Of x264's frames about half are such. The frames of the last half second are all
    decoded, and each frame behind the target is."""
    film = films(name)
    log = SinkLog(tmp_path)
    program = play(film, "--paused", environment=log.environment)
    held = 0
    for frame in (GROUP - 2, 3 * GROUP + 150, 4 * GROUP + 201, 4 * GROUP + 202, 4 * GROUP + 203, 2 * GROUP + 5, 5, 0):
        program.ipc.command("seek", (frame + 0.5) / film.rate, "absolute+exact")
        program.ipc.wait_for("seeking", lambda seeking: seeking is False)
        assert program.frame(film) == frame
        before, held = held, sum("held back" in line for line in log.lines())
        way = frame % GROUP
        near = round(film.rate / 2)
        print(f"to frame {frame}: {held - before} of {way} frames on the way decoded")
        assert held - before >= min(way, near), "the last ones are all decoded"
        assert held - before <= near + 4 + 0.75 * max(way - near, 0), f"{held - before} of {way}, to frame {frame}"
    # Behind the target nothing is skipped.
    shown, dropped = (program.ipc.get(f"vitrine/frames-{what}") for what in ("shown", "dropped"))
    program.ipc.set("pause", False)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > frame / film.rate + 4)
    program.ipc.set("pause", True)
    program.ipc.wait_for("core-idle", lambda idle: idle is True)
    arrived = program.ipc.get("vitrine/frames-shown") - shown + program.ipc.get("vitrine/frames-dropped") - dropped
    assert arrived >= film.frame_at(program.ipc.get("time-pos") + 0.001) - frame
