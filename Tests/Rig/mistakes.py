"""The programming errors that GLib and GStreamer report about their caller."""

# They end every test's program.
FATAL = {"G_DEBUG": "fatal-criticals"}
# But with logging (GST_DEBUG) GStreamer sometimes uses a category at its start that another thread is about to create,
# and reports that as an error. Such a program continues, and its log must not have any other.
TALKING = {"G_DEBUG": "", "GST_DEBUG_NO_COLOR": "1"}
_CATEGORY = "assertion 'category != NULL' failed"
# A damaged Matroska's header does not end the program, either: for its error GStreamer 1.22 names a sender that is no
# element (GST_ELEMENT_ERROR (common, ...) in matroska-read-common.c): that error is lost, and another one follows.
DAMAGED = {"G_DEBUG": ""}
_SENDER = "gst_element_message_full_with_details: assertion 'GST_IS_ELEMENT (element)' failed"


def found(log: str) -> list[str]:
    return [line for line in log.splitlines() if "CRITICAL" in line and _CATEGORY not in line and _SENDER not in line]
