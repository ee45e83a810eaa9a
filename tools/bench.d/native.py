"""The same drag without a display and without sound: each program with a sink that only keeps time, on this machine
itself.

A scrubber is a program that speaks as tools/bench.d/tutorial.c does: lines "down", "move PERCENT", "up PERCENT" and
"quit" in, "ready" and "done keyframe|exact" out.
"""

import json
import os
import socket
import statistics
import subprocess
import tempfile
import threading
import time


def cpu_seconds(process: int) -> float:
    used = 0
    for task in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{task}/schedstat") as schedstat:
            used += int(schedstat.read().split()[0])
    return used / 1e9


class Scrubber:
    def __init__(self, command: list[str]):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.is_ready = threading.Event()
        self.done: list[tuple[int, bool]] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            if line.startswith(b"done"):
                self.done.append((time.monotonic_ns(), b"exact" in line))
            elif line.startswith(b"ready"):
                self.is_ready.set()

    def send_line(self, line: str) -> None:
        os.write(self.process.stdin.fileno(), line.encode() + b"\n")

    def down(self) -> None:
        self.send_line("down")

    def move(self, percent: float) -> None:
        self.send_line(f"move {percent:.4f}")

    def up(self, percent: float) -> None:
        self.send_line(f"up {percent:.4f}")

    def quit(self) -> None:
        self.send_line("quit")

    def exact_after(self, release: int) -> int | None:
        return next((when for when, exact in self.done if exact and when >= release), None)


class MpvScrubber(Scrubber):
    def __init__(self, film: str, scratch: str):
        path = f"{scratch}/mpv.sock"
        if os.path.exists(path):
            os.unlink(path)
        self.process = subprocess.Popen(
            ["mpv", "--no-config", "--no-terminal", "--vo=null", "--no-audio", f"--input-ipc-server={path}", film])
        self.is_ready = threading.Event()
        self.done = []
        self.socket = socket.socket(socket.AF_UNIX)
        for _ in range(200):
            try:
                self.socket.connect(path)
                break
            except OSError:
                time.sleep(0.05)
        threading.Thread(target=self._read, daemon=True).start()
        self.is_ready.set()

    def _read(self) -> None:
        try:
            for line in self.socket.makefile("rb"):
                if b'"playback-restart"' in line:
                    self.done.append((time.monotonic_ns(), False))
        except OSError:
            pass

    def send(self, *command) -> None:
        self.socket.sendall(json.dumps({"command": command}).encode() + b"\n")

    def down(self) -> None:
        pass

    def move(self, percent: float) -> None:
        self.send("seek", percent, "absolute-percent+keyframes")

    def up(self, percent: float) -> None:
        self.send("seek", percent, "absolute-percent+exact")

    def quit(self) -> None:
        self.send("quit")

    def exact_after(self, release: int) -> int | None:
        # Its events do not say which seek is done; the last one is the one at release.
        return self.done[-1][0] if self.done and self.done[-1][0] >= release else None


def drag(scrubber: Scrubber, plan: dict) -> dict:
    end = time.monotonic() + 15
    while not scrubber.is_ready.wait(0.1):
        if scrubber.process.poll() is not None or time.monotonic() > end:
            return {"error": "it did not become ready"}
    time.sleep(1)
    moves = round(plan["seconds"] * plan["rate"])
    used = cpu_seconds(scrubber.process.pid)
    begin = time.monotonic_ns()
    scrubber.down()
    for step in range(moves + 1):
        time.sleep(max(0.0, (begin + step * 1e9 / plan["rate"] - time.monotonic_ns()) / 1e9))
        scrubber.move(plan["from"] + (plan["to"] - plan["from"]) * step / moves)
    release = time.monotonic_ns()
    used = cpu_seconds(scrubber.process.pid) - used
    completed = sum(1 for when, _ in scrubber.done if begin <= when < release)
    scrubber.up(plan["to"])
    time.sleep(plan["after"])
    if scrubber.process.poll() is not None:
        return {"error": "it ended before the drag did"}
    exact = scrubber.exact_after(release)
    return {"completed": completed, "exact": None if exact is None else (exact - release) / 1e6, "cpu": used}


def run(films: list[dict], plan: dict, tutorial: str, vitrine: str | None, repeats: int) -> list[dict]:
    """Rows of film, player and medians; `vitrine` is Vitrine's scrubber (tools/bench.d/scrub)."""
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for film in films:
            makers = {
                "mpv": lambda: MpvScrubber(film["path"], scratch),
                "tutorial": lambda: Scrubber([tutorial, "tutorial", film["path"], "none"]),
                "newest next": lambda: Scrubber([tutorial, "newest", film["path"], "none"]),
            }
            if vitrine:
                makers = {"Vitrine": lambda: Scrubber([vitrine, film["path"]]), **makers}
            results: dict[str, list[dict]] = {name: [] for name in makers}
            for _ in range(repeats):
                for name, make in makers.items():
                    scrubber = make()
                    try:
                        results[name].append(drag(scrubber, plan))
                    except OSError as error:
                        results[name].append({"error": str(error)})
                    try:
                        scrubber.quit()
                        scrubber.process.wait(5)
                    except (OSError, subprocess.TimeoutExpired):
                        scrubber.process.kill()
                        scrubber.process.wait()
            for name, measured in results.items():
                row = {"film": film["name"], "player": name}
                row["error"] = next((one["error"] for one in measured if "error" in one), None)
                for figure in ("completed", "exact", "cpu"):
                    values = [one[figure] for one in measured if one.get(figure) is not None]
                    row[figure] = statistics.median(values) if values else None
                rows.append(row)
    return rows
