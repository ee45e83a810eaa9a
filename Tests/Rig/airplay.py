"""A PipeWire of the test's own, with a loudspeaker on the network: shairport-sync, on the rig's loopback network."""

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time

import numpy

import sounds

PROGRAMS = ["pipewire", "wireplumber", "pw-dump", "shairport-sync", "avahi-daemon", "dbus-daemon"]
# AirPlay's.
RATE = 44100
NAME, NODE = "Foyer", "raop_sink.foyer"

RAOP = f"""
context.modules = [
  {{ name = libpipewire-module-raop-sink
    args = {{
      raop.ip = "127.0.0.1" raop.hostname = "127.0.0.1" raop.port = 5000 raop.name = "{NAME}" raop.transport = "udp"
      raop.encryption.type = "none" raop.audio.codec = "PCM"
      stream.props = {{ node.name = "{NODE}" node.description = "{NAME}" media.class = "Audio/Sink" }}
    }}
  }}
]
"""
# Finds loudspeakers by mDNS: the configuration of the card's image.
DISCOVER = (
    pathlib.Path(__file__).resolve().parents[2] / "board/parts/pipewire/usr/share/pipewire/pipewire.conf.d/50-vitrine.conf"
).read_text()
# WirePlumber's rules until 0.4 (Debian 12) are programs in Lua, from 0.5 on (Debian 13) files of SPA-JSON: neither
# version reads the other's. Sound cards stay ALSA's, and nobody is logged in.
WIREPLUMBER = {
    "main.lua.d/51-rig.lua": "alsa_monitor.enabled = false\nv4l2_monitor.enabled = false\n",
    "bluetooth.lua.d/51-rig.lua": 'bluez_monitor.properties["with-logind"] = false\nbluez_monitor.enabled = false\n',
    "wireplumber.conf.d/51-rig.conf": """
wireplumber.profiles = {
  main = {
    monitor.alsa = disabled
    monitor.alsa-midi = disabled
    monitor.bluez = disabled
    monitor.bluez-midi = disabled
    monitor.bluez.seat-monitoring = disabled
    monitor.v4l2 = disabled
    monitor.libcamera = disabled
    support.reserve-device = disabled
    support.logind = disabled
  }
}
""",
}

def alsa_plugin() -> pathlib.Path | None:
    """ALSA's plugin for PipeWire: this machine's, or the one that tools/rig.d/pipewire-alsa unpacks."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "vitrine")
    for root in [pathlib.Path("/"), *cache.glob("pipewire-alsa-*/")]:
        for plugin in root.glob("usr/lib/*/alsa-lib/libasound_module_pcm_pipewire.so"):
            return plugin
    return None


def missing() -> list[str]:
    """The missing programs."""
    programs = [program for program in PROGRAMS if not shutil.which(program)]
    return programs + ([] if alsa_plugin() else ["pipewire-alsa"])


class Speaker:
    def __init__(self, folder: pathlib.Path, modules: str = RAOP):
        """- modules: of PipeWire."""
        self.folder, self.file = folder, folder / "heard.raw"
        run = folder / "run"
        run.mkdir(mode=0o700)
        config = folder / "config"
        (config / "pipewire/pipewire.conf.d").mkdir(parents=True)
        (config / "pipewire/pipewire.conf.d/raop.conf").write_text(modules)
        for name, text in WIREPLUMBER.items():
            file = config / "wireplumber" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        (folder / "avahi.conf").write_text("[server]\nhost-name=foyer\nallow-interfaces=lo\nuse-ipv6=no\n")
        # PipeWire reduces the volume of an unknown sink.
        (folder / "speaker.conf").write_text('general = { ignore_volume_control = "yes"; };\n')
        (folder / "state").mkdir()
        # The environment of a program that is to find it.
        plugin = alsa_plugin()
        pcms = plugin.parents[4] / "usr/share/alsa/alsa.conf.d/50-pipewire.conf"
        (folder / "alsa.conf").write_text(
            f'</usr/share/alsa/alsa.conf>\npcm_type.pipewire {{ lib "{plugin}" }}\n<{pcms}>\n')
        (folder / "default.conf").write_text(f"<{folder / 'alsa.conf'}>\n<{pcms.with_name('99-pipewire-default.conf')}>\n")
        self.environment = {"XDG_RUNTIME_DIR": str(run), "ALSA_CONFIG_PATH": str(folder / "alsa.conf")}
        # PipeWire is ALSA's default, as where pipewire-alsa is installed.
        self.default_environment = {**self.environment, "ALSA_CONFIG_PATH": str(folder / "default.conf")}
        (folder / "wrapped.conf").write_text(
            f"<{folder / 'alsa.conf'}>\npcm.inner {{ type pipewire }}\n"
            "pcm.!default { type asym playback.pcm { type plug slave.pcm inner } }\n")
        self.wrapped_environment = {**self.environment, "ALSA_CONFIG_PATH": str(folder / "wrapped.conf")}
        self._environment = {
            **os.environ, **self.environment, "XDG_CONFIG_HOME": str(config), "XDG_STATE_HOME": str(folder / "state"),
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/dbus/system_bus_socket", "PIPEWIRE_DEBUG": "3"}
        self._processes: dict[str, subprocess.Popen] = {}
        self._bring_up_network()

    def _bring_up_network(self) -> None:
        for line in ("ip link set lo multicast on", "ip route replace 224.0.0.0/4 dev lo"):
            subprocess.run(line.split(), check=True)
        for name in ("dbus", "avahi-daemon"):
            pathlib.Path("/run", name).mkdir(exist_ok=True)
        if not pathlib.Path("/run/dbus/system_bus_socket").exists():
            self._start("dbus", "dbus-daemon", "--system", "--nofork", "--nopidfile")
            self._wait(pathlib.Path("/run/dbus/system_bus_socket").exists, "a bus")
        self._start("avahi", "avahi-daemon", "--no-drop-root", "--no-rlimits", "--no-chroot", "-f",
                    str(self.folder / "avahi.conf"))
        self._wait(lambda: "startup complete" in (self.folder / "avahi.log").read_text(), "Avahi")

    def words(self) -> str:
        """The last output of each program."""
        return "".join(
            f"{file.name}: {line}\n" for file in sorted(self.folder.glob("*.log"))
            for line in file.read_text(errors="replace").splitlines()[-15:])

    def _start(self, name: str, *command: str, output=None) -> None:
        log = open(self.folder / f"{name}.log", "ab")
        self._processes[name] = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output or log, stderr=log, env=self._environment)

    @staticmethod
    def _wait(condition, what: str, timeout: float = 20) -> None:
        end = time.monotonic() + timeout
        while not condition():
            assert time.monotonic() < end, f"no {what} after {timeout} s"
            time.sleep(0.1)

    def begin_listening(self) -> None:
        """Switches the loudspeaker on."""
        self._start(
            "speaker", "shairport-sync", "-c", str(self.folder / "speaker.conf"), "-a", NAME, "-o", "stdout", "-p", "5000",
            output=open(self.file, "ab"))
        self._wait(lambda: self._is_bound(5000), "loudspeaker")

    @staticmethod
    def _is_bound(port: int) -> bool:
        # Of a socket that listens, by its local address.
        return any(
            line.split()[1].endswith(f":{port:04X}") and line.split()[3] == "0A"
            for file in pathlib.Path("/proc/net").glob("tcp*") for line in file.read_text().splitlines()[1:])

    def begin(self) -> None:
        """Starts PipeWire."""
        self._start("pipewire", "pipewire")
        socket = pathlib.Path(self.environment["XDG_RUNTIME_DIR"], "pipewire-0")
        self._wait(socket.exists, "PipeWire")
        self._start("wireplumber", "wireplumber")
        self._wait(lambda: f'"{NAME}"' in self.dump(), "sink")

    @contextlib.contextmanager
    def silent(self):
        """Makes the server accept connections without answering."""
        self._processes["pipewire"].send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._processes["pipewire"].send_signal(signal.SIGCONT)

    def add_sink(self, name: str) -> "Sink":
        """Adds a sink that plays to nobody, such as a loudspeaker that is switched off and on."""
        sink = Sink(name, self._environment, lambda: f'"node.name": "{name.lower()}"' in self.dump())
        sink.add()
        return sink

    def dump(self) -> str:
        return subprocess.run(["pw-dump"], capture_output=True, text=True, env=self._environment).stdout

    def end(self, *names: str) -> None:
        for name in names or reversed(list(self._processes)):
            process = self._processes.pop(name)
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(5)
        socket = pathlib.Path(self.environment["XDG_RUNTIME_DIR"], "pipewire-0")
        if "pipewire" not in self._processes and socket.exists():
            socket.unlink()
        if not self._processes:
            pathlib.Path("/run/dbus/system_bus_socket").unlink(missing_ok=True)

    def wait_until_heard(self, timeout: float = 40) -> None:
        """Waits until sound comes out of the loudspeaker."""
        begin = self.size()
        self._wait(
            lambda: (heard := self.heard(begin)).size > RATE // 4 and sounds.loudness(heard[-RATE // 4 :]) > 0.01,
            "sound from the loudspeaker", timeout)

    def size(self) -> int:
        """In bytes, of all that came out of the loudspeaker so far."""
        return self.file.stat().st_size // 4 * 4

    def heard(self, begin: int) -> numpy.ndarray:
        """What came out of it since the size was that: samples of the left channel, of full scale 1."""
        with open(self.file, "rb") as file:
            file.seek(begin)
            return numpy.frombuffer(file.read(self.size() - begin), numpy.int16)[::2].astype(float) / 32768


class Announcement:
    """Announces the loudspeaker by mDNS, as another machine on the network does: PipeWire ignores what this machine's own Avahi
    announces for shairport-sync."""

    GROUP, PORT = "224.0.0.251", 5353
    SERVICE, HOST = "_raop._tcp.local", "loudspeaker.local"
    # As of shairport-sync.
    TEXT = ["txtvers=1", "ch=2", "cn=0,1", "et=0,1", "sv=false", "da=true", "sr=44100", "ss=16", "pw=false", "vn=65537", "tp=UDP", "am=ShairportSync"]

    def __init__(self, lifetime: int = 120):
        """- lifetime: of its records, in s."""
        self._lifetime = lifetime
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
            self._socket.setsockopt(socket.SOL_SOCKET, option, 1)
        self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        self._socket.bind(("127.0.0.1", self.PORT))
        self._end = threading.Event()
        self._thread: threading.Thread | None = None

    @staticmethod
    def _name(name: str, first: str | None = None) -> bytes:
        labels = ([first] if first else []) + name.split(".")
        return b"".join(bytes([len(label)]) + label.encode() for label in labels) + b"\0"

    def _packet(self, lifetime: int) -> bytes:
        instance = self._name(self.SERVICE, f"0123456789AB@{NAME}")
        (pointer, text, address, server), unique = (12, 16, 1, 33), 0x8000
        records = [
            (self._name(self.SERVICE), pointer, 1, instance),
            (instance, text, 1 | unique, b"".join(bytes([len(word)]) + word.encode() for word in self.TEXT)),
            (instance, server, 1 | unique, struct.pack(">HHH", 0, 0, 5000) + self._name(self.HOST)),
            (self._name(self.HOST), address, 1 | unique, socket.inet_aton("127.0.0.1")),
        ]
        packet = struct.pack(">HHHHHH", 0, 0x8400, 0, len(records), 0, 0)
        for name, kind, kin, data in records:
            packet += name + struct.pack(">HHIH", kind, kin, lifetime, len(data)) + data
        return packet

    def _send(self, lifetime: int) -> None:
        self._socket.sendto(self._packet(lifetime), (self.GROUP, self.PORT))

    def begin(self) -> None:
        """Announces it again and again instead of answering questions."""
        self._end.clear()
        self._thread = threading.Thread(target=self._repeat, daemon=True)
        self._thread.start()

    def _repeat(self) -> None:
        while not self._end.is_set():
            self._send(self._lifetime)
            self._end.wait(1)

    def end(self, says_goodbye: bool = True) -> None:
        """Ends the announcements, as a loudspeaker that is switched off does, or without a word, as one without power."""
        self._end.set()
        if self._thread:
            self._thread.join()
        if says_goodbye:
            self._send(0)

    def close(self) -> None:
        self.end()
        self._socket.close()


class Sink:
    """A sink of the server's for as long as its client lives."""

    def __init__(self, name: str, environment: dict[str, str], is_listed):
        properties = f'factory.name=support.null-audio-sink node.name={name.lower()} node.description="{name}"'
        self._command = f"create-node adapter {{ {properties} media.class=Audio/Sink audio.position=[FL FR] }}\n"
        self._environment, self._is_listed = environment, is_listed

    def add(self) -> None:
        self._client = subprocess.Popen(
            ["pw-cli"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=self._environment)
        self._client.stdin.write(self._command)
        self._client.stdin.flush()
        Speaker._wait(self._is_listed, "sink of PipeWire's")

    def remove(self) -> None:
        self._client.kill()
        self._client.wait(5)
        Speaker._wait(lambda: not self._is_listed(), "end of the sink")
