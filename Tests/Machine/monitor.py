"""QEMU's monitor, from inside: presses the machine's keys, takes screenshots of its display."""

import json
import os
import pathlib
import struct

import numpy
import PIL.Image

# struct input_event, and from linux/input-event-codes.h.
EVENT, EV_KEY, RELEASED = struct.Struct("llHHi"), 1, 0

# QEMU's names of the keys (QKeyCode) that are not named by their own character.
KEYS = {" ": "spc", "\n": "ret", ".": "dot", "/": "slash", "-": "minus"}


def keyboard() -> pathlib.Path:
    """The machine's keyboard, as a reader of events."""
    for name in pathlib.Path("/sys/class/input").glob("event*/device/name"):
        if "keyboard" in name.read_text().lower():
            return pathlib.Path("/dev/input") / name.parent.parent.name
    raise AssertionError("the machine has no keyboard")


class Monitor:
    """QMP over a virtio port: one line of JSON each way."""

    def __init__(self, path: str = "/dev/virtio-ports/monitor"):
        self._port = open(path, "r+b", buffering=0)
        self._keyboard = open(keyboard(), "rb", buffering=0)
        self._text = b""
        self._shots = 0
        # The greeting is sent once, to the first reader.
        self.execute("qmp_capabilities")

    def close(self) -> None:
        self._port.close()
        self._keyboard.close()

    def _line(self) -> dict:
        while b"\n" not in self._text:
            self._text += self._port.read(4096)
        line, _, self._text = self._text.partition(b"\n")
        return json.loads(line)

    def execute(self, command: str, **arguments):
        self._port.write(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        while True:
            answer = self._line()
            if "return" in answer:
                return answer["return"]
            assert "error" not in answer, f"{command} {arguments}: {answer['error']}"

    def press(self, *keys: str) -> None:
        """Presses keys together, by QEMU's names, and releases them; returns when the kernel has read them all. QEMU
        queues them, and waiting ones would go to a later owner of the terminal."""
        self.execute("send-key", keys=[{"type": "qcode", "data": key} for key in keys], **{"hold-time": 20})
        held = len(keys)
        while held:
            *_, kind, _, value = EVENT.unpack(self._keyboard.read(EVENT.size))
            held -= kind == EV_KEY and value == RELEASED

    def type(self, text: str) -> None:
        for character in text:
            self.press(KEYS.get(character, character))

    def screendump(self, name: str | None = None) -> numpy.ndarray:
        """The display's contents, as QEMU sees them: height x width x 3, uint8. With a name they are kept in the shared
        folder."""
        self._shots += 1
        path = pathlib.Path(os.environ["RIG_OUT"]) / f"{name or f'screendump-{self._shots}'}.png"
        self.execute("screendump", filename=str(path), format="png", device="display")
        with PIL.Image.open(path) as image:
            picture = numpy.array(image.convert("RGB"))
        if not name:
            path.unlink()
        return picture
