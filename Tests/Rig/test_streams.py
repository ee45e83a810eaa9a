"""Films in many pieces, and live (M1, M4, M10, M11), from real servers on the loopback: HLS and DASH that ffmpeg wrote,
GStreamer's RTSP server, and a proxy that misbehaves."""

import contextlib
import pathlib
import shutil
import subprocess
import time

import pytest

import frames
import servers
from bar import has_live_mark, hold_bar, thumb
from cards import state
from derived import TONES
from ipc import IPCError
from network import FILM, NETWORK, NO_CONNECTION, inspected, plays_on, said, serve, shows_frames
from sounds import is_near
from thorough import also

TONE = 330
# By bitrate; the default colours differ for more than 576 lines.
SIZES = {"200k": "320x180", "500k": "640x360", "1000k": "1056x594"}


@pytest.fixture(scope="module")
def streams(films, tmp_path_factory) -> pathlib.Path:
    """A folder with a film and a tone as HLS in three bitrates and sizes, and as DASH in two."""
    folder = tmp_path_factory.mktemp("streams")
    film = films("silent.mp4")

    def encoded(*rates: str, sounds: int) -> list[str]:
        pictures = [
            word for number, rate in enumerate(rates)
            for word in ("-map", "0:v", f"-b:v:{number}", rate, f"-s:v:{number}", SIZES[rate])]
        codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-keyint_min", "50", "-sc_threshold", "0", "-c:a", "aac"]
        return [*pictures, *["-map", "1:a"] * sounds, *codecs]

    for name, words in {
        "hls": [*encoded("200k", "500k", "1000k", sounds=3), "-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod",
                "-var_stream_map", "v:0,a:0 v:1,a:1 v:2,a:2", "-master_pl_name", "film.m3u8",
                "-hls_segment_filename", "v%v-%03d.ts", "v%v.m3u8"],
        "dash": [*encoded("200k", "1000k", sounds=1), "-f", "dash", "-seg_duration", "2",
                 "-adaptation_sets", "id=0,streams=v id=1,streams=a", "-media_seg_name", "v$RepresentationID$-$Number%03d$.m4s",
                 "film.mpd"],
    }.items():  # fmt: skip
        (folder / name).mkdir()
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-i", film.path, *TONES[:4], *words], check=True, cwd=folder / name)
    return folder


@pytest.mark.parametrize("name", ["hls/film.m3u8", "dash/film.mpd"])
class TestStreams:
    def test_it_plays_and_is_sought(self, play, films, serve, streams, name):
        film = films("silent.mp4")
        program = play(serve(streams).url(name))
        plays_on(program)
        assert program.ipc.get("duration") == pytest.approx(film.seconds, abs=0.3)
        assert program.ipc.get("vitrine/live") is False
        # Behind the change of bitrate that follows the first pieces.
        program.ipc.wait_for("time-pos", lambda now: now is not None and now > 7, timeout=40)
        shows_frames(program)
        program.ipc.set("pause", True)
        assert [program.ipc.get("width"), program.ipc.get("height")] == [1056, 594]
        if name.startswith("hls"):
            # The first pieces' are those of fewer lines.
            assert "color-encoding=ITU-R BT.709" in state("/dev/dri/card0")
        # hlsdemux takes a piece's first clock reference for its first frame, which ffmpeg puts 0.7 s behind; reordered
        # frames make DASH start two of them late.
        inexact = 20 if name.startswith("hls") else 2
        for second in (15.02, 3.02):
            program.ipc.command("seek", second, "absolute+exact")
            program.ipc.wait_for("seeking", lambda seeking: seeking is False, timeout=20)
            program.ipc.wait_for("time-pos", lambda now: now == pytest.approx(second, abs=0.1))
            assert abs(program.frame(film) - int(second * film.rate)) <= inexact
        assert program.ipc.get("vitrine/rebuilds") == 0

    def test_how_far_it_is_loaded(self, play, serve, streams, name):
        """The part that waits for the decoders: ahead of the film, within it, and there again after a seek."""
        program = play(serve(streams).url(name))
        plays_on(program)

        def waits_from(second: float) -> None:
            end = program.ipc.wait_for(
                "demuxer-cache-time", lambda end: end is not None and end > program.ipc.get("time-pos") + 1, timeout=40
            )
            assert second < end <= program.ipc.get("duration")

        waits_from(0)
        program.ipc.command("seek", 12, "absolute+exact")
        program.ipc.wait_for("seeking", lambda seeking: seeking is False, timeout=20)
        waits_from(12)

    def test_it_is_inspected(self, play, serve, streams, name):
        """As it plays: it has an end, and is seekable; for HLS the report warns that a seek may miss its frame (M6)."""
        assert inspected(play, serve(streams).url(name)) == "00:00:20"
        words = "  seeking    may miss its frame by up to a second: "
        assert (words in play.programs[-1].log()) is name.startswith("hls"), play.programs[-1].log()

    def test_it_ends_and_begins_again(self, play, films, serve, streams, name):
        film = films("silent.mp4")
        program = play(serve(streams).url(name), "--loop")
        for _ in range(2):
            ends = program.ipc.get("vitrine/ends")
            program.ipc.command("seek", 18, "absolute+exact")
            program.ipc.wait_for_counter("vitrine/ends", lambda count: count > ends, timeout=30)
            program.ipc.wait_for("time-pos", lambda now: now is not None and 0.2 < now < 10, timeout=20)
        assert program.reading(film).film == film.number


def test_a_password_is_not_logged_with_pieces(play, serve, streams, tmp_path):
    """The demuxer that fetches them includes their addresses in its error."""
    broken = shutil.copytree(streams, tmp_path / "broken")
    for piece in broken.glob("hls/v*-*.ts"):
        if int(piece.stem[-3:]) >= 3:
            piece.unlink()
    program = play(serve(broken, access={"ann": "secret"}).url("hls/film.m3u8", access="ann:secret"), "--log", "debug")
    program.wait_for_log("tried again in", timeout=60)
    assert "secret" not in program.log()


@pytest.mark.parametrize("name, best", [("hls/film.m3u8", "2"), ("dash/film.mpd", "1")])
def test_it_takes_the_bitrate_that_the_network_has(play, films, serve, streams, recorder, name, best):
    """From the lowest to the best on the way, by the server's own account; frames and sound continue, also after a
    seek."""
    film, server = films("silent.mp4"), serve(streams)
    program = play(server.url(name), environment=recorder.environment)
    recorder.wait_for_pitch(TONE)
    heard = []
    while program.ipc.get("time-pos") < 8:
        heard.append(recorder.pitch(0.5))
    # A busy machine has some gaps.
    assert sum(is_near(pitch, TONE) for pitch in heard) > 0.7 * len(heard), heard
    for second in (15, 3):
        program.ipc.command("seek", second, "absolute+exact")
        program.ipc.wait_for("seeking", lambda seeking: seeking is False, timeout=20)
        recorder.wait_for_pitch(TONE)
        shows_frames(program)
        assert program.reading(film).film == film.number
        assert second <= program.ipc.get("time-pos") < second + 12
    assert program.ipc.get("vitrine/rebuilds") == 0
    pieces = [name[1] for name in server.requests() if name.startswith("v") and name.endswith((".ts", ".m4s"))]
    pictures = [piece for piece in pieces if piece <= best]
    change = pictures.index(best)
    assert change > 0 and pictures[0] == "0" and sorted(pictures[:change]) == pictures[:change], pieces


@pytest.mark.parametrize("start", [6, *also(4, 8)])
def test_a_seek_that_buffering_pauses_goes_on(play, films, serve, streams, start):
    """M10. The pause arrives when the seek has been answered, and the pipeline is about to play again: within
    milliseconds, which GStreamer's logging prolongs."""
    environment = {"GST_DEBUG": "bin:5,pipeline:5,GST_STATES:5", "GST_DEBUG_FILE": "/dev/null"}
    program = play(serve(streams).url("hls/film.m3u8"), environment=environment)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > start, timeout=40)
    for second in (15, 3, 14, 4):
        program.ipc.command("seek", second, "absolute+exact")
        program.ipc.wait_for("seeking", lambda seeking: seeking is False, timeout=20)
        shows_frames(program)
        assert second <= program.ipc.get("time-pos") < second + 12


def test_hls_that_breaks_off_goes_on_where_it_was(play, films, serve, streams):
    film = films("silent.mp4")
    proxy = servers.Proxy(serve(streams).port)
    proxy.limit(150_000)
    program = play(proxy.url("hls/v0.m3u8"), "--log", "info")
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 3, timeout=40)
    proxy.leave()
    program.wait_for_log("tried again in 1 s", timeout=60)
    at = program.ipc.get("time-pos")
    proxy.come_back()
    program.ipc.wait_for("paused-for-cache", lambda waits: waits is False, timeout=40)
    assert at - 1 < plays_on(program) < at + 10
    assert program.reading(film).film == film.number
    proxy.leave()


class TestLive:
    """M11: a mark in place of the bar, and no buffering."""

    @pytest.fixture
    def hls(self, films, serve, tmp_path):
        folder = tmp_path / "live"
        folder.mkdir()
        encoder = servers.LiveEncoder(films("silent.mp4").path, folder)
        proxy = servers.Proxy(serve(folder).port)
        yield proxy
        proxy.leave()
        encoder.stop()

    @pytest.fixture
    def rtsp(self, films):
        server = servers.RTSPServer(films(FILM).path)
        yield server
        server.stop()

    def is_live(self, program, panel) -> None:
        panel.wait_until_read()
        program.ipc.wait_for("vitrine/live")
        assert program.ipc.get("seekable") is False
        with pytest.raises(IPCError):
            program.ipc.get("duration")
        assert not has_live_mark(program.screenshot())
        finger = hold_bar(program, panel)
        program.ipc.wait_for_counter("vitrine/osd-updates")
        end = time.monotonic() + 20
        while not has_live_mark(picture := program.screenshot()):
            assert time.monotonic() < end, "no live mark"
        assert thumb(picture) is None
        finger.up()

    def test_hls(self, play, films, hls, panel):
        film = films("silent.mp4")
        program = play(hls.url("live.m3u8"))
        self.is_live(program, panel)
        assert program.reading(film).film == film.number
        with pytest.raises(IPCError, match="not supported"):
            program.ipc.set("speed", 2)
        assert program.ipc.get("speed") == 1
        # A brief stall of the network is not shown to the viewer.
        hls.stall()
        end = time.monotonic() + 5
        while time.monotonic() < end:
            assert program.ipc.get("paused-for-cache") is False and said(program) is None
            time.sleep(0.1)
        hls.stall(False)
        shows_frames(program, 50, timeout=40)

    @pytest.mark.parametrize("kind", ["hls", "rtsp"])
    def test_it_is_inspected(self, play, request, kind):
        """As it plays: live, and not seekable."""
        server = request.getfixturevalue(kind)
        assert inspected(play, server.url("live.m3u8") if kind == "hls" else server.url) == "none: it is live, not seekable"
        assert "  seeking " not in play.programs[-1].log()

    def test_hls_that_breaks_off(self, play, films, hls):
        program = play(hls.url("live.m3u8"), "--log", "info")
        shows_frames(program)
        hls.leave()
        program.wait_for_log("tried again", timeout=60)
        assert said(program) == NO_CONNECTION
        hls.come_back()
        shows_frames(program, 50, timeout=60)
        assert said(program) is None and program.ipc.get("vitrine/live") is True

    def test_rtsp(self, play, films, rtsp, panel, recorder):
        film = films(FILM)
        program = play(rtsp.url, environment=recorder.environment)
        self.is_live(program, panel)
        assert program.reading(film).film == film.number
        shows_frames(program, 50)
        recorder.wait_for_pitch(TONE)
        assert program.ipc.get("paused-for-cache") is False

    def test_rtsp_is_fitted_anew(self, play, films, rtsp):
        """S4: live media continue where they are by then, behind their last frame. To clients it is the same film."""
        program = play(rtsp.url)
        shows_frames(program)
        above = program.screenshot()[:60]
        assert above.max() == 0
        program.ipc.events.clear()
        program.ipc.set("vitrine/gravity", "stretch")
        end = time.monotonic() + 20
        while (picture := program.screenshot())[:60].max() == 0:
            assert picture.any(), "the display is black"
            assert time.monotonic() < end, "black above the film"
        shows_frames(program, 20)
        assert program.ipc.get("vitrine/live") is True
        assert program.ipc.get("vitrine/ends") == 0 and said(program) is None
        assert not {"start-file", "end-file"} & {event["event"] for event in program.ipc.events}

    def test_rtsp_that_breaks_off(self, play, films, rtsp, recorder):
        """A camera that is switched off and on again."""
        film = films(FILM)
        program = play(rtsp.url, "--log", "info", environment=recorder.environment)
        shows_frames(program)
        rtsp.stop()
        program.ipc.wait_for("vitrine/message", lambda text: text == NO_CONNECTION, timeout=60)
        rtsp.start()
        shows_frames(program, 50, timeout=60)
        recorder.wait_for_pitch(TONE)
        assert said(program) is None and program.reading(film).film == film.number

    def test_rtsp_that_falls_silent(self, play, films, rtsp):
        """A camera that exists and neither sends anything more nor answers new connections."""
        film = films(FILM)
        program = play(rtsp.url, "--log", "info")
        shows_frames(program)
        rtsp.fall_silent()
        program.ipc.wait_for("vitrine/message", lambda text: text == NO_CONNECTION, timeout=60)
        assert "nothing has arrived for 20 s" in program.log()
        assert program.reading(film).film == film.number, "its last frame stands"
        program.wait_for_log("tried again in 2 s", timeout=90)
        assert program.reading(film).film == film.number
        rtsp.fall_silent(False)
        shows_frames(program, 50, timeout=60)
        assert said(program) is None and program.reading(film).film == film.number

    def test_no_rtsp_server(self, play, rtsp):
        rtsp.stop()
        program = play(rtsp.url, wait=False)
        assert program.wait_until_ended(40) == NETWORK, program.log()


class TestCameras:
    """Live media that GStreamer does not declare live."""

    @pytest.fixture(params=[10])
    def camera(self, films, tmp_path, request):
        """A camera with this frame rate."""
        camera = servers.Camera(films(FILM).path, tmp_path, request.param)
        yield camera
        camera.stop()

    @pytest.mark.parametrize("camera", [10, *also(1)], indirect=True)
    def test_jpegs_without_end_are_never_late(self, play, films, camera):
        """M11: marked live, without a bar and without buffering; two seconds behind at most."""
        film = films(FILM)
        program = play(camera.url)
        assert program.ipc.get("vitrine/live") is True and said(program) is None
        for _ in range(3):
            shows_frames(program, 10)
            due = camera.due
            # Newer by the time that the picture takes.
            behind = (due - program.frame(film) + camera.COUNT // 2) % camera.COUNT - camera.COUNT // 2
            assert behind <= 2 * camera.rate
            assert program.ipc.get("paused-for-cache") is False and program.ipc.get("seekable") is False
        assert camera.connections == 1
        assert inspected(play, camera.url) == "none: it is live, not seekable"

    @pytest.mark.slow
    def test_a_camera_that_falls_silent_is_opened_anew(self, play, camera):
        program = play(camera.url)
        shows_frames(program, 5)
        camera.is_silent = True
        program.ipc.wait_for("vitrine/message", lambda text: text == NO_CONNECTION, timeout=60)
        camera.is_silent = False
        program.ipc.wait_for("vitrine/message", lambda text: text is None, timeout=60)
        shows_frames(program, 5)

    def test_udp_goes_on_when_its_sender_does(self, play, films):
        """Written as VLC does."""
        sender = servers.Sender(films("silent.mp4").path)
        try:
            program = play(f"udp://@:{sender.port}")
            assert program.ipc.get("vitrine/live") is True
            shows_frames(program)
            sender.stop()
            sender.start()
            shows_frames(program, timeout=60)
        finally:
            sender.stop()

    @pytest.mark.parametrize("address", ["udp://@{group}:{port}", *also("udp://{group}:{port}")])
    def test_a_multicast_group_is_joined(self, play, films, address):
        """As a venue sends one programme to all of its screens; written as VLC does, or without its @."""
        film, group = films("silent.mp4"), "239.1.2.3"
        # The loopback has no route for groups by itself.
        route = ["239.0.0.0/8", "dev", "lo"]
        subprocess.run(["ip", "route", "add", *route], check=True)
        sender = servers.Sender(film.path, to=group)
        try:
            program = play(address.format(group=group, port=sender.port))
            assert program.ipc.get("vitrine/live") is True
            shows_frames(program)
            # A busy machine loses packets, and frames are broken until the next key frame.
            end, shown = time.monotonic() + 20, None
            while shown is None:
                assert time.monotonic() < end, "no frame is whole"
                with contextlib.suppress(frames.NoFrame):
                    shown = program.reading(film)
            assert shown.film == film.number
        finally:
            sender.stop()
            subprocess.run(["ip", "route", "del", *route], check=True)
