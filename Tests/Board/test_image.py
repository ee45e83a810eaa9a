"""The released files (B4): a Raspberry Pi finds the files that it starts from, the image is small, and the update is
complete. The image has Debian's kernel, which is available everywhere; for Raspberry Pi's the texts are checked."""

import hashlib
import json
import os
import pathlib
import re
import struct
import subprocess
import tarfile
import tempfile
import threading

import board as boards
import pytest
from conftest import FILM, TOP, make_image_again
from thorough import IS_ASKED

TEXTS = TOP / "board/raspberrypi"
FAT = "@@4M"
MODELS = {"pi02": "bcm2837-rpi-zero-2-w.dtb", "pi3": "bcm2837-rpi-3-b-plus.dtb", "pi4": "bcm2711-rpi-4-b.dtb"}

# The largest sizes, in millions of bytes; and by how much the image that tests pack quickly is larger than the released
# one.
ROOT, PACKED, QUICK = 350, 130, 1.17


@pytest.fixture(scope="session")
def made(image) -> pathlib.Path:
    """The folder of a whole image with Debian's kernel, compressed."""
    return image.parent


@pytest.fixture(scope="session")
def card(made) -> pathlib.Path:
    return next(made.glob("*.img"))


@pytest.fixture(scope="session")
def fat(card, tmp_path_factory) -> pathlib.Path:
    """All files of the FAT partition."""
    folder = tmp_path_factory.mktemp("fat")
    boards.trixie("mcopy", "-snpi", f"{card}{FAT}", "::*", f"{folder}/")
    return folder


@pytest.fixture(scope="session")
def root(made, tmp_path_factory) -> pathlib.Path:
    """The root in the update, which is the card's."""
    folder = tmp_path_factory.mktemp("update")
    boards.run("tar", "-xf", next(made.glob("*.update")), "-C", folder)
    boards.run("zstd", "-qd", folder / "root.ext4.zst")
    return folder / "root.ext4"


def settings(text: str, model: str) -> list[tuple[str, str]]:
    """The settings that that model's firmware reads, in order:
    https://www.raspberrypi.com/documentation/computers/config_txt.html"""
    found, is_read = [], True
    for line in text.splitlines():
        line = line.strip()
        if match := re.fullmatch(r"\[(\w+)\]", line):
            is_read = match[1] in ("all", model)
        elif line and line[0] != "#" and is_read:
            name, _, value = line.partition("=") if "=" in line else line.partition(" ")
            found.append((name, value))
    return found


@pytest.mark.parametrize("name", ["config.txt", "config.debian.txt"])
def test_config_txt_is_what_firmware_and_updates_read(name):
    """The slot in the first line, where one byte selects the other; no line is longer than the firmware reads; a kernel
    for each model."""
    text = (TEXTS / name).read_text()
    assert text.splitlines()[0] == "os_prefix=a/" and text.count("\nos_prefix") == 0
    assert all(len(line) <= 98 for line in text.splitlines() if line and line[0] != "#")
    for model in ("pi02", "pi3", "pi4", "pi5"):
        words = settings(text, model)
        assert [value for key, value in words if key == "kernel"] == (
            ["kernel_2712.img"] if (name, model) == ("config.txt", "pi5") else ["kernel8.img"])
        assert ("arm_64bit", "1") in words and ("disable_splash", "1") in words
        overlays = [value.split(",")[0] for key, value in words if key == "dtoverlay"]
        assert overlays.count("vc4-kms-v3d") == (name == "config.txt")


def test_the_kernels_words_are_one_line():
    text = (TEXTS / "cmdline.txt").read_text()
    assert text.count("\n") == 1 and text.endswith("\n")
    words = text.split()
    # Neither text nor cursor, and every argument that starting needs.
    assert set(words) == {
        "root=PARTUUID=56495452-02", "rootfstype=ext4", "rootwait", "ro", "init=/usr/lib/vitrine/init",
        "console=tty3", "quiet", "loglevel=3", "systemd.show_status=0", "logo.nologo", "vt.global_cursor_default=0",
        "consoleblank=0", "cgroup_enable=memory", "cryptomgr.notests", "initcall_blacklist=jent_mod_init", "panic=5"}
    for word in words:
        assert word.split("=")[0] in (TOP / "board/README.md").read_text(), f"{word} is not explained"


def test_a_pi_finds_what_it_starts_from(fat):
    """Every file that config.txt names for a model, in its slot's folder, and the firmware at the top."""
    text = (fat / "config.txt").read_text()
    assert text == (TEXTS / "config.debian.txt").read_text()
    for name in ("bootcode.bin", "start.elf", "fixup.dat", "start4.elf", "fixup4.dat", "vitrine.toml"):
        assert (fat / name).stat().st_size > 1000
    slot = fat / "a"
    assert (slot / "cmdline.txt").read_text() == (TEXTS / "cmdline.txt").read_text()
    for model, tree in MODELS.items():
        words = dict(settings(text, model))
        assert words["upstream_kernel"] == "1"
        assert (slot / tree).read_bytes()[:4] == b"\xd0\x0d\xfe\xed"
        # An arm64 kernel, not packed in a way that the firmware does not know.
        assert (slot / words["kernel"]).read_bytes()[56:60] == b"ARMd"
        assert (slot / words["initramfs"].split()[0]).read_bytes()[:6] == b"070701"
        for key, value in settings(text, model):
            assert key != "dtoverlay" or (slot / "overlays" / f"{value.split(',')[0]}.dtbo").exists()
    # This kernel cannot start them: the firmware then says so.
    assert not list(slot.glob("bcm2712*"))


def test_the_initramfs_loads_the_cards_driver(fat, tmp_path):
    """The dependencies of each module precede it, and the card's drivers and the root's file system are included."""
    boards.trixie("sh", "-c", f"cd {tmp_path} && cpio -idm --quiet < {fat}/a/initramfs8")
    assert (tmp_path / "init").read_bytes()[:4] == b"\x7fELF"
    loaded = set()
    for module in sorted((tmp_path / "modules/disk").iterdir()) + sorted((tmp_path / "modules/more").iterdir()):
        needed = boards.trixie("modinfo", "-F", "depends", module).strip()
        assert {name.replace("-", "_") for name in needed.split(",") if name} <= loaded
        loaded.add(module.name.split("-", 1)[1].removesuffix(".ko").replace("-", "_"))
    assert {"bcm2835", "sdhci_iproc", "ext4", "overlay", "vfat"} <= loaded


def test_the_command_line_names_the_cards_second_partition(card, fat):
    with card.open("rb") as file:
        signature, = struct.unpack("<I", file.read(444)[440:])
    match = re.search(r"root=PARTUUID=(\w+)-02 ", (fat / "a/cmdline.txt").read_text())
    assert int(match[1], 16) == signature


@pytest.mark.thorough
def test_a_virtual_pi_3_starts_it(card, fat, tmp_path):
    """QEMU's Pi 3, which has the processor, the card's slot and the serial line of one, and no display: Debian's
    kernel, this device tree and this initramfs find the card, and its root continues to systemd."""
    copy = tmp_path / "card.img"
    boards.run("cp", "--sparse=always", card, copy)
    # A card's size is a power of two there.
    boards.run("truncate", "-s", "4G", copy)
    words = (fat / "a/cmdline.txt").read_text().replace("console=tty3 quiet loglevel=3", "console=ttyAMA0 loglevel=7")
    machine = subprocess.Popen(
        [TOP / "tools/trixie", "qemu-system-aarch64", "-M", "raspi3b", "-display", "none", "-no-reboot",
         "-kernel", fat / "a/kernel8.img", "-initrd", fat / "a/initramfs8", "-dtb", fat / "a/bcm2837-rpi-3-b.dtb",
         "-append", words.strip(), "-drive", f"file={copy},format=raw,if=sd", "-serial", "stdio"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=boards.end_with_parent)
    # Output after this time is ignored.
    limit = threading.Timer(240, machine.kill)
    limit.start()
    try:
        said = []
        for line in machine.stdout:
            said.append(line.decode(errors="replace"))
            if "vitrine: systemd" in said[-1]:
                break
        else:
            pytest.fail("".join(said[-40:]))
    finally:
        limit.cancel()
        machine.kill()
        machine.wait()
    text = "".join(said)
    assert "vitrine: initramfs" in text and "vitrine: preinit" in text
    assert "cannot mount" not in text and "cannot load" not in text, text


def in_root(root: pathlib.Path, command: str) -> str:
    return boards.trixie("debugfs", "-R", command, root)


def test_the_root_has_the_drivers_of_its_kernel(root, tmp_path):
    """Their list (modules.dep) names no others; the modules that the first process loads exist."""
    release = re.search(r"\d\S*-arm64", in_root(root, "ls -p /usr/lib/modules"))[0].strip("/").split("/")[-1]
    boards.trixie("debugfs", "-R", f"rdump /usr/lib/modules {tmp_path}", root)
    folder = tmp_path / "modules" / release
    listed = {line.split(":")[0] for line in (folder / "modules.dep").read_text().splitlines()}
    there = {str(path.relative_to(folder)) for path in folder.rglob("*.ko*")}
    assert listed == there
    names = {pathlib.Path(path).name.split(".")[0].replace("-", "_") for path in there}
    assert {"vc4", "usbhid", "hid_multitouch", "brcmfmac", "usb_storage", "genet", "snd_usb_audio"} <= names
    first = in_root(root, "cat /usr/lib/vitrine/modules").split()
    assert "vc4" in first and {"vc4", "snd_soc_hdmi_codec", "i2c_bcm2835"} <= {name.replace("-", "_") for name in first} & names
    boards.trixie("debugfs", "-R", f"rdump /usr/lib/firmware {tmp_path}", root)
    firmware = {path.name: path for path in (tmp_path / "firmware").rglob("*") if not path.is_dir()}
    assert {"brcmfmac43455-sdio.raspberrypi,4-model-b.txt", "brcmfmac43430-sdio.bin", "regulatory.db"} <= firmware.keys()
    assert [name for name, path in firmware.items() if not path.exists()] == [] and not any("beagle" in name for name in firmware)


def test_it_holds_nothing_of_the_virtual_board(root, fat, tmp_path):
    """Its kernel and its drivers are provided from outside (tools/board.d/kernel); the helper that ran programs while
    the root was made is removed. virtio's bus is a part of Debian's kernel, whose device drivers are modules."""
    boards.trixie("debugfs", "-R", f"rdump /usr/lib/modules {tmp_path}", root)
    drivers = [path.name for path in tmp_path.rglob("*.ko*")]
    initramfs = boards.trixie("sh", "-c", f"cpio -it --quiet < {fat}/a/initramfs8").split()
    assert any(name.startswith("vc4.ko") for name in drivers) and any(name.endswith("-sdhci-iproc.ko") for name in initramfs)
    for name in drivers + initramfs + in_root(root, "cat /usr/lib/vitrine/modules").split():
        assert not any(word in name for word in ("virtio", "i6300esb")), name
    assert "emulator" not in in_root(root, "ls -p /")


def test_the_same_bytes_by_any_number_of_processors(made, tmp_path):
    """As tools/image packs, which leaves the number to the machine."""
    data = tmp_path / "data"
    with next(made.glob("*.img.xz")).open("rb") as file:
        # Packed data packs in blocks like any other; more than a block of each.
        data.write_bytes(file.read(8 << 20))
    text = (TOP / "tools/image").read_text()
    assert "xz -T+0 " in text and "zstd -q " in text and " -T0 --stdout" in text
    for tool, one, many in (("xz", "-T+1", "-T+4"), ("zstd", "-T1", "-T4")):
        packed = [subprocess.run([TOP / "tools/trixie", tool, "-1", threads, "--stdout"], stdin=data.open("rb"),
                                 capture_output=True, check=True).stdout for threads in (one, many)]
        assert packed[0] == packed[1] and len(packed[0]) > 1 << 20, tool


def test_it_is_small(made):
    assert int(next(made.glob("*.root-megabytes")).read_text()) < ROOT
    packed = next(made.glob("*.img.xz"))
    print(f"{packed.stat().st_size / 1e6:.0f} MB compressed")
    assert packed.stat().st_size < PACKED * QUICK * 1e6
    assert hashlib.sha256(packed.read_bytes()).hexdigest() == packed.with_name(f"{packed.name}.sha256").read_text().split()[0]


@pytest.fixture(scope="session")
def files(root, tmp_path_factory) -> pathlib.Path:
    """All files of the root, in a folder."""
    folder = tmp_path_factory.mktemp("root")
    boards.trixie("debugfs", "-R", f"rdump / {folder}", root)
    return folder


def test_systemd_starts_nothing_that_a_player_has_no_use_for(files):
    """No login, no generator; each of these takes time before the film. By path rules: the links that would start them
    are removed, too."""
    units = files / "usr/lib/systemd/system"
    names = {path.name for place in (units, files / "etc/systemd/system") for path in place.rglob("*")}
    assert not list((files / "usr/lib/systemd").glob("system-generators/*"))
    for gone in ("getty@.service", "dbus.service", "systemd-logind.service", "systemd-firstboot.service", "modprobe@.service",
                 "systemd-pcrphase.service", "systemd-random-seed.service", "dev-hugepages.mount"):
        assert gone not in names, gone
    started = {path.name for path in units.glob("sysinit.target.wants/*")}
    assert started == {
        "systemd-journal-flush.service", "systemd-journald.service", "systemd-sysctl.service", "systemd-tmpfiles-setup-dev-early.service",
        "systemd-tmpfiles-setup-dev.service", "systemd-tmpfiles-setup.service", "systemd-udev-trigger.service", "systemd-udevd.service"}
    assert {"vitrine.service", "systemd-networkd.service", "dropbear.service", "vitrine-grow.service"} <= names


def test_the_root_has_nothing_that_playing_does_not_need(files):
    libraries, programs = files / "usr/lib/aarch64-linux-gnu", files / "usr/bin"
    # Of folders those with modules that the player opens.
    assert {path.name for path in libraries.iterdir() if path.is_dir() and any(file.is_file() for file in path.rglob("*"))} == {
        "blas", "gconv", "gio", "gstreamer-1.0", "gstreamer1.0", "lapack", "systemd"}
    for name in ("libLLVM", "libgallium", "libpython", "libGL", "libwayland-server", "libpulse", "libgtk-3"):
        assert not list(libraries.glob(f"{name}*")), name
    for name in ("python", "Xorg", "weston", "perl"):
        assert not list(programs.glob(f"{name}*")), name
    assert list(libraries.glob("libgstreamer-1.0*")) and (programs / "vitrine").exists()
    assert {path.name for path in (files / "usr/share/fonts/opentype/inter").iterdir()} == {
        f"Inter-{weight}.otf" for weight in ("Regular", "Medium", "Bold", "Italic", "MediumItalic", "BoldItalic")}
    for folder in ("usr/share/man", "usr/share/locale", "usr/share/gcc", "etc/X11"):
        assert not (files / folder).exists(), folder
    documents = {path.name for path in (files / "usr/share/doc/vitrine").rglob("*") if path.is_file()} - {"copyright"}
    assert {"README.md", "engineer.md", "troubleshooting.md"} <= documents and not [name for name in documents if name.endswith(".png")]


def test_what_is_left_out_nothing_loads(files):
    """Every library that a program or a plugin is linked with exists, and so do the libraries that it is linked
    with."""
    folder = files / "usr/lib/aarch64-linux-gnu"
    there = {path.name: path for place in ("systemd", "gconv", "blas", "lapack", "") for path in (folder / place).iterdir()}
    there |= {path.name: path for path in (files / "usr/lib").glob("ld-linux*")}
    waiting = [path for path in (files / "usr").rglob("*") if path.parent != folder and path.is_file() and not path.is_symlink()
               and path.open("rb").read(4) == b"\x7fELF"]
    assert len(waiting) > 200
    missing, seen = set(), set()
    while waiting:
        path = waiting.pop()
        for name in re.findall(r"\(NEEDED\).*\[(.*?)\]", boards.run("readelf", "-dW", path)):
            if name not in there:
                missing.add(f"{name}, by {path.name}")
            elif name not in seen:
                seen.add(name)
                waiting.append(there[name])
    assert "libavformat.so.61" in seen and not missing, missing


def test_the_manifest_lists_what_was_left_out_by_which_rule(made, files):
    packages, left_out = next(made.glob("*.manifest")).read_text().split("\n\nleft out:\n")
    assert len(packages.splitlines()) > 300
    rules = dict(line.rsplit(" ", 1) for line in left_out.splitlines())
    assert rules["/usr/share/man/man1/systemctl.1.gz"].startswith("path-exclude=/usr/share/man")
    assert re.match(r"path-exclude=/usr/lib/\*/lib.*LLVM", rules[next(path for path in rules if "/libLLVM" in path)])
    assert not [path for path in rules if (files / path[1:]).exists()]


def manifest(*words) -> subprocess.CompletedProcess:
    return subprocess.run([TOP / "tools/image.d/manifest", *map(str, words)], capture_output=True, text=True)


def test_a_file_that_is_not_its_packages_makes_no_image(tmp_path):
    """A changed file, or one removed without a rule."""
    tree, root, rules, deb = tmp_path / "tree", tmp_path / "root", tmp_path / "rules", tmp_path / "one.deb"
    for name in ("kept", "left"):
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_text(name)
    (tree / "DEBIAN").mkdir()
    (tree / "DEBIAN/control").write_text("Package: one\nVersion: 1\nArchitecture: all\nMaintainer: a\nDescription: one\n")
    (tree / "DEBIAN/md5sums").write_text("".join(
        f"{hashlib.md5(name.encode()).hexdigest()}  {name}\n" for name in ("kept", "left")))
    boards.run("dpkg-deb", "--build", tree, deb)
    root.mkdir()
    (root / "kept").write_text("kept")
    rules.write_text("path-exclude=/*\npath-include=/kept\n")
    done = manifest(root, rules, deb)
    assert done.returncode == 0 and done.stdout.endswith(" one 1\n\nleft out:\n/left path-exclude=/*\n"), done
    rules.write_text("path-exclude=/k*\npath-exclude=/nowhere\n")
    done = manifest(root, rules, deb)
    assert done.returncode == 1 and "/left of one is missing, and no rule leaves it out" in done.stderr, done.stderr
    assert "nothing is left out by path-exclude=/nowhere" in done.stderr
    (root / "left").write_text("lift")
    done = manifest(root, rules, deb)
    assert done.returncode == 1 and "/left is not what one has" in done.stderr and not done.stdout, done.stderr


def test_another_kernel_is_reported(made):
    """The image that no Pi 5 starts from is not mistaken for the other one; tools/flash uses the name, too."""
    assert all("-debian-arm64." in path.name for path in made.glob("vitrine-*.*") if path.name != "vitrine.toml")


def test_another_persons_card(made, package, tmp_path):
    """Mistakes in the settings are reported at the end, in the player's words; the image is made nevertheless, because the
    player ignores them. It also reports that the kernel is Debian's, if nobody requested that. A film's scrub sheet comes
    with it, unless it still grows."""
    settings, films = tmp_path / "vitrine.toml", tmp_path / "films"
    settings.write_text(f'rotate = 45\nfilms = "films/{FILM}"\n')
    films.mkdir()
    (films / FILM).symlink_to(pathlib.Path(os.environ["VITRINE_FILMS"], FILM))
    for ending in (".bif", ".sheet"):
        (films / f"{FILM}{ending}").write_bytes(os.urandom(100_000))
    for root in made.glob("root-*"):
        (tmp_path / root.name).symlink_to(root)
    command = [TOP / "tools/image", "--no-compress", "--output", tmp_path, "--settings", settings, "--film", films / FILM]
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or boards.run("git", "-C", TOP, "log", "-1", "--format=%ct").strip()
    done = subprocess.run(command, capture_output=True, text=True, cwd=TOP, check=True, env=os.environ | {
        "IMAGE_DEB": str(package("arm64")), "SOURCE_DATE_EPOCH": epoch, "RASPBERRYPI_ARCHIVE": f"file://{tmp_path}/none"})
    *_, kernel, mistake = done.stderr.splitlines()
    assert kernel.startswith("image: Debian's kernel, because file://"), done.stderr
    assert mistake.startswith("image: vitrine.toml:1: rotate = 45: "), done.stderr
    assert done.stdout.endswith("-debian-arm64.img\n")
    (tmp_path / "card").mkdir()
    boards.trixie("mcopy", "-snpi", f"{done.stdout.split()[-1]}{FAT}", "::films", f"{tmp_path}/card/")
    there = list((tmp_path / "card/films").iterdir())
    assert {path.name for path in there} == {FILM, f"{FILM}.bif"}
    assert all(path.read_bytes() == (films / path.name).read_bytes() for path in there)


def test_the_player_answers_to_its_name(root):
    """vitrine.local: Debian's own file disables it; the last of all files applies."""
    folder = "/usr/lib/systemd/resolved.conf.d"
    names = sorted(re.findall(r"[\w.-]+\.conf", in_root(root, f"ls -p {folder}")))
    said = re.findall(r"^MulticastDNS=(\w+)", "\n".join(in_root(root, f"cat {folder}/{name}") for name in names), re.M)
    assert said and said[-1] == "yes", names


def test_the_list_names_the_packages_of_the_root(made, package):
    """With their sums, Vitrine's own, too, by name; and their licences are included."""
    lines = next(made.glob("*.manifest")).read_text().partition("\n\n")[0].splitlines()
    names = {line.split()[1] for line in lines}
    assert {"systemd", "libc6", "linux-image-arm64", "raspi-firmware", "firmware-brcm80211", "wireless-regdb"} <= names
    assert all(re.fullmatch(r"[0-9a-f]{64} \S+ \S+", line) for line in lines)
    assert lines == sorted(lines, key=lambda line: line.split(" ", 1)[1])
    own = package("arm64")
    version = boards.run("dpkg-deb", "-f", own, "Version").strip()
    assert f"{hashlib.sha256(own.read_bytes()).hexdigest()} vitrine {version}" in lines
    licences = next(made.glob("*.licences.txt")).read_text(errors="replace")
    # raspi-firmware's, Vitrine's own, one of a library in it, and one that many others only refer to.
    for words in ("Copyright: 2006, Broadcom", "==== vitrine ====", "==== third-party-swift ====",
                  "==== third-party-libstdc++ ====", "==== common-licenses-GPL-2 ===="):
        assert words in licences, words
    # Linked libraries, with their versions.
    pins = {pin["identity"]: pin["state"]["version"] for pin in json.loads((TOP / "Package.resolved").read_text())["pins"]}
    for name in ("swift-nio", "TOMLKit"):
        assert f"==== third-party-{name} ====\n\n{name} {pins[name.lower()]}\n" in licences, name


@pytest.mark.timeout(2400)
def test_the_same_input_gives_the_same_bytes(made, card, package):
    """Root, card and released files, made once more from nothing, by an ordinary user without any rights except user
    namespaces. If the input of xz is equal, the packed image, which takes a third of the time, is equal, too (the test
    of any number of processors), and compared only in a thorough run."""
    kinds = ["bmap", "manifest", "licences.txt", "update", *(["img.xz", "img.xz.sha256"] if IS_ASKED else [])]
    with tempfile.TemporaryDirectory(prefix="image-again.", dir="/tmp") as name:
        folder = pathlib.Path(name)
        again = make_image_again(package("arm64"), made / "vitrine.toml", folder, "--fresh", "--quick",
                                 *([] if IS_ASKED else ["--no-compress"]))
        assert again.stat().st_uid != 0
        boards.run("cmp", card, again)
        for ending in kinds:
            assert len({next(one.glob(f"*.{ending}")).read_bytes() for one in (made, again.parent)}) == 1, ending


def test_the_map_is_the_images(made, card):
    """bmaptool writes by it, and compares the sums."""
    boards.run("bmaptool", "-q", "copy", "--bmap", next(made.glob("*.bmap")), card, "/dev/null")


def test_the_update_holds_what_it_says(made, fat, root):
    """Root and slot folder of this card, in the order in which a player reads them."""
    with tarfile.open(next(made.glob("*.update"))) as tar:
        assert tar.getnames() == ["version", "manifest", "boot.tar", "root.ext4.zst"]
    folder = root.parent
    version = (folder / "version").read_text().splitlines()
    assert version[1:] == [f"size {root.stat().st_size}", "kernel debian"]
    (folder / "boot").mkdir()
    boards.run("tar", "-xf", folder / "boot.tar", "-C", folder / "boot")
    boards.run("sha256sum", "--check", "--quiet", "manifest", cwd=folder)
    listed = {line.split("  ", 1)[1] for line in (folder / "manifest").read_text().splitlines()}
    there = {str(path.relative_to(folder)) for path in (folder / "boot").rglob("*") if path.is_file()}
    assert listed == there | {"root.ext4"}
    assert {path.removeprefix("boot/") for path in there} == {
        str(path.relative_to(fat / "a")) for path in (fat / "a").rglob("*") if path.is_file()}
