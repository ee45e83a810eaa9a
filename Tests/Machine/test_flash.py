"""tools/flash: a card is written and read back, and only a card is written (B4). With sticks and disks that QEMU plugs
into the machine's USB socket; their contents are in files that this side reads, too. bmaptool is Debian's."""

import hashlib
import lzma
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import time

import pytest

FLASH = pathlib.Path(__file__).resolve().parents[2] / "tools/flash"

BLOCKS = pathlib.Path("/sys/class/block")
SIZE = 6 << 20
BLOCK = 4096
# Each call starts Python in an emulated machine.
pytestmark = pytest.mark.timeout(180)

# The blocks of the image with data.
FULL = [(0, 2), (100, 140), (500, 501), (1000, 1024)]

# Exit statuses, as tools/flash --help has them.
DONE, WRONG, REFUSED, NO_IMAGE = 0, 1, 2, 66


def flash(*words, **variables) -> subprocess.CompletedProcess:
    return subprocess.run([FLASH, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=100,
                          env=os.environ | variables)


def wait_until(is_so, seconds: float = 20):
    limit = time.monotonic() + seconds
    while not (found := is_so()):
        assert time.monotonic() < limit
        time.sleep(0.05)
    return found


def has_medium(disk: pathlib.Path) -> bool:
    try:
        return (disk / "device").exists() and int((disk / "size").read_text()) > 0
    except OSError:
        # Pulled out at this moment.
        return False


def disks() -> set[str]:
    return {path.name for path in BLOCKS.glob("sd*") if has_medium(path)}


class Stick:
    def __init__(self, path: str, file: pathlib.Path | None):
        self.path, self.file = path, file

    def content(self) -> bytes:
        """Its contents, from outside."""
        return self.file.read_bytes()


@pytest.fixture
def plug(monitor, tmp_path):
    """`plug()`: a stick in the socket; all are pulled out at the test's end."""
    shared = pathlib.Path(os.environ["RIG_OUT"])
    plugged = []

    def one(size: int = SIZE, removable: bool = True, forgets: bool = False) -> Stick:
        name, before, file = f"stick{len(plugged)}", disks(), None
        if forgets:
            # QEMU's: writing succeeds, reading gives zeros.
            monitor.execute("blockdev-add", **{"driver": "null-co", "node-name": name, "size": size, "read-zeroes": True})
        else:
            file = shared / f"{name}.img"
            file.write_bytes(b"")
            with file.open("r+b") as opened:
                if size <= SIZE:
                    # Earlier contents.
                    opened.write(b"\xaa" * size)
                opened.truncate(size)
            monitor.execute("blockdev-add", **{"driver": "raw", "node-name": name,
                                               "file": {"driver": "file", "filename": str(file)}})
        monitor.execute("device_add", driver="usb-storage", bus="usb.0", id=name, drive=name, removable=removable)
        plugged.append((name, file))
        return Stick(f"/dev/{wait_until(lambda: disks() - before).pop()}", file)

    yield one
    left = disks()
    for name, file in plugged:
        monitor.execute("device_del", id=name)
    wait_until(lambda: len(disks()) == len(left) - len(plugged))
    for name, file in plugged:
        wait_until(lambda name=name: is_deleted(monitor, name))
        if file:
            file.unlink()


def is_deleted(monitor, name: str) -> bool:
    try:
        monitor.execute("blockdev-del", **{"node-name": name})
    except AssertionError:
        return False
    return True


@pytest.fixture(scope="session")
def image(tmp_path_factory) -> pathlib.Path:
    """A card's image: a partition table, some data, and much that is empty. With sums and .bmap, as tools/image makes
    them."""
    data = bytearray(4 << 20)
    chance = random.Random(1)
    for first, last in FULL:
        data[first * BLOCK:last * BLOCK] = chance.randbytes((last - first) * BLOCK)
    # One partition of 2 MB at 1 MB.
    data[440:512] = struct.pack("<I2xB3xB3xII48x2s", 0x56495452, 0, 0x83, 2048, 4096, b"\x55\xaa")
    folder = tmp_path_factory.mktemp("image")
    plain, packed = folder / "card.img", folder / "card.img.xz"
    packed.write_bytes(lzma.compress(data, preset=0))
    with plain.open("wb") as file:
        # Empty parts are holes, as bmaptool requires.
        for first, last in FULL:
            file.seek(first * BLOCK)
            file.write(data[first * BLOCK:last * BLOCK])
        file.truncate(len(data))
    subprocess.run(["bmaptool", "-q", "create", "-o", folder / "card.img.bmap", plain], check=True)
    (folder / "card.img.xz.sha256").write_text(f"{hashlib.sha256(packed.read_bytes()).hexdigest()}  card.img.xz\n")
    return packed


def test_a_card_holds_the_image_afterwards(plug, image):
    """Parts that are empty in the image stay as they were, and the kernel sees the new partitions."""
    stick = plug()
    assert re.search(rf"^{stick.path} +6.3MB  QEMU QEMU HARDDISK$", flash().stdout, re.M)
    done = flash("--yes", "--image", image, stick.path)
    assert done.returncode == DONE, done.stderr
    assert "whose sum is right" in done.stderr and "holds the image" in done.stderr
    data, plain = stick.content(), image.with_suffix("").read_bytes()
    for first, last in FULL:
        assert data[first * BLOCK:last * BLOCK] == plain[first * BLOCK:last * BLOCK]
    assert data[2 * BLOCK:100 * BLOCK] == b"\xaa" * (98 * BLOCK)
    assert int((BLOCKS / f"{stick.path[5:]}1" / "size").read_text()) == 4096


def test_without_a_map_all_of_it_is_written(plug, image, tmp_path):
    alone = tmp_path / "alone.img"
    alone.write_bytes(image.with_suffix("").read_bytes())
    stick = plug()
    done = flash("--yes", "--image", alone, stick.path)
    assert done.returncode == DONE, done.stderr
    assert stick.content() == alone.read_bytes() + b"\xaa" * (SIZE - alone.stat().st_size)


def refused(stick: Stick, image: pathlib.Path, why: str, word: str | None = None, *words) -> None:
    # A stick of 300 GB is a sparse file.
    def held():
        return stick.file and (stick.content() if stick.file.stat().st_size <= SIZE else stick.file.stat().st_blocks)

    before = held()
    done = flash("--yes", "--image", image, *words, word or stick.path)
    assert done.returncode == REFUSED and re.search(why, done.stderr), (done.returncode, done.stderr)
    assert before == held()


def test_what_is_in_use_is_left_alone(plug, image, tmp_path):
    """A mounted disk, a disk with a mounted partition, swap; a partition is no disk."""
    stick = plug()
    assert flash("--yes", "--image", image, stick.path).returncode == DONE
    part, folder = f"{stick.path}1", tmp_path / "mounted"
    folder.mkdir()
    refused(stick, image, f"is a partition; the disk is {stick.path}", part)
    for device in (part, stick.path):
        subprocess.run(["mkfs.ext4", "-qF", device], check=True)
        # Read-only: a file system that may be written to writes by itself.
        subprocess.run(["mount", "-o", "ro", device, folder], check=True)
        try:
            refused(stick, image, f"{device} is mounted at {folder}")
            assert f": no, {device} is mounted" in flash().stdout
        finally:
            subprocess.run(["umount", folder], check=True)
    subprocess.run(["mkswap", "-q", stick.path], check=True)
    subprocess.run(["swapon", stick.path], check=True)
    try:
        refused(stick, image, "is swap")
    finally:
        subprocess.run(["swapoff", stick.path], check=True)
    assert flash("--yes", "--image", image, stick.path).returncode == DONE


def test_what_is_no_card_is_left_alone(plug, image):
    refused(plug(removable=False), image, "it is not removable")
    refused(plug(size=300 * 10**9), image, "larger than a card: 300GB; --largest")
    refused(plug(size=2 << 20), image, "smaller than the image: 2.1MB, and not 4.2MB")
    refused(Stick("/dev/null", None), image, "/dev/null is no disk")


def test_a_card_that_lies_is_found_out(plug, image):
    """Some fakes accept everything and keep nothing."""
    done = flash("--yes", "--image", image, plug(forgets=True).path)
    assert done.returncode == WRONG and "does not hold what was written" in done.stderr, done.stderr


def test_a_damaged_image_is_not_written(plug, image, tmp_path):
    stick, bad = plug(), tmp_path / "bad.img.xz"
    packed = bytearray(image.read_bytes())
    packed[len(packed) // 2] ^= 1
    bad.write_bytes(packed)
    (tmp_path / "bad.img.xz.sha256").write_text(image.with_name("card.img.xz.sha256").read_text())
    done = flash("--yes", "--image", bad, stick.path)
    assert done.returncode == NO_IMAGE and "damaged" in done.stderr, done.stderr
    assert stick.content() == b"\xaa" * SIZE
    # Nor without the sum beside it: the packed file contains sums of its own.
    (tmp_path / "bad.img.xz.sha256").unlink()
    done = flash("--yes", "--image", bad, stick.path)
    assert done.returncode == NO_IMAGE and "damaged" in done.stderr, done.stderr


def test_nobody_to_ask_means_no(plug, image):
    stick = plug()
    done = flash("--image", image, stick.path)
    assert done.returncode == 64 and "--yes" in done.stderr
    assert stick.content() == b"\xaa" * SIZE


@pytest.mark.parametrize("name, properties, is_card", [
    ("mmcblk0", {"removable": "0", "device/type": "SD"}, True), ("mmcblk0", {"removable": "0", "device/type": "MMC"}, False),
    ("sdb", {"removable": "1"}, True), ("sda", {"removable": "0"}, False), ("nvme0n1", {"removable": "0"}, False),
    # Not a reader's claim: a disk that calls itself so.
    ("sda", {"removable": "0", "device/type": "SD"}, False),
])  # fmt: skip
def test_a_built_in_reader_s_card_is_one_and_what_is_soldered_in_is_not(tmp_path, name, properties, is_card):
    """By Linux's properties for a Pi's slot and for an eMMC, which the machine does not have."""
    for file, text in {"size": "62333952", "ro": "0", "device/model": "X", **properties}.items():
        (tmp_path / name / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name / file).write_text(f"{text}\n")
    line = flash(FLASH_BLOCKS=str(tmp_path)).stdout
    assert re.match(rf"/dev/{name} +32GB  X", line) and ("it is not removable" not in line) == is_card, line


def test_a_disk_with_several_reasons_is_listed_with_the_first(tmp_path):
    for file, text in {"size": "1953125000", "ro": "1", "removable": "0", "device/model": "X"}.items():
        (tmp_path / "sda" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "sda" / file).write_text(f"{text}\n")
    done = flash(FLASH_BLOCKS=str(tmp_path))
    assert done.stdout.endswith("X: no, it is not removable\n") and done.stderr == "flash: no card is there; put one in\n", done
    assert done.returncode == 0, done


def test_before_an_image_was_made_it_says_so(plug, tmp_path):
    """A project of which nothing was built."""
    (tmp_path / "tools").mkdir()
    done = subprocess.run([shutil.copy2(FLASH, tmp_path / "tools"), plug().path], capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (NO_IMAGE, "flash: no image was made here yet: tools/image makes one\n"), done
