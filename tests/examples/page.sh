#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: page.sh PAGE, at the project's root: the page shows code and output as they are. After a line
#   <!-- code NAME PART -->            stands what examples/NAME.cpp has between "// -- PART" and the next "// --",
#   <!-- output NAME [FIRST LAST] -->  what the program prints, as it is stored, or the lines FIRST to LAST of it,
# up to a line <!-- end -->. TRAWL_UPDATE=1 writes the page anew.
set -eu
page=$1
current=$(mktemp)
trap 'rm -f "$current"' EXIT

awk '
    function fail(reason) { print reason > "/dev/stderr"; failed = 1; exit 1 }
    function show(file, first, last, part,    line, number, shown, status) {
        while ((status = (getline line < file)) > 0) {
            ++number
            if (part != "" && line ~ /^ *\/\/ -- /) { inside = (line ~ ("-- " part "$")); continue }
            if (part != "") sub(/^    /, "", line)
            if (part != "" ? inside : number >= first && (last == 0 || number <= last)) { print line; ++shown }
        }
        close(file)
        if (status < 0) fail("no such file: " file)
        if (shown == 0) fail(file " has nothing to show for " part first)
    }
    /^<!-- (code|output) [a-z0-9]/ {
        print
        skipping = 1
        if ($2 == "code") {
            print "```cpp"
            show("examples/" $3 ".cpp", 0, 0, $4)
        } else {
            print "```text"
            show("tests/golden/examples/" $3 ".txt", $4 + 0, $5 + 0, "")
        }
        print "```"
        next
    }
    /^<!-- end -->$/ { skipping = 0 }
    !skipping { print }
    END { if (!failed && skipping) fail("a block has no <!-- end -->") }
' "$page" >"$current"

if [ -n "${TRAWL_UPDATE:-}" ]; then
    cat "$current" >"$page"
else
    diff "$page" "$current"
fi
