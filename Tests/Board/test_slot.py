"""The decisions of the script of the two roots, without a board (B4): test_update.py has whole updates."""

import io
import os
import pathlib
import subprocess
import tarfile

import pytest
from conftest import TOP

SLOT = TOP / "rootfs-overlay/usr/lib/vitrine/slot"
TEXTS = TOP / "board/raspberrypi"
# A slot's, in bytes.
ROOM = 8 << 20


class Player:
    """The folders that the script reads."""

    def __init__(self, folder: pathlib.Path, kernel: str, board: str):
        self.card, self.state, own, model, played = (folder / name for name in ("card", "state", "own", "model", "played"))
        for one in (self.card, self.state, own, played):
            one.mkdir()
        self._path = f"{played}:/usr/sbin:/usr/bin:/sbin:/bin"
        self._says = folder / "says"
        self.says("playing film.mp4")
        # A slot is a file here, or does not exist.
        for name, script in (("systemctl", f"exec cat {self._says}"), ("blockdev", f'[ "$1" = --getsize64 ] && echo {ROOM}')):
            (played / name).write_text(f"#!/bin/sh\n{script}\n")
            (played / name).chmod(0o755)
        (own / "kernel").write_text(f"{kernel}\n")
        # As the kernel gives it.
        model.write_text(f"{board}\0")
        line = "card=/boot/firmware state=/data/update own=/usr/lib/vitrine board=/proc/device-tree/model\n"
        text = SLOT.read_text()
        assert text.count(line) == 1
        self.slot = folder / "slot"
        self.slot.write_text(text.replace(line, f"card={self.card} state={self.state} own={own} board={model}\n"))

    def says(self, status: str) -> None:
        """The player's report to systemd."""
        self._says.write_text(f"{status}\n")

    def run_full(self, folder: pathlib.Path, command: str, data: bytes = b"", **variables: str) -> subprocess.CompletedProcess:
        """Runs in a shell, with 64 KB of room in that folder, over its contents."""
        stage = 'cp -r "$1" "$1.kept"; mount -t tmpfs -o size=64k full "$1"; cp -r "$1.kept/." "$1"; shift; '
        user = () if os.getuid() == 0 else ("--map-root-user",)
        return subprocess.run(["unshare", "--mount", *user, "sh", "-c", stage + command, "sh", folder, self.slot], input=data,
                              capture_output=True, env={"PATH": self._path, **variables})

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess:
        return subprocess.run(["sh", self.slot, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env={"PATH": self._path, **variables})


@pytest.mark.parametrize("command", ["install", "try"])
@pytest.mark.parametrize("kernel, board, is_refused", [
    ("debian", "Raspberry Pi 4 Model B Rev 1.4", True), ("debian", "linux,dummy-virt", False),
    ("raspberrypi", "Raspberry Pi 4 Model B Rev 1.4", False)])
def test_debians_kernel_tries_no_other_root_on_a_pi(command, kernel, board, is_refused, tmp_path):
    """It would start the old one and report that the new one showed no frame."""
    done = Player(tmp_path, kernel, board).run(command)
    # The others end at this machine's own command line.
    assert done.returncode == 1
    assert ("Debian's kernel" in done.stderr and "Raspberry Pi 4 Model B Rev 1.4 try" in done.stderr) == is_refused, done.stderr


@pytest.mark.parametrize("status, is_refused", [
    ("no display is connected to any of HDMI-A-1: waiting for one", True), ("No film found. Copy films.", False)])
def test_without_a_display_no_update_is_taken(status, is_refused, tmp_path):
    """The update could not be confirmed."""
    player = Player(tmp_path, "raspberrypi", "Raspberry Pi 5")
    player.says(status)
    done = player.run("install")
    assert done.returncode == 1
    assert ("no display is connected, and an update stays only if" in done.stderr) == is_refused, done.stderr


def archive(**files: bytes) -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as tar:
        for name, data in files.items():
            entry = tarfile.TarInfo(name.replace("_", "."))
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return whole.getvalue()


def version(size: int, kernel: str = "raspberrypi") -> bytes:
    return f"1.0\nsize {size}\nkernel {kernel}\n".encode()


def test_a_full_data_partition_takes_no_update(tmp_path):
    """The script reports it at once: nothing is written into the other root."""
    player = Player(tmp_path, "raspberrypi", "Raspberry Pi 5")
    into = tmp_path / "into"
    done = player.run_full(player.state, 'tar -x --to-command="exec sh $1 member"; [ ! -e "$state/boot.tar" ]', archive(
        version=version(ROOM), boot_tar=bytes(1 << 20), root_ext4_zst=bytes(1 << 20)), into=str(into),
        state=str(player.state))
    assert b"slot: the data partition is full: boot.tar does not fit" in done.stderr, done.stderr
    assert done.returncode == 0 and not into.exists()


def test_another_kernels_update_is_refused_before_it_has_come(tmp_path):
    player = Player(tmp_path, "raspberrypi", "Raspberry Pi 5")
    into = tmp_path / "into"
    done = player.run_full(player.state, 'tar -x --to-command="exec sh $1 member"; [ ! -e "$state/boot.tar" ]', archive(
        version=version(ROOM, kernel="debian"), boot_tar=bytes(1 << 10), root_ext4_zst=bytes(1 << 10)), into=str(into),
        state=str(player.state))
    assert b"for an image with the kernel of debian; this one has that of raspberrypi" in done.stderr, done.stderr
    assert done.returncode == 0 and not into.exists()


def test_a_root_larger_than_its_slot_is_refused_before_it_has_come(tmp_path):
    player = Player(tmp_path, "raspberrypi", "Raspberry Pi 5")
    into = tmp_path / "into"
    done = player.run_full(player.state, 'tar -x --to-command="exec sh $1 member"; [ ! -e "$state/boot.tar" ]', archive(
        version=version(ROOM + 1), boot_tar=bytes(1 << 10), root_ext4_zst=bytes(1 << 10)), into=str(into),
        state=str(player.state))
    assert b"slot: the new root has 9 MB, and its slot on this card 8 MB; write the new image" in done.stderr, done.stderr
    assert done.returncode == 0 and not into.exists()


def test_a_card_full_of_films_takes_no_update(tmp_path):
    """And the started file is removed again."""
    player = Player(tmp_path, "raspberrypi", "Raspberry Pi 5")
    (player.card / "config.txt").write_text((TEXTS / "config.txt").read_text())
    (player.state / "boot.tar").write_bytes(archive(kernel8_img=bytes(3 << 20)))
    done = player.run_full(player.card, 'sh "$1" files && exit 1; [ ! -e "$card/b" ] && [ ! -e "$card/tryboot.txt" ]', to="b",
                           card=str(player.card))
    assert b"slot: the boot files take 3 MB and do not fit on the card beside the films" in done.stderr, done.stderr
    assert done.returncode == 0


def test_the_firmware_watches_a_trial(tmp_path):
    """And no other start, in which a file system may need time for a repair."""
    player = Player(tmp_path, "raspberrypi", "Raspberry Pi 5")
    # A section that a person appended does not keep it from other models.
    config = (TEXTS / "config.txt").read_text() + "[pi4]\nhdmi_enable_4kp60=1"
    (player.card / "config.txt").write_text(config)
    with tarfile.open(player.state / "boot.tar", "w") as tar:
        words = (TEXTS / "cmdline.txt").read_bytes()
        entry = tarfile.TarInfo("cmdline.txt")
        entry.size = len(words)
        tar.addfile(entry, io.BytesIO(words))
    sums = subprocess.run(["sha256sum", TEXTS / "cmdline.txt"], capture_output=True, text=True, check=True).stdout.split()
    (player.state / "manifest").write_text(f"{sums[0]}  boot/cmdline.txt\n")
    done = player.run("files", to="b")
    assert done.returncode == 0, done.stderr
    lines = (player.card / "tryboot.txt").read_text().splitlines()
    assert lines[0] == "os_prefix=b/" and lines[-2:] == ["[all]", "kernel_watchdog_timeout=60"]
    assert lines[1:-2] == config.splitlines()[1:]
    assert "kernel_watchdog_timeout" not in (player.card / "config.txt").read_text()
    assert "56495452-03" in (player.card / "b/cmdline.txt").read_text()
