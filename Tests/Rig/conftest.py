"""Fixtures of the tests that run in the rig, with a real display, panel and sound card: `tools/check rig`, or
`tools/rig --time-travel -- PYTHON -m pytest Tests/Rig` with VITRINE_BIN and VITRINE_FILMS set."""

import collections
import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import numpy
import PIL.Image
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "lib"))

import films as recipe  # noqa: E402
import cards  # noqa: E402
import derived  # noqa: E402
import descriptors  # noqa: E402
import frames  # noqa: E402
from finger import Panel  # noqa: E402
import sounds  # noqa: E402
from ipc import IPC  # noqa: E402
import mistakes  # noqa: E402
import thorough  # noqa: E402
import troubles as rare  # noqa: E402

os.environ.update(mistakes.FATAL)
CARD_STATE = pathlib.Path("/sys/kernel/debug/dri/0/state")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: runs for more than half a minute")
    config.addinivalue_line("markers", "long: runs for minutes, only with --long")
    config.addinivalue_line("markers", "thorough: only where thorough.py IS_ASKED")
    config.addinivalue_line("markers", "mounted: wants a rig with a panel on its side, and other panels of small and large sizes")
    config.addinivalue_line("markers", "speed: judges the processor's, wants a rig whose time is this machine's (no --time-travel)")
    config.addinivalue_line("markers", "decoders: wants the kernel with virtual decoders (tools/rig --decoders), and has it alone")
    config.addinivalue_line("markers", "since_1_24(reason): says what an older GStreamer lacks, with which the test is left out")


def pytest_addoption(parser):
    parser.addoption("--claims", type=pathlib.Path, help="a folder that several rigs share: whichever is free takes the next test")
    parser.addoption("--running", type=pathlib.Path, help="a file that names the test that runs, for when the rig ends during it")
    parser.addoption("--long", action="store_true", help="also the tests that run for minutes")


def pytest_collection_modifyitems(config, items):
    words = pathlib.Path("/proc/cmdline").read_text()
    is_mounted, travels = "panel_orientation" in words, "time-travel" in words
    # With them nearly every film shows a test pattern.
    has_decoders = pathlib.Path("/sys/module/visl").exists()
    others = [
        item for item in items
        if bool(item.get_closest_marker("mounted")) != is_mounted
        or bool(item.get_closest_marker("decoders")) != has_decoders
        or item.get_closest_marker("speed") and travels
        or item.get_closest_marker("long") and not config.getoption("--long")
        or item.get_closest_marker("thorough") and not thorough.IS_ASKED
    ]
    others += too_old(config, [item for item in items if item not in others])
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in others]
    if config.getoption("--claims"):
        # So that no rig has only a slow one left at the end.
        items.sort(key=lambda item: not (item.get_closest_marker("slow") or claim(item) in TOGETHER))


def too_old(config, items) -> list:
    """The tests that need a newer GStreamer; `pytest_report_collectionfinish` reports why. Skipped, they would count as
    failed."""
    wanting = {item: mark.args[0] for item in items if (mark := item.get_closest_marker("since_1_24"))}
    if not wanting:
        return []
    # Asks gst-launch-1.0 for its version, only if a test needs it.
    from decoders import KNOWS_DEVICES

    if KNOWS_DEVICES:
        return []
    config.stash[TOO_OLD] = collections.Counter(wanting.values())
    return list(wanting)


TOO_OLD = pytest.StashKey()


def pytest_report_collectionfinish(config):
    return [f"left out, {count}: {reason}" for reason, count in config.stash.get(TOO_OLD, {}).items()]


# Fixtures that are expensive to make: one rig runs all tests that use one.
TOGETHER = {"streams"}


def claim(item) -> str:
    """The unit that a rig claims, by name."""
    return min(TOGETHER.intersection(item.fixturenames), default=item.nodeid)


def claimed(items, folder: pathlib.Path):
    """The tests that no other rig has claimed, each when this rig reaches it."""
    own = set()
    for item in items:
        name = claim(item)
        if name not in own:
            try:
                (folder / hashlib.sha256(name.encode()).hexdigest()).mkdir()
            except FileExistsError:
                continue
            own.add(name)
        yield item


def pytest_runtestloop(session):
    folder = session.config.getoption("--claims")
    if not folder or session.testsfailed or session.config.option.collectonly:
        return None
    items = claimed(session.items, folder)
    item = next(items, None)
    while item:
        # pytest keeps the fixtures that the next test shares with this one.
        following = next(items, None)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        item = following
    return True


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    running = item.config.getoption("--running")
    if not running:
        yield
        return
    running.parent.mkdir(parents=True, exist_ok=True)
    running.write_text(item.nodeid)
    yield
    running.unlink()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A failed test shows the programs' logs, and leaves the display's picture in the shared folder. With CI=true, a
    skipped test is a failed one."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("CI") == "true":
        # By name, so that tools/check names it and repeats it as any other.
        report.outcome = "failed"
        report.longrepr = f"skipped, which counts as failed where CI=true: {call.excinfo.value}"
    if not report.failed or report.when not in ("call", "teardown"):
        return
    for name, program in enumerate(getattr(item.funcargs.get("play"), "programs", [])):
        report.sections.append((" ".join(program.arguments), program.log()))
        # The library that it crashed in.
        if (program.process.poll() or 0) < 0:
            lines = subprocess.run(["dmesg"], capture_output=True, text=True).stdout.splitlines()
            report.sections.append((f"{program.process.returncode}: the kernel's last words", "\n".join(lines[-10:])))
        if report.when == "call" and program.process.poll() is None:
            try:
                folder = pathlib.Path(os.environ.get("RIG_OUT", "/tmp")) / "failed"
                folder.mkdir(exist_ok=True)
                picture = folder / f"{item.name.replace('/', '_')}-{name}.png"
                program.ipc.command("screenshot-to-file", str(picture), timeout=3)
                report.sections.append(("the display's picture", str(picture)))
            except Exception as error:
                report.sections.append(("no picture of the display", str(error)))


class Film:
    """A test film: path, number in its frames, shape as shown (width / height), frames per second, length."""

    rate = recipe.RATE

    def __init__(self, path: pathlib.Path, original: str | None = None, seconds: float | None = None):
        self.path = str(path)
        names = [film.name for film in recipe.FILMS]
        original = original or path.name
        self.number = names.index(original) if original in names else None
        if self.number is not None:
            film = recipe.FILMS[self.number]
            across, down = map(int, film.pixel.split(":"))
            self.size = film.size
            self.aspect = film.size[0] * across / (film.size[1] * down)
            self.seconds = seconds or film.seconds
            self.frames = round(self.seconds * self.rate)

    def frame_at(self, time: float) -> int:
        """The frame shown at a time in seconds: the last one that has started, counted from 0."""
        return min(int(time * self.rate + 1e-6), self.frames - 1)


SECOND_SOUND_CARD = pathlib.Path("/sys/bus/platform/drivers/snd_dummy/snd_dummy.1")


@pytest.fixture(scope="session", autouse=True)
def one_sound_card():
    """Unplugs the rig's second dummy card, which some tests plug in later."""
    if SECOND_SOUND_CARD.exists():
        (SECOND_SOUND_CARD.parent / "unbind").write_text(SECOND_SOUND_CARD.name)


@pytest.fixture(scope="session")
def films():
    """`films("360p-key50.mp4")`: a test film by its file name; also the broken and the derived ones."""
    folder = os.environ.get("VITRINE_FILMS")
    assert folder, "VITRINE_FILMS is not set: the folder that tools/films prints"
    derive = derived.Derived(pathlib.Path(folder), derived.folder())

    def film(name: str) -> Film:
        if name in derived.RECIPES:
            return Film(*derive(name))
        path = pathlib.Path(folder) / name
        assert path.exists(), f"there is no film {path}"
        return Film(path)

    return film


class Program:
    """A running `vitrine`: its process, its IPC, its screen."""

    def __init__(
        self, folder: pathlib.Path, number: int, arguments: list[str], environment: dict[str, str], pass_fds=(),
        stdin=subprocess.DEVNULL,
    ):
        binary = os.environ.get("VITRINE_BIN")
        assert binary, "VITRINE_BIN is not set: the path of the program vitrine"
        self.folder = folder
        self.arguments = ["vitrine", *map(str, arguments)]
        self.log_path = folder / f"vitrine-{number}.log"
        self.socket_path = folder / f"control-{number}.socket"
        self.ended = False
        self._ipc = None
        self._shots = 0
        command = [binary, *self.arguments[1:]]
        if self.arguments[1:2] == ["play"]:
            command[2:2] = ["--control", str(self.socket_path)]
            # The buttons depend on the film and the machine's sound; `controls.py` has tests of those.
            if not {"--controls", "--settings"} & set(self.arguments):
                command[2:2] = ["--controls", "bar"]
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                command, stdin=stdin, stdout=log, stderr=log, env={**os.environ, **environment},
                pass_fds=pass_fds,
            )

    def log(self) -> str:
        return self.log_path.read_text(errors="replace")

    def complaints(self) -> list[str]:
        """Its complaints, except GStreamer's about a busy machine."""
        return [line for line in self.log().splitlines() if "buffers are being dropped" not in line]

    def wait_for_log(self, text: str, timeout: float = 20, count: int = 1) -> None:
        """Waits until the program has logged `text` so often."""
        end = time.monotonic() + timeout
        while self.log().count(text) < count:
            assert self.process.poll() is None, f"ended without {text!r}"
            assert time.monotonic() < end, f"no {text!r} in\n{self.log()}"
            time.sleep(0.02)

    @property
    def ipc(self) -> IPC:
        """Connected at the first use."""
        if self._ipc is None:
            self._ipc = self.connect()
        return self._ipc

    def connect(self) -> IPC:
        """One more connection."""
        return IPC(self.socket_path, alive=lambda: self.process.poll() is None)

    def wait_until_shown(self, timeout: float = 20) -> "Program":
        """Waits until the film's first frame has reached the screen, and its media info is known: sound may follow
        later."""
        self.ipc.wait_for_counter("vitrine/frames-shown", timeout=timeout)
        self.ipc.wait_for("seekable", lambda known: known is not None, timeout=timeout)
        return self

    def screenshot(self, name: str | None = None) -> numpy.ndarray:
        """The display's contents: height x width x 3, uint8. With a name a copy is kept in the folder that rigs share: two of
        them may take pictures of one name at once."""
        self._shots += 1
        path = self.folder / f"shot-{self._shots}.png"
        # A debug build on a busy machine needs more than ten seconds for one of 3840x2160.
        self.ipc.command("screenshot-to-file", str(path), timeout=60)
        if name:
            shutil.copy(path, pathlib.Path(os.environ.get("RIG_OUT", self.folder)) / f"{name}.png")
        with PIL.Image.open(path) as image:
            return numpy.array(image.convert("RGB"))

    def reading(self, film: Film, picture: numpy.ndarray | None = None) -> frames.Reading:
        """The frame and film on the display; raises frames.NoFrame. While a film plays, a picture taken during a flip
        shows parts of two frames: four attempts are made, unless it is of this film."""
        for _ in range(0 if picture is not None else 4):
            look = self.screenshot()
            try:
                return frames.read(look, film_rect(look, film))
            except frames.NoFrame:
                pass
        picture = self.screenshot() if picture is None else picture
        return frames.read(picture, film_rect(picture, film))

    def frame(self, film: Film, picture: numpy.ndarray | None = None) -> int:
        """Which frame the display shows; fails if it is another film's."""
        reading = self.reading(film, picture)
        assert reading.film == film.number, f"the display shows film {reading.film}, not {film.number}"
        return reading.frame

    def signal(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)

    def wait_until_ended(self, timeout: float = 20) -> int:
        """The exit status; negative for a signal. Raises subprocess.TimeoutExpired."""
        status = self.process.wait(timeout)
        self.ended = True
        return status

    def fds(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def opened(self) -> set[str]:
        """The files that it has open."""
        return descriptors.opened(self.process.pid)

    def threads(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def memory(self, line: str = "VmRSS") -> int:
        """Resident bytes; of `VmHWM`, the most there have been."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(text.partition(f"{line}:")[2].split()[0]) * 1024

    def stop(self) -> None:
        """Ends it if it runs; an end that the test did not request, or that takes longer than 5 s, is an error."""
        if self._ipc is not None:
            self._ipc.close()
        status = self.process.poll()
        if status is not None:
            assert self.ended or status == 0, f"{' '.join(self.arguments)} ended by itself with status {status}"
            return
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            pytest.fail(f"{' '.join(self.arguments)} did not end within 5 s of SIGTERM")


@pytest.fixture
def play(tmp_path):
    """`play(film.path, "--loop", wait=True, environment={})`: starts `vitrine play`, with a control socket, and waits
    for its first frame; `play.run("displays")` starts another command. They are ended after the test."""

    class Play:
        def __init__(self):
            self.programs: list[Program] = []
            self.count = 0

        def run(self, *arguments, environment: dict[str, str] | None = None, **options) -> Program:
            program = Program(tmp_path, self.count, list(arguments), environment or {}, **options)
            self.count += 1
            self.programs.append(program)
            return program

        def __call__(self, *arguments, wait: bool = True, **options) -> Program:
            words = [argument.path if isinstance(argument, Film) else argument for argument in arguments]
            program = self.run("play", *words, **options)
            return program.wait_until_shown() if wait else program

        def stop(self) -> None:
            errors = []
            for program in self.programs:
                try:
                    program.stop()
                except (AssertionError, pytest.fail.Exception) as error:
                    errors.append(str(error))
                errors += mistakes.found(program.log())
            self.programs = []
            assert not errors, "; ".join(errors)

    players = Play()
    yield players
    players.stop()


@pytest.fixture
def panel():
    """A touch panel (tools/lib/finger.py), plugged in before the test. Call `panel.wait_until_read()` before the first
    touch."""
    with Panel() as panel:
        panel.wait_until_classified()
        yield panel


@pytest.fixture
def recorder(tmp_path):
    """Records the sound of a program that is started with `environment=recorder.environment`."""
    recorder = sounds.Recorder(tmp_path)
    yield recorder
    recorder.stop()


@pytest.fixture
def card(play):
    """`card(overlays=2, status=cards.CONNECTED)`: one more card, until the test's end."""
    made = []

    def make(**options) -> cards.Card:
        made.append(cards.Card(f"test{len(made)}", **options))
        return made[-1]

    yield make
    # Programs first: the kernel's vkms fails if a connector is probed while its card is removed. And then all cards,
    # even if a program fails to stop: remaining cards would make the next tests fail, too.
    try:
        play.stop()
    finally:
        for one in made:
            one.remove()


class Console:
    """The console's framebuffer, which the kernel puts back when the last program leaves the display."""

    def planes(self) -> dict[str, str]:
        """Each plane that shows a framebuffer, and the framebuffer's creator."""
        planes, plane = {}, ""
        for line in CARD_STATE.read_text().splitlines():
            words = line.split()
            if line.startswith("plane["):
                plane = words[-1]
            elif not line.startswith("\t"):
                plane = ""
            elif plane and words[0].startswith("fb=") and words[0] != "fb=0":
                planes[plane] = ""
            elif plane in planes and line.strip().startswith("allocated by"):
                planes[plane] = line.partition("=")[2].strip()
        return planes

    def keeps(self, lit: set[str], seconds: float = 0.4) -> None:
        """Whether these planes show something during all of this time, without a picture of the display, which would
        keep the machine from playing."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            assert lit <= set(self.planes()), f"off: {lit - set(self.planes())}"
            time.sleep(0.02)

    def is_shown(self) -> bool:
        return list(self.planes().values()) == ["[fbcon]"]

    def wait_until_shown(self, timeout: float = 5) -> None:
        end = time.monotonic() + timeout
        while not self.is_shown():
            assert time.monotonic() < end, f"the console is not back after {timeout} s: {self.planes()}"
            time.sleep(0.02)


@pytest.fixture
def troubles(tmp_path):
    """Rare troubles, for a program that is started with `environment=troubles.environment`."""
    return rare.Troubles(tmp_path)


@pytest.fixture
def console():
    return Console()


def film_rect(picture: numpy.ndarray, film: Film) -> frames.Rect:
    """Where the film must be on a display of this picture's size (spec S3)."""
    height, width = picture.shape[:2]
    return frames.fit((width, height), film.aspect)
