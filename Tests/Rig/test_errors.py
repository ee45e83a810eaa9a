"""All errors before or while a film is opened: one line that names the object and the remedy, and the exit status that
`vitrine --help` lists."""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time

import pytest

NO_SUCH_FILE, NOT_MEDIA, MISSING_PLUGIN, NO_DISPLAY, NO_PERMISSION, HELD, BAD_REQUEST, NETWORK, USAGE = (
    2, 3, 4, 5, 6, 7, 8, 9, 64,
)  # fmt: skip
NOBODY = 65534


def ends(program, status: int, *words: str, timeout: float = 15) -> None:
    """The program ends with the status and prints each of the words, on one line of its own, and nothing like a
    crash."""
    assert program.wait_until_ended(timeout) == status, program.log()
    text = program.log()
    lines = text.splitlines()
    reported = [line for line in lines if line.startswith(("vitrine: ", "Error: "))]
    assert len(reported) == 1, text
    for word in words:
        assert word in reported[0], f"{word!r} is not in {reported[0]!r}"
    # The argument parser adds the usage.
    rest = [line for line in lines if line != reported[0] and not line.startswith(("Usage: ", "Help: ", "  See ", "  - "))]
    assert not rest, text
    assert not re.search(r"Fatal error|Stack|CRITICAL|Backtrace|0x[0-9a-f]{8}", text), text


def test_every_status_is_listed_in_help(play):
    program = play.run("--help")
    assert program.wait_until_ended() == 0
    listed = {int(line.split()[0]) for line in program.log().splitlines() if re.match(r"  \d+ +\w", line)}
    assert listed >= {0, 1, NO_SUCH_FILE, NOT_MEDIA, MISSING_PLUGIN, NO_DISPLAY, NO_PERMISSION, HELD, BAD_REQUEST}
    assert listed >= {NETWORK, USAGE}


@pytest.mark.parametrize("command", ["play", "inspect"])
class TestFile:
    def test_no_such_file(self, play, command):
        ends(play.run(command, "/nowhere/film.mp4"), NO_SUCH_FILE, "/nowhere/film.mp4", "No such file")

    def test_no_such_file_by_uri(self, play, command):
        ends(play.run(command, "file:///nowhere/film.mp4"), NO_SUCH_FILE, "/nowhere/film.mp4", "No such file")

    def test_folder(self, play, command, tmp_path):
        folder = tmp_path / "films"
        folder.mkdir()
        (folder / "text.mp4").write_text("no film")
        words = ("text.mp4",) if command == "play" else ("folder", "name the films")
        ends(play.run(command, folder), NOT_MEDIA, *words, timeout=20)

    @pytest.mark.parametrize("name", ["zero-bytes.mp4", "text.mp4", "noise.mp4", "no-index.mp4"])
    def test_not_a_film(self, play, films, command, name):
        ends(play.run(command, films(name).path), NOT_MEDIA, name, timeout=20)


def test_a_truncated_film_plays_as_far_as_it_goes(play, films):
    """Its frames end before second 24, its index says 60: it plays, ends as a film does (M9) or reports damage; a touch
    beyond its end is answered, and nothing hangs."""
    film = films("360p-key50.mp4")  # Its pictures carry that one's number.
    program = play(films("truncated.mp4"), "--start", "20")
    assert program.frame(film) >= 500
    try:
        program.ipc.wait_for("pause")
    except ConnectionError:
        assert program.wait_until_ended() == NOT_MEDIA, program.log()
        assert "truncated.mp4" in program.log()
        return
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.frame(film) == 0
    program.ipc.command("seek", 50, "absolute+exact")
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    program.ipc.command("seek", 10.02, "absolute+exact")
    program.ipc.wait_for("time-pos", lambda now: now == pytest.approx(10, abs=0.1))
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.frame(film) == 250


class TestOptions:
    def test_no_such_connector(self, play, films):
        program = play(films("short.mp4"), "--connector", "HDMI-A-9", wait=False)
        ends(program, BAD_REQUEST, "HDMI-A-9", "Virtual-1", "vitrine displays")

    def test_no_such_mode(self, play, films):
        program = play(films("short.mp4"), "--mode", "123x45", wait=False)
        ends(program, BAD_REQUEST, "123x45", "1024x768", "vitrine displays")

    @pytest.mark.parametrize(
        "option, value, hint",
        [
            ("--mode", "big", "1280x720"),
            ("--start", "soon", "1:30"),
            ("--start", "-5", "--start"),
            ("--osd", "moon", "plane"),
            ("--log", "loud", "loud"),
        ],
    )
    def test_what_is_no_value(self, play, films, option, value, hint):
        ends(play(films("short.mp4"), option, value, wait=False), USAGE, option, hint)

    def test_no_film(self, play):
        ends(play.run("play"), USAGE, "uri")

    def test_an_unknown_option(self, play, films):
        ends(play(films("short.mp4"), "--colour", wait=False), USAGE, "--colour")


class TestControlSocket:
    """The fixture's own `--control` precedes; the last one applies."""

    def test_another_program_listens_there(self, play, films, tmp_path):
        path = tmp_path / "taken"
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(path))
            other.listen()
            ends(play.run("play", films("short.mp4").path, "--control", path), 1, str(path), "another path")
        assert path.exists(), "the other program's socket was removed"

    def test_of_two_that_start_at_once_one_plays(self, play, films, tmp_path):
        path = tmp_path / "both"
        programs = [play.run("play", films("short.mp4").path, "--paused", "--control", path) for _ in range(2)]
        end = time.monotonic() + 20
        while not (ended := [program for program in programs if program.process.poll() is not None]):
            assert time.monotonic() < end, "both play"
            time.sleep(0.02)
        ends(ended[0], 1, str(path), "another path")
        [playing] = [program for program in programs if program is not ended[0]]
        playing.socket_path = path
        playing.wait_until_shown()
        playing.ipc.command("quit")
        assert playing.wait_until_ended() == 0 and list(tmp_path.glob("both*")) == [], "a socket or a lock is left"

    def test_a_file_is_there(self, play, films, tmp_path):
        path = tmp_path / "file"
        path.write_text("precious")
        ends(play.run("play", films("short.mp4").path, "--control", path), 1, str(path), "not a socket")
        assert path.read_text() == "precious"

    def test_a_dead_programs_socket_is_taken_over(self, play, films, tmp_path):
        path = tmp_path / "dead"
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(path))
        program = play(films("short.mp4"), "--paused", "--control", path, wait=False)
        program.socket_path = path
        program.wait_until_shown()
        assert path.stat().st_mode & 0o777 == 0o600

    def test_no_such_folder(self, play, films):
        program = play.run("play", films("short.mp4").path, "--control", "/nowhere/socket")
        ends(program, 1, "/nowhere/socket", "directory")


class TestNetwork:
    def test_nobody_answers(self, play):
        ends(play.run("play", "http://127.0.0.1:9/film.mp4"), NETWORK, "http://127.0.0.1:9/film.mp4")


class TestDisplay:
    def test_another_program_holds_it(self, play, films):
        first = play(films("silent.mp4"))
        second = play(films("short.mp4"), wait=False)
        ends(second, HELD, "/dev/dri/card0", f"(process {first.process.pid})", "End")
        # And the first player plays on.
        shown = first.ipc.get("vitrine/frames-shown")
        first.ipc.wait_for_counter("vitrine/frames-shown", lambda now: now > shown + 5)

    def test_another_program_holds_it_for_a_moment(self, play, films):
        """The opener of a card without a master is its master until it is closed."""
        card = os.open("/dev/dri/card0", os.O_RDWR)
        program = play(films("short.mp4"), "--paused", "--log", "trace", wait=False)
        program.wait_for_log("display chosen")
        os.close(card)
        program.wait_until_shown()


@pytest.fixture
def ordinary(films):
    """`ordinary(groups, name, mode)`: a folder for a user without rights, the program and a film in it."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="vitrine-ordinary-"))
    folder.chmod(0o777)
    shutil.copy(os.environ["VITRINE_BIN"], folder / "vitrine")
    (folder / "vitrine").chmod(0o755)
    registry = os.environ.get("GST_REGISTRY")
    if registry and os.path.exists(registry):
        shutil.copy(registry, folder / "registry.bin")
        (folder / "registry.bin").chmod(0o644)

    class Ordinary:
        def film(self, name: str, mode: int = 0o644) -> pathlib.Path:
            copy = folder / name
            shutil.copy(films(name).path, copy)
            copy.chmod(mode)
            return copy

        def run(self, *words, groups: str = "") -> subprocess.CompletedProcess:
            rights = [f"--groups={groups}"] if groups else ["--clear-groups"]
            return subprocess.run(
                ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", *rights, "timeout", "-s", "TERM", "8"]
                + [str(folder / "vitrine"), *map(str, words)],
                env={**os.environ, "HOME": str(folder), "GST_REGISTRY": str(folder / "registry.bin")},
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30,
            )  # fmt: skip

    yield Ordinary()
    shutil.rmtree(folder)


class TestPermission:
    """As an ordinary user, by setpriv."""

    def test_the_display(self, ordinary):
        result = ordinary.run("play", ordinary.film("short.mp4"))
        assert result.returncode == NO_PERMISSION, result
        assert len(result.stderr.splitlines()) == 1, result.stderr
        for word in ("/dev/dri/card0", "video", "usermod -aG video"):
            assert word in result.stderr

    def test_the_film(self, ordinary):
        result = ordinary.run("play", ordinary.film("short.mp4", mode=0o600))
        assert result.returncode == NO_PERMISSION, result
        assert len(result.stderr.splitlines()) == 1, result.stderr
        assert "short.mp4" in result.stderr and "chmod" in result.stderr

    def test_the_group_is_enough_and_a_panel_without_rights_is_reported(self, ordinary, panel):
        """In `video` but not in `input`: the film plays, the panel's group is named."""
        result = ordinary.run("play", "--log", "info", ordinary.film("short.mp4"), groups="video,audio")
        assert "playing " in result.stderr, result.stderr
        reported = [line for line in result.stderr.splitlines() if panel.node in line]
        assert len(reported) == 1 and "input" in reported[0] and "usermod" in reported[0], result.stderr

    def test_the_panel_list(self, ordinary, panel):
        result = ordinary.run("touch", "--list")
        assert result.returncode == NO_PERMISSION, result
        assert panel.node in result.stdout and "input" in result.stdout


class TestMissingPlugin:
    """A plugin that GStreamer cannot find, as on a system without the package (T6)."""

    @pytest.mark.parametrize("command", ["play", "inspect"])
    def test_no_decoder_for_the_video(self, play, films, command):
        without = {"GST_PLUGIN_FEATURE_RANK": "avdec_h264:NONE,openh264dec:NONE"}
        program = play.run(command, films("360p-key50.mp4").path, environment=without)
        ends(program, MISSING_PLUGIN, "360p-key50.mp4", "H.264", "apt install gstreamer1.0-libav")

    def test_no_decoder_for_the_sound(self, play, films):
        """A film plays without its sound, and reports the package that has the plugin."""
        film = films("360p-key50.mp4")
        decoders = ("avdec_aac", "avdec_aac_fixed", "faad", "fdkaacdec")
        without = {"GST_PLUGIN_FEATURE_RANK": ",".join(f"{decoder}:NONE" for decoder in decoders)}
        program = play(film, environment=without)
        program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.5)
        assert program.reading(film).film == film.number
        assert program.log().count("apt install") == 1, program.log()
        assert program.log().count("AAC") == 1 and "o decoder available" not in program.log(), program.log()
        # Later failures do not concern the missing plugin.
        program.ipc.command("loadfile", "http://127.0.0.1:9/film.mp4")
        program.wait_for_log("127.0.0.1:9/film.mp4")
        assert program.log().count("missing plugin") == 1, program.log()

    @pytest.mark.parametrize("name", ["sound-only.m4a", "spoken.mkv"])
    def test_nothing_but_sound_and_no_decoder_for_it(self, play, films, name):
        """Reported once, as the reason of the end, also if there are texts to read."""
        decoders = ("avdec_aac", "avdec_aac_fixed", "faad", "fdkaacdec")
        without = {"GST_PLUGIN_FEATURE_RANK": ",".join(f"{decoder}:NONE" for decoder in decoders)}
        program = play(films(name), wait=False, environment=without)
        ends(program, MISSING_PLUGIN, name, "AAC", "apt install gstreamer1.0-libav")

    def test_no_kmssink(self, play, films, tmp_path):
        folders = [pathlib.Path("/usr/lib") / f"{os.uname().machine}-linux-gnu" / "gstreamer-1.0"]
        plugins = tmp_path / "plugins"
        plugins.mkdir()
        needed = ("coreelements", "playback", "isomp4", "libav", "videoconvertscale", "videoscale", "videoconvert")
        for plugin in folders[0].glob("libgst*.so"):
            if plugin.stem.removeprefix("libgst") in needed:
                (plugins / plugin.name).symlink_to(plugin)
        environment = {"GST_PLUGIN_SYSTEM_PATH_1_0": str(plugins), "GST_REGISTRY": str(tmp_path / "registry.bin"),
                       "GST_REGISTRY_UPDATE": "yes"}  # fmt: skip
        ends(
            play(films("short.mp4"), wait=False, environment=environment),
            MISSING_PLUGIN, "Unable to build pipeline: ", "kmssink", "apt install gstreamer1.0-plugins-bad", timeout=30,
        )  # fmt: skip


def test_a_failed_start_leaves_the_console(play, films, console):
    """A program that ends before it plays leaves the console on the display."""
    ends(play(films("noise.mp4"), wait=False), NOT_MEDIA, "noise.mp4")
    console.wait_until_shown()


def test_the_libraries_are_not_finalized(play):
    """A thread that loads a plugin during `exit` would make glibc initialize GObject again, which aborts."""
    program = play.run("play", "nothing.mp4", "--rotate", "45", environment={"LD_DEBUG": "files"})
    assert program.wait_until_ended(20) == 64
    assert "calling init:" in program.log(), "the dynamic linker reports nothing"
    assert "calling fini:" not in program.log()
