"""Films that fail: the same item follows as after an end, and the player does not spin (M9, A13, T4)."""

import os
import re
import time

import pytest

from network import serve
from test_ends import plays
from test_preload import until_open
from thorough import also

NOT_MEDIA = 3


@pytest.mark.parametrize("end", ["pause", "stop"])
def test_after_the_last_film_s_failure_its_words_stand(play, films, end):
    first = films("short.mp4")
    program = play(first, films("noise.mp4"), "--end", end)
    program.ipc.wait_for("idle-active", timeout=20)
    assert program.ipc.get("pause") is True and program.ipc.get("playlist-count") == 2
    assert program.ipc.get("vitrine/ends") == 1
    program.ipc.wait_for("vitrine/osd-visible")
    for _ in range(50):
        if program.screenshot().max() > 200:
            break
    else:
        pytest.fail("no words on the screen")
    assert program.log().count("noise.mp4") == 1
    # A client can go on.
    program.ipc.set("playlist-pos", 0)
    program.ipc.wait_for("path", lambda path: path == first.path)


@pytest.mark.parametrize("names", [("noise.mp4", "short.mp4"), ("short.mp4", "noise.mp4")], ids=["first", "last"])
def test_what_cannot_play_can_be_read_while_the_next_film_plays(play, films, names):
    """Once: in a loop the words would come back for ever."""
    program = play(*map(films, names), "--end", "loop")
    words = "noise: This is not a film. Copy it again."
    program.ipc.wait_for("vitrine/message", lambda text: text == words)
    program.ipc.wait_for("path", lambda path: path == films("short.mp4").path)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 1)
    assert program.ipc.get("vitrine/message") == words
    program.ipc.wait_for("vitrine/message", lambda text: not text)
    # From then on only until the next film is seen, which is less than the six seconds that it takes to read them.
    program.ipc.wait_for("vitrine/message", lambda text: text == words)
    program.ipc.wait_for("vitrine/message", lambda text: not text, timeout=4)


def test_after_the_last_film_s_failure_the_list_begins_again(play, films):
    program = play(films("short.mp4"), films("noise.mp4"), "--end", "loop")
    program.ipc.wait_for_counter("vitrine/ends", lambda count: count >= 2, timeout=30)


def test_after_the_last_film_s_failure_comes_whatever_comes_next(play, films):
    program = play(films("short.mp4"), films("noise.mp4"), "--end", "next")
    assert program.wait_until_ended(30) == NOT_MEDIA
    assert program.log().count("noise.mp4") == 1


def messages(program, name: str) -> list[tuple[str, str]]:
    """The film's errors in the log: the element, and its text."""
    lines = [line for line in program.log().splitlines() if name in line]
    parts = [re.fullmatch(rf".*{re.escape(name)}: Error received from element ([\w-]+): (\w.*)", line) for line in lines]
    assert all(parts), lines
    return [(part[1], part[2]) for part in parts]


def test_a_film_that_breaks_says_so(play, films):
    """T4: once, with the element and the reason; it is closed, and the next one plays in the same process."""
    broken, film = films("breaks.mp4"), films("silent.mp4")
    program = play(broken)
    program.ipc.wait_for("idle-active", timeout=20)
    assert program.ipc.get("vitrine/osd-visible") is True
    [(element, text)] = messages(program, broken.path)
    assert element.startswith("qtdemux") and len(text.split()) > 2
    until_open(program, broken, False)
    program.ipc.command("loadfile", film.path)
    program.ipc.set("pause", False)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.2)
    assert program.reading(film).film == film.number and len(messages(program, broken.path)) == 1


@pytest.mark.parametrize(
    "name, element", [("noise.mp4", "typefind"), ("text.mp4", "decodebin"), ("no-index.mp4", "qtdemux")])  # fmt: skip
def test_what_is_no_film_says_so(play, films, name, element):
    """T4: for a single film, in the program's last output; else in the log."""
    whole = films("silent.mp4")
    alone = play(films(name), wait=False)
    assert alone.wait_until_ended(20) == NOT_MEDIA
    program = play(films(name), whole, wait=False)
    # The playlist's change and the message arrive separately.
    program.ipc.wait_for("path", lambda path: path == whole.path)
    program.wait_for_log(films(name).path)
    for one in (alone, program):
        # decodebin does not forward a demuxer's errors while it is being plugged (gstdecodebin2.c, `filtered`). If a
        # demuxer finds at once that there is nothing, the player's own limit reports it.
        if name == "no-index.mp4" and f"{films(name).path}: neither video nor sound within 8 s" in one.log():
            assert one.log().count(name) == 1
            continue
        [(sender, text)] = messages(one, films(name).path)
        assert sender.startswith(element) and len(text.split()) > 2


def test_what_a_server_does_not_have_says_so(play, films, serve):
    """T4: with GStreamer's domain and code and HTTP's status behind the reason."""
    address = serve().url("nothing.mp4")
    program = play(address, wait=False)
    program.wait_until_ended(20)
    [(element, text)] = messages(program, address)
    assert element == "source" and re.fullmatch(r"\w.* \(.*, HTTP 404\) \(check the network.*\)", text), text


def test_films_that_open_and_fail_are_tried_again_more_and_more_seldom(play, films):
    program = play(films("breaks.mp4"), films("breaks-too.mp4"), "--end", "loop")
    pauses = []
    for _ in range(2):
        program.ipc.wait_for_event("end-file", lambda event: event["playlist_entry_id"] == 2, timeout=30)
        failed = time.monotonic()
        # The starts before; the awaited one is a second later.
        program.ipc.events.clear()
        assert program.ipc.get("vitrine/osd-visible") is True
        program.ipc.wait_for_event("start-file", lambda event: event["playlist_entry_id"] == 1, timeout=30)
        pauses.append(time.monotonic() - failed)
    # One second, two seconds; the first output of each may be late.
    assert pauses[0] > 0.5 and pauses[1] > 1.5, pauses


def test_a_kiosk_whose_films_fail_waits_for_others(play, films, tmp_path):
    """With `--settings` the program never ends, whatever `at-end` says."""
    (tmp_path / "films").mkdir()
    (tmp_path / "films" / "1.mp4").symlink_to(films("breaks.mp4").path)
    settings = tmp_path / "vitrine.toml"
    settings.write_text('films = ["films"]\nat-end = "stop"\n')
    program = play("--settings", settings)
    program.ipc.wait_for("idle-active", timeout=20)
    assert program.ipc.get("vitrine/osd-visible") is True
    program.ipc.wait_for("path", lambda path: path is not None, timeout=20)
    program.ipc.wait_for("idle-active", timeout=20)
    (tmp_path / "films" / "1.mp4").unlink()
    (tmp_path / "films" / "2.mp4").symlink_to(films("silent.mp4").path)
    program.ipc.wait_for("path", lambda path: path is not None and path.endswith("2.mp4"), timeout=20)


def pipe(films, folder) -> str:
    """A film that is opened and never answers: nobody writes to it."""
    os.mkfifo(folder / "pipe.mp4")
    return str(folder / "pipe.mp4")


FAILURES = {
    "no decoder": lambda films, folder: films("360p-key50.mp4").path,
    "no server": lambda films, folder: "http://127.0.0.1:9/film.mp4",
    "breaks": lambda films, folder: films("breaks-too.mp4").path,
    "no answer": pipe,
}


@pytest.mark.parametrize("failure", ["breaks", "no answer", *also("no decoder", "no server")])
def test_after_each_failure_the_next_film_plays(play, films, tmp_path, failure):
    """In the same process; nothing is reported twice."""
    address, film = FAILURES[failure](films, tmp_path), films("vp9-opus.webm")
    without = {"GST_PLUGIN_FEATURE_RANK": "avdec_h264:NONE,openh264dec:NONE"} if failure == "no decoder" else {}
    program = play(address, film, "--end", "stop", wait=False, environment=without)
    program.ipc.wait_for("path", lambda path: path == film.path, timeout=60)
    plays(program, film)
    said = [line.partition(f"{address}: ")[2] for line in program.log().splitlines() if f"{address}: " in line]
    assert said and len(said) == len(set(said)), program.log()
