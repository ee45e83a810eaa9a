"""The Debian packages (tools/deb) on a plain Debian 13: `tools/check board`, or `PYTHON -m pytest
Tests/Board/test_deb.py`. apt installs the one for amd64 (in a usual run that of `tools/deb --native`), with its
dependencies, into a Debian made for this, which then starts with its own systemd in a virtual PC; QEMU runs the program
of the one for arm64. VITRINE_FILMS is the test films' folder."""

import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
from typing import NamedTuple

import board as boards
import frames
import pytest
from conftest import FILM, LENGTH, PATIENCE, RATE, TOP
from thorough import IS_ASKED

# Bytes of ar(5): its mark, and its first file's name, time, owner and size.
AR_HEAD = 68
# As a package of last year's.
OLD = "0.0.1"

# The steps on that Debian, one output file each, with the exit status as its last line. First those of a person who
# gets the package; a copy of the resulting disk then starts in a virtual PC.
FIRST = {
    "install": "apt-get install --yes --no-install-recommends /old.deb",
    "machine": "systemd-machine-id-setup && echo player > /etc/hostname && install -D -m 600 /key.pub /root/.ssh/authorized_keys"
    " && printf '[Match]\\nType=ether\\n[Network]\\nDHCP=yes\\n' > /etc/systemd/network/any.network"
    " && systemctl enable systemd-networkd.service ssh.service",
    "enabled-first": "systemctl is-enabled vitrine.service",
    "enable": "systemctl enable vitrine.service",
}
STEPS = FIRST | {
    "version": "env -i vitrine --version",
    "user": "id -nG vitrine",
    "settings-file": "stat -c '%U %G %a' /etc/vitrine.toml",
    "no-film": "vitrine settings check /etc/vitrine.toml",
    "settings": "cp /film.mp4 /var/lib/vitrine/films/ && vitrine settings check /etc/vitrine.toml",
    "inspect": "vitrine inspect /film.mp4",
    "play": "vitrine play /film.mp4",
    "unit": "cat /usr/lib/systemd/system/vitrine.service /usr/lib/systemd/system/vitrine.service.d/*",
    "verify": "systemd-analyze verify --man=no vitrine.service",
    "security": "systemd-analyze security --offline=yes --no-pager --json=short vitrine.service",
    "rules": "udevadm verify --no-style /usr/lib/udev/rules.d/70-vitrine.rules",
    "edit": "echo 'volume = 40' >> /etc/vitrine.toml && touch /var/lib/vitrine/resume",
    "again": "apt-get install --yes -o Dpkg::Options::=--force-confold /vitrine.deb",
    "edited": "tail -n 1 /etc/vitrine.toml; stat -c '%G %a' /etc/vitrine.toml; systemctl is-enabled vitrine.service",
    "purge": "apt-get purge --yes vitrine",
    "left": "find / -xdev -path /proc -prune -o -path /out -prune -o"
    " '(' -name '*vitrine*' -o -path '/var/lib/vitrine/*' ')' -print",
}


@pytest.fixture(scope="session")
def mirror() -> str:
    words = ["bash", "-c", '. "$1"; debian_mirror', "bash", TOP / "tools" / "lib" / "debian.sh"]
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


# The settings of the unit that protect the machine: each line has its reason in the unit.
GUARDS = """
User=vitrine
SupplementaryGroups=video render input audio
UMask=0027
WatchdogSec=20
TimeoutStartSec=90
TimeoutStopSec=5
StartLimitIntervalSec=0
Restart=always
RestartSec=500ms
RestartSteps=4
RestartMaxDelaySec=5
MemoryMax=85%
TasksMax=300
OOMScoreAdjust=-500
OOMPolicy=continue
CapabilityBoundingSet=
NoNewPrivileges=yes
RestrictSUIDSGID=yes
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=disconnected
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
LockPersonality=yes
RemoveIPC=yes
RestrictNamespaces=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
DevicePolicy=closed
DeviceAllow=char-drm rw
DeviceAllow=char-input rw
DeviceAllow=char-alsa rw
DeviceAllow=char-video4linux rw
DeviceAllow=char-media rw
DeviceAllow=char-dma_heap rw
DeviceAllow=/dev/tty0 rw
DeviceAllow=/dev/tty1 rw
""".split("\n")[1:-1]
GUARDED = {line.partition("=")[0] for line in GUARDS}
# The groups of devices that the unit names.
DRIVERS = {f"modprobe@{module}.service" for module in ("drm", "snd", "videodev", "mc")}


# Each has a page of its own.
COMMANDS = (
    "play", "displays", "touch", "sounds", "inspect", "prepare", "settings", "settings-check", "settings-show", "settings-apply", "report",
)
COMPLETIONS = ("bash-completion/completions/vitrine", "zsh/vendor-completions/_vitrine", "fish/vendor_completions.d/vitrine.fish")


class Debian(NamedTuple):
    # The output of each of STEPS, and its exit status.
    said: dict[str, tuple[int, str]]
    disk: pathlib.Path


def older(package: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """The same package with another version number, and other texts in its settings file."""
    boards.run("dpkg-deb", "--raw-extract", package, folder / "old")
    control = folder / "old" / "DEBIAN" / "control"
    control.write_text(re.sub(r"(?m)^Version: .*$", f"Version: {OLD}", control.read_text()))
    with (folder / "old" / "etc" / "vitrine.toml").open("a") as settings:
        settings.write("# Older words.\n")
    boards.run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", folder / "old", folder / "old.deb")
    return folder / "old.deb"


@pytest.fixture(scope="session")
def debian(package, mirror, key, tmp_path_factory) -> Debian:
    folder = tmp_path_factory.mktemp("deb")
    folder.chmod(0o777)

    def script(steps: dict[str, str], before: str) -> pathlib.Path:
        lines = [f"({command}) > /out/{name} 2>&1 < /dev/null; echo $? >> /out/{name}" for name, command in steps.items()]
        path = folder / f"steps-{next(iter(steps))}"
        path.write_text(f"{before}cd /\nexport DEBIAN_FRONTEND=noninteractive\n" + "\n".join(lines) + "\n")
        return path

    rest = {name: command for name, command in STEPS.items() if name not in FIRST}
    film = pathlib.Path(os.environ["VITRINE_FILMS"]) / "720p-key50.mp4"
    # mke2fs is Debian 13's, which reads a tar file.
    copy = f'tar -C "$1" --one-file-system -c . | {TOP}/tools/trixie mke2fs -q -t ext4 -d - {folder}/disk 3G'
    hooks = [
        f"upload {package('amd64')} /vitrine.deb",
        f"upload {older(package('amd64'), folder)} /old.deb",
        f"upload {film} /film.mp4",
        f"upload {key.with_suffix('.pub')} /key.pub",
        f"upload {script(FIRST, 'mkdir /out; ')} /first",
        f"upload {script(rest, '')} /rest",
        'chroot "$1" sh /first',
        copy,
        'chroot "$1" sh /rest',
        f"copy-out /out {folder}",
    ]
    subprocess.run(
        ["mmdebstrap", "--quiet", "--variant=minbase", "--architectures=amd64", "--format=null"]
        + ["--dpkgopt=force-unsafe-io", "--include=systemd,systemd-sysv,udev,openssh-server"]
        + [f"--customize-hook={hook}" for hook in hooks]
        + ["trixie", "-", f"deb {mirror} trixie main"],
        check=True,
    )
    said = {}
    for name in STEPS:
        text, status = re.fullmatch(r"(.*?)(\d+)\n", (folder / "out" / name).read_text(), re.DOTALL).groups()
        said[name] = int(status), text.strip()
    return Debian(said, folder / "disk")


@pytest.fixture(scope="session")
def done(debian) -> dict[str, tuple[int, str]]:
    return debian.said


def version() -> str:
    text = (TOP / "Sources" / "Vitrine" / "VitrineVersion.swift").read_text()
    return re.search(r'current = "(.*)"', text)[1]


@pytest.mark.parametrize("architecture", ["arm64", "amd64"])
def test_it_has_a_page_for_each_command_and_what_shells_complete(architecture, package):
    text = boards.run("dpkg-deb", "--contents", package(architecture))
    # Mode, owner, size, day, time, name.
    files = {words[5].removeprefix("./") for words in map(str.split, text.splitlines()) if int(words[2])}
    commands = ["", *(f"-{name}" for name in COMMANDS)]
    assert {name for name in files if "/man/" in name} == {f"usr/share/man/man1/vitrine{name}.1.gz" for name in commands}
    assert {f"usr/share/{name}" for name in COMPLETIONS} <= files
    data = subprocess.run(["dpkg-deb", "--fsys-tarfile", package(architecture)], stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(data)) as tree:
        for name in commands:
            page = gzip.decompress(tree.extractfile(f"./usr/share/man/man1/vitrine{name}.1.gz").read()).decode()
            # A warning contains its time and its process, and would make each package different.
            assert ".SH OPTIONS" in page and "WARNING" not in page, page


@pytest.mark.parametrize("architecture", ["arm64", "amd64"])
def test_it_has_the_documents(architecture, package, tmp_path):
    """As they are, not compressed: each link leads to a file in the package, or to an address."""
    boards.run("dpkg-deb", "--extract", package(architecture), tmp_path)
    folder = tmp_path / "usr/share/doc/vitrine"
    documents = {path.relative_to(folder).as_posix() for path in folder.rglob("*.md")}
    docs = {path.relative_to(TOP).as_posix() for path in (TOP / "docs").rglob("*.md")}
    assert documents == docs | {"README.md", "CONTRIBUTING.md", "SECURITY.md"}
    for name in documents:
        text = re.sub(r"(?ms)^```.*?^```$", "", (folder / name).read_text())
        links = [link for link in re.findall(r"\]\(([^)#\s]+)", text) if not link.startswith("https://")]
        missing = [link for link in links if not ((folder / name).parent / link).exists()]
        assert not missing, f"{name}: {missing}"
    assert (folder / "docs/demo.png").stat().st_size > 10_000, "README's picture"
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 3 << 20


@pytest.mark.parametrize("architecture", ["arm64", "amd64"])
def test_it_needs_nothing_of_pipewire(architecture, package, tmp_path):
    """It is used where it runs."""
    fields = boards.run("dpkg-deb", "-f", package(architecture), "Pre-Depends", "Depends", "Recommends")
    assert "gstreamer1.0-alsa" in fields and "pipewire" not in fields, fields
    boards.run("dpkg-deb", "--extract", package(architecture), tmp_path)
    needed = boards.run("readelf", "-dW", tmp_path / "usr/bin/vitrine")
    assert "libgstreamer-1.0" in needed and "pipewire" not in needed, needed


@pytest.mark.parametrize("architecture", ["arm64", "amd64"])
def test_lintian_finds_no_fault(architecture, package):
    """The one override is of a warning."""
    result = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", package(architecture)], capture_output=True,
                            text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    overrides = (TOP / "debian/vitrine.lintian-overrides").read_text()
    assert re.findall(r"(?m)^vitrine: (\S+)", overrides) == ["hardening-no-pie"]


@pytest.mark.timeout(1200)
def test_apt_installs_it_with_all_that_it_needs(done):
    status, text = done["install"]
    assert status == 0, text[-2000:]
    assert done["version"] == (0, version())


def test_the_film_would_play(done):
    status, text = done["inspect"]
    assert status == 0, text
    # All plugins exist: only the display is missing.
    assert done["play"][0] == 5, done["play"][1]


def test_the_settings_file_is_valid_and_not_for_everybody(done):
    assert "copy films into it" in done["no-film"][1]
    assert done["settings"][0] == 0, done["settings"][1]
    assert done["settings-file"] == (0, "root vitrine 640")


def test_the_user_has_its_groups(done):
    status, text = done["user"]
    assert status == 0 and {"vitrine", "video", "render", "input", "audio"} == set(text.split())


def test_the_unit_is_valid_and_hardened(done):
    assert done["verify"] == (0, "")
    lines = done["unit"][1].splitlines()
    assert sorted(line for line in lines if line.partition("=")[0] in GUARDED) == sorted(GUARDS)
    for name in ("Wants", "After"):
        assert DRIVERS <= {word for line in lines if line.startswith(f"{name}=") for word in line.partition("=")[2].split()}
    status, text = done["security"]
    assert status == 0, text
    table = json.loads(text)
    weak = {row["json_field"] for row in table if row.get("set") is False}
    exposure = sum(float(row["exposure"]) for row in table if row.get("exposure"))
    assert exposure < 2.7, f"exposure {exposure}: {weak}"


def test_the_rules_are_valid(done):
    assert done["rules"][0] == 0, done["rules"][1]


def test_it_starts_with_the_machine_only_when_asked(done):
    assert done["enabled-first"][1] == "disabled"
    assert done["enable"][0] == 0, done["enable"][1]


def test_an_update_keeps_settings_and_what_is_enabled(done):
    assert done["again"][0] == 0, done["again"][1]
    assert done["edited"][1].splitlines() == ["volume = 40", "vitrine 640", "enabled"]


def test_purged_it_leaves_peoples_films_and_nothing_else(done):
    assert done["purge"][0] == 0, done["purge"][1]
    not_its = ("/vitrine.deb", "/var/lib/apt", "/var/cache/apt")
    left = {path for path in done["left"][1].splitlines() if not path.startswith(not_its)}
    assert left == {"/var/lib/vitrine", "/var/lib/vitrine/films", "/var/lib/vitrine/films/film.mp4"}


class PC(boards.Board):
    """A PC with the machine's kernel (tools/machine) and that Debian's disk."""

    user = "root"

    def machine(self, card, is_trial):
        program = ("qemu-system-x86_64", "-machine", "q35", "-cpu", "Nehalem")
        kernel = pathlib.Path(boards.run(TOP / "tools/machine.d/kernel").strip())
        return program, kernel, "console=ttyS0 quiet machine.disk=/dev/vda"


class Disk(NamedTuple):
    path: pathlib.Path


# In emulation GStreamer's first scan of its two hundred plugins takes a minute and more: longer than the first start
# may take here. A slow machine takes longer than the unit's 90 s.
HASTE = 20


def plays_on(first: int):
    """For wait_picture: a second after frame `first`, which may be any of the film's, the last ones, too."""
    def wanted(picture):
        number = frames.number(picture)
        return number is not None and RATE < (number - first) % LENGTH < LENGTH / 2 or None

    return wanted


@pytest.mark.timeout(6 * PATIENCE)
def test_enabled_it_plays_and_an_update_plays_on(debian, package, key, out):
    """It starts with the machine; `systemctl enable --now vitrine` shows the film; after `tools/update` with a newer
    package it is back."""
    film = pathlib.Path(os.environ["VITRINE_FILMS"]) / FILM
    unit = "/etc/systemd/system/vitrine.service.d"
    (debian.disk.parent / "hasty").write_text(f"[Service]\nTimeoutStartSec={HASTE}\n")
    (debian.disk.parent / "words").write_text(
        f"write {shutil.copy(film, debian.disk.parent)} /var/lib/vitrine/films/film.mp4\n"
        f"mkdir {unit}\nwrite {debian.disk.parent}/hasty {unit}/hasty.conf\n")
    boards.trixie("debugfs", "-w", "-f", debian.disk.parent / "words", debian.disk)
    # By the clock that counts instructions the scan takes 9 s.
    with PC(Disk(debian.disk), out, key=key, memory="2G", clock=boards.REAL_TIME) as machine:
        machine.wait_picture(frames.number, 2 * PATIENCE)
        machine.picture("started")
        # The first start, which took longer than its limit because GStreamer scanned its plugins.
        printed = machine.shell("systemctl show -p NRestarts -p ExecMainStartTimestampMonotonic -p ActiveEnterTimestampMonotonic "
                                "vitrine.service")
        values = {name: int(value) for name, _, value in (line.partition("=") for line in printed.split())}
        took = (values["ActiveEnterTimestampMonotonic"] - values["ExecMainStartTimestampMonotonic"]) / 1e6
        print(f"first start: {took:.0f} s to the first frame")
        if values["NRestarts"] != 0 or took <= HASTE:
            pytest.fail(printed + machine.shell("journalctl -b -u vitrine.service -o short-monotonic --no-pager"))
        machine.shell(f"rm -r {unit}; systemctl daemon-reload")
        # Not of the disk's: there are no modules on it, which stops nothing.
        assert set(machine.shell(f"systemctl show -P ActiveState {' '.join(sorted(DRIVERS))}").split()) == {"inactive"}
        machine.shell("systemctl disable --now vitrine.service")
        machine.wait_picture(lambda picture: True if frames.number(picture) is None else None, PATIENCE)
        machine.shell("systemctl enable --now vitrine.service")
        first = machine.wait_picture(frames.number, 2 * PATIENCE)
        machine.wait_picture(plays_on(first), PATIENCE)
        machine.picture("enabled")
        assert machine.shell("systemctl show -P NRestarts vitrine.service") == "0\n"
        assert machine.shell("dpkg-query -W -f '${Version}' vitrine") == OLD
        before = machine.shell("systemctl show -P MainPID vitrine.service")
        machine.shell("echo '# Mine.' >> /etc/vitrine.toml")
        update = [TOP / "tools/update", *machine.ssh, "root@127.0.0.1", package("amd64")]
        done = subprocess.run(update, capture_output=True, text=True, timeout=2 * PATIENCE)
        assert done.returncode == 0 and f"has version {version()}" in done.stdout, done.stdout + done.stderr
        assert f"has {OLD}; sending vitrine_" in done.stderr
        machine.shell(f"[ $(systemctl show -P MainPID vitrine.service) != {before.strip()} ]")
        assert machine.shell("tail -n 2 /etc/vitrine.toml").splitlines() == ["# Older words.", "# Mine."]
        shown = machine.wait_picture(frames.number, PATIENCE)
        machine.wait_picture(plays_on(shown), PATIENCE)
        machine.picture("updated")
        if not IS_ASKED:
            return
        # The sent package is installed, even if its version is the installed one's.
        before = machine.shell("stat -c %i /usr/bin/vitrine; systemctl show -P MainPID vitrine.service").split()
        done = subprocess.run(update, capture_output=True, text=True, timeout=2 * PATIENCE)
        assert done.returncode == 0 and f"has {version()}; sending vitrine_" in done.stderr, done.stdout + done.stderr
        after = machine.shell("stat -c %i /usr/bin/vitrine; systemctl show -P MainPID vitrine.service").split()
        assert not set(before) & set(after), (before, after)
        machine.wait_picture(frames.number, PATIENCE)


def contents(tar: bytes) -> dict[str, str]:
    """Each file's sum."""
    with tarfile.open(fileobj=io.BytesIO(tar)) as tree:
        return {file.name: hashlib.sha256(tree.extractfile(file).read()).hexdigest() for file in tree if file.isfile()}


def test_the_same_program_gives_the_same_package(package, tmp_path):
    """Packed once more, from another folder and at another time. With little compression, which takes longest: the
    input of xz is compared, and test_image.py checks the output of xz."""
    first = package("arm64")
    done = subprocess.run([TOP / "tools/deb", "--output", "again", "arm64"], cwd=tmp_path, stdout=subprocess.PIPE, text=True,
                          check=True, env=os.environ | {"DPKG_DEB_COMPRESSOR_LEVEL": "0"})
    again = tmp_path / "again" / first.name
    assert done.stdout == f"{again}\n"
    for part in ("--ctrl-tarfile", "--fsys-tarfile"):
        tars = [subprocess.run(["dpkg-deb", part, one], capture_output=True, check=True).stdout for one in (first, again)]
        files = [contents(tar) for tar in tars]
        assert files[0] == files[1] and {"./md5sums", "./usr/bin/vitrine"} & files[0].keys(), part
        # As an assertion, pytest would print the differences: megabytes.
        is_same = tars[0] == tars[1]
        assert is_same, f"{part}: the same files, not the same bytes"
    # The archive's own header, with its time.
    heads = [one.read_bytes()[:AR_HEAD] for one in (first, again)]
    assert heads[0] == heads[1] and heads[0].startswith(b"!<arch>\ndebian-binary")


def test_the_arm64_program_runs(package, tmp_path):
    subprocess.run(["dpkg-deb", "--extract", package("arm64"), tmp_path], check=True)
    words = [TOP / "tools" / "cross", "--arch", "arm64", "--sysroot"]
    sysroot = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    run = ["qemu-aarch64-static", "-L", sysroot, tmp_path / "usr" / "bin" / "vitrine"]
    said = subprocess.run([*run, "--version"], env={"PATH": os.defpath}, capture_output=True, text=True)
    assert (said.returncode, said.stdout.strip()) == (0, version()), said.stderr
    # Swift looks types up by name in its metadata, which a linker may consider unused.
    said = subprocess.run([*run, "displays", "--json"], capture_output=True, text=True)
    json.loads(said.stdout)


def test_the_arm64_package_is_installable(package, mirror, tmp_path):
    """apt finds all dependencies among Debian's packages for arm64."""
    for folder in ("lists/partial", "archives/partial"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "status").touch()
    (tmp_path / "sources").write_text(
        f"deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] {mirror} trixie main\n"
    )
    settings = {
        "Dir::Etc::SourceList": tmp_path / "sources",
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::Etc::PreferencesParts": "/dev/null",
        "Dir::State::Lists": tmp_path / "lists",
        "Dir::State::Status": tmp_path / "status",
        "Dir::Cache": tmp_path,
        "APT::Architecture": "arm64",
        "APT::Architectures::": "arm64",
        "APT::Sandbox::User": "root",
        "Acquire::Languages": "none",
    }
    apt = ["apt-get", "-qq", *(f"-o{name}={value}" for name, value in settings.items())]
    subprocess.run([*apt, "update"], check=True)
    plan = subprocess.run(
        [*apt, "--simulate", "--no-install-recommends", "install", package("arm64")], capture_output=True, text=True
    )
    assert plan.returncode == 0 and "Inst gstreamer1.0-libav" in plan.stdout, plan.stdout[-2000:] + plan.stderr
