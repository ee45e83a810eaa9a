"""The cost of each step of the ladder and of each turn compared with the plain plane, and the time until a film is back
after its cable: measures it, and writes the tables and pictures of docs/displays.md."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import tables
from hostcpu import HostCPU, between

TOOLS = Path(__file__).resolve().parents[1]
RATE = 25
# Name and shape; the emulated machine is too slow for a film that must be scaled.
FILMS = {"rig": ("360p-key50", 640 / 360), "machine": ("square-4x3", 640 / 480)}
SMALL = ("--mode", "640x480")
# The overlays of each display: `None` is the existing one.
RIG = {"planes": 2, "primary": 1, "one": 0}
MACHINE = {"virtio": None}
PLAIN, PLAIN_MACHINE = "own-planes", "virtio-film-alone"
PICTURE_WIDTH = 320


def way(name: str, display: str, what: str, *arguments: str, turn=(0, False), shown=False, bar=True) -> dict:
    return {"name": name, "display": display, "what": what, "arguments": list(arguments), "turn": list(turn),
            "shown": shown, "bar": bar}


LADDER = [
    way("own-planes", "planes", "vkms, two overlays", shown=True),
    way("film-on-primary", "primary", "vkms, one overlay", shown=True),
    way("composited", "one", "vkms, the primary plane alone", shown=True),
]
LADDER_MACHINE = [
    way("virtio-film-alone", "virtio", "virtio-gpu, no bar at all", *SMALL, "--osd", "off", bar=False),
    way("virtio-composited", "virtio", "virtio-gpu", *SMALL, shown=True),
]


def turns() -> list[dict]:
    ways = []
    for reflected in (False, True):
        for degrees in (0, 90, 180, 270):
            for by in ("plane", "pipeline"):
                # The unturned way is the plain one.
                if (degrees, reflected) == (0, False):
                    continue
                name = f"turned-{degrees}{'-reflected' if reflected else ''}-{by}"
                arguments = ["--rotate", str(degrees), *(["--reflect"] if reflected else []), "--rotate-by", by]
                ways.append(way(name, "planes", by, *arguments, turn=(degrees, reflected)))
    return ways


TURNS = turns()


# Measuring


def run(guest: str, displays: dict, ways: list[dict], options, **more) -> dict:
    """Plays in the rig or the machine, and returns the results; the pictures go into the documents' folder."""
    film, aspect = FILMS[guest]
    out = Path(tempfile.mkdtemp(prefix="vitrine-displays."))
    plan = {
        "vitrine": options.program, "film": f"{options.films_folder}/{film}.mp4", "aspect": aspect, "rate": RATE, "scratch": "/run/bench",
        "out": str(out), "result": f"{out}/result.json", "displays": displays, "ways": ways,
        "repeats": options.repeats, "seconds": 8, "settle": 1.5, "plugs": 10, "plugged": [],
    } | more
    (out / "plan.json").write_text(json.dumps(plan))
    inside = [str(TOOLS / "lib" / "python"), "-B", str(TOOLS / "bench.d" / "displays_inside.py")]
    inside[0] = subprocess.run([inside[0]], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    before = os.getloadavg()[0]
    limit = 120 + len(ways) * (30 + 40 * plan["repeats"]) + 60 * len(plan["plugged"])
    process = subprocess.Popen(
        [str(TOOLS / guest), "--", *inside, str(out / "plan.json")], stdout=sys.stderr,
        env=dict(os.environ, RIG_OUT=str(out), RIG_TIMEOUT=str(limit)))
    outside = HostCPU(process.pid)
    status = process.wait()
    outside.stop()
    if status or not (out / "result.json").exists():
        sys.exit(f"bench: tools/{guest} ended with {status}; what the player said is in {out}")
    result = json.loads((out / "result.json").read_text())
    result |= {"load": [before, os.getloadavg()[0]], "seconds": plan["seconds"], "repeats": plan["repeats"]}
    count(result, outside.samples if guest == "rig" else None)
    folder = options.documents / "displays"
    folder.mkdir(exist_ok=True)
    for one in ways:
        shrink(inside[0], out / f"{one['name']}.png", folder / f"{one['name']}.png")
    shutil.rmtree(out)
    return result


def count(result: dict, outside: list[tuple[float, float]] | None) -> None:
    """The CPU of each stretch: seconds per second. The rig's clock has ticks of 10 ms, which beat with the film's
    frames, so all of it is measured from outside, less the rig at rest; vkms itself does nothing while nobody requests
    its output. The machine's clock is fine enough for the process' own time."""
    def share(begin: float, end: float) -> float:
        return between(outside, begin, end) / (end - begin)

    for one in result["runs"]:
        for stretch in [one[name] for name in ("hidden", "shown") if name in one]:
            stretch["cpu"] = share(*stretch["wall"]) - share(*result["rest"]) if outside else stretch["process"]


def shrink(python: str, source: Path, target: Path) -> None:
    """A small picture of few colours."""
    code = ("import sys, PIL.Image as I; p = I.open(sys.argv[1]).convert('RGB'); w = int(sys.argv[3]);"
            "p = p.resize((w, w * p.height // p.width), I.Resampling.LANCZOS);"
            "p.quantize(64, dither=I.Dither.NONE).save(sys.argv[2], optimize=True)")
    subprocess.run([python, "-c", code, str(source), str(target), str(PICTURE_WIDTH)], check=True)


def measure(options) -> dict:
    raw = {"versions": options.versions}
    if not options.no_machine:
        raw["machine"] = run("machine", MACHINE, LADDER_MACHINE, options)
    options.raise_priority()
    raw["rig"] = run("rig", RIG, LADDER + TURNS, options, plugged=["planes", "one"])
    return raw


# Writing


def is_late(stretch: dict) -> bool:
    """Whether frames were dropped: such a film's CPU time cannot be compared."""
    return stretch["pictures"] < RATE * 0.97


class Figures:
    """One guest's runs: medians of the repeats, and ratios to the plain way of the same repeat."""

    def __init__(self, result: dict, plain: str):
        self.by_way: dict[str, list[dict]] = {}
        for one in result["runs"]:
            self.by_way.setdefault(one["way"], []).append(one)
        self.plain = statistics.median(one["hidden"]["cpu"] for one in self.by_way[plain])

    def ratio(self, name: str, stretch: str = "hidden") -> str:
        """The ratio to the plain way's median: median (least–greatest)."""
        low, middle, high = (
            f"{choose(one[stretch]['cpu'] for one in self.by_way[name]) / self.plain:.2f}"
            for choose in (min, statistics.median, max))
        mark = " †" if any(is_late(one[stretch]) for one in self.by_way[name]) else ""
        return (middle if low == high else f"{middle} ({low}–{high})") + mark


def linked(figure: str, way: dict) -> str:
    """A figure with a link to its picture."""
    return f"[{figure}](displays/{way['name']}.png)"


def ladder(raw: dict) -> str:
    lines = ["| step | display | CPU, bar hidden | bar shown |", "|---|---|--:|--:|"]
    parts = [("rig", LADDER, PLAIN), ("machine", LADDER_MACHINE, PLAIN_MACHINE)]
    for guest, ways, plain in parts:
        if guest not in raw:
            continue
        figures = Figures(raw[guest], plain)
        for one in ways:
            step = {"virtio-film-alone": "`--osd off`", "virtio-composited": "`composited`"}.get(
                one["name"], f"`{one['name']}`")
            shown = figures.ratio(one["name"], "shown") if one["shown"] else "–"
            lines.append(f"| {step} | {one['what']} | {linked(figures.ratio(one['name']), one)} | {shown} |")
    return "\n".join(lines)


def turning(raw: dict) -> str:
    figures = Figures(raw["rig"], PLAIN)
    lines = ["| turned by | by the plane | by the pipeline |", "|---|--:|--:|"]
    for by_plane, by_pipeline in zip(TURNS[::2], TURNS[1::2]):
        degrees, reflected = by_plane["turn"]
        cells = [linked(figures.ratio(one["name"]), one) for one in (by_plane, by_pipeline)]
        lines.append(f"| {degrees}{', reflected' if reflected else ''} | {' | '.join(cells)} |")
    return "\n".join(lines)


def plugging(raw: dict) -> str:
    def cell(times: list[float]) -> str:
        low, middle, high = (f"{choose(times) * 1000:.0f}" for choose in (min, statistics.median, max))
        return f"{middle} ({low}–{high})"

    lines = ["| display | paused, ms | playing, ms |", "|---|--:|--:|"]
    for display, name in (("planes", "own planes"), ("one", "composited")):
        cells = [cell(raw["rig"]["plugs"][f"{display}, {film}"]) for film in ("paused", "playing")]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def conditions(raw: dict) -> str:
    rig, machine = raw["rig"], raw.get("machine")
    versions = ", ".join(f"{key} {value}" for key, value in raw["versions"].items())
    text = (f"`tools/bench --displays`: {versions}. Film {FILMS['rig'][0]}, {RATE} frames a second, {rig['seconds']} s for each figure; "
            f"medians of {rig['repeats']} (least–greatest). 1 is {Figures(rig, PLAIN).plain * 100:.1f} % of the rig's processor; "
            f"load {rig['load'][0]:.1f}, {rig['load'][1]:.1f}.")
    if machine:
        plain = Figures(machine, PLAIN_MACHINE).plain
        text += (f" virtio-gpu: film {FILMS['machine'][0]}, 1 is {plain * 100:.0f} % of an emulated processor; "
                 f"load {machine['load'][0]:.1f}, {machine['load'][1]:.1f}.")
    if late(raw):
        text += " † Frames were left out in some repeats, because the machine was busy: not to be compared."
    return text


def late(raw: dict) -> list[str]:
    return [
        f"{one['way']}, bar {name}: {one[name]['pictures']:.1f} of {RATE} frames a second; was the machine busy?"
        for guest in ("machine", "rig") if guest in raw for one in raw[guest]["runs"] for name in ("hidden", "shown")
        if name in one and is_late(one[name])]


def write(raw: dict, document: Path) -> None:
    tables.fill(document, {"conditions": conditions(raw), "ladder": ladder(raw), "turning": turning(raw), "plugging": plugging(raw)})
