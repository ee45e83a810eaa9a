"""Measured tables in the documents, each between `<!-- bench: NAME -->` and `<!-- end: NAME -->`."""

import pathlib
import sys


def fill(document: pathlib.Path, tables: dict[str, str]) -> None:
    """Puts each table in its place; all or none."""
    text = document.read_text()
    for name, table in tables.items():
        begin, end = f"<!-- bench: {name} -->\n", f"\n<!-- end: {name} -->"
        before, found, rest = text.partition(begin)
        _, ended, after = rest.partition(end)
        if not found or not ended:
            sys.exit(f"bench: {document} has no place for {begin.strip()}")
        text = f"{before}{begin}{table}{end}{after}"
    document.write_text(text)
