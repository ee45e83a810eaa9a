"""The documents: tables against the bounds, and a plot of where the picture was while the finger moved."""

import math
from xml.sax.saxutils import escape

from figures import figures, medians
from hostcpu import between
from players import PLAYERS

COLOURS = {"Vitrine": "#d6336c", "with sheet": "#862e9c", "mpv": "#1c7ed6", "mpv paused": "#74c0fc", "tutorial": "#868e96",
           "newest next": "#f08c00", "bare": "#495057"}

# Two figures that differ by less than this may be the same.
NOISE = 0.25


def number(value: float | None, digits: int = 0) -> str:
    if value is None:
        return "–"
    if math.isinf(value):
        return "never"
    return f"{value:.{digits}f}"


def ratio(value: float | None, base: float | None) -> float | None:
    if value is None or base is None or (math.isinf(value) and math.isinf(base)):
        return None
    if value == base:
        return 1.0
    return math.inf if base == 0 else value / base


def verdict(share: float | None, limit: float, sense: str) -> str:
    if share is None:
        return "not measured"
    word = "holds" if (share >= limit if sense == ">" else share <= limit) else "**missed**"
    return f"{word} (within noise)" if abs(share - 1) < NOISE else word


class Bench:
    """A run's raw figures, read."""

    def __init__(self, raw: dict):
        self.raw = raw
        self.films = {film["name"]: film for film in raw["plan"]["films"]}
        self.players = [name for name in PLAYERS if name in raw["plan"]["players"]]
        cpu = raw["cpu"]
        phases = raw["runs"][0]["phases"]
        share = {name: between(cpu, *one["wall"]) / (one["wall"][1] - one["wall"][0]) for name, one in phases.items()}
        self.observer_share = share["observed"] - share["alone"]
        rows: dict[tuple[str, str], list[dict]] = {}
        self.failures = []
        for run in raw["runs"][1:]:
            row = figures(run, self.films[run["film"]], raw["plan"]["drag"], cpu, share["observed"])
            which = f"{run['player']}, {run['film']}, repeat {run['repeat'] + 1}"
            if "error" in row:
                self.failures.append(f"{which}: {row['error']}")
            self.failures += [f"{which}: {name}: no frame was seen" for name, value in row.items() if value is None]
            rows.setdefault((run["film"], run["player"]), []).append(row)
        self.failures += [f"{row['player']}, {row['film']}, without a display: {row['error']}"
                          for row in raw.get("native") or [] if row.get("error")]
        self.rows = rows
        self.medians = {key: medians(some) for key, some in rows.items()}

    def figure(self, film: str, player: str, name: str) -> float | None:
        return self.medians.get((film, player), {}).get(name)

    def with_spread(self, film: str, player: str, name: str, digits: int) -> str:
        """The median, and the least and the greatest of the repeats where they differ."""
        if self.figure(film, player, name) is None:
            return number(None)
        values = [row[name] for row in self.rows.get((film, player), []) if name in row]
        median = number(self.figure(film, player, name), digits)
        least, most = (number(end, digits) for end in (min(values, default=None), max(values, default=None)))
        return median if least == most else f"{median} ({least}–{most})"

    def bounds(self) -> list[tuple[str, str, str, str, str, float, str]]:
        """Rows of bound, film, Vitrine's figure, the other player, its figure, their ratio's limit, and "<" or ">"."""
        rows = []
        for film in self.films:
            def row(what, mine, theirs, limit, sense, player="mpv"):
                rows.append((what, film, mine, player, theirs, limit, sense))
            row("pictures during the drag, of mpv's", "pictures", "pictures", 1.25, ">")
            row("longest gap, of mpv's", "gap", "gap", 1, "<")
            better = min(("mpv", "mpv paused"), key=lambda player: self.figure(film, player, "lag") or math.inf)
            row("lag, of mpv's better one", "lag", "lag", 0.7, "<", better)
            row("release to exact, of mpv's", "exact", "exact", 1, "<")
            row("release to playing on, of mpv's", "plays", "plays", 1, "<")
            row("start to first picture, of mpv's", "start", "start", 0.8, "<")
            row("CPU with the bar shown, of hidden", "cpu shown", "cpu hidden", 1.1, "<", "Vitrine")
            row("CPU with the bar hidden, of the bare pipeline's", "cpu hidden", "cpu play", 1.03, "<", "bare")
            if film.startswith("720p"):
                row("CPU, of mpv's", "cpu hidden", "cpu play", 1, "<")
                row("frames dropped, of mpv's", "dropped hidden", "dropped play", 1, "<")
            row("peak memory, of mpv's", "memory", "memory", 1, "<")
        return rows

    # The text

    def markdown(self, with_plot: bool = True) -> str:
        plan, drag = self.raw["plan"], self.raw["plan"]["drag"]
        lines = ["# Bench", ""]
        lines += ["`tools/bench` measured this: " + ", ".join(f"{k} {v}" for k, v in self.raw["versions"].items())
                  + f". Medians of {plan['repeats']} interleaved repeat{'s' if plan['repeats'] > 1 else ''} "
                  f"in one boot of the rig. Differences under {NOISE * 100:.0f} % are noise.", ""]
        if with_plot:
            lines += ["![Where the picture was while the finger moved](bench.svg)", ""]
        lines += ["| player | how |", "|---|---|"]
        lines += [f"| {name} | {PLAYERS[name].what} |" for name in self.players]
        lines += ["", "## Scrubbing", "",
                  f"A drag from {drag['from']} % to {drag['to']:.1f} % in {drag['seconds']} s with {drag['rate']} moves "
                  "a second, then release. Pictures: different frames that reached the screen during the drag. Gap: the "
                  "longest time without a new one, ms. Lag: how far the frame on the screen is from the finger, from press to "
                  "release, in ms of the finger's travel: mean, and 99th percentile. Exact: from release until the frame asked for was on the screen, "
                  "ms. Plays: from release until the frame behind that one was, ms. CPU: seconds of one processor during "
                  "the drag.", "",
                  "| film | player | pictures | gap | lag | lag, 99 % | exact | plays | CPU |",
                  "|---|---|--:|--:|--:|--:|--:|--:|--:|"]
        for film in self.films:
            for player in self.players:
                if PLAYERS[player].drags:
                    cells = [number(self.figure(film, player, name)) for name in ("pictures", "gap", "lag", "lag 99 %", "exact", "plays")]
                    cells.append(number(self.figure(film, player, "cpu drag"), 2))
                    lines.append(f"| {film} | {player} | " + " | ".join(cells) + " |")
        lines += ["", "## Playing", "",
                  f"CPU: seconds of one processor for {plan['play_seconds']} s of playing, counted outside the rig, less "
                  "the rig at rest. Dropped: frames of these that the screen never showed.", "",
                  "| film | player | start, ms | CPU | dropped | peak memory, MB |", "|---|---|--:|--:|--:|--:|"]
        for film in self.films:
            for player in self.players:
                for stretch in PLAYERS[player].stretches or ("",):
                    title = f"{player}, bar {stretch}" if stretch in ("hidden", "shown") else player
                    cells = [number(self.figure(film, player, "start")),
                             number(self.figure(film, player, f"cpu {stretch}"), 2),
                             number(self.figure(film, player, f"dropped {stretch}")),
                             number(self.figure(film, player, "memory"), 1)]
                    lines.append(f"| {film} | {title} | " + " | ".join(cells) + " |")
        if "Vitrine" in self.players:
            lines += ["", "## Against the bounds", "", "| bound | film | Vitrine | other | ratio | limit | |",
                      "|---|---|--:|--:|--:|--:|---|"]
            for what, film, mine, player, theirs, limit, sense in self.bounds():
                share = ratio(self.figure(film, "Vitrine", mine), self.figure(film, player, theirs))
                digits = 2 if "CPU" in what else 0
                lines.append(f"| {what} | {film} | {self.with_spread(film, 'Vitrine', mine, digits)} "
                             f"| {self.with_spread(film, player, theirs, digits)} | {number(share, 2)} "
                             f"| {'≥' if sense == '>' else '≤'} {limit:g} | {verdict(share, limit, sense)} |")
            lines += ["", "Why some are missed, where they are: [bench-misses.md](bench-misses.md)."]
        if self.raw.get("native"):
            lines += ["", "## The drag without a display", "",
                      "The same drag without sound into a sink that only keeps time, on the machine itself: in the rig "
                      "page faults and system calls are dear. Seeks: completed during the drag. CPU: during the drag.", "",
                      "| film | player | seeks | exact, ms | CPU, s |", "|---|---|--:|--:|--:|"]
            for row in self.raw["native"]:
                lines.append(f"| {row['film']} | {row['player']} | {number(row['completed'])} | {number(row['exact'])} "
                             f"| {number(row['cpu'], 2)} |")
        lines += ["", "## How it is measured", "",
                  "- An observer (`tools/bench.d/observe.c`), the same for every program, asks the kernel at every vblank "
                  "which framebuffer each plane shows and reads the frame number that the films carry from its pixels. "
                  f"It takes {max(0, self.observer_share) * 100:.1f} % of the rig's processor.",
                  "- The finger's clock and the observer's are one: CLOCK_MONOTONIC of the rig. Its resolution on the "
                  "screen is one vblank, 17 ms.",
                  "- The drag ends in the middle of a frame half a group away from the nearest keyframe, so that no "
                  "player reaches the exact picture by a keyframe seek. That frame and the next one count as exact.",
                  "- CPU is the sum over all processes of the rig, read outside: inside, ticks of 10 ms beat with "
                  "25 frames a second.",
                  "- Sound goes to ALSA's dummy card in every player. The display is 1024x768 without scaling planes: "
                  "every player scales to 1024x576 in software.",
                  "- Start is from before the program's start to the vblank that first showed a frame of the film, with "
                  "its files in the page cache after the first repeat.", ""]
        for failure in self.failures:
            lines += [f"Failed: {failure}", ""]
        return "\n".join(lines)

    # The plot

    def plot(self) -> str:
        width, panel_width, panel_height, left, top = 1000, 430, 240, 50, 78
        films = list(self.films)
        scrubbers = [name for name in self.players if PLAYERS[name].drags]
        rows = (len(films) + 1) // 2
        bars_top = top + rows * (panel_height + 60)
        height = bars_top + 220
        out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
               'font-family="Inter, Helvetica, Arial, sans-serif" font-size="12">',
               f'<rect width="{width}" height="{height}" fill="white"/>',
               f'<text x="{left}" y="24" font-size="16">The frame on the screen while a finger drags the bar</text>']
        x = left
        for name in ["finger", *scrubbers]:
            colour = COLOURS.get(name, "#000")
            dash = ' stroke-dasharray="5 4"' if name == "finger" else ""
            out.append(f'<line x1="{x}" y1="42" x2="{x + 22}" y2="42" stroke="{colour}" stroke-width="2.5"{dash}/>')
            out.append(f'<text x="{x + 28}" y="46">{escape(name)}</text>')
            x += 50 + 7 * len(name)
        for index, film in enumerate(films):
            out += self._timeline(film, scrubbers, left + index % 2 * (panel_width + 60),
                                  top + index // 2 * (panel_height + 60), panel_width, panel_height)
        for index, (figure, title) in enumerate((
                ("pictures", "pictures during the drag (more is better)"),
                ("gap", "longest gap, ms (less is better)"), ("exact", "release to exact, ms (less is better)"))):
            out += self._bars(figure, title, films, scrubbers, left + index * 320, bars_top, 290, 150)
        return "\n".join([*out, "</svg>", ""])

    def _timeline(self, film, scrubbers, x, y, width, height):
        drag = self.raw["plan"]["drag"]
        span = drag["seconds"] + 0.8
        frames = self.films[film]["frames"]

        def at(seconds: float, share: float) -> str:
            return f"{x + width * seconds / span:.1f},{y + height * (1 - share):.1f}"

        out = [f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="#f8f9fa" stroke="#ced4da"/>',
               f'<text x="{x}" y="{y - 5}">{escape(film)}</text>']
        for percent in (0, 25, 50, 75, 100):
            out.append(f'<text x="{x - 6}" y="{y + height * (1 - percent / 100) + 4:.0f}" text-anchor="end" '
                       f'fill="#868e96">{percent} %</text>')
        for tenths in range(0, round(span * 10) + 1, 5):
            place = x + width * tenths / 10 / span
            out.append(f'<text x="{place:.0f}" y="{y + height + 15}" text-anchor="middle" fill="#868e96">'
                       f'{tenths / 10:g} s</text>')
        release = x + width * drag["seconds"] / span
        out.append(f'<line x1="{release:.1f}" y1="{y}" x2="{release:.1f}" y2="{y + height}" stroke="#adb5bd"/>')
        points = [at(0, drag["from"] / 100), at(drag["seconds"], drag["to"] / 100), at(span, drag["to"] / 100)]
        out.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="#000" stroke-dasharray="5 4"/>')
        for player in reversed(scrubbers):
            run = next((run for run in self.raw["runs"][1:]
                        if run["player"] == player and run["film"] == film and "drag" in run), None)
            if not run:
                continue
            begin = run["drag"]["begin"]
            points, last = [], None
            for when, frame in run["seen"]:
                seconds = (when - begin) / 1e9
                if frame < 0 or seconds > span:
                    continue
                share = frame / frames
                if seconds < 0:
                    last = share
                    continue
                if not points and last is not None:
                    points.append(at(0, last))
                if last is not None:
                    points.append(at(seconds, last))
                points.append(at(seconds, share))
                last = share
            if last is not None:
                points.append(at(span, last))
            out.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{COLOURS[player]}" '
                       f'stroke-width="{2.2 if player == "Vitrine" else 1.4}"/>')
        return out

    def _bars(self, figure, title, films, scrubbers, x, y, width, height):
        values = {(film, player): self.figure(film, player, figure) for film in films for player in scrubbers}
        finite = [value for value in values.values() if value is not None and not math.isinf(value)]
        # One slow peer must not flatten the others: the scale ends at three times the median.
        highest = min(max(finite, default=1), 3 * sorted(finite)[len(finite) // 2] if finite else 1) or 1
        out = [f'<text x="{x}" y="{y}">{escape(title)}</text>']
        group = width / max(1, len(films))
        bar = group * 0.86 / max(1, len(scrubbers))
        for i, film in enumerate(films):
            out.append(f'<text x="{x + group * (i + 0.43):.0f}" y="{y + height + 30}" text-anchor="middle" '
                       f'font-size="9">{escape(film)}</text>')
            for j, player in enumerate(scrubbers):
                value = values[film, player]
                if value is None:
                    continue
                tall = height * min(1, value / highest)
                place = x + group * i + bar * j
                out.append(f'<rect x="{place:.1f}" y="{y + 18 + height - tall:.1f}" width="{bar - 1:.1f}" '
                           f'height="{max(tall, 1):.1f}" fill="{COLOURS[player]}"/>')
                out.append(f'<text x="{place + bar / 2:.1f}" y="{y + 15 + height - tall:.1f}" text-anchor="middle" '
                           f'font-size="7">{number(value)}</text>')
        return out
