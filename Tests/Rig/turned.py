"""A viewer of a turned display: pictures turned back, and a panel with the viewer's places."""

import numpy


class Turn:
    """`--rotate degrees [--reflect]`: mirrored first, then turned clockwise."""

    def __init__(self, degrees: int, reflected: bool):
        self.degrees, self.reflected = degrees, reflected
        self.arguments = ["--rotate", str(degrees), *(["--reflect"] if reflected else [])]

    def __str__(self) -> str:
        return f"{self.degrees}{'-reflected' if self.reflected else ''}"

    @property
    def swaps(self) -> bool:
        return self.degrees in (90, 270)

    def upright(self, picture: numpy.ndarray) -> numpy.ndarray:
        """A picture of the display as the viewer sees it."""
        picture = numpy.rot90(picture, self.degrees // 90)
        return picture[:, ::-1] if self.reflected else picture

    def place(self, x: float, y: float) -> tuple[float, float]:
        """The place on the display for a place of the viewer's."""
        if self.reflected:
            x = 1 - x
        for _ in range(self.degrees // 90):
            x, y = 1 - y, x
        return x, y


TURNS = [Turn(degrees, reflected) for reflected in (False, True) for degrees in (0, 90, 180, 270)]


class TurnedPanel:
    """A touch panel as the viewer uses it, glued to a turned display."""

    def __init__(self, panel, turn: Turn):
        self._panel, self._turn = panel, turn

    def down(self, x: float, y: float, slot: int = 0) -> None:
        self._panel.down(*self._turn.place(x, y), slot)

    def move(self, x: float, y: float, slot: int = 0) -> None:
        self._panel.move(*self._turn.place(x, y), slot)

    def tap(self, x: float, y: float) -> None:
        self._panel.tap(*self._turn.place(x, y))

    def __getattr__(self, name: str):
        return getattr(self._panel, name)
