"""The controls on the screen as a visitor sees them: the touch target and the look of each."""

import time
from typing import NamedTuple

import numpy
import PIL.Image
import PIL.ImageFilter

from bar import slip


class Place(NamedTuple):
    """A widget's target, in pixels as the viewer sees the display."""

    x: int
    y: int
    width: int
    height: int
    state: str
    text: str | None

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def of(self, picture: numpy.ndarray) -> numpy.ndarray:
        """The widget's part of a picture of the display."""
        return picture[max(self.y, 0) : self.y + self.height, max(self.x, 0) : self.x + self.width]


class Buttons:
    """A finger that touches the widgets that the program reports on the screen."""

    def __init__(self, program, panel, size: tuple[int, int] = (1024, 768)):
        self.program, self.panel, self.size = program, panel, size

    def all(self) -> dict[str, Place]:
        controls = self.program.ipc.get("vitrine/controls")
        return {
            name: Place(one["x"], one["y"], one["w"], one["h"], one["state"], one["text"]) for name, one in controls.items()
        }

    def show(self) -> "Buttons":
        """Touches the film, unless the controls are visible."""
        if not self.program.ipc.get("vitrine/osd-visible"):
            slip(self.panel)
            self.program.ipc.wait_for("vitrine/osd-visible")
        return self

    def wait_for(self, name: str, condition=lambda place: place is not None, timeout: float = 20) -> Place | None:
        end = time.monotonic() + timeout
        while not condition(place := self.all().get(name)):
            assert time.monotonic() < end, f"{name} is {place} after {timeout} s; there is {self.all()}"
            time.sleep(0.02)
        return place

    def wait_until_gone(self, name: str, timeout: float = 20) -> None:
        self.wait_for(name, lambda place: place is None, timeout)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A place on the panel, 0...1."""
        return x / self.size[0], y / self.size[1]

    def tap(self, name: str) -> Place:
        """Taps a widget that is on the screen, or will be."""
        place = self.show().wait_for(name)
        self.panel.tap(*self.at(*place.middle))
        return place

    def picture(self, name: str, upright=lambda picture: picture, timeout: float = 20) -> numpy.ndarray:
        """The display once each icon is visible in its target; kept under this name in the shared folder."""
        end = time.monotonic() + timeout
        while True:
            picture = upright(self.program.screenshot(name))
            unseen = [
                one for one, place in self.all().items()
                if one not in ("bar", "panel") and (place.of(picture).min(axis=2) > 200).sum() <= 20
            ]
            if not unseen:
                return picture
            assert time.monotonic() < end, f"nothing of {unseen} is seen"
            time.sleep(0.1)

    def choose(self, text: str) -> None:
        """The choice of this name, in the list that is open."""
        end = time.monotonic() + 20
        while not (names := [name for name, place in self.all().items() if name.startswith("option") and place.text == text]):
            assert time.monotonic() < end, f"no choice {text!r}: {self.all()}"
            time.sleep(0.02)
        self.tap(names[0])

    def texts(self) -> list[str]:
        """The texts of the choices in the open list."""
        return [place.text for name, place in self.all().items() if name.startswith("option")]

    def chosen(self) -> list[str]:
        return [place.text for name, place in self.all().items() if name.startswith("option") and place.state == "chosen"]


def luminance(color) -> float:
    """WCAG's relative luminance."""
    parts = numpy.asarray(color, dtype=float) / 255
    linear = numpy.where(parts <= 0.03928, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def contrast(one, other) -> float:
    """WCAG's: 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def legibility(part: numpy.ndarray) -> float:
    """The contrast of the lightest signs in a part of a picture with the lightest ground near them; 1 if all has one
    colour."""
    lightness = part.min(axis=2)
    # Letters cover few pixels entirely.
    signs = lightness > 0.85 * lightness.max()

    def within(distance: int) -> numpy.ndarray:
        mask = PIL.Image.fromarray((signs * 255).astype(numpy.uint8))
        return numpy.array(mask.filter(PIL.ImageFilter.MaxFilter(2 * distance + 1))) > 0

    # The edges of signs are of both colours.
    ground = part[within(5) & ~within(2)]
    if not len(ground):
        return 1
    sums = ground.astype(float).sum(axis=1)
    lightest = ground[sums >= numpy.quantile(sums, 0.95)].mean(axis=0)
    return contrast(part[signs].mean(axis=0), lightest)
