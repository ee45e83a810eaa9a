# For tools/rig and tools/machine, and for their first processes: passes a command to a guest, and runs it there.
# Sourced.

# hand_over FOLDER COMMAND...: writes for the guest, into FOLDER, this file, the command, the present folder, $RIG_OUT
# and the environment. The guest's programs are those in the folder $root, or this machine's where it is not set. $devices: what
# decides which devices the guest has that GStreamer's plugins look for, a kernel's name and options.
# Sets $registry: where the guest's GStreamer registry, if it makes one, is to be kept by keep_registry.
hand_over() {
  local control=$1; shift
  local name plugins cache=${XDG_CACHE_HOME:-$HOME/.cache}/vitrine
  # GStreamer scans its plugins once for each set of plugin files and devices, not at each boot.
  plugins=$(
    { echo "${devices:-}"; env | grep -E '^GST_(PLUGIN|REGISTRY)' | sort
      stat -L -c '%n %s %Y' "${root:-}"/usr/lib/x86_64-linux-gnu/{gstreamer-1.0/*.so,libgstreamer-1.0.so.0}
    } 2> /dev/null | sha256sum | cut -c1-16 || true)
  registry=$cache/gstreamer/registry-$plugins.bin
  cp "${BASH_SOURCE[0]}" "$control/guest"
  printf '%q ' "$@" > "$control/command"
  printf '%s' "$PWD" > "$control/folder"
  printf '%s' "$RIG_OUT" > "$control/out"
  {
    for name in $(compgen -e | grep -E '^(ASAN_|RIG_|GST_|SWIFT_|VITRINE_|PYTEST_)|^(CI|TERM|LANG|LD_LIBRARY_PATH|PATH|HOME|XDG_CACHE_HOME)$'); do
      printf 'export %s=%q\n' "$name" "${!name}"
    done
    if [ -n "${GST_REGISTRY:-}" ]; then :
    elif [ -s "$registry" ]; then printf 'export GST_REGISTRY=%q GST_REGISTRY_UPDATE=no\n' "$registry"
    else printf 'export GST_REGISTRY=%q\n' "$control/registry.bin"
    fi
  } > "$control/environment"
}

# keep_registry FOLDER: for the next guest.
keep_registry() {
  [ -s "$1/registry.bin" ] || return 0
  mkdir -p "${registry%/*}"
  cp "$1/registry.bin" "$registry.$$" && mv "$registry.$$" "$registry"
}

# In the guest: the mounts that programs need, under its new root.
mount_system() { # ROOT
  mount -t proc proc "$1/proc"
  mount -t sysfs sys "$1/sys"
  mount -t debugfs debugfs "$1/sys/kernel/debug"
  mount -t configfs configfs "$1/sys/kernel/config" 2> /dev/null
  mount -t devtmpfs dev "$1/dev"
  mkdir -p "$1/dev/pts" "$1/dev/shm"
  mount -t devpts devpts "$1/dev/pts"
  mount -t tmpfs shm "$1/dev/shm"
  mount -t tmpfs run "$1/run"
  mkdir -p "$1/run/lock" "$1/run/user/0"
  chmod 700 "$1/run/user/0"
}

# In the guest: loopback network, and udev with an event for every device.
start_udev() {
  ip link set lo up
  /lib/systemd/systemd-udevd --daemon 2>/dev/null
  udevadm trigger --action=add "$@" && udevadm settle -t 5
}

# In the guest: takes over the environment and the folder.
enter() { # FOLDER
  . "$1/environment"
  export XDG_RUNTIME_DIR=/run/user/0
  if [ "$GST_REGISTRY" = "$1/registry.bin" ] && command -v gst-inspect-1.0 >/dev/null; then
    gst-inspect-1.0 >/dev/null 2>&1
  fi
  cd "$(cat "$1/folder")" 2>/dev/null || cd /
}

# In the guest: runs the command with its output and errors passing through pipes to two devices, and writes its status.
run_piped() { # FOLDER OUT ERRORS
  local out err pid
  mkfifo /run/guest.out /run/guest.err
  cat /run/guest.out >"$2" & out=$!
  cat /run/guest.err >"$3" & err=$!
  (eval "$(cat "$1/command")") >/run/guest.out 2>/run/guest.err </dev/null
  echo $? > "$1/status"
  # Waits for the rest of its output, with a limit: a process that it left behind holds the pipes open for ever.
  for pid in $out $err; do timeout 2 tail -s 0.02 --pid=$pid -f /dev/null; done
}

# In the guest: the end.
off() {
  sync
  # The bare system call: poweroff(8) is not on every minimal system, perl-base is.
  perl -e 'syscall(169, 0xfee1dead, 0x28121969, 0x4321fedc, 0)'
}
