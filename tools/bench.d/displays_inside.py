"""The part of the displays' bench that runs in the rig or the machine: displays_inside.py PLAN. Writes its figures to
the plan's `result` file and its pictures to the folder beside it."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools" / "lib"), str(ROOT / "Tests" / "Rig")]
import frames  # noqa: E402
import numpy  # noqa: E402
import PIL.Image  # noqa: E402
from cards import CONNECTED, DISCONNECTED, Card  # noqa: E402
from finger import Panel  # noqa: E402
from ipc import IPC  # noqa: E402
from turned import Turn  # noqa: E402

# The frame of every screenshot.
SHOT = 5.02


class Display:
    """A card of vkms' configfs with the requested number of overlays, or the existing one (`overlays` is None)."""

    def __init__(self, program: str, name: str, overlays: int | None):
        self.card = None
        before = self._connectors(program)
        if overlays is None:
            (self.node, self.connector), = before
            return
        self.card = Card(name, overlays=overlays, status=CONNECTED)
        (self.node, self.connector), = self._connectors(program) - before

    @staticmethod
    def _connectors(program: str) -> set[tuple[str, str]]:
        report = json.loads(subprocess.run([program, "displays", "--json"], capture_output=True, check=False).stdout)
        return {
            (card["path"], one["name"]) for card in report["displays"]["cards"] for one in card["connectors"]
            if not one["isWriteback"]
        }

    def shows_film(self) -> bool:
        """Whether the kernel has a frame of the film on a plane: only films are in YCbCr."""
        number = self.node.removeprefix("/dev/dri/card")
        state = Path(f"/sys/kernel/debug/dri/{number}/state").read_text()
        return "format=YU12" in state or "format=NV12" in state


class Film:
    """A `vitrine play` of the plan's film."""

    def __init__(self, plan: dict, display: Display, *arguments: str):
        self.socket = f"{plan['scratch']}/control"
        Path(self.socket).unlink(missing_ok=True)
        command = [plan["vitrine"], "play", "--control", self.socket, "--mute", "--loop"]
        command += ["--connector", display.connector]
        with open(f"{plan['out']}/vitrine.log", "ab") as log:
            self.process = subprocess.Popen([*command, *arguments, plan["film"]], stdout=log, stderr=log)
        self.ipc = IPC(self.socket, alive=lambda: self.process.poll() is None)
        self.ipc.wait_for_counter("vitrine/frames-shown", timeout=60)

    def __enter__(self) -> "Film":
        return self

    def __exit__(self, *error) -> None:
        self.ipc.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def stretch(self, seconds: float) -> dict:
        """Plays the film: user and system time of the process, including ended threads, and its frames, both per
        second; and the wall-clock times of the stretch, for measurements from outside."""
        clock = ~self.process.pid << 3 | 2  # the process' CPU clock: MAKE_PROCESS_CPUCLOCK in linux/posix-timers.h
        wall = time.time()
        begin = self.ipc.get("vitrine/frames-shown"), time.clock_gettime(clock), time.monotonic()
        time.sleep(seconds)
        end = self.ipc.get("vitrine/frames-shown"), time.clock_gettime(clock), time.monotonic()
        pictures, cpu, passed = (last - first for first, last in zip(begin, end))
        return {"process": cpu / passed, "pictures": pictures / passed, "wall": [wall, time.time()]}

    def show_bar(self, panel: Panel, place: tuple[float, float]) -> None:
        if not self.ipc.get("vitrine/osd-visible"):
            # A long touch, because a tap starts a paused film.
            panel.tap(*place, seconds=0.7)
            self.ipc.wait_for("vitrine/osd-visible")


def play(plan: dict, panel: Panel, display: Display, way: dict) -> dict:
    """Plays the film with the bar hidden, and, if the way says so, with the bar shown: a finger rests on the film, and
    the bar moves with every second."""
    run = {"way": way["name"]}
    with Film(plan, display, *way["arguments"]) as film:
        panel.wait_until_read()
        film.ipc.wait_for("time-pos", lambda now: now is not None and now > plan["settle"], timeout=60)
        run["hidden"] = film.stretch(plan["seconds"])
        if way["shown"]:
            film.show_bar(panel, (0.5, 0.4))
            panel.down(0.5, 0.4)
            panel.frame()
            time.sleep(plan["settle"])
            run["shown"] = film.stretch(plan["seconds"])
            assert film.ipc.get("vitrine/osd-visible"), "the bar did not stay"
            panel.up()
            panel.frame()
    return run


def picture(plan: dict, panel: Panel, display: Display, way: dict) -> None:
    """The display with the bar over the paused film, and a check that it is turned correctly: as the viewer sees it,
    the film's frame is the requested one."""
    turn = Turn(*way["turn"])
    path = Path(plan["out"]) / f"{way['name']}.png"
    with Film(plan, display, *way["arguments"], "--paused", "--start", str(SHOT)) as film:
        panel.wait_until_read()
        if way["bar"]:
            film.show_bar(panel, turn.place(0.5, 0.4))
        # The first bar loads its typeface; the picture has it a flip or two later.
        time.sleep(plan["settle"])
        film.ipc.command("screenshot-to-file", str(path), timeout=30)
        with PIL.Image.open(path) as image:
            shown = turn.upright(numpy.array(image.convert("RGB")))
        height, width = shown.shape[:2]
        reading = frames.read(shown, frames.fit((width, height), plan["aspect"]))
    assert reading.frame == int(SHOT * plan["rate"]), f"{way['name']}: frame {reading.frame} is on the display"


def plug(plan: dict, display: Display, paused: bool) -> list[float]:
    """Seconds from the connect event until the kernel has the film's frame on a plane again, several times."""
    arguments = [*(["--paused"] if paused else []), "--start", str(SHOT)]
    times = []
    with Film(plan, display, *arguments) as film:
        for _ in range(plan["plugs"]):
            display.card.plug(DISCONNECTED)
            film.ipc.wait_for("vitrine/display-power", lambda power: power is False)
            time.sleep(0.3)
            assert display.shows_film(), "unplugged, the planes stay as they are until it is plugged in again"
            start = time.monotonic()
            display.card.plug(CONNECTED)
            # First the planes are switched off, for the mode.
            for wanted in (False, True):
                while display.shows_film() is not wanted:
                    assert time.monotonic() < start + 10, "the film did not come back"
                    time.sleep(0.002)
            times.append(time.monotonic() - start)
            film.ipc.wait_for("vitrine/display-power")
    return times


def main() -> None:
    with open(sys.argv[1]) as file:
        plan = json.load(file)
    os.makedirs(plan["scratch"], exist_ok=True)
    displays = {key: Display(plan["vitrine"], f"bench-{key}", overlays) for key, overlays in plan["displays"].items()}
    result = {"runs": [], "plugs": {}}
    with Panel() as panel:
        panel.wait_until_classified()
        for way in plan["ways"]:
            picture(plan, panel, displays[way["display"]], way)
        print("pictures taken", flush=True)
        begin = time.time()
        time.sleep(plan["seconds"])
        result["rest"] = [begin, time.time()]
        for repeat in range(plan["repeats"]):
            # Each repeat starts with another way, so that none is always the first.
            turn = repeat * 5 % len(plan["ways"])
            for way in plan["ways"][turn:] + plan["ways"][:turn]:
                run = play(plan, panel, displays[way["display"]], way)
                result["runs"].append(run)
                print(f"{repeat + 1} {way['name']:30} {run['hidden']['pictures']:.1f}", flush=True)
    for key in plan["plugged"]:
        for paused in (True, False):
            times = plug(plan, displays[key], paused)
            result["plugs"][f"{key}, {'paused' if paused else 'playing'}"] = times
            print(f"plugged {key} {' '.join(f'{one:.2f}' for one in times)}", flush=True)
    with open(plan["result"], "w") as file:
        json.dump(result, file)
    for display in displays.values():
        if display.card:
            display.card.remove()


main()
