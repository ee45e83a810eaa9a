"""When a film's sound is first heard: the other end of the rig's loopback card."""

import array
import ctypes
import time
from pathlib import Path

RATE, CHANNELS = 48000, 2
# Of full scale 32768. The films' tone is far louder, and what is silent is 0.
LOUD = 33
# Longer than anybody waits for a sound.
SECONDS = 4
# ALSA's numbers.
CAPTURE, S16_LE, INTERLEAVED = 1, 2, 3


class Ear:
    """Costs nothing while it listens: the card keeps the samples until `first` reads them."""

    def __init__(self, folder: Path):
        # ALSA's own settings, with the loopback card as the default.
        settings = folder / "alsa.conf"
        settings.write_text(
            '</usr/share/alsa/alsa.conf>\npcm.!default { type plug slave.pcm "hw:Loopback,0,0" }\n'
            "ctl.!default { type hw card Loopback }\n")
        self.environment = {"ALSA_CONFIG_PATH": str(settings)}
        self.alsa = ctypes.CDLL("libasound.so.2")
        for name in ("snd_pcm_avail", "snd_pcm_readi"):
            getattr(self.alsa, name).restype = ctypes.c_long
        self.alsa.snd_pcm_readi.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong]
        self.alsa.snd_strerror.restype = ctypes.c_char_p
        self.pcm = ctypes.c_void_p()
        self._call("snd_pcm_open", ctypes.byref(self.pcm), b"hw:Loopback,1,0", CAPTURE, 0)
        self._call("snd_pcm_set_params", self.pcm, S16_LE, INTERLEAVED, CHANNELS, RATE, 0, SECONDS * 1_000_000)

    def _call(self, name: str, *arguments) -> int:
        done = getattr(self.alsa, name)(*arguments)
        if done < 0:
            raise OSError(f"{name}: {self.alsa.snd_strerror(int(done)).decode()}")
        return done

    def listen(self) -> None:
        """What was heard before is forgotten."""
        self._call("snd_pcm_drop", self.pcm)
        self._call("snd_pcm_prepare", self.pcm)
        self._call("snd_pcm_start", self.pcm)

    def first(self, since: int) -> int | None:
        """When the first loud sample after that time passed the card, both CLOCK_MONOTONIC in nanoseconds."""
        # The card counts samples with the kernel's ticks, a hundred a second: its count is right when it changes.
        before = self._call("snd_pcm_avail", self.pcm)
        while (count := self._call("snd_pcm_avail", self.pcm)) == before:
            pass
        begin = time.clock_gettime_ns(time.CLOCK_MONOTONIC) - count * 10**9 // RATE
        samples = array.array("h", bytes(2 * CHANNELS * count))
        self._call("snd_pcm_readi", self.pcm, samples.buffer_info()[0], count)
        # One channel has the tone as well as the other.
        for number, sample in enumerate(samples[::CHANNELS]):
            if abs(sample) >= LOUD:
                when = begin + number * 10**9 // RATE
                if when < since:
                    raise RuntimeError(f"a sound is heard {(since - when) / 1e6:.0f} ms before it was asked for")
                return when
        return None

    def close(self) -> None:
        self.alsa.snd_pcm_close(self.pcm)
