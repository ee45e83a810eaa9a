"""Sounds and subtitles, chosen by language or by hand (A11, A14)."""

import shutil

import numpy
import pytest

from bar import hold_bar
from ipc import IPCError
from thorough import also

# The rows of subtitles without a bar: the lowest part of the display.
SUBTITLES = slice(690, 768)
# Their rows with a bar: between the film's lower part and the line of the title.
ABOVE = slice(640, 684)
# The sounds of tracks.mkv, in Hz.
PITCHES = (330, 440, 550)


def ink(program, rows: slice = SUBTITLES) -> int:
    """Pixels as white as letters, below the film."""
    return int((program.screenshot()[rows].min(axis=2) > 200).sum())


def until_ink(program, condition, rows: slice = SUBTITLES) -> int:
    for _ in range(100):
        if condition(count := ink(program, rows)):
            return count
    pytest.fail(f"{count} white pixels in the rows {rows.start} to {rows.stop}")


def settled(program) -> None:
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)


def test_tracks_have_names_and_languages(play, films):
    program = play(films("tracks.mkv"), "--paused")
    program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 7)
    tracks = program.ipc.get("track-list")
    names = {kind: [track["vitrine/name"] for track in tracks if track["type"] == kind] for kind in ("audio", "sub")}
    assert names == {
        "audio": ["English", "Deutsch – Kommentar", "Track 3"], "sub": ["English", "Deutsch (SDH)", "Track 3"]
    }
    assert [track.get("lang") for track in tracks if track["type"] == "audio"] == ["en", "de", None]
    assert program.ipc.get("aid") == 1 and program.ipc.get("sid") is False
    assert program.ipc.get("media-title") != "Kommentar" and program.ipc.get("metadata/title") != "Kommentar"


@pytest.mark.parametrize(
    "name, members",
    [
        ("silent.mp4", {"demux-w": 640, "demux-h": 360, "demux-fps": 25, "image": False}),
        ("pal-16x9.mp4", {"demux-w": 720, "demux-h": 576, "demux-fps": 25, "image": False}),
        ("rotated-90.mp4", {"demux-w": 640, "demux-h": 360, "demux-fps": 25, "image": False, "demux-rotation": 90}),
        ("one.mp4", {"image": True}),
    ],
)
def test_the_video_is_a_track(play, films, name, members):
    """As mpv lists it: the container's size, neither turned nor made square."""
    program = play(films(name), "--paused")
    [track] = [track for track in program.ipc.get("track-list") if track["type"] == "video"]
    assert track.items() >= {"id": 1, "selected": True, "albumart": False, "external": False, **members}.items()
    assert "H.264" in track["codec"]


def test_the_size_counts_the_shape_of_pixels(play, films):
    """M13: 720x576 pixels, each with an aspect of 64:45."""
    program = play(films("pal-16x9.mp4"), "--paused")
    assert (program.ipc.get("width"), program.ipc.get("height")) == (1024, 576)


def test_sound_alone_has_no_video(play, films):
    program = play(films("sound-only.m4a"), "--paused", wait=False)
    program.ipc.wait_for("track-list", lambda tracks: [track["type"] for track in tracks or []] == ["audio"])


# The message about each skipped track, in inspect's words and in the log; data is not mentioned.
LEFT_OUT = {
    "data.mp4": ("  data       meta/x-gst-fourcc-gpmd", None),
    "two-videos.mp4": ("left out: no decoder for it", "missing plugin: video/x-gst-fourcc-xyz1 decoder"),
    "two-sounds.mp4": ("left out: no decoder for it", "missing plugin: audio/x-gst-fourcc-xyz2 decoder"),
    "second-default.mkv": ("  video      H.264", None),
    "film-cover.mkv": ("  video      ", None),
    "thumbnail.mov": ("  video      JPEG, 320x180, 1/1 fps", None),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_the_film_is_played_whatever_is_beside_it(play, films, name):
    """At its start, at a seek's target, and to its end; with its sound."""
    film, (printed, log) = films(name), LEFT_OUT[name]
    program = play.run("inspect", film.path)
    assert program.wait_until_ended() == 0 and printed in program.log(), program.log()
    program = play(film, "--paused", "--end", "stop")
    assert program.frame(film) == 0
    assert [track["type"] for track in program.ipc.get("track-list")] == ["video", "audio"]
    program.ipc.command("seek", 1.23, "absolute+exact")
    settled(program)
    assert program.frame(film) == 30
    program.ipc.set("pause", False)
    program.ipc.wait_for("eof-reached", timeout=20)
    settled(program)
    assert program.frame(film) == 49 and program.ipc.get("vitrine/rebuilds") == 0
    warnings = [line for line in program.complaints() if "missing" in line or "warning" in line.lower()]
    assert len(warnings) == bool(log) and all(log in line for line in warnings), warnings


@pytest.mark.parametrize("command", ["inspect", "play"])
def test_sound_alone_is_not_the_film(play, films, command):
    program = play.run(command, films("no-videos.mp4").path)
    assert program.wait_until_ended() == 4
    assert "missing plugin: video/x-gst-fourcc-xyz1 decoder" in program.log()


WORDS = {"title": "Once upon a Time", "artist": "Ann", "album": "Westerns", "date": "1968-12-21"}


@pytest.mark.parametrize("name", ["words.mp4", "words.mkv", "words.mp3", "words.ogg"])
def test_a_film_s_metadata(play, films, name):
    """mpv's `metadata`: a map of texts by mpv's names, another one for another film, and observing clients are notified
    (A12)."""
    program = play(films(name), films("silent.mp4"), "--paused", wait=not name.endswith(("mp3", "ogg")))
    metadata = program.ipc.wait_for("metadata", lambda words: bool(words) and words.items() >= WORDS.items())
    assert all(isinstance(word, str) for word in metadata.values())
    if name.endswith(("mp4", "mkv")):
        assert metadata["comment"] == "The long one"
    assert not {"image", "preview-image", "private-data", "bitrate", "language-code"} & metadata.keys(), metadata
    assert program.ipc.get("metadata/artist") == "Ann" and program.ipc.get("media-title") == WORDS["title"]
    program.ipc.command("observe_property", 9, "metadata")
    program.ipc.command("playlist-next")
    program.ipc.wait_for_event(
        "property-change", lambda event: event.get("id") == 9 and (event.get("data") or {}).get("title", "").startswith("Test film")
    )
    assert "artist" not in program.ipc.get("metadata")


@pytest.mark.parametrize(
    "options, aid, sid",
    [
        ([], 1, False),
        (["--audio", "de-AT", "--subtitle", "fr,de"], 2, 2),
        (["--audio", "fr", "--subtitle", "fr"], 1, False),
        (["--audio", "deu,en", "--subtitle", "off"], 2, False),
    ],
)
def test_languages_are_preferred(play, films, options, aid, sid):
    program = play(films("tracks.mkv"), "--paused", *options)
    program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 7)
    assert (program.ipc.get("aid"), program.ipc.get("sid")) == (aid, sid)


def test_subtitles_are_read_while_it_plays(play, films):
    program = play(films("tracks.mkv"), "--subtitle", "en")
    seen = []
    for _ in range(3):
        seen.append(program.ipc.wait_for("sub-text", lambda text: text.startswith("English ") and text not in seen))
    numbers = [int(text.split()[1]) for text in seen]
    assert numbers == sorted(numbers)
    until_ink(program, lambda count: count > 100)


@pytest.mark.parametrize("name", ["spoken.mkv", *also("slow.mkv")])
def test_subtitles_change_while_one_frame_stands(play, films, name):
    """A frame that lasts ten seconds, or sound alone: the text is that of the moment."""
    program = play(films(name), "--subtitle", "en", wait=name == "slow.mkv")
    times = []
    for second in range(2, 6):
        program.ipc.wait_for("sub-text", lambda text: text == f"English {second}")
        times.append(program.ipc.get("time-pos"))
    until_ink(program, lambda count: count > 100)
    if name == "spoken.mkv":
        # The sound's position, with the delay of a busy machine's query.
        assert all(second - 0.1 < now < second + 0.96 for second, now in enumerate(times, start=2)), times
    elif program.ipc.get("time-pos") < 10:
        assert program.ipc.get("vitrine/frames-shown") == 1


def test_subtitles_chosen_while_paused_show_at_once(play, films):
    """Another track's, and none, too: neither the film's frame nor its position changes."""
    film = films("tracks.mkv")
    program = play(film, "--paused", "--start", "5.5")
    assert ink(program) == 0
    frame = program.frame(film)
    seen = []
    for sid, text in ((1, "English 5"), (2, "Deutsch 5"), (3, "Plain 5"), ("no", "")):
        program.ipc.set("sid", sid)
        program.ipc.wait_for("sub-text", lambda now: now == text)
        seen.append(until_ink(program, (lambda count: count > 100) if text else (lambda count: count == 0)))
    assert program.frame(film) == frame
    assert program.ipc.get("pause") is True
    assert len(set(seen)) > 2, "they all look the same"


@pytest.mark.parametrize("name", ["vtt.mkv", "vtt-mkvmerge.mkv"])
def test_webvtt_in_matroska(play, films, name):
    """GStreamer has no name for it. Cues with and without a name of their own, read during playback and after a seek;
    without a message about a missing plugin."""
    program = play(films(name), "--subtitle", "en")
    for _ in range(3):
        program.ipc.wait_for("sub-text", lambda text: text.startswith("English ") and text.endswith(" &"))
    program.ipc.set("pause", True)
    assert [track.get("lang") for track in program.ipc.get("track-list")] == [None, "en"]
    for second in (12, 3):
        program.ipc.command("seek", second + 0.5, "absolute+exact")
        settled(program)
        program.ipc.wait_for("sub-text", lambda text: text == f"English {second} &")
    until_ink(program, lambda count: count > 100)
    assert "plugin" not in program.log()
    text = play.run("inspect", films(name).path)
    assert text.wait_until_ended(20) == 0
    assert "H.264" in text.log() and "subtitles  WebVTT" in text.log()


@pytest.mark.parametrize("name", ["timed-text.mp4", "vtt.mp4"])
def test_subtitles_in_mp4(play, films, name):
    program = play(films(name), "--subtitle", "en")
    for _ in range(2):
        program.ipc.wait_for("sub-text", lambda text: text.startswith("English "))
    program.ipc.set("pause", True)
    for second in (12, 3):
        program.ipc.command("seek", second + 0.5, "absolute+exact")
        settled(program)
        program.ipc.wait_for("sub-text", lambda text: text == f"English {second}")


def test_subtitles_follow_a_seek(play, films):
    program = play(films("tracks.mkv"), "--paused", "--subtitle", "de")
    for second in (12, 3, 19):
        program.ipc.command("seek", second + 0.5, "absolute+exact")
        settled(program)
        program.ipc.wait_for("sub-text", lambda text: text == f"Deutsch {second}")


def test_subtitles_stand_above_the_bar(play, films, panel):
    program = play(films("tracks.mkv"), "--paused", "--start", "5.5", "--subtitle", "en")
    until_ink(program, lambda count: count > 100)
    alone = program.screenshot()
    assert ink(program, ABOVE) == 0
    panel.wait_until_read()
    finger = hold_bar(program, panel)
    rows = numpy.flatnonzero((alone.min(axis=2) > 200).sum(axis=1)[600:]) + 600
    assert rows[0] > 700, "at the lower edge while there is no bar"
    height = rows[-1] - rows[0]
    assert height > 10
    until_ink(program, lambda count: count > 100, ABOVE)
    finger.up()


@pytest.mark.parametrize("way", ["plane", "composited"])
def test_four_lines_are_whole_above_the_bar(play, films, panel, tmp_path, way):
    """Closed captions often have three."""
    shutil.copy(films("silent.mp4").path, tmp_path / "film.mp4")
    lines = "\n".join(["♪ Along the mountains ♪", ">> The one: (gypqj)", "and a third line", "Ägypten, Åland"])
    (tmp_path / "film.srt").write_text(f"1\n00:00:00,000 --> 00:00:20,000\n{lines}\n")
    program = play(str(tmp_path / "film.mp4"), "--paused", "--start", "5", "--osd", way)
    program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 2)
    program.ipc.set("sid", 1)
    whole = slice(560, 768)
    until_ink(program, lambda count: count > 1000, whole)
    alone = ink(program, whole)
    panel.wait_until_read()
    finger = hold_bar(program, panel)
    # Title and time are below.
    until_ink(program, lambda count: abs(count - alone) < alone / 20, slice(480, 684))
    finger.up()


@pytest.mark.parametrize("rotation", [90, 180])
def test_subtitles_are_turned_with_the_film(play, films, rotation):
    program = play(films("tracks.mkv"), "--paused", "--start", "5.5", "--subtitle", "en", "--rotate", rotation)
    program.ipc.wait_for("sub-text", lambda text: text == "English 5")

    def ink_at_the_edge() -> int:
        white = program.screenshot().min(axis=2) > 200
        # The viewer's lower edge: the display's left one, or its upper one.
        return int((white[:, :78] if rotation == 90 else white[:78]).sum())

    for _ in range(100):
        if ink_at_the_edge() > 100:
            return
    pytest.fail("no subtitles where the viewer's lower edge is")


def test_composited_subtitles(play, films):
    """Without a plane for them, they are blended into the film's frames."""
    program = play(films("tracks.mkv"), "--paused", "--start", "5.5", "--osd", "composited", "--subtitle", "en")
    program.ipc.wait_for("sub-text", lambda text: text == "English 5")
    until_ink(program, lambda count: count > 100)
    program.ipc.set("sid", "no")
    until_ink(program, lambda count: count == 0)


SCRIPT = (
    "[Script Info]\r\n\r\n[Events]\r\nFormat: Layer, Start, End, Style, Text\r\n"
    "Dialogue: 0,0:00:01.00,0:00:09.00,Default,{{\\i1}}{text}{{\\i0}} & more\r\n"
)
BESIDE = {
    # As people write it: no counter, another arrow, and an override of ASS.
    "srt": "00:00:01,000 -> 00:00:09,000\n{{\\an8}}<i>{text}</i> &amp; more\n",
    "vtt": "WEBVTT\n\nSTYLE\n::cue {{}}\n\n00:01.000 --> 00:09.000 line:0\n<v Anna><i>{text}</i> &amp; <00:00:02.000>more\n\n",
    "ass": SCRIPT, "ssa": SCRIPT,
}


@pytest.mark.parametrize(
    "name, encoding, text, tag",
    [
        ("film.srt", "cp1252", "Grüße", None), ("film.pl.sdh.srt", "cp1250", "Cześć", "pl"),
        ("film.en.vtt", "utf-8", "Hello", "en"), ("film.ass", "utf-16", "Grüße", None),
        *also(("film.de.srt", "utf-8", "Grüße", "de"), ("film.ru.srt", "cp1251", "Привет", "ru"),
              ("film.de.ass", "utf-8", "Grüße", "de"), ("film.ru.ssa", "cp1251", "Привет", "ru")),
    ],
)
def test_subtitles_beside_the_film(play, films, tmp_path, name, encoding, text, tag):
    """A file beside the film, in UTF-8 or in the encoding of its language's Windows."""
    shutil.copy(films("silent.mp4").path, tmp_path / "film.mp4")
    (tmp_path / name).write_bytes(BESIDE[name[-3:]].format(text=text).encode(encoding))
    (tmp_path / "film.it.srt").write_text("nothing\n")
    program = play(tmp_path / "film.mp4", "--paused", "--start", "5")
    program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 2)
    assert "film.it.srt: no text is found in it" in program.log()
    [_, track] = program.ipc.get("track-list")
    assert track["external"] is True and track["external-filename"].endswith(name) and track.get("lang") == tag
    program.ipc.set("sid", 1)
    program.ipc.wait_for("sub-text", lambda now: now == f"{text} & more")
    until_ink(program, lambda count: count > 100)


def test_a_choice_is_kept_for_the_films_that_follow(play, films):
    """By its language; another film's tracks may be in another order."""
    program = play(films("tracks.mkv"), "--paused")
    program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 7)
    program.ipc.set("aid", 2)
    program.ipc.set("sid", 2)
    settled(program)
    program.ipc.command("loadfile", films("silent.mp4").path)
    program.ipc.wait_for("filename", lambda name: name == "silent.mp4")
    program.ipc.wait_for("track-list", lambda tracks: [track["type"] for track in tracks or []] == ["video"])
    program.ipc.command("loadfile", films("tracks.mkv").path)
    program.ipc.wait_for("track-list", lambda tracks: tracks is not None and len(tracks) == 7)
    assert (program.ipc.get("aid"), program.ipc.get("sid")) == (2, 2)
    assert program.ipc.get("slang") == ["de"]


def test_another_sound_while_it_plays(play, films, recorder):
    film = films("tracks.mkv")
    program = play(film, "--loop", environment=recorder.environment)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 1)
    recorder.wait_for_pitch(PITCHES[0])
    program.ipc.set("aid", 3)
    settled(program)
    assert [track["selected"] for track in program.ipc.get("track-list") if track["type"] == "audio"] == [False, False, True]
    now = program.ipc.get("time-pos")
    assert now > 0.9, "it began again"
    recorder.wait_for_pitch(PITCHES[2])
    with pytest.raises(IPCError):
        program.ipc.set("aid", 9)
    program.ipc.command("cycle", "aid")
    assert program.ipc.get("aid") is False
    recorder.wait_for_pitch(None)
    # Chosen while paused.
    program.ipc.set("pause", True)
    program.ipc.command("cycle", "aid")
    program.ipc.set("aid", 2)
    assert program.ipc.get("aid") == 2
    program.ipc.set("pause", False)
    recorder.wait_for_pitch(PITCHES[1])


def test_the_preferred_language_is_heard(play, films, recorder):
    program = play(films("tracks.mkv"), "--audio", "de", environment=recorder.environment)
    recorder.wait_for_pitch(PITCHES[1])
    assert program.ipc.get("aid") == 2


def test_volume_and_mute(play, films, recorder):
    """A14: perceptual per cent, whose cube scales the samples."""
    program = play(films("360p-key50.mp4"), "--volume", 40, environment=recorder.environment)
    assert program.ipc.get("volume") == 40 and program.ipc.get("mute") is False
    program.ipc.wait_for("time-pos", lambda time: time is not None and time > 0.3)
    quiet = recorder.loudness(1)
    program.ipc.command("add", "volume", 70)
    assert program.ipc.get("volume") == 100
    recorder.loudness(0.5)  # What was on its way.
    assert recorder.loudness(1) > 5 * quiet > 0
    program.ipc.command("cycle", "mute")
    assert program.ipc.get("mute") is True
    recorder.wait_for_pitch(None)
    with pytest.raises(IPCError):
        program.ipc.set("volume", 1001)
    now = program.ipc.wait_for("time-pos", lambda time: time is not None)
    program.ipc.wait_for("time-pos", lambda time: time > now + 0.5)
