"""Another machine in the board's network, without a router, like a laptop beside it: Ethernet frames over loopback's
UDP."""

import contextlib
import ipaddress
import socket
import struct
import time

ADDRESS = ipaddress.IPv6Address("fe80::a")
# RFC 6762: all machines are asked at once for the owner of a name.
EVERYBODY = ipaddress.IPv6Address("ff02::fb")
MDNS = 5353
AAAA, IN = 28, 1
UDP, IPV6 = 17, 0x86DD
ETHERNET = struct.Struct("!6s6sH")


def is_answer(frame: bytes) -> bool:
    """Whether a frame is IPv6 without options, UDP from the port of multicast DNS, with a message that is no query."""
    place = ETHERNET.size + 40
    return (len(frame) > place + 10 and frame[12:14] == struct.pack("!H", IPV6) and frame[20] == UDP
            and frame[place:place + 2] == struct.pack("!H", MDNS) and frame[place + 10] & 0x80 != 0)


class Neighbour:
    def __init__(self):
        self._ours, their = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        for one in (self._ours, their):
            one.bind(("127.0.0.1", 0))
        self._board = their.getsockname()
        # QEMU opens it.
        their.close()

    @property
    def options(self) -> tuple[str, ...]:
        """The board's second network interface, which leads here."""
        ends = (("local", self._board), ("remote", self._ours.getsockname()))
        words = [f"{end}.type=inet,{end}.host={host},{end}.port={port}" for end, (host, port) in ends]
        return "-netdev", f"dgram,id=lan,{','.join(words)}", "-device", "virtio-net-pci,netdev=lan,romfile="

    def look_up(self, name: str, timeout: float = 60) -> ipaddress.IPv6Address:
        """The address that `name` has in this network; asked for once a second."""
        labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"
        question = struct.pack("!6H", 0, 0, 1, 0, 0, 0) + labels + struct.pack("!2H", AAAA, IN)
        # Earlier announcements of the board are not answers.
        self._ours.settimeout(0)
        with contextlib.suppress(BlockingIOError, ConnectionRefusedError):
            while self._ours.recv(65536):
                pass
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            self._ours.sendto(self._frame(question), self._board)
            asked = time.monotonic()
            while (rest := asked + 1 - time.monotonic()) > 0:
                self._ours.settimeout(rest)
                try:
                    frame = self._ours.recv(65536)
                except (TimeoutError, ConnectionRefusedError):
                    break
                # A record: name, type, class with the flag for a unique owner, seconds, length, address.
                start = labels + struct.pack("!2H", AAAA, IN | 0x8000)
                if is_answer(frame) and start in frame:
                    place = frame.index(start) + len(start) + 4
                    length, = struct.unpack_from("!H", frame, place)
                    return ipaddress.IPv6Address(frame[place + 2:place + 2 + length])
            time.sleep(max(asked + 1 - time.monotonic(), 0))
        raise AssertionError(f"nobody answers to {name} within {timeout} s")

    def _frame(self, message: bytes) -> bytes:
        udp = struct.pack("!4H", MDNS, MDNS, 8 + len(message), 0) + message
        summed = ADDRESS.packed + EVERYBODY.packed + struct.pack("!2I", len(udp), UDP) + udp + b"\0" * (len(udp) % 2)
        total = sum(struct.unpack(f"!{len(summed) // 2}H", summed))
        while total > 0xFFFF:
            total = (total & 0xFFFF) + (total >> 16)
        udp = udp[:6] + struct.pack("!H", total ^ 0xFFFF or 0xFFFF) + udp[8:]
        packet = struct.pack("!IHBB", 6 << 28, len(udp), UDP, 255) + ADDRESS.packed + EVERYBODY.packed + udp
        return ETHERNET.pack(b"\x33\x33" + EVERYBODY.packed[-4:], b"\x02\0\0\0\0\x0a", IPV6) + packet
