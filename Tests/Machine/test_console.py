"""The console while a film plays, and after every end of the player (issue: "The console"; S2, T8)."""

import os
import pathlib
import shutil
import signal
import subprocess
import time

import numpy
import pytest

from conftest import FILM, TEXT, Terminal

MODE = ("--mode", "640x480", "--mute")


def guards() -> list[int]:
    """The processes that wait to restore a console."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if b"\0console-guard\0" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:  # It has just ended.
            pass
    return found


def only_guard(timeout: float = 20) -> int:
    """While a program is started, its arguments are not visible."""
    end = time.monotonic() + timeout
    while len(found := guards()) != 1:
        assert time.monotonic() < end, f"not one guard: {found}"
        time.sleep(0.02)
    return found[0]


def wait_until_no_guard(timeout: float = 20) -> None:
    end = time.monotonic() + timeout
    while guards():
        assert time.monotonic() < end, f"a guard is left: {guards()}"
        time.sleep(0.02)


def test_keys_reach_a_shell_before_and_after_the_film_and_not_during_it(terminal, shell, play, films):
    shell.type("before")
    shell.wait_for("before")
    program = play(films("square-4x3.mp4"), *MODE)
    terminal.wait_for(FILM)
    shell.type("during")
    shell.monitor.press("ctrl", "c")
    shell.monitor.press("ctrl", "alt", "f2")
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 1)
    program.signal()
    assert program.wait_until_ended() == 0, program.log()
    assert terminal.modes() == TEXT
    shell.type("after")
    shell.wait_for("after")
    assert shell.heard() == {"before", "after"}
    assert not guards()


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGSEGV], ids=lambda end: end.name)
def test_the_console_is_restored_after_a_crash(terminal, shell, monitor, play, films, end):
    before = monitor.screendump()
    program = play(films("square-4x3.mp4"), *MODE)
    terminal.wait_for(FILM)
    guard = only_guard()
    # Like a service's stop, or a Ctrl-C, which are sent to the whole group.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        os.kill(guard, number)
    program.signal(end)
    assert program.wait_until_ended() == -end
    terminal.wait_for(TEXT)
    wait_until_no_guard()
    shell.type(f"after{end.value}")
    shell.wait_for(f"after{end.value}")
    # Its text is visible again, and nothing of the film. A few cells were typed, or have the cursor.
    deadline = time.monotonic() + 20
    while (after := monitor.screendump()).shape != before.shape or changed_cells(before, after) > 60:
        assert time.monotonic() < deadline, "the console's text is not back on the display"
        time.sleep(0.1)


def changed_cells(before: numpy.ndarray, after: numpy.ndarray) -> int:
    height, width = before.shape[:2]
    changed = (before != after).any(axis=2).reshape(height // 16, 16, width // 8, 8)
    return int(changed.any(axis=(1, 3)).sum())


def test_the_console_is_restored_after_an_error(terminal, play, films):
    program = play(films("zero-bytes.mp4"), *MODE, wait=False)
    assert program.wait_until_ended(20) == 3, program.log()
    assert terminal.modes() == TEXT
    assert not guards()


def test_the_guard_is_small_and_its_own_end_is_no_harm(terminal, play, films):
    program = play(films("square-4x3.mp4"), "--paused", *MODE)
    terminal.wait_for(FILM)
    (guard,) = guards()
    opened = {name: os.readlink(f"/proc/{guard}/fd/{name}") for name in os.listdir(f"/proc/{guard}/fd")}
    assert sorted(opened) == ["0", "1", "2"], opened
    rollup = pathlib.Path(f"/proc/{guard}/smaps_rollup").read_text()
    private = sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Private_Dirty"))
    assert private < 4096, f"{private} kB"
    os.kill(guard, signal.SIGKILL)
    program.signal()
    assert program.wait_until_ended() == 0, program.log()
    assert terminal.modes() == TEXT


def test_a_service_of_another_user_that_is_killed_leaves_its_terminal_restored(films, monitor, tmp_path):
    """As systemd starts a service with StandardInput=tty and User=: it leads a session, the terminal is its own, it is
    unprivileged. Its end hangs the terminal up."""
    terminal = Terminal(2)
    shared = pathlib.Path("/tmp/service")
    shared.mkdir(mode=0o755)
    binary = shutil.copy(os.environ["VITRINE_BIN"], shared / "vitrine")
    film = shutil.copy(films("square-4x3.mp4").path, shared)
    nobody = 65534
    os.chown(terminal.path, nobody, -1)
    groups = ",".join({str(os.stat(node).st_gid) for node in ("/dev/dri/card0", "/dev/dri/renderD128")})
    command = ["setpriv", f"--reuid={nobody}", f"--regid={nobody}", f"--groups={groups}", "--inh-caps=-all"]
    terminal.show()
    log = open(tmp_path / "log", "w+")
    environment = os.environ | {"HOME": str(shared), "GST_REGISTRY": "/tmp/nobody.bin", "GST_REGISTRY_UPDATE": "no"}
    shutil.copy(os.environ["GST_REGISTRY"], "/tmp/nobody.bin")
    os.chmod("/tmp/nobody.bin", 0o644)
    with open(terminal.path, "r+b", buffering=0) as keys:
        service = subprocess.Popen(
            [*command, "setsid", "--ctty", binary, "play", *MODE, film], stdin=keys, stdout=log, stderr=log,
            env=environment, cwd="/",
        )  # fmt: skip
    try:
        terminal.wait_for(FILM, timeout=40)
        end = time.monotonic() + 40
        while monitor.screendump().shape != (480, 640, 3):
            assert time.monotonic() < end, f"no film: {(tmp_path / 'log').read_text()}"
        assert service.poll() is None, (tmp_path / "log").read_text()
        assert os.getsid(service.pid) == service.pid
        (guard,) = guards()
        assert os.stat(f"/proc/{guard}").st_uid == nobody
        service.kill()
        service.wait()
        terminal.wait_for(TEXT)
        wait_until_no_guard()
    finally:
        if service.poll() is None:
            service.kill()
            service.wait()
        terminal.wait_for(TEXT)
        Terminal(1).show()
