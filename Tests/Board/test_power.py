"""The power may be cut at any moment (B4, N8): the card's contents are intact, and the film plays."""

import io
import os
import pathlib
import random
import re
import shutil
import zlib

import board as boards
import cuts
import films as recipes
import frames
import numpy
import PIL.Image
import pytest
import sheets
from conftest import FILM, LENGTH, PATIENCE, RATE, SIZE
from thorough import IS_ASKED

# tools/check power: fifty.
KILLS = int(os.environ.get("BOARD_KILLS", 4 if IS_ASKED else 2))
# Larger than the image, in bytes; and the card of boards that are killed while its data partition grows: beyond the 64
# GB that its table of groups has room for, so that the kernel moves the table.
CARD, LARGE = 1536 << 20, 128 << 30
# Seconds from the table of partitions on in which a large one grows: at first in memory alone.
GROWING = 2, 15
# States of the card that are checked for each kill: its moment, and earlier moments.
MOMENTS = 5
# Programs that write all the time: to files of their own, the table of visits beside the films, and to the journal.
NOISE = """(while :; do head -c 3M /dev/urandom > /data/noise; mv /data/noise /data/other; done) > /dev/null 2>&1 &
(while :; do head -c 3000 /dev/urandom >> /run/visits; /usr/lib/vitrine/writable /usr/lib/vitrine/tell /run/visits /boot/firmware/visits.csv
done) > /dev/null 2>&1 &
(while :; do echo noise > /dev/kmsg; done) > /dev/null 2>&1 &"""
# A film that does not play, so that no other process makes its sheet: all its frames have a picture.
OTHER = "silent.mp4"
SHEETS, PLACES = "/var/lib/vitrine/sheets", 500
# By how many frames of 25 a second each film is ahead of its time: FILM shows every fifth, and not the nearest one.
AHEAD = {FILM: range(-6, 1), OTHER: range(1)}
# With the service's environment: without GStreamer's registry that is in it, all plugins are loaded first.
PREPARE = f"""systemd-run --quiet --unit=sheet --uid=vitrine env $(systemctl show --property Environment --value vitrine) \\
  vitrine prepare --cache {SHEETS} /boot/firmware/beside/{OTHER}"""
# The kernel writes what is a minute old; here half a second, so that the card gets records of the sheet until the cut.
GROW = f"""sysctl -q vm.dirty_writeback_centisecs=20 vm.dirty_expire_centisecs=50
mount -o remount,commit=1 /data
{PREPARE}
until [ "$(cat {{0}}.sheet 2> /dev/null | wc -c)" -gt 200000 ]; do
  systemctl --quiet is-active sheet || {{{{ journalctl --unit sheet --no-pager; exit 1; }}}}
  sleep 0.2
done
stat -c %s {{0}}.sheet"""
# Bytes: no picture is larger.
PICTURE = 50_000


def copy(source: pathlib.Path, target: pathlib.Path) -> None:
    boards.run("cp", "--sparse=always", source, target)


def size_of(data: pathlib.Path) -> int:
    """A file system's, in bytes."""
    printed = boards.trixie("dumpe2fs", "-h", data)
    count, size = (int(re.search(rf"(?m)^Block {what}: +(\d+)$", printed)[1]) for what in ("count", "size"))
    return count * size


def film_of(name: str) -> pathlib.Path:
    return pathlib.Path(os.environ["VITRINE_FILMS"], name)


def check_pictures(film: sheets.Film, pictures: list[sheets.Picture]) -> None:
    """Fails unless each picture is of the film and of its time."""
    [name] = [name for name in AHEAD if sheets.film(film_of(name)) == film]
    number = [one.name for one in recipes.FILMS].index(name)
    for picture, reading in zip(pictures, sheets.readings(pictures) if pictures else [], strict=True):
        ahead = reading.frame - picture.milliseconds * RATE // 1000
        assert reading.film == number and ahead in AHEAD[name], f"{reading} at {picture.milliseconds} ms of {name}"


def sheets_in(data: pathlib.Path, folder: pathlib.Path) -> list[pathlib.Path]:
    """Copies the scrub sheets from the data partition."""
    shutil.rmtree(folder / "sheets", ignore_errors=True)
    boards.trixie("debugfs", "-R", f"rdump /vitrine/sheets {folder}", data)
    return sorted((folder / "sheets").glob("*"))


def check_complete(file: pathlib.Path) -> tuple[sheets.Film, list[sheets.Picture]]:
    """Fails if a complete sheet has a wrong picture."""
    pictures = sheets.read(file)
    stamps = [sheets.stamp(picture.jpeg) for picture in pictures]
    assert None not in stamps, f"{file.name} has a damaged picture"
    assert [time // 1_000_000 for _, time in stamps] == [picture.milliseconds for picture in pictures]
    [film] = {film for film, _ in stamps}
    check_pictures(film, pictures)
    return film, pictures


def check_sheets(files: list[pathlib.Path]) -> dict[sheets.Film, sheets.Growing]:
    """Fails if a sheet has a wrong picture. Returns the growing ones."""
    growing = {}
    for file in files:
        if file.suffix == ".bif":
            check_complete(file)
        elif file.suffix == ".sheet" and (sheet := sheets.read_growing(file.read_bytes())):
            check_pictures(sheet.film, sheet.pictures)
            growing[sheet.film] = sheet
    return growing


def look(
    card: boards.Card, folder: pathlib.Path, files: dict[str, bytes], is_marked: bool
) -> dict[sheets.Film, sheets.Growing]:
    """Checks like a repair shop; fails if anything is lost. Returns the growing sheets."""
    # Separately: e2fsck loses an offset when it has replayed a journal.
    data = card.copy_partition(4, folder / "data.img")
    # Replays the journal first, as the kernel does at the next start: 1 means "errors corrected".
    boards.trixie("sh", "-c", f"e2fsck -p {data}; [ $? -le 1 ]")
    boards.trixie("e2fsck", "-fn", data)
    if is_marked:
        assert boards.trixie("debugfs", "-R", "cat /marker", data) == "marked\n"
    cuts.check_fat(card.copy_partition(1, folder / "films.img"), r"/vitrine-errors\.txt\.new|/visits\.csv(\.new)?( +and)?")
    for name, content in files.items():
        assert card.get(name) == content, f"{name} is another"
    return check_sheets(sheets_in(data, folder))


def goes_on(kept: int, last: int, again: int) -> bool:
    """Whether a film that was seen at the frames `kept` and then `last`, at most one round later, may resume at
    `again`."""
    first = kept - 10 * RATE
    end = last + (LENGTH if last < kept else 0) + 3 * RATE
    # In its last ten seconds it starts anew.
    return (again - first) % LENGTH < end - first or (end > LENGTH - 10 * RATE and again < 8 * RATE)


def test_where_a_film_may_go_on():
    assert goes_on(400, 450, 300) and goes_on(400, 450, 500)
    assert not any(goes_on(400, 450, again) for again in (0, 140, 530))
    # Once round in the meantime, or at its end.
    assert goes_on(1200, 234, 0) and goes_on(1200, 234, 1400) and not goes_on(1200, 234, 320)
    assert goes_on(1200, 1300, 20) and not goes_on(1200, 1300, 400)


def made(count: int, number: int, film: sheets.Film) -> tuple[bytes, list[int]]:
    """A growing sheet of a film's first frames, and where its records end."""
    data = sheets.HEADER.pack(b"VITSHEET", 1, PLACES, *film, 0, 20_000_000_000, 40_000, *SIZE, 0, 0)[:-4]
    data += zlib.crc32(data).to_bytes(4, "little")
    ends = []
    for frame in range(count):
        planes = [numpy.full((SIZE[1] // part, SIZE[0] // part), 128, numpy.uint8) for part in (1, 2, 2)]
        frames.draw(planes, frame, number)
        file = io.BytesIO()
        PIL.Image.fromarray(planes[0]).convert("YCbCr").save(file, "JPEG")
        jpeg = file.getvalue()
        begin, end = jpeg[: sheets.STAMP_AT], jpeg[sheets.STAMP_AT :]
        begin += sheets.STAMP.pack(
            b"\xff\xfe\x00\x36", b"Vitrine sheet 1\0", *film, frame * 40_000_000, 40_000, 0, 0, 0, 0)[:-4]
        jpeg = begin + zlib.crc32(begin + end).to_bytes(4, "little") + end
        head = sheets.RECORD.pack(b"VPIC", len(jpeg), frame * 40_000_000, 0)[:-4]
        data += head + zlib.crc32(head).to_bytes(4, "little") + jpeg
        ends.append(len(data))
    return data, ends


def test_a_damaged_sheet_is_recognised(tmp_path):
    """The check of the next test itself: it takes no record unseen."""
    film = sheets.film(film_of(OTHER))
    number = [one.name for one in recipes.FILMS].index(OTHER)
    file = tmp_path / "a.sheet"

    def check(data: bytes) -> int:
        file.write_bytes(data)
        growing = check_sheets([file])
        return len(growing[film].pictures) if growing else 0

    def changed(at: int) -> bytes:
        return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]

    data, ends = made(4, number, film)
    assert check(data) == 4
    # Torn anywhere: within a picture, a head, the header; or with zeros where the last bytes are missing.
    for end, count in ((ends[3] - 1, 3), (ends[2] + 10, 3), (ends[2], 3), (ends[0] - 100, 0), (30, 0), (0, 0)):
        assert check(data[:end]) == count
        assert end < sheets.HEADER.size or check(data[:end].ljust(len(data), b"\0")) == count
    assert check(changed(ends[3] - 1)) == 3
    # What follows a damaged head cannot be found.
    assert [check(changed(ends[1] + at)) for at in (0, 5, 8, 16)] == [2, 2, 2, 2]
    # A changed picture, at its first bytes, in the stamp and in the middle, before whole ones.
    for at in (ends[0] + sheets.RECORD.size, ends[0] + sheets.RECORD.size + 60, (ends[1] + ends[2]) // 2):
        with pytest.raises(sheets.Damaged):
            check(changed(at))
    with pytest.raises(sheets.Damaged):
        check(changed(20))
    # Another film's picture, with its own stamp or with this film's; and the pictures of other times.
    with pytest.raises(sheets.Damaged):
        check(data[: ends[3]] + made(4, number, sheets.film(film_of(FILM)))[0][ends[2] :])
    with pytest.raises(AssertionError):
        check(made(4, number + 1, film)[0])
    with pytest.raises(AssertionError):
        check_pictures(film, [sheets.Picture(one.milliseconds + 40, one.jpeg) for one in sheets.read_growing(data).pictures])


@pytest.mark.timeout(1800 + 600 * KILLS)
def test_after_a_power_cut_all_is_there(image, out, key, tmp_path):
    """Boards are killed at random moments: first starts, in which the data partition grows and problems of the settings
    are written beside them, and later ones, while programs write and a scrub sheet grows. Unflushed data is partly lost,
    as on a card, and the next board starts with the rest."""
    seed = int(os.environ.get("BOARD_SEED", random.randrange(1 << 30)))
    dice = random.Random(seed)
    card, before, new = boards.Card(image, tmp_path, size=str(CARD)), tmp_path / "before.img", tmp_path / "new.img"
    settings = card.get("vitrine.toml").replace(b"#rotate = 0", b"rotate = 45")
    card.put("vitrine.toml", settings)
    card.put(f"beside/{OTHER}", film_of(OTHER).read_bytes())
    files = {"vitrine.toml": settings, f"films/{FILM}": film_of(FILM).read_bytes(),
             f"beside/{OTHER}": film_of(OTHER).read_bytes()}
    other = sheets.film(film_of(OTHER))
    sheet = f"{SHEETS}/{other.hash:016x}*"
    copy(card.path, new)
    log = tmp_path / "writes.log"
    written = lost = states = 0
    films, *roots = card.partitions[:3]
    table = 0, cuts.SECTOR
    # How far large cards had grown, in GB.
    sizes: set[int] = set()
    # Kills in which each of them was being written.
    hits = {films: 0, table: 0}
    # The growing sheets' records in each state that has any, OTHER's and those of the film that plays; and in how many
    # states one ends within a record.
    records: list[int] = []
    torn = 0
    for kill in range(KILLS):
        # The last one is not.
        is_first_start = (KILLS - kill) % 2 == 0
        # One beside the writes when the film starts, the settings' problems and the table of partitions; or any moment.
        event = (films, table, None)[kill // 2 % 3]
        if is_first_start:
            copy(new, card.path)
            if event == table:
                boards.run("truncate", "-s", LARGE, card.path)
        copy(card.path, before)
        with boards.Board(card, out, key=key, drive=cuts.drive(card.path, log)) as machine:
            marked, before_mark = None, 0
            if is_first_start:
                if event:
                    cuts.wait_write(log, event, lambda: machine.is_on, PATIENCE)
                machine.run_for(dice.uniform(2, 30) if not event else dice.uniform(*(GROWING if event == table else (0, 0.5))))
            else:
                first = machine.wait_picture(frames.number, PATIENCE)
                if kill == KILLS - 1:
                    # By then its position has been recorded more than once.
                    machine.wait_picture(lambda picture: (frames.number(picture) or 0) > first + 12 * RATE or None, PATIENCE)
                before_mark = int(machine.shell(GROW.format(sheet), seconds=600))
                kept = machine.wait_picture(frames.number, PATIENCE)
                machine.shell("echo marked > /data/marker; sync", seconds=600)
                marked = len(cuts.read_log(log))
                machine.shell(NOISE)
                machine.run_for(dice.uniform(0.2, 4))
                last = machine.wait_picture(frames.number, PATIENCE)
        writes = cuts.read_log(log)
        for write in writes:
            assert not any(cuts.is_within(write.start, part) for part in roots), "a root was written"
        ends = [dice.randrange(len(writes) + 1) for _ in range(MOMENTS - 1)] + [len(writes)]
        for part in hits:
            touched = [index for index, write in enumerate(writes) if write.data and cuts.is_within(write.start, part)]
            if touched:
                hits[part] += 1
                # While it is written, and before it is flushed.
                ends[0 if part == films else 1] = dice.randint(touched[0] + 1, touched[-1] + 1)
        if marked is not None:
            # While the sheet grows.
            ends[2] = dice.randint(marked, len(writes))
        for end in ends:
            copy(before, card.path)
            lost += cuts.cut(card.path, writes[:end], dice)
            is_marked = marked is not None and end >= marked
            try:
                growing = look(card, tmp_path, files, is_marked)
                if is_marked:
                    assert growing[other].end > before_mark - PICTURE, "the sheet has lost records that were on the card"
            except (AssertionError, KeyError, sheets.Damaged, boards.BoardError) as error:
                raise AssertionError(f"BOARD_SEED={seed}, kill {kill}, after {end} of {len(writes)} writes") from error
            states += 1
            if growing:
                records.append(sum(len(one.pictures) for one in growing.values()))
                torn += any(one.rest for one in growing.values())
            if is_first_start and event == table:
                sizes.add(round(size_of(tmp_path / "data.img") / 1e9))
        written += len(writes)
        # The progress; and the seed of the same moments.
        (out / "kills").write_text(f"BOARD_SEED={seed}: {kill + 1} of {KILLS} kills, {states} states, {written} writes, {lost} lost\n")
    with boards.Board(card, out, key=key) as machine:
        again = machine.wait_picture(frames.number, PATIENCE)
        # Its position is recorded every 5 s, and was on the card with the mark: without it, a minute at most is lost
        # (commit=60).
        assert goes_on(kept, last, again), f"on at frame {again}, where {kept} to {last} were seen"
        assert "made anew" not in machine.shell("dmesg")
        # Grown to the card.
        room = card.path.stat().st_size - card.partitions[3][0]
        machine.shell("until [ -e /data/grown ]; do sleep 0.5; done")
        assert int(machine.shell("df --output=size -B1 /data | tail -1")) > 0.8 * room
        machine.picture("after-all-cuts")
        # The sheet goes on from there, and becomes complete.
        machine.shell(f"{PREPARE} && while systemctl --quiet is-active sheet; do sleep 0.5; done; sync", seconds=2 * PATIENCE)
    data = card.copy_partition(4, tmp_path / "data.img")
    boards.trixie("sh", "-c", f"e2fsck -p {data}; [ $? -le 1 ]")
    complete = dict(map(check_complete, (file for file in sheets_in(data, tmp_path) if file.suffix == ".bif")))
    assert len(complete[other]) == PLACES
    print(f"{KILLS} kills, {states} states of the card, {written} writes, {lost} lost in one state or another; kills that had"
          f" written to the films' partition: {hits[films]}, to the table of partitions: {hits[table]}; on at frame {again}"
          f" after {kept} to {last}; a large card had grown to {sorted(sizes)} GB; {len(records)} states had growing scrub"
          f" sheets, of {min(records, default=0)} to {max(records, default=0)} pictures, {sum(records)} in all; {torn} were torn")
    assert written > 20 * KILLS and lost
    assert KILLS < 4 or all(hits.values()), "no kill was where it should have been"
    assert any(records), "no sheet grew"
