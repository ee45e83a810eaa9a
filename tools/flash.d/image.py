"""A card's image as a stream, and which parts of it hold something (.bmap, as bmaptool writes it)."""

import hashlib
import lzma
import pathlib
import xml.etree.ElementTree
from typing import Iterator, NamedTuple


class BadImage(Exception):
    """Says what is wrong with it."""


class Range(NamedTuple):
    """From a byte up to another one, with the sum of what is between them, if that is known."""

    start: int
    end: int
    sum: str | None


class Image:
    def __init__(self, path: pathlib.Path):
        self.path = path
        plain = path.with_suffix("") if path.suffix == ".xz" else path
        self._bmap = plain.with_name(plain.name + ".bmap")
        self.has_map = self._bmap.exists()
        if self.has_map:
            self.size, self.ranges = self._read_map()
        else:
            self.size = self._measured()
            self.ranges = [Range(0, self.size, None)]

    @property
    def has_debians_kernel(self) -> bool:
        """By the list of packages beside it; False if there is none."""
        plain = self.path.with_suffix("") if self.path.suffix == ".xz" else self.path
        beside = plain.with_suffix(".packages")
        return beside.exists() and any(line.split()[1:2] == ["linux-image-arm64"] for line in beside.read_text().splitlines())

    def _open(self):
        return lzma.open(self.path) if self.path.suffix == ".xz" else self.path.open("rb")

    def _measured(self) -> int:
        if self.path.suffix != ".xz":
            return self.path.stat().st_size
        size = 0
        for data in self._stream():
            size += len(data)
        return size

    def _read_map(self) -> tuple[int, list[Range]]:
        try:
            root = xml.etree.ElementTree.parse(self._bmap).getroot()
            size, block = int(root.findtext("ImageSize")), int(root.findtext("BlockSize"))
            kind = (root.findtext("ChecksumType") or "").strip()
            ranges = []
            for one in root.iter("Range"):
                first, _, last = one.text.strip().partition("-")
                total = one.get("chksum") if kind == "sha256" else None
                ranges.append(Range(int(first) * block, min((int(last or first) + 1) * block, size), total))
            return size, ranges
        except (xml.etree.ElementTree.ParseError, TypeError, ValueError) as error:
            raise BadImage(f"{self._bmap} cannot be read: {error}") from None

    def _stream(self, length: int = 1 << 20) -> Iterator[bytes]:
        try:
            with self._open() as file:
                while data := file.read(length):
                    yield data
        except (lzma.LZMAError, EOFError) as error:
            raise BadImage(f"{self.path} is damaged: {error}") from None

    def check_sum(self) -> bool:
        """Compares the file with the sum beside it; False if there is none."""
        beside = self.path.with_name(self.path.name + ".sha256")
        if not beside.exists():
            return False
        with self.path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != beside.read_text().split()[0]:
            raise BadImage(f"{self.path} is not what {beside.name} says: it is damaged, or of another build")
        return True

    def pieces(self) -> Iterator[tuple[Range, int, bytes]]:
        """What is to be written, in order: the range, the place, the bytes."""
        ranges = iter(self.ranges)
        now, place = next(ranges, None), 0
        for data in self._stream():
            while now and data:
                if place + len(data) <= now.start:
                    break
                if place < now.start:
                    data, place = data[now.start - place:], now.start
                piece = data[:now.end - place]
                yield now, place, piece
                place += len(piece)
                data = data[len(piece):]
                if place == now.end:
                    now = next(ranges, None)
            place += len(data)
        if now or place < self.size:
            raise BadImage(f"{self.path} ends after {place} bytes of {self.size}")
