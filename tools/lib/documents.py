"""documents.py PROJECT FOLDER: puts the project's documents for the Debian package into FOLDER, with the pictures that they
show. A link to what is not among them leads to the project's address. Fails where a link of theirs leads nowhere."""

import pathlib
import re
import shutil
import sys

ADDRESS = "https://github.com/vitrine/vitrine/blob/main"
FILES = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
FOLDERS = ["docs"]
# Debian's names in the package.
RENAMED = {"LICENSE": "copyright", "CHANGELOG.md": "changelog.gz"}
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)(#[^)\s]*)?\)")


def main(project: pathlib.Path, folder: pathlib.Path) -> None:
    broken = []

    def packed(file: pathlib.PurePath, text: str) -> str:
        def link(match: re.Match) -> str:
            target = (project / file.parent / match[1]).resolve()
            if not (target.exists() and target.is_relative_to(project)):
                broken.append(f"{file}: {match[1]}")
                return match[0]
            name, anchor = target.relative_to(project).as_posix(), match[2] or ""
            if name in RENAMED and not file.parent.parts:
                return f"]({RENAMED[name]})"
            is_here = name in FILES or name.split("/")[0] in FOLDERS
            return match[0] if is_here else f"]({ADDRESS}/{name}{anchor})"

        # Code is no text.
        parts = re.split(r"(?ms)(^```.*?^```$)", text)
        return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)

    folders = [path for name in FOLDERS for path in sorted((project / name).rglob("*")) if path.is_file()]
    for path in [*(project / name for name in FILES), *folders]:
        file = path.relative_to(project)
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            (folder / file).write_text(packed(file, path.read_text()))
        else:
            shutil.copyfile(path, folder / file)
    if broken:
        sys.exit("these links lead nowhere:\n" + "\n".join(broken))


main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]))
