"""The image with Raspberry Pi's kernel (B4), made from a substitute for their archive (archive.py): the files that a
Pi's firmware needs are in their places, and packages that somebody else has signed are refused."""

import os
import pathlib
import re
import shutil
import subprocess
import tarfile
from typing import NamedTuple

import archive as archives
import board as boards
import pytest
from conftest import FILM, TOP, in_time_left_over
from test_drivers import ASKED_FOR, NOT_ASKED_FOR, modules
from test_image import FAT, TEXTS, settings

# There may be little idle time.
pytestmark = pytest.mark.timeout(2400)

UNAVAILABLE = 69
# A key that is not Raspberry Pi's.
ANOTHER_KEY = pathlib.Path("/usr/share/keyrings/debian-archive-keyring.gpg")


class Made(NamedTuple):
    folder: pathlib.Path
    fat: pathlib.Path
    # The root's contents, by path without the first slash.
    root: dict[str, tarfile.TarInfo]
    tar: tarfile.TarFile


def tools_image(archive, *words, **variables) -> subprocess.CompletedProcess:
    command = [*in_time_left_over(), TOP / "tools/image", "--kernel", "raspberrypi", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=TOP,
                          env=os.environ | {"RASPBERRYPI_ARCHIVE": archive} | variables)


def own_cache(folder: pathlib.Path) -> pathlib.Path:
    """A cache folder with the contents of the user's, into which substitutes of packages are not written."""
    user = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "vitrine"
    own = folder / "cache/vitrine"
    own.mkdir(parents=True)
    for path in user.iterdir():
        if path.name == "image-debs":
            shutil.copytree(path, own / path.name, copy_function=os.link if os.stat(user).st_dev == os.stat(folder).st_dev else shutil.copy)
        else:
            (own / path.name).symlink_to(path)
    return own.parent


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    with archives.Archive(tmp_path_factory.mktemp("archive")) as one:
        yield one


@pytest.fixture(scope="module")
def made(archive, image, package, tmp_path_factory):
    """After `image`, which has fetched Debian's packages."""
    folder = tmp_path_factory.mktemp("raspberrypi")
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or boards.run("git", "-C", TOP, "log", "-1", "--format=%ct").strip()
    done = tools_image(archive.address, "--keyring", archive.keyring, "--quick", "--no-compress", "--boot-size", "192M", "--output", folder / "image",
                 "--film", pathlib.Path(os.environ["VITRINE_FILMS"], FILM), IMAGE_DEB=str(package("arm64")),
                 SOURCE_DATE_EPOCH=epoch, XDG_CACHE_HOME=str(own_cache(folder)))
    print(done.stderr)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1].endswith("-arm64.img")
    fat = folder / "fat"
    fat.mkdir()
    boards.trixie("mcopy", "-snpi", f"{done.stdout.split()[-1]}{FAT}", "::*", f"{fat}/")
    with tarfile.open(next((folder / "image").glob("root-*/root.tar"))) as tar:
        yield Made(folder / "image", fat, {entry.name.removeprefix("./"): entry for entry in tar}, tar)


def test_a_pi_finds_what_it_starts_from(made):
    """Every file that config.txt names for a model, in its slot's folder, under the firmware's own names; and no
    initramfs, which this kernel does not need."""
    text = (made.fat / "config.txt").read_text()
    assert text == (TEXTS / "config.txt").read_text()
    for name in ("bootcode.bin", "start.elf", "fixup.dat", "start4.elf", "fixup4.dat", "vitrine.toml"):
        assert (made.fat / name).stat().st_size > 1000
    slot = made.fat / "a"
    assert (slot / "cmdline.txt").read_text() == (TEXTS / "cmdline.txt").read_text()
    # Without it the firmware looks for overlays outside the slot's folder.
    assert (slot / "overlays/README").exists()
    for model, tree in archives.TREES.items():
        words = dict(settings(text, model))
        release = archives.RELEASES["linux-image-rpi-2712" if model == "pi5" else "linux-image-rpi-v8"]
        assert (slot / words["kernel"]).read_bytes() == archives.kernel(release)
        assert (slot / tree).read_bytes() == archives.device_tree(tree)
        assert "initramfs" not in words and "upstream_kernel" not in words
        overlays = [value.split(",")[0] for key, value in settings(text, model) if key == "dtoverlay"]
        assert "vc4-kms-v3d" in overlays
        for overlay in overlays:
            assert (slot / "overlays" / f"{overlay}.dtbo").read_bytes() == archives.device_tree(overlay)
    assert not list(made.fat.rglob("initr*"))


@pytest.mark.parametrize("release", archives.RELEASES.values())
def test_the_root_has_the_drivers_of_both_kernels(made, release):
    """By board/raspberrypi/drivers, with their dependencies."""
    folder = f"usr/lib/modules/{release}"
    there = {path.removeprefix(f"{folder}/") for path in made.root if path.startswith(f"{folder}/") and path.endswith(".ko.xz")}
    assert there == {f"kernel/{path}.ko.xz" for path in [*modules(ASKED_FOR), archives.CALLED]}
    assert not any(path.startswith(f"{folder}/kernel/fs/btrfs") for path in made.root) and modules(NOT_ASKED_FOR)
    listed = made.tar.extractfile(made.root[f"{folder}/modules.dep"]).read().decode().splitlines()
    assert {line.split(":")[0] for line in listed} == there
    assert f"kernel/{archives.CALLS}.ko.xz: kernel/{archives.CALLED}.ko.xz" in listed


def test_the_root_knows_its_kernel_and_has_its_firmware(made):
    """An update must have the same kernel; a Pi's wireless chip is found by links of alternatives, which nothing else
    creates."""
    assert made.tar.extractfile(made.root["usr/lib/vitrine/kernel"]).read() == b"raspberrypi\n"
    first = made.tar.extractfile(made.root["usr/lib/vitrine/modules"]).read().decode().split()
    assert {"vc4", "bcm2835-codec", "rpi-hevc-dec"} <= set(first)
    firmware = "usr/lib/firmware"
    assert made.root[f"{firmware}/cypress/cyfmac43455-sdio.bin"].linkname == "cyfmac43455-sdio-standard.bin"
    assert {f"{firmware}/cypress/cyfmac43455-sdio-standard.bin", f"{firmware}/brcm/brcmfmac43455-sdio.bin"} <= made.root.keys()
    assert f"{firmware}/brcm/brcmfmac43455-sdio.raspberrypi,4-model-b.bin" in made.root
    assert f"{firmware}/brcm/brcmfmac4356-pcie.bin" not in made.root
    # No results of a kernel package's installation, nor the kernels themselves.
    for gone in ("etc/kernel", "etc/initramfs", "usr/lib/raspi-firmware", "usr/lib/initramfs-tools"):
        assert gone not in made.root
    assert not any(path.startswith(("boot/vmlinuz", "usr/lib/linux-image")) for path in made.root)


def test_the_list_names_their_packages_and_debians(made):
    """Packages that Debian has, too, are Debian's, even if theirs are newer. The files' names do not mention Debian's
    kernel."""
    lines = [line.split() for line in next(made.folder.glob("*.manifest")).read_text().partition("\n\n")[0].splitlines()]
    versions = {name: version for _, name, version in lines}
    for name, release in archives.RELEASES.items():
        assert versions[name] == versions[f"linux-image-{release}"] == archives.VERSION
    assert {"raspi-firmware", "firmware-brcm80211"} <= versions.keys()
    assert versions["wireless-regdb"] != archives.NEWER
    licences = next(made.folder.glob("*.licences.txt")).read_text(errors="replace")
    assert "Copyright: of raspi-firmware" in licences
    version = re.search(r'current = "(.*)"', (TOP / "Sources/Vitrine/VitrineVersion.swift").read_text())[1]
    names = {path.name.removeprefix(f"vitrine-{version}-arm64.") for path in made.folder.glob("vitrine-*")}
    assert {"img", "img.bmap", "update", "manifest", "licences.txt"} <= names, names


def test_the_update_is_for_their_kernel(made, tmp_path):
    boards.run("tar", "-xf", next(made.folder.glob("*.update")), "-C", tmp_path)
    assert (tmp_path / "version").read_text().splitlines()[2] == "kernel raspberrypi"
    with tarfile.open(tmp_path / "boot.tar") as tar:
        assert {"./kernel8.img", "./kernel_2712.img", "./cmdline.txt", "./overlays/README"} <= set(tar.getnames())


def test_an_archive_that_somebody_else_signed_is_refused(archive, tmp_path):
    """Before anything is made; with apt's message, and the remedy."""
    done = tools_image(archive.address, "--keyring", ANOTHER_KEY, "--output", tmp_path)
    assert done.returncode == 1, done.stderr
    assert f"apt takes no packages from {archive.address} by the key in {ANOTHER_KEY.name}, so no image is made" in done.stderr
    assert "is not signed" in done.stderr and "--keyring FILE names another key" in done.stderr, done.stderr
    assert "program and package" not in done.stderr and not list(tmp_path.iterdir())


def test_an_archive_that_was_changed_is_refused(archive, tmp_path):
    """Its list has another sum than the signed one."""
    copy = tmp_path / "debian"
    shutil.copytree(archive.folder, copy)
    with (copy / "dists/trixie/main/binary-arm64/Packages").open("a") as lists:
        lists.write("\n")
    done = tools_image(f"file://{copy}", "--keyring", archive.keyring, "--output", tmp_path / "out")
    assert done.returncode == 1 and f"apt takes no packages from file://{copy}" in done.stderr, done.stderr


def test_an_archive_that_cannot_be_reached_is_reported(tmp_path):
    """If its kernel is requested, no other one is used."""
    done = tools_image(f"file://{tmp_path}/none", "--output", tmp_path)
    assert done.returncode == UNAVAILABLE and "--kernel debian" in done.stderr, done.stderr
