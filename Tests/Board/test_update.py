"""Two roots and a trial (B4): an update stays if it shows its first frame, and is discarded otherwise."""

import hashlib
import io
import pathlib
import random
import re
import subprocess
import tarfile

import board as boards
import cuts
import frames
import pytest
from conftest import KERNEL, PATIENCE, TOP

# A trial has a minute.
TRIAL = 60
pytestmark = pytest.mark.timeout(6 * PATIENCE)


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
def notes(card, tmp_path):
    """For the test that uses it, the writes of each start are recorded, and the initial films' partition is kept."""
    card.copy_partition(1, tmp_path / "before.img")
    return {"drive": lambda number: cuts.drive(card.path, tmp_path / f"writes-{number}.log")}


@pytest.fixture
def outlet(request, card, out, key):
    noted = request.getfixturevalue("notes") if "notes" in request.fixturenames else {}
    with boards.Outlet(card, out, key=key, **noted) as one:
        one.now.wait_picture(frames.number, PATIENCE)
        yield one


@pytest.fixture
def root(card, tmp_path) -> pathlib.Path:
    """The root of the card, for a version that differs."""
    return card.copy_partition(2, tmp_path / "root.ext4")


def write(root: pathlib.Path, path: str, content: str, folder: pathlib.Path) -> None:
    """Replaces a program of a root."""
    (folder / "program").write_text(content)
    for command in (f"rm {path}", f"write {folder}/program {path}", f"sif {path} mode 0100755"):
        boards.trixie("debugfs", "-w", "-R", command, root)


def boot_files(card) -> dict[str, bytes]:
    return {"cmdline.txt": card.get("a/cmdline.txt")}


def update(outlet, file: pathlib.Path) -> subprocess.CompletedProcess:
    outlet.now.shell("true")
    return subprocess.run([TOP / "tools/update", *outlet.now.ssh, "127.0.0.1", file], capture_output=True, text=True, timeout=2 * PATIENCE)


def test_an_update_that_shows_a_frame_stays(notes, card, outlet, root, tmp_path):
    """From the other root, after one restart; also at the next start, and then the next update goes the other way. If
    the power had been cut at any moment, config.txt would name an intact root."""
    new = update_of(root, boot_files(card), "9.9.9", tmp_path / "new.update")
    done = update(outlet, new)
    assert done.returncode == 0 and "9.9.9" in done.stdout and done.stdout.endswith("stays\n"), done.stdout + done.stderr
    assert len(outlet.starts) == 2 and outlet.starts[0].wants_trial
    outlet.now.wait_picture(frames.number, PATIENCE)
    assert outlet.now.shell("/usr/lib/vitrine/slot status").startswith("running: b\nstarts next: b\n")
    outlet.now.ask("systemctl reboot")
    third = outlet.wait_start(3, PATIENCE)
    third.wait_picture(frames.number, PATIENCE)
    assert third.shell("/usr/lib/vitrine/slot status").startswith("running: b\nstarts next: b\n")
    third.shell("/usr/lib/vitrine/slot decide; ! grep -q 'is back' /data/update/outcome")
    assert_whole_after_cuts(card, root, tmp_path)


def assert_whole_after_cuts(card, root: pathlib.Path, folder: pathlib.Path) -> None:
    """Replays the writes of the first two starts, of the update and its trial, to the films' partition, up to some
    moments."""
    films, slot_a, slot_b, _ = card.partitions
    logs = [cuts.read_log(folder / f"writes-{number}.log", films) for number in (1, 2)]
    writes = logs[0] + logs[1]
    assert not any(cuts.is_within(write.start, slot_a) for write in writes), "the root in use was written"
    assert not any(cuts.is_within(write.start, slot_b) for write in logs[1]), "the root on trial was written"
    written = max(index for index, write in enumerate(writes) if cuts.is_within(write.start, slot_b))
    boards.run("cmp", "-n", root.stat().st_size, "-i", f"0:{slot_b[0]}", root, card.path)
    moments = [index + 1 for index, write in enumerate(writes) if write.data]
    dice = random.Random(moments[0])
    # All moments of the trial, in which the choice is made; some of the many of the update.
    ends = dice.sample([end for end in moments if end <= len(logs[0])], 5) + [end for end in moments if end > len(logs[0])]
    original, chosen = card.get("config.txt").decode(), []
    for end in ends:
        boards.run("cp", "--sparse=always", folder / "before.img", folder / "films.img")
        lost = cuts.cut(folder / "films.img", writes[:end], dice, films[0])
        cuts.check_fat(folder / "films.img", r"/tryboot\.txt|/b(/.*)?")
        said = boards.trixie("sh", "-c", "for file in config.txt a/cmdline.txt b/cmdline.txt; do "
                             f"mtype -i {folder}/films.img ::$file || true; echo ==; done 2> /dev/null")
        config, *words = said.split("==\n")[:3]
        chosen.append(re.match(r"os_prefix=([ab])/\n", config)[1])
        assert config[11:] == original[11:], f"after {end} of {len(writes)} writes, {lost} lost: {config}"
        assert re.search("root=[^ ]*" + {"a": "2", "b": "3"}[chosen[-1]] + r"\b", words["ab".index(chosen[-1])])
        assert chosen[-1] == "a" or written <= cuts.last_flush(writes[:end]), "chosen before all of it was on the card"
    print(f"chosen after cuts: {''.join(chosen)}")
    assert chosen[0] == "a" and chosen[-1] == "b"


def small(folder: pathlib.Path) -> pathlib.Path:
    """A root that is never read, sent sooner than a whole one."""
    content, root = folder / "content", folder / "small.ext4"
    content.mkdir()
    (content / "noise").write_bytes(random.Random(1).randbytes(16 << 20))
    boards.trixie("mke2fs", "-q", "-t", "ext4", "-d", content, root, "24M")
    return root


@pytest.mark.thorough
def test_a_damaged_update_is_refused(card, outlet, tmp_path):
    """Or one that is incomplete: the board continues with its root, and tries no other."""
    bad = update_of(small(tmp_path), boot_files(card), "6.6.6", tmp_path / "whole.update")
    whole = bytearray(bad.read_bytes())
    whole[len(whole) // 2] ^= 1
    (tmp_path / "flipped.update").write_bytes(whole)
    (tmp_path / "short.update").write_bytes(whole[:len(whole) // 3])
    for name in ("flipped", "short"):
        done = update(outlet, tmp_path / f"{name}.update")
        assert done.returncode == 1 and "goes on with what it had" in done.stderr, done.stdout + done.stderr
        assert "slot: " in done.stderr
        outlet.now.shell("! /usr/lib/vitrine/slot try 2> /dev/null")


@pytest.mark.thorough
def test_an_update_without_a_frame_goes(card, outlet, root, tmp_path):
    """Its player starts and hangs: after a minute of the kernel's clock, independent of any unit, the old root is back,
    with its film, and reports why."""
    write(root, "/usr/bin/vitrine", "#!/bin/sh\nexec sleep 1000\n", tmp_path)
    done = update(outlet, update_of(root, boot_files(card), "6.6.6", tmp_path / "bad.update"))
    assert done.returncode == 1 and "root a is back" in done.stdout, done.stdout + done.stderr
    assert len(outlet.starts) == 3
    outlet.now.wait_picture(frames.number, PATIENCE)
    journal = outlet.now.shell("journalctl -b -1 -u vitrine-slot.service -o short-monotonic --no-pager")
    given_up = float(re.search(r"\[ *([0-9.]+)\].*nothing on the screen within a minute", journal)[1])
    assert TRIAL <= given_up < TRIAL + 15, journal
    assert outlet.now.shell("/usr/lib/vitrine/slot status").startswith("running: a\nstarts next: a\n")


@pytest.mark.thorough
def test_a_trial_that_breaks_off_is_over(card, outlet, tmp_path):
    """A root without its first process makes the kernel panic: it restarts by itself, and the old one is back."""
    root, bad = small(tmp_path), tmp_path / "bad.update"
    done = update(outlet, update_of(root, boot_files(card), "6.6.6", bad, kernel="another"))
    assert done.returncode == 1 and "kernel of another" in done.stderr, done.stdout + done.stderr
    done = update(outlet, update_of(root, boot_files(card), "6.6.6", bad))
    assert done.returncode == 1 and "root a is back" in done.stdout, done.stdout + done.stderr
    assert "panic" in outlet.starts[1].console
    outlet.now.wait_picture(frames.number, PATIENCE)
