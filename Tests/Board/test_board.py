"""Power on, and the film plays (B4): the image in the virtual board, seen from outside."""

import hashlib
import os
import pathlib
import time

import numpy

from bar import Layout
from conftest import FILM, RATE, SIZE, frame

LAYOUT = Layout(*SIZE)
# Emulation is some ten times slower than a board, and slower still on a busy machine.
START = 90


def is_black(picture: numpy.ndarray) -> bool:
    return picture.max() < 16


def test_from_power_on_to_the_film_nothing_else_is_seen(board):
    """No console, no cursor, no login, no splash between: black, then the film's pictures."""
    machine = board()
    seen, shown = [], None
    while shown is None:
        assert machine.age < START, machine.console[-3000:]
        picture = machine.picture()
        # Before its driver is there, the display has no picture at all: QEMU's own words stand in for it, in its own size.
        if picture.shape[:2] == SIZE[::-1]:
            shown = frame(picture)
            if shown is None:
                seen.append(picture)
                if not is_black(picture):
                    machine.picture(f"not-black-{len(seen)}")
        time.sleep(0.1)
    machine.picture("first")
    print(f"film on the screen after {machine.age:.1f} s, frame {shown}; {len(seen)} pictures before")
    assert all(is_black(picture) for picture in seen)
    first = machine.wait_picture(frame, 5)
    machine.wait_picture(lambda picture: (frame(picture) or 0) > first + RATE or None, 30)


def test_a_finger_from_outside_drags_the_film(board):
    """Through the guest's kernel, udev and libinput; a second finger is nobody's business."""
    machine = board(memory="256M")
    machine.wait_picture(frame, START)
    machine.shell("for i in $(seq 100); do vitrine touch --json | grep -q event && break; sleep 0.2; done")
    machine.tap(SIZE[0] / 2, SIZE[1] / 3)
    finger = None
    length = 60.0
    for second in (20, 40):
        x, y = LAYOUT.x(second / length) * SIZE[0], LAYOUT.y * SIZE[1]
        if finger is None:
            time.sleep(1)
            finger = machine.finger_down(x, y)
        else:
            other = machine.finger_down(SIZE[0] / 4, SIZE[1] / 4, slot=1)
            machine.finger_move(finger, x, y)
            machine.finger_up(other, slot=1)
        machine.wait_picture(
            lambda picture, second=second: abs((frame(picture) or -999) - second * RATE) < 2 * RATE or None, 30)
        machine.picture(f"dragged-to-{second}")
    machine.finger_up(finger)
    machine.wait_picture(lambda picture: (frame(picture) or 0) > 41 * RATE or None, 30)


def test_killed_it_comes_back_where_it_was(board):
    """systemd starts it again, and it goes on within five seconds of where it was."""
    machine = board()
    machine.wait_picture(frame, START)
    machine.shell("sleep 12; systemctl kill --signal=KILL vitrine.service")
    before = machine.wait_picture(lambda picture: None if frame(picture) is None else frame(picture), 30)
    machine.wait_picture(lambda picture: None if frame(picture) is not None else True, 10)
    again = machine.wait_picture(frame, 60)
    assert before - 6 * RATE < again < before + 3 * RATE


def test_hung_it_is_brought_back(board):
    """The watchdog of systemd (`WatchdogSec`) sees that nothing is told any more."""
    machine = board()
    machine.wait_picture(frame, START)
    before = int(machine.shell("systemctl show -P MainPID vitrine.service"))
    machine.shell("systemctl kill --signal=STOP vitrine.service")
    machine.shell(f"for i in $(seq 120); do [ $(systemctl show -P MainPID vitrine.service) != {before} ] && exit; sleep 0.5; done; exit 1")
    machine.wait_picture(frame, 60)
    assert "watchdog" in machine.shell("journalctl -b -u vitrine.service -o cat").lower()


def test_wrong_settings_and_a_missing_film(card, board):
    """The film plays with what is right in the file; what is wrong lies beside it. Without a film the screen says so."""
    good = card.get("vitrine.toml")
    card.put("vitrine.toml", good.replace(b"#rotate = 0", b"rotate = 45\r\nvolumme = 3"))
    machine = board()
    machine.wait_picture(frame, START)
    machine.shell("systemctl is-active vitrine-settings.service --quiet || systemctl start vitrine-settings.service")
    machine.shell("sync; systemctl poweroff --no-block")
    machine.wait_off(60)
    told = card.get("vitrine-errors.txt").decode()
    assert "rotate" in told and "45" in told and "volume" in told, told
    card.put("vitrine.toml", good)
    card.put("films/720p-key50.mp4", None)
    machine = board()
    machine.wait_picture(lambda picture: True if (picture > 150).mean() > 0.002 else None, START)
    time.sleep(2)
    machine.picture("no-film")
    assert "watchdog" not in machine.shell("journalctl -b -u vitrine.service -o cat").lower()
    machine.shell("! systemctl is-failed --quiet vitrine.service")
    machine.shell("systemctl start vitrine-settings.service")
    machine.shell("[ ! -e /boot/firmware/vitrine-errors.txt ]")


def test_the_power_may_go_at_any_moment(card, board):
    """Whatever was written when: what was on the card before is there, and so is the film."""
    film = hashlib.sha256(pathlib.Path(os.environ["VITRINE_FILMS"], FILM).read_bytes()).hexdigest()
    machine = board()
    machine.shell("echo marked > /data/marker; sync")
    for cut in range(3):
        machine.shell("(while :; do head -c 4M /dev/urandom > /data/noise; done) > /dev/null 2>&1 & sleep 0.3")
        time.sleep(0.3 * cut)
        machine.pull_plug()
        machine = board()
        machine.wait_picture(frame, START)
        assert machine.shell("cat /data/marker").strip() == "marked"
        assert "made anew" not in machine.shell("dmesg")
        assert machine.shell(f"sha256sum < /boot/firmware/films/{FILM}").split()[0] == film
