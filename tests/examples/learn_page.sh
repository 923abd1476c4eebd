#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: learn_page.sh, at the project's root: docs/learn.md shows the output of the programs as it is stored. A block
# of output stands between a line <!-- output NAME --> (or NAME FIRST LAST, two line numbers) and the block's end.
# TRAWL_UPDATE=1 writes the page anew.
set -eu
page=docs/learn.md
current=$(mktemp)
trap 'rm -f "$current"' EXIT

awk '
    /^<!-- output / {
        print
        name = $3; first = $4 + 0; last = $5 + 0
        if (name == "-->" ) exit 1
        print "```text"
        file = "tests/golden/examples/" name ".txt"
        number = 0
        while ((status = (getline line < file)) > 0) {
            ++number
            if (number >= first && (last == 0 || number <= last)) print line
        }
        close(file)
        if (status < 0) { print "no such file: " file > "/dev/stderr"; exit 1 }
        print "```"
        fences = 0; skipping = 1
        next
    }
    skipping && /^```/ { if (++fences == 2) skipping = 0; next }
    !skipping { print }
' "$page" >"$current"

if [ -n "${TRAWL_UPDATE:-}" ]; then
    cat "$current" >"$page"
else
    diff "$page" "$current"
fi
