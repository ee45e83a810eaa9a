"""Prints ten times a second "seconds-since-1970 CPU-seconds" of every process in a session: cpulog.py SESSION."""

import os
import sys
import time


def session_nanoseconds(session: int, ended: dict[int, int]) -> int:
    """CPU time of the session's processes; `ended` keeps each one's last value."""
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat") as stat:
                fields = stat.read().rpartition(")")[2].split()
            if int(fields[3]) != session:
                continue
            used = 0
            for task in os.listdir(f"/proc/{name}/task"):
                with open(f"/proc/{name}/task/{task}/schedstat") as schedstat:
                    used += int(schedstat.read().split()[0])
        except (OSError, IndexError, ValueError):
            continue
        ended[int(name)] = max(used, ended.get(int(name), 0))
    return sum(ended.values())


def main() -> None:
    session = int(sys.argv[1])
    ended: dict[int, int] = {}
    while os.path.exists(f"/proc/{session}"):
        print(f"{time.time():.3f} {session_nanoseconds(session, ended) / 1e9:.4f}", flush=True)
        time.sleep(0.1)


main()
