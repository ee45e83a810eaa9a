# Sourced by the tools that build from Debian's packages.

# Where apt fetches Debian from, as this machine's own configuration says.
debian_mirror() {
  local mirror
  mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' |
    grep '/debian/*$' | head -1)}
  [ -n "$mirror" ] || { echo "apt knows no mirror of Debian; run apt-get update, or set DEBIAN_MIRROR" >&2; return 69; }
  printf '%s\n' "$mirror"
}

# cache_folder NAME KEY: a folder of the user's cache for what KEY's text makes.
cache_folder() {
  printf '%s/vitrine/%s-%s\n' "${XDG_CACHE_HOME:-$HOME/.cache}" "$1" "$(sha256sum <<< "$2" | cut -c1-12)"
}

vitrine_version() {
  sed -n 's/.*"\([0-9][0-9a-z.+~-]*\)".*/\1/p' "$(dirname "${BASH_SOURCE[0]}")/../../Sources/Vitrine/VitrineVersion.swift" |
    head -1
}
