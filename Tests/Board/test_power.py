"""The power may be cut at any moment (B4, N8): the card's contents are intact, and the film plays."""

import os
import pathlib
import random
import re

import board as boards
import cuts
import frames
from conftest import FILM, LENGTH, RATE

START = 90
# tools/check power: fifty.
KILLS = int(os.environ.get("BOARD_KILLS", 4))
# Larger than the image, in bytes; and the card of boards that are killed while its data partition grows: beyond the 64
# GB that its table of groups has room for, so that the kernel moves the table.
CARD, LARGE = 1536 << 20, 128 << 30
# Seconds from the table of partitions on in which a large one grows: at first in memory alone.
GROWING = 2, 9
# States of the card that are checked for each kill: its moment, and earlier moments.
MOMENTS = 5
# Programs that write all the time: to files of their own, and to the journal.
NOISE = """(while :; do head -c 3M /dev/urandom > /data/noise; mv /data/noise /data/other; done) > /dev/null 2>&1 &
(while :; do echo noise > /dev/kmsg; done) > /dev/null 2>&1 &"""


def copy(source: pathlib.Path, target: pathlib.Path) -> None:
    boards.run("cp", "--sparse=always", source, target)


def size_of(data: pathlib.Path) -> int:
    """A file system's, in bytes."""
    printed = boards.trixie("dumpe2fs", "-h", data)
    count, size = (int(re.search(rf"(?m)^Block {what}: +(\d+)$", printed)[1]) for what in ("count", "size"))
    return count * size


def look(card: boards.Card, folder: pathlib.Path, files: dict[str, bytes], is_marked: bool) -> None:
    """Checks like a repair shop; fails if anything is lost."""
    # Separately: e2fsck loses an offset when it has replayed a journal.
    data = card.copy_partition(4, folder / "data.img")
    # Replays the journal first, as the kernel does at the next start: 1 means "errors corrected".
    boards.trixie("sh", "-c", f"e2fsck -p {data}; [ $? -le 1 ]")
    boards.trixie("e2fsck", "-fn", data)
    if is_marked:
        assert boards.trixie("debugfs", "-R", "cat /marker", data) == "marked\n"
    cuts.check_fat(card.copy_partition(1, folder / "films.img"), r"/vitrine-errors\.txt\.new")
    for name, content in files.items():
        assert card.get(name) == content, f"{name} is another"


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


def test_after_a_power_cut_all_is_there(image, out, key, tmp_path):
    """Boards are killed at random moments: first starts, in which the data partition grows and problems of the settings
    are written beside them, and later ones, while programs write. Unflushed data is partly lost, as on a card, and the
    next board starts with the rest."""
    seed = int(os.environ.get("BOARD_SEED", random.randrange(1 << 30)))
    dice = random.Random(seed)
    card, before, new = boards.Card(image, tmp_path, size=str(CARD)), tmp_path / "before.img", tmp_path / "new.img"
    settings = card.get("vitrine.toml").replace(b"#rotate = 0", b"rotate = 45")
    card.put("vitrine.toml", settings)
    files = {"vitrine.toml": settings, f"films/{FILM}": pathlib.Path(os.environ["VITRINE_FILMS"], FILM).read_bytes()}
    copy(card.path, new)
    log = tmp_path / "writes.log"
    written = lost = states = 0
    films, *roots = card.partitions[:3]
    grown = 0, cuts.SECTOR
    # How far large cards had grown, in GB.
    sizes: set[int] = set()
    # Kills in which each of them was being written.
    hits = {films: 0, grown: 0}
    for kill in range(KILLS):
        # The last one is not.
        is_first_start = (KILLS - kill) % 2 == 0
        # One beside the writes when the film starts, the settings' problems and the table of partitions; or any moment.
        event = (films, grown, None)[kill // 2 % 3]
        if is_first_start:
            copy(new, card.path)
            if event == grown:
                boards.run("truncate", "-s", LARGE, card.path)
        copy(card.path, before)
        with boards.Board(card, out, key=key, drive=cuts.drive(card.path, log)) as machine:
            marked = None
            if is_first_start:
                if event:
                    cuts.wait_write(log, event, lambda: machine.is_on, START)
                machine.run_for(dice.uniform(2, 14) if not event else dice.uniform(*(GROWING if event == grown else (0, 0.5))))
            else:
                first = machine.wait_picture(frames.number, START)
                if kill == KILLS - 1:
                    # By then its position has been recorded more than once.
                    machine.wait_picture(lambda picture: (frames.number(picture) or 0) > first + 12 * RATE or None, START)
                kept = machine.wait_picture(frames.number, START)
                machine.shell("echo marked > /data/marker; sync", seconds=600)
                marked = len(cuts.read_log(log))
                machine.shell(NOISE)
                machine.run_for(dice.uniform(0.2, 4))
                last = machine.wait_picture(frames.number, START)
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
        for end in ends:
            copy(before, card.path)
            lost += cuts.cut(card.path, writes[:end], dice)
            try:
                look(card, tmp_path, files, marked is not None and end >= marked)
            except (AssertionError, boards.BoardError) as error:
                raise AssertionError(f"BOARD_SEED={seed}, kill {kill}, after {end} of {len(writes)} writes") from error
            states += 1
            if is_first_start and event == grown:
                sizes.add(round(size_of(tmp_path / "data.img") / 1e9))
        written += len(writes)
        # The progress; and the seed of the same moments.
        (out / "kills").write_text(f"BOARD_SEED={seed}: {kill + 1} of {KILLS} kills, {states} states, {written} writes, {lost} lost\n")
    with boards.Board(card, out, key=key) as machine:
        again = machine.wait_picture(frames.number, START)
        # Its position is recorded every 5 s, and was on the card with the mark: without it, a minute at most is lost
        # (commit=60).
        assert goes_on(kept, last, again), f"on at frame {again}, where {kept} to {last} were seen"
        assert "made anew" not in machine.shell("dmesg")
        # Grown to the card.
        room = card.path.stat().st_size - card.partitions[3][0]
        machine.shell("until [ -e /data/grown ]; do sleep 0.5; done")
        assert int(machine.shell("df --output=size -B1 /data | tail -1")) > 0.8 * room
        machine.picture("after-all-cuts")
    print(f"{KILLS} kills, {states} states of the card, {written} writes, {lost} lost in one state or another; kills that had"
          f" written to the films' partition: {hits[films]}, to the table of partitions: {hits[grown]}; on at frame {again}"
          f" after {kept} to {last}; a large card had grown to {sorted(sizes)} GB")
    assert written > 20 * KILLS and lost
    assert KILLS < 4 or all(hits.values()), "no kill was where it should have been"
