"""Records the loopback card's playback at its other end."""

import pathlib
import subprocess
import time

import numpy

RATE = 48000


class Recorder:
    def __init__(self, folder: pathlib.Path, device: str = "hw:Loopback,1,0"):
        # ALSA's own settings, with the loopback card as the default.
        self.settings = folder / "alsa.conf"
        self.settings.write_text(
            '</usr/share/alsa/alsa.conf>\npcm.!default { type plug slave.pcm "hw:Loopback,0,0" }\n'
            "ctl.!default { type hw card Loopback }\n"
        )
        self.file = folder / "heard.raw"
        format = f"audio/x-raw,format=S16LE,rate={RATE},channels=2"
        line = f"alsasrc device={device} ! {format} ! filesink buffer-mode=2 location={self.file}"
        self.process = subprocess.Popen(["gst-launch-1.0", "-q", *line.split()])

    @property
    def environment(self) -> dict[str, str]:
        """The environment of a program whose sound is recorded."""
        return {"ALSA_CONFIG_PATH": str(self.settings)}

    def heard(self, seconds: float) -> numpy.ndarray:
        """The next seconds, of full scale 1: samples of the left channel."""
        return self.both(seconds)[::2]

    def both(self, seconds: float) -> numpy.ndarray:
        """Samples of the left channel and the right one by turns."""
        size = int(seconds * RATE) * 4
        begin = self.file.stat().st_size // 4 * 4 if self.file.exists() else 0
        end = time.monotonic() + seconds + 10
        while not self.file.exists() or self.file.stat().st_size < begin + size:
            assert time.monotonic() < end, "the loopback card delivers nothing"
            time.sleep(0.05)
        with open(self.file, "rb") as file:
            file.seek(begin)
            return numpy.frombuffer(file.read(size), numpy.int16).astype(float) / 32768

    def loudness(self, seconds: float) -> float:
        """The loudness of the next seconds, as a fraction of full scale."""
        return loudness(self.heard(seconds))

    def pitch(self, seconds: float) -> float | None:
        """The loudest tone of the next seconds, in Hz; None if they are silent."""
        return pitch(self.heard(seconds))

    def expect_pitch(self, wanted: float | None, seconds: float = 0.5) -> None:
        """Fails unless that is the loudest tone of the next seconds, or they are silent."""
        pitch = self.pitch(seconds)
        assert is_near(pitch, wanted), f"{pitch} Hz is heard, not {wanted}"

    def wait_for_pitch(self, wanted: float | None, seconds: float = 0.5, timeout: float = 15) -> None:
        """Waits until that is the loudest tone of so many seconds, or until they are silent."""
        end = time.monotonic() + timeout
        while not is_near(pitch := self.pitch(seconds), wanted):
            assert time.monotonic() < end, f"{pitch} Hz is heard after {timeout} s, not {wanted}"

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(5)


# The films' tone is at least a tenth of full scale.
SILENCE = 0.001


def loudness(samples: numpy.ndarray) -> float:
    return float(numpy.sqrt((samples**2).mean()))


def pitch(samples: numpy.ndarray, rate: int = RATE) -> float | None:
    """The loudest tone, in Hz; None of silence."""
    if loudness(samples) < SILENCE:
        return None
    spectrum = abs(numpy.fft.rfft(samples * numpy.hanning(samples.size)))
    return float(spectrum.argmax() * rate / samples.size)


def is_near(pitch: float | None, wanted: float | None) -> bool:
    return pitch == wanted if pitch is None or wanted is None else abs(pitch / wanted - 1) < 0.03
