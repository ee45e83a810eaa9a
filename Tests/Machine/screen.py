"""The display of QEMU's machine as its window: another size is another display for the guest. A client of QEMU's VNC
server (RFC 6143, and the extension for the desktop's size), through the port that leads there."""

import os
import struct

PORT = "/dev/virtio-ports/screen"
SECURITY_NONE = 1
SET_ENCODINGS, SET_DESKTOP_SIZE = 2, 251
EXTENDED_DESKTOP_SIZE = -308


class Screen:
    def __init__(self):
        self._port = os.open(PORT, os.O_RDWR)
        version = self._read(12)
        self._write(version)
        kinds = self._read(self._read(1)[0])
        assert SECURITY_NONE in kinds, kinds
        self._write(bytes([SECURITY_NONE]))
        assert self._read(4) == bytes(4), "refused"
        self._write(b"\1")  # shared
        name = struct.unpack(">20xI", self._read(24))[0]
        self._read(name)
        self._write(struct.pack(">BxHi", SET_ENCODINGS, 1, EXTENDED_DESKTOP_SIZE))

    def resize(self, width: int, height: int) -> None:
        """Resizes the window: the guest detects a display with another EDID."""
        screen = struct.pack(">IHHHHI", 0, 0, 0, width, height, 0)
        self._write(struct.pack(">BxHHBx", SET_DESKTOP_SIZE, width, height, 1) + screen)

    def close(self) -> None:
        os.close(self._port)

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            data += os.read(self._port, count - len(data))
        return data

    def _write(self, data: bytes) -> None:
        os.write(self._port, data)
