"""A small archive of packages on loopback, signed with its own key, with the content of Raspberry Pi's: packages with
the names in board/raspberrypi/packages.raspberrypi, with their folders and file names. The files' contents are of no
use to a Pi."""

import contextlib
import email.utils
import functools
import gzip
import hashlib
import http.server
import lzma
import os
import pathlib
import struct
import subprocess
import tempfile
import threading

import board as boards
from test_drivers import ASKED_FOR, BUILT_IN, NOT_ASKED_FOR, modules

# The version of the meta packages, and of each kernel's.
VERSION = "1:6.12.99-1+rpt1"
RELEASES = {"linux-image-rpi-v8": "6.12.99+rpt-rpi-v8", "linux-image-rpi-2712": "6.12.99+rpt-rpi-2712"}
# The firmware's names for Raspberry Pi's kernel, by model, and Linux' own names, which exist, too.
TREES = {"pi02": "bcm2710-rpi-zero-2-w.dtb", "pi3": "bcm2710-rpi-3-b.dtb", "pi4": "bcm2711-rpi-4-b.dtb",
         "pi5": "bcm2712-rpi-5-b.dtb"}
FIRMWARE = ("bootcode.bin", "start.elf", "fixup.dat", "start4.elf", "fixup4.dat", "start_cd.elf", "fixup_cd.dat")
OVERLAYS = ("vc4-kms-v3d", "vc4-kms-v3d-pi5", "disable-bt", "vc4-kms-dsi-7inch")
# Debian has this one too, and a lower version.
NEWER = "2099.01.01-1+rpt1"
# A driver as depmod sees it: none needs another, except one that calls a function of a second one.
SOURCE = """
const char info[] __attribute__((section(".modinfo"), used)) = "license=GPL";
#ifdef CALLED
const char strings[] __attribute__((section("__ksymtab_strings"), used)) = "called";
#elifdef CALLS
extern int called(void);
int calls(void) { return called(); }
#endif
"""
CALLED, CALLS = "drivers/gpu/drm/helper-of-panels", "drivers/gpu/drm/panel/panel-raspberrypi-touchscreen"


def kernel(name: str) -> bytes:
    """The first bytes of an arm64 kernel, packed like Raspberry Pi's."""
    return gzip.compress(bytes(56) + b"ARMd" + name.encode(), mtime=0)


def device_tree(name: str) -> bytes:
    return struct.pack(">I", 0xD00DFEED) + name.encode()


def drivers(folder: pathlib.Path) -> dict[str, bytes]:
    """The files below a kernel's folder that depmod reads."""
    source, made, packed = folder / "driver.c", folder / "driver.o", {}
    source.write_text(SOURCE)
    for kind in ("PLAIN", "CALLED", "CALLS"):
        boards.trixie("aarch64-linux-gnu-gcc", "-std=gnu23", "-c", f"-D{kind}", "-o", made, source)
        packed[kind] = lzma.compress(made.read_bytes(), check=lzma.CHECK_CRC32)
    kinds = {CALLED: "CALLED", CALLS: "CALLS"}
    files = {f"kernel/{path}.ko.xz": packed[kinds.get(path, "PLAIN")]
             for path in [*modules(ASKED_FOR), *modules(NOT_ASKED_FOR), CALLED]}
    files["modules.order"] = "".join(f"{name.removesuffix('.xz')}\n" for name in files).encode()
    files["modules.builtin"] = "".join(f"kernel/{path}.ko\n" for path in BUILT_IN).encode()
    return files


class Archive:
    """`with Archive(FOLDER) as archive`: `archive.address` for RASPBERRYPI_ARCHIVE, `archive.keyring` for --keyring."""

    def __init__(self, folder: pathlib.Path):
        self.folder, self.keyring = folder / "debian", folder / "keyring.gpg"
        self._pool, self._dist = self.folder / "pool/main", self.folder / "dists/trixie"
        self._entries: list[str] = []
        self._pool.mkdir(parents=True)
        with contextlib.ExitStack() as stack:
            # A socket's path has 108 characters at most.
            self._home = stack.enter_context(tempfile.TemporaryDirectory(prefix="gpg.", dir="/tmp", ignore_cleanup_errors=True))
            stack.callback(subprocess.run, ["gpgconf", "--homedir", self._home, "--kill", "all"], capture_output=True)
            self._make(folder)
            self._sign(self.keyring)
        handler = functools.partial(Silent, directory=folder)
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/debian"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def _make(self, folder: pathlib.Path) -> None:
        built = drivers(folder)
        for meta, release in RELEASES.items():
            image, tree = f"linux-image-{release}", f"usr/lib/linux-image-{release}"
            files = {f"boot/vmlinuz-{release}": kernel(release), f"boot/config-{release}": b"#\n",
                     f"boot/System.map-{release}": b"\n", f"{tree}/overlays/README": b"All overlays\n"}
            files |= {f"{tree}/broadcom/{name}": device_tree(name) for name in (*TREES.values(), "bcm2837-rpi-3-b.dtb")}
            files |= {f"{tree}/overlays/{name}.dtbo": device_tree(name) for name in OVERLAYS}
            files |= {f"usr/lib/modules/{release}/{name}": data for name, data in built.items()}
            self._add(image, VERSION, files, "kmod, linux-base (>= 4.3~), initramfs-tools | linux-initramfs-tool")
            self._add(meta, VERSION, {}, f"{image} (= {VERSION})", source="linux")
        self._add("raspi-firmware", "1:1.20991231-1", {
            **{f"usr/lib/raspi-firmware/{name}": b"firmware " * 200 for name in FIRMWARE},
            "etc/kernel/postinst.d/z50-raspi-firmware": b"#!/bin/sh\nexit 1\n",
            "etc/initramfs/post-update.d/z50-raspi-firmware": b"#!/bin/sh\nexit 1\n"}, architecture="all")
        self._add("firmware-brcm80211", "1:20991231-1+rpt1", {
            "usr/lib/firmware/brcm/brcmfmac43455-sdio.bin": "../cypress/cyfmac43455-sdio.bin",
            "usr/lib/firmware/brcm/brcmfmac43455-sdio.raspberrypi,4-model-b.bin": "brcmfmac43455-sdio.bin",
            "usr/lib/firmware/cypress/cyfmac43455-sdio-standard.bin": b"standard",
            "usr/lib/firmware/cypress/cyfmac43455-sdio-minimal.bin": b"minimal",
            "usr/lib/firmware/brcm/brcmfmac4356-pcie.bin": b"of a PC"}, architecture="all")
        self._add("wireless-regdb", NEWER, {"usr/lib/firmware/regulatory.db-upstream": b"theirs"}, architecture="all")

    def _add(self, name: str, version: str, files: dict[str, bytes | str], depends: str = "", architecture: str = "arm64",
             source: str | None = None) -> None:
        """Adds a package; a text in place of bytes is a link's target."""
        files = {**files, f"usr/share/doc/{name}/copyright": f"Copyright: of {name}\n".encode()}
        with tempfile.TemporaryDirectory() as place:
            for path, data in files.items():
                file = pathlib.Path(place, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.symlink_to(data) if isinstance(data, str) else file.write_bytes(data)
            control = (f"Package: {name}\n" + (f"Source: {source}\n" if source else "") + f"Version: {version}\n"
                       f"Architecture: {architecture}\nMaintainer: Nobody <nobody@example.org>\n"
                       + (f"Depends: {depends}\n" if depends else "") + "Description: stands in for Raspberry Pi's\n")
            pathlib.Path(place, "DEBIAN").mkdir()
            pathlib.Path(place, "DEBIAN/control").write_text(control)
            deb = self._pool / f"{name}_{version.split(':')[-1]}_{architecture}.deb"
            boards.run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", place, deb,
                       env={"PATH": os.defpath, "SOURCE_DATE_EPOCH": "1800000000"})
        data = deb.read_bytes()
        self._entries.append(f"{control}Filename: {deb.relative_to(self.folder)}\nSize: {len(data)}\n"
                             f"SHA256: {hashlib.sha256(data).hexdigest()}\n")

    def _sign(self, keyring: pathlib.Path) -> None:
        lists = self._dist / "main/binary-arm64/Packages"
        lists.parent.mkdir(parents=True)
        lists.write_text("\n".join(self._entries))
        sums = [f" {hashlib.sha256(data).hexdigest()} {len(data)} {lists.relative_to(self._dist)}"
                for data in [lists.read_bytes()]]
        release = self._dist / "Release"
        release.write_text("\n".join([
            "Origin: Raspberry Pi Foundation", "Label: Raspberry Pi Foundation", "Suite: stable", "Codename: trixie",
            f"Date: {email.utils.formatdate(usegmt=True)}", "Architectures: arm64 armhf", "Components: main", "SHA256:", *sums, ""]))
        gpg = ["gpg", "--homedir", self._home, "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", ""]
        boards.run(*gpg, "--quick-generate-key", "Raspberry Pi's stand-in <nobody@example.org>", "ed25519", "sign", "never")
        boards.run(*gpg, "--output", keyring, "--export")
        boards.run(*gpg, "--output", self._dist / "InRelease", "--clearsign", release)


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass
