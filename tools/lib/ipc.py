"""A client of mpv's JSON IPC: one line of JSON each way over a Unix socket, requests and events mixed."""

import collections
import json
import pathlib
import socket
import time
from collections.abc import Callable


class IPCError(Exception):
    """The player refused a command; the text is the player's own."""


class IPC:
    """One connection, used from one thread. Every wait has a limit: TimeoutError names the awaited thing."""

    def __init__(self, path: str | pathlib.Path, alive: Callable[[], bool] = lambda: True, timeout: float = 20):
        """Connects as soon as the player listens, or raises TimeoutError; ConnectionError when `alive` says no."""
        self.events: collections.deque[dict] = collections.deque()
        self._text = b""
        self._last_id = 0
        end = time.monotonic() + timeout
        while True:
            self._socket = socket.socket(socket.AF_UNIX)
            try:
                self._socket.connect(str(path))
                return
            except (FileNotFoundError, ConnectionRefusedError):
                self._socket.close()
                if not alive():
                    raise ConnectionError(f"the player ended before it listened on {path}") from None
                if time.monotonic() > end:
                    raise TimeoutError(f"nobody listens on {path} after {timeout} s") from None
                time.sleep(0.02)

    def close(self) -> None:
        self._socket.close()

    def command(self, *words, timeout: float = 20):
        """Sends a command (mpv's list form) and returns its answer's data; raises IPCError when it is refused."""
        self._last_id += 1
        request = {"command": list(words), "request_id": self._last_id}
        self._socket.settimeout(timeout)
        self._socket.sendall(json.dumps(request).encode() + b"\n")
        end = time.monotonic() + timeout
        while True:
            message = self._message(end, f"the answer to {words}")
            if "event" in message:
                self.events.append(message)
            elif message.get("request_id") == self._last_id:
                if message.get("error") != "success":
                    raise IPCError(message.get("error"))
                return message.get("data")

    def get(self, name: str):
        return self.command("get_property", name)

    def set(self, name: str, value) -> None:
        self.command("set_property", name, value)

    def wait_for_event(self, name: str, matches: Callable[[dict], bool] = lambda _: True, timeout: float = 20) -> dict:
        """The first event of this name, among those received already or until the timeout; removes it."""
        end = time.monotonic() + timeout
        passed = []
        try:
            while True:
                event = self.events.popleft() if self.events else self._message(end, f"the event {name}")
                if event.get("event") == name and matches(event):
                    return event
                if "event" in event:
                    passed.append(event)
        finally:
            self.events.extendleft(reversed(passed))

    def wait_for(self, name: str, matches: Callable[[object], bool] = bool, timeout: float = 20):
        """Observes a property until its value is the wanted one, and returns it."""
        self._last_id += 1
        observer = self._last_id
        self.command("observe_property", observer, name)
        try:
            event = self.wait_for_event(
                "property-change",
                lambda event: event.get("id") == observer and matches(event.get("data")),
                timeout,
            )
            return event.get("data")
        except TimeoutError:
            raise TimeoutError(f"{name} is {self.get(name)!r} after {timeout} s") from None
        finally:
            self.command("unobserve_property", observer)
            self.events = collections.deque(event for event in self.events if event.get("id") != observer)

    def wait_for_counter(self, name: str, matches: Callable[[object], bool] = bool, timeout: float = 20):
        """Polls a property that players do not report by themselves, such as a counter."""
        end = time.monotonic() + timeout
        while not matches(value := self.get(name)):
            if time.monotonic() > end:
                raise TimeoutError(f"{name} is {value!r} after {timeout} s")
            time.sleep(0.02)
        return value

    def _message(self, end: float, what: str) -> dict:
        while b"\n" not in self._text:
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"{what} did not arrive")
            self._socket.settimeout(left)
            try:
                received = self._socket.recv(65536)
            except TimeoutError:
                raise TimeoutError(f"{what} did not arrive") from None
            if not received:
                raise ConnectionError(f"the player closed the connection before {what} arrived")
            self._text += received
        line, _, self._text = self._text.partition(b"\n")
        return json.loads(line)
