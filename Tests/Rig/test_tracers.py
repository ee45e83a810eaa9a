"""GStreamer's own view of the player: leaks at its end (the tracer `leaks`), its warnings (`GST_DEBUG=*:2`), a rule of
its validate's, and the player's lines in its log (T7). Errors that it reports about its caller end every test's
program, or are found in its log: mistakes.py."""

import collections
import pathlib
import re

import pytest

import servers
from bar import Layout, show_bar
from test_preload import seen, until_near_end, until_open
from thorough import also
from tracers import LEAKS, end, gst_log

LAYOUT = Layout()
FILMS = ["brief.mkv", "vp9-opus.webm", "brief.mp4", "breaks.mp4", "still.jpg", "vtt.mkv"]


def settled(program) -> None:
    program.ipc.wait_for("seeking", lambda seeking: seeking is False, timeout=20)


def to_film(program, film) -> None:
    program.ipc.command("loadfile", film.path)
    program.ipc.wait_for("path", lambda path: path == film.path)
    program.ipc.wait_for("time-pos", lambda now: now is not None and (now > 0.04 or film.path.endswith("jpg")), timeout=20)


def an_evening(program, films, panel) -> None:
    """Scrubs, pauses, steps, plays at other rates, other tracks and films; loops; a film fails."""
    settled(program)
    panel.wait_until_read()
    show_bar(program, panel)
    panel.path([(LAYOUT.x(x), LAYOUT.y) for x in (0.1, 0.8, 0.3)], seconds=2)
    settled(program)
    program.ipc.set("pause", True)
    for command in ("frame-step", "frame-back-step"):
        program.ipc.command(command)
        settled(program)
    program.ipc.set("pause", False)
    for direction, speed in (("forward", 2), ("backward", 1), ("forward", 1)):
        program.ipc.set("play-direction", direction)
        program.ipc.set("speed", speed)
        settled(program)
    to_film(program, films("tracks.mkv"))
    program.ipc.wait_for("track-list", lambda tracks: len(tracks) == 7)
    program.ipc.set("aid", 2)
    settled(program)
    for sid in (2, "no", 1):
        program.ipc.set("sid", sid)
    program.ipc.wait_for("sub-text", bool)
    program.ipc.command("seek", 15, "absolute+exact")
    settled(program)
    for name in FILMS:
        to_film(program, films(name))
        if name.startswith("brief"):
            before = program.ipc.get("vitrine/ends")
            program.ipc.wait_for_counter("vitrine/ends", lambda now: now > before + 2, timeout=20)
        elif name.startswith("breaks"):
            program.wait_for_log("breaks.mp4")


@pytest.mark.slow
@pytest.mark.parametrize("osd", ["plane", *also("composited")])
def test_nothing_is_left_of_what_was_played(play, films, panel, gst_log, osd):
    environment = LEAKS | gst_log.environment("GST_TRACER:7")
    program = play(films("silent.mp4"), "--loop", "--subtitle", "en", "--osd", osd, environment=environment)
    an_evening(program, films, panel)
    end(program)
    gst_log.nothing_left()


@pytest.mark.slow
def test_nothing_is_left_of_what_was_made_ready(play, films, gst_log):
    """The next film (A13): used, dropped, and preloaded as the program ends."""
    first, second = films("silent.mp4"), films("short.mp4")
    program = play(first, second, environment=LEAKS | gst_log.environment("GST_TRACER:7"))
    until_near_end(program, first)
    until_open(program, second)
    program.ipc.command("seek", 0, "absolute")
    until_open(program, second, is_open=False)
    until_near_end(program, first)
    seen(program, second)
    program.ipc.set("playlist-pos", 0)
    seen(program, first)
    until_near_end(program, first)
    until_open(program, second)
    end(program)
    gst_log.nothing_left()


@pytest.mark.slow
def test_nothing_is_left_of_films_over_a_network(play, films, gst_log, tmp_path):
    """A seekable film, a live one, and a server that disappears."""
    film = films("360p-key50.mp4")
    web = servers.WebServer(pathlib.Path(film.path).parent, tmp_path)
    live = servers.RTSPServer(film.path)
    try:
        program = play(web.url("360p-key50.mp4"), "--loop", environment=LEAKS | gst_log.environment("GST_TRACER:7"))
        settled(program)
        program.ipc.command("seek", 30, "absolute+exact")
        settled(program)
        program.ipc.command("loadfile", live.url)
        program.ipc.wait_for("vitrine/live", timeout=30)
        program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0, timeout=30)
        program.ipc.command("loadfile", web.url("square-4x3.mp4"))
        program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.04, timeout=30)
    finally:
        web.stop()
        live.stop()
    end(program)
    gst_log.nothing_left()


@pytest.mark.parametrize("name", ["tracks.mkv", "truncated.mp4", *also("360p-key50.mp4", "chapters.mkv", "vtt.mkv")])
def test_nothing_is_left_of_what_was_inspected(play, films, gst_log, name):
    program = play.run("inspect", films(name).path, environment=LEAKS | gst_log.environment("GST_TRACER:7"))
    program.wait_until_ended(30)
    gst_log.nothing_left()


# Warnings of GStreamer 1.22 and 1.26 while all is well: the category, the text, and the reason.
KNOWN = [
    # About the film.
    ("matroskareadcommon", "Unknown CueTrackPositions subelement 0x(b2|f0)", "ffmpeg's index has more than GStreamer reads"),
    ("matroskademux", "Unknown TrackEntry subelement", "the same of the head"),
    ("matroskademux", "Unknown ebml id 0x1c53bb6b", "the index behind the last cluster of a film of one cluster"),
    ("qtdemux", "unknown QuickTime node type (sgpd|sbgp)", "ffmpeg's groups of samples of AAC"),
    ("qtdemux", "failed to find fragment defaults", "each MP4 is asked for those, in fragments or not"),
    ("qtdemux", "This file is corrupt", "breaks.mp4: reported as an error, too"),
    ("alsa", "alsalib error: (function snd_func_|error evaluating|Evaluate error: No such device)",
     "alsasink asks by a longer name whether the card takes sound that is still coded"),
    ("default", "No description available for media type: application/x-subtitle-unknown", "WebVTT in Matroska has no name"),
    ("videodecoder", "Received buffer without a new-segment", "a still: bytes come straight from its file, and have no time"),
    ("video-info", "chroma-site only makes sense for YUV|invalid chroma-site", "1.26: Matroska has it for what is encoded, too"),
    ("baseparse", "(Internal data stream error|reason not-linked)", "1.26: a JPEG can be sought in, and has no key frames to find"),
    # About GStreamer's own methods.
    ("basesrc", "pad not activated yet", "each file that is read by its demuxer: it is opened before its pad is on"),
    ("audio-resampler", "can't find exact taps", "44.1 kHz for a card of 48: the nearest of its filters is taken"),
    ("pipeline", "did not really configure latency of 0:00:00.0{9}", "1.26, now and then: there is none, as nothing is live"),
    ("bin", "did not really configure latency of 0:00:00.0{9}", "the same with 1.22, more seldom"),
    # About the machine.
    ("alsa", "AES|Parse arguments error", "alsasink asks whether the card takes what is not PCM; the rig's does not"),
    ("alsa", "Cannot read Channel Map", "nor does it report where its loudspeakers are"),
    ("alsa", "xrun recovery", "sound came late to the card"),
    ("videodecoder", "Dropping frame due to QoS", "a machine that is busy: the decoder leaves out what is late"),
    ("basesink", "A lot of buffers are being dropped|There may be a timestamping problem", "the same of the sink"),
    ("audiobasesink", "Unexpected discontinuity", "the same of the sound"),
    ("audiobasesink", "correct clock skew", "the card was late by more than 40 ms, and the sound is brought back to the film's clock"),
]

WARNING = re.compile(r"^\S+ +\d+ +0x[0-9a-f]+ (WARN|ERROR) +(\S+) \S+?:\d+:(\w+):(?:<[^>]*>)? ?(.*)$")


@pytest.mark.slow
def test_what_gstreamer_warns_of_is_known(play, films, panel, gst_log):
    program = play(films("silent.mp4"), "--loop", "--subtitle", "en", environment=gst_log.environment("*:2"))
    an_evening(program, films, panel)
    end(program)
    kinds, was_known = collections.Counter(), False
    for line in gst_log.lines():
        if match := WARNING.match(line):
            _, category, function, text = match.groups()
            if any(category == known and re.search(words, text) for known, words, _ in KNOWN):
                was_known = True
            else:
                kinds[category, function, re.sub(r"\d+", "N", text)] += 1
    assert was_known, "none of the lines was understood"
    assert not kinds, "\n".join(f"{count:5} {' '.join(kind)}" for kind, count in kinds.most_common())


def test_its_own_category(play, films, gst_log):
    """The player's actions on GStreamer are in GStreamer's log, beside the elements' messages, and only if that is
    enabled (T7)."""
    def lines(level: str) -> list[str]:
        program = play(films("360p-key50.mp4"), "--paused", environment=gst_log.environment(level))
        program.ipc.command("seek", 10.02, "absolute+exact")
        settled(program)
        end(program)
        return [line for line in gst_log.lines() if " vitrine " in line]

    said = "\n".join(lines("vitrine:6"))
    for words in ("to PAUSED", "seek 1 to ", "seek 1 is answered: +0:00:10.02", "frame +0:00:10.000"):
        assert words in said, f"no {words!r} in\n{said}"
    assert not lines("*:2")


@pytest.mark.parametrize(("level", "levels"), [("debug", {"debug", "info", "error"}), ("info", {"info", "error"}), ("error", {"error"})])
def test_the_program_s_log_has_levels(play, films, level, levels):
    """Each line has its time, level and part; none is below the requested level (T7)."""
    program = play(films("brief-silent.mp4"), films("noise.mp4"), "--end", "stop", "--log", level)
    program.wait_for_log("error vitrine")
    program.stop()
    lines = [re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} (\w+) vitrine: .*\[\w+\] ", line) for line in program.log().splitlines()]
    assert all(lines), program.log()
    assert {line[1] for line in lines} - {"warning"} == levels


DISCONT = 0x40
CHAINED = re.compile(r"<film:sink> calling chainfunction .* flags 0x([0-9a-f]+)")


def test_what_a_flush_begins_with_says_so(play, films, panel, gst_log):
    """M8: GStreamer requires the flag on the first frame after a flush, also if the gate holds back those before it."""
    program = play(films("360p-key10.mp4"), "--paused", environment=gst_log.environment("GST_EVENT:5,GST_SCHEDULING:5"))
    settled(program)
    panel.wait_until_read()
    show_bar(program, panel)
    panel.path([(LAYOUT.x(x), LAYOUT.y) for x in (0.1, 0.2, 0.1)], seconds=4)
    settled(program)
    end(program)
    was_flushed, firsts = False, []
    for line in gst_log.lines():
        if "<film:sink> cleared flush flag" in line:
            was_flushed = True
        elif was_flushed and (match := CHAINED.search(line)):
            was_flushed = False
            firsts.append(int(match[1], 16) & DISCONT)
    assert len(firsts) > 5
    assert all(firsts), f"{firsts.count(0)} of {len(firsts)} without"
