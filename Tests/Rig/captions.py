"""captions.py FILM RESULT STANDARD: the silent MP4 again, as an MP4 whose frames carry closed captions of CEA-608 or CEA-708 (608,
708): "Caption 3 Á" stands from 3 s on for 400 ms, and so every second. Run by Debian's Python, whose GStreamer bindings it needs: ffmpeg writes no captions."""

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


def lines(frames: int) -> list[bytes]:
    """CEA-608's pairs, one for each frame."""
    return [bytes(map(with_parity, pair)) for pair in pairs(frames)]


def packet(commands: bytes) -> list[bytes]:
    """A packet of CEA-708's first service, in triplets; its number is still missing."""
    data = bytes([0x20 | len(commands)]) + commands
    data += b"\0" * (1 - len(data) % 2)
    data = bytes([(len(data) + 1) // 2]) + data
    return [bytes([0xFF if at == 0 else 0xFE]) + data[at : at + 2] for at in range(0, len(data), 2)]


def triplets(frames: int) -> list[bytes]:
    """For each frame `cc_data`. A text is written to a hidden window in the frames before its second, three triplets in each."""
    sent = [b""] * frames
    for second in range(1, frames // 25):
        # DeleteWindows, DefineWindow, the text and its end.
        message = packet(b"\x8c\xff" + b"\x98\x18\x3c\x14\x60\x1f\x11" + f"Caption {second} Á".encode("latin-1") + b"\x03")
        parts = [b"".join(message[at : at + 3]) for at in range(0, len(message), 3)]
        show = second * 25
        sent[show - len(parts) : show] = parts
        # DisplayWindows, HideWindows.
        sent[show], sent[show + 10] = b"".join(packet(b"\x89\x01")), b"".join(packet(b"\x8a\x01"))
    number = 0
    for frame, data in enumerate(sent):
        if data[:1] == b"\xff":
            sent[frame] = data[:1] + bytes([number << 6 | data[1]]) + data[2:]
            number = (number + 1) % 4
    # Marked as invalid: filler.
    return [data or b"\xfa\0\0" for data in sent]


CAPTIONS = {
    "608": (lines, "closedcaption/x-cea-608,format=raw,field=0,framerate=25/1 ! ccconverter "
            "! closedcaption/x-cea-708,format=cc_data,framerate=25/1"),
    "708": (triplets, "closedcaption/x-cea-708,format=cc_data,framerate=25/1"),
}


def main() -> None:
    source, result, standard = sys.argv[1:]
    made, caps = CAPTIONS[standard]
    Gst.init(None)
    pipeline = Gst.parse_launch(
        f'filesrc location="{source}" ! qtdemux ! h264parse ! avdec_h264 ! videoconvert ! cccombiner name=combiner schedule=false '
        "! x264enc key-int-max=50 bframes=2 b-adapt=false speed-preset=veryfast bitrate=1500 ! video/x-h264,profile=main "
        f'! h264parse ! mp4mux ! filesink location="{result}" '
        f"appsrc name=captions format=time max-bytes=0 caps={caps} ! combiner.caption"
    )
    captions = pipeline.get_by_name("captions")
    for number, data in enumerate(made(500)):
        buffer = Gst.Buffer.new_wrapped(data)
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
