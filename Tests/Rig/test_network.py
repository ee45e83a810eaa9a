"""Films by HTTP (M1, M4, M10), from a web server on the loopback, and a proxy that misbehaves."""

import contextlib
import json
import shutil
import subprocess
import time

import pytest

import servers
from bar import Layout, has_live_mark, hold_bar, lift, thumb, wait_for_frame
from ipc import IPCError
from network import FILM, NETWORK, NO_CONNECTION, bytes_a_second, inspected, plays_on, proxy, said, serve, shows_frames
from thorough import also

LAYOUT = Layout()


class TestWebServer:
    def test_a_film_is_played_and_sought(self, play, films, serve):
        """By byte ranges."""
        film, server = films(FILM), serve()
        program = play(server.url(FILM))
        plays_on(program)
        assert program.ipc.get("duration") == pytest.approx(film.seconds, abs=0.1)
        assert program.ipc.get("seekable") is True
        assert program.reading(film).film == film.number
        program.ipc.set("pause", True)
        program.ipc.command("seek", 50.02, "absolute+exact")
        wait_for_frame(program, film, 1250)
        assert program.ipc.get("vitrine/rebuilds") == 0

    def test_a_film_ends_and_begins_again(self, play, films, serve):
        film = films("short.mp4")
        program = play(serve().url("short.mp4"), "--loop")
        program.ipc.wait_for_counter("vitrine/ends", lambda count: count >= 3, timeout=30)
        assert program.reading(film).film == film.number

    def test_without_ranges_there_is_no_bar(self, play, films, serve, panel):
        """M4: the film plays; there is no bar to hold, and no seek is started. It is not live (M11)."""
        film = films(FILM)
        program = play(serve(ranges=False).url(FILM))
        panel.wait_until_read()
        plays_on(program, 0.5)
        assert program.ipc.get("seekable") is False
        assert program.ipc.get("duration") == pytest.approx(film.seconds, abs=0.1)
        finger = hold_bar(program, panel)
        program.ipc.wait_for_counter("vitrine/osd-updates")
        picture = program.screenshot()
        assert thumb(picture) is None and not has_live_mark(picture)
        finger.up()
        finger.down(LAYOUT.x(0.8), LAYOUT.y)
        lift(program, finger)
        with pytest.raises(IPCError):
            program.ipc.command("seek", 50, "absolute")
        with pytest.raises(IPCError):
            program.ipc.set("time-pos", 50)
        assert plays_on(program) < 40
        assert program.ipc.get("vitrine/seeks-sent") == 0

    @pytest.mark.parametrize("ranges", [True, False])
    def test_a_film_is_inspected(self, play, serve, ranges):
        """As it plays: seekable if the server supports ranges."""
        end = "00:01:00" if ranges else "00:01:00, not seekable"
        assert inspected(play, serve(ranges=ranges).url(FILM)) == end

    def test_without_ranges_a_film_begins_again(self, play, films, serve):
        program = play(serve(ranges=False).url("short.mp4"), "--loop")
        program.ipc.wait_for_counter("vitrine/ends", lambda count: count >= 2, timeout=30)
        shows_frames(program)

    def test_a_password_is_used_and_not_shown(self, play, serve):
        server = serve(access={"ann": "secret"})
        program = play(server.url("short.mp4", access="ann:secret"), "--log", "debug")
        assert program.ipc.get("path") == server.url("short.mp4", access="ann")
        assert program.ipc.get("playlist")[0]["filename"] == program.ipc.get("path")
        plays_on(program, 0.5)
        assert "secret" not in program.log()
        program.ipc.command("quit")
        program.wait_until_ended()
        refused = play.run("play", server.url("short.mp4", access="ann:wrong"), "--log", "debug")
        assert refused.wait_until_ended(20) == NETWORK
        assert "HTTP 401" in refused.log() and "wrong" not in refused.log()


    def test_a_password_with_a_bar_is_in_no_property(self, play, serve):
        """GStreamer's own texts may contain it unchanged, or with %7C in its place."""
        server = serve(access={"ann": "q|s3cret|r"})
        program = play(server.url("short.mp4", access="ann:q|s3cret|r"), "--log", "debug")
        plays_on(program, 0.3)
        names = program.ipc.get("property-list")
        assert {"path", "media-title", "playlist", "metadata", "vitrine/message"} <= set(names)
        for name in names:
            try:
                assert "s3cret" not in json.dumps(program.ipc.get(name)), name
            except IPCError as error:
                assert str(error) == "property unavailable", name
        assert program.ipc.get("path") == server.url("short.mp4", access="ann") and "s3cret" not in program.log()

    @pytest.mark.parametrize("sign", ["#", "/", "|", *also("?", "@", "%")])
    def test_a_password_with_signs_is_shown_nowhere(self, play, sign):
        """Nobody listens there: the address appears only in errors."""
        addresses = [f"{scheme}://ann:q{sign}s3cret{sign}r@127.0.0.1:9/live" for scheme in ("rtsp", "http")]
        program = play.run("play", *addresses, "--log", "debug")
        assert program.wait_until_ended(30) != 0
        assert "rtsp://ann@127.0.0.1:9/live" in program.log() and "s3cret" not in program.log()
        for address in addresses:
            inspection = play.run("inspect", address)
            assert inspection.wait_until_ended(30) != 0
            assert "://ann@127.0.0.1:9/live" in inspection.log() and "s3cret" not in inspection.log()

    def test_an_index_at_the_end_without_ranges(self, play, films, serve, tmp_path):
        """Reported in words, and not tried again: no connection was lost."""
        picture = "testsrc=size=640x360:rate=25:duration=3"
        words = ["-f", "lavfi", "-i", picture, "-c:v", "rawvideo", "-pix_fmt", "yuv420p", str(tmp_path / "end.mov")]
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", *words], check=True)
        film, address = films("silent.mp4"), serve(tmp_path, ranges=False).url("end.mov")
        program = play(address, film, wait=False)
        program.ipc.wait_for("vitrine/message", lambda text: text == "end: The server cannot send this film as it is. Copy it here.")
        program.ipc.wait_for("path", lambda path: path == film.path)
        assert "-movflags +faststart" in program.log() and "tried again" not in program.log()
        program.ipc.command("quit")
        inspection = play.run("inspect", address)
        assert inspection.wait_until_ended(30) == 1 and "-movflags +faststart" in inspection.log()

    @pytest.mark.parametrize("way", ["redirect", "no-length", *also("slow", "text/plain", "video/x-matroska")])
    @pytest.mark.parametrize("index", ["end", *also("front")])
    def test_an_odd_server_plays_and_is_sought(self, play, films, tmp_path, way, index):
        """A film whose index is at its end is read with ranges, too. If the server does not give the length, the film
        plays, and is not seekable: souphttpsrc requests ranges only for a known length."""
        film = films("short.mp4")
        path = tmp_path / "film.mp4"
        flags = ["-movflags", "+faststart"] if index == "front" else []
        subprocess.run(
            ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", film.path, "-c", "copy", *flags, str(path)], check=True)  # fmt: skip
        with contextlib.closing(servers.OddServer(str(path), way)) as server:
            program = play(server.url, "--paused", wait=False).wait_until_shown(timeout=60)
            assert program.ipc.get("seekable") is (way != "no-length")
            if way == "no-length":
                program.ipc.set("pause", False)
                program.ipc.wait_for_counter("vitrine/ends", timeout=30)
            else:
                program.ipc.command("seek", 1.02, "absolute+exact")
                wait_for_frame(program, film, 25, timeout=30)

    @pytest.mark.parametrize("name, text", [("a.m3u", "#EXTM3U\nfilm.mp4\n"), *also(("a.pls", "[playlist]\nFile1=film.mp4\n"))])
    def test_a_list_on_a_server_is_refused_as_a_list(self, play, serve, tmp_path, name, text):
        (tmp_path / name).write_text(text)
        program = play.run("play", serve(tmp_path).url(name))
        assert program.wait_until_ended(30) == 3
        assert "a list of films is not read from a server" in program.log()


class TestSlowServer:
    """M10."""

    def test_buffering_is_shown_and_the_film_waits(self, play, films, proxy):
        """Half of the rate that the film needs: it pauses, reports it, and continues by itself; the requested state is
        kept."""
        film = films(FILM)
        proxy.limit(bytes_a_second(film) * 2)
        program = play(proxy.url(FILM))
        plays_on(program, 2)
        proxy.limit(bytes_a_second(film) / 2)
        program.ipc.wait_for("paused-for-cache", timeout=40)
        # So that it stays so while the test looks.
        proxy.stall()
        program.ipc.wait_for("core-idle")
        at = program.ipc.get("time-pos")
        assert program.ipc.get("pause") is False
        assert program.ipc.get("cache-buffering-state") < 100
        assert said(program).startswith("Buffering ") and said(program).endswith("%")
        assert program.ipc.get("vitrine/osd-visible") is True
        time.sleep(1)  # Nothing is what must happen.
        assert program.ipc.get("time-pos") == pytest.approx(at, abs=0.3), "the film does not wait"
        proxy.limit(None)
        proxy.stall(False)
        program.ipc.wait_for("paused-for-cache", lambda waits: waits is False, timeout=40)
        assert plays_on(program) > at
        assert program.ipc.get("cache-buffering-state") == 100 and said(program) is None

    def test_what_is_paused_stays_paused(self, play, films, proxy):
        film = films(FILM)
        proxy.limit(bytes_a_second(film) / 2)
        program = play(proxy.url(FILM))
        program.ipc.set("pause", True)
        program.ipc.wait_for("paused-for-cache", timeout=40)
        proxy.limit(None)
        program.ipc.wait_for("paused-for-cache", lambda waits: waits is False, timeout=40)
        stands = program.ipc.get("time-pos")
        time.sleep(1)  # Nothing is what must happen.
        assert program.ipc.get("time-pos") == pytest.approx(stands, abs=0.05)

    def test_how_far_it_is_loaded(self, play, films, proxy):
        """`demuxer-cache-time`, which is also the bar's: ahead of the film, and no further than the server has sent."""
        film = films(FILM)
        rate = bytes_a_second(film)
        proxy.limit(rate * 1.5)
        began = time.monotonic()
        program = play(proxy.url(FILM))
        plays_on(program, 3)
        loaded = program.ipc.wait_for("demuxer-cache-time", lambda time: time is not None and time > 0)
        # Data in socket buffers is sent, too, and no second has the same bytes as another.
        assert program.ipc.get("time-pos") - 0.5 <= loaded <= (time.monotonic() - began) * 1.5 + 5
        later = program.ipc.wait_for("demuxer-cache-time", lambda time: time is not None and time > loaded + 2, timeout=20)
        assert later < film.seconds
        proxy.limit(None)

    def test_a_seek_waits_for_what_it_needs(self, play, films, proxy):
        """Longer than a seek in a file may take, and nothing is rebuilt for it."""
        film = films(FILM)
        program = play(proxy.url(FILM), "--paused")
        proxy.stall()
        program.ipc.command("seek", 50.02, "absolute+exact")
        time.sleep(4)  # A film at hand would be opened anew by now.
        assert program.ipc.get("seeking") is True
        proxy.stall(False)
        wait_for_frame(program, film, 1250, timeout=20)
        assert program.ipc.get("vitrine/rebuilds") == 0


class TestBrokenConnection:
    """The film continues at its position, behind its last frame."""

    @pytest.fixture
    def near(self, play, films, proxy):
        """A film of which little more is loaded than is visible."""
        film = films(FILM)
        proxy.limit(bytes_a_second(film) * 1.5)
        program = play(proxy.url(FILM), "--log", "info")
        plays_on(program, 2)
        return program

    def test_a_reset_is_not_seen(self, near, proxy):
        """The source reconnects by itself."""
        connections = proxy.connections
        proxy.reset()
        at = plays_on(near, 6, timeout=40)
        assert proxy.connections > connections
        assert at < 30 and "tried again" not in near.log()

    @pytest.mark.parametrize("seconds", [0, pytest.param(20, marks=pytest.mark.slow)])
    def test_a_server_that_is_gone_for_a_while(self, near, films, proxy, console, seconds):
        """For a few attempts that fail, and at least for that time."""
        film = films(FILM)
        lit = set(console.planes())
        proxy.leave()
        left = time.monotonic()
        near.ipc.wait_for("vitrine/message", lambda text: text == NO_CONNECTION, timeout=60)
        at = near.ipc.get("time-pos")
        assert near.ipc.get("paused-for-cache") is True and near.ipc.get("pause") is False
        assert near.ipc.get("vitrine/osd-visible") is True
        near.wait_for_log("tried again in 4 s", timeout=40)
        time.sleep(max(0.0, left + seconds - time.monotonic()))
        assert lit <= set(console.planes()), "the last frame is gone"
        assert abs(near.frame(film) / film.rate - at) < 1
        assert near.log().count("playing ") == 1
        proxy.limit(None)
        proxy.come_back()
        near.ipc.wait_for("paused-for-cache", lambda waits: waits is False, timeout=40)
        near.wait_for_log("tried again in 1 s")
        now = plays_on(near)
        assert at - 1 < now < at + 15, "it does not go on where it was"
        assert near.reading(film).film == film.number and said(near) is None
        # With the details for the operator.
        assert "(stream 1)" in near.log() and proxy.url(FILM) in near.log()

    @pytest.mark.parametrize("status", [503, *also(500)])
    def test_a_server_that_fails_for_a_while(self, near, films, proxy, status):
        """It is the server's own trouble, and may pass."""
        film = films(FILM)
        proxy.answer(status)
        proxy.reset()
        near.wait_for_log(f"HTTP {status}): tried again", timeout=60)
        at = near.ipc.get("time-pos")
        proxy.limit(None)
        proxy.answer(None)
        near.ipc.wait_for("paused-for-cache", lambda waits: waits is False, timeout=40)
        assert at - 1 < plays_on(near) < at + 15
        assert near.reading(film).film == film.number

    def test_what_is_asked_meanwhile_is_done(self, near, films, proxy):
        """A pause and a seek while there is no connection (M6)."""
        proxy.leave()
        near.ipc.wait_for("vitrine/message", lambda text: text == NO_CONNECTION, timeout=60)
        near.ipc.set("pause", True)
        near.ipc.command("seek", 50.02, "absolute+exact")
        assert near.ipc.get("time-pos") == pytest.approx(50.02, abs=0.1)
        proxy.limit(None)
        proxy.come_back()
        wait_for_frame(near, films(FILM), 1250, timeout=60)
        assert near.ipc.get("core-idle") is True

    def test_a_server_that_falls_silent(self, near, proxy):
        """The source waits 15 s for it, then asks again."""
        proxy.stall()
        near.ipc.wait_for("paused-for-cache", timeout=40)
        near.ipc.wait_for("core-idle")
        at = near.ipc.get("time-pos")
        time.sleep(2)
        assert near.ipc.get("time-pos") == pytest.approx(at, abs=0.3)
        proxy.limit(None)
        proxy.stall(False)
        near.ipc.wait_for("paused-for-cache", lambda waits: waits is False, timeout=60)
        assert at - 1 < plays_on(near) < at + 15

    def test_a_film_that_is_taken_away(self, play, films, proxy):
        """404 in mid-film is no passing error: reported in plain words, and the next film plays."""
        film, other = films(FILM), films("silent.mp4")
        proxy.limit(bytes_a_second(film) * 1.5)
        program = play(proxy.url(FILM), other)
        plays_on(program, 2)
        proxy.answer(404)
        proxy.reset()
        words = "360p-key50: The server does not have this film. Check the address."
        program.ipc.wait_for("vitrine/message", lambda text: text == words, timeout=60)
        program.ipc.wait_for("path", lambda path: path == other.path)
        program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.5)
        assert program.reading(other).film == other.number
        assert "HTTP 404" in program.log() and "tried again" not in program.log()
        program.ipc.wait_for("vitrine/message", lambda text: text is None)

    def test_the_rest_of_a_list_is_waited_for(self, play, films, proxy):
        """Between two films the server does not answer: the last frame stays, and the list is tried again."""
        other = films("square-4x3.mp4")
        program = play(proxy.url("short.mp4"), proxy.url("square-4x3.mp4"), "--loop")
        # It is small enough to be all there.
        proxy.leave()
        program.ipc.wait_for("vitrine/message", lambda text: text == NO_CONNECTION, timeout=60)
        proxy.come_back()
        program.ipc.wait_for("paused-for-cache", lambda waits: waits is False, timeout=60)
        shows_frames(program)
        # The other one is over before any of its frames is read.
        program.ipc.wait_for("path", lambda path: path and "square" in path, timeout=30)
        plays_on(program, 0.5)
        assert program.reading(other).film == other.number


class TestNothingThere:
    """Never opened: the command line reports it and ends; a kiosk tries again."""

    @pytest.mark.parametrize(
        "status, words", [(404, "The server does not have this film. Check the address."),
                          *also((403, "The server refuses this film. Check name and password."),
                                (500, "The server has a problem. Ask whoever runs it."))],
    )  # fmt: skip
    def test_the_next_film_plays(self, play, films, proxy, status, words):
        film = films("silent.mp4")
        proxy.answer(status)
        program = play(proxy.url("film.mp4"), film, wait=False)
        program.ipc.wait_for("vitrine/message", lambda text: text == f"film: {words}")
        begun = time.monotonic()
        program.ipc.wait_for("path", lambda path: path == film.path)
        program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.3)
        # Long enough to be read, even if the next film is there at once.
        assert said(program) == f"film: {words}" or time.monotonic() - begun > 4
        program.ipc.wait_for("vitrine/message", lambda text: text is None)
        assert f"HTTP {status}" in program.log()

    def test_alone_it_ends_the_program(self, play, proxy):
        proxy.answer(404)
        program = play(proxy.url("film.mp4"), wait=False)
        assert program.wait_until_ended(20) == NETWORK
        assert "HTTP 404" in program.log()

    def test_a_kiosk_whose_server_comes_later(self, play, films, proxy, kiosk):
        film = films(FILM)
        proxy.leave()
        program = kiosk("127.0.0.1")
        proxy.come_back()
        program.wait_until_shown(timeout=40)
        assert program.reading(film).film == film.number

    def test_a_kiosk_behind_a_page_to_log_in(self, play, films, serve, tmp_path):
        """A portal answers for the server, until somebody has logged in."""
        folder = tmp_path / "films"
        folder.mkdir()
        (folder / "film.mp4").write_text("<html><body>Please log in</body></html>")
        settings = tmp_path / "vitrine.toml"
        settings.write_text(f'films = ["{serve(folder).url("film.mp4")}"]\n')
        program = play("--settings", settings, wait=False)
        words = "film: What the server sends is not a film. Check the address."
        program.ipc.wait_for("vitrine/message", lambda text: text == words, timeout=20)
        film = films(FILM)
        (folder / "film.mp4").unlink()
        shutil.copy(film.path, folder / "film.mp4")
        program.wait_until_shown(timeout=60)
        assert program.reading(film).film == film.number

    def test_a_kiosk_whose_network_comes_later(self, play, films, proxy, kiosk):
        """Names have no addresses as long as the machine has none but its loopback's."""
        film = films(FILM)
        with open("/etc/hosts", "a") as hosts:
            hosts.write("\n127.0.0.1 films.example\n")
        program = kiosk("films.example")
        address = ["192.0.2.7/24", "dev", "lo"]
        subprocess.run(["ip", "address", "add", *address], check=True)
        try:
            program.wait_until_shown(timeout=40)
            assert program.reading(film).film == film.number
        finally:
            subprocess.run(["ip", "address", "del", *address], check=True)

    def test_a_kiosk_goes_on_with_its_last_film_once_it_can(self, play, films, proxy, tmp_path):
        """Nobody is there to start a film that an end policy leaves paused."""
        proxy.leave()
        settings = tmp_path / "vitrine.toml"
        settings.write_text(f'films = ["{films("short.mp4").path}", "{proxy.url(FILM)}"]\nat-end = "pause"\n')
        program = play("--settings", settings)
        program.ipc.wait_for("vitrine/message", lambda text: text == NO_CONNECTION, timeout=20)
        proxy.come_back()
        plays_on(program, 0.5)
        assert program.ipc.get("path") == proxy.url(FILM)

    @pytest.fixture
    def kiosk(self, play, proxy, tmp_path):
        """`kiosk("127.0.0.1")`: a kiosk whose film is the proxy's, by this name of its host, and that waits for it."""

        def start(host: str):
            settings = tmp_path / "vitrine.toml"
            settings.write_text(f'films = ["http://{host}:{proxy.port}/{FILM}"]\n')
            program = play("--settings", settings, wait=False)
            words = "360p-key50: No connection to the server. Check the network."
            program.ipc.wait_for("vitrine/message", lambda text: text == words, timeout=20)
            return program

        return start
