# Sourced by the tools that make a first file system for Debian's kernel, after debian.sh.

# initramfs TREE RELEASE "DISK..." "MORE..." FILE: board/init/initramfs.c as /init, and the kernel RELEASE's modules from TREE,
# whose depmod has run, unpacked and in the order in which they load: those that the disk needs in /modules/disk, those that
# may be loaded beside its mount in /modules/more. What is built in, or is a dependency already there, is left out, and so are
# the modules' signatures: to check one takes the virtual board some 50 ms, and no boot loader here asks for it.
initramfs() {
  local tree=$1 release=$2 file=$5 tools build number=100 into module path name
  local -A seen=() wanted=([disk]=$3 [more]=$4)
  tools=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
  build=$(mktemp -d /tmp/initramfs.XXXXXX); chmod 755 "$build"
  for into in disk more; do
    mkdir -p "$build/modules/$into"
    for module in ${wanted[$into]}; do
      while read -r path; do
        name=${path##*/} name=${name%%.ko*}.ko
        [ -z "${seen[$name]:-}" ] || continue
        seen[$name]=1 number=$((number + 1))
        case $path in *.xz) xz -dc "$path" ;; *.zst) zstd -qdc "$path" ;; *) cat "$path" ;; esac \
          > "$build/modules/$into/$number-$name"
      done < <("$tools/trixie" modprobe -d "$tree" -S "$release" --show-depends "$module" 2> /dev/null |
        sed -n 's/^insmod \([^ ]*\).*/\1/p')
    done
  done
  "$tools/trixie" aarch64-linux-gnu-strip --strip-debug "$build"/modules/*/*.ko
  install -m 644 "$tools"/../board/init/{initramfs.c,early.h} "$build/"
  "$tools/trixie" aarch64-linux-gnu-gcc -std=gnu17 -Os -static -Wall -Wextra -Werror -s -o "$build/init" "$build/initramfs.c"
  rm "$build"/*.[ch]
  find "$build" -exec touch -hd "@${SOURCE_DATE_EPOCH:-0}" {} +
  (cd "$build" && find . -mindepth 1 | LC_ALL=C sort |
    "$tools/trixie" cpio -o -H newc --quiet --reproducible --owner=0:0) > "$file"
  rm -r "$build"
}
