"""Fixtures of the tests on the virtual board: `tools/check board`, or `PYTHON -m pytest Tests/Board`. The image is made by
tools/image; each test has a card of its own, and pictures of what it saw are in $RIG_OUT. Two boards run side by side
(pytest-xdist), and a third process makes images in time that these leave over: what all tests need is made by the process that
comes first."""

import fcntl
import json
import os
import pathlib
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

# As large as the display, so that nothing is scaled, and few pictures: emulation leaves little over.
FILM = "360p-5fps.mp4"
# Frame numbers in a second, and in all of it.
RATE = 25
LENGTH = 60 * RATE
SIZE = (640, 360)
# The one that can be made everywhere.
KERNEL = "debian"


# Two processes have boards. A third makes images, and nobody waits for it: boards leave it time, while they wait for watchdogs and
# for an update's minute.
BOARDS = 2
BESIDE = f"gw{BOARDS}"
MAKE_IMAGES = ("test_raspberrypi.py", "test_the_same_input_gives_the_same_bytes")


def in_time_left_over() -> list[str]:
    """The words before a command that makes an image for one of these tests: the kernel's idle class. No lock that another process
    wants may be held there."""
    return ["chrt", "--idle", "0"] if os.environ.get("PYTEST_XDIST_WORKER") == BESIDE else []


class Scheduler(LoadScopeScheduling):
    """Tests of these files look at what was made once: each file in one process, but for the test that makes an image anew. All
    others by themselves."""

    together = ("test_deb.py", "test_image.py", "test_raspberrypi.py")

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        return file if file.endswith(self.together) and not nodeid.endswith(MAKE_IMAGES) else nodeid

    def _next(self, node) -> str | None:
        """The scope that this process takes next. A board's takes an image's last, and never the other way round."""
        is_beside = node.gateway.id == BESIDE
        own = (scope for scope in self.workqueue if scope.endswith(MAKE_IMAGES) == is_beside)
        return next(own, None if is_beside else next(iter(self.workqueue), None))

    def schedule(self) -> None:
        """Where there are fewer scopes than processes the last ones go: the boards' stay."""
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


# Those of minutes: at the end, no process waits for another one's.
LONGEST = ["test_update.py", "test_power.py", "test_formats.py", "test_a_player_that_fails_and_fails", "test_board.py", ""]


def pytest_configure(config):
    config.addinivalue_line("markers", "thorough: only where thorough.py IS_ASKED")


def pytest_collection_modifyitems(config, items):
    others = [item for item in items if item.get_closest_marker("thorough") and not thorough.IS_ASKED]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in others]
    items.sort(key=lambda item: next(index for index, name in enumerate(LONGEST) if name in item.nodeid))


@pytest.fixture(scope="session", autouse=True)
def processor(worker_id):
    """Where there are no more processors than boards, each board keeps to one and has one: a film is on the
    screen in two thirds of the time."""
    allowed = sorted(os.sched_getaffinity(0))
    if worker_id != "master" and len(allowed) <= BOARDS:
        os.environ["BOARD_CPU"] = str(allowed[int(worker_id.removeprefix("gw")) % len(allowed)])


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
    """`package("arm64")`: Vitrine's for Debian, which tools/check has made."""
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
    """A card with FILM, made into `folder`; `more` is said to tools/image."""
    return run_image(package, settings, pathlib.Path(os.environ["VITRINE_FILMS"], FILM), folder, more)


def make_image_again(package: pathlib.Path, settings: pathlib.Path, folder: pathlib.Path, *more: str) -> pathlib.Path:
    """The same by an ordinary user, which who runs the tests may be already. `folder` is below /tmp."""
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
    # The time that git tells, which tells it to a folder's owner alone.
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or boards.run("git", "-C", TOP, "log", "-1", "--format=%ct").strip()
    made = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=TOP,
                          env=os.environ | {"IMAGE_DEB": str(package), "SOURCE_DATE_EPOCH": epoch})
    return pathlib.Path(next(line for line in made.stdout.split() if line.endswith(".img")))


@pytest.fixture(scope="session")
def image(once, key, package) -> pathlib.Path:
    """A card with one film, which lets that person in; beside it what else is handed out."""
    def make(_) -> str:
        folder = TOP / ".build" / "board"
        folder.mkdir(parents=True, exist_ok=True)
        # Of another version or kernel: tests look for the only one.
        for old in folder.glob("vitrine-*-arm64.*"):
            old.unlink()
        settings = folder / "vitrine.toml"
        public = key.with_suffix(".pub").read_text().strip()
        settings.write_text((TOP / "board" / "vitrine.toml").read_text() + f'\nssh-keys = "{public}"\n')
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
    """`board()`: one with the card in it, plugged in; all are unplugged at the test's end."""
    on = []

    def plug_in(**more) -> boards.Board:
        on.append(boards.Board(card, out, key=key, **more))
        return on[-1]

    yield plug_in
    for one in on:
        one.pull_plug()

