"""A visit, as an owner and a visitor see it (N3): power on, the attract loop, a finger, the menu, a film, nobody, the loop;
and the table of visits, on a computer that reads the card (N8)."""

import datetime
import os
import pathlib
import re
import subprocess
import time

import frames
import numpy
from conftest import FILM, PATIENCE, SIZE, TOP

LOOP = "short.mp4"
IDLE, COUNTDOWN = 5, 3
# Nine hours from universal time, all year.
ZONE = "Asia/Tokyo"
# Where each film begins in FILM: in another scene than the loop's, and than each other's poster.
FILMS = {"The river": 10, "The storm": 14}


def test_a_visit(card, board, tmp_path):
    folder = pathlib.Path(os.environ["VITRINE_FILMS"])
    card.put(f"films/{FILM}", None)
    card.put(f"films/attract/{LOOP}", (folder / LOOP).read_bytes())
    for name, start in FILMS.items():
        part = ["ffmpeg", "-v", "error", "-ss", str(start), "-i", folder / FILM]
        subprocess.run([*part, "-c", "copy", tmp_path / f"{name}.mp4"], check=True)
        card.put(f"films/{name}.mp4", (tmp_path / f"{name}.mp4").read_bytes())
    # The other one's poster is a frame of its own.
    subprocess.run([*part[:3], "-i", tmp_path / "The river.mp4", "-frames:v", "1", tmp_path / "The river.jpg"], check=True)
    card.put("films/The river.jpg", (tmp_path / "The river.jpg").read_bytes())
    settings = re.sub(rb"(?m)^idle-seconds = .*$", b"idle-seconds = %d" % IDLE, card.get("vitrine.toml"))
    more = f'film-idle-seconds = 30\ncountdown-seconds = {COUNTDOWN}\ntime-zone = "{ZONE}"\n'
    card.put("vitrine.toml", settings + b"\n" + more.encode())
    machine = board()
    first = machine.wait_picture(frames.number, PATIENCE)
    machine.wait_picture(lambda picture: (frames.number(picture) or 0) != first or None, PATIENCE)
    machine.picture("attract")

    def is_menu(picture: numpy.ndarray) -> bool:
        """The film is dimmed to its corners, and the right poster is there: a frame, decoded once the loop has played for 15 s."""
        poster = picture[SIZE[1] * 2 // 5 : SIZE[1] * 7 // 10, SIZE[0] * 55 // 100 : SIZE[0] * 9 // 10]
        return bool(picture[-8:, :64].mean() < 70 and frames.number(picture) is None and poster.std() > 20)

    # A visitor does not know whether the panel already existed, and stays until both posters are there.
    end = time.monotonic() + PATIENCE
    while True:
        machine.tap(SIZE[0] / 2, SIZE[1] * 0.97)
        if any(is_menu(machine.picture()) for _ in range(4)):
            break
        assert time.monotonic() < end, "no menu with both posters"
    machine.picture("menu")
    # The left one of two, which stand side by side.
    machine.tap(SIZE[0] * 0.3, SIZE[1] * 0.45)
    status = "systemctl show -P StatusText vitrine.service"
    end = time.monotonic() + PATIENCE
    while "The river" not in machine.shell(status):
        assert time.monotonic() < end, machine.shell(status)
    machine.wait_picture(frames.number, PATIENCE)
    machine.picture("film")
    # Nobody: the countdown, and the loop.
    end = time.monotonic() + PATIENCE
    while LOOP not in machine.shell(status):
        assert time.monotonic() < end, machine.shell(status)
    machine.wait_picture(frames.number, PATIENCE)
    machine.picture("attract-again")
    table = machine.shell("cat /data/vitrine/visits.csv; sync")
    lines = table.splitlines()
    assert len(lines) == 2 and ",The river," in lines[1], lines
    # By the clock on the wall.
    begun, now = map(datetime.datetime.fromisoformat, (lines[1].split(",")[0], machine.shell(f"TZ={ZONE} date '+%F %T'").strip()))
    assert datetime.timedelta(0) < now - begun < datetime.timedelta(minutes=30), (begun, now)
    # The owner's way to it: the plug, another start, and the card in a computer.
    machine.pull_plug()
    machine = board()
    machine.wait_picture(frames.number, PATIENCE)
    copied = "[ -e /boot/firmware/visits.csv ] && flock /run/vitrine-card.lock true"
    machine.shell(f"for i in $(seq 60); do {copied} && exit; sleep 1; done; exit 1")
    machine.shell("systemctl is-active vitrine-visits.timer")
    # A card that cannot be written to is no fault of the player's.
    machine.shell("blockdev --setro $(findmnt -no SOURCE /boot/firmware); echo more >> /data/vitrine/visits.csv; "
                  "systemctl start vitrine-visits.service; systemctl is-active vitrine.service")
    machine.wait_picture(frames.number, PATIENCE)
    machine.pull_plug()
    assert card.get("visits.csv").decode() == table


OVERLAY = TOP / "rootfs-overlay/usr/lib/vitrine"


def copy_visits(folder: pathlib.Path) -> None:
    """Runs the script with folders of its own in place of the card's."""
    for name in ("card", "state", "run"):
        (folder / name).mkdir(exist_ok=True)
    text = (OVERLAY / "visits").read_text().replace("/usr/lib/vitrine/writable ", "").replace("/usr/lib/vitrine", str(OVERLAY))
    for path, name in (("/boot/firmware", "card"), ("/var/lib/vitrine", "state"), ("/run/", "run/")):
        text = text.replace(path, f"{folder}/{name}")
    subprocess.run(["sh", "-c", text], check=True, timeout=60)


def test_a_visits_table_is_copied_once(tmp_path):
    """The card is written to only when the table has changed; the older table comes along."""
    card, state = tmp_path / "card", tmp_path / "state"
    copy_visits(tmp_path)
    assert not list(card.iterdir())
    (state / "visits.csv").write_text("one\n")
    (state / "visits.1.csv").write_text("older\n")
    copy_visits(tmp_path)
    assert {path.name: path.read_text() for path in card.iterdir()} == {"visits.csv": "one\n", "visits.1.csv": "older\n"}
    first = (card / "visits.csv").stat().st_ino
    copy_visits(tmp_path)
    assert (card / "visits.csv").stat().st_ino == first
    (state / "visits.csv").write_text("one\ntwo\n")
    copy_visits(tmp_path)
    assert (card / "visits.csv").read_text() == "one\ntwo\n"
    # The data partition was made anew: the copy is the only one left.
    (state / "visits.csv").unlink()
    copy_visits(tmp_path)
    assert (card / "visits.csv").read_text() == "one\ntwo\n"


def test_a_visits_table_on_a_full_card(tmp_path):
    """What is there stays, and no part of a copy."""
    copy_visits(tmp_path)
    card, state = tmp_path / "card", tmp_path / "state"
    (card / "visits.csv").write_text("one\n")
    (state / "visits.csv").write_text("one\ntwo\n")
    (card / "visits.csv.new").symlink_to("/dev/full")
    copy_visits(tmp_path)
    assert [path.name for path in card.iterdir()] == ["visits.csv"] and (card / "visits.csv").read_text() == "one\n"


def test_a_visits_table_that_is_something_else(tmp_path):
    """Root copies what the player's user owns: it follows no link, waits for no pipe, and takes no more than a table has."""
    copy_visits(tmp_path)
    card, state = tmp_path / "card", tmp_path / "state"
    (tmp_path / "secret").write_text("secret")
    (state / "visits.csv").symlink_to(tmp_path / "secret")
    with (state / "visits.1.csv").open("wb") as file:
        file.truncate(1 << 30)
    copy_visits(tmp_path)
    assert [(path.name, path.stat().st_size) for path in card.iterdir()] == [("visits.1.csv", 1 << 20)]
    (state / "visits.csv").unlink()
    os.mkfifo(state / "visits.csv")
    copy_visits(tmp_path)
