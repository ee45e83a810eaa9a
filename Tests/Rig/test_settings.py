"""A kiosk's settings file: its settings are applied, and no error in it stops the film (N8)."""

import json
import os
import pathlib
import shutil
import subprocess
import time

import numpy
import pytest

USAGE, BAD_SETTINGS = 64, 65


@pytest.fixture
def kiosk(play, films, tmp_path):
    """`kiosk(text, {"1.mp4": "short.mp4"})`: a folder like the card's, with settings and films, and the player on
    it."""

    class Kiosk:
        folder = tmp_path / "card"
        settings = folder / "vitrine.toml"
        errors = folder / "vitrine-errors.txt"
        programs = play

        def put(self, name: str, film: str) -> str:
            path = self.folder / "films" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(films(film).path, path)
            return str(path)

        def __call__(self, text: str | bytes | None, contents: dict[str, str] = {}, *words, wait=True, **options):
            self.folder.mkdir(exist_ok=True)
            if text is not None:
                self.settings.write_bytes(text.encode() if isinstance(text, str) else text)
            for name, film in contents.items():
                self.put(name, film)
            return play("--settings", self.settings, *words, wait=wait, **options)

    return Kiosk()


def test_films_and_options_come_from_the_file(kiosk, films):
    """As Notepad saves it; other files than films are skipped, and 2 comes before 10."""
    text = 'mode = "800x600"\r\nrotate = 180\r\nvolume = 30\r\nat-end = "pause"\r\n'
    program = kiosk(b"\xff\xfe" + text.encode("utf-16-le"), {"10.mp4": "silent.mp4", "2.mp4": "360p-key50.mp4",
                                                              "._2.mp4": "text.mp4", "notes.txt": "text.mp4"})  # fmt: skip
    names = [pathlib.Path(entry["filename"]).name for entry in program.ipc.get("playlist")]
    assert names == ["2.mp4", "10.mp4"]
    picture = program.screenshot()
    assert picture.shape[:2] == (600, 800)
    assert program.reading(films("360p-key50.mp4"), picture[::-1, ::-1]).film == films("360p-key50.mp4").number
    assert not kiosk.errors.exists()
    assert program.complaints() == []


def test_the_player_does_what_the_file_requests(kiosk, films, tmp_path):
    """And the opposite values in the other case: an ignored setting would be noticed."""
    for requests, expected in (
        ('volume = 30\nat-end = "stop"\ngravity = "fill"\nlanguages = ["de"]\nsubtitles = "fr, de"\nresume = false\n',
         {"volume": 30, "vitrine/end": "stop", "panscan": 1, "aid": 2, "sid": 2}),
        ("", {"volume": 100, "vitrine/end": "loop", "panscan": 0, "aid": 1, "sid": False}),
        ("mute = true\n", {}),
    ):  # fmt: skip
        state = tmp_path / f"state-{len(requests)}"
        state.mkdir()
        program = kiosk(requests, {"1.mkv": "tracks.mkv"}, "--state", state)
        for name, value in expected.items():
            program.ipc.wait_for(name, lambda now, value=value: now == value)
        files = program.opened()
        assert any(name.startswith("/dev/snd/pcm") for name in files) == ("mute" not in requests), files
        program.stop()
        assert (state / "playing.json").exists() == ("resume" not in requests), "where it was is kept, or not"


def test_the_command_line_comes_first(kiosk, films):
    film = films("silent.mp4")
    program = kiosk('mode = "800x600"\nrotate = 90\n', {"1.mp4": "short.mp4"}, "--mode", "1280x720", "--rotate", "0", film.path)
    assert program.ipc.get("path") == film.path
    picture = program.screenshot()
    assert picture.shape[:2] == (720, 1280)
    assert program.reading(film, picture).film == film.number


def test_each_mistake_is_reported_and_the_film_plays(kiosk, films):
    """In the log, and beside the file while there are any."""
    text = 'volume = 50%\nconnector = "HDMI-A-9"\nmode = "800x600"\nloop = true\nfilms = ["nowhere.mp4", "films"]\n'
    program = kiosk(text, {"1.mp4": "silent.mp4"})
    assert program.screenshot().shape[:2] == (600, 800)
    log, written = program.log(), kiosk.errors.read_text()
    for line, word in ((1, "volume = 50"), (4, "at-end"), (5, "nowhere.mp4")):
        assert f"Line {line}: " in written and word in written
        assert f"vitrine.toml:{line}: " in log
    assert "HDMI-A-9" in log, "what only the display knows is reported too"
    end = time.monotonic() + 10
    while 'Line 2: connector = "HDMI-A-9"' not in written:
        assert time.monotonic() < end, written
        time.sleep(0.05)
        written = kiosk.errors.read_text()
    assert "Line 1: " in written and "Line 5: " in written, "what was there stays"
    program.stop()
    kiosk("").stop()
    assert not kiosk.errors.exists()


@pytest.mark.parametrize("text", [None, b"\0" * 512, b"\xff\xfe\xff\xd8" * 40], ids=["no file", "zeros", "noise"])
def test_without_settings_the_film_plays(kiosk, text):
    program = kiosk(text, {"1.mp4": "silent.mp4"})
    assert "vitrine.toml" in program.log()
    assert program.ipc.get("pause") is False


def test_a_film_is_found_whatever_its_name_is(kiosk, films):
    """On a camera's card, in Windows' own letters, with every character; other files are named beside the settings, or
    not at all."""
    named = {"$9.99 (2008).ts": "$9.99 (2008)", "f\udcfcnf.ts": "f\u00fcnf", '-two\nlines "50%" #1? \U0001f3ac.ts':
             '-two\nlines "50%" #1? \U0001f3ac', "PRIVATE/AVCHD/BDMV/STREAM/00000.MTS": "00000"}  # fmt: skip
    others = {"cover.jpg": "still.jpg", "empty.mp4": "zero-bytes.mp4", "__MACOSX/1.mp4": "text.mp4", "GX01.LRV": "text.mp4"}
    # Without a title of its own.
    film = films("short.ts")
    (kiosk.folder / "films").mkdir(parents=True)
    (kiosk.folder / "films/again").symlink_to(".")
    program = kiosk("", dict.fromkeys(named, "short.ts") | others)
    assert len(program.ipc.get("playlist")) == len(named)
    titles = set()
    for place in range(len(named)):
        program.ipc.set("playlist-pos", place)
        program.ipc.wait_for("playlist-pos", lambda now, place=place: now == place)
        program.wait_until_shown()
        assert program.reading(film).film == film.number
        # Each has one of its own: the previous film's is still there for a moment.
        titles.add(program.ipc.wait_for("media-title", lambda title: title is not None and title not in titles))
    assert titles == set(named.values())
    command = [os.environ["VITRINE_BIN"], "inspect", kiosk.folder / "films/f\udcfcnf.ts"]
    result = subprocess.run(command, capture_output=True, timeout=30)
    assert result.returncode == 0 and b"/f%FCnf.ts\n" in result.stdout, result
    written = kiosk.errors.read_text()
    assert "cover.jpg" in written and "empty.mp4: is empty" in written
    assert "LRV" not in written and "LRV" in program.log() and "__MACOSX" not in program.log()


def test_a_film_that_cannot_be_played_is_passed_over(kiosk, films, tmp_path):
    """From the next start on it is named beside the settings, until another file is there."""
    film, state = films("silent.mp4"), ("--state", tmp_path)
    program = kiosk("", {"1.mp4": "text.mp4", "2.mp4": "zero-bytes.mp4", "3.mp4": "silent.mp4"}, *state)
    assert program.reading(film).film == film.number
    assert "1.mp4" in program.log() and "2.mp4" in program.log()
    program.stop()
    contents = {"2.mp4": "silent.mp4", "attract/1.mp4": "text.mp4", "attract/2.mp4": "silent.mp4"}
    kiosk("", contents, *state).wait_for_log("attract/1.mp4")
    written = kiosk.errors.read_text()
    assert "1.mp4: this is not a film; copy it again." in written and "films/2.mp4" not in written, written
    kiosk.programs.stop()
    checked = subprocess.run([os.environ["VITRINE_BIN"], "settings", "check", kiosk.settings, *state], stdout=subprocess.PIPE, text=True)
    assert checked.returncode == BAD_SETTINGS
    for name in ("films/1.mp4", "attract/1.mp4"):
        assert f"{name}: this is not a film; copy it again" in checked.stdout
    kiosk("", {"1.mp4": "silent.mp4", "attract/1.mp4": "silent.mp4"}, *state)
    assert not kiosk.errors.exists()


def test_without_a_film_the_screen_says_what_to_do(kiosk, films):
    """And the program keeps running, and plays a film that is added."""
    program = kiosk("", wait=False)
    program.wait_for_log("there is no film or folder")
    program.ipc.wait_for_counter("vitrine/osd-updates")
    end = time.monotonic() + 10
    while not (picture := program.screenshot("no-film")).any():
        assert time.monotonic() < end, "the display is black"
    height = picture.shape[0]
    assert not picture[: height // 2].any()
    # Bright letters, and many of them.
    assert numpy.count_nonzero(picture.max(axis=2) > 200) > 500
    assert program.ipc.get("idle-active") is True
    kiosk.put("1.mp4", "silent.mp4")
    program.ipc.wait_for("path", lambda path: path is not None)
    program.wait_until_shown()
    assert program.reading(films("silent.mp4")).film == films("silent.mp4").number


def test_films_that_all_fail_are_tried_again(kiosk):
    """The message stays, and so does the program."""
    program = kiosk("", {"1.mp4": "text.mp4", "2.mp4": "text.mp4"}, wait=False)
    program.ipc.wait_for("idle-active")
    assert program.ipc.get("vitrine/osd-visible") is True
    program.ipc.wait_for("idle-active", lambda idle: idle is False)
    program.ipc.wait_for("idle-active")


def test_a_card_whose_driver_comes_later_is_waited_for(kiosk):
    """N7: early in a board's start there is no /dev/dri/card0 yet."""
    away = pathlib.Path("/dev/dri-away")
    os.rename("/dev/dri", away)
    try:
        program = kiosk("", {"1.mp4": "silent.mp4"}, wait=False)
        program.wait_for_log("no display card")
    finally:
        os.rename(away, "/dev/dri")
    program.wait_until_shown()


class TestCommands:
    """`vitrine settings`."""

    def run(self, *words) -> subprocess.CompletedProcess:
        return subprocess.run([os.environ["VITRINE_BIN"], *map(str, words)], capture_output=True, text=True, timeout=30)

    def test_check(self, tmp_path):
        file = tmp_path / "vitrine.toml"
        file.write_text("volume = 40\nrotate = 45\n")
        result = self.run("settings", "check", file)
        assert result.returncode == BAD_SETTINGS
        assert result.stdout.startswith(f"{file}:2: rotate = 45: ")
        file.write_text("volume = 40\n")
        assert self.run("settings", "check", file).returncode == 0
        assert self.run("settings", "check").returncode == USAGE
        file.rename(tmp_path / "vitrine.toml.txt")
        result = self.run("settings", "check", file)
        assert result.returncode == BAD_SETTINGS and result.stdout.count("\n") == 1, result
        assert "vitrine.toml.txt: is not read: Windows hides the end of its name" in result.stdout

    def test_check_names_the_films_of_a_list_that_are_not_there(self, tmp_path, films):
        file, here = tmp_path / "vitrine.toml", pathlib.Path(films("silent.mp4").path)
        file.write_text('films = "list.m3u"\n')
        shutil.copy(here, tmp_path / "here.mp4")
        (tmp_path / "list.m3u").write_bytes(b"C:\\Videos\\here.mp4\r\nC:\\Videos\\gone.mp4\r\nsub\\gone.mp4\r\n")
        result = self.run("settings", "check", file)
        assert result.returncode == BAD_SETTINGS
        lines = result.stdout.splitlines()
        assert [line.split(": ")[0] for line in lines] == [f"{tmp_path}/C:/Videos/gone.mp4", f"{tmp_path}/sub/gone.mp4"]
        assert all("there is no such film" in line for line in lines)

    def test_check_asks_the_displays(self, kiosk, tmp_path):
        """Each setting that the display does not support, with its line, while a film is on it."""
        kiosk("", {"1.mp4": "silent.mp4"})
        file = tmp_path / "vitrine.toml"
        file.write_text('volume = 40\nconnector = "HDMI-A-9"\nmode = "123x45"\n')
        assert self.run("settings", "check", file).returncode == 0
        result = self.run("settings", "check", file, "--displays")
        assert result.returncode == BAD_SETTINGS
        lines = result.stdout.splitlines()
        assert lines[0].startswith(f'{file}:2: connector = "HDMI-A-9": no connector is called HDMI-A-9; there ')
        assert lines[1].startswith(f'{file}:3: mode = "123x45": the display on Virtual-1 does not offer 123x45; it offers ')
        assert len(lines) == 2
        file.write_text('connector = "Virtual-1"\n')
        assert self.run("settings", "check", file, "--displays").returncode == 0

    def test_apply(self, tmp_path):
        file = tmp_path / "vitrine.toml"
        file.write_text('host-name = "m2"\nwifi = "Museum"\nwifi-password = "tellnobody"\ntime-zone = "Europe/Berlin"\n')
        root = tmp_path / "root"
        result = self.run("settings", "apply", file, "--root", root)
        assert result.returncode == 0, result
        assert (root / "etc/hostname").read_text() == "m2\n"
        assert os.readlink(root / "etc/localtime").endswith("/Europe/Berlin")
        wireless = root / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
        assert "tellnobody" in wireless.read_text() and wireless.stat().st_mode & 0o777 == 0o600
        assert self.run("settings", "apply", file, "--root", root).stdout == "", "nothing is written twice"

    def test_the_report_describes_the_machine_and_has_no_secret(self, tmp_path):
        file = tmp_path / "vitrine.toml"
        file.write_text('wifi-password = "tellnobody"\nremote-password = "tellnobody2"\nrotate = 45\n')
        report = tmp_path / "report.txt"
        assert self.run("report", "--settings", file, "--output", report).returncode == 0
        text = report.read_text()
        for part in ("== kernel", '"driver" : "vkms"', "== touch panels", "avdec_h264", "vitrine.toml:3: rotate = 45"):
            assert part in text, text[:4000]
        assert "tellnobody" not in text

    # As cameras have them, and people write them.
    ADDRESSES = [
        "rtsp://ann:tellnobody@camera/live", "rtsp://ann:te#l/l?tellnobody@camera/live", "rtsp://ann:p@tellnobody@camera/live",
        "http://camera/video.mjpg?user=ann&pwd=tellnobody", "rtsp://camera/user=ann_password=tellnobody_channel=1",
    ]  # fmt: skip

    @pytest.mark.parametrize("listed", [False, True], ids=["settings", "list"])
    def test_an_address_s_password_is_neither_shown_nor_reported(self, tmp_path, listed):
        """From the settings, and from a list that they name."""
        file, report = tmp_path / "vitrine.toml", tmp_path / "report.txt"
        films = "cameras.m3u" if listed else self.ADDRESSES
        (tmp_path / "cameras.m3u").write_text("\n".join(self.ADDRESSES))
        # A wrong line is quoted.
        file.write_text(f"films = {json.dumps(films)}\nfilm = \"{self.ADDRESSES[0]}\"\n")
        results = [self.run("settings", *words) for words in (("show", file), ("check", file, "--beside"))]
        assert results[0].returncode == 0 and "films = [" in results[0].stdout and results[1].returncode == BAD_SETTINGS
        assert self.run("report", "--settings", file, "--output", report).returncode == 0
        text = report.read_text()
        assert "camera/live" in text.partition("\n== films\n")[2].partition("\n== ")[0], "its films are not reported"
        for name, said in (("show", results[0].stdout + results[0].stderr), ("check", results[1].stdout), ("report", text)):
            assert "tellnobody" not in said, f"{name}: " + next(line for line in said.splitlines() if "tellnobody" in line)
