#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: evaluation_page.sh TRAWL EXAMPLE, at the project's root: docs/evaluation.md shows what its commands print, and
# examples/evaluation.cpp with its output. TRAWL_UPDATE=1 writes the page anew.
set -eu
page=$PWD/docs/evaluation.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/here"
ln -s "$(realpath "$1")" "$work/bin/trawl"
ln -s "$PWD/examples/corpus" "$work/here/corpus"
PATH=$work/bin:$PATH
export PATH

"$2" >"$work/output"
sed 1,2d examples/evaluation.cpp >"$work/code"
cd "$work/here"

# In a console block, a line that begins with "$ " (and those that it goes on in, after a backslash) is a command, the
# lines up to the next one are what it prints. A block after <!-- code --> or <!-- output --> is the example.
awk -v code="$work/code" -v output="$work/output" '
    function include(file, line) { while ((getline line < file) > 0) print line; close(file) }
    function run(command, line) {
        command = "{ " command "\n} 2>&1 </dev/null"
        while ((command | getline line) > 0) print line
        close(command)
    }
    /^<!-- (code|output) -->$/ { print; wanted = $2; next }
    wanted != "" && /^```/ { print; include(wanted == "code" ? code : output); wanted = ""; skipping = 1; next }
    /^```console/ { print; console = 1; next }
    /^```/ && (console || skipping) { print; console = 0; skipping = 0; next }
    console && (more || /^\$ /) {
        print
        command = command (more ? $0 : substr($0, 3)) "\n"
        more = /\\$/
        if (!more) { run(command); command = "" }
        next
    }
    console || skipping { next }
    { print }
' "$page" >"$work/page"

if [ -n "${TRAWL_UPDATE:-}" ]; then
    cat "$work/page" >"$page"
else
    diff "$page" "$work/page"
fi
