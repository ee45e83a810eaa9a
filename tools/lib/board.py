"""The virtual board: an arm64 machine in QEMU by software emulation, with a virtio display and a touch panel, that
starts a card's image as a Raspberry Pi does. It is used from outside, like a real one: its screen, a finger, its
plug."""

import contextlib
import ctypes
import errno
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

import numpy
import PIL.Image

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = HERE.parent

# Linux' prctl(2).
PR_SET_PDEATHSIG = 1

# The panel's range (virtio-multitouch, QEMU's INPUT_EVENT_ABS_MAX).
PANEL = 0x7FFF

# Seconds between two of its reports: four times as long as for a real one, because the guest may be as much slower. It has
# room for 64 events, a dozen reports: QEMU drops further ones, even a finger's last report.
REPORT = 1 / 15

# QEMU's user network: this machine, and the address that the board gets by DHCP, which ssh connects to.
HOST = "10.0.2.2"
ADDRESS = "10.0.2.15"

# Pointer authentication costs a third of the speed in emulation, and is not needed here.
PROCESSOR = "max,pauth=off"

# The board's clock counts instructions, of 2 ns each; while the board idles, it follows real time. A machine that is busy
# with other things makes the whole board slow, its watchdogs and deadlines too, and no program on it late. One thread
# emulates all processors.
CLOCK = ("-accel", "tcg,thread=single,tb-size=512", "-icount", "shift=1,sleep=on")
# For measurements on an idle machine.
REAL_TIME = ("-accel", "tcg,thread=multi,tb-size=512")


class BoardError(Exception):
    """The board did not do something in time; contains its last output."""


def run(*command, **more) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    if done.returncode:
        raise BoardError(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def trixie(*command) -> str:
    return run(TOOLS / "trixie", *command)


def end_with_parent() -> None:
    """For a new process: if its parent is killed, no board must run on unnoticed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return door.getsockname()[1]


def next_data(file: int, place: int, end: int) -> int:
    """The first byte from `place` on that was written; `end` if there is none."""
    try:
        return os.lseek(file, place, os.SEEK_DATA)
    except OSError as error:
        if error.errno == errno.ENXIO:
            return end
        raise


class Card:
    """A card in the board: a copy of an image."""

    # The FAT partition's first byte, from board/genimage.cfg.
    BOOT = 4 << 20

    def __init__(self, image: pathlib.Path, folder: pathlib.Path, size: str | None = None):
        self.path = folder / "card.img"
        # Its empty parts take no space.
        run("cp", "--sparse=always", image, self.path)
        if size:
            run("truncate", "-s", size, self.path)

    def put(self, name: str, data: bytes | None) -> None:
        """Puts a file on the FAT partition, as a person does on a laptop; None removes it."""
        if data is None:
            trixie("mdel", "-i", f"{self.path}@@{self.BOOT}", f"::{name}")
            return
        for parent in list(pathlib.PurePath(name).parents)[-2::-1]:
            with contextlib.suppress(BoardError):  # It is there.
                trixie("mmd", "-D", "s", "-i", f"{self.path}@@{self.BOOT}", f"::{parent}")
        with tempfile.NamedTemporaryFile(dir="/tmp") as file:
            file.write(data)
            file.flush()
            trixie("mcopy", "-o", "-i", f"{self.path}@@{self.BOOT}", file.name, f"::{name}")

    def get(self, name: str) -> bytes | None:
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            file = pathlib.Path(folder, "file")
            try:
                trixie("mcopy", "-o", "-i", f"{self.path}@@{self.BOOT}", f"::{name}", file)
            except BoardError:
                return None
            return file.read_bytes()

    @property
    def partitions(self) -> list[tuple[int, int]]:
        """First byte and number of bytes of each."""
        table = json.loads(trixie("sfdisk", "--json", self.path))["partitiontable"]
        return [(part["start"] * 512, part["size"] * 512) for part in table["partitions"]]

    def copy_partition(self, number: int, file: pathlib.Path) -> pathlib.Path:
        """Copies one of the partitions, counted from 1."""
        first, size = self.partitions[number - 1]
        file.unlink(missing_ok=True)
        # Without a buffer, because searching for holes moves its place in the file.
        with self.path.open("rb", buffering=0) as card, file.open("wb") as copy:
            copy.truncate(size)
            place, end = first, first + size
            # Unwritten parts are skipped: on a large card that is nearly everything.
            while place < end and (place := next_data(card.fileno(), place, end)) < end:
                hole = min(os.lseek(card.fileno(), place, os.SEEK_HOLE), end)
                card.seek(place)
                copy.seek(place - first)
                while place < hole:
                    place += copy.write(card.read(min(hole - place, 1 << 20)))
        return file

    def kernel_words(self, is_trial: bool) -> str:
        """The kernel arguments that Raspberry Pi's boot loader passes: it reads config.txt, or tryboot.txt in a trial,
        where os_prefix= names the folder of cmdline.txt."""
        name = "tryboot.txt" if is_trial else "config.txt"
        config = self.get(name)
        if config is None:
            raise BoardError(f"no {name} on the card: a Pi does not start")
        prefix = re.search(rb"^os_prefix=(.*?)\s*$", config, re.M)
        words = self.get((prefix[1].decode() if prefix else "") + "cmdline.txt")
        if words is None:
            raise BoardError(f"no cmdline.txt where {name} says {prefix and prefix[1]}: a Pi does not start")
        return words.decode().strip()


class Board:
    """A board that is plugged in. Leaving the `with` pulls the plug."""

    # The user for ssh.
    user = "vitrine-admin"

    def __init__(self, card: Card, folder: pathlib.Path, *, memory: str = "1024M", processors: int = 1, clock: tuple[str, ...] = CLOCK,
                 size: tuple[int, int] = (640, 360), words: str = "", is_trial: bool = False, key: pathlib.Path | None = None,
                 door: int | None = None, drive: tuple[str, ...] = (), options: tuple[str, ...] = (), reaches_here: bool = False):
        """`reaches_here`: its network leads to this machine, whose loopback has the address HOST there, and beyond."""
        self.folder, self.size = folder, size
        folder.mkdir(parents=True, exist_ok=True)
        program, kernel, own = self.machine(card, is_trial)
        # A socket's path has 108 characters at most.
        self._sockets = tempfile.mkdtemp(prefix="board.", dir="/tmp")
        self.console = ""
        self._key, self._door = key, door or free_port()
        self.start = time.monotonic()
        self._process = subprocess.Popen(
            [*program, "-name", "vitrine-board", "-nodefaults", "-no-user-config", "-no-reboot",
             "-display", "none", *clock,
             "-smp", str(processors), "-m", memory,
             "-kernel", kernel / "vmlinuz", "-initrd", kernel / "initrd",
             "-append", f"{own} {words}",
             *(drive or ["-drive", f"if=none,id=card,format=raw,file={card.path},cache=writeback"]),
             "-device", "virtio-blk-pci,drive=card", "-device", f"virtio-gpu-pci,id=display,xres={size[0]},yres={size[1]}",
             "-device", "virtio-rng-pci", "-netdev",
             f"user,id=net,restrict={'off' if reaches_here else 'on'},hostfwd=tcp:127.0.0.1:{self._door}-:22",
             "-device", "virtio-net-pci,netdev=net,romfile=",
             "-serial", "stdio", "-qmp", f"unix:{self._sockets}/monitor,server=on,wait=off", *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=end_with_parent)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._port = self._connect()
        self._lines = self._port.makefile("rb")
        self._lines.readline()
        self.execute("qmp_capabilities")
        self._touches, self._next_report = 0, 0.0
        self._door_opener: subprocess.Popen | None = None

    def machine(self, card: Card, is_trial: bool) -> tuple[tuple, pathlib.Path, str]:
        """QEMU and its arguments for this hardware, the folder of vmlinuz and initrd, the kernel's arguments."""
        program = (TOOLS / "trixie", "qemu-system-aarch64", "-M", "virt,gic-version=3", "-cpu", PROCESSOR, "-device",
                   "virtio-multitouch-pci,id=panel", "-device", "i6300esb", "-watchdog-action", "reset")
        return program, pathlib.Path(run(TOOLS / "board.d/kernel").strip()), f"{card.kernel_words(is_trial)} console=ttyAMA0"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.pull_plug()

    @property
    def age(self) -> float:
        """Seconds since it was plugged in."""
        return time.monotonic() - self.start

    @property
    def is_on(self) -> bool:
        return self._process.poll() is None

    def _connect(self) -> socket.socket:
        path = f"{self._sockets}/monitor"
        while self.is_on and self.age < 30:
            port = socket.socket(socket.AF_UNIX)
            try:
                port.connect(path)
                return port
            except OSError:
                port.close()
                time.sleep(0.02)
        raise BoardError(f"QEMU did not start: {self.console}")

    def _read(self) -> None:
        with (self.folder / "console.log").open("w") as log:
            for line in self._process.stdout:
                text = line.decode(errors="replace").rstrip("\r\n")
                log.write(f"{self.age:8.2f} {text}\n")
                log.flush()
                self.console += text + "\n"

    def execute(self, command: str, **arguments):
        """QEMU's monitor protocol."""
        message = {"execute": command, **({"arguments": arguments} if arguments else {})}
        self._port.sendall(json.dumps(message).encode() + b"\n")
        while line := self._lines.readline():
            answer = json.loads(line)
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise BoardError(f"{command}: {answer['error']['desc']}")
        raise BoardError(f"{command}: the board is off")

    def shell(self, command: str, seconds: float = 240) -> str:
        """Runs a command by ssh, as a person who helps does; the settings must give access to the owner of the key."""
        limit = time.monotonic() + seconds
        while True:
            try:
                done = subprocess.run([*self._connected(), command], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                      timeout=max(limit - time.monotonic(), 5))
            except subprocess.TimeoutExpired:
                raise BoardError(f"{command}: no end in {seconds} s\n{self.console[-2000:]}") from None
            if done.returncode != 255:
                break
            if time.monotonic() > limit or not self.is_on:
                raise BoardError(f"nobody answers by ssh: {done.stderr}\n{self.console[-2000:]}")
            time.sleep(0.5)
        if done.returncode:
            raise BoardError(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def _connected(self) -> list[str]:
        """ssh's arguments for one of many sessions of the same connection: in emulation a new connection takes
        seconds."""
        path = f"{self._sockets}/ssh"
        door = ["ssh", "-q", "-S", path, *self.ssh, "-o", "ConnectTimeout=20", "-o", "BatchMode=yes", f"{self.user}@127.0.0.1"]
        if not self._door_opener or self._door_opener.poll() is not None:
            self._door_opener = subprocess.Popen(
                [*door, "-o", "ServerAliveInterval=15", "-M", "-N"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, preexec_fn=end_with_parent)
        # Without an answer it ends by itself; other problems are left to the command.
        end = time.monotonic() + 30
        while self._door_opener.poll() is None and not os.path.exists(path) and time.monotonic() < end:
            time.sleep(0.05)
        return door

    def player_log(self) -> str:
        """Its last lines, for a failed test; nothing without access."""
        if self._key and self.is_on:
            with contextlib.suppress(BoardError):
                return self.shell("journalctl -b -u vitrine.service -n 40 -o short-monotonic --no-pager", 30)
        return ""

    @property
    def ssh(self) -> list[str]:
        """ssh's options for this board's forwarded port."""
        return ["-i", str(self._key), "-p", str(self._door), "-o", "StrictHostKeyChecking=no", "-o",
                "UserKnownHostsFile=/dev/null"]

    @property
    def wants_trial(self) -> bool:
        """Whether it restarted for a trial: Linux passes an argument to the boot loader, and logs it."""
        return "Restarting system with command '0 tryboot'" in self.console

    def ask(self, command: str) -> None:
        """For a command that ends the connection: it runs a second later, when the answer is here."""
        self.shell(f"(sleep 1; {command}) > /dev/null 2>&1 &")

    def pull_plug(self) -> None:
        """Kills QEMU, without notice to any program."""
        if self._process.poll() is None:
            with contextlib.suppress(OSError, BoardError):
                pid = self._process.pid
                os.kill(pid, 9)
        self._process.wait()
        if self._door_opener:
            self._door_opener.kill()
            self._door_opener.wait()
        with contextlib.suppress(AttributeError):
            self._port.close()
        self._reader.join(5)
        shutil.rmtree(self._sockets, ignore_errors=True)

    def wait_off(self, seconds: float) -> None:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise BoardError(f"still on after {seconds} s:\n{self.console[-2000:]}") from None

    def picture(self, keep: str | None = None) -> numpy.ndarray:
        """The display's contents: height x width x 3, uint8; kept in the board's folder under a name."""
        path = self.folder / f"{keep or 'now'}.ppm"
        self.execute("screendump", filename=str(path), device="display")
        with PIL.Image.open(path) as image:
            picture = numpy.array(image.convert("RGB"))
        path.unlink()
        if keep:
            PIL.Image.fromarray(picture).save(self.folder / f"{keep}.png")
        return picture

    def run_for(self, seconds: float) -> None:
        """Waits for a time; fails if the board switches off by itself."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
            raise BoardError(f"off after {self.age:.1f} s:\n{self.console[-2000:]}")

    def wait_picture(self, wanted, seconds: float, every: float = 0.2):
        """The result of `wanted` for a picture (not None), as soon as there is one. Taking pictures costs the board
        time, if both have one processor."""
        limit = time.monotonic() + seconds
        while True:
            picture = self.picture()
            if (found := wanted(picture)) is not None:
                return found
            if time.monotonic() > limit or not self.is_on:
                PIL.Image.fromarray(picture).save(self.folder / "awaited.png")
                raise BoardError(f"not on the screen after {seconds} s, {self.age:.0f} s after the plug; {self.folder}/awaited.png "
                                 f"is:\n{self.console[-3000:]}\n{self.player_log()}")
            time.sleep(every)

    # A finger from outside, through the guest's kernel, udev and libinput.

    def _panel(self, x: float, y: float) -> tuple[int, int]:
        return round(x / self.size[0] * PANEL), round(y / self.size[1] * PANEL)

    def _send(self, *events) -> None:
        time.sleep(max(self._next_report - time.monotonic(), 0))
        self._next_report = time.monotonic() + REPORT
        self.execute("input-send-event", events=list(events))

    @staticmethod
    def _mt(kind: str, slot: int, identity: int, axis: str = "x", value: int = 0) -> dict:
        return {"type": "mtt", "data": {"type": kind, "slot": slot, "tracking-id": identity, "axis": axis, "value": value}}

    def _at(self, slot: int, identity: int, x: float, y: float) -> list[dict]:
        across, down = self._panel(x, y)
        return [self._mt("data", slot, identity, "x", across), self._mt("data", slot, identity, "y", down)]

    def finger_down(self, x: float, y: float, slot: int = 0) -> int:
        """In the display's pixels. Returns the arguments for the other two."""
        self._touches += 1
        self._send(self._mt("begin", slot, self._touches), *self._at(slot, self._touches, x, y),
                   *([{"type": "btn", "data": {"button": "touch", "down": True}}] if slot == 0 else []))
        return self._touches

    def finger_move(self, identity: int, x: float, y: float, slot: int = 0) -> None:
        self._send(self._mt("update", slot, identity), *self._at(slot, identity, x, y))

    def finger_up(self, identity: int, slot: int = 0) -> None:
        self._send(self._mt("end", slot, -1),
                   *([{"type": "btn", "data": {"button": "touch", "down": False}}] if slot == 0 else []))

    def tap(self, x: float, y: float) -> None:
        finger = self.finger_down(x, y)
        time.sleep(0.08)
        self.finger_up(finger)


class Outlet:
    """A board that stays plugged in: when it restarts it starts again, like its boot loader. Leaving the `with` pulls
    the plug. `drive` returns QEMU's arguments for the card at the start of that number, from 1."""

    def __init__(self, card: Card, folder: pathlib.Path, drive=lambda number: (), **board):
        self._card, self._folder, self._drive = card, folder, drive
        self._board = {"door": free_port(), **board}
        self.starts: list[Board] = []
        self._is_on = True
        self._restarted = threading.Condition()
        self._plug_in(False)
        self._keeper = threading.Thread(target=self._keep, daemon=True)
        self._keeper.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._is_on = False
        self.now.pull_plug()
        self._keeper.join()
        for one in self.starts:
            one.pull_plug()

    @property
    def now(self) -> Board:
        return self.starts[-1]

    def _plug_in(self, is_trial: bool) -> None:
        number = len(self.starts) + 1
        board = Board(self._card, self._folder / f"start-{number}", is_trial=is_trial, drive=self._drive(number), **self._board)
        with self._restarted:
            self.starts.append(board)
            self._restarted.notify_all()

    def _keep(self) -> None:
        while self._is_on:
            with contextlib.suppress(BoardError):
                self.now.wait_off(1)
                if self._is_on:
                    self._plug_in(self.now.wants_trial)

    def wait_start(self, number: int, seconds: float) -> Board:
        """The board's start of that number, from 1."""
        with self._restarted:
            if not self._restarted.wait_for(lambda: len(self.starts) >= number, seconds):
                raise BoardError(f"no start number {number} in {seconds} s:\n{self.now.console[-2000:]}")
            return self.starts[number - 1]
