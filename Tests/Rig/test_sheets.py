"""Scrub sheets that `vitrine prepare` makes: the frame of each picture, its shape and colours, and interrupted runs."""

import contextlib
import fcntl
import os
import pathlib
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import time

import pytest
import sheets
from shown_frames import Recorder
from test_formats import LAST
from thorough import also

VITRINE = os.environ["VITRINE_BIN"]


def prepare(*words, expect=0, **options) -> subprocess.CompletedProcess:
    result = subprocess.run(
        [VITRINE, "prepare", *map(str, words)], capture_output=True, text=True, timeout=100, **options)
    assert result.returncode == expect, (result.returncode, result.stdout, result.stderr)
    return result


@pytest.fixture
def copy(tmp_path, films):
    """Copies a film into a folder of the test's own."""
    return lambda name: shutil.copy(films(name).path, tmp_path / name)


@pytest.mark.parametrize(
    ("name", "size", "count"),
    [
        ("pal-4x3.mp4", (480, 360), 250),
        ("high10.mp4", (640, 360), 125),
        *also(("360p-key250.mp4", (640, 360), 1500), ("vp9-opus.webm", (640, 360), 250), ("pal-16x9.mp4", (640, 360), 250)),
    ],
)
def test_each_frame_is_in_its_place(copy, name, size, count):
    film = copy(name)
    prepare(film)
    pictures = sheets.read(f"{film}.bif")
    assert sheets.size(pictures[0]) == size
    assert [reading.frame for reading in sheets.readings(pictures)] == list(range(count))
    # WebM begins with 7 ms of sound alone.
    assert [picture.milliseconds // 40 for picture in pictures] == list(range(count))


# One for each demuxer, with the last frame. The length of MPEG-TS and of program streams is counted from their clock's start,
# before their first frame; a recorder that writes no length has its one guessed, and so has a clock that wraps.
CONTAINERS = {
    "short.mkv": 49, "short.webm": 49, "short.ts": 49, "disc.vob": 99, "short.avi": 49, "short.flv": 49, "late.mp4": 49,
    "recorded.mkv": 49,
}
# They have another codec, no index, few key frames, or a clock that begins elsewhere.
MORE_CONTAINERS = {
    "theora.ogv": 49, "short.mpg": 49, "far.mpg": 99, "long.ts": 199, "prompt.ts": 49, "wrap.ts": 49, "jpegs.avi": 49, "motion.avi": 49,
    "unindexed.avi": 49, "fragments.mp4": 49, "recorded.webm": 49, "av1.webm": 49, "alpha.webm": 99,
    "hevc.mp4": 49, "thumbnail.mov": 49, "late.mkv": 49, "early-sound.mkv": 49, "film-cover.mkv": 49,
}


@pytest.mark.parametrize(("name", "last"), [*CONTAINERS.items(), *also(*MORE_CONTAINERS.items())])
def test_pictures_of_every_container_are_of_their_frames(films, copy, name, last):
    """The first frame may be shown some time after the film's start."""
    film, path = films(name), copy(name)
    prepare(path)
    pictures = sheets.read(f"{path}.bif")
    readings = sheets.readings(pictures)
    assert {reading.film for reading in readings} == {film.number}
    # The packets of a part of a film have some later frames that others refer to.
    seen = [
        (picture.milliseconds - pictures[0].milliseconds, reading.frame)
        for picture, reading in zip(pictures, readings) if reading.frame < film.frames
    ]
    assert seen[0] == (0, 0)
    # ffmpeg puts MPEG-4's frames one later, because of the MP3's delay, except the first one.
    late = 40 if name.endswith(".avi") and seen[1][0] == 80 else 0
    wrong = [(time, frame) for time, frame in seen[1:] if abs(time - late - frame * 40) > 1]
    assert not wrong, f"{wrong} in {seen}"
    frames = [frame for _, frame in seen]
    assert frames[-1] >= last, seen
    # Some frames of a DVD have no time of their own; and where frames begin between two places, some place has two.
    step = 3 if name == "disc.vob" else 2
    assert all(after - before <= step for before, after in zip(frames, frames[1:]) if before < last), seen


# MPEG-TS is sought in by its clock.
INEXACT = {"short.ts": 2, "prompt.ts": 2, "long.ts": 2}


@pytest.mark.parametrize("name", ["disc.vob", "late.mp4", *also("short.ts", "short.mpg", "short.mkv", "short.avi", "short.flv", "short.webm")])
def test_an_exact_seek_shows_the_frame_of_the_sheet(play, films, copy, name):
    film, path = films(name), copy(name)
    prepare(path)
    pictures = sheets.read(f"{path}.bif")
    readings = sheets.readings(pictures)
    # Before its first frame nothing is shown.
    program = play(film, "--paused", wait=False)
    program.ipc.wait_for("duration")
    # Of MPEG-TS the last ones cannot be reached.
    count = min(len(pictures), LAST.get(name, len(pictures)) + 1)
    for place in (count // 2, 1, count - 4, count // 3, count * 2 // 5):
        program.ipc.command("seek", pictures[place].milliseconds / 1000 + 0.02, "absolute+exact")
        program.ipc.wait_for("seeking", lambda seeking: seeking is False)
        assert abs(program.frame(film) - readings[place].frame) <= INEXACT.get(name, 0), pictures[place].milliseconds


@pytest.mark.parametrize("name", ["short.mp4", *also("pal-16x9.mp4")])
def test_a_portrait_is_one(films, tmp_path, name):
    """Stored as it is shown: it has the height of a landscape's width."""
    film, path = films(name), tmp_path / "portrait.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-i", film.path, "-t", "2", "-an", "-vf", "transpose=clock", "-c:v", "libx264", "-preset",
         "ultrafast", str(path)], check=True, timeout=60)
    prepare(path)
    pictures = sheets.read(f"{path}.bif")
    assert sheets.size(pictures[0]) == (360, 640)
    assert [reading.frame for reading in sheets.readings(pictures, turned=90)] == list(range(50))


@pytest.mark.parametrize(("degrees", "size"), [(90, (360, 640)), (180, (640, 360)), (270, (360, 640))])
def test_pictures_stand_upright(copy, degrees, size):
    film = copy(f"rotated-{degrees}.mp4")
    prepare(film)
    pictures = sheets.read(f"{film}.bif")
    assert sheets.size(pictures[0]) == size
    assert [reading.frame for reading in sheets.readings(pictures, turned=degrees)] == list(range(50))


@pytest.mark.parametrize("range_", ["tv", "pc"])
def test_colours_are_the_films_own(tmp_path, range_):
    """Y, Cb and Cr of the pictures are those of the film: they are not converted to JPEG's encoding."""
    film = tmp_path / "colours.mp4"
    planes = [(60, 90, 240), (200, 160, 16)]
    source = "nullsrc=s=160x90:r=25:d=1,format=yuv420p,geq=" + ":".join(
        f"{name}='if(lt(X,{half}),{left},{right})'" for name, half, left, right in
        [("lum", 80, planes[0][0], planes[1][0]), ("cb", 40, planes[0][1], planes[1][1]), ("cr", 40, planes[0][2], planes[1][2])])
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, "-c:v", "libx264", "-qp", "1", "-colorspace", "bt709",
         "-color_range", range_, str(film)], check=True, timeout=60)
    prepare(film)
    for planes_seen in sheets.planes(sheets.read(f"{film}.bif")):
        for plane, (left, right) in zip(planes_seen, zip(*planes)):
            width = plane.shape[1]
            assert abs(plane[:, : width // 2 - 4].mean() - left) < 2
            assert abs(plane[:, width // 2 + 4 :].mean() - right) < 2


@pytest.mark.speed
def test_a_run_that_is_broken_off_is_gone_on_with(copy):
    film = copy("360p-key250.mp4")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        run = subprocess.Popen([VITRINE, "prepare", film], stderr=subprocess.PIPE, text=True)
        before = os.path.getsize(f"{film}.sheet") if os.path.exists(f"{film}.sheet") else 0
        wait_until(lambda: os.path.exists(f"{film}.sheet") and os.path.getsize(f"{film}.sheet") > before + 100_000)
        run.send_signal(number)
        said = run.communicate(timeout=10)[1]
        assert run.returncode == (-number if number == signal.SIGKILL else 128 + number)
        assert ("the same command goes on from here" in said) == (number != signal.SIGKILL)
        assert not os.path.exists(f"{film}.bif")
    made = len(sheets.read_growing(pathlib.Path(f"{film}.sheet").read_bytes()).pictures)
    assert 0 < made < 1500
    said = subprocess.run([VITRINE, "inspect", film], capture_output=True, text=True, timeout=60).stdout
    assert f"{made * 100 // 1500} % made, {made} pictures of 640x360" in said and '"vitrine prepare" goes on with it' in said
    prepare(film)
    assert not os.path.exists(f"{film}.sheet")
    assert [reading.frame for reading in sheets.readings(sheets.read(f"{film}.bif"))] == list(range(1500))
    assert "complete already" in prepare(film).stdout


def test_an_idle_run_is_out_of_the_way_and_ends_at_once(copy):
    film = copy("360p-key250.mp4")
    run = subprocess.Popen([VITRINE, "prepare", "--idle", film], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    wait_until(lambda: os.path.exists(f"{film}.sheet") and os.path.getsize(f"{film}.sheet") > 100_000)
    # SCHED_IDLE.
    assert {os.sched_getscheduler(int(thread)) for thread in os.listdir(f"/proc/{run.pid}/task")} == {5}
    run.terminate()
    # The signal itself ends it: nothing is finished or tidied up first.
    assert run.wait(timeout=10) == -signal.SIGTERM
    assert run.stdout.read() == b""


def test_a_terminal_has_a_progress_bar_and_a_file_has_none(copy):
    """One that is drawn over itself, and gone at the end; what is made is one line on standard output."""
    film = copy("short.mp4")
    terminal, its = os.openpty()
    with subprocess.Popen([VITRINE, "prepare", film], stdout=subprocess.PIPE, stderr=its, text=True) as run:
        os.close(its)
        drawn = b""
        # At the end there is an error in place of nothing.
        with contextlib.suppress(OSError), open(terminal, "rb", buffering=0) as screen:
            while part := screen.read(4096):
                drawn += part
        said = run.stdout.read()
    assert run.returncode == 0
    *bars, end = drawn.decode().split("\x1b[K")[:-1]
    assert bars and end == "\r"
    shown = [re.fullmatch(r"\rshort \[(#*)(\.*)\] (\d+) %(, \d+:\d\d left)?", bar).groups() for bar in bars]
    percents = [int(percent) for *_, percent, _ in shown]
    assert percents == sorted(percents)
    assert [(len(full), len(rest)) for full, rest, *_ in shown] == [(percent * 30 // 100, 30 - percent * 30 // 100) for percent in percents]
    assert said.startswith(f"{film}: 50 pictures, ") and said.count("\n") == 1
    os.unlink(f"{film}.bif")
    plain = prepare(film)
    assert plain.stdout.startswith(f"{film}: 50 pictures, ") and plain.stdout.count("\n") == 1 and not plain.stderr


def test_several_films_and_what_cannot_be_prepared(copy, tmp_path):
    film, empty = copy("short.mp4"), tmp_path / "empty.mp4"
    empty.touch()
    said = prepare(empty, film, expect=3)
    assert "empty.mp4" in said.stderr and "50 pictures" in said.stdout
    assert prepare(tmp_path / "none.mp4", expect=2).stderr


def test_a_film_on_a_read_only_disk_has_its_sheet_elsewhere(copy, tmp_path):
    film, folder = copy("short.mp4"), tmp_path / "disk"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "none", folder], check=True)
    try:
        there = shutil.copy(film, folder / "film.mp4")
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        assert "--cache" in prepare(there, expect=6).stderr
        prepare(there, "--cache", tmp_path / "sheets")
        said = subprocess.run(
            [VITRINE, "inspect", "--cache", tmp_path / "sheets", there], capture_output=True, text=True, timeout=60).stdout
        assert "complete, 50 pictures" in said
    finally:
        subprocess.run(["umount", folder], check=True)


def test_a_full_disk_is_reported_and_preparing_goes_on(copy, tmp_path):
    film, folder = copy("360p-key250.mp4"), tmp_path / "disk"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "none", folder], check=True)
    try:
        there = shutil.copy(film, folder / "film.mp4")
        assert "full" in prepare(there, expect=10).stderr
        assert not os.path.exists(f"{there}.bif") and not os.path.exists(f"{there}.bif.part")
        subprocess.run(["mount", "-o", "remount,size=120m", folder], check=True)
        assert "1500 pictures" in prepare(there).stdout
    finally:
        subprocess.run(["umount", folder], check=True)


def wait_until(is_true, seconds: float = 30):
    end = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < end
        time.sleep(0.01)


def sheet_in(state) -> list[str]:
    return [str(path) for path in (state / "sheets").glob("*.bif")] if (state / "sheets").exists() else []


def test_a_film_that_loops_makes_its_own_sheet(play, films, tmp_path):
    """Each picture is of its stated frame."""
    film = films("short.mp4")
    play(film, "--loop", "--state", tmp_path)
    wait_until(lambda: sheet_in(tmp_path), 60)
    pictures = sheets.read(sheet_in(tmp_path)[0])
    assert [reading.frame for reading in sheets.readings(pictures)] == list(range(50))
    assert [picture.milliseconds for picture in pictures] == [40 * frame for frame in range(50)]
    # No more pictures are made, and the next start knows the sheet.
    wait_until(lambda: not list((tmp_path / "sheets").glob("*.sheet")))


# Their first frame is shown some time after the film's start. disc.vob has several frames of one time.
@pytest.mark.parametrize("name", ["disc.vob", *also("short.mkv", "late.mp4", "recorded.mkv", "recorded.webm")])
def test_a_harvest_has_the_pictures_that_prepare_makes(play, films, copy, tmp_path, name):
    path = copy(name)
    prepare(path)
    made = sheets.read(f"{path}.bif")
    frames = {picture.milliseconds: reading.frame for picture, reading in zip(made, sheets.readings(made))}
    play(films(name), "--loop", "--state", tmp_path)
    wait_until(lambda: sheet_in(tmp_path), 60)
    pictures = sheets.read(sheet_in(tmp_path)[0])
    harvested = {picture.milliseconds: reading.frame for picture, reading in zip(pictures, sheets.readings(pictures))}
    # A film that plays on has some frames that a DVD gives no time of their own after a seek.
    assert frames.items() <= harvested.items()
    assert name == "disc.vob" or harvested == frames


def test_a_sheet_that_another_process_gives_up_is_gone_on_with(play, films, tmp_path):
    """While the film plays on."""
    film = films("short.mp4")
    # It can write no more than this.
    prepare(
        film.path, "--cache", tmp_path / "sheets", expect=1,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000)))
    [growing] = tmp_path.glob("sheets/*.sheet")
    assert 0 < len(sheets.read_growing(growing.read_bytes()).pictures) < 50
    with open(growing, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        program = play(film, "--loop", "--state", tmp_path)
        # The harvest begins with the first frame.
        shown = program.ipc.get("vitrine/frames-shown")
        program.ipc.wait_for_counter("vitrine/frames-shown", lambda now: now >= shown + 100)
        size = growing.stat().st_size
    wait_until(lambda: sheet_in(tmp_path), 60)
    assert pathlib.Path(sheet_in(tmp_path)[0]).stat().st_size > size
    assert [reading.frame for reading in sheets.readings(sheets.read(sheet_in(tmp_path)[0]))] == list(range(50))


@pytest.mark.speed
def test_a_harvest_takes_its_share_and_no_more(play, films, tmp_path):
    program = play(films("720p-key50.mp4"), "--loop", "--state", tmp_path)
    wait_until(lambda: idle_threads(program.process.pid))
    [thread] = idle_threads(program.process.pid)
    before, began = processor_time(program.process.pid, thread), time.monotonic()
    time.sleep(10)
    share = (processor_time(program.process.pid, thread) - before) / (time.monotonic() - began)
    # On a rig's processor that does all the other work as well, a harvest may get less.
    assert 0.005 < share < 0.07
    [growing] = (tmp_path / "sheets").glob("*.sheet")
    assert growing.stat().st_size > 200_000


def idle_threads(process: int) -> list[str]:
    return [thread for thread in os.listdir(f"/proc/{process}/task") if os.sched_getscheduler(int(thread)) == os.SCHED_IDLE]


def processor_time(process: int, thread: str) -> float:
    with open(f"/proc/{process}/task/{thread}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.fixture
def disk(tmp_path):
    """`disk(megabytes)`: a disk of its own, in memory."""
    folders = []

    def make(megabytes: int) -> pathlib.Path:
        folders.append(tmp_path / f"disk-{len(folders)}")
        folders[-1].mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", folders[-1]], check=True)
        return folders[-1]

    yield make
    for folder in folders:
        # The player may still have a file open.
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(folder: pathlib.Path, leave: int = 0) -> pathlib.Path:
    """Fills a disk, except for so many bytes."""
    path = folder / "other"
    free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize
    with open(path, "wb", buffering=0) as file, contextlib.suppress(OSError):
        os.posix_fallocate(file.fileno(), 0, max(free - leave, 1))
        while not leave:
            file.seek(0, os.SEEK_END)
            file.write(bytes(4096))
    return path


COMPLAINT = "a scrub sheet cannot be stored"


def wait_until_complained(program, recorder: Recorder) -> None:
    end = time.monotonic() + 60
    while COMPLAINT not in program.log():
        assert time.monotonic() < end, f"nothing said in\n{program.log()}"
        recorder.look()
        time.sleep(0.3)


def test_a_film_plays_on_when_the_card_becomes_full(play, films, disk):
    """While its sheet is harvested: the harvest ends, and says so once. What there is of the sheet is whole, and another
    process goes on with it while the film still plays."""
    film, state = films("short.mp4"), disk(64)
    program = play(film, "--loop", "--state", state)
    wait_until(lambda: list(state.glob("sheets/*.sheet")) and next(state.glob("sheets/*.sheet")).stat().st_size > 100_000)
    recorder = Recorder(program, film.rate)
    full = fill(state)
    wait_until_complained(program, recorder)
    # Each of the film's frames, in passes after that.
    recorder = Recorder(program, film.rate)
    recorder.look_until(lambda: len(recorder.complete(film.frames)) >= 2)
    [said] = [line for line in program.log().splitlines() if "sheet" in line]
    assert COMPLAINT in said and "No space left" in said
    [path] = (state / "sheets").iterdir()
    growing = sheets.read_growing(path.read_bytes())
    assert growing.rest == 0 and growing.film == sheets.film(film.path)
    readings = sheets.readings(growing.pictures)
    assert 0 < len(readings) < 50
    assert [reading.frame for reading in readings] == [picture.milliseconds // 40 for picture in growing.pictures]
    full.unlink()
    prepare(film.path, "--cache", state / "sheets")
    assert [reading.frame for reading in sheets.readings(sheets.read(sheet_in(state)[0]))] == list(range(50))
    assert program.ipc.get("vitrine/frames-shown") and program.process.poll() is None


@pytest.mark.parametrize("trouble", ["full", *also("read-only")])
def test_films_play_where_no_sheet_is_kept(play, films, disk, trouble):
    """It is said once, however often films are opened. Once there is room, the next film to be opened gets its sheet."""
    state = disk(64)
    # A quarter of the free space is less than a sheet begins with.
    full = fill(state, leave=6 << 20) if trouble == "full" else None
    if trouble == "read-only":
        subprocess.run(["mount", "-o", "remount,ro", state], check=True)
    film = films("short.mp4")
    program = play(film, films("short.mkv"), "--end", "loop", "--state", state)
    recorder = Recorder(program, film.rate)
    wait_until_complained(program, recorder)
    # Both of them, at least once more after that.
    recorder = Recorder(program, film.rate)
    recorder.look_until(lambda: len(recorder.fair(50)) >= 4, timeout=120)
    said = [line for line in program.log().splitlines() if COMPLAINT in line]
    assert len(said) == 1 and ("no room" if full else "Read-only") in said[0]
    assert not list(state.glob("sheets/*"))
    if full:
        full.unlink()
    else:
        subprocess.run(["mount", "-o", "remount,rw", state], check=True)
    wait_until(lambda: any(path.stat().st_size > 100_000 for path in state.glob("sheets/*")), 90)


def test_a_sheet_that_lacks_only_its_copy_gets_it(play, films, tmp_path):
    """The card had no room for both of them."""
    film = films("short.mp4")
    prepare(film.path, "--cache", tmp_path / "sheets")
    whole = pathlib.Path(sheet_in(tmp_path)[0])
    whole.unlink()
    in_the_way = whole.with_name(f"{whole.name}.part")
    in_the_way.mkdir()
    prepare(film.path, "--cache", tmp_path / "sheets", expect=1)
    in_the_way.rmdir()
    assert len(sheets.read_growing(whole.with_suffix(".sheet").read_bytes()).pictures) == 50
    play(film, "--loop", "--state", tmp_path)
    wait_until(lambda: sheet_in(tmp_path) and not whole.with_suffix(".sheet").exists())
    assert [reading.frame for reading in sheets.readings(sheets.read(whole))] == list(range(50))


def workers(program) -> list[int]:
    """The processes that make sheets for the player."""
    found = []
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(status.read_text().rpartition(")")[2].split()[1]) == program.process.pid:
                command = (status.parent / "cmdline").read_bytes().split(b"\0")
                found += [int(status.parent.name)] if b"prepare" in command else []
    return found


class IdleKiosk:
    """A kiosk with a film of its own, whose sheet an idle process makes while nobody touches the screen."""

    def __init__(self, play, films, panel, folder: pathlib.Path, name: str):
        self.panel, self.film = panel, films(name)
        self.state, attract = folder / "state", folder / "films" / "attract"
        for made in (self.state, attract):
            made.mkdir(parents=True)
        shutil.copy(films("short.mp4").path, attract / "short.mp4")
        shutil.copy(self.film.path, folder / "films" / "river.mp4")
        (folder / "films" / "broken.mp4").write_bytes(b"no film at all" * 1000)
        settings = folder / "vitrine.toml"
        settings.write_text("idle-seconds = 5\ncountdown-seconds = 1\n")
        self.program = play("--settings", settings, "--state", self.state)
        panel.wait_until_read()

    @property
    def grown(self) -> int:
        """The size of the largest unfinished sheet."""
        return max((path.stat().st_size for path in self.state.glob("sheets/*.sheet")), default=0)

    def worker(self, growth: int) -> int:
        """The idle process that makes the film's sheet, once it has added so many bytes."""
        # The loop's own sheet is smaller.
        before = max(self.grown, 1_500_000)
        wait_until(lambda: workers(self.program) and self.grown > before + growth, 90)
        [worker] = workers(self.program)
        return worker

    def finish(self) -> None:
        """Waits for both films' sheets, each picture of its stated frame."""
        wait_until(lambda: len(sheet_in(self.state)) == 2 and not workers(self.program), 170)
        read = [sheets.readings(sheets.read(path)) for path in sheet_in(self.state)]
        [readings] = [one for one in read if one[0].film == self.film.number]
        assert [reading.frame for reading in readings] == list(range(self.film.frames))


@pytest.fixture
def idle_kiosk(play, films, panel, tmp_path):
    return lambda name: IdleKiosk(play, films, panel, tmp_path, name)


class Ending:
    """Waits for the end of another process, without asking for it again and again. It has ended when it has been killed:
    its parent may not know yet."""

    def __init__(self, process: int):
        self.descriptor = os.pidfd_open(process)

    def wait(self, seconds: float = 30) -> float:
        """`time.monotonic()` of its end."""
        try:
            assert select.select([self.descriptor], [], [], seconds)[0], f"it runs after {seconds} s"
            return time.monotonic()
        finally:
            os.close(self.descriptor)


def test_films_get_their_sheets_while_nobody_touches(idle_kiosk):
    """Also those that have not played: by a process that is out of the way, ends at a touch, and goes on after it."""
    kiosk = idle_kiosk("360p-key250.mp4")
    worker = kiosk.worker(500_000)
    assert os.sched_getscheduler(worker) == os.SCHED_IDLE
    assert pathlib.Path(f"/proc/{worker}/oom_score_adj").read_text() == "1000\n"
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    [limit] = re.findall(r"Max data size +(\d+)", pathlib.Path(f"/proc/{worker}/limits").read_text())
    assert int(limit) == memory // 4 + (256 << 20)
    kiosk.panel.tap(0.5, 0.5)
    wait_until(lambda: not workers(kiosk.program))
    assert kiosk.grown > 2_000_000
    # The kernel ends it where memory is short: the film's sheet is not given up.
    wait_until(lambda: workers(kiosk.program), 90)
    os.kill(workers(kiosk.program)[0], signal.SIGKILL)
    wait_until(lambda: not workers(kiosk.program))
    kiosk.panel.tap(0.5, 0.5)
    kiosk.finish()


# The most pictures that are still made while the player reads a touch. There is seldom one.
LATE = 10


@pytest.mark.slow
def test_a_finger_that_is_down_ends_the_idle_process(idle_kiosk):
    """The finger need not lift, and the process makes no more pictures than the way of a touch takes: a busy machine gives
    it no more than the player leaves."""
    kiosk, late, times = idle_kiosk("360p-key250.mp4"), [], []
    # VITRINE_TOUCHES=20 -s: a measurement.
    for _ in range(int(os.environ.get("VITRINE_TOUCHES", 2))):
        ending = Ending(kiosk.worker(100_000))
        before = kiosk.grown
        down = time.monotonic()
        kiosk.panel.down(0.5, 0.5)
        kiosk.panel.frame()
        times.append((ending.wait() - down) * 1000)
        growing = [path for path in kiosk.state.glob("sheets/*.sheet") if path.stat().st_size == kiosk.grown >= before]
        assert growing, "the process went on to the film's end"
        [path], end, more = growing, 64, 0
        for picture in sheets.read_growing(path.read_bytes()).pictures:
            end += 20 + len(picture.jpeg)
            more += end > before
        late.append(more)
        kiosk.panel.up()
        kiosk.panel.frame()
    print(f"from the touch to the end of the idle process, ms: {sorted(round(one, 1) for one in times)}; pictures meanwhile: {late}")
    assert max(late) <= LATE


@contextlib.contextmanager
def busy():
    """A program that takes all of the processor's time that it gets, a little less eagerly than the player."""
    process = subprocess.Popen(["nice", "-n", "3", sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
@pytest.mark.parametrize("trouble", ["stopped", *also("starved")])
def test_an_idle_process_that_gets_nowhere_disturbs_nobody(idle_kiosk, trouble):
    """The player plays on, a touch ends the process, and the film gets its sheet afterwards."""
    kiosk = idle_kiosk("silent.mp4")
    program = kiosk.program
    worker = kiosk.worker(100_000)
    ending = Ending(worker)
    if trouble == "stopped":
        os.kill(worker, signal.SIGSTOP)
    with busy() if trouble == "starved" else contextlib.nullcontext():
        before, shown = kiosk.grown, program.ipc.get("vitrine/frames-shown")
        program.ipc.wait_for_counter("vitrine/frames-shown", lambda now: now >= shown + 75)
        print(f"{trouble}: the sheet grew by {kiosk.grown - before} bytes while 75 frames were shown")
        assert workers(program) == [worker]
        kiosk.panel.tap(0.5, 0.5)
        ending.wait()
    assert program.process.poll() is None
    kiosk.finish()


def test_films_of_one_name_have_their_own_sheets(play, films, tmp_path):
    """A film that is replaced during playback by another one of its name never gets its pictures."""
    state, folder = tmp_path / "state", tmp_path / "films"
    state.mkdir()
    folder.mkdir()
    film = folder / "film.mp4"
    shutil.copy(films("short.mp4").path, film)
    program = play(str(film), "--loop", "--state", state)
    wait_until(lambda: list((state / "sheets").glob("*.sheet")) if (state / "sheets").exists() else [])
    shutil.copy(films("silent.mp4").path, folder / "other.mp4")
    os.replace(folder / "other.mp4", film)
    time.sleep(8)
    assert not sheet_in(state)
    assert program.process.poll() is None
    prepare(film, "--cache", state / "sheets")
    readings = sheets.readings(sheets.read(sheet_in(state)[0]))
    assert {reading.film for reading in readings} == {films("silent.mp4").number} and len(readings) == 500
