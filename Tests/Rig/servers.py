"""Servers for films over a network, on the loopback: Debian's lighttpd, GStreamer's RTSP server, and a proxy that
misbehaves as a test asks."""

import contextlib
import http.server
import pathlib
import signal
import socket
import struct
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent
# lighttpd's packages put it where only root looks.
LIGHTTPD = "/usr/sbin/lighttpd"
TYPES = {
    ".mp4": "video/mp4", ".m4s": "video/mp4", ".mkv": "video/x-matroska", ".ts": "video/mp2t",
    ".m3u8": "application/vnd.apple.mpegurl", ".mpd": "application/dash+xml",
}  # fmt: skip


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def wait_until_heard(port: int, process: subprocess.Popen, timeout: float = 20) -> None:
    end = time.monotonic() + timeout
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except ConnectionRefusedError:
            assert process.poll() is None, f"the server ended with status {process.returncode}"
            assert time.monotonic() < end, "the server does not answer"
            time.sleep(0.02)


class WebServer:
    """lighttpd, with a folder's files. `url("film.mp4")` is one's address."""

    def __init__(
        self, documents, folder: pathlib.Path, *, ranges: bool = True, access: dict[str, str] | None = None,
        certificate: pathlib.Path | None = None,
    ):
        """`folder` gets configuration and log; `access` are names and passwords, without which nothing is sent. With a
        certificate, in a file with its key, the server uses TLS."""
        self.port = free_port()
        self.scheme = "https" if certificate else "http"
        words = [
            f'server.document-root = "{documents}"', f"server.port = {self.port}", 'server.bind = "127.0.0.1"',
            'server.event-handler = "poll"', f'server.errorlog = "{folder}/lighttpd.log"', 'server.modules = ("mod_accesslog")',
            f'accesslog.filename = "{folder}/requests.log"', 'accesslog.format = "%s %U"',
            "mimetype.assign = (" + ", ".join(f'"{ending}" => "{kind}"' for ending, kind in TYPES.items()) + ")",
        ]  # fmt: skip
        if not ranges:
            words.append('server.range-requests = "disable"')
        if access:
            (folder / "access").write_text("".join(f"{name}:{password}\n" for name, password in access.items()))
            words += [
                'server.modules += ("mod_auth", "mod_authn_file")', 'auth.backend = "plain"',
                f'auth.backend.plain.userfile = "{folder}/access"',
                'auth.require = ("/" => ("method" => "basic", "realm" => "films", "require" => "valid-user"))',
            ]  # fmt: skip
        if certificate:
            words += ['server.modules += ("mod_openssl")', 'ssl.engine = "enable"', f'ssl.pemfile = "{certificate}"']
        self.log = folder / "requests.log"
        self.configuration = folder / "lighttpd.conf"
        self.configuration.write_text("\n".join(words) + "\n")
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen([LIGHTTPD, "-D", "-f", str(self.configuration)])
        wait_until_heard(self.port, self.process)

    def url(self, name: str, access: str = "") -> str:
        return f"{self.scheme}://{access}{'@' if access else ''}127.0.0.1:{self.port}/{name}"

    def requests(self) -> list[str]:
        """Ends the server, which writes its log then: the names of the files that it sent, in order, without
        folders."""
        self.process.terminate()
        self.process.wait()
        lines = (line.split() for line in self.log.read_text().splitlines())
        return [path.rsplit("/", 1)[1] for status, path in lines if status.startswith("2")]

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


class Proxy:
    """Forwards connections to a server on this machine, byte by byte, until it is changed."""

    def __init__(self, server_port: int):
        self.server_port = server_port
        self.port = free_port()
        self.connections = 0
        self._sent = 0
        self._change = threading.Condition()
        self._rate: float | None = None
        self._stalls = False
        self._status: int | None = None
        self._sockets: set[socket.socket] = set()
        self._listener: socket.socket | None = None
        self.come_back()

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.port}/{name}"

    @property
    def connections_now(self) -> int:
        with self._change:
            return len(self._sockets) // 2

    def limit(self, bytes_a_second: float | None) -> None:
        """Limits the speed of films, for each connection, from now on."""
        with self._change:
            self._rate = bytes_a_second
            self._change.notify_all()

    def wait_until_sent(self, count: float, timeout: float = 20) -> None:
        """Waits until so many bytes of films have been sent to the player."""
        with self._change:
            assert self._change.wait_for(lambda: self._sent >= count, timeout), f"{self._sent} bytes sent, not {count}"

    def stall(self, stalls: bool = True) -> None:
        """Connections stay, also new ones, but no data is sent."""
        with self._change:
            self._stalls = stalls
            self._change.notify_all()

    def answer(self, status: int | None) -> None:
        """Answers new connections only with this, such as 500."""
        self._status = status

    def reset(self) -> None:
        """Resets open connections; new ones can be made."""
        with self._change:
            sockets, self._sockets = self._sockets, set()
        for one in sockets:
            with contextlib.suppress(OSError):
                # With a reset in place of an end.
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def leave(self) -> None:
        """Removes the server: connections are closed, and new ones refused."""
        listener, self._listener = self._listener, None
        if listener:
            # This wakes a thread that waits in `accept`.
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        self.reset()

    def come_back(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        if self._status:
            with contextlib.suppress(OSError):
                client.recv(65536)
                client.sendall(f"HTTP/1.1 {self._status} As requested\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
            client.close()
            return
        try:
            server = socket.create_connection(("127.0.0.1", self.server_port))
        except OSError:
            client.close()
            return
        # Data in socket buffers arrives in spite of a limit.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16384)
        with self._change:
            self._sockets |= {client, server}
        threading.Thread(target=self._pump, args=(client, server), daemon=True).start()
        self._pump(server, client, isFilm=True)

    def _pump(self, source: socket.socket, sink: socket.socket, isFilm: bool = False) -> None:
        due = time.monotonic()
        with contextlib.suppress(OSError):
            while data := source.recv(8192):
                if isFilm:
                    with self._change:
                        self._change.wait_for(lambda: not self._stalls)
                        rate = self._rate
                        if rate:
                            due = max(due, time.monotonic() - 0.2) + len(data) / rate
                            self._change.wait_for(lambda: self._rate != rate, max(0.0, due - time.monotonic()))
                sink.sendall(data)
                if isFilm:
                    with self._change:
                        self._sent += len(data)
                        self._change.notify_all()
        for one in (source, sink):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
            with self._change:
                self._sockets.discard(one)


class RTSPServer:
    """GStreamer's, in a process of Debian's Python: a film as a camera would send it, again and again."""

    def __init__(self, film: str, *, sound: bool = True):
        self.port = free_port()
        self.words = [str(self.port), film, *([] if sound else ["silent"])]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(["/usr/bin/python3", str(ROOT / "rtsp_server.py"), *self.words])
        wait_until_heard(self.port, self.process)

    @property
    def url(self) -> str:
        return f"rtsp://127.0.0.1:{self.port}/live"

    def fall_silent(self, is_silent: bool = True) -> None:
        """The server exists, and neither sends nor answers nor closes, as behind a cable that was pulled."""
        self.process.send_signal(signal.SIGSTOP if is_silent else signal.SIGCONT)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


class Camera:
    """Sends a film's frames as endless JPEGs over HTTP, ten a second, like a camera: each client gets the current
    one."""

    COUNT = 150

    def __init__(self, film: str, folder: pathlib.Path, rate: float = 10):
        self.rate = rate
        words = ["-i", film, "-frames:v", str(self.COUNT), "-q:v", "3", str(folder / "%03d.jpg")]
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", *words], check=True)
        self._frames = [path.read_bytes() for path in sorted(folder.glob("*.jpg"))]
        self._begun = time.monotonic()
        self.is_silent = False
        self.connections = 0
        camera = self

        class Answer(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                camera.connections += 1
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                with contextlib.suppress(OSError):
                    while True:
                        if not camera.is_silent:
                            jpeg = camera._frames[camera.due]
                            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                            self.wfile.write(head.encode() + jpeg + b"\r\n")
                        time.sleep(1 / camera.rate)

            def log_message(self, *words):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def due(self) -> int:
        """The frame that is sent now, from 0."""
        return int((time.monotonic() - self._begun) * self.rate) % self.COUNT

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/video.mjpg"

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class OddServer:
    """One film by HTTP, with ranges, from a server with one peculiarity: `redirect`, `no-length`, `slow` (5 s before
    each answer), or this content type."""

    def __init__(self, film: str, way: str):
        data = pathlib.Path(film).read_bytes()
        kind = way if "/" in way else "application/octet-stream"

        class Answer(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                if way == "slow":
                    time.sleep(5)
                if way == "redirect" and self.path == "/film":
                    return self.head(302, Location="/there", Content_Length=0)
                span = self.headers.get("Range")
                first, last = (span or "bytes=0-").split("=")[1].split("-")
                part = data[int(first) : int(last or len(data) - 1) + 1]
                fields = {"Content_Type": kind, "Accept_Ranges": "bytes"}
                if span:
                    fields["Content_Range"] = f"bytes {first}-{int(first) + len(part) - 1}/{len(data)}"
                if way == "no-length":
                    fields["Connection"] = "close"
                else:
                    fields["Content_Length"] = len(part)
                self.head(206 if span else 200, **fields)
                with contextlib.suppress(OSError):
                    self.wfile.write(part)

            def head(self, status: int, **fields):
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name.replace("_", "-"), str(value))
                self.end_headers()

            def log_message(self, *words):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/film"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Sender:
    """ffmpeg, which sends a film by UDP as MPEG-TS, again and again, with or without a listener: to one machine, or to
    a multicast group."""

    def __init__(self, film: str, to: str = "127.0.0.1"):
        self.port = free_port()
        self.film = film
        self.to = to
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            ["ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-stream_loop", "-1", "-i", self.film, "-c", "copy",
             "-f", "mpegts", f"udp://{self.to}:{self.port}?pkt_size=1316"]
        )  # fmt: skip

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


class LiveEncoder:
    """ffmpeg, which writes a film into a folder as endless HLS: a window of a few segments."""

    def __init__(self, film: str, folder: pathlib.Path):
        self.process = subprocess.Popen(
            ["ffmpeg", "-nostdin", "-loglevel", "error", "-re", "-stream_loop", "-1", "-i", film, "-c", "copy", "-f", "hls",
             "-hls_time", "2", "-hls_list_size", "5", "-hls_flags", "delete_segments", str(folder / "live.m3u8")]
        )  # fmt: skip
        end = time.monotonic() + 60
        # A player starts some segments before the end.
        while len(list(folder.glob("live*.ts"))) < 4:
            assert self.process.poll() is None and time.monotonic() < end, "ffmpeg writes no segments"
            time.sleep(0.1)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
