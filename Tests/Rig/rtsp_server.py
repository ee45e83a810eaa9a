"""rtsp_server.py PORT FILM [silent]: sends a film of H.264 and AAC in MP4 by RTSP, as `/live`, from its start to each
client; with `silent` it has no AAC. Run by Debian's Python, whose GStreamer bindings it needs."""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

port, film, *silent = sys.argv[1:]
Gst.init(None)
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(
    f'( filesrc location="{film}" ! qtdemux name=film '
    "film.video_0 ! queue ! h264parse ! rtph264pay name=pay0 pt=96 config-interval=1 "
    + ("" if silent else "film.audio_0 ! queue ! aacparse ! rtpmp4gpay name=pay1 pt=97 ")
    + ")"
)
server = GstRtspServer.RTSPServer(address="127.0.0.1", service=port)
server.get_mount_points().add_factory("/live", factory)
server.attach(None)
GLib.MainLoop().run()
