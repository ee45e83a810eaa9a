# Sourced by the tools that build from Debian's packages.

# The mirror from which apt fetches Debian, by this machine's own configuration.
debian_mirror() {
  local mirror
  mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' |
    grep '/debian/*$' | head -1)}
  [ -n "$mirror" ] || { echo "apt knows no mirror of Debian; run apt-get update, or set DEBIAN_MIRROR" >&2; return 69; }
  printf '%s\n' "$mirror"
}

# cache_folder NAME KEY: a folder in the user's cache for the result of the recipe KEY.
cache_folder() {
  printf '%s/vitrine/%s-%s\n' "${XDG_CACHE_HOME:-$HOME/.cache}" "$1" "$(sha256sum <<< "$2" | cut -c1-12)"
}

# once FOLDER COMMAND...: runs COMMAND, which fills the empty FOLDER, unless that was done; concurrent callers wait for
# the first.
once() {
  local folder=$1; shift
  [ ! -e "$folder/made" ] || return 0
  mkdir -p "${folder%/*}"
  (
    flock 9
    [ ! -e "$folder/made" ] || exit 0
    rm -rf "$folder" && mkdir "$folder" && "$@" && touch "$folder/made"
  ) 9> "$folder.lock"
}

# trixie_tree FOLDER ARCH VARIANT PACKAGE...: a Debian 13 for ARCH with these packages and their dependencies, in one of
# mmdebstrap's variants: "extract" only unpacks them, and runs none of their scripts.
trixie_tree() {
  local folder=$1 arch=$2 variant=$3 mirror; shift 3
  mirror=$(debian_mirror) || return
  mmdebstrap --quiet --variant="$variant" --architectures="$arch" --format=tar \
    --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --include="$(IFS=,; echo "$*")" trixie - "deb $mirror trixie main" |
    tar -x -C "$folder" --no-same-owner --exclude='./dev/*' && mkdir -p "$folder"/{dev,proc,sys,tmp,run}
}

vitrine_version() {
  sed -n 's/.*"\([0-9][0-9a-z.+~-]*\)".*/\1/p' "$(dirname "${BASH_SOURCE[0]}")/../../Sources/Vitrine/VitrineVersion.swift" |
    head -1
}
