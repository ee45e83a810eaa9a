"""A visit in the rig: from the lift of a finger on a poster to the first frame of its film, and to its first sound."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from ear import Ear
from players import IPC, Panel

# A frame of the loop cannot be mistaken for one of the first frames of the chosen film.
LOOPED, BEGUN = 60, 50
# The number of films in a full menu.
MANY = 6
# The loop's sound, as options of ffmpeg: none, or a track of silence, whose card the chosen film takes over.
LOOPS = {"silent": ["-an"], "sounding": ["-f", "lavfi", "-i", "anullsrc=r=48000", "-map", "0:v", "-map", "1:a", "-c:a", "aac", "-shortest"]}
# The display's size.
SIZE = (1024, 768)


class Visits:
    """A card with a loop and films, which have a menu of their own. The finger chooses the first one. Only the films are heard:
    the loop has the frames of the same one."""

    def __init__(self, tools: dict, scratch: str, film: dict, observer, count: int = 1, loop: str = "silent"):
        self.count = count
        self.folder, self.film, self.observer = Path(scratch) / "card", film["name"], observer
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "films" / "attract").mkdir(parents=True)
        self.path = self.folder / "films" / "chosen.mp4"
        others = [self.folder / "films" / f"other {number}.mp4" for number in range(1, count)]
        for place in (self.path, *others):
            shutil.copy(film["path"], place)
        subprocess.run(["ffmpeg", "-v", "error", "-i", film["path"], *LOOPS[loop], "-c:v", "copy",
                        str(self.folder / "films" / "attract" / "loop.mp4")], check=True)
        settings = self.folder / "vitrine.toml"
        settings.write_text('menu = "on"\nidle-seconds = 5\ncountdown-seconds = 2\nstatistics = false\n')
        # Before the player: the card's other end takes the form of sound that this one has.
        self.ear = Ear(self.folder)
        self.panel = Panel()
        self.panel.wait_until_classified()
        socket = self.folder / "control"
        self.log = open(f"{os.environ['RIG_OUT']}/visits.log", "ab")
        self.process = subprocess.Popen(
            [tools["vitrine"], "play", "--control", str(socket), "--settings", str(settings)],
            env=dict(os.environ, **self.ear.environment), stdout=self.log, stderr=self.log)
        self.ipc = IPC(str(socket))
        self.panel.wait_until_read()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.panel.unplug()
        self.ear.close()
        self.log.close()

    def wait(self, what: str, condition, seconds: float = 30):
        end = time.monotonic() + seconds
        while not (found := condition()):
            if time.monotonic() > end:
                raise TimeoutError(f"{what}: not within {seconds:g} s")
            time.sleep(0.02)
        return found

    def ask(self, name: str):
        try:
            return self.ipc.ask("get_property", name)
        except RuntimeError:
            return None

    def poster(self) -> dict | None:
        return (self.ask("vitrine/controls") or {}).get("picture-0")

    def is_ready(self) -> bool:
        links = Path(f"/proc/{self.process.pid}/fd").iterdir()
        return any(os.path.realpath(link) == str(self.path) for link in links)

    def frame(self) -> int:
        seen = self.observer.read()
        return seen[-1][1] if seen else -1

    def touch(self) -> tuple[float, float | None]:
        """Milliseconds to the first frame, and to the first sound; None if none is heard."""
        self.wait("the loop", lambda: (self.ask("filename") == "loop.mp4" and not self.poster()
                                       and self.frame() > LOOPED))
        self.panel.tap(0.5, 0.3)
        place = self.wait("the menu", self.poster)
        if self.count == 1:
            self.wait("the preloaded film", self.is_ready)
            # Posters are made at the same time.
            time.sleep(2)
        self.ear.listen()
        self.panel.down((place["x"] + place["w"] / 2) / SIZE[0], (place["y"] + place["h"] / 2) / SIZE[1])
        self.panel.frame()
        # A finger that rests, or one that taps.
        time.sleep(0.5 if self.count == 1 else 0.1)
        before = len(self.observer.read())
        lifted = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        self.panel.up()
        self.panel.frame()
        # Nothing else runs meanwhile: the rig has one processor.
        time.sleep(1)
        first = self.wait("the film", lambda: next(
            (when for when, frame in self.observer.read()[before:] if when >= lifted and 0 <= frame < BEGUN), None))
        sound = self.ear.first(lifted)
        # The visitor leaves: some seconds after the film's end the loop is back.
        self.wait("the film to be sought in", lambda: self.ask("time-pos") and self.ask("seekable"))
        self.ipc.ask("seek", 100, "absolute-percent")
        return (first - lifted) / 1e6, None if sound is None else (sound - lifted) / 1e6


def measure(plan: dict, observer) -> list[dict]:
    """Rows of a film and the milliseconds of its touches, to the frame and to the sound: alone in a menu; and the last film after a
    loop with sound, and as one of many."""
    rows, last = [], plan["films"][-1]
    for film, count, loop in [*((film, 1, "silent") for film in plan["films"]), (last, 1, "sounding"), (last, MANY, "silent")]:
        row = {"film": film["name"], "of": count, "loop": loop, "ms": [], "sound": []}
        visits = Visits(plan["tools"], plan["scratch"], film, observer, count, loop)
        try:
            for _ in range(plan["touches"]):
                frame, sound = visits.touch()
                row["ms"].append(frame)
                row["sound"].append(sound)
        except (OSError, RuntimeError) as error:
            row["error"] = f"{type(error).__name__}: {error}"
        finally:
            visits.stop()
        print(f"{film['name']:10} {'posters':12} {row.get('error', 'done')}", flush=True)
        rows.append(row)
    return rows
