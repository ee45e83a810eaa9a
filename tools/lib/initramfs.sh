# Sourced by the tools that make a first file system for Debian's kernel.

# unpack_modules TREE RELEASE FOLDER NAME...: these modules of the kernel RELEASE in TREE, whose depmod has run, and what they need,
# unpacked, in the order of their names as they load. What is built in is left out, and what another folder beside FOLDER has.
unpack_modules() {
  local tree=$1 release=$2 folder=$3 number=100 module path name; shift 3
  mkdir -p "$folder"
  for module; do PATH=$PATH:/usr/sbin:/sbin modprobe -d "$tree" -S "$release" --show-depends "$module" 2> /dev/null || true; done |
    sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' | while read -r path; do
      name=${path##*/} name=${name%%.ko*}.ko number=$((number + 1))
      [ -z "$(find "${folder%/*}" -name "???-$name")" ] || continue
      case $path in *.xz) xz -dc "$path" ;; *.zst) zstd -qdc "$path" ;; *) cat "$path" ;; esac > "$folder/$number-$name" || return
    done
}

# initramfs TREE RELEASE "DISK..." "MORE..." FILE: board/init/initramfs.c as /init, and modules: those that the disk needs in
# /modules/disk, those that may be loaded beside its mount in /modules/more. They have no signatures: to check one takes the virtual
# board some 50 ms, and no boot loader here asks for it.
initramfs() {
  local tree=$1 release=$2 file=$5 tools build
  tools=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
  build=$(mktemp -d /tmp/initramfs.XXXXXX); chmod 755 "$build"
  unpack_modules "$tree" "$release" "$build/modules/disk" $3
  unpack_modules "$tree" "$release" "$build/modules/more" $4
  "$tools/trixie" aarch64-linux-gnu-strip --strip-debug "$build"/modules/*/*.ko
  install -m 644 "$tools"/../board/init/{initramfs.c,early.h} "$build/"
  "$tools/trixie" aarch64-linux-gnu-gcc -std=gnu17 -Os -static -Wall -Wextra -Werror -s -o "$build/init" "$build/initramfs.c"
  rm "$build"/*.[ch]
  find "$build" -exec touch -hd "@${SOURCE_DATE_EPOCH:-0}" {} +
  (cd "$build" && find . -mindepth 1 | LC_ALL=C sort |
    "$tools/trixie" cpio -o -H newc --quiet --reproducible --owner=0:0) > "$file"
  rm -r "$build"
}
