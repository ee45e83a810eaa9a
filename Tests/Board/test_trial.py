"""The result of a trial (B4): the script's decision on a card of folders, with substitutes of systemd and the kernel.
test_update.py has real starts."""

import os
import pathlib
import subprocess

import board as boards
import pytest
from conftest import TOP

CHOSEN = "os_prefix={}/\n[all]\n"
# The script's own programs are Debian 13's, in a root of their own; its /proc is two files.
STAGE = r"""
set -e
mount --bind "$TREE/usr/bin" usr/bin; mount --bind "$TREE/usr/lib64" usr/lib64
mount --bind "$TREE/usr/lib/$(uname -m)-linux-gnu" "usr/lib/$(uname -m)-linux-gnu"
touch dev/null; mount --bind /dev/null dev/null
[ ! "$HAS_DATA" ] || mount -t tmpfs -o size=64k data data
[ ! "$TRIED" ] || { mkdir data/update; echo 9.9.9 > data/update/version; echo "$WANTED" > data/update/wanted
                    echo "$TRIED" > data/update/trial; }
[ ! "$IS_FULL" ] || ! cat /dev/zero > data/full 2> /dev/null
status=0; env PATH="$PATH:/usr/sbin" chroot . env PATH=/played:/usr/bin /usr/lib/vitrine/slot decide || status=$?
[ ! -e data/update ] || (grep -hs . data/update/trial run/vitrine-outcome data/update/outcome || true) > left
exit $status
"""
PLAYED = {
    "played/systemctl": '#!/bin/sh\n'
    'case $1 in is-active) cat /state ;; show) cat /says ;; *) echo "$@" >> /asked ;; esac',
    "usr/lib/vitrine/writable": '#!/bin/sh\nexec "$@"',
}


@pytest.fixture
def decide(tmp_path):
    """`decide(running, chosen, tried=...)`: the choice in config.txt, the requests to systemd, and the contents of the
    data partition afterwards. `tried` is None if there was no trial; `wanted` is the first word of the player's report
    before the update, `state` and `says` are systemd's current report of it."""
    tree = boards.trixie("--path").strip()
    for folder in ("usr/bin", "usr/lib64", f"usr/lib/{os.uname().machine}-linux-gnu", "usr/lib/vitrine", "dev", "proc", "data",
                   "run", "played", "boot/firmware"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("bin", "lib", "lib64"):
        (tmp_path / name).symlink_to(f"usr/{name}")
    for name, text in (PLAYED | {"usr/lib/vitrine/slot": (TOP / "rootfs-overlay/usr/lib/vitrine/slot").read_text()}).items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)

    def run(running: str, chosen: str, tried: str | None = None, uptime: int = 20, has_data: bool = True, is_full: bool = False,
            wanted: str = "playing", state: str = "active", says: str = "playing film.mp4"):
        (tmp_path / "proc/cmdline").write_text(f"quiet root=PARTUUID=56495452-0{'ab'.index(running) + 2} ro\n")
        (tmp_path / "proc/uptime").write_text(f"{uptime}.5 1.0\n")
        (tmp_path / "boot/firmware/config.txt").write_text(CHOSEN.format(chosen))
        (tmp_path / "state").write_text(f"{state}\n")
        (tmp_path / "says").write_text(f"{says}\n")
        for name in ("asked", "left", "run/vitrine-outcome"):
            (tmp_path / name).write_text("")
        own = {"TREE": tree, "HAS_DATA": "1" * has_data, "TRIED": tried or "", "IS_FULL": "1" * is_full, "WANTED": wanted}
        user = () if os.getuid() == 0 else ("--map-root-user",)
        done = subprocess.run(["unshare", "--mount", *user, "sh", "-c", STAGE], cwd=tmp_path, env=os.environ | own,
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        next_root = (tmp_path / "boot/firmware/config.txt").read_text()
        assert next_root in map(CHOSEN.format, "ab")
        return next_root[10], (tmp_path / "asked").read_text().strip(), (tmp_path / "left").read_text().strip(), done.stdout

    return run


STAYS = "update to 9.9.9: root b is on the screen and stays"
IS_BACK = "update to 9.9.9: root b was not on the screen within a minute, root a is back"


def test_a_trial_is_decided_once(decide):
    """Also if the power was cut between the choice, in config.txt, and its text."""
    assert decide("b", "a", tried="b")[:3] == ("b", "", STAYS)
    assert decide("b", "b", tried="b")[:3] == ("b", "", STAYS)
    assert decide("a", "a", tried="b")[:3] == ("a", "", IS_BACK)
    assert decide("a", "a") == ("a", "", "", "")


@pytest.mark.parametrize("wanted, state, says, stays", [
    ("playing", "active", "playing film.mp4", True),
    ("playing", "activating", "playing film.mp4", False),
    ("playing", "active", "No film found. Copy films.", False),
    ("No", "active", "No film found. Copy films.", True),
    ("No", "active", "playing film.mp4", True),
    ("No", "active", "no display is connected: waiting for one", False)])
def test_what_was_on_the_screen_has_to_be_there_again(wanted, state, says, stays, decide):
    """A film must be followed by a film; a message is enough if there was a message before. Without a display nothing
    was seen."""
    chosen, asked, *_ = decide("b", "a", tried="b", uptime=61, wanted=wanted, state=state, says=says)
    assert (chosen, asked) == (("b", "") if stays else ("a", "reboot"))


def test_with_a_full_data_partition_it_is_decided_all_the_same(decide):
    """Its text is in memory, for those who wait for it, and in the log; the next start has no trial to report."""
    assert decide("b", "a", tried="b", is_full=True)[:3] == ("b", "", STAYS)
    assert decide("a", "a", tried="b", is_full=True)[:3] == ("a", "", IS_BACK)


def test_a_trial_without_its_data_partition_goes(decide):
    """There only config.txt marks it as a trial; a root that config.txt names is none."""
    chosen, asked, _, said = decide("b", "a", has_data=False, uptime=61)
    assert (chosen, asked) == ("a", "reboot") and "no data partition" in said
    assert decide("a", "a", has_data=False, uptime=61)[:2] == ("a", "")


def test_the_unit_is_for_trials_and_tries_again():
    unit = pathlib.Path(TOP, "rootfs-overlay/usr/lib/systemd/system/vitrine-slot.service").read_text().splitlines()
    assert {"ConditionPathExists=|/data/update/trial", "ConditionPathIsMountPoint=|!/data", "Restart=on-failure"} <= set(unit)
