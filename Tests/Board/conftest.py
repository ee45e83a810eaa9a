"""Fixtures of the tests on the virtual board: `tools/check board`, or `PYTHON -m pytest Tests/Board`. The image is made by
tools/image; each test has a card of its own, and pictures of what it saw are in $RIG_OUT. Two boards run side by side
(pytest-xdist): what all tests need is made by the process that comes first."""

import fcntl
import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable

import pytest

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[1]
sys.path.append(str(TOP / "tools" / "lib"))
sys.path.append(str(HERE.parent / "Rig"))

import board as boards  # noqa: E402
import frames  # noqa: E402

# As large as the display, so that nothing is scaled, and few pictures: emulation leaves little over.
FILM = "360p-5fps.mp4"
# Frame numbers in a second.
RATE = 25
SIZE = (640, 360)
# The one that can be made everywhere.
KERNEL = "debian"


def pytest_collection_modifyitems(items):
    """The packages' tests first, which need no image: it is made beside them."""
    items.sort(key=lambda item: not item.get_closest_marker("xdist_group"))


@pytest.fixture(scope="session")
def once(tmp_path_factory, worker_id):
    """`once(NAME, make)`: what `make()` returns, which is called by one of the processes, while the others wait."""
    own = tmp_path_factory.getbasetemp()
    folder = own if worker_id == "master" else own.parent

    def made(name: str, make: Callable[[pathlib.Path], object]):
        with (folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            kept = folder / f"{name}.json"
            if not kept.exists():
                kept.write_text(json.dumps(make(folder)))
            return json.loads(kept.read_text())

    return made


@pytest.fixture(scope="session")
def key(once) -> pathlib.Path:
    """A person's key for ssh."""
    def make(folder: pathlib.Path) -> str:
        path = folder / "id_ed25519"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", path], check=True)
        return str(path)

    return pathlib.Path(once("key", make))


@pytest.fixture(scope="session")
def package(once):
    """`package("arm64")`: Vitrine's for Debian."""
    def path(architecture: str) -> pathlib.Path:
        def make(_) -> str:
            command = [TOP / "tools/deb", architecture]
            return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

        return pathlib.Path(once(f"package-{architecture}", make))

    return path


def make_image(package: pathlib.Path, settings: pathlib.Path, folder: pathlib.Path, *more: str) -> pathlib.Path:
    """A card with FILM, made into `folder`; `more` is said to tools/image."""
    command = [TOP / "tools/image", "--kernel", KERNEL, "--boot-size", "512M", "--output", folder, "--settings", settings,
               "--film", f"{os.environ['VITRINE_FILMS']}/{FILM}", *more]
    made = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=os.environ | {"IMAGE_DEB": str(package)})
    return pathlib.Path(next(line for line in made.stdout.split() if line.endswith(".img")))


@pytest.fixture(scope="session")
def image(once, key, package) -> pathlib.Path:
    """A card with one film, which lets that person in; beside it what else is handed out."""
    def make(_) -> str:
        folder = TOP / ".build" / "board"
        folder.mkdir(parents=True, exist_ok=True)
        settings = folder / "vitrine.toml"
        public = key.with_suffix(".pub").read_text().strip()
        settings.write_text((TOP / "board" / "vitrine.toml").read_text() + f'\nssh-keys = "{public}"\n')
        return str(make_image(package("arm64"), settings, folder))

    return pathlib.Path(once("image", make))


@pytest.fixture
def out(request) -> pathlib.Path:
    folder = pathlib.Path(os.environ.get("RIG_OUT", TOP / ".build" / "board" / "seen")) / request.node.name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def card(image, tmp_path) -> boards.Card:
    return boards.Card(image, tmp_path)


@pytest.fixture
def board(card, out, key):
    """`board()`: one with the card in it, plugged in; all are unplugged at the test's end."""
    on = []

    def plug_in(**more) -> boards.Board:
        on.append(boards.Board(card, out, key=key, **more))
        return on[-1]

    yield plug_in
    for one in on:
        one.pull_plug()

