# Sourced by the tools that install Vitrine or pack it.

# texts SHARE WORD...: installs the manual pages and the completions into SHARE, from the texts of the program that
# WORD... starts, with this machine's help2man. Debian's own packages use bash-completion/, man/, fish/ and zsh/, too.
texts() {
  local share=$1 version folder
  local words='s/^OVERVIEW: //; s/^USAGE:/Usage:/; s/^OPTIONS:/Options:/; s/^EXAMPLES$/Examples:/; s/^EXIT STATUS$/Exit status:/'
  shift
  version=$("$@" --version)
  mkdir -p "$share"/{man/man1,bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
  # Without its first line, "#!/bin/bash": it is read, not run.
  "$@" --generate-completion-script bash | sed '1{/^#!/d}' > "$share/bash-completion/completions/vitrine"
  "$@" --generate-completion-script zsh > "$share/zsh/vendor-completions/_vitrine"
  "$@" --generate-completion-script fish > "$share/fish/vendor_completions.d/vitrine.fish"

  folder=$(mktemp -d)
  cat > "$folder/sections" <<'TEXT'
[FILES]
.TP
.I /etc/vitrine.toml
the service's settings, which explain themselves; on a card \fIvitrine.toml\fR
.TP
.I vitrine-errors.txt
on a card their mistakes, beside them, while there are any

[SEE ALSO]
.BR vitrine (1)
TEXT
  commands() { sed -n '/^SUBCOMMANDS:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p'; } # of a help on standard input
  "$@" --help | commands | sed 's/.*/.BR vitrine-& (1)/' >> "$folder/sections"
  printf '\nThe documents: https://github.com/vitrine/vitrine/tree/main/docs\n' >> "$folder/sections"
  # help2man requires a program of the page's name, and GNU's headings in its help.
  page() { # NAME DESCRIPTION WORD...
    printf '#!/bin/sh\n%s "$@" | sed "%s"\n' "$(printf '%q ' "${@:3}")" "$words" > "$folder/$1"
    chmod +x "$folder/$1"
    help2man --no-info --include "$folder/sections" --section 1 --source "Vitrine $version" --version-string "$version" \
      --name "$2" --output "$share/man/man1/$1.1" "$folder/$1"
  }
  pages() { # NAME WORD...: of a command, and of each of its own commands
    local name=$1 command
    shift
    "$@" --help > "$folder/$name.help"
    # The help's first sentences, up to an empty line, are the page's summary.
    page "$name" "$(sed '/^$/Q; s/^OVERVIEW: //' "$folder/$name.help" | tr '\n' ' ' | sed 's/\. *$//')" "$@"
    for command in $(commands < "$folder/$name.help"); do
      pages "$name-$command" "$@" "$command"
    done
  }
  pages vitrine "$@"
  rm -r "$folder"
}
