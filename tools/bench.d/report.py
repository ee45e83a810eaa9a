"""The documents: tables with the bounds, and a plot of the frame's position while the finger moved."""

import math
from pathlib import Path
from xml.sax.saxutils import escape

import fingers
from figures import figures, medians
from hostcpu import between
from players import PLAYERS

COLOURS = {"Vitrine": "#d6336c", "with sheet": "#862e9c", "half a sheet": "#cc5de8", "all controls": "#495057", "harvest": "#495057", "ideal": "#2f9e44", "mpv": "#1c7ed6", "mpv paused": "#74c0fc", "tutorial": "#868e96",
           "newest next": "#f08c00", "bare": "#495057"}

# Two figures that differ by less than this may be equal.
NOISE = 0.25
# From the lift of a finger on a poster to the first frame of its film, ms, in 95 of 100.
POSTER = 50
# And to its first sound.
POSTER_SOUND = 150

# Figures of the same drag on the machine itself start with this.
NATIVE = "no display:"
# The compared programs, the ratio's limit, Vitrine's figure and the other's.
BOUNDS = (
    ("frames during the drag", "mpv", "≥1.25", "frames", "frames"),
    ("longest gap, ms", "mpv", "≤1", "gap", "gap"),
    ("lag behind the finger, ms, beside mpv's better way", "better mpv", "≤0.7", "lag", "lag"),
    ("from a move to its frame, ms", "mpv", "", "touch", "touch"),
    ("release to exact frame, ms", "mpv", "≤1", "exact", "exact"),
    ("release to playing on, ms", "mpv", "≤1", "plays", "plays"),
    ("start to first frame, ms", "mpv", "≤0.8", "start", "start"),
    ("CPU, bar hidden, s", "mpv", "≤1", "cpu hidden", "cpu play"),
    ("CPU, beside bare, s", "bare", "≤1.03", "cpu hidden", "cpu play"),
    ("CPU, bar shown/hidden, s", "Vitrine", "≤1.1", "cpu shown", "cpu hidden"),
    ("CPU, bar/all controls, s", "all controls", "≥0.97", "cpu shown", "cpu shown"),
    ("frames dropped", "mpv", "≤1", "dropped hidden", "dropped play"),
    ("peak memory, MB", "mpv", "≤1", "memory", "memory"),
    ("anonymous memory after the drag, MB", "mpv", "≤1", "anonymous", "anonymous"),
    (f"{NATIVE} seeks during the drag", "mpv", "", f"{NATIVE} seeks", f"{NATIVE} seeks"),
    (f"{NATIVE} release to exact, ms", "mpv", "", f"{NATIVE} exact", f"{NATIVE} exact"),
    (f"{NATIVE} CPU, drag, s", "mpv", "", f"{NATIVE} cpu", f"{NATIVE} cpu"),
)

# With a whole scrub sheet: the figure, and the limits of the median and of the worst of the drags. `plays` is compared with
# mpv's better way.
SHEET_BOUNDS = (
    ("frames of 120", "frames", "≥119", "≥118"),
    ("longest gap, ms", "gap", "≤17", "≤34"),
    ("lag behind the finger, mean, ms", "lag", "≤13", "≤20"),
    ("move to frame, median, ms", "touch", "≤12", ""),
    ("move to frame, 99 of 100, ms", "touch 99 %", "≤20", ""),
    ("move to frame, most, ms", "touch most", "≤35", ""),
    ("processor in the drag, %", "share drag", "≤10", ""),
    ("release to exact frame, ms", "exact", "≤40", ""),
    ("anonymous memory after the drag, MB", "anonymous", "", ""),
)
# What harvesting frames for a scrub sheet may cost while the film plays, in % of a processor.
HARVEST = 6
# ms from the lift of a finger that had slowed down to the exact frame, with a sheet.
SLOWED = 17


def number(value: float | None, digits: int = 0) -> str:
    if value is None:
        return "–"
    if math.isinf(value):
        return "never"
    return f"{value:.{digits}f}"


def percentile(values: list[float], part: float) -> float | None:
    """The least value that so many of them do not exceed."""
    return sorted(values)[math.ceil(len(values) * part) - 1] if values else None


def ratio(value: float | None, base: float | None) -> float | None:
    if value is None or base is None or (math.isinf(value) and math.isinf(base)):
        return None
    if value == base:
        return 1.0
    return math.inf if base == 0 else value / base


def line(*cells) -> str:
    return f"|{'|'.join(map(str, cells))}|"


def missed(share: float | None, limit: str) -> bool:
    if share is None or not limit:
        return False
    bound = float(limit[1:])
    return share < bound if limit[0] == "≥" else share > bound


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
        drags = {drag["kind"]: drag for drag in [raw["plan"]["drag"], *raw["plan"]["fingers"]]}
        self.others: dict[tuple[str, str, str], dict] = {}
        """Of fingers but the fast one: kind, film, player."""
        self.failures = []
        for run in raw["runs"][1:]:
            row = figures(run, self.films[run["film"]], drags[run["finger"]], cpu, share["observed"])
            which = f"{run['player']}, {run['film']}, {run['finger']}, repeat {run['repeat'] + 1}"
            if "error" in row:
                self.failures.append(f"{which}: {row['error']}")
            self.failures += [f"{which}: {name}: no frame was seen" for name, value in row.items() if value is None]
            if run["finger"] != "fast":
                self.others[run["finger"], run["film"], run["player"]] = row
                continue
            rows.setdefault((run["film"], run["player"]), []).append(row)
        self.failures += [f"{row['player']}, {row['film']}, without a display: {row['error']}"
                          for row in raw.get("native") or [] if row.get("error")]
        self.visits = raw.get("visits") or []
        self.failures += [f"posters, {row['film']}: {row['error']}" for row in self.visits if "error" in row]
        self.rows = rows
        self.medians = {key: medians(some) for key, some in rows.items()}
        for row in raw.get("native") or []:
            self.medians.setdefault((row["film"], row["player"]), {}).update(
                {f"{NATIVE} seeks": row["completed"], f"{NATIVE} exact": row["exact"], f"{NATIVE} cpu": row["cpu"]})

    def figure(self, film: str, player: str, name: str) -> float | None:
        return self.medians.get((film, player), {}).get(name)

    def spread(self, film: str, player: str, name: str) -> tuple[float | None, float | None]:
        """The least and the greatest of the repeats."""
        values = [row[name] for row in self.rows.get((film, player), []) if row.get(name) is not None]
        return min(values, default=None), max(values, default=None)

    # The text

    def table(self) -> list[str]:
        """Each bound's ratio by film. An unmeasured row is left out."""
        lines = [line("", "limit", *self.films), line(*["---"] * (2 + len(self.films)))]
        for what, beside, limit, mine, theirs in BOUNDS:
            cells = []
            for film in self.films:
                other = beside
                if beside == "better mpv":
                    other = min(("mpv", "mpv paused"), key=lambda player: self.figure(film, player, mine) or math.inf)
                both = self.figure(film, "Vitrine", mine), self.figure(film, other, theirs)
                share = ratio(*both)
                digits = 2 if "cpu" in mine else 0
                cell = "–" if share is None else f"{number(share, 2)} ({'/'.join(number(one, digits) for one in both)})"
                cells.append(f"**{cell}**" if missed(share, limit) else cell)
            if set(cells) != {"–"}:
                lines.append(line(what, limit, *cells))
        return lines

    def worst(self, film: str, player: str, name: str, limit: str) -> float | None:
        least, greatest = self.spread(film, player, name)
        return least if limit.startswith("≥") else greatest

    def sheet_table(self) -> list[str]:
        """Each bound with a whole scrub sheet, by film."""
        lines = [line("", "median, worst", *self.films), line(*["---"] * (2 + len(self.films)))]
        for what, name, limit, last in SHEET_BOUNDS:
            cells = []
            for film in self.films:
                both = self.figure(film, "with sheet", name), self.worst(film, "with sheet", name, limit)
                # Limits are whole numbers, and a vblank is 16.7 ms.
                is_missed = any(value is not None and missed(value if math.isinf(value) else math.floor(value), each)
                                for value, each in zip(both, (limit, last)) if each)
                cell = "/".join(map(number, both))
                cells.append(f"**{cell}**" if is_missed else cell)
            lines.append(line(what, ", ".join(filter(None, (limit, last))), *cells))
        for what, name in (("frames, beside the ideal", "frames"), ("lag, beside the ideal", "lag")):
            lines.append(line(what, "", *(number(ratio(self.figure(film, "with sheet", name), self.figure(film, "ideal", name)), 2)
                                          for film in self.films)))
        cells = []
        for film in self.films:
            better = min((self.figure(film, name, "plays") or math.inf for name in ("mpv", "mpv paused")), default=math.inf)
            share = ratio(self.figure(film, "with sheet", "plays"), better)
            cells.append(f"**{number(share, 2)}**" if missed(share, "≤0.8") else number(share, 2))
        return [*lines, line("release to playing on, beside mpv's better way", "≤0.8", *cells)]

    def harvest(self) -> list[str]:
        if "harvest" not in self.players or "Vitrine" not in self.players:
            return []
        more = {film: (self.figure(film, "harvest", "cpu hidden"), self.figure(film, "Vitrine", "cpu hidden")) for film in self.films}
        shares = [(a - b) / self.raw["plan"]["play_seconds"] * 100 for a, b in more.values() if None not in (a, b)]
        shares = [f"**{number(share, 1)}**" if share > HARVEST else number(share, 1) for share in shares]
        lost = [number(self.figure(film, "harvest", "dropped hidden")) for film in self.films]
        return ["", f"While a film makes its scrub sheet it takes {', '.join(shares)} % of a processor more (limit {HARVEST}), by film, and "
                f"leaves out {', '.join(lost)} frames."]

    def touches(self) -> list[str]:
        """From the lift of a finger on a poster to the first frame, and to the first sound where a run measured it. A sound that was not
        heard is None in the raw figures."""
        if not self.visits:
            return []
        has_sound = any("sound" in row for row in self.visits)
        alone = [row for row in self.visits if row.get("of", 1) == 1]
        rows = [(row["film"] + (", its loop with sound" if row.get("loop") == "sounding" else ""), [row], True) for row in alone]
        rows += [("all", alone, True)]
        rows += [(f"{row['film']}, one of {row['of']}", [row], False) for row in self.visits if row.get("of", 1) > 1]
        limits = [("ms", POSTER), *([("sound", POSTER_SOUND)] if has_sound else [])]
        lines = ["", "## A touch on a poster", "",
                 "From the lift of a finger on the menu to the vblank that first showed the film, "
                 + ("and to the moment when its first sound passed the card, ms. The loop before it has no sound, except where that is said. "
                    if has_sound else "ms. ")
                 + "One film, preloaded two seconds before the touch or more, and a finger that rests for half a second, on planes; then one of six, by a tap of 100 ms, which has no limit.", "",
                 line("film", "touches", "frame, median" if has_sound else "median", "95 of 100", "limit", "",
                      *(["sound, median", "95 of 100", "limit", ""] if has_sound else [])),
                 line("---", *["--:"] * 4, "---", *(["--:"] * 3 + ["---"] if has_sound else []))]
        for what, some, is_limited in rows:
            cells = [len([one for row in some for one in row["ms"]])]
            for name, limit in limits:
                times = [math.inf if one is None else one for row in some for one in row.get(name, [])]
                late = percentile(times, 0.95)
                judgement = ("holds" if late is not None and late <= limit else "**missed**") if is_limited else ""
                cells += [number(percentile(times, 0.5)), number(late), f"≤ {limit}" if is_limited else "", judgement]
            lines.append(line(what, *cells))
        return lines

    def markdown(self, with_files: bool = True) -> str:
        plan, drag = self.raw["plan"], self.raw["plan"]["drag"]
        what = ", ".join(f"{name} {value}" for name, value in self.raw["versions"].items())
        lines = ["# Bench", "",
                 f"`tools/bench`, {what}. Medians of {plan['repeats']} interleaved "
                 f"repeat{'s' if plan['repeats'] > 1 else ''} in one boot."
                 + (" [bench.csv](bench.csv) has all players' figures." if with_files else ""), ""]
        if with_files:
            lines += ["![Where the frame was while the finger moved](bench.svg)", ""]
        lines += ["| player | how |", "|---|---|"]
        lines += [f"| {name} | {PLAYERS[name].what} |" for name in self.players]
        if "Vitrine" in self.players:
            lines += ["", "## Beside mpv", "",
                      f"{plan['play_seconds']} s of playing, then a drag from {drag['from']} % to {drag['to']:.1f} % in "
                      f"{drag['seconds']} s. Cells: the ratio (Vitrine/mpv, or who is named). Bold misses its limit. Ratios from {1 - NOISE:g} to {1 + NOISE:g} "
                      "may be noise.", "", *self.table()]
        with_sheet = [name for name in ("Vitrine", "half a sheet", "with sheet", "mpv", "mpv paused", "ideal") if name in self.players]
        if "with sheet" in with_sheet:
            lines += ["", "## With a scrub sheet", "", f"Median and worst of {self.raw['plan'].get('drags', plan['repeats'])} drags, which begin at "
                      "different moments between two vblanks.", "", *self.sheet_table()]
            lines += ["", "## Where the frame is", "",
                      "How far the frame on the screen is from the finger, in ms of its travel, from press to release: mean, and what 99 "
                      "of 100 moments do not exceed. Then the different frames of 120 moves, the longest gap, from a move to the frame "
                      "that answers it (median, 99 of 100), from release to the exact frame and to playing on, all in ms. Each is the median of the "
                      "films, and that of the worst film.", "",
                      line("player", "lag", "99 %", "frames", "gap", "move to frame", "99 %", "exact", "plays on"),
                      line("---", *["--:"] * 8)]
            for name in with_sheet:
                cells = []
                for one in ("lag", "lag 99 %", "frames", "gap", "touch", "touch 99 %", "exact", "plays"):
                    values = sorted(value for film in self.films if (value := self.figure(film, name, one)) is not None)
                    worst = (values[0] if one == "frames" else values[-1]) if values else None
                    cells.append(f"{number(values[len(values) // 2] if values else None)}, {number(worst)}")
                lines.append(line(name, *cells))
        lines += self.harvest()
        moved = [name for name in with_sheet if PLAYERS[name].fingers]
        if self.others:
            lines += ["", "## Other fingers", "", "Lag in ms of the finger's travel, mean and 99 of 100; then from release to the exact frame, ms; "
                      f"each of the worst film. With a sheet, {SLOWED} ms at most after a slow finger.", "",
                      line("finger", *moved), line(*["---"] * (1 + len(moved)))]
            for kind in dict.fromkeys(one for one, _, _ in self.others):
                cells = []
                for name in moved:
                    some = [self.others.get((kind, film, name), {}) for film in self.films]
                    worst = [max((row[one] for row in some if row.get(one) is not None), default=None) for one in ("lag", "lag 99 %", "exact")]
                    cell = ", ".join(map(number, worst))
                    is_missed = (kind, name) == ("slow", "with sheet") and worst[-1] is not None and worst[-1] > SLOWED
                    cells.append(f"**{cell}**" if is_missed else cell)
                lines.append(line(kind, *cells))
            lines += ["", *(f"- {kind}: {what}." for kind, what in fingers.KINDS.items())]
        lines += self.touches()
        if with_files:
            lines += ["", "## Misses, by profile", "", Path(__file__).with_name("profiles.md").read_text().rstrip()]
        lines += ["", "## How", "",
                  "- At every vblank (17 ms) an observer (`tools/bench.d/observe.c`) reads the frame's number from the framebuffer that "
                  f"is shown. It takes {max(0, self.observer_share) * 100:.1f} % of the rig's processor.",
                  "- The drag ends half a group from the nearest key frame. That frame and the next one count as exact.",
                  "- CPU is the rig's, counted outside, less the rig at rest.",
                  "- The display is 1024x768 without scaling planes: every player scales in software. Sound goes to a dummy card."]
        if any("sound" in row for row in self.visits):
            lines += ["- A touch's first sound: of a loopback card, whose other end is recorded (`tools/bench.d/ear.py`), to 10 ms."]
        if self.raw.get("native"):
            lines += ["- No display: the same drag, without sound, into a sink that only keeps time, on the machine itself."]
        for failure in self.failures:
            lines += ["", f"Failed: {failure}"]
        return "\n".join([*lines, ""])

    def csv(self) -> str:
        """Every figure of every player. Times are in ms, CPU in seconds, memory in MB."""
        lines = ["film,player,figure,median,least,greatest"]
        for (film, player), row in self.medians.items():
            for name in sorted(row):
                digits = 2 if "cpu" in name else 1 if name == "memory" else 0
                values = [number(value, digits) for value in (row[name], *self.spread(film, player, name))]
                lines.append(",".join([film, player, name, *("" if value == "–" else value for value in values)]))
        return "\n".join([*lines, ""])

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
                ("frames", "frames during the drag (more is better)"),
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
