"""Films that fail: what follows is what follows an end, and nothing goes round and round (M9, A13, T4)."""

import time

import pytest

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
    # Whoever wants can go on.
    program.ipc.set("playlist-pos", 0)
    program.ipc.wait_for("path", lambda path: path == first.path)


def test_after_the_last_film_s_failure_the_list_begins_again(play, films):
    program = play(films("short.mp4"), films("noise.mp4"), "--end", "loop")
    program.ipc.wait_for_counter("vitrine/ends", lambda count: count >= 2, timeout=30)


def test_after_the_last_film_s_failure_comes_whatever_comes_next(play, films):
    program = play(films("short.mp4"), films("noise.mp4"), "--end", "next")
    assert program.wait_until_ended(30) == NOT_MEDIA
    assert program.log().count("noise.mp4") == 1


def test_a_film_that_breaks_says_so(play, films):
    program = play(films("breaks.mp4"))
    program.ipc.wait_for("idle-active", timeout=20)
    assert program.ipc.get("vitrine/osd-visible") is True


def test_films_that_open_and_fail_are_tried_again_more_and_more_seldom(play, films):
    program = play(films("breaks.mp4"), films("breaks-too.mp4"), "--end", "loop")
    pauses = []
    for _ in range(2):
        program.ipc.wait_for_event("end-file", lambda event: event["playlist_entry_id"] == 2, timeout=30)
        failed = time.monotonic()
        # The starts before; the one that is awaited comes a second later.
        program.ipc.events.clear()
        assert program.ipc.get("vitrine/osd-visible") is True
        program.ipc.wait_for_event("start-file", lambda event: event["playlist_entry_id"] == 1, timeout=30)
        pauses.append(time.monotonic() - failed)
    # One second, two seconds; the first word of each may come late.
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
