"""What GLib and GStreamer call a mistake of their caller's."""

# It ends the program: of every test.
FATAL = {"G_DEBUG": "fatal-criticals"}
# But where GStreamer talks (GST_DEBUG) it now and then uses a category at its start that another thread is about to make, and
# calls that one. Such a program goes on, and its log may have no other.
TALKING = {"G_DEBUG": "", "GST_DEBUG_NO_COLOR": "1"}
_CATEGORY = "assertion 'category != NULL' failed"


def told(log: str) -> list[str]:
    return [line for line in log.splitlines() if "CRITICAL" in line and _CATEGORY not in line]
