"""Power on, and the film plays (B4): the image in the virtual board, seen from outside."""

import contextlib
import os
import pathlib
import random
import re
import subprocess
import time

import numpy
import PIL.Image
import pytest

import board as boards
import frames
import servers
from bar import Layout, thumb
from conftest import FILM, LENGTH, PATIENCE, RATE, SIZE, TOP
from neighbour import Neighbour

LARGE = "720p-key50.mp4"
# People's names for films: a FAT keeps them in UTF-16, and the kernel converts them to UTF-8 only with a mount option.
NAME = "Über uns – 1.mp4"
# Right of the bar is the filmstrip's button.
LAYOUT = Layout(*SIZE, right=1)
# The time from the player's start to its first frame, as a part of the time that the kernel and systemd take before:
# 0.53 to 0.64 in three runs of these tests, with another board beside it, 0.7 where `tools/bench --board` measures, and
# 3.3 before any optimisation (docs/board.md).
OWN_PART = 1.5


# The limits of a player of 1024 MB: `MemoryMax=85%`, and the unit's other guards, as systemd applies them in the end,
# after the drop-in files.
MEMORY = 1 << 30
HELD = {"User": "vitrine", "WatchdogUSec": "20s", "TasksMax": "300", "DevicePolicy": "closed", "ProtectSystem": "strict",
        "ProtectHome": "read-only", "NoNewPrivileges": "yes", "RestartSteps": "4", "CapabilityBoundingSet": "", "PrivateTmp": "yes",
        "SupplementaryGroups": "video render input audio", "RestrictAddressFamilies": "AF_INET AF_INET6 AF_NETLINK AF_UNIX",
        "Restart": "always", "SystemCallArchitectures": "native", "UMask": "0027", "RestrictSUIDSGID": "yes", "ProtectClock": "yes",
        "ProtectControlGroups": "yes", "ProtectHostname": "yes", "ProtectKernelLogs": "yes", "ProtectKernelModules": "yes",
        "ProtectKernelTunables": "yes", "ProtectProc": "invisible", "OOMPolicy": "continue", "LockPersonality": "yes", "RemoveIPC": "yes"}
# systemd's groups of system calls: those that a service needs, and those of root's services.
CALLS, NO_CALLS = {"read", "mmap", "ioctl"}, {"mount", "chown", "reboot", "ptrace", "setuid"}


def is_black(picture: numpy.ndarray) -> bool:
    return picture.max() < 16


# Secrets that must not appear anywhere: the remote's, the network's.
SECRETS = "window-shopping", "between-the-panes"


def changed(settings: bytes, values: dict[str, str]) -> bytes:
    """The settings file with these lines in force."""
    for name, value in values.items():
        settings, count = re.subn(rf"(?m)^#{name} = .*$".encode(), f"{name} = {value}".encode(), settings)
        assert count == 1, name
    return settings


def says_something(picture: numpy.ndarray) -> bool | None:
    """Whether the player shows white text on black: QEMU's own text without a picture has another size."""
    return picture.shape[:2] == SIZE[::-1] and 0.002 < (picture > 150).mean() < 0.2 or None


def test_from_power_on_to_the_film_nothing_else_is_seen(board):
    """No console, no cursor, no login, no splash: black, then the film's frames, and nothing else from then on. With
    two processors, because a Pi has four; most tests' boards have one."""
    machine = board(processors=2)
    seen, shown, steps = [], None, []

    def wait_step() -> None:
        """A picture each 100 ms, from the plug on; if this machine is late, the next ones are taken by the same
        clock."""
        steps.append(time.monotonic())
        time.sleep(0.1 - (steps[-1] - steps[0]) % 0.1)

    while shown is None:
        assert machine.age < PATIENCE, machine.console[-3000:]
        picture = machine.picture()
        if picture.shape[:2] == SIZE[::-1]:
            shown = frames.number(picture)
            if shown is None:
                seen.append(picture)
                if not is_black(picture):
                    machine.picture(f"not-black-{len(seen)}")
        elif seen:
            # Another size, or none: a display that loses its signal for a moment flashes.
            PIL.Image.fromarray(picture).save(machine.folder / "another-size.png")
            raise AssertionError(f"at {machine.age:.1f} s, after {len(seen)} pictures, one of {picture.shape[:2]}")
        # Without a driver there is no picture: QEMU shows its own text in its own size.
        wait_step()
    machine.picture("first")
    print(f"film on the screen after {machine.age:.1f} s, frame {shown}; {len(seen)} pictures before")
    assert seen and all(is_black(picture) for picture in seen)
    unread = 0
    for number in range(30):
        wait_step()
        picture = machine.picture()
        if picture.shape[:2] != SIZE[::-1] or frames.number(picture) is None:
            unread += 1
            PIL.Image.fromarray(picture).save(machine.folder / f"no-film-{number}.png")
    distances = [after - before for before, after in zip(steps, steps[1:])]
    # 0.16 s at most on an idle machine.
    print(f"{len(steps)} pictures, {max(distances):.2f} s apart at most")
    # QEMU may take one while it is being drawn.
    assert unread <= 1, "a picture between the film's"
    first = machine.wait_picture(frames.number, PATIENCE)
    machine.wait_picture(lambda picture: (frames.number(picture) or 0) > first + RATE or None, PATIENCE)
    (machine.folder / "boot.svg").write_text(machine.shell("systemd-analyze plot"))
    print(machine.shell("systemd-analyze critical-chain --no-pager vitrine.service"))
    # It waits for no network and no other service.
    after = machine.shell("systemctl show -P After vitrine.service").split()
    after = [unit for unit in after if not unit.endswith((".mount", ".slice", ".socket"))]
    assert after == ["systemd-remount-fs.service"], after
    printed = machine.shell("systemctl show vitrine.service -p ExecMainStartTimestampMonotonic -p ActiveEnterTimestampMonotonic "
                            "-p NRestarts")
    values = {name: int(value) for name, _, value in (line.partition("=") for line in printed.split())}
    started, ready = values["ExecMainStartTimestampMonotonic"], values["ActiveEnterTimestampMonotonic"]
    print(f"first frame {(ready - started) / started:.2f} times as long after the player's start as that after the kernel's")
    assert values["NRestarts"] == 0 and ready - started < OWN_PART * started, printed
    # The one module whose rule has an effect here: card readers without interrupts are polled for a card each 2 s.
    assert machine.shell("cat /sys/module/block/parameters/events_dfl_poll_msecs") == "2000\n"
    # The needed files were read from the card completely, in advance, and no others.
    files = machine.shell("cat /usr/lib/vitrine/readahead").split()
    when, count, read = re.search(r"\[ *([\d.]+)\] vitrine: read ahead: (\d+) files, (\d+) bytes", machine.shell("dmesg")).groups()
    assert int(count) == len(files) and float(when) * 1e6 < ready
    assert int(read) == sum(map(int, machine.shell("stat -Lc %s $(cat /usr/lib/vitrine/readahead)").split()))
    own = files[files.index("/usr/bin/vitrine"):]
    own.remove("/var/cache/vitrine/registry.bin")
    maps = machine.shell("cat /proc/$(systemctl show -P MainPID vitrine.service)/maps")
    assert {"libgstlibav.so", "libgstkms.so"} < {pathlib.PurePath(file).name for file in own}
    assert set(own) <= {line.split()[-1] for line in maps.splitlines()}
    # systemd has written the card's own number, and given the player what it keeps.
    identity = machine.shell("cat /data/machine-id").strip()
    assert re.fullmatch(r"[0-9a-f]{32}", identity) and machine.shell("cat /etc/machine-id").strip() == identity
    assert machine.shell("ls /data/journal; stat -c %U /data/vitrine").split() == [identity, "vitrine"]
    # The other services waited until then, and do no longer.
    assert machine.shell("systemctl show -P Slice vitrine.service").strip() == "vitrine.slice"
    weights = machine.shell("systemctl show -P StartupCPUWeight system.slice; cat /sys/fs/cgroup/system.slice/cpu.idle;"
                            "cat /usr/lib/systemd/system/system.slice.d/image.conf")
    assert weights.startswith("[not set]\n0\n") and weights.endswith("\nStartupCPUWeight=idle\n"), weights
    ended = machine.shell("systemctl show -P ExecMainStartTimestampMonotonic vitrine-shown.service")
    assert int(ended) >= ready


def show_bar(machine) -> None:
    """Shows the bar as a visitor does who does not know whether the player noticed the first tap."""
    for _ in range(30):
        machine.tap(SIZE[0] / 2, SIZE[1] / 3)
        with contextlib.suppress(boards.BoardError):
            machine.wait_picture(lambda picture: thumb(picture, LAYOUT), 3)
            return
    raise AssertionError("no bar after thirty taps")


def test_a_finger_from_outside_drags_the_film(board):
    """Through the guest's kernel, udev and libinput. A second finger arrives in the same way, and the film does not
    follow it."""
    machine = board()
    machine.wait_picture(frames.number, PATIENCE)
    watch_fingers(machine)
    show_bar(machine)
    length = 60.0

    def place(second: float) -> tuple[float, float]:
        return LAYOUT.x(second / length) * SIZE[0], LAYOUT.y * SIZE[1]

    def follows(second: float) -> None:
        machine.wait_picture(lambda picture: abs((frames.number(picture) or -999) - second * RATE) < 2 * RATE or None, PATIENCE)
        machine.picture(f"dragged-to-{second:.0f}")

    finger = machine.finger_down(*place(20))
    follows(20)
    # On the bar, too.
    other = machine.finger_down(*place(55), slot=1)
    for second in range(21, 41):
        machine.finger_move(finger, *place(second))
        machine.finger_move(other, *place(55 - second / 10), slot=1)
    machine.finger_up(other, slot=1)
    follows(40)
    machine.finger_up(finger)
    machine.wait_picture(lambda picture: (frames.number(picture) or 0) > 41 * RATE or None, PATIENCE)
    check_fingers(machine.shell("cat /run/fingers"))


def watch_fingers(machine) -> None:
    """libinput's messages, which `vitrine touch` prints beside the player."""
    machine.shell(f"vitrine touch --display {SIZE[0]}x{SIZE[1]} > /run/fingers 2>&1 < /dev/null & "
                  "for i in $(seq 120); do grep -q 'panel added' /run/fingers && exit; sleep 0.5; done; cat /run/fingers; exit 1")


def check_fingers(printed: str) -> None:
    """Both fingers arrived, each with its own places, and left; only the first one moved the bar."""
    lines = printed.splitlines()
    events = [(int(slot), what, float(x)) for slot, what, x in re.findall(r"(?m)^finger (\d) (\w+)  x ([\d.]+)", printed)]
    order = [event[:2] for event in events]
    assert {(1, "down"), (1, "up")} <= set(order), printed
    begin, end = order.index((1, "down")), order.index((1, "up"))
    assert [event for event in order[:begin] if event[1] != "motion"][-1] == (0, "down"), printed
    assert [event for event in order[end + 1:] if event[1] != "motion"] == [(0, "up")], printed
    places = {slot: [x for one, what, x in events[begin:end] if (one, what) == (slot, "motion")] for slot in (0, 1)}
    # Events that arrive while the guest is busy are merged into one.
    assert all(len(found) > 5 for found in places.values()), printed
    assert LAYOUT.x(20 / 60) < min(places[0]) and max(places[0]) < LAYOUT.x(41 / 60), printed
    assert LAYOUT.x(50 / 60) < min(places[1]) and max(places[1]) < LAYOUT.x(56 / 60), printed
    drag = lines[max(index for index, line in enumerate(lines) if "slider: touch-down" in line):]
    values = [float(value) for value in re.findall(r"slider: [\w-]+ ([\d.]+)", "\n".join(drag))]
    # The command's own bar is longer: it has no button for pictures.
    assert values and 0.25 < min(values) and max(values) < 0.7, printed


def killed(machine, after: str = "") -> int:
    """Kills the player, and returns the number of the last frame before the screen is black. The screen is watched all
    the time: on a busy machine, the answer may arrive when the film is back."""
    numbers = []
    machine.ask(f"{after}systemctl kill --signal=KILL vitrine.service")

    def is_gone(picture: numpy.ndarray) -> bool | None:
        number = frames.number(picture)
        if number is not None:
            numbers.append(number)
        return number is None or None

    machine.wait_picture(is_gone, PATIENCE, every=0.05)
    return numbers[-1]


def test_killed_or_hung_it_comes_back(card, board):
    """systemd restarts it, and it resumes within five seconds of its position, with a film that a person has named. It
    also comes back with a full data partition, on which nothing can be recorded, and after a hang."""
    card.put(f"films/{FILM}", None)
    card.put(f"films/{NAME}", pathlib.Path(os.environ["VITRINE_FILMS"], FILM).read_bytes())
    machine = board()
    machine.wait_picture(frames.number, PATIENCE)
    assert machine.shell("systemctl show -P StatusText vitrine.service").endswith(f"/{NAME}\n")
    before = killed(machine, after="sleep 12; ")
    again = machine.wait_picture(frames.number, PATIENCE)
    # In its last ten seconds, which a slow board may reach before it accepts ssh, the film starts anew.
    starts_anew = before >= LENGTH - 10 * RATE and again < 8 * RATE
    assert starts_anew or before - 6 * RATE < again < before + 3 * RATE, (before, again)
    machine.shell("cat /dev/zero > /data/full 2> /dev/null; [ $(df --output=avail /data | tail -1) = 0 ]")
    killed(machine)
    first = machine.wait_picture(frames.number, PATIENCE)
    machine.wait_picture(lambda picture: (frames.number(picture) or 0) > first + RATE or None, PATIENCE)
    # And when it starts so.
    machine.shell("sync")
    machine.pull_plug()
    machine = board()
    first = machine.wait_picture(frames.number, PATIENCE)
    machine.wait_picture(lambda picture: (frames.number(picture) or 0) > first + RATE or None, PATIENCE)
    machine.shell("[ $(df --output=avail /data | tail -1) = 0 ] && rm /data/full")
    hung_it_is_brought_back(machine)


def hung_it_is_brought_back(machine) -> None:
    """systemd's watchdog (`WatchdogSec`) notices the silence."""
    before = int(machine.shell("systemctl show -P MainPID vitrine.service"))
    # The unit's limits that apply to it.
    printed = machine.shell(f"systemctl show -p {','.join(HELD)},MemoryMax,SystemCallFilter vitrine.service")
    shown = dict(line.split("=", 1) for line in printed.splitlines())
    allowed = set(shown.pop("SystemCallFilter").split())
    assert CALLS <= allowed and not NO_CALLS & allowed, allowed
    assert 0.7 * MEMORY < int(shown.pop("MemoryMax")) < 0.9 * MEMORY and shown == HELD, shown
    counted = machine.shell("cat /sys/fs/cgroup/$(systemctl show -P ControlGroup vitrine.service)/memory.max")
    assert 0.7 * MEMORY < int(counted) < 0.9 * MEMORY
    machine.shell("systemctl kill --signal=STOP vitrine.service")
    machine.shell(f"for i in $(seq 120); do [ $(systemctl show -P MainPID vitrine.service) != {before} ] && exit; sleep 0.5; done; exit 1",
                  seconds=2 * PATIENCE)
    machine.wait_picture(frames.number, PATIENCE)
    assert "watchdog" in machine.shell("journalctl -b -u vitrine.service -o cat").lower()


def test_a_film_from_the_network_and_decoders_of_devices_that_come(card, board, tmp_path):
    """Confined by its unit, the player fetches a film from outside, also if the network becomes available later.

    Elements that exist only with their device (`v4l2h264dec`) are not in the registry that is made with the image:
    GStreamer scans again when a device has been added, once (docs/board.md). A file that is no device is its
    substitute."""
    server = servers.WebServer(os.environ["VITRINE_FILMS"], tmp_path)
    try:
        address = server.url(FILM).replace("127.0.0.1", boards.HOST)
        wireless = {"wifi": "'Café \"Süd\"'", "wifi-password": "'a \"b\" #c'", "wifi-country": '"AT"'}
        card.put("vitrine.toml", changed(card.get("vitrine.toml"), {"films": f'"{address}"'} | wireless))
        machine = board(reaches_here=True)
        first = machine.wait_picture(frames.number, PATIENCE)
        machine.wait_picture(lambda picture: (frames.number(picture) or 0) > first + RATE or None, PATIENCE)
        machine.picture("from-the-network")
        assert machine.shell("systemctl show -P StatusText vitrine.service").startswith("playing")
        looks_again(machine)
        takes_the_wireless_network(machine)
    finally:
        asked = server.requests()
    assert FILM in asked


def takes_the_wireless_network(machine) -> None:
    """wpa_supplicant reads the configuration made from the settings; it ends because the board has no such device."""
    file = "/etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
    read = f"wpa_supplicant -D wired -i nothing0 -dd -c {file} 2>&1 || true"
    printed = machine.shell(read)
    print(printed)
    assert "ssid" in printed and "parse" not in printed, printed
    # It names a line that it does not know.
    machine.shell(f"sed 's/scan_ssid/scan_sid/' {file} > /run/wrong.conf")
    assert "failed to parse" in machine.shell(read.replace(file, "/run/wrong.conf")).lower()


def looks_again(machine) -> None:
    def registry() -> str:
        return machine.shell("stat -c '%Y %s' /var/cache/vitrine/registry.bin")

    made = registry()
    machine.shell("systemctl restart vitrine.service")
    assert registry() == made
    machine.shell("touch /dev/video10; systemctl restart vitrine.service")
    again = registry()
    assert again != made
    machine.shell("systemctl restart vitrine.service")
    assert registry() == again
    machine.wait_picture(frames.number, PATIENCE)


@pytest.mark.thorough
def test_a_system_that_hangs_is_restarted_by_the_board(board):
    """A crashed systemd no longer feeds the hardware's watchdog; a kernel that panics restarts by itself."""
    machine = board()
    machine.wait_picture(frames.number, PATIENCE)
    machine.shell("kill -SEGV 1")
    machine.wait_off(PATIENCE)
    machine = board()
    machine.wait_picture(frames.number, PATIENCE)
    machine.ask("echo c > /proc/sysrq-trigger")
    machine.wait_off(PATIENCE)
    assert "panic" in machine.console


def parts_of(report: str) -> dict[str, str]:
    """By their titles."""
    return dict(part.split("\n", 1) for part in report.removeprefix("== ").split("\n\n== "))


# Of networkd's DHCP; and `boards.HOST` as the kernel's table of routes has it.
LEASES = "ls /run/systemd/netif/leases"
GATEWAY = "0202000A"


def test_wrong_settings_and_a_missing_film(card, board):
    """The film plays with the valid settings; the problems are in a file beside it. Without a film the screen says
    so."""
    good = card.get("vitrine.toml")
    wrong = f'rotate = 45\r\nvolumme = 3\r\nremote-pasword = "{SECRETS[0]}"\r\nmode = "123x45"'
    # And an address of its own: the one by which these tests come in.
    network = {"network-address": f'"{boards.ADDRESS}/24"', "network-gateway": f'"{boards.HOST}"'}
    card.put("vitrine.toml", changed(good, network).replace(b"#rotate = 0", wrong.encode()))
    machine = board()
    machine.wait_picture(frames.number, PATIENCE)
    assert machine.shell(LEASES).split() == [] and machine.shell("cut -f 3 /proc/net/route").split().count(GATEWAY) == 1
    machine.shell("systemctl start vitrine-settings.service")
    report = machine.shell("vitrine report")
    errors = parts_of(report)["vitrine-errors.txt"]
    assert "volumme" in errors and "remote-pasword" in errors and SECRETS[0] not in report, report
    # As timesyncd notes it, from a network.
    machine.shell("touch -d 2031-05-01 /var/lib/systemd/timesync/clock")
    machine.ask("systemctl poweroff")
    machine.wait_off(PATIENCE)
    written = card.get("vitrine-errors.txt").decode()
    assert "rotate" in written and "45" in written and "volume" in written, written
    # And a setting that only the display can check.
    assert 'mode = "123x45"  ->  the display on Virtual-1 does not offer 123x45; it offers ' in written, written
    card.put("vitrine.toml", changed(good, {
        "name-servers": '["192.0.2.53"]', "host-name": '"window-3"', "time-zone": '"Asia/Calcutta"',
        "remote-password": f'"{SECRETS[0]}"', "wifi-password": f'"{SECRETS[1]}"'}))
    card.put("spare.mp4", pathlib.Path(os.environ["VITRINE_FILMS"], FILM).read_bytes())
    card.put(f"films/{FILM}", None)
    neighbour = Neighbour()
    machine = board(options=neighbour.options)
    machine.wait_picture(says_something, PATIENCE)
    machine.picture("no-film")
    assert machine.shell("systemctl show -P NRestarts vitrine.service") == "0\n"
    # The report that a person sends with a question.
    report = machine.shell("vitrine report")
    assert "timeout: not found" not in report and "remote-password" in report and "wifi-password" in report, report
    assert not any(secret in report for secret in SECRETS), report
    assert machine.shell(LEASES).split()
    parts = parts_of(report)
    for title, part in {"config.txt, tryboot.txt": "os_prefix=a/", "cmdline.txt": "root=PARTUUID=", "slots": "running: a",
                        "modules": "virtio_gpu", "devices": "/dev/dri", "watchdog": "state:active", "log of this start":
                        "vitrine", "log of this start, settings and slots": "settings[",
                        "log of this start, network and ssh": "dropbear", "start, the player's part": "vitrine.service +",
                        "log of the start before": "settings["}.items():
        assert part in parts[title], (title, parts[title])
    assert "systemd-networkd" in parts["log of this start, network and ssh"]
    # Root and the player may read them in the file.
    assert machine.shell("stat -c '%a %U %G' /boot/firmware/vitrine.toml") == "750 root vitrine\n"
    # Name and zone are the settings', an old name of a zone, too; and the clock never goes back, even without a
    # battery.
    assert machine.shell("hostname; date '+%Z %Y'").split() == ["window-3", "IST", "2031"]
    # The name by which others in its network find it.
    assert neighbour.look_up("window-3.local").is_link_local
    # Programs find names where the settings say.
    machine.shell("for i in $(seq 60); do grep -q '^nameserver 192.0.2.53' /etc/resolv.conf && exit; sleep 1; done; exit 1")
    machine.shell("systemctl start vitrine-settings.service")
    machine.shell("[ ! -e /boot/firmware/vitrine-errors.txt ]")
    # By ssh, where `cat > FILE` receives one from outside: there is no scp. Nothing is restarted.
    machine.shell(f"/usr/lib/vitrine/writable cp /boot/firmware/spare.mp4 /boot/firmware/films/{FILM}")
    machine.wait_picture(frames.number, PATIENCE)
    assert machine.shell("systemctl show -P NRestarts vitrine.service") == "0\n"
    # And remove it: the film plays on, and the card is closed once nobody has it open.
    machine.shell(f"/usr/lib/vitrine/writable rm /boot/firmware/films/{FILM}")
    assert machine.shell("findmnt -no OPTIONS /boot/firmware").startswith("rw")
    number = machine.wait_picture(frames.number, PATIENCE)
    machine.wait_picture(lambda picture: (frames.number(picture) or 0) > number + RATE or None, PATIENCE)
    machine.shell("systemctl restart vitrine.service")
    machine.shell("for i in $(seq 60); do findmnt -no OPTIONS /boot/firmware | grep -q '^ro' && exit; sleep 1; done; exit 1")
    machine.wait_picture(says_something, PATIENCE)


def test_a_film_that_brings_it_down_is_named_on_the_card(card, board, tmp_path):
    """After the third time, with nobody to start the board anew; the next film plays."""
    # Five minutes: it is not to end by itself before it is passed over.
    words = ["ffmpeg", "-v", "error", "-stream_loop", "4", "-i", pathlib.Path(os.environ["VITRINE_FILMS"], FILM), "-c", "copy"]
    subprocess.run([*words, tmp_path / "0.mp4"], check=True)
    card.put("films/0.mp4", (tmp_path / "0.mp4").read_bytes())
    machine = board()
    machine.wait_picture(frames.number, PATIENCE)
    machine.shell("for i in $(seq 6); do systemctl show -P StatusText vitrine.service | grep -q '/0.mp4' || exit 0; "
                  "systemctl kill --signal=SEGV vitrine.service; sleep 1; "
                  "until [ \"$(systemctl is-active vitrine.service)\" = active ]; do sleep 0.2; done; done; exit 1")
    assert FILM in machine.shell("systemctl show -P StatusText vitrine.service")
    machine.shell("for i in $(seq 60); do grep -q 0.mp4 /boot/firmware/vitrine-errors.txt && exit; sleep 1; done; exit 1")


def test_a_card_that_is_damaged(card, board, tmp_path):
    """Unreadable settings, and a data partition of noise: the film plays, a message about the settings is beside them,
    and the partition is made anew."""
    dice = random.Random(1)
    card.put("vitrine.toml", dice.randbytes(2000))
    first, _ = card.partitions[3]
    with card.path.open("r+b") as file:
        file.seek(first)
        file.write(dice.randbytes(1 << 20))
    machine = board()
    machine.wait_picture(frames.number, PATIENCE)
    # Without settings nobody gets access.
    end = time.monotonic() + PATIENCE
    while (written := card.get("vitrine-errors.txt")) is None:
        assert time.monotonic() < end, machine.console[-3000:]
        time.sleep(1)
    assert b"damaged" in written
    machine.pull_plug()
    data = card.copy_partition(4, tmp_path / "data.img")
    boards.trixie("sh", "-c", f"e2fsck -p {data}; [ $? -le 1 ]")
    assert "machine-id" in boards.trixie("debugfs", "-R", "ls /", data)


def test_the_command_takes_pictures(image, tmp_path):
    """tools/board, from any folder, with its own folder for the pictures."""
    folder = TOP / ".build/board"
    for old in (*folder.glob("[0-9][0-9][0-9].png"), folder / "console.log"):
        old.unlink(missing_ok=True)
    done = subprocess.run([TOP / "tools/board", image, "--seconds", "2"], cwd=tmp_path, capture_output=True, text=True,
                          timeout=120)
    assert (done.returncode, done.stdout) == (0, f"{folder}\n"), done.stdout + done.stderr
    with PIL.Image.open(folder / "000.png") as picture:
        assert min(picture.size) > 0
    assert (folder / "console.log").exists() and not list(tmp_path.iterdir())


@pytest.mark.thorough
def test_a_player_that_fails_and_fails_gets_a_fresh_machine(card, board):
    """systemd's start limit (`StartLimitAction`). Until then a film of 1280x720 plays, in 256 MB."""
    card.put(f"films/{FILM}", None)
    card.put(f"films/{LARGE}", pathlib.Path(os.environ["VITRINE_FILMS"], LARGE).read_bytes())
    # With one processor the virtual board has switched off here, each time.
    machine = board(memory="256M", size=(1280, 720), processors=2)
    first = machine.wait_picture(frames.number, PATIENCE)
    machine.wait_picture(lambda picture: (frames.number(picture) or 0) > first + RATE or None, PATIENCE)
    machine.picture("large-in-256-mb")
    assert machine.shell("systemctl show -P NRestarts vitrine.service; dmesg | grep -c oom-kill || true").split() == ["0", "0"]
    machine.ask("mount --bind /bin/false /usr/bin/vitrine; systemctl kill --signal=KILL vitrine.service")
    machine.wait_off(PATIENCE)
    assert "panic" not in machine.console
