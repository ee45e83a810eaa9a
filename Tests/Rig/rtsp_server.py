"""rtsp_server.py PORT FILM: sends an H.264 film in MP4 by RTSP, as `/live`, from its start to each who asks. Run by Debian's
Python, whose GStreamer bindings it needs."""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

port, film = sys.argv[1:]
Gst.init(None)
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(f'( filesrc location="{film}" ! qtdemux ! h264parse ! rtph264pay name=pay0 pt=96 config-interval=1 )')
server = GstRtspServer.RTSPServer(address="127.0.0.1", service=port)
server.get_mount_points().add_factory("/live", factory)
server.attach(None)
GLib.MainLoop().run()
