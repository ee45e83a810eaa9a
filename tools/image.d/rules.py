"""Files of sections, as board/keep and board/raspberrypi/drivers."""

import pathlib
import re


def read(path: pathlib.Path) -> dict[str, list[str]]:
    """The words of each section."""
    sections: dict[str, list[str]] = {}
    words: list[str] = []
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if match := re.fullmatch(r"\[(\w+)\]", line):
            words = sections.setdefault(match[1], [])
        else:
            words += line.split()
    return sections
