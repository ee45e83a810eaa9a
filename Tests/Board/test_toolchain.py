"""The Swift that tools/cross chooses from a mirror (tools/cross.d/toolchain, `choose`): by apt itself, from mirrors
that are folders of this test. And arm64's, emulated."""

import os
import pathlib
import re
import subprocess

import pytest
from conftest import TOP

TOOLCHAIN = (TOP / "tools/cross.d/toolchain").read_text()
SUITES, ARCHITECTURES = ("sid", "testing"), ("amd64", "arm64")
UNAVAILABLE = 69


def function(name: str) -> str:
    """A function of the script, which does all its work when it is run."""
    return re.search(rf"(?m)^{name}\(\) {{(\n(.*\n)*?}}| .*)$", TOOLCHAIN)[0]


SCRIPT = "\n".join(["set -euo pipefail", 'fail() { echo "cross: $2" >&2; exit "$1"; }',
                    *(function(name) for name in ("sid", "field", "name_of", "version_of", "choose")), "choose"])
# As in tools/cross.d/swiftlang.sums.
PINNED = {("swiftlang", "amd64"): "6.2.3-1+b1", ("libswiftlang", "amd64"): "6.2.3-1+b1", ("swiftlang", "arm64"): "6.2.3-1+b1",
          ("libswiftlang", "arm64"): "6.2.3-1+b1", ("libxml2-16", "amd64"): "2.15.4+dfsg-1+b1",
          ("libxml2-16", "arm64"): "2.15.4+dfsg-1+b1"}


def sum_of(name: str, architecture: str, version: str) -> str:
    return f"{name}{architecture}{version}".encode().hex()[:64].rjust(64, "0")


def sums(versions: dict[tuple[str, str], str]) -> str:
    return "\n".join(f"{sum_of(*what, version)}  {what[0]}_{version}_{what[1]}.deb" for what, version in versions.items())


def swift(amd64: str, arm64: str) -> dict[tuple[str, str], str]:
    return PINNED | {(name, architecture): version for name in ("swiftlang", "libswiftlang")
                     for architecture, version in (("amd64", amd64), ("arm64", arm64))}


@pytest.fixture
def choose(tmp_path):
    """`choose(sid={(NAME, ARCHITECTURE): VERSION}, testing=...)`: the choice, or the message, and the status."""
    def made(**suites) -> tuple[int, str, str]:
        work, mirror = tmp_path / "work", tmp_path / "mirror"
        work.mkdir()
        for suite in SUITES:
            folder = mirror / "dists" / suite
            for architecture in ARCHITECTURES:
                lists = folder / f"main/binary-{architecture}/Packages"
                lists.parent.mkdir(parents=True)
                lists.write_text("\n".join(
                    f"Package: {name}\nVersion: {version}\nArchitecture: {architecture}\nFilename: pool/{name}\nSize: 1\n"
                    f"SHA256: {sum_of(name, architecture, version)}\n"
                    for (name, of), version in suites.get(suite, {}).items() if of == architecture))
            (folder / "Release").write_text(
                f"Codename: {suite}\nSuite: {suite}\nArchitectures: {' '.join(ARCHITECTURES)}\nComponents: main\n")
        # Nobody has signed these.
        (tmp_path / "apt.conf").write_text('Acquire::AllowInsecureRepositories "true";\n')
        done = subprocess.run(["bash", "-c", SCRIPT], capture_output=True, text=True, env={
            "PATH": os.environ["PATH"], "APT_CONFIG": str(tmp_path / "apt.conf"), "work": str(work), "mirror": f"file://{mirror}",
            "pinned": sums(PINNED)})
        chosen = work / "sums"
        return done.returncode, chosen.read_text().strip() if chosen.exists() else "", done.stdout + done.stderr

    return made


def test_the_pinned_ones_are_taken_while_they_are_there(choose):
    status, taken, printed = choose(sid=PINNED, testing=swift("6.1-1", "6.1-1"))
    assert (status, taken) == (0, sums(PINNED)), printed
    assert "no longer has" not in printed


def test_a_mirror_that_has_moved_on_gives_its_newest_for_both(choose):
    """Rebuilds of one source have other numbers; a version that exists for only one architecture does not count."""
    newest = swift("6.3.1-2+b2", "6.3.1-2") | {("libxml2-16", "amd64"): "2.16.0-1"}
    status, taken, printed = choose(sid=newest, testing=swift("6.2.9-1", "6.2.9-1"))
    assert (status, taken) == (0, sums(newest)), printed
    # In the form in which it is to be pinned.
    assert sums(newest) in printed and "no longer has swiftlang_6.2.3-1+b1_amd64.deb" in printed


def test_while_one_architecture_is_still_being_built_testing_has_the_last_for_both(choose):
    last = swift("6.2.9-1+b3", "6.2.9-1+b4")
    status, taken, printed = choose(sid=swift("6.3.1-1", "6.2.9-1+b5"), testing=last)
    assert status == 0 and [line.split()[1] for line in taken.splitlines()[:2]] == [
        "swiftlang_6.2.9-1+b3_amd64.deb", "libswiftlang_6.2.9-1+b3_amd64.deb"], printed
    # Any rebuild of it.
    assert re.search(r" swiftlang_6\.2\.9-1\+b[45]_arm64\.deb", taken), printed


def test_a_version_that_begins_like_another_is_not_it(choose):
    """6.1.9-10 is no rebuild of 6.1.9-1."""
    status, taken, printed = choose(sid=swift("6.1.9-10", "6.1.8-1"), testing=swift("6.1.9-1", "6.1.9-1+b1"))
    assert (status, taken) == (0, sums(swift("6.1.9-1", "6.1.9-1+b1"))), printed


def test_none_for_both_is_reported(choose):
    status, taken, printed = choose(sid=swift("6.3.1-1", "6.2.9-1"), testing=swift("6.3.1-1", "6.2.9-1"))
    assert (status, taken) == (UNAVAILABLE, "") and "has no swiftlang that is there for both amd64 and arm64" in printed, printed


def test_a_library_that_is_gone_is_reported(choose):
    gone = {what: version for what, version in swift("6.3.1-1", "6.3.1-1").items() if what[0] != "libxml2-16"}
    status, _, printed = choose(sid=gone, testing={})
    assert status == UNAVAILABLE and "has no libxml2-16:amd64 to go with swiftlang 6.3.1-1" in printed, printed


@pytest.mark.thorough
@pytest.mark.timeout(2400)
def test_the_emulated_debian_has_that_swift_and_its_packages():
    """`tools/check native` builds there, which takes an hour: the first steps of it."""
    def output(*command: str) -> str:
        done = subprocess.run([TOP / "tools/cross.d/native", *command], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "Target: aarch64-" in output("swift", "--version")
    look = "uname -m; pwd; echo ~; pkg-config --exists gstreamer-app-1.0 libinput libdrm && echo found"
    assert output("bash", "-c", look).splitlines() == ["aarch64", "/src", "/src/.build/native/home", "found"]
