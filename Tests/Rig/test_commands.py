"""`vitrine displays`, `vitrine touch`, `vitrine inspect`."""

import json
import re
import signal
import subprocess

import pytest

from bar import Layout
from thorough import also


def output(program, status: int = 0) -> str:
    assert program.wait_until_ended(20) == status, program.log()
    return program.log()


def test_displays_lists_what_there_is_and_what_it_would_choose(play):
    text = output(play.run("displays"))
    words = ("card0", "vkms", "Virtual-1", "1024x768", "primary", "overlay", "cursor", "YU12", "does not scale")
    for word in words:
        assert word in text, f"{word!r} is missing"
    assert re.search(r"would play on Virtual-1 of /dev/dri/card0 in 1024x768@60", text)
    assert len(re.findall(r"^  - ", text, re.M)) >= 3, "the reasons"


def test_displays_as_json(play):
    report = json.loads(output(play.run("displays", "--json")))
    assert report["choice"]["connectorName"] == "Virtual-1"
    assert [report["choice"]["mode"][side] for side in ("width", "height")] == [1024, 768]
    assert report["choice"]["filmPlane"]["id"] < report["choice"]["osdPlane"]["id"], "vkms stacks planes by their ids"
    assert "YU12" in report["choice"]["filmPlane"]["formats"]
    assert report["choice"]["reasons"]


def test_displays_chooses_as_play_would(play):
    assert "in 1280x720@60" in output(play.run("displays", "--mode", "1280x720"))
    text = output(play.run("displays", "--connector", "HDMI-A-9"), status=8)
    assert "HDMI-A-9" in text and "Virtual-1" in text
    report = json.loads(output(play.run("displays", "--json", "--mode", "123x45"), status=8))
    assert "123x45" in report["problem"] and report["remedy"]


def test_displays_while_a_film_plays(play, films):
    """It only reads: the film plays on."""
    program = play(films("silent.mp4"))
    output(play.run("displays"))
    shown = program.ipc.get("vitrine/frames-shown")
    program.ipc.wait_for_counter("vitrine/frames-shown", lambda now: now > shown + 5)


def test_touch_lists_the_panels(play, panel):
    text = output(play.run("touch", "--list"))
    assert re.search(rf"^{panel.node}  {panel.name}, 15[45] x 8[67] mm", text), text


def test_touch_without_a_panel(play):
    assert "no touch panel" in output(play.run("touch", "--list"))


def test_touch_prints_what_fingers_do(play, panel):
    """libinput's events, and the resulting slider events, as they happen (B1, B2)."""
    program = play.run("touch", "--display", "1024x768")
    panel.wait_until_read()
    layout = Layout()
    # One after the other: the kernel drops the queued events of a panel that is not read in time.
    panel.down(layout.x(0.2), layout.y)
    panel.frame()
    program.wait_for_log("slider: touch-down 0.2\n")
    for step in range(1, 11):
        panel.move(layout.x(0.2 + step / 20), layout.y)
        panel.frame()
        program.wait_for_log("value-changed", count=step)
    panel.up()
    panel.frame()
    program.wait_for_log("slider: touch-up 0.7\n")
    panel.tap(0.5, 0.3)
    program.wait_for_log("tap on the film")
    panel.down(layout.x(0.4), layout.y)
    panel.frame()
    panel.cancel()
    panel.frame()
    # libinput cancels so when a device is removed.
    program.wait_for_log("slider: cancel")
    panel.unplug()
    program.wait_for_log("panel removed")
    program.signal(signal.SIGINT)
    program.wait_until_ended()
    text = program.log()
    lines = ["panel added: ", "slider: touch-down 0.2\n", "slider: touch-up 0.7\n", "tap on the film"]
    lines += ["slider: touch-down 0.4\n", "finger 0 cancel", "slider: cancel"]
    for line in lines:
        assert line in text, f"{line!r} is not in {text}"
    values = [float(value) for value in re.findall(r"value-changed ([0-9.]+)", text)]
    assert len(values) >= 8 and values == sorted(values)


@pytest.mark.parametrize(
    "name, spacing, count",
    [("360p-key10.mp4", "0.40", 150), ("360p-key50.mp4", "2.00", 30), ("360p-key250.mp4", "10.00", 6)],
)
def test_inspect_prints_the_keyframes(play, films, name, spacing, count):
    text = output(play.run("inspect", films(name).path))
    for word in (name, "00:01:00", "H.264", "640x360", "25/1 fps", "AAC", "2 channels", "48000 Hz"):
        assert word in text, f"{word!r} is missing in {text}"
    assert f"key frames {count}, every {spacing} s, at most {spacing} s apart" in text, text


@pytest.mark.parametrize("name, length", [
    ("apart-sound-first.mp4", "00:00:06"), ("recorded.webm", "00:00:02"), ("recorded.mkv", "00:00:02"),
])
def test_inspect_prints_how_long_a_film_is(play, films, name, length):
    """Also for a film whose demuxer knows it only after reading all of it."""
    assert f"  duration   {length}\n" in output(play.run("inspect", films(name).path))


def test_inspect_s_command_mends_scrubbing(play, films, tmp_path):
    """N9: a film with a key frame every 10 s; the recommendation of `inspect` is applied, and then it is satisfied."""
    source = tmp_path / "it's a film.mp4"
    cut = ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", films("360p-key250.mp4").path, "-t", "12", "-c", "copy"]
    subprocess.run([*cut, source], check=True)
    text = output(play.run("inspect", source))
    assert "up to 10.00 s of film are decoded" in text, text
    [command] = [line.strip() for line in text.splitlines() if line.strip().startswith("ffmpeg ")]
    subprocess.run(["sh", "-c", command + " < /dev/null"], check=True)
    text = output(play.run("inspect", tmp_path / "it's a film-scrub.mp4"))
    assert "very good" in text and "00:00:12" in text and "AAC" in text, text


MENDED = {
    "sparse.webm": (".webm", "-c:v libvpx-vp9 -g 999 -deadline realtime -cpu-used 8 -c:a libopus", ("VP9", "Opus")),
    "sparse.mkv": (".mkv", "-c:v libx264 -preset ultrafast -g 999 -c:a copy", ("H.264", "AAC")),
    "sparse.ts": (".mkv", "-c:v libx264 -preset ultrafast -g 999 -c:a copy", ("H.264", "AAC")),
    "sparse.avi": (".mkv", "-c:v mpeg4 -g 600 -q:v 8 -c:a libmp3lame", ("H.264", "MP3")),
    "sparse.ogv": (".mkv", "-c:v libtheora -g 999 -c:a libvorbis", ("H.264", "Vorbis")),
    # Ten bits a colour, which few boards show.
    "ten.mp4": (".mp4", "-c:v libx264 -preset ultrafast -g 999 -pix_fmt yuv420p10le -c:a copy", ("H.264", "AAC")),
}


@pytest.mark.parametrize("name", ["sparse.webm", "ten.mp4", *also("sparse.mkv", "sparse.ts", "sparse.avi", "sparse.ogv")])
def test_inspect_s_command_mends_each_kind(play, films, tmp_path, name):
    """N9: the recommendations for other containers, codecs and colours are applied, too."""
    ending, words, codecs = MENDED[name]
    make = ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", films("360p-key250.mp4").path, "-t", "8", "-vf", "scale=160:90"]
    subprocess.run([*make, *words.split(), "-sc_threshold", "0", tmp_path / name], check=True)
    text = output(play.run("inspect", tmp_path / name))
    # Another recommendation may remain.
    [command] = [line.strip() for line in text.splitlines() if line.strip().startswith("ffmpeg ") and "-scrub." in line]
    subprocess.run(["sh", "-c", command + " < /dev/null"], check=True)
    result = tmp_path / f"{name.rsplit('.', 1)[0]}-scrub{ending}"
    text = output(play.run("inspect", result))
    assert "very good" in text and "00:00:08" in text, text
    for codec in codecs:
        assert codec in text, text
    shown = subprocess.run(
        ["ffprobe", "-loglevel", "error", "-select_streams", "v", "-show_entries", "stream=pix_fmt", "-of", "csv=p=0", result],
        check=True, capture_output=True, text=True)
    assert shown.stdout.strip().strip(",") == "yuv420p"


@pytest.mark.speed
def test_inspect_says_whether_a_film_plays(play, films, tmp_path):
    """N9: the speed at which this machine decodes it; the command that makes a demanding film easier is applied, and
    the result plays."""
    def times(text: str) -> float:
        found = re.search(r"playing    decoded ([\d.]+) times as fast as it plays, by avdec_h264", text)
        assert found, text
        return float(found[1])

    light = times(output(play.run("inspect", films("360p-key50.mp4").path)))
    make = "ffmpeg -nostdin -loglevel error -f lavfi -i testsrc2=size=3840x2160:rate=240:duration=0.5 -c:v libx264 -preset ultrafast"
    subprocess.run([*make.split(), tmp_path / "heavy.mp4"], check=True)
    text = output(play.run("inspect", tmp_path / "heavy.mp4"))
    heavy = times(text)
    assert heavy < 1.25 and "too much for this machine" in text, text
    [command] = [line.strip() for line in text.splitlines() if line.strip().startswith("ffmpeg ")]
    subprocess.run(["sh", "-c", command + " < /dev/null"], check=True)
    text = output(play.run("inspect", tmp_path / "heavy-scrub.mp4"))
    assert "1920x1080, 30/1 fps" in text, text
    # The speed depends on this machine, and on its other work.
    assert times(text) > 2 * heavy and light > 5 * heavy, (light, heavy, text)


@pytest.mark.parametrize("name", ["words.mp4", "words.mkv"])
def test_inspect_prints_a_film_s_metadata(play, films, name):
    lines = output(play.run("inspect", films(name).path)).splitlines()
    for line in (
        "title      Once upon a Time", "artist     Ann", "album      Westerns", "date       1968-12-21", "comment    The long one",
    ):
        assert f"  {line}" in lines, lines


def test_inspect_lists_tracks_and_the_film_s_metadata(play, films):
    text = output(play.run("inspect", films("tracks.mkv").path))
    sounds = [line.split(", ") for line in text.splitlines() if line.startswith("  audio")]
    assert sounds[0][-1] == "English" and sounds[1][-2:] == ["Deutsch", '"Kommentar"'], text
    assert sum(line.startswith("  subtitles") for line in text.splitlines()) == 3, text
    assert text.count('"') == 2, f"a name that is no track's: {text}"
    assert "Test film" in text


@pytest.mark.parametrize(
    "name, words",
    [
        ("vp9-opus.webm", ["VP9", "Opus", "640x360", "00:00:10", "key frames 5, every 2.00 s"]),
        ("pal-16x9.mp4", ["720x576", "pixels 64:45", "key frames 5"]),
        ("sound-only.m4a", ["AAC", "00:00:30"]),
        ("silent.mp4", ["H.264", "00:00:20", "key frames 10"]),
    ],
)
def test_inspect_lists_streams(play, films, name, words):
    text = output(play.run("inspect", films(name).path))
    for word in words:
        assert word in text, f"{word!r} is missing in {text}"
