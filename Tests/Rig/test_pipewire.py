"""With a running PipeWire, sound can come out of its loudspeakers, too: those of the network, by AirPlay (A15)."""

import contextlib
import json
import os
import pathlib
import subprocess
import time

import numpy
import pytest

import airplay
import sounds
import test_embed as embed
from test_embed import embedding  # noqa: F401, a fixture
from test_sounds import plays_on, wait_for_route, wait_until
from thorough import also

# The output if ALSA has settings of its own, like those for PipeWire.
DEFAULT = "alsa/default"
FOYER = f"pipewire/{airplay.NODE}"


@pytest.fixture
def speaker(tmp_path):
    with loudspeaker(tmp_path) as speaker:
        yield speaker


@contextlib.contextmanager
def loudspeaker(tmp_path, modules: str = airplay.RAOP, announcement: airplay.Announcement | None = None):
    if airplay.missing():
        pytest.skip(f"not there: {', '.join(airplay.missing())}; tools/packages rig and tools/rig.d/pipewire-alsa bring them")
    folder = tmp_path / "airplay"
    folder.mkdir()
    speaker = airplay.Speaker(folder, modules)
    try:
        speaker.begin_listening()
        if announcement:
            announcement.begin()
        speaker.begin()
        yield speaker
    finally:
        if announcement:
            announcement.close()
        speaker.end()
        print(speaker.words())


def list_routes(environment: dict[str, str]) -> dict[str, dict]:
    result = subprocess.run(
        [os.environ["VITRINE_BIN"], "sounds", "--json"], capture_output=True, text=True, timeout=60,
        env={**os.environ, **environment})
    assert result.returncode == 0, result.stderr
    return {route["id"]: route for route in json.loads(result.stdout)["routes"]}


def test_a_loudspeaker_on_the_network_is_chosen_while_a_film_plays(play, films, speaker):
    """It is listed by its name, and heard; sound goes there only on request. When it is switched off, or PipeWire ends,
    the film continues, and is heard elsewhere; it is used again when both are back."""
    routes = list_routes(speaker.environment)
    assert routes[FOYER]["name"] == airplay.NAME and routes[FOYER]["kind"] == "network"
    assert FOYER not in list_routes({"XDG_RUNTIME_DIR": "/nowhere"})
    film = films("long-tone.mp4")
    program = play(film, "--end", "loop", environment=speaker.environment)
    wait_for_route(program, DEFAULT, timeout=40)
    program.ipc.wait_for("audio-device-list", lambda all: FOYER in [one["name"] for one in all])
    program.ipc.set("audio-device", airplay.NAME)
    wait_for_route(program, FOYER)
    speaker.wait_until_heard()
    assert program.ipc.get("vitrine/rebuilds") == 0
    speaker.end("speaker")
    # PipeWire's sink stays, and nothing reports that its loudspeaker has ended (0.3.65; 1.4.2 has the same code): the sound of a node
    # that a file describes is lost until PipeWire starts again. Of a loudspeaker that is found by mDNS, the node goes.
    for _ in range(8):
        plays_on(program, film)
    assert program.ipc.get("vitrine/rebuilds") == 0
    # The second server differs from the one at the program's start.
    for count in (1, 2, 3):
        feeders = sound_threads(program)
        speaker.end("wireplumber", "pipewire")
        wait_for_route(program, DEFAULT, timeout=40)
        plays_on(program, film)
        program.wait_for_log("PipeWire has ended", count=count)
        assert program.ipc.get("audio-device") == airplay.NAME
        # The film is reopened each time a server ends; the return needs none of that.
        assert program.ipc.get("vitrine/rebuilds") == count
        check_rest(program, film, feeders)
        if count == 1:
            speaker.begin_listening()
        speaker.begin()
        wait_for_route(program, FOYER, timeout=40)
        speaker.wait_until_heard()
        plays_on(program, film)
    assert program.ipc.get("vitrine/rebuilds") == 3


@pytest.mark.parametrize("wrapped", [False, *also(True)], ids=["as-installed", "wrapped"])
def test_a_server_behind_alsas_default_ends_while_a_film_plays(play, films, speaker, wrapped):
    """The film goes on without sound, and has it again once the server is back, each time."""
    film = films("long-tone.mp4")
    environment = speaker.wrapped_environment if wrapped else speaker.default_environment
    program = play(film, "--end", "loop", environment=environment)
    for count in (1, 2):
        wait_for_route(program, DEFAULT, timeout=40)
        plays_on(program, film)
        if count == 2:  # The first time the server may end before it is found, which is done beside the film.
            program.ipc.wait_for("audio-device-list", lambda all: FOYER in [one["name"] for one in all], timeout=40)
        feeders = sound_threads(program)
        speaker.end("wireplumber", "pipewire")
        program.wait_for_log("PipeWire has ended", count=count)
        wait_for_route(program, None)
        plays_on(program, film)
        check_rest(program, film, feeders)
        assert program.ipc.get("vitrine/rebuilds") == count
        speaker.begin()
    wait_for_route(program, DEFAULT, timeout=40)
    plays_on(program, film)


@pytest.mark.thorough
def test_a_server_ends_where_gstreamer_cannot_list_its_sinks(play, films, speaker, tmp_path):
    """`pipewire-alsa` is there and GStreamer's plugin is not: the film has sound again all the same once the server is back."""
    plugins = tmp_path / "plugins"
    plugins.mkdir()
    for file in pathlib.Path("/usr/lib").glob("*-linux-gnu/gstreamer-1.0/*.so"):
        if "pipewire" not in file.name:
            (plugins / file.name).symlink_to(file)
    hidden = {"GST_PLUGIN_SYSTEM_PATH_1_0": str(plugins), "GST_REGISTRY_1_0": str(tmp_path / "registry")}
    film = films("long-tone.mp4")
    program = play(film, "--end", "loop", environment=speaker.default_environment | hidden)
    wait_for_route(program, DEFAULT, timeout=40)
    plays_on(program, film)
    assert FOYER not in [one["name"] for one in program.ipc.get("audio-device-list")]
    speaker.end("wireplumber", "pipewire")
    program.wait_for_log("PipeWire has ended")
    wait_for_route(program, None)
    plays_on(program, film)
    speaker.begin()
    wait_for_route(program, DEFAULT, timeout=40)
    plays_on(program, film)


def test_a_loudspeaker_behind_alsas_default_may_be_forbidden(embedding, films, speaker):
    """ALSA's default is PipeWire, whose only sink is on the network."""
    begin = speaker.size()
    film = films("long-tone.mp4")
    program = embedding("Stage", film, environment=speaker.default_environment)

    def wait_for_route(is_wanted) -> None:
        program.wait_for(lambda: is_wanted(program.reported("route")["route"]) or None)

    program.order("external off")
    program.order("play film.mp4")
    wait_for_route(lambda route: route.startswith("alsa/") and route != DEFAULT)
    program.wait_for_frame(100, embed.fit(film.aspect), film)
    assert not speaker.heard(begin).any()
    program.order("external on")
    wait_for_route(lambda route: route == DEFAULT)
    speaker.wait_until_heard()
    program.order("external off")
    wait_for_route(lambda route: route.startswith("alsa/") and route != DEFAULT)
    program.order("close")


def check_rest(program, film, feeders: list[pathlib.Path]) -> None:
    """The threads that fed the sink take no processor any more."""
    begin, used = time.monotonic(), processor_time(feeders)
    plays_on(program, film)
    share = (processor_time(feeders) - used) / (time.monotonic() - begin)
    assert share < 0.15, f"the threads that fed the sink take {share:.0%} of a processor"


def sound_threads(program) -> list[pathlib.Path]:
    """The threads behind the sound's queue: they feed the sink."""
    found = []
    for thread in pathlib.Path(f"/proc/{program.process.pid}/task").iterdir():
        with contextlib.suppress(OSError):
            if (thread / "comm").read_text().startswith("sound-queue"):
                found.append(thread)
    assert found
    return found


def processor_time(threads: list[pathlib.Path]) -> float:
    """In s, of those that have not ended."""
    ticks = 0
    for thread in threads:
        with contextlib.suppress(OSError):
            ticks += sum(int(word) for word in (thread / "stat").read_text().rsplit(")", 1)[1].split()[11:13])
    return ticks / os.sysconf("SC_CLK_TCK")


def test_a_sink_that_vanishes_is_used_again_each_time_it_is_back(play, films, speaker):
    """The server stays: the film is not reopened."""
    film = films("long-tone.mp4")
    hall = speaker.add_sink("Hall")
    program = play(film, "--sound", "Hall", "--end", "loop", environment=speaker.environment)
    wait_for_route(program, "pipewire/hall")
    for _ in range(2):
        plays_on(program, film)
        hall.remove()
        wait_for_route(program, DEFAULT)
        plays_on(program, film)
        hall.add()
        wait_for_route(program, "pipewire/hall")
    plays_on(program, film)
    hall.remove()
    assert program.ipc.get("vitrine/rebuilds") == 0 and "PipeWire has ended" not in program.log()


def test_a_film_begins_at_a_loudspeaker_on_the_network(play, films, speaker):
    program = play(films("long-tone.mp4"), "--sound", airplay.NAME, environment=speaker.environment)
    wait_for_route(program, FOYER)
    speaker.wait_until_heard()
    for place in (10, 30):
        program.ipc.command("seek", place, "absolute+exact")
        program.ipc.wait_for("time-pos", lambda now: now is not None and place < now < place + 10)
    program.ipc.set("pause", True)
    program.ipc.wait_for("core-idle")
    program.ipc.set("pause", False)
    speaker.wait_until_heard()
    assert program.ipc.get("vitrine/rebuilds") == 0 and "no sound" not in program.log()


def test_a_server_that_does_not_answer_keeps_no_film_waiting(play, films, speaker):
    film = films("long-tone.mp4")
    with speaker.silent():
        program = play(film, "--sound", airplay.NAME, environment=speaker.environment)
        plays_on(program, film)
        program.wait_for_log(f"sound cannot come out of \"{airplay.NAME}\"")
    wait_for_route(program, FOYER, timeout=40)
    speaker.wait_until_heard()
    assert program.ipc.get("vitrine/rebuilds") == 0


def test_a_tone_is_heard_from_a_loudspeaker_on_the_network(speaker):
    begin = speaker.size()
    tone = subprocess.run(
        [os.environ["VITRINE_BIN"], "sounds", "--test", airplay.NAME.lower()], capture_output=True, text=True, timeout=60,
        env={**os.environ, **speaker.environment})
    assert tone.returncode == 0 and tone.stdout == f"a tone on {airplay.NAME}\n", tone.stderr
    # The loudspeaker plays it up to two seconds later.
    wait_until(lambda: numpy.count_nonzero(abs(speaker.heard(begin)) > 0.1) > airplay.RATE // 10, "tone")
    heard = speaker.heard(begin)
    first = numpy.flatnonzero(abs(heard) > 0.1)[0]
    assert sounds.is_near(sounds.pitch(heard[first:][: airplay.RATE // 5], airplay.RATE), 440)


@pytest.mark.parametrize("how", ["goodbye", *also("power cut")])
def test_a_loudspeaker_that_is_found_on_the_network(play, films, tmp_path, how):
    """PipeWire finds it by mDNS, and names its node. It comes and goes while a film plays: it says goodbye when it is switched off.
    After a power cut, its record expires."""
    announcement = airplay.Announcement(lifetime=120 if how == "goodbye" else 10)
    film = films("long-tone.mp4")
    with loudspeaker(tmp_path, airplay.DISCOVER, announcement) as speaker:
        found = [route for route in list_routes(speaker.environment).values() if route["name"] == airplay.NAME]
        assert [route["kind"] for route in found] == ["network"], found
        program = play(film, "--sound", airplay.NAME, "--end", "loop", environment=speaker.environment)
        wait_for_route(program, found[0]["id"], timeout=40)
        speaker.wait_until_heard()
        announcement.end(says_goodbye=how == "goodbye")
        wait_for_route(program, DEFAULT, timeout=40)
        plays_on(program, film)
        announcement.begin()
        # Debian 12's PipeWire counts the sinks in their nodes' names.
        program.ipc.wait_for("vitrine/sound-route", lambda now: now is not None and now.startswith("pipewire/"),
                             timeout=40)
        speaker.wait_until_heard()
        assert program.ipc.get("vitrine/rebuilds") == 0
        program.stop()
