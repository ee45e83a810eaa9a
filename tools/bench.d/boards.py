"""From power on to the first frame in the virtual board, beside a bare GStreamer program in the same image and unit:
measures it, and writes the tables of docs/board.md."""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

TOOLS = pathlib.Path(__file__).resolve().parents[1]
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOOLS / "lib"))

import board as boards  # noqa: E402
import frames  # noqa: E402
import tables  # noqa: E402

FILM = "720p-key50.mp4"
PLAYERS = ("Vitrine", "bare GStreamer")
# The bounds: Vitrine's time as a multiple of the bare program's.
BOUNDS = {"shown": 1.05, "own": 1.15}
# The unit starts the bare program instead of Vitrine.
BARE = "ExecStart=/usr/bin/bare /boot/firmware/films"
DROP_IN = "/usr/lib/systemd/system/vitrine.service.d/zz-bench.conf"
UNIT = TOOLS.parent / "rootfs-overlay/usr/lib/systemd/system/vitrine.service"
# The player's log lines with `--log trace`, and the work that is done by then.
TRACED = (("settings read", "program and libraries loaded, settings read"),
          ("display open", "display opened, while GStreamer and libav load"),
          ("pipeline built", "pipeline built"))


def compiled_bare(folder: pathlib.Path) -> pathlib.Path:
    sysroot = boards.run(TOOLS / "cross", "--arch", "arm64", "--sysroot").split()[-1]
    folders = f"{sysroot}/usr/lib/aarch64-linux-gnu/pkgconfig:{sysroot}/usr/share/pkgconfig"
    flags = boards.run("pkg-config", "--cflags", "--libs", "gstreamer-1.0", "libdrm",
                       env=os.environ | {"PKG_CONFIG_LIBDIR": folders, "PKG_CONFIG_SYSROOT_DIR": sysroot}).split()
    program = folder / "bare"
    boards.trixie("aarch64-linux-gnu-gcc", "-O2", "-Wall", "-Wextra", f"--sysroot={sysroot}", TOOLS / "bench.d/bare.c",
                  "-o", program, "-Wl,--unresolved-symbols=ignore-in-shared-libs", *flags)
    return program


def in_root(card: boards.Card, *commands: str) -> None:
    for command in commands:
        boards.trixie("debugfs", "-w", "-R", command, f"{card.path}?offset={card.partitions[1][0]}")


def started_by(card: boards.Card, line: str, folder: pathlib.Path) -> None:
    """The same image, with a unit that starts this."""
    drop_in = folder / "drop-in"
    drop_in.write_text(f"[Service]\nExecStart=\n{line}\n")
    in_root(card, f"write {drop_in} {DROP_IN}")


def with_bare(card: boards.Card, program: pathlib.Path, folder: pathlib.Path) -> None:
    in_root(card, f"write {program} /usr/bin/bare", "sif /usr/bin/bare mode 0100755")
    started_by(card, BARE, folder)


def boot(card: boards.Card, out: pathlib.Path, key: pathlib.Path, player: str, tries: int = 3) -> dict:
    """One start: seconds from the plug (outside), and seconds of the kernel's clock (inside)."""
    with boards.Board(card, out, key=key, size=(1280, 720), processors=2, clock=boards.REAL_TIME) as machine:
        # Rarely, so that the check costs the board next to nothing.
        machine.run_for(2)
        machine.wait_picture(frames.number, 90, every=0.04)
        shown = machine.age
        printed = machine.shell(
            "systemctl show vitrine.service -p ExecMainStartTimestampMonotonic -p ActiveEnterTimestampMonotonic -p NRestarts;"
            "systemctl show -p UserspaceTimestampMonotonic; dmesg | grep vitrine:", 120).splitlines()
        values = {name: float(value) for name, _, value in (line.partition("=") for line in printed if "=" in line[:40])}
        marks = {line.split("vitrine: ")[1]: float(line.split("]")[0].strip("[ ")) for line in printed if "vitrine: " in line}
        if player == PLAYERS[0]:
            (out / "boot.svg").write_text(machine.shell("systemd-analyze plot"))
            (out / "journal").write_text(machine.shell("journalctl -b -o short-monotonic --no-pager"))
            machine.picture("first")
    if values["NRestarts"]:
        # The times are those of the last start: emulation cannot keep up with the film, and the watchdog restarted the
        # player.
        if tries == 1:
            raise boards.BoardError(f"{player} is started anew each time: this machine is too slow to measure")
        print(f"bench: {player} was started anew, once more", file=sys.stderr)
        return boot(card, out, key, player, tries - 1)
    exec_start, ready, systemd = [
        values[f"{name}TimestampMonotonic"] / 1e6 for name in ("ExecMainStart", "ActiveEnter", "Userspace")]
    return {"player": player, "shown": shown, "exec": exec_start, "ready": ready, "own": ready - exec_start,
            "systemd": systemd, "marks": marks}


def trace(card: boards.Card, out: pathlib.Path, key: pathlib.Path) -> dict:
    """One start of a player that logs its steps: seconds of the kernel's clock."""
    with boards.Board(card, out, key=key, size=(1280, 720), processors=2, clock=boards.REAL_TIME) as machine:
        machine.wait_picture(frames.number, 90, every=0.04)
        printed = machine.shell("systemctl show vitrine.service -p ExecMainStartTimestampMonotonic -p ActiveEnterTimestampMonotonic "
                                "-p NRestarts", 120)
        # Its own clock, in milliseconds: the journal's is the time at which journald read a line.
        said = machine.shell("journalctl -b -o cat --no-pager -u vitrine.service")
    values = {name: int(value) for name, _, value in (line.partition("=") for line in printed.split())}
    if values["NRestarts"]:
        raise boards.BoardError("the player that says what it does was started anew: this machine is too slow to measure")
    marks = {name: int(re.search(rf"at=(\d+) .*\b{name}$", said, re.M)[1]) / 1e3 for name, _ in TRACED}
    return {"started": values["ExecMainStartTimestampMonotonic"] / 1e6, "marks": marks,
            "ready": values["ActiveEnterTimestampMonotonic"] / 1e6}


def measure(options) -> dict:
    films = subprocess.run([TOOLS / "films"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="bench-board.", dir="/tmp"))
    key = folder / "key"
    boards.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
    settings = folder / "vitrine.toml"
    settings.write_text((TOOLS.parent / "board/vitrine.toml").read_text() +
                        # The bare program can only start at the film's start.
                        f'\nresume = false\nssh-keys = "{key.with_suffix(".pub").read_text().strip()}"\n')
    out = TOOLS.parent / ".build/bench-board"
    made = subprocess.run([TOOLS / "image", "--no-compress", "--kernel", "none", "--boot-size", "256M", "--output", out,
                           "--settings", settings, "--film", f"{films}/{FILM}"], stdout=subprocess.PIPE, text=True, check=True)
    image = pathlib.Path(made.stdout.split()[-1])
    cards = {}
    for player in PLAYERS:
        (folder / player).mkdir()
        cards[player] = boards.Card(image, folder / player)
    with_bare(cards[PLAYERS[1]], compiled_bare(folder), folder)
    # The first start of a card grows its data partition and makes ssh's key, which is not compared.
    for player in PLAYERS:
        boot(cards[player], options.out / player, key, player)
    raw = {"runs": [], "load": os.getloadavg()[0], "memory": [], "image": image.name}
    [line] = [line for line in UNIT.read_text().splitlines() if line.startswith("ExecStart=")]
    started_by(cards[PLAYERS[0]], f"{line} --log trace", folder)
    raw["trace"] = trace(cards[PLAYERS[0]], options.out / PLAYERS[0], key)
    in_root(cards[PLAYERS[0]], f"rm {DROP_IN}")
    # Each is first equally often: the second one finds a warm machine.
    repeats = options.repeats + options.repeats % 2
    for repeat in range(repeats):
        for player in PLAYERS if repeat % 2 == 0 else reversed(PLAYERS):
            print(f"bench: start {repeat + 1} of {repeats}, {player}", file=sys.stderr)
            raw["runs"].append(boot(cards[player], options.out / player, key, player))
    raw["when"] = boards.run("date", "--utc", "+%-d %B %Y").strip()
    raw["commit"] = boards.run("git", "-C", TOOLS.parent, "describe", "--always", "--dirty").strip()
    return raw


def median(raw: dict, player: str, what: str) -> float:
    return statistics.median(one[what] for one in raw["runs"] if one["player"] == player)


def ratios(raw: dict) -> dict:
    """The ratio of each repeat, whose two starts follow one another."""
    pairs = list(zip(*[[one for one in raw["runs"] if one["player"] == player] for player in PLAYERS]))
    return {what: statistics.median(mine[what] / bare[what] for mine, bare in pairs) for what in BOUNDS}


def start_table(raw: dict) -> str:
    rows = [("plug to film, from outside", "shown"), ("kernel to program", "exec"),
            ("program to first frame", "own")]
    ratio = ratios(raw)
    lines = ["| seconds, medians | " + " | ".join(PLAYERS) + " | ratio | bound |", "|---|---|---|---|---|"]
    for name, what in rows:
        own = [f"{median(raw, player, what):.2f}" for player in PLAYERS]
        more = f"{ratio[what]:.2f} | {BOUNDS[what]}" if what in ratio else " | "
        lines.append(f"| {name} | {' | '.join(own)} | {more} |")
    pairs = len(raw["runs"]) // len(PLAYERS)
    return "\n".join([*lines, "", f"{raw['when']}, commit {raw['commit']}, {pairs} pairs of starts."])


def stage_table(raw: dict) -> str:
    """The stages of Vitrine's start, by the kernel's clock."""
    mine = [one for one in raw["runs"] if one["player"] == PLAYERS[0]]

    def mark(name: str) -> float:
        return statistics.median(one["marks"][name] for one in mine)

    def of(name: str) -> float:
        return statistics.median(one[name] for one in mine)

    stages = [("kernel", mark("initramfs")),
              ("disk, root (initramfs.c)", mark("preinit")), ("display, films, data (preinit.c)", mark("systemd")),
              ("systemd", of("exec")), ("Vitrine", of("ready"))]
    lines, before = ["| | seconds | until |", "|---|---|---|"], 0.0
    for name, until in stages:
        lines.append(f"| {name} | {until - before:.2f} | {until:.2f} |")
        before = until
    return "\n".join(lines + [f"| before the kernel's clock, and seen from outside | "
                              f"{of('shown') - of('ready'):.2f} | {of('shown'):.2f} |"])


def within(raw: dict) -> str:
    """The stages of the player's own part."""
    one = raw["trace"]
    lines = ["| | seconds | until |", "|---|---|---|", f"| systemd starts the process | | {one['started']:.2f} |"]
    before = one["started"]
    last = ("ready", "first frame on the screen")
    for name, done in (*TRACED, last):
        until = one["marks"].get(name, one["ready"])
        lines.append(f"| {done} | {until - before:.2f} | {until:.2f} |")
        before = until
    return "\n".join([*lines, "", f"{raw['when']}, commit {raw['commit']}, one start with `--log trace`."])


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools/bench --board")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--document", type=pathlib.Path)
    options = parser.parse_args()
    raw = measure(options)
    (options.out / "board.json").write_text(json.dumps(raw))
    print(start_table(raw), stage_table(raw), within(raw), sep="\n\n")
    if options.document:
        tables.fill(options.document, {"start": start_table(raw), "stages": stage_table(raw), "within": within(raw)})
    missed = [what for what, ratio in ratios(raw).items() if ratio > BOUNDS[what]]
    if missed:
        print(f"bench: over the bound: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


sys.exit(main())
