# Sourced by the tools that install Vitrine or pack it.

# texts SHARE WORD...: the manual pages and the completions into SHARE, from the words of the program that WORD... starts. Its
# help2man is needed. bash-completion/, man/, fish/ and zsh/ are where Debian's own packages have theirs.
texts() {
  local share=$1 version folder command name
  shift
  version=$("$@" --version)
  mkdir -p "$share"/{man/man1,bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
  # Without its first line, "#!/bin/bash": it is read, not run.
  "$@" --generate-completion-script bash | sed '1{/^#!/d}' > "$share/bash-completion/completions/vitrine"
  "$@" --generate-completion-script zsh > "$share/zsh/vendor-completions/_vitrine"
  "$@" --generate-completion-script fish > "$share/fish/vendor_completions.d/vitrine.fish"

  folder=$(mktemp -d)
  # help2man wants a program of the name that stands in the page.
  page() { # NAME DESCRIPTION WORD...
    printf '#!/bin/sh\nexec%s "$@"\n' "$(printf ' %q' "${@:3}")" > "$folder/$1"
    chmod +x "$folder/$1"
    help2man --no-info --no-discard-stderr --section 1 --source "Vitrine $version" --version-string "$version" \
      --name "$2" --output "$share/man/man1/$1.1" "$folder/$1"
  }
  page vitrine "plays films full-screen on a bare Linux display, scrubbed by touch" "$@"
  "$@" --help | sed -n '/^SUBCOMMANDS:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' > "$folder/commands"
  while read -r command; do
    page "vitrine-$command" "vitrine's command $command" "$@" "$command"
  done < "$folder/commands"
  rm -r "$folder"
}
