"""What readelf tells of programs and libraries of another processor."""

import pathlib
import re
import subprocess
from typing import NamedTuple


class Symbol(NamedTuple):
    name: str
    version: str
    is_function: bool
    is_defined: bool


def is_program(path: pathlib.Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def needs(path: pathlib.Path) -> list[str]:
    """The names of the libraries that it loads at its start."""
    told = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*?)\]", told)


def name_of(path: pathlib.Path) -> str:
    """A library's own name (soname)."""
    told = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True).stdout
    match = re.search(r"\(SONAME\).*\[(.*?)\]", told)
    return match[1] if match else path.name


def symbols(path: pathlib.Path) -> list[Symbol]:
    """Those by which it is linked at run time."""
    told = subprocess.run(["readelf", "--dyn-syms", "-W", path], capture_output=True, text=True).stdout
    found = []
    for line in told.splitlines():
        words = line.split()
        if len(words) < 8 or not words[0].rstrip(":").isdigit():
            continue
        name, _, version = words[7].replace("@@", "@").partition("@")
        found.append(Symbol(name, version, words[3] in ("FUNC", "NOTYPE", "IFUNC"), words[6] != "UND"))
    return found
