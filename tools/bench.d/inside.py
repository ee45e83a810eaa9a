"""The part of the bench that runs in the rig: inside.py PLAN. Writes its observations to the plan's `result` file."""

import fcntl
import json
import math
import os
import sys
import time
from pathlib import Path

import fingers
import visits
from players import PLAYERS

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
from observer import Observer  # noqa: E402


def now() -> int:
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def show_console() -> None:
    """Lets the framebuffer console set its mode, as on a machine that has booted to a console."""
    get, put, activate_at, force = 0x4600, 0x4601, 22 * 4, 128
    fd = os.open("/dev/fb0", os.O_RDWR)
    screen = bytearray(160)
    fcntl.ioctl(fd, get, screen)
    screen[activate_at:activate_at + 4] = force.to_bytes(4, sys.byteorder)
    fcntl.ioctl(fd, put, screen)
    os.close(fd)


def wait_for_frame(observer: Observer, since: int, seconds: float) -> int | None:
    """The time of the first frame after `since`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if observer.process.poll() is not None:
            sys.exit(f"inside: the observer ended with {observer.process.returncode}")
        for when, frame in reversed(observer.read()):
            if when < since:
                break
            if frame >= 0:
                return next(w for w, f in observer.seen if w >= since and f >= 0)
        time.sleep(0.05)
    return None


def sleep_until(deadline: int) -> None:
    left = deadline - now()
    if left > 0:
        time.sleep(left / 1e9)


# Nanoseconds between two vblanks.
VBLANK = 1e9 / 60
# A drag begins so many equal parts of that after a vblank, a part more in each repeat.
PARTS = 5


def wait_for_part(observer: Observer, part: int) -> None:
    """What a finger's lag is depends on its phase beside the display's vblanks."""
    seen = observer.read()
    last = seen[-1][0] if seen else now()
    passed = math.ceil((now() - last) / VBLANK + 0.5)
    sleep_until(last + round((passed + part / PARTS) * VBLANK))


def phase(run: dict, name: str, seconds: float) -> None:
    """A stretch of playing; its wall-clock times allow reading the CPU from outside."""
    begin, wall = now(), time.time()
    time.sleep(seconds)
    run["phases"][name] = {"begin": begin, "end": now(), "wall": [wall, time.time()]}


def drag(player, run: dict, plan: dict) -> None:
    begin, wall = now(), time.time()
    player.down(plan["from"])
    for step in range(round(plan["seconds"] * plan["rate"]) + 1):
        sleep_until(begin + round(step * 1e9 / plan["rate"]))
        player.move(fingers.place(plan, step / plan["rate"]))
    sleep_until(begin + round(plan["seconds"] * 1e9))
    release = now()
    player.up(plan["to"])
    run["drag"] = {"begin": begin, "release": release, "wall": [wall, time.time()]}
    sleep_until(release + round(plan["after"] * 1e9))
    run["drag"]["end"] = now()


def measure(name: str, film: dict, repeat: int, plan: dict, observer: Observer, finger: dict) -> dict:
    player = PLAYERS[name](plan["tools"], plan["scratch"])
    run = {"player": name, "film": film["name"], "repeat": repeat, "finger": finger["kind"], "phases": {}}
    show_console()
    since = len(observer.read())
    try:
        player.prepare(film)
        time.sleep(0.3)
        run["spawned"] = now()
        player.spawn()
        run["first"] = wait_for_frame(observer, run["spawned"], 20)
        if run["first"] is None:
            raise TimeoutError("no frame within 20 s")
        player.ready(film)
        time.sleep(1)
        # Playing is the same with each finger.
        for stretch in player.stretches if finger["kind"] == "fast" else ():
            player.begin(stretch)
            phase(run, stretch, plan["play_seconds"])
            player.end(stretch)
        if player.drags:
            player.before_drag()
            wait_for_part(observer, repeat % PARTS)
            drag(player, run, finger)
        run["peak_kilobytes"] = player.kilobytes("VmHWM")
        run["anonymous_kilobytes"] = player.kilobytes("RssAnon")
    except (OSError, RuntimeError) as error:
        run["error"] = f"{type(error).__name__}: {error}"
    finally:
        player.stop()
    time.sleep(0.2)
    run["seen"] = observer.read()[since:]
    print(f"{film['name']:10} {name:12} {finger['kind']:10} {run.get('error', 'done')}", flush=True)
    return run


def main() -> None:
    with open(sys.argv[1]) as file:
        plan = json.load(file)
    os.makedirs(plan["scratch"], exist_ok=True)
    show_console()
    idle = {"player": "idle", "phases": {}}
    time.sleep(1)
    # The observer's own share is the difference of these two.
    phase(idle, "alone", plan["idle_seconds"])
    observer = Observer(plan["tools"]["observe"], plan["row"], plan["shape"], Path(plan["scratch"]))
    time.sleep(1)
    phase(idle, "observed", plan["idle_seconds"])
    runs = [idle]
    for repeat in range(plan["repeats"]):
        for film in plan["films"]:
            names = plan["players"]
            # Each repeat starts with another player, so that no one is always the first on a cold cache.
            turn = repeat % len(names)
            for name in names[turn:] + names[:turn]:
                runs.append(measure(name, film, repeat, plan, observer, plan["drag"]))
    for repeat in range(plan["repeats"], plan["drags"]):
        for film in plan["films"]:
            runs += [measure(name, film, repeat, plan, observer, plan["drag"]) for name in plan["players"] if PLAYERS[name].is_judged]
    for finger in plan["fingers"]:
        for film in plan["films"]:
            runs += [measure(name, film, 0, plan, observer, finger) for name in plan["players"] if PLAYERS[name].fingers]
    touched = visits.measure(plan, observer) if plan["touches"] else []
    observer.stop()
    with open(plan["result"], "w") as file:
        json.dump({"runs": runs, "visits": touched, "observer": observer.remark}, file)


main()
