"""More cards than the rig has by itself: made by vkms' configfs, with as many planes as a test wants, and a cable that can
be pulled."""

import json
import pathlib

VKMS = pathlib.Path("/sys/kernel/config/vkms")
CONNECTED, DISCONNECTED = "1", "2"


class Card:
    def __init__(self, name: str, overlays: int, status: str):
        self.folder = VKMS / name
        self.folder.mkdir()
        planes = ["primary"] + [f"overlay{number}" for number in range(overlays)]
        parts = ["crtcs/crtc", "encoders/encoder", "connectors/connector"]
        for part in parts + [f"planes/{plane}" for plane in planes]:
            (self.folder / part).mkdir()
        for plane in planes:
            self._write(f"planes/{plane}/type", "1" if plane == "primary" else "0")
            (self.folder / f"planes/{plane}/possible_crtcs/crtc").symlink_to(self.folder / "crtcs/crtc")
        (self.folder / "encoders/encoder/possible_crtcs/crtc").symlink_to(self.folder / "crtcs/crtc")
        link = self.folder / "connectors/connector/possible_encoders/encoder"
        link.symlink_to(self.folder / "encoders/encoder")
        self._write("connectors/connector/status", status)
        self._write("enabled", "1")

    def _write(self, name: str, value: str) -> None:
        (self.folder / name).write_text(value)

    def plug(self, status: str = CONNECTED) -> None:
        self._write("connectors/connector/status", status)

    def remove(self) -> None:
        self._write("enabled", "0")
        for link in self.folder.glob("*/*/possible_*/*"):
            link.unlink()
        for part in self.folder.glob("*/*"):
            part.rmdir()
        self.folder.rmdir()


def plug_in(play, card, **options) -> tuple[Card, str]:
    """A new card, and its connector's name."""
    before = connectors(play)
    made = card(**options)
    return made, next(name for name in connectors(play) if name not in before and "Writeback" not in name)


def connectors(play) -> list[str]:
    program = play.run("displays", "--json")
    program.wait_until_ended()
    report = json.loads(program.log())
    return [entry["name"] for one in report["displays"]["cards"] for entry in one["connectors"]]
