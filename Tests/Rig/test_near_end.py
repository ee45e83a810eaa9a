"""Films that are sought near their end reach it: the last frames, the end once, and the next item (M8, M9, N14)."""

import pathlib
import time

import pytest

from bar import Finger, Layout, lift, show_bar, wait_for_frame
from ipc import IPCError
from thorough import also
from threads import stuck

LAYOUT = Layout()
FILMS = ["jpegs.avi", "short.mp4", *also("short.mkv", "short.webm", "short.ts", "short.mpg", "short.flv", "theora.ogv", "fragments.mp4", "animated.gif")]
PLACES = [0.97, *also(0.9, 0.995, 1)]
ENDS = ["loop", *also("pause")]


def ends_once(program, end: str, before: int = 0, rebuilds: int = 0) -> None:
    """Waits until its end was reported, and the next item has started; the film is reopened at most so often."""
    ipc = program.ipc
    if end == "loop":
        ipc.wait_for_counter("vitrine/ends", lambda ends: ends >= before + 1)
        ipc.wait_for("time-pos", lambda now: now is not None and 0.1 < now < 1.6)
        assert ipc.get("pause") is False
    else:
        ipc.wait_for("pause")
        ipc.wait_for("eof-reached")
    assert ipc.get("vitrine/ends") == before + 1
    assert ipc.get("vitrine/rebuilds") <= rebuilds


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("paused", [True, *also(False)], ids=lambda paused: "paused" if paused else "playing")
@pytest.mark.parametrize("name", FILMS)
def test_a_film_that_is_sought_near_its_end_comes_to_it(play, films, name, paused, place, end):
    program = play(films(name), "--end", end, *(["--paused"] if paused else []))
    ipc = program.ipc
    length = ipc.get("duration")
    ipc.command("seek", length * place, "absolute+exact")
    if paused:
        ipc.wait_for("seeking", lambda seeking: seeking is False)
        assert ipc.get("time-pos") > length * place - 1, "it is not sought"
        assert ipc.get("vitrine/ends") == 0
        ipc.set("pause", False)
    ends_once(program, end)


@pytest.mark.parametrize("paused", [True, *also(False)], ids=lambda paused: "paused" if paused else "playing")
@pytest.mark.parametrize("name", ["jpegs.avi", *also("short.ts", "short.mkv", "animated.gif")])
def test_a_finger_that_lifts_near_the_end(play, films, panel, name, paused):
    program = play(films(name), "--end", "loop", *(["--paused"] if paused else []))
    panel.wait_until_read()
    show_bar(program, panel)
    finger = Finger(panel)
    finger.down(LAYOUT.x(0.2), LAYOUT.y)
    finger.glide(LAYOUT.x(0.97), seconds=0.3)
    finger.wait()
    # The finger holds the film.
    before = program.ipc.get("vitrine/ends")
    lift(program, finger)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    program.ipc.set("pause", False)
    ends_once(program, "loop", before)


@pytest.mark.parametrize("sound", ["early-sound.mp4", *also("early-sound.mkv")])
def test_sound_that_ends_early_stops_no_loop(play, films, sound):
    """The card's clock runs though there is less sound than its buffer holds, or none."""
    program = play(films(sound), "--end", "loop", "--paused")
    ipc = program.ipc
    for count, place in enumerate((0.9, 1.2)):
        ipc.set("pause", True)
        ipc.command("seek", place, "absolute+exact")
        ipc.wait_for("seeking", lambda seeking: seeking is False)
        ipc.set("pause", False)
        ends_once(program, "loop", count)


@pytest.mark.parametrize("trouble", ["seeks-end", "seeks-nothing"])
@pytest.mark.parametrize("end", ["loop", "pause"])
def test_rewinds_that_lead_nowhere(play, films, troubles, end, trouble):
    """A demuxer that does not find a film's start, and answers with EOS or with nothing, is reopened: the film is
    neither sought for ever nor does it hang."""
    film = films("short.mp4")
    program = play(film, "--end", end, environment=troubles.environment)
    ipc = program.ipc
    troubles.begin(trouble)
    sent = ipc.get("vitrine/seeks-sent")
    if end == "loop":
        ipc.wait_for_counter("vitrine/ends", lambda ends: ends >= 2)
        assert ipc.get("pause") is False
    else:
        ipc.wait_for("pause")
        wait_for_frame(program, film, 0)
        assert ipc.get("vitrine/ends") == 1
    assert ipc.get("vitrine/seeks-sent") <= sent + 3
    # An end is an answer.
    assert ipc.get("vitrine/rebuilds") <= (0 if trouble == "seeks-end" else ipc.get("vitrine/ends"))


@pytest.mark.parametrize("paused", [True, *also(False)], ids=lambda paused: "paused" if paused else "playing")
@pytest.mark.parametrize("trouble, sign", [("seeks-nothing", "said-nothing"), ("late-segment", "segment-was-late")])
def test_a_seek_that_is_answered_badly(play, films, troubles, trouble, sign, paused):
    """T8: with nothing, not even EOS, or with a frame before its segment. The film continues from the place, reopened
    if needed, and reaches its end."""
    film = films("silent.mp4")
    program = play(film, "--end", "loop", *(["--paused"] if paused else []), environment=troubles.environment)
    ipc = program.ipc
    troubles.begin(trouble)
    ipc.command("seek", 15.02, "absolute+exact")
    troubles.wait_for(sign)
    troubles.end(trouble)
    ipc.wait_for("seeking", lambda seeking: seeking is False)
    if paused:
        wait_for_frame(program, film, 375)
        ipc.set("pause", False)
    ipc.wait_for("time-pos", lambda now: now is not None and 15.2 < now < 20)
    ends_once(program, "loop", rebuilds=1)


@pytest.mark.slow
@pytest.mark.thorough
def test_seeks_that_are_all_answered_with_nothing(play, films, troubles):
    """T1, T8: reopened at its place, the film fails to seek there as well. Then it plays from its start, and the player
    answers all the time."""
    program = play(films("silent.mp4"), environment=troubles.environment)
    ipc = program.ipc
    troubles.begin("seeks-nothing")
    ipc.command("seek", 15.02, "absolute+exact")
    until = time.monotonic() + 40
    while "it starts at its beginning" not in program.log():
        assert time.monotonic() < until, program.log()
        is_answered(ipc, "property unavailable", "get_property", "seeking")
        time.sleep(0.2)
    ipc.wait_for("time-pos", lambda now: now is not None and 0.5 < now < 5)
    assert ipc.get("vitrine/rebuilds") == 2


@pytest.mark.slow
@pytest.mark.thorough
def test_frames_that_are_all_before_their_segment(play, films, troubles):
    """T1, T8: so are those of the reopened film. Then it plays from its start, to its end."""
    program = play(films("silent.mp4"), "--end", "loop", environment=troubles.environment)
    ipc = program.ipc
    troubles.begin("late-segment")
    ipc.command("seek", 10, "absolute+exact")
    troubles.wait_for("segment-was-late")
    ipc.wait_for_counter("vitrine/rebuilds", lambda rebuilds: rebuilds >= 2, timeout=40)
    ipc.wait_for("time-pos", lambda now: now is not None and 0.5 < now < 5, timeout=40)
    ipc.wait_for_counter("vitrine/ends", lambda ends: ends >= 1, timeout=40)


def test_a_film_that_cannot_be_sought_in_and_stands_is_ended(play, films):
    """Reopened, it would start at its start. Nothing reaches the decoder, and no error is reported."""
    program = play(films("joined.ts"), "--end", "stop")
    program.ipc.wait_for("seekable", lambda seekable: seekable is False)
    with stuck(program, "multiqueue"):
        # Three times 2.5 s, after the frames that were decoded.
        program.ipc.wait_for("eof-reached", timeout=30)
    assert program.ipc.get("vitrine/ends") == 1 and program.ipc.get("vitrine/rebuilds") == 0
    assert "that is taken as its end" in program.log()


def is_answered(ipc, refusal: str, *words) -> None:
    """Within three seconds; this refusal is an answer, too."""
    try:
        ipc.command(*words, timeout=3)
    except IPCError as error:
        assert str(error) == refusal, words


@pytest.mark.parametrize("name, places", [
    ("clocks.ts", (50, 33, 5)), ("clocks.ts", (99,)),
    *also(("clocks.ts", (95, 5, 95)), ("clocks.ts", (70, 20)), ("clocks.ts", (33, 50, 99))),
    *also(("jump.ts", (50,)), ("wrap.ts", (95,)), ("wrap.ts", (33, 90, 20))),
], ids=str)
def test_recordings_with_clocks_of_their_own(play, films, name, places):
    """Their clock restarts, jumps an hour ahead, or wraps. Wherever their demuxer leads, the player answers, the film
    ends, and so does the process."""
    program = play(films(name), "--end", "loop")
    ipc = program.ipc
    for place in places:
        # Once the film's kind is known, the seek is refused.
        is_answered(ipc, "error running command", "seek", place, "absolute-percent+exact")
        end = time.monotonic() + 1
        while time.monotonic() < end:
            # While the film is opened anew.
            is_answered(ipc, "property unavailable", "get_property", "seeking")
            time.sleep(0.1)
    ends, sent = ipc.get("vitrine/ends"), ipc.get("vitrine/seeks-sent")
    ipc.wait_for_counter("vitrine/ends", lambda count: count > ends, timeout=40)
    # It is reopened to start again, and need not be sought.
    assert ipc.get("vitrine/seeks-sent") <= sent + 2, "it is sought again and again"
    assert ipc.get("pause") is False


def test_a_stuck_film_does_not_hold_up_the_end(play, films):
    """The service manager waits for 5 s; a busy machine takes longer."""
    program = play(films("360p-key250.mp4"))
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    status = pathlib.Path(f"/proc/{program.process.pid}/stat")
    with stuck(program, "multiqueue"):
        program.ipc.command("seek", 10, "absolute+exact")
        time.sleep(0.3)  # The film's worker waits for those threads.
        program.signal()
        end = time.monotonic() + 15
        while status.read_text().rpartition(")")[2].split()[0] != "Z":
            assert time.monotonic() < end, "it is still there"
            time.sleep(0.05)
    program.ended = True
