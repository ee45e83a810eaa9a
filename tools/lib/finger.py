"""A virtual touch panel on /dev/uinput, and the fingers that play on it.

The panel is a real evdev device (multi-touch protocol B, or a single-touch one), classified by udev and read by
libinput like any other. Places are fractions 0...1 of the panel, from its left and top edge. Needs write access to
/dev/uinput, and a running udev for libinput to see the panel.

    with Panel() as panel:
        panel.wait_until_read()
        panel.drag(0.2, 0.95, 0.7, 0.95, seconds=2, rate=60)
"""

import ctypes
import fcntl
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

# From linux/input-event-codes.h and linux/input.h.
EV_SYN, EV_KEY, EV_ABS = 0x00, 0x01, 0x03
SYN_REPORT = 0
BTN_TOUCH = 0x14A
ABS_X, ABS_Y = 0x00, 0x01
ABS_MT_SLOT, ABS_MT_POSITION_X, ABS_MT_POSITION_Y = 0x2F, 0x35, 0x36
ABS_MT_TOOL_TYPE, ABS_MT_TRACKING_ID = 0x37, 0x39
MT_TOOL_FINGER, MT_TOOL_PALM = 0, 2
INPUT_PROP_DIRECT = 1
BUS_USB = 3

UNITS = 32767  # the largest coordinate: what USB panels usually report


class InputId(ctypes.Structure):
    _fields_ = [(field, ctypes.c_uint16) for field in ("bustype", "vendor", "product", "version")]


class UinputSetup(ctypes.Structure):
    _fields_ = [("id", InputId), ("name", ctypes.c_char * 80), ("ff_effects_max", ctypes.c_uint32)]


class AbsInfo(ctypes.Structure):
    _fields_ = [(field, ctypes.c_int32) for field in ("value", "minimum", "maximum", "fuzz", "flat", "resolution")]


class UinputAbsSetup(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("absinfo", AbsInfo)]


class InputEvent(ctypes.Structure):
    # The kernel fills in the time.
    _fields_ = [
        ("seconds", ctypes.c_long),
        ("microseconds", ctypes.c_long),
        ("type", ctypes.c_uint16),
        ("code", ctypes.c_uint16),
        ("value", ctypes.c_int32),
    ]


def _ioctl_number(direction, number, size):
    """The kernel's _IOC for uinput's letter, on machines with the generic layout (x86, ARM, RISC-V)."""
    return direction << 30 | size << 16 | ord("U") << 8 | number


_WRITE, _READ = 1, 2
UI_DEV_CREATE = _ioctl_number(0, 1, 0)
UI_DEV_DESTROY = _ioctl_number(0, 2, 0)
UI_DEV_SETUP = _ioctl_number(_WRITE, 3, ctypes.sizeof(UinputSetup))
UI_ABS_SETUP = _ioctl_number(_WRITE, 4, ctypes.sizeof(UinputAbsSetup))
UI_SET_EVBIT, UI_SET_KEYBIT, UI_SET_PROPBIT = (
    _ioctl_number(_WRITE, number, ctypes.sizeof(ctypes.c_int)) for number in (100, 101, 110)
)
_NAME_SIZE = 64
UI_GET_SYSNAME = _ioctl_number(_READ, 44, _NAME_SIZE)


@dataclass(frozen=True)
class Step:
    """A finger's place from `time` (time.monotonic(), libinput's clock) on."""

    time: float
    x: float
    y: float


class Panel:
    """A touch panel that exists from its creation until `unplug()` or the end of a `with` block.

    `down`, `move`, `up` and `cancel` take effect at the next `frame()`; `drag`, `hold`, `tap` and `path` send frames
    themselves. Raises OSError without access to /dev/uinput."""

    def __init__(self, name="Vitrine scripted panel", size_mm=(155, 87), slots=10, single_touch=False):
        self.name = name
        self.slots = 1 if single_touch else slots
        self.single_touch = single_touch
        self._places = {}  # slot -> (x, y) of the fingers that are down
        self._tracking_id = 0
        self._slot = None
        self._pending = []
        self._uinput = os.open("/dev/uinput", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            self._create(size_mm)
            self.node = self._find_node()
        except BaseException:
            os.close(self._uinput)
            self._uinput = None
            raise

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.unplug()

    # Lifetime

    def _create(self, size_mm):
        for event_type in (EV_KEY, EV_ABS):
            fcntl.ioctl(self._uinput, UI_SET_EVBIT, event_type)
        fcntl.ioctl(self._uinput, UI_SET_KEYBIT, BTN_TOUCH)
        fcntl.ioctl(self._uinput, UI_SET_PROPBIT, INPUT_PROP_DIRECT)
        axes = {ABS_X: 0, ABS_Y: 1}
        if not self.single_touch:
            axes |= {ABS_MT_POSITION_X: 0, ABS_MT_POSITION_Y: 1}
            self._axis(ABS_MT_SLOT, self.slots - 1)
            self._axis(ABS_MT_TRACKING_ID, 0xFFFF)
            self._axis(ABS_MT_TOOL_TYPE, MT_TOOL_PALM)
        for code, side in axes.items():
            self._axis(code, UNITS, resolution=max(1, round(UNITS / size_mm[side])))
        setup = UinputSetup(InputId(BUS_USB, 0x1209, 0x7669, 1), self.name.encode()[:79], 0)
        fcntl.ioctl(self._uinput, UI_DEV_SETUP, setup)
        fcntl.ioctl(self._uinput, UI_DEV_CREATE)

    def _axis(self, code, maximum, resolution=0):
        info = AbsInfo(maximum=maximum, resolution=resolution)
        fcntl.ioctl(self._uinput, UI_ABS_SETUP, UinputAbsSetup(code, info))

    def _find_node(self):
        name = ctypes.create_string_buffer(_NAME_SIZE)
        fcntl.ioctl(self._uinput, UI_GET_SYSNAME, name)
        device = Path("/sys/devices/virtual/input") / name.value.decode()
        events = [entry.name for entry in device.iterdir() if entry.name.startswith("event")]
        if not events:
            raise RuntimeError(f"{device} has no event node: is evdev in this kernel?")
        return f"/dev/input/{events[0]}"

    def is_classified(self):
        """Whether udev has classified it as a touchscreen, without which libinput ignores it."""
        number = os.stat(self.node).st_rdev
        record = Path(f"/run/udev/data/c{os.major(number)}:{os.minor(number)}")
        try:
            return "E:ID_INPUT_TOUCHSCREEN=1" in record.read_text().splitlines()
        except FileNotFoundError:
            return False

    def readers(self):
        """The ids of the visible processes that read the panel."""
        return [int(process.name) for process in Path("/proc").glob("[0-9]*") if self._is_read_by(process)]

    def _is_read_by(self, process):
        """Whether the process has the panel open, and, if it uses epoll(7) as libinput does, waits for its events:
        libinput drops earlier ones. A program of udev's rules has it open for a moment, such as libinput-fuzz-to-zero,
        and reads nothing."""
        try:
            fds = {entry.name: os.readlink(entry) for entry in (process / "fd").iterdir()}
            panels = [fd for fd, target in fds.items() if target == self.node]
            if panels and self._is_of_udev(process):
                return False
            polls = [(process / "fdinfo" / fd).read_text() for fd, target in fds.items() if target == "anon_inode:[eventpoll]"]
        except OSError:
            return False
        return any(not polls or re.search(rf"^tfd: *{fd} ", "\n".join(polls), re.MULTILINE) for fd in panels)

    @staticmethod
    def _is_of_udev(process):
        """Whether udevd started it."""
        # Behind the name, which may contain any characters: state, parent.
        parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
        return "udev" in Path(f"/proc/{parent}/comm").read_text()

    def wait_until_classified(self, timeout=20):
        """udev needs about a second. Raises TimeoutError."""
        self._wait(self.is_classified, timeout, "udev has not classified it as a touchscreen: is udevd running?")

    def wait_until_read(self, timeout=20):
        """Waits until udev has classified the panel and a process reads it: earlier touches are lost."""
        deadline = time.monotonic() + timeout
        self.wait_until_classified(timeout)
        self._wait(self.readers, max(0, deadline - time.monotonic()), "no process reads it")

    def _wait(self, condition, timeout, reason):
        deadline = time.monotonic() + timeout
        while not condition():
            if time.monotonic() >= deadline:
                raise TimeoutError(f"{self.node} ({self.name}): {reason} (waited {timeout:.1f} s)")
            time.sleep(0.02)

    def unplug(self):
        """Removes the panel, together with the fingers that are down; later calls do nothing."""
        if self._uinput is None:
            return
        fcntl.ioctl(self._uinput, UI_DEV_DESTROY)
        os.close(self._uinput)
        self._uinput = None
        self._places.clear()

    # One finger, one event

    def down(self, x, y, slot=0):
        self._check(slot, is_down=False)
        self._tracking_id = self._tracking_id % 0xFFFF + 1
        # The tool first: libinput reads it as the touch starts, and a slot that held a palm would stay one.
        self._multi_touch(slot, (ABS_MT_TOOL_TYPE, MT_TOOL_FINGER), (ABS_MT_TRACKING_ID, self._tracking_id))
        if not self._places:
            self._emit(EV_KEY, BTN_TOUCH, 1)
        self._place(x, y, slot)

    def move(self, x, y, slot=0):
        self._check(slot, is_down=True)
        self._place(x, y, slot)

    def up(self, slot=0):
        self._check(slot, is_down=True)
        del self._places[slot]
        self._multi_touch(slot, (ABS_MT_TRACKING_ID, -1))
        if not self._places:
            self._emit(EV_KEY, BTN_TOUCH, 0)

    def cancel(self, slot=0):
        """The panel detects that the finger is a palm, which libinput reports as a cancelled touch; then it leaves."""
        self._check(slot, is_down=True)
        if self.single_touch:
            raise ValueError("a single-touch panel cannot distinguish a palm from a finger")
        self._multi_touch(slot, (ABS_MT_TOOL_TYPE, MT_TOOL_PALM))
        self.frame()
        self.up(slot)

    def frame(self):
        """Sends the events since the last frame as one report."""
        self._emit(EV_SYN, SYN_REPORT, 0)
        pending, self._pending = self._pending, []
        os.write(self._uinput, b"".join(map(bytes, pending)))

    def _check(self, slot, is_down):
        if self._uinput is None:
            raise RuntimeError("the panel is unplugged")
        if not 0 <= slot < self.slots:
            raise ValueError(f"slot {slot}: the panel has slots 0 to {self.slots - 1}")
        if (slot in self._places) != is_down:
            raise ValueError(f"finger {slot} is {'not ' if is_down else 'already '}down")

    def _place(self, x, y, slot):
        self._places[slot] = (x, y)
        # libinput reads the last unit as just short of the edge.
        units = [min(max(int(fraction * (UNITS + 1)), 0), UNITS) for fraction in (x, y)]
        self._multi_touch(slot, (ABS_MT_POSITION_X, units[0]), (ABS_MT_POSITION_Y, units[1]))
        if slot == min(self._places):  # what a panel reports for programs that know one finger only
            self._emit(EV_ABS, ABS_X, units[0])
            self._emit(EV_ABS, ABS_Y, units[1])

    def _multi_touch(self, slot, *values):
        if self.single_touch:
            return
        if self._slot != slot:
            self._emit(EV_ABS, ABS_MT_SLOT, slot)
            self._slot = slot
        for code, value in values:
            self._emit(EV_ABS, code, value)

    def _emit(self, event_type, code, value):
        self._pending.append(InputEvent(0, 0, event_type, code, value))

    # Gestures

    def path(self, points, seconds, rate=60, slot=0, lift=True, hold=0.0):
        """One finger along straight lines between two or more points, at a steady pace, `rate` reports a second.

        Touches at the first point at once and is at the last one after `seconds`; rests there for `hold` seconds and
        then is lifted unless `lift` is false. A finger that is already down continues from its place. Returns the sent
        steps, for comparison with the screen."""
        if len(points) < 2 or seconds < 0 or rate <= 0:
            raise ValueError("a path needs two points, a duration and a rate")
        start = time.monotonic()
        steps = [self._step(self.move if slot in self._places else self.down, *points[0], slot)]
        count = max(1, round(seconds * rate))
        for index in range(1, count + 1):
            _sleep_until(start + seconds * index / count)
            steps.append(self._step(self.move, *_along(points, index / count), slot))
        if hold:
            _sleep_until(start + seconds + hold)
        if lift:
            self.up(slot)
            self.frame()
        return steps

    def drag(self, x0, y0, x1, y1, seconds, rate=60, slot=0, lift=True, hold=0.0):
        return self.path([(x0, y0), (x1, y1)], seconds, rate, slot, lift, hold)

    def tap(self, x, y, seconds=0.08, slot=0):
        steps = [self._step(self.down, x, y, slot)]
        _sleep_until(steps[0].time + seconds)
        self.up(slot)
        self.frame()
        return steps

    def _step(self, action, x, y, slot):
        action(x, y, slot)
        self.frame()
        return Step(time.monotonic(), x, y)


def _sleep_until(moment):
    time.sleep(max(0.0, moment - time.monotonic()))


def _along(points, share):
    """The place at a share of the whole length of a path."""
    lengths = [((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5 for a, b in zip(points, points[1:])]
    left = share * sum(lengths)
    for (a, b), length in zip(zip(points, points[1:]), lengths):
        if left <= length and length > 0:
            return tuple(a[axis] + (b[axis] - a[axis]) * left / length for axis in (0, 1))
        left -= length
    return points[-1]
