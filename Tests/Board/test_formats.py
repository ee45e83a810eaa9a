"""The formats that the image's root plays (A1, T7): the root has only the files that board/keep names, and the other
tests' film is one MP4."""

import os
import pathlib
import re
import shlex

import pytest

import frames
from conftest import FILM, PATIENCE, TOP
from derived import Derived

PICTURES = ["short.mkv", "short.webm", "hevc.mp4", "theora.ogv", "short.avi", "short.ts", "short.mpg", "short.flv", "alpha.webm",
            "jpegs.avi"]
# Films only if named; in a folder of films they are skipped.
STILLS = ["still.jpg", "still.png", "animated.gif"]
# Not among the films: emulation takes minutes for the whole film.
SLOW = "av1.webm"
SOUNDS = ["sound.mp3", "sound.flac"]
FILMS = "/boot/firmware/films"
# The encodings of SubtitleFile.swift, with text that only the right encoding gives.
ENCODINGS = {
    "WINDOWS-1250": "Příliš žluťoučký kůň", "WINDOWS-1251": "Съешь ещё этих булок", "WINDOWS-1252": "Zwölf Boxkämpfer – œuf",
    "WINDOWS-1253": "Ξεσκεπάζω την ψυχή", "WINDOWS-1254": "Fahiş bluz güvenci", "WINDOWS-1255": "דג סקרן שט",
    "WINDOWS-1256": "نص حكيم له سر", "WINDOWS-1257": "Įlinkdama fechtuotojo špaga", "WINDOWS-1258": "Viêt Nam đep",
    "CP932": "いろはにほへと①", "CP949": "키스의 고유조건은", "GB18030": "視野無限廣,窗外有藍天", "WINDOWS-874": "เป็นมนุษย์สุดประเสริฐ",
}


def decoders(names: list[str], kind: str) -> str:
    """A shell command: decodes the first pieces of each, as the player does."""
    return "gst-launch-1.0 -q " + " ".join(
        f"uridecodebin3 uri=file://{FILMS}/{name} caps={kind}/x-raw ! fakesink sync=false async=false num-buffers=1" for name in names)


@pytest.fixture
def films(card, tmp_path):
    derived = Derived(pathlib.Path(os.environ["VITRINE_FILMS"]), tmp_path)
    card.put(f"films/{FILM}", None)
    for name in PICTURES + STILLS + SOUNDS:
        card.put(f"films/{name}", derived(name)[0].read_bytes())
    card.put(SLOW, derived(SLOW)[0].read_bytes())


@pytest.mark.timeout(6 * PATIENCE)
def test_every_kind_of_film_plays(films, board):
    """One after another, each to its end, and the log reports no problem. Pictures in a folder are no films;
    GStreamer's own program decodes them here, and also the sound, which a board without a sound card ignores. Subtitles
    in other encodings than Unicode are read, too."""
    machine = board()
    machine.wait_picture(frames.number, PATIENCE)
    kinds = sorted(PICTURES + SOUNDS)
    # Until the last one starts for the second time: the first films may be over when somebody looks.
    printed = machine.shell(
        "last=; ends=0; for i in $(seq 4000); do now=$(systemctl show -P StatusText vitrine.service); "
        '[ "$now" = "$last" ] || { echo "$now"; '
        f'case $now in *{kinds[-1]}*) ends=$((ends + 1)); [ $ends = 1 ] || exit 0;; esac; }}; last=$now; sleep 0.2; done',
        seconds=4 * PATIENCE)
    assert [pathlib.Path(name).name for name in re.findall(r"playing (\S+)", printed)][-len(kinds):] == kinds, printed
    log = machine.shell("journalctl -b -u vitrine.service -o cat")
    # The board has no sound card, and a busy machine emulates it too slowly for every frame.
    expected = ["no sound: ", "A lot of buffers are being dropped.", "too much for this computer's processor",
                "the pictures in this folder are passed over"]
    faults = [line for line in log.splitlines()
              if re.search(r"(?i)\b(warning|error|critical)\b", line) and not any(words in line for words in expected)]
    assert "no sound: " in log and not faults, log
    assert machine.shell("systemctl show -P NRestarts vitrine.service") == "0\n"
    machine.shell(decoders([name for name in PICTURES if name != "alpha.webm"], "audio"))
    machine.shell(decoders(SOUNDS, "audio"))
    machine.shell(decoders([*STILLS, f"../{SLOW}"], "video"))
    # Everything that the document names exists, and an image without it would not be made. Elements for a network are
    # only created by GStreamer.
    section = (TOP / "docs/board.md").read_text().partition("## What the root plays")[2]
    named = set(re.findall(r"`(\w+)`", section[section.index("|"):section.rindex("|")]))
    there = set(re.findall(r"(?m)^\w+:  (\w+): ", machine.shell("GST_REGISTRY=/var/cache/vitrine/registry.bin gst-inspect-1.0")))
    wanted = set(re.sub(r"#.*", "", (TOP / "board/elements").read_text()).split())
    assert len(named) > 25 and named <= wanted <= there, (named - wanted, wanted - there)
    networks = re.findall(r"`(\w+)`", section.partition("| networks |")[2].splitlines()[0])
    assert {"hlsdemux", "dashdemux"} <= set(networks)
    machine.shell(f"for element in {' '.join(networks)}; do gst-inspect-1.0 $element > /dev/null || exit 1; done")

    source = (TOP / "Sources/Media/Subtitles/SubtitleFile.swift").read_text()
    assert set(re.findall(r': "([A-Z][A-Z0-9_-]+)"', source)) == set(ENCODINGS)
    write, pipeline = [], ["gst-launch-1.0 -q"]
    for name, words in ENCODINGS.items():
        text = f"1\n00:00:00,000 --> 00:00:01,000\n{words}\n\n".encode(name.replace("WINDOWS-", "cp"))
        octal = shlex.quote("".join(f"\\{byte:03o}" for byte in text))
        write.append(f"printf {octal} > /tmp/{name}.srt;")
        pipeline.append(f"filesrc location=/tmp/{name}.srt ! subparse subtitle-encoding={name} ! text/x-raw,format=utf8 ! "
                        f"filesink location=/tmp/{name}.txt")
    # In one process: each start of a process takes seconds here.
    read = ["&& cd /tmp && for name in", *ENCODINGS, "; do cat $name.txt; echo; done"]
    printed = machine.shell(" ".join([*write, *pipeline, *read]))
    assert [line for line in printed.splitlines() if line] == list(ENCODINGS.values()), printed
