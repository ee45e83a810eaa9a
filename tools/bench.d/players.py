"""The programs under test, each controlled as its own users would control it: start, a finger's drag, stop."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
from finger import Panel  # noqa: E402

DISPLAY = (1024, 768)


def fitted(film: dict) -> tuple[int, int]:
    """The film's size on the display: the largest of its shape."""
    width, height = DISPLAY
    if width * film["height"] > height * film["width"]:
        return height * film["width"] // film["height"] & ~1, height
    return width, width * film["height"] // film["width"] & ~1


class Player:
    """A program that shows one film. `name` is its column in the table, `what` says how it is controlled."""

    name = ""
    what = ""
    drags = True
    # It is measured with every kind of finger.
    fingers = False
    # It has bounds of its own in each drag: more drags than of the others.
    is_judged = False
    # The stretches of plain playing that are measured.
    stretches: tuple[str, ...] = ("play",)

    def __init__(self, tools: dict, scratch: str):
        self.tools = tools
        self.scratch = scratch
        self.process: subprocess.Popen | None = None

    def command(self, film: dict) -> list[str]:
        raise NotImplementedError

    def prepare(self, film: dict) -> None:
        self.arguments = self.command(film)
        self.log = open(f"{os.environ['RIG_OUT']}/{self.name}.log", "ab")

    def spawn(self) -> None:
        self.process = subprocess.Popen(self.arguments, stdin=subprocess.PIPE, stdout=self.log, stderr=self.log)

    def ready(self, film: dict) -> None:
        """Called once the first frame is on the screen: connect what the drag needs."""

    def begin(self, stretch: str) -> None:
        pass

    def end(self, stretch: str) -> None:
        pass

    def before_drag(self) -> None:
        pass

    def down(self, percent: float) -> None:
        pass

    def move(self, percent: float) -> None:
        pass

    def up(self, percent: float) -> None:
        pass

    def quit(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def kilobytes(self, kind: str) -> int:
        """As /proc/PID/status has it."""
        with open(f"/proc/{self.process.pid}/status") as status:
            for line in status:
                if line.startswith(f"{kind}:"):
                    return int(line.split()[1])
        return 0

    def stop(self) -> None:
        if self.process is None:
            return
        if self.process.poll() is None:
            try:
                self.quit()
            except (OSError, AttributeError):
                # It was not ready for a command.
                self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


class IPC:
    """mpv's JSON IPC. A thread of its own reads the replies: a player with unread output stalls."""

    def __init__(self, path: str, seconds: float = 10):
        end = time.monotonic() + seconds
        while True:
            self.socket = socket.socket(socket.AF_UNIX)
            try:
                self.socket.connect(path)
                break
            except OSError:
                self.socket.close()
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)
        self.replies: dict[int, dict] = {}
        self.changed = threading.Condition()
        self.last = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for line in self.socket.makefile("rb"):
                if b'"request_id":0,' in line or b'"event"' in line:
                    continue
                reply = json.loads(line)
                with self.changed:
                    self.replies[reply.get("request_id", 0)] = reply
                    self.changed.notify_all()
        except (OSError, ValueError):
            pass

    def send(self, *command) -> None:
        self.socket.sendall(json.dumps({"command": command}).encode() + b"\n")

    def ask(self, *command, seconds: float = 5):
        self.last += 1
        number = self.last
        self.socket.sendall(json.dumps({"command": command, "request_id": number}).encode() + b"\n")
        with self.changed:
            if not self.changed.wait_for(lambda: number in self.replies, seconds):
                raise TimeoutError(f"no reply to {command}")
            reply = self.replies.pop(number)
        if reply.get("error") != "success":
            raise RuntimeError(f"{command}: {reply.get('error')}")
        return reply.get("data")

    def close(self) -> None:
        self.socket.close()


class Mpv(Player):
    fingers = True
    name = "mpv"
    what = "`--vo=drm`; as its own bar, a key frame seek for each move, an exact one at release"

    def command(self, film):
        self.path = f"{self.scratch}/mpv.sock"
        if os.path.exists(self.path):
            os.unlink(self.path)
        return ["mpv", "--no-config", "--no-terminal", "--vo=drm", "--drm-device=/dev/dri/card0", "--ao=alsa",
                f"--input-ipc-server={self.path}", film["path"]]

    def ready(self, film):
        self.ipc = IPC(self.path)

    def move(self, percent):
        self.ipc.send("seek", percent, "absolute-percent+keyframes")

    def up(self, percent):
        self.ipc.send("seek", percent, "absolute-percent+exact")

    def quit(self):
        self.ipc.send("quit")


class MpvPaused(Mpv):
    stretches = ()

    name = "mpv paused"
    what = "the same, paused while the finger is down"

    def down(self, percent):
        self.ipc.send("set_property", "pause", True)

    def up(self, percent):
        super().up(percent)
        self.ipc.send("set_property", "pause", False)


class Tutorial(Player):
    name = "tutorial"
    what = "playbin, paused for the drag, one key frame seek in 500 ms"
    policy = "tutorial"
    stretches = ()

    def command(self, film):
        width, height = fitted(film)
        return [self.tools["tutorial"], self.policy, film["path"], f"{width}x{height}"]

    def send_line(self, line: str) -> None:
        os.write(self.process.stdin.fileno(), line.encode() + b"\n")

    def down(self, percent):
        self.send_line("down")

    def move(self, percent):
        self.send_line(f"move {percent:.4f}")

    def up(self, percent):
        self.send_line(f"up {percent:.4f}")

    def quit(self):
        self.send_line("quit")


class Newest(Tutorial):
    name = "newest next"
    what = "the same, one key frame seek in flight, the newest waiting, an exact one at release"
    policy = "newest"


class Bare(Player):
    name = "bare"
    what = "`gst-launch-1.0`: decodebin, videoscale, kmssink"
    drags = False

    def command(self, film):
        width, height = fitted(film)
        return ["gst-launch-1.0", "-q", "filesrc", f"location={film['path']}", "!", "decodebin", "name=d",
                "d.", "!", "queue", "!", "videoscale", "!",
                f"video/x-raw,width={width},height={height},pixel-aspect-ratio=1/1", "!",
                "kmssink", "driver-name=vkms", "can-scale=false", "skip-vsync=true",
                "d.", "!", "queue", "!", "audioconvert", "!", "audioresample", "!", "alsasink"]


class Touched(Player):
    """A program whose bar a finger drags on a touch panel."""

    # The bar's track on a 1024x768 display of unknown size (OSDLayout), beside its button, in fractions of the display.
    track_left, track_width, bar_y = 101 / 1024, 892 / 1024, 736 / 768

    def prepare(self, film):
        # udev takes about a second to detect a new panel; a kiosk's panel precedes the player.
        self.panel = Panel()
        self.panel.wait_until_classified()
        super().prepare(film)

    def ready(self, film):
        self.panel.wait_until_read()

    def x(self, percent: float) -> float:
        return self.track_left + self.track_width * percent / 100

    def down(self, percent):
        self.panel.down(self.x(percent), self.bar_y)
        self.panel.frame()

    def move(self, percent):
        self.panel.move(self.x(percent), self.bar_y)
        self.panel.frame()

    def up(self, percent):
        self.panel.up()
        self.panel.frame()

    def stop(self):
        super().stop()
        self.panel.unplug()


class Vitrine(Touched):
    fingers = True
    name = "Vitrine"
    what = "`vitrine play`, a finger on its seek bar"
    stretches = ("hidden", "shown")
    controls = "bar"
    # The film's key in the plan whose value is the path.
    path_of = "path"

    def command(self, film):
        self.path = f"{self.scratch}/vitrine.sock"
        if os.path.exists(self.path):
            os.unlink(self.path)
        return [self.tools["vitrine"], "play", "--controls", self.controls, "--control", self.path, film[self.path_of]]

    def ready(self, film):
        self.ipc = IPC(self.path)
        super().ready(film)

    def begin(self, stretch):
        # A finger that rests on the film keeps the bar on the screen without any other effect.
        if stretch == "shown":
            self.panel.down(0.5, 0.3)
            self.panel.frame()
            time.sleep(1)
        self.expect_bar(stretch == "shown")

    def expect_bar(self, visible: bool) -> None:
        if self.ipc.ask("get_property", "vitrine/osd-visible") is not visible:
            raise RuntimeError(f"the bar is {'hidden' if visible else 'shown'} where it should not be")

    def end(self, stretch):
        if stretch == "shown":
            self.panel.up()
            self.panel.frame()

    def before_drag(self):
        # A long touch shows the bar, while a tap would hide a visible one; it stays for 3 s afterwards.
        self.panel.tap(0.5, 0.3, seconds=0.7)
        time.sleep(0.3)
        self.expect_bar(True)

    def quit(self):
        self.ipc.send("quit")


class VitrineSheet(Vitrine):
    is_judged = True
    name = "with sheet"
    what = "the same of a film with a scrub sheet beside it, which `vitrine prepare` made"
    stretches = ()
    path_of = "prepared"


class VitrineHalf(Vitrine):
    name = "half a sheet"
    what = "the same, where `vitrine prepare` was ended half-way"
    stretches = ()
    path_of = "half"


class VitrineControls(Vitrine):
    drags = fingers = False
    name = "all controls"
    what = "the same with `--controls full`"
    stretches = ("shown",)
    controls = "full"


class VitrineHarvest(Vitrine):
    drags = fingers = False
    name = "harvest"
    what = "the same with `--state`: the film makes its scrub sheet while it plays"
    stretches = ("hidden",)

    def command(self, film):
        state = Path(self.scratch, "state")
        shutil.rmtree(state, ignore_errors=True)
        state.mkdir()
        return [*super().command(film), "--state", str(state)]


class Ideal(Touched):
    name = "ideal"
    what = "no player: the same finger flips framebuffers that were made beforehand (`tools/bench.d/ideal.c`)"
    is_judged = True
    stretches = ()

    def command(self, film):
        return [self.tools["ideal"], self.panel.node, str(film["frames"]), str(self.track_left), str(self.track_width)]


PLAYERS = {player.name: player for player in (
    Vitrine, VitrineSheet, VitrineHalf, VitrineControls, VitrineHarvest, Mpv, MpvPaused, Tutorial, Newest, Bare, Ideal)}
