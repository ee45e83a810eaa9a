"""The notifications to a service manager: sd_notify(3), with a socket of the test's own (N4, N5)."""

import contextlib
import signal
import socket
import time

import pytest

import servers
from bar import Finger, Layout, show_bar
from cards import CONNECTED, DISCONNECTED, plug_in
from ipc import IPCError
from network import said
from thorough import also
from threads import stuck


class Manager:
    """systemd's end of the socket."""

    def __init__(self, name: str):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(name.replace("@", "\0", 1))
        self.received: list[tuple[float, str]] = []
        self.environment = {"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "1000000"}

    def listen(self, seconds: float = 0, until: str | None = None) -> list[str]:
        """The notifications of these seconds; or until a line that starts so, which must arrive."""
        begun = len(self.received)
        end = time.monotonic() + seconds
        while True:
            self._socket.settimeout(max(end - time.monotonic(), 0.001))
            lines = []
            try:
                lines = self._socket.recv(4096).decode().splitlines()
            except TimeoutError:
                pass
            self.received += [(time.monotonic(), line) for line in lines]
            if until and any(line.startswith(until) for line in lines):
                break
            if not lines and time.monotonic() >= end:
                assert not until, f"no {until} in {seconds} s: {self.received[begun:]}"
                break
        return [line for _, line in self.received[begun:]]

    def wait_until_received(self, begins: str, contains: str = "") -> None:
        """Waits for a line, unless it was received already."""
        while not any(line.startswith(begins) and contains in line for _, line in self.received):
            self.listen(10, until=begins)

    def is_content(self) -> bool:
        """Whether the program notifies the watchdog twice, or nearly, within its time from now."""
        self.listen()
        return "WATCHDOG=1" in self.listen(0.7) and "WATCHDOG=1" in self.listen(0.7)


@pytest.fixture(params=["path"])
def manager(request, tmp_path):
    return Manager("@vitrine-test" if request.param == "abstract" else str(tmp_path / "notify"))


@pytest.mark.parametrize("manager", ["path", "abstract"], indirect=True)
def test_it_is_ready_with_the_first_frame(play, films, manager):
    program = play(films("silent.mp4"), wait=False, environment=manager.environment)
    manager.listen(20, until="READY=1")
    assert program.ipc.get("vitrine/frames-shown") >= 1
    manager.wait_until_received("WATCHDOG=1")
    manager.wait_until_received("STATUS=playing ", "silent.mp4")
    program.stop()
    assert "STOPPING=1" in manager.listen(0.1)


def test_a_pause_and_a_resting_finger_are_no_stall(play, films, manager, panel):
    program = play(films("360p-key50.mp4"), "--paused", environment=manager.environment)
    panel.wait_until_read()
    manager.listen(1.2, until="WATCHDOG=1")
    assert manager.is_content()
    show_bar(program, panel)
    finger = Finger(panel)
    finger.down(Layout().x(0.5), Layout().y)
    assert manager.is_content()
    finger.up()


@pytest.mark.parametrize(
    "settings, remedy",
    [("", 'Copy films into the folder "films" on the card.'), ('films = "/nowhere/films"', "Copy films to /nowhere/films."),
     ('films = ["a.mp4", "b.mp4"]', "None of those that are named is there.")],
    ids=["card", "folder", "films"])
def test_without_a_film_it_is_ready_with_its_message(play, tmp_path, manager, settings, remedy):
    (tmp_path / "vitrine.toml").write_text(settings)
    play("--settings", tmp_path / "vitrine.toml", wait=False, environment=manager.environment)
    manager.listen(20, until="READY=1")
    assert any(f"No film found. {remedy}" in line for _, line in manager.received), manager.received
    assert manager.is_content()


def test_a_film_whose_decoder_is_stuck_is_opened_anew(play, films, manager):
    """The decoding threads are stopped, as by a driver that never answers: frames were shown, none follow, and the
    program itself continues. If the next pipeline got stuck, too, the watchdog would get no more notifications
    (LivenessTests)."""
    program = play(films("360p-key50.mp4"), environment=manager.environment)
    assert manager.is_content()
    with stuck(program, "multiqueue"):
        program.wait_for_log("it is opened anew there", timeout=40)
        shown = program.ipc.get("vitrine/frames-shown")
        program.ipc.wait_for_counter("vitrine/frames-shown", lambda now: now > shown + 10)
        assert manager.is_content()


@pytest.mark.slow
@pytest.mark.parametrize("name, end, start", [
    ("most-sound.mkv", "loop", 0), ("most-sound.mp4", "stop", 6),
    *also(("most-sound.mp4", "stop", 0), ("most-sound.mkv", "stop", 6)),
])
def test_sound_behind_the_last_frame_is_no_stall(play, films, manager, name, end, start):
    """N4: longer than the watchdog waits for a frame that is due; also in a loop, and started behind it."""
    film = films(name)
    program = play(film, "--end", end, "--start", start, environment=manager.environment)
    until = time.monotonic() + film.seconds + 3
    while time.monotonic() < until:
        assert "WATCHDOG=1" in manager.listen(3)
    assert program.ipc.get("vitrine/ends") >= 1 and program.ipc.get("vitrine/rebuilds") == 0
    assert "no frame reaches" not in program.log()


@pytest.mark.slow
def test_a_film_whose_sound_is_stuck_is_opened_anew(play, films, manager):
    """The threads that feed the card are stopped, which have the name of the queue before them: the film's time stops,
    too."""
    program = play(films("most-sound.mkv"), environment=manager.environment)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 4)
    assert manager.is_content()
    with stuck(program, "sound-queue"):
        program.wait_for_log("it is opened anew there", timeout=40)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stands.webm", "slides.mkv", *also("stands.mkv", "stands.mp4")])
def test_a_frame_that_stands_long_is_no_stall(play, films, manager, name):
    """N4, M2: longer than the watchdog waits for a frame that is due. Only MP4 writes its duration. The position
    continues."""
    program = play(films(name), "--loop", environment=manager.environment)
    places = []
    until = time.monotonic() + 60
    while program.ipc.get("vitrine/ends") < 1:
        assert time.monotonic() < until, places
        assert "WATCHDOG=1" in manager.listen(1.4)
        places.append(program.ipc.get("time-pos"))
    standing = [place for place in places if 1.5 < place < 12.5]
    assert len(standing) > 3 and standing == sorted(set(standing)), places
    assert "no frame reaches" not in program.log() and program.ipc.get("vitrine/rebuilds") == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stands.ts", *also("stands-clocked.ts")])
def test_a_hole_in_a_transport_stream_is_no_stall(play, films, manager, name):
    """N4, M2: forty seconds without a frame and without sound. The last frame stays as long as the stream's clock runs
    on, and the position continues; GStreamer skips a hole without clock references. The film loops in the same
    process."""
    program = play(films(name), "--loop", environment=manager.environment)
    places = []
    until = time.monotonic() + 100
    while program.ipc.get("vitrine/ends") < 1:
        assert time.monotonic() < until, places
        assert "WATCHDOG=1" in manager.listen(1.4)
        # There is none while a film is opened anew.
        with contextlib.suppress(IPCError):
            places.append(program.ipc.get("time-pos"))
    if name == "stands-clocked.ts":
        standing = [place for place in places if 4 < place < 40]
        assert len(standing) > 15 and standing == sorted(set(standing)), places
    program.ipc.wait_for("time-pos", lambda now: now is not None and 0.1 < now < 2)
    assert "no frame reaches" not in program.log() and program.ipc.get("vitrine/rebuilds") == 0


def test_a_program_that_stands_still_says_nothing(play, films, manager):
    program = play(films("silent.mp4"), environment=manager.environment)
    manager.listen(1.2, until="WATCHDOG=1")
    program.signal(signal.SIGSTOP)
    manager.listen(0.1)
    assert manager.listen(1.2) == []
    program.signal(signal.SIGCONT)
    manager.listen(1.2, until="WATCHDOG=1")


def test_an_unplugged_display_is_no_stall(play, films, card, manager):
    """N7: from before the start, and in the middle of a film."""
    made, name = plug_in(play, card, overlays=2, status=DISCONNECTED)
    program = play(films("360p-key50.mp4"), "--connector", name, wait=False, environment=manager.environment)
    manager.listen(20, until="READY=1")
    assert "waiting" in manager.listen(5, until="STATUS=")[-1], manager.received
    assert manager.is_content()
    made.plug(CONNECTED)
    program.wait_until_shown()
    made.plug(DISCONNECTED)
    program.wait_for_log("unplugged")
    manager.wait_until_received("STATUS=no display is connected; playing ")
    assert manager.is_content()
    made.plug(CONNECTED)
    manager.listen(20, until="STATUS=playing ")


@pytest.fixture
def live(films, tmp_path):
    """`live("rtsp")`, `live("hls")`: the address of an endless source (M11); "slow rtsp" and "slow jpegs" are cameras
    with a frame a second."""
    running = []

    def make(kind: str) -> str:
        if kind == "rtsp":
            running.append(servers.RTSPServer(films("360p-key50.mp4").path))
            return running[-1].url
        if kind == "slow rtsp":
            running.append(servers.RTSPServer(films("camera.mp4").path, sound=False))
            return running[-1].url
        folder = tmp_path / "live"
        folder.mkdir()
        if kind == "slow jpegs":
            running.append(servers.Camera(films("360p-key50.mp4").path, folder, rate=1))
            return running[-1].url
        running.append(servers.LiveEncoder(films("silent.mp4").path, folder))
        running.append(servers.WebServer(folder, tmp_path))
        return running[-1].url("live.m3u8")

    yield make
    for one in reversed(running):
        one.stop()


# A source without a new frame for 20 s counts as disconnected, and the watchdog waits for 90 s for a film that is being
# opened.
@pytest.mark.parametrize(
    "kind, seconds", [("rtsp", 24), *also(("hls", 24)), pytest.param("rtsp", 95, marks=pytest.mark.long)])  # fmt: skip
def test_something_live_may_be_paused(play, live, manager, kind, seconds):
    """Nothing new is shown, which is expected; then it continues, in the same pipeline."""
    program = play(live(kind), "--log", "info", environment=manager.environment)
    program.ipc.wait_for("vitrine/live")
    program.ipc.wait_for_counter("vitrine/frames-shown", lambda shown: shown > 10)
    program.ipc.set("pause", True)
    program.ipc.wait_for("core-idle")
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert manager.is_content()
    shown = program.ipc.get("vitrine/frames-shown")
    program.ipc.set("pause", False)
    program.ipc.wait_for_counter("vitrine/frames-shown", lambda now: now > shown + 20, timeout=20)
    assert manager.is_content()
    log = program.log()
    assert log.count("playing ") == 1 and "tried again" not in log and "no frame reaches" not in log


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["slow rtsp", *also("slow jpegs")])
def test_a_camera_of_a_frame_a_second_is_played(play, live, manager, kind):
    """N4, M11: its frames are shown for longer than the 20 s after which a camera counts as disconnected, and it is
    opened once."""
    program = play(live(kind), "--log", "info", environment=manager.environment)
    program.ipc.wait_for("vitrine/live")
    begun, until = program.ipc.get("vitrine/frames-shown"), time.monotonic() + 60
    while (shown := program.ipc.get("vitrine/frames-shown")) < begun + 25:
        assert time.monotonic() < until, f"{shown - begun} frames in a minute"
        assert "WATCHDOG=1" in manager.listen(1.4)
        assert program.ipc.get("paused-for-cache") is False and said(program) is None
    log = program.log()
    assert log.count("playing ") == 1 and "tried again" not in log and "no frame reaches" not in log
