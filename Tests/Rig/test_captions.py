"""Closed captions that the frames of a film carry (A11)."""

import pytest

from buttons import Buttons
from test_controls import FULL
from test_tracks import settled, until_ink
from thorough import also


def caption(second: int) -> str:
    return f"Caption {second} Á"


def read(program, last: str) -> list[str]:
    """The texts that are shown, up to this one."""
    seen = []
    program.ipc.command("observe_property", 9, "sub-text")
    while last not in seen:
        event = program.ipc.wait_for_event("property-change", lambda event: event.get("id") == 9)
        seen += [event["data"]] if event.get("data") else []
    program.ipc.command("unobserve_property", 9)
    return seen


@pytest.mark.parametrize("name", ["captions.mp4", "captions.mkv", "captions.ts", "captions-mpeg2.ts", "captions-708.mp4"])
def test_closed_captions_are_read_and_follow_seeks(play, films, name):
    """They are an option once there is one, and the only text whose language nobody says."""
    program = play(films(name), "--subtitle", "en")
    assert read(program, caption(3)) == [caption(second) for second in (1, 2, 3)]
    program.ipc.set("pause", True)
    [_, track] = program.ipc.get("track-list")
    assert (track["type"], track["id"], track["vitrine/name"]) == ("sub", 1, "Closed captions") and "lang" not in track
    assert program.ipc.get("sid") == 1
    # Ahead, where it stands, behind it, and back again; the texts begin after the key frames of even seconds.
    for place, text in ((13.2, caption(13)), (13.6, ""), (7.1, caption(7)), (7.3, caption(7)), (1.2, caption(1)), (2.2, caption(2))):
        program.ipc.command("seek", place, "absolute+exact")
        settled(program)
        program.ipc.wait_for("sub-text", lambda now: now == text)
        until_ink(program, (lambda count: count > 100) if text else (lambda count: count == 0))


def test_closed_captions_are_chosen_as_other_subtitles(play, films):
    """In pause, too. Their language is that of the film's sound; who wants another one has none."""
    film = films("captions-tracks.mkv")
    program = play(film, "--subtitle", "fr", "--start", "3")
    program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 4)
    tracks = program.ipc.get("track-list")
    assert [track.get("vitrine/name") for track in tracks[2:]] == ["Deutsch", "English – Closed captions"]
    assert program.ipc.get("sid") is False
    program.ipc.set("pause", True)
    program.ipc.command("seek", 3.2, "absolute+exact")
    settled(program)
    for sid, text in ((2, caption(3)), (1, "Deutsch 3"), (2, caption(3)), ("no", "")):
        program.ipc.set("sid", sid)
        program.ipc.wait_for("sub-text", lambda now: now == text)
        until_ink(program, (lambda count: count > 100) if text else (lambda count: count == 0))
    program.ipc.set("slang", "en")
    program.ipc.wait_for("sub-text", lambda now: now == caption(3))


def test_closed_captions_of_a_film_that_begins_again(play, films):
    program = play(films("captions.mp4"), "--loop", "--start", "18.2", "--subtitle", "en")
    assert read(program, caption(2)) == [caption(second) for second in (19, 1, 2)]
    assert program.ipc.get("vitrine/rebuilds") == 0 and len(program.ipc.get("track-list")) == 2


def test_a_finger_chooses_closed_captions(play, films, panel):
    program = play(films("captions.mp4"), *FULL, "--loop")
    panel.wait_until_read()
    program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 2)
    assert program.ipc.get("sid") is False
    buttons = Buttons(program, panel)
    buttons.show().tap("subtitles")
    buttons.wait_for("panel")
    assert buttons.texts() == ["None", "Closed captions"]
    buttons.choose("Closed captions")
    program.ipc.wait_for("sid", lambda number: number == 1)
    buttons.choose("None")
    program.ipc.wait_for("sid", lambda number: number is False)


@pytest.mark.parametrize("name", ["silent.mp4", *also("long.ts")])
def test_a_film_without_closed_captions_has_none(play, films, name):
    program = play(films(name), "--subtitle", "en")
    program.ipc.wait_for("time-pos", lambda time: time is not None and time > 2)
    assert [track["type"] for track in program.ipc.get("track-list")] == ["video"]
