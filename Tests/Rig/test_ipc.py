"""mpv's JSON IPC as its clients use it: the package python-mpv-jsonipc, connected to the running player."""

import stat
import threading
import time

import python_mpv_jsonipc
import pytest

from ipc import IPCError


@pytest.fixture
def connected(play, films):
    """`connected("silent.mp4", "--paused")`: film, program, client."""
    clients = []

    def connect(name: str, *options: str):
        film = films(name)
        program = play(film, *options)
        client = python_mpv_jsonipc.MPV(start_mpv=False, ipc_socket=str(program.socket_path))
        clients.append(client)
        return film, program, client

    yield connect
    for client in clients:
        client.terminate()


def until(condition, what: str, timeout: float = 20) -> None:
    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end, f"not within {timeout} s: {what}"
        time.sleep(0.02)


def test_the_socket_is_its_owners_alone(play, films):
    program = play(films("silent.mp4"), "--paused")
    mode = program.socket_path.stat().st_mode
    assert stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o600
    program.ipc.command("quit")
    assert program.wait_until_ended() == 0
    assert not program.socket_path.exists(), "the socket is left over"


def test_properties(connected):
    film, program, client = connected("360p-key50.mp4", "--paused")
    assert client.pause is True
    assert client.path == film.path
    assert client.filename == "360p-key50.mp4"
    assert client.media_title == f"Test film {film.number}"
    assert client.duration == pytest.approx(film.seconds, abs=0.1)
    assert client.time_pos == pytest.approx(0, abs=0.04)
    assert client.percent_pos == pytest.approx(0, abs=0.1)
    assert client.eof_reached is False
    assert client.core_idle is True
    assert client.seeking is False
    assert client.vo_configured is True
    assert client.idle_active is False
    assert [client.width, client.height] == list(film.size)
    assert client.container_fps == pytest.approx(film.rate)
    assert client.command("get_property", "vitrine/frames-shown") >= 1
    assert client.command("get_property", "pid") == program.process.pid
    assert client.playlist[0]["filename"] == film.path


def test_pause_and_play(connected):
    _, _, client = connected("360p-key50.mp4", "--paused")
    client.pause = False
    until(lambda: client.time_pos > 0.3 and client.core_idle is False, "it plays")
    client.pause = True
    until(lambda: client.core_idle, "it is paused")
    stands = client.time_pos
    time.sleep(0.3)  # Nothing is what must happen.
    assert client.time_pos == stands


def test_seeks(connected):
    film, program, client = connected("360p-key50.mp4", "--paused")
    for words, frame in (
        ((30.02, "absolute+exact"), 750),
        ((-10, "relative+exact"), 500),
        ((50, "absolute-percent+exact"), None),
        ((-5.02, "absolute+exact"), None),
        ((20.5, "absolute+keyframes"), 500),
    ):
        client.seek(*words)
        until(lambda: client.seeking is False, f"seek {words}")
        shown = program.frame(film)
        if frame is None:
            percent, seconds = words[0], words[0]
            expected = client.duration * percent / 100 if "percent" in words[1] else client.duration + seconds
            frame = film.frame_at(expected)
        assert shown == frame, words
        assert client.time_pos == pytest.approx(shown / film.rate, abs=0.05)
    client.time_pos = 12.02
    until(lambda: client.seeking is False and abs(client.time_pos - 12) < 0.1, "time-pos is set")
    assert program.frame(film) == 300
    client.percent_pos = 25
    until(lambda: client.seeking is False and abs(client.time_pos - client.duration / 4) < 0.1, "percent-pos is set")


def test_a_pause_during_a_seek_holds_the_very_frame_that_was_sought(play, films):
    """M6, M7: for one seek, and for one that waits for another. A film that played on until its frame is shown would be
    behind it. The frames are the last ones of their groups, so that the pause is well before they are decoded."""
    film = films("360p-key250.mp4")
    program = play(film)
    for wanted in ([498], [998, 248], [748, 1248]):
        program.ipc.set("pause", False)
        program.ipc.wait_for("core-idle", lambda idle: idle is False)
        for number, frame in enumerate(wanted):
            program.ipc.command("seek", (frame + 0.5) / film.rate, "absolute+exact")
            if number == 0:
                program.ipc.set("pause", True)
        program.ipc.wait_for("seeking", lambda seeking: seeking is False)
        assert program.frame(film) == wanted[-1], wanted
        assert program.ipc.get("pause") is True


def test_seeks_before_the_film_is_open_are_remembered(play, films):
    """M6: seeks right after the socket listens, and right after a `loadfile`."""
    film, other = films("360p-key250.mp4"), films("360p-key50.mp4")
    program = play(film, "--paused", wait=False)
    program.ipc.command("seek", 30.02, "absolute+exact")
    program.ipc.wait_for("time-pos", lambda now: now is not None and abs(now - 30) < 0.1)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.frame(film) == 750
    program.ipc.command("loadfile", other.path)
    program.ipc.command("seek", 40.02, "absolute+exact")
    program.ipc.wait_for("time-pos", lambda now: now is not None and abs(now - 40) < 0.1)
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.frame(other) == 1000


def test_films_opened_without_a_pause_play_one_after_another(play, films):
    """T8: each waits until the one before has released plane and card; the last one is played."""
    names = ["silent.mp4", "360p-key50.mp4", "square-4x3.mp4", "360p-key250.mp4"]
    program = play(films(names[0]))
    for _ in range(3):
        for name in names:
            program.ipc.command("loadfile", films(name).path)
        program.ipc.command("stop")
        program.ipc.command("loadfile", films(names[1]).path)
        program.ipc.command("loadfile", films(names[3]).path)
        film = films(names[3])
        program.ipc.wait_for("path", lambda path: path == film.path)
        program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.3)
        assert program.reading(film).film == film.number
    assert program.complaints() == []


def test_the_end_is_reported_once(connected):
    """A5, M9: `eof-reached` at the end of a film, which waits at its start; false once it plays again."""
    film, program, client = connected("short.mp4", "--paused")
    reported = []
    client.bind_property_observer("eof-reached", lambda _, value: reported.append(value))
    until(lambda: False in reported, "it is observed")
    client.pause = False
    until(lambda: True in reported, "the end is reported")
    assert client.pause is True and client.eof_reached is True
    until(lambda: client.seeking is False, "it is back at the start")
    assert program.frame(film) == 0
    client.pause = False
    until(lambda: reported[-1] is False, "it plays again")
    assert [value for value in reported if value is not None] == [False, True, False]


def test_observers_hear_of_another_film(connected, films):
    """All values of another film, and of no film."""
    film, program, client = connected("silent.mp4", "--paused")
    other = films("square-4x3.mp4")
    reported = {}
    for name in ("path", "filename", "media-title", "width", "vo-configured", "playlist-count", "idle-active"):
        client.bind_property_observer(name, lambda name, value: reported.__setitem__(name, value))
    until(lambda: reported.get("filename") == "silent.mp4", "the first film")
    client.loadfile(other.path)
    until(lambda: reported.get("filename") == "square-4x3.mp4" and reported.get("width") == other.size[0], "the other film")
    until(lambda: reported["media-title"] == f"Test film {other.number}" and reported["vo-configured"] is True, "its media info")
    client.loadfile(film.path, "append")
    until(lambda: reported["playlist-count"] == 2, "the playlist")
    client.stop()
    until(lambda: reported["idle-active"] is True and reported["vo-configured"] is False, "nothing is played")
    until(lambda: reported["playlist-count"] == 0 and reported["path"] is None and reported["width"] is None, "no film is known")


def test_only_the_last_of_many_seeks_counts(play, films):
    """M7, M8: fifty at once."""
    film = films("360p-key250.mp4")
    program = play(film, "--paused")
    for number in range(50):
        program.ipc.command("seek", 1 + number, "absolute+exact")
    program.ipc.command("seek", 7.02, "absolute+exact")
    program.ipc.wait_for("seeking", lambda seeking: seeking is False)
    assert program.frame(film) == 175
    assert program.ipc.get("vitrine/seeks-sent") < program.ipc.get("vitrine/seeks-asked")


def test_observers(connected):
    """M2: the position is reported at least four times a second during playback, without gaps; a pause is reported at
    once."""
    _, program, client = connected("360p-key50.mp4")
    reported, paused = [], threading.Event()
    client.bind_property_observer("time-pos", lambda _, value: reported.append((time.monotonic(), value)))
    client.bind_property_observer("pause", lambda _, value: paused.set() if value else None)
    until(lambda: reported and reported[-1][0] > reported[0][0] + 11, "positions are reported")
    times = [value for _, value in reported if value is not None]
    assert times == sorted(times)
    # The first ones are sent when observing begins.
    reported_at = [at for at, _ in reported if at > reported[0][0] + 0.5]
    gaps = [after - before for before, after in zip(reported_at, reported_at[1:])]
    assert len(gaps) / (reported_at[-1] - reported_at[0]) >= 4 and max(gaps) <= 0.75, gaps
    client.pause = True
    assert paused.wait(2)


def test_a_paused_film_reports_its_position(connected):
    """M2, PAUSED: at every seek or step, and not while it stands."""
    film, program, client = connected("360p-key50.mp4", "--paused")
    reported = []
    client.bind_property_observer("time-pos", lambda _, value: reported.append(value))
    until(lambda: reported, "the position is reported")
    for lead, place in (
        (lambda: client.seek(20, "absolute", "exact"), 20), (lambda: client.seek(10.02, "absolute", "exact"), 10),
        (lambda: client.command("frame-step"), 10.04),
    ):  # fmt: skip
        lead()
        until(lambda: reported[-1] == pytest.approx(place, abs=0.02) and not client.seeking, f"{place} is reported")
    known = len(reported)
    time.sleep(1)  # Nothing is what must happen.
    assert len(reported) == known


def after(event: str, seen: list[str]) -> list[str]:
    """From the first such event on: earlier ones belong to the film before."""
    return seen[seen.index(event) :] if event in seen else []


def test_events(connected):
    film, program, client = connected("silent.mp4")
    seen = []
    for name in ("start-file", "file-loaded", "end-file", "playback-restart", "seek", "shutdown"):
        client.bind_event(name, lambda data: seen.append(data["event"]))
    client.loadfile(film.path)
    until(lambda: "playback-restart" in after("end-file", seen), "the film is loaded")
    assert after("end-file", seen) == ["end-file", "start-file", "file-loaded", "playback-restart"]
    del seen[:]
    client.seek(5, "absolute")
    until(lambda: "playback-restart" in seen, "the seek is reported")
    assert seen == ["seek", "playback-restart"]


def test_loadfile_stop_and_append(connected, films):
    film, program, client = connected("silent.mp4")
    other = films("square-4x3.mp4")
    client.loadfile(other.path)
    until(lambda: client.path == other.path and client.vo_configured, "the other film is there")
    program.wait_until_shown()
    until(lambda: client.time_pos > 0.2, "it plays")
    assert program.reading(other).film == other.number
    client.loadfile(film.path, "append")
    assert client.playlist_count == 2
    client.playlist_next()
    until(lambda: client.path == film.path and client.playlist_pos == 1, "the next one")
    client.stop()
    until(lambda: client.idle_active, "nothing is played")
    until(lambda: not program.screenshot().any(), "the display is black")
    client.loadfile(film.path, "append")
    assert client.idle_active and client.playlist_pos == -1 and client.path is None, "appended is not played"
    client.loadfile(other.path, "append-play")
    until(lambda: client.playlist_pos == 1 and client.path == other.path and client.vo_configured, "it plays again")
    assert client.idle_active is False and client.playlist_count == 2


def test_what_mpvs_clients_send(play, films):
    """A phone's remote, a home automation and a status line, one after another: their requests are done."""
    first, second, third = films("silent.mp4"), films("square-4x3.mp4"), films("360p-key50.mp4")
    program = play(first, second, third, "--paused")
    names = lambda: [entry["filename"].rsplit("/", 1)[1] for entry in program.ipc.get("playlist")]  # noqa: E731
    # The remote: everything is text.
    program.ipc.command("playlist-move", "0", "3")
    assert names() == ["square-4x3.mp4", "360p-key50.mp4", "silent.mp4"] and program.ipc.get("playlist-pos-1") == 3
    program.ipc.command("playlist-remove", "1")
    program.ipc.command("playlist-play-index", "0")
    program.ipc.wait_for("path", lambda path: path == second.path)
    program.ipc.wait_for("vo-configured")
    assert program.reading(second).film == second.number
    assert program.ipc.get("metadata/list/count") == len(program.ipc.get("metadata"))
    # The automation: next in the list, then on to it.
    program.ipc.command("loadfile", third.path, "insert-next")
    assert names() == ["square-4x3.mp4", "360p-key50.mp4", "silent.mp4"]
    program.ipc.command("playlist-next")
    program.ipc.wait_for("path", lambda path: path == third.path)
    program.ipc.command("playlist-remove", "current")
    program.ipc.wait_for("path", lambda path: path == first.path)
    program.ipc.set("volume", 110)
    program.ipc.set("pause", False)
    program.ipc.wait_for("duration")
    # The status line, and the texts on the screen.
    assert program.ipc.command("expand-text", "${?pause==no:play} ${volume}% #${playlist-pos-1}/${playlist-count} ${nosuch:-}") \
        == "play 100% #2/2 -"
    listener = program.connect()
    listener.get("path")
    text = program.connect()
    text._socket.sendall(b'show-text "${filename} of ${duration}" 100000; script-message next-exhibit ${volume}\n')
    assert program.ipc.wait_for("vitrine/message") == "silent.mp4 of 00:00:20"
    program.ipc.wait_for("vitrine/osd-visible")
    assert listener.wait_for_event("client-message")["args"] == ["next-exhibit", "100"]
    with pytest.raises(IPCError, match="invalid parameter"):
        program.ipc.command("ab-loop")


def test_a_films_own_options_end_with_it(play, films):
    """As clients of mpv 0.38 load it, and earlier ones; its start place is visible at once."""
    film, other = films("360p-key50.mp4"), films("silent.mp4")
    program = play(other, "--volume", "80")
    frames = {"50%": film.frames // 2, "-1": film.frames - film.rate, "00:10": 10 * film.rate}
    for start, words in (
        ("50%", (-1, "start=50%,pause=yes,volume=20,speed=2,loop-file=inf")),
        ("-1", ("0", {"start": "-1", "pause": "yes", "volume": "20", "speed": "2", "loop-file": "inf"})),
        ("00:10", ("start=00:10,pause=yes,volume=20,speed=2,loop-file=inf",)),
    ):
        program.ipc.command("loadfile", film.path, "replace", *words)
        program.ipc.wait_for("path", lambda path: path == film.path)
        program.ipc.wait_for("seeking", lambda seeking: seeking is False)
        program.ipc.wait_for("vitrine/frame-time", lambda now: now == round(frames[start] / film.rate * 1e9))
        assert abs(program.ipc.get("time-pos") * film.rate - frames[start]) < 1
        assert program.frame(film) == frames[start]
        values = {name: program.ipc.get(name) for name in ("pause", "volume", "speed", "loop-file")}
        assert values == {"pause": True, "volume": 20, "speed": 2, "loop-file": "inf"}
        # Its first frame was held back.
        shown = [time for time, _ in program.ipc.get("vitrine/recent-frames")]
        assert shown[-2:].count(round(frames[start] / film.rate * 1e9)) == 1
        program.ipc.command("loadfile", other.path)
        program.ipc.wait_for("path", lambda path: path == other.path)
        values = {name: program.ipc.get(name) for name in ("pause", "volume", "speed", "loop-file")}
        assert values == {"pause": False, "volume": 80, "speed": 1, "loop-file": False}
        program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0)
    for option in ("sub-files=/x.srt", "end=2", "volume=loud"):
        with pytest.raises(IPCError, match="invalid parameter"):
            program.ipc.command("loadfile", film.path, "replace", option)
    assert program.ipc.get("path") == other.path


def test_each_entry_starts_and_ends_once_for_clients(play, films, tmp_path):
    """A5: by unique numbers, whatever happens in between; a film in another pipeline has not started anew."""
    film, other = films("short.mp4"), films("silent.mp4")
    program = play(film, "--paused")
    assert program.ipc.get("playlist/0/id") == 1
    observer = program.connect()
    # It does not get earlier reports.
    observer.get("path")
    assert program.ipc.command("loadfile", other.path) == {"playlist_entry_id": 2}
    program.ipc.wait_for("path", lambda path: path == other.path)
    program.ipc.wait_for("vo-configured")
    program.ipc.set("vitrine/gravity", "fill")
    program.ipc.wait_for("vo-configured")
    (tmp_path / "list.m3u").write_text(f"{film.path}\n{other.path}\n")
    answer = program.ipc.command("loadlist", str(tmp_path / "list.m3u"), "append")
    assert answer == {"playlist_entry_id": 3, "num_entries": 2}
    program.ipc.command("playlist-next")
    program.ipc.wait_for("path", lambda path: path == film.path)
    program.ipc.set("pause", False)
    # It follows by itself.
    program.ipc.wait_for("path", lambda path: path == other.path)
    program.ipc.command("playlist-clear")
    assert program.ipc.get("playlist/0/id") == 4
    program.ipc.command("quit")
    program.wait_until_ended()
    events = []
    try:
        observer.wait_for_event("property-change", timeout=5)
    except (ConnectionError, TimeoutError):
        events = [(event["event"], event["playlist_entry_id"], event.get("reason"))
                  for event in observer.events if event["event"] in ("start-file", "end-file")]
    assert events == [
        ("end-file", 1, "stop"), ("start-file", 2, None), ("end-file", 2, "stop"), ("start-file", 3, None),
        ("end-file", 3, "eof"), ("start-file", 4, None), ("end-file", 4, "quit")]  # fmt: skip


def test_a_film_that_is_not_there(connected):
    film, program, client = connected("silent.mp4")
    with pytest.raises(python_mpv_jsonipc.MPVError):
        client.loadfile("/nowhere/film.mp4")
    assert client.path == film.path, "the film before goes on"


def test_screenshot(connected, tmp_path):
    film, program, client = connected("360p-key50.mp4", "--paused")
    path = tmp_path / "shot.png"
    client.command("screenshot-to-file", str(path))
    assert path.read_bytes()[:4] == b"\x89PNG"
    with pytest.raises(python_mpv_jsonipc.MPVError):
        client.command("screenshot-to-file", "/nowhere/shot.png")


def test_quit(connected):
    _, program, client = connected("silent.mp4")
    gone = threading.Event()
    client.quit_callback = gone.set
    client.command("quit", 3)
    assert program.wait_until_ended() == 3
    assert gone.wait(2)


@pytest.mark.parametrize(
    "words, error",
    [
        (["get_property", "no-such-thing"], "property not found"),
        (["set_property", "no-such-thing", 1], "property not found"),
        (["set_property", "pause", "perhaps"], "unsupported format for accessing property"),
        (["set_property", "duration", 3], "error accessing property"),
        (["dance"], "invalid parameter"),
        (["seek"], "invalid parameter"),
        (["seek", "soon"], "invalid parameter"),
        (["loadfile", "/nowhere/film.mp4"], "loading failed"),
        (["screenshot-to-file", "/nowhere/shot.png"], "error running command"),
    ],
)
def test_errors_are_worded_as_mpv_words_them(play, films, words, error):
    program = play(films("silent.mp4"), "--paused")
    with pytest.raises(IPCError) as refused:
        program.ipc.command(*words)
    assert str(refused.value) == error
    assert program.ipc.get("pause") is True, "it goes on"


def test_a_client_that_never_reads_does_not_stop_the_film(play, films):
    """T1: one client is stuck, another and the film are not."""
    film = films("360p-key50.mp4")
    program = play(film)
    stuck = program.connect()
    for number in range(20):
        stuck.command("observe_property", number + 1, "time-pos")
    for _ in range(2000):
        stuck._socket.settimeout(0.01)
        try:
            stuck._socket.sendall(b'{"command":["get_property","property-list"]}\n')
        except (TimeoutError, OSError):
            break
    shown = program.ipc.get("vitrine/frames-shown")
    program.ipc.wait_for_counter("vitrine/frames-shown", lambda now: now > shown + 10)
    stuck.close()
