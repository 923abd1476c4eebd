#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes what this machine's package manager knows about its packages, one a line:
#     name <tab> section <tab> priority <tab> summary <tab> description
# usage: packages.sh OUT
# Reads the lists that are there. Where the long English descriptions are not among them, it fetches lists of its
# own into a folder beside OUT: that needs no root and changes nothing on the machine. Without a network the
# descriptions stay empty. Exit status 1: this machine has no apt.
set -eu

out=$1
work=$(dirname "$out")/apt
command -v apt-cache >/dev/null 2>&1 && [ -x /usr/lib/apt/apt-helper ] || exit 1

own() { # apt's tools on the lists of our own
    tool=$1
    shift
    "$tool" -o Acquire::Languages=en -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work" \
        -o Debug::NoLocking=1 "$@"
}

translations() { # the files of English descriptions that the given tool knows
    # shellcheck disable=SC2016
    "$@" indextargets --format '$(FILENAME)' 'Created-By: Translations' 'Language: en' 2>/dev/null |
        while read -r file; do
            if [ -s "$file" ]; then echo "$file"; fi
        done
}

if [ -n "$(translations apt-get)" ]; then
    set -- # the system's lists
else
    mkdir -p "$work/lists/partial" "$work/archives/partial"
    work=$(cd "$work" && pwd)
    if [ -z "$(translations own apt-get)" ]; then
        echo "fetching package descriptions (some 20 MB) ..." >&2
        own apt-get -qq update >&2 || true
    fi
    if [ -n "$(translations own apt-get)" ]; then set -- own; else set --; fi
fi

{
    "$@" apt-cache dumpavail
    echo "=== descriptions"
    for file in $(translations "$@" apt-get); do
        /usr/lib/apt/apt-helper cat-file "$file"
        echo
    done
} | awk '
    function value(line) { sub(/^[^:]*: */, "", line); gsub(/\t/, " ", line); return line }
    /^=== descriptions$/ { translated = 1; name = ""; next }
    /^Package: / { name = value($0); next }
    /^$/ { name = ""; described = ""; next }
    !translated && /^Section: / { section[name] = value($0); sub(/^.*\//, "", section[name]); next }
    !translated && /^Priority: / { priority[name] = value($0); next }
    !translated && /^Description(-en)?: / && !(name in summary) { summary[name] = value($0); names[++n] = name; next }
    translated && /^Description-en: / && (name in summary) && !(name in text) {
        summary[name] = value($0); text[name] = ""; described = name; next
    }
    /^ / && described != "" {
        gsub(/\t/, " ")
        sub(/^ +\.?$/, "")
        sub(/^ +/, " ")
        text[described] = text[described] $0
    }
    END {
        for (i = 1; i <= n; ++i) {
            p = names[i]
            sub(/^ +/, "", text[p])
            printf "%s\t%s\t%s\t%s\t%s\n", p, section[p], priority[p], summary[p], text[p]
        }
    }' >"$out.part"
mv "$out.part" "$out"
[ -s "$out" ]
