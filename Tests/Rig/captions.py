"""captions.py FILM RESULT: the silent MP4 again, as an MP4 whose frames carry closed captions (CEA-608): "Caption 3 Á" stands from
3 s on for 400 ms, and so every second. Run by Debian's Python, whose GStreamer bindings it needs: ffmpeg writes no captions."""

import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

FRAME = Gst.SECOND // 25
LOAD, ERASE_HIDDEN, LAST_ROW, SHOW, ERASE = b"\x14\x20", b"\x14\x2e", b"\x14\x70", b"\x14\x2f", b"\x14\x2c"
# After an "A", for those who do not know it.
A_ACUTE = b"\x12\x20"


def pairs(frames: int) -> list[bytes]:
    """For each frame two bytes without parity. A text is sent in the 14 frames before its second; commands are sent twice."""
    sent = [b"\0\0"] * frames
    for second in range(1, frames // 25):
        text = f"Caption {second} A".encode()
        text += b"\0" * (len(text) % 2)
        words = [LOAD, ERASE_HIDDEN, LAST_ROW]
        message = [word for word in words for _ in range(2)] + [text[at : at + 2] for at in range(0, len(text), 2)] + [A_ACUTE] * 2
        show = second * 25
        sent[show - len(message) : show] = message
        sent[show : show + 2] = [SHOW] * 2
        sent[show + 10] = ERASE
    return sent


def with_parity(byte: int) -> int:
    return byte | (bin(byte).count("1") + 1) % 2 << 7


def main() -> None:
    source, result = sys.argv[1:]
    Gst.init(None)
    pipeline = Gst.parse_launch(
        f'filesrc location="{source}" ! qtdemux ! h264parse ! avdec_h264 ! videoconvert ! cccombiner name=combiner schedule=false '
        "! x264enc key-int-max=50 bframes=2 b-adapt=false speed-preset=veryfast bitrate=1500 ! video/x-h264,profile=main "
        f'! h264parse ! mp4mux ! filesink location="{result}" '
        "appsrc name=captions format=time max-bytes=0 caps=closedcaption/x-cea-608,format=raw,field=0,framerate=25/1 "
        "! ccconverter ! closedcaption/x-cea-708,format=cc_data,framerate=25/1 ! combiner.caption"
    )
    captions = pipeline.get_by_name("captions")
    for number, pair in enumerate(pairs(500)):
        buffer = Gst.Buffer.new_wrapped(bytes(with_parity(byte) for byte in pair))
        buffer.pts, buffer.duration = number * FRAME, FRAME
        captions.emit("push-buffer", buffer)
    captions.emit("end-of-stream")
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(300 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message is None or message.type != Gst.MessageType.EOS:
        sys.exit(f"captions.py: {message.parse_error() if message else 'it takes too long'}")


if __name__ == "__main__":
    main()
