"""Fixtures of the tests on the virtual board: `tools/check board`, or `PYTHON -m pytest Tests/Board`. tools/image makes
the image; each test has a card of its own, and its pictures are in $RIG_OUT. Two boards run concurrently
(pytest-xdist), and a third process makes images in their idle time. The process that comes first makes what all tests
need."""

import fcntl
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest
from xdist.scheduler.loadscope import LoadScopeScheduling

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[1]
sys.path.append(str(TOP / "tools" / "lib"))
sys.path.append(str(HERE.parent / "Rig"))

import board as boards  # noqa: E402
import frames  # noqa: E402
import thorough  # noqa: E402

# As large as the display, so that nothing is scaled, with few frames: emulation is slow.
FILM = "360p-5fps.mp4"
# Frame numbers in a second, and in all of it.
RATE = 25
LENGTH = 60 * RATE
SIZE = (640, 360)
# Seconds of this machine after which a test gives up waiting. A board shows its film after some 13 of its own, of which a
# busy machine makes minutes.
PATIENCE = 600
# The kernel that can be used on any machine.
KERNEL = "debian"


# Two processes have boards. A third makes images in the time in which boards wait for watchdogs and for an update's
# minute; nobody waits for it.
BOARDS = 2
BESIDE = f"gw{BOARDS}"
MAKE_IMAGES = ("test_raspberrypi.py", "test_the_same_input_gives_the_same_bytes")


def in_time_left_over() -> list[str]:
    """The prefix of a command that makes an image for one of these tests: the kernel's idle class. The command must
    hold no lock that another process needs."""
    return ["chrt", "--idle", "0"] if os.environ.get("PYTEST_XDIST_WORKER") == BESIDE else []


class Scheduler(LoadScopeScheduling):
    """Scopes of tests: tests of these files share the results of one process, except the test that makes an image anew.
    Every other test is a scope of its own."""

    together = ("test_deb.py", "test_image.py", "test_raspberrypi.py")

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        return file if file.endswith(self.together) and not nodeid.endswith(MAKE_IMAGES) else nodeid

    def _next(self, node) -> str | None:
        """The scope that this process takes next. A board's process takes an image's scope last, and never the other
        way round."""
        is_beside = node.gateway.id == BESIDE
        own = (scope for scope in self.workqueue if scope.endswith(MAKE_IMAGES) == is_beside)
        return next(own, None if is_beside else next(iter(self.workqueue), None))

    def schedule(self) -> None:
        """If there are fewer scopes than processes, the last processes are dropped: the boards' stay."""
        self.assigned_work = dict(sorted(self.assigned_work.items(), key=lambda one: one[0].gateway.id == BESIDE))
        super().schedule()

    def _assign_work_unit(self, node) -> None:
        if scope := self._next(node):
            self.workqueue.move_to_end(scope, last=False)
            super()._assign_work_unit(node)
        else:
            node.shutdown()

    def _reschedule(self, node) -> None:
        if self._next(node) or node.shutting_down:
            super()._reschedule(node)
        else:
            node.shutdown()


def pytest_xdist_make_scheduler(config, log):
    """xdist's own groups (`--dist loadgroup`) have no effect with pytest 9.2. The largest files go first: the packages' tests
    need no image, which is made beside them."""
    return Scheduler(config, log)


# Tests that take minutes go first: at the end, no process waits for another one's.
LONGEST = ["test_update.py", "test_power.py", "test_formats.py", "test_a_player_that_fails_and_fails", "test_board.py", ""]


def pytest_configure(config):
    config.addinivalue_line("markers", "thorough: only where thorough.py IS_ASKED")


def pytest_collection_modifyitems(config, items):
    others = [item for item in items if item.get_closest_marker("thorough") and not thorough.IS_ASKED]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in others]
    items.sort(key=lambda item: next(index for index, name in enumerate(LONGEST) if name in item.nodeid))


@pytest.fixture(scope="session")
def once(tmp_path_factory, worker_id):
    """`once(NAME, make)`: the result of `make()`, which one of the processes calls while the others wait."""
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
    """`package("arm64")`: Vitrine's package for Debian, made by tools/check."""
    made = {path.removesuffix(".deb").rpartition("_")[2]: path for path in os.environ.get("VITRINE_PACKAGES", "").split("\n")}

    def path(architecture: str) -> pathlib.Path:
        if architecture in made:
            return pathlib.Path(made[architecture])

        def make(_) -> str:
            command = [TOP / "tools/deb", architecture]
            return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

        return pathlib.Path(once(f"package-{architecture}", make))

    return path


def make_image(package: pathlib.Path, settings: pathlib.Path, folder: pathlib.Path, *more: str) -> pathlib.Path:
    """Makes a card with FILM in `folder`; `more` are arguments of tools/image."""
    return run_image(package, settings, pathlib.Path(os.environ["VITRINE_FILMS"], FILM), folder, more)


def make_image_again(package: pathlib.Path, settings: pathlib.Path, folder: pathlib.Path, *more: str) -> pathlib.Path:
    """The same by an ordinary user, perhaps the one that runs the tests. `folder` is below /tmp."""
    film = pathlib.Path(os.environ["VITRINE_FILMS"], FILM)
    if os.getuid() != 0:
        return run_image(package, settings, film, folder, more, in_time_left_over())
    folder.chmod(0o755)
    inputs = [shutil.copy(file, folder) for file in (package, settings, film)]
    for file in inputs:
        os.chmod(file, 0o644)
    return run_image(*map(pathlib.Path, inputs), folder / "home" / "image", more,
                     [*in_time_left_over(), HERE / "ordinary", folder])


def run_image(package, settings, film, folder, more, by=()) -> pathlib.Path:
    command = [*by, "tools/image", "--kernel", KERNEL, "--boot-size", "512M", "--output", folder, "--settings", settings,
               "--film", film, *more]
    # git gives the time only to the folder's owner.
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or boards.run("git", "-C", TOP, "log", "-1", "--format=%ct").strip()
    made = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=TOP,
                          env=os.environ | {"IMAGE_DEB": str(package), "SOURCE_DATE_EPOCH": epoch})
    return pathlib.Path(next(line for line in made.stdout.split() if line.endswith(".img")))


@pytest.fixture(scope="session")
def image(once, key, package) -> pathlib.Path:
    """A card with one film, which gives that person access; beside it are the other released files."""
    def make(_) -> str:
        folder = TOP / ".build" / "board"
        folder.mkdir(parents=True, exist_ok=True)
        # Files of another version or kernel are removed, because tests look for the only one.
        for old in folder.glob("vitrine-*-arm64.*"):
            old.unlink()
        settings = folder / "vitrine.toml"
        public = key.with_suffix(".pub").read_text().strip()
        # An hour: no scrub sheets are made meanwhile, which keeps an emulated processor busy for minutes that the other
        # boards need.
        words, count = re.subn("(?m)^#idle-seconds = .*", "idle-seconds = 3600", (TOP / "board" / "vitrine.toml").read_text())
        assert count == 1
        settings.write_text(f'{words}\nssh-keys = "{public}"\n')
        return str(make_image(package("arm64"), settings, folder, "--quick"))

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
    """`board()`: a board with the card in it, plugged in; all are unplugged at the test's end."""
    on = []

    def plug_in(**more) -> boards.Board:
        on.append(boards.Board(card, out, key=key, **more))
        return on[-1]

    yield plug_in
    for one in on:
        one.pull_plug()

