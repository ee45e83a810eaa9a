"""What GLib and GStreamer call a mistake of their caller's."""

# It ends the program: of every test.
FATAL = {"G_DEBUG": "fatal-criticals"}
# But where GStreamer talks (GST_DEBUG) it now and then uses a category at its start that another thread is about to make, and
# calls that one. Such a program goes on, and its log may have no other.
TALKING = {"G_DEBUG": "", "GST_DEBUG_NO_COLOR": "1"}
_CATEGORY = "assertion 'category != NULL' failed"
# Nor does a damaged Matroska's head end it, for whose error GStreamer 1.22 names a sender that is no element (GST_ELEMENT_ERROR
# (common, ...) in matroska-read-common.c): that error is lost, and another one follows.
DAMAGED = {"G_DEBUG": ""}
_SENDER = "gst_element_message_full_with_details: assertion 'GST_IS_ELEMENT (element)' failed"


def told(log: str) -> list[str]:
    return [line for line in log.splitlines() if "CRITICAL" in line and _CATEGORY not in line and _SENDER not in line]
