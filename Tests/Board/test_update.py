"""Two roots and a trial (B4): an update stays with its first picture, and goes with anything else."""

import hashlib
import io
import pathlib
import re
import subprocess
import tarfile

import board as boards
import frames
import pytest
from conftest import KERNEL, TOP

START = 90
# A trial has a minute.
TRIAL = 60


def update_of(root: pathlib.Path, boot: dict[str, bytes], version: str, path: pathlib.Path, kernel: str = KERNEL) -> pathlib.Path:
    """As tools/image writes it."""
    inner = io.BytesIO()
    with tarfile.open(fileobj=inner, mode="w") as tar:
        for name, data in boot.items():
            entry = tarfile.TarInfo(f"./{name}")
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    sums = {"root.ext4": hashlib.sha256(root.read_bytes()), **{f"boot/{name}": hashlib.sha256(boot[name]) for name in boot}}
    packed = subprocess.run(["zstd", "-q", "-T0", "-c", root], capture_output=True, check=True).stdout
    members = {"version": f"{version}\nsize {root.stat().st_size}\nkernel {kernel}\n".encode(),
               "manifest": "".join(f"{digest.hexdigest()}  {name}\n" for name, digest in sums.items()).encode(),
               "boot.tar": inner.getvalue(), "root.ext4.zst": packed}
    with tarfile.open(path, "w") as tar:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return path


@pytest.fixture
def outlet(card, out, key):
    with boards.Outlet(card, out, key=key) as one:
        one.now.wait_picture(frames.number, START)
        yield one


@pytest.fixture
def root(card, tmp_path) -> pathlib.Path:
    """The root of the card, for a version that differs."""
    return card.copy_partition(2, tmp_path / "root.ext4")


def boot_files(card) -> dict[str, bytes]:
    return {"cmdline.txt": card.get("a/cmdline.txt")}


def update(outlet, file: pathlib.Path) -> subprocess.CompletedProcess:
    outlet.now.shell("true")
    return subprocess.run([TOP / "tools/update", *outlet.now.ssh, "127.0.0.1", file], capture_output=True, text=True, timeout=500)


def test_an_update_that_shows_its_picture_stays(card, outlet, root, tmp_path):
    """From the other root, after one restart; also at the next start, and then the next update goes the other way."""
    new = update_of(root, boot_files(card), "9.9.9", tmp_path / "new.update")
    done = update(outlet, new)
    assert done.returncode == 0 and "9.9.9" in done.stdout and done.stdout.endswith("stays\n"), done.stdout + done.stderr
    assert len(outlet.starts) == 2 and outlet.starts[0].wants_trial
    outlet.now.wait_picture(frames.number, START)
    assert outlet.now.shell("/usr/lib/vitrine/slot status").startswith("running: b\nstarts next: b\n")
    outlet.now.ask("systemctl reboot")
    third = outlet.wait_start(3, 60)
    third.wait_picture(frames.number, START)
    assert third.shell("/usr/lib/vitrine/slot status").startswith("running: b\nstarts next: b\n")
    third.shell("/usr/lib/vitrine/slot decide; ! grep -q 'is back' /data/update/outcome")


def test_an_update_without_a_picture_goes(card, outlet, root, tmp_path):
    """Its player starts and hangs: after a minute of the kernel's clock, which waits for no unit, the old root is back, with
    its film, and says why."""
    hangs = tmp_path / "hangs"
    hangs.write_text("#!/bin/sh\nexec sleep 1000\n")
    for command in ("rm /usr/bin/vitrine", f"write {hangs} /usr/bin/vitrine", "sif /usr/bin/vitrine mode 0100755"):
        boards.trixie("debugfs", "-w", "-R", command, root)
    done = update(outlet, update_of(root, boot_files(card), "6.6.6", tmp_path / "bad.update"))
    assert done.returncode == 1 and "root a is back" in done.stdout, done.stdout + done.stderr
    assert len(outlet.starts) == 3
    outlet.now.wait_picture(frames.number, START)
    told = outlet.now.shell("journalctl -b -1 -u vitrine-slot.service -o short-monotonic --no-pager")
    given_up = float(re.search(r"\[ *([0-9.]+)\].*no picture within a minute", told)[1])
    assert TRIAL <= given_up < TRIAL + 15, told
    assert outlet.now.shell("/usr/lib/vitrine/slot status").startswith("running: a\nstarts next: a\n")


def test_a_trial_that_breaks_off_is_over(card, outlet, root, tmp_path):
    """A root without its first process makes the kernel panic: it restarts by itself, and the old one is back. An update
    that is damaged or breaks off changes nothing."""
    bad = update_of(root, boot_files(card), "6.6.6", tmp_path / "bad.update")
    whole = bytearray(bad.read_bytes())
    whole[len(whole) // 2] ^= 1
    (tmp_path / "flipped.update").write_bytes(whole)
    (tmp_path / "short.update").write_bytes(whole[:len(whole) // 3])
    for name in ("flipped", "short"):
        done = update(outlet, tmp_path / f"{name}.update")
        assert done.returncode == 1 and "goes on with what it had" in done.stderr, done.stdout + done.stderr
        assert "slot: " in done.stderr
        outlet.now.shell("! /usr/lib/vitrine/slot try 2> /dev/null")
    done = update(outlet, update_of(root, boot_files(card), "6.6.6", bad, kernel="another"))
    assert done.returncode == 1 and "kernel of another" in done.stderr, done.stdout + done.stderr
    boards.trixie("debugfs", "-w", "-R", "rm /usr/lib/vitrine/init", root)
    done = update(outlet, update_of(root, boot_files(card), "6.6.6", bad))
    assert done.returncode == 1 and "root a is back" in done.stdout, done.stdout + done.stderr
    assert "panic" in outlet.starts[1].console
    outlet.now.wait_picture(frames.number, START)
