#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: evaluation_page.sh TRAWL, at the project's root: docs/evaluation.md shows what its commands print (its code is
# tests/examples/page.sh's to check). TRAWL_UPDATE=1 writes the page anew.
set -eu
page=$PWD/docs/evaluation.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/here"
ln -s "$(realpath "$1")" "$work/bin/trawl"
ln -s "$PWD/examples/corpus" "$work/here/corpus"
PATH=$work/bin:$PATH
export PATH

cd "$work/here"

# In a console block, a line that begins with "$ " (and those that it goes on in, after a backslash) is a command, the
# lines up to the next one are what it prints.
awk '
    function run(command, line) {
        command = "{ " command "\n} 2>&1 </dev/null"
        while ((command | getline line) > 0) print line
        close(command)
    }
    /^```console/ { print; console = 1; next }
    /^```/ && console { print; console = 0; next }
    console && (more || /^\$ /) {
        print
        command = command (more ? $0 : substr($0, 3)) "\n"
        more = /\\$/
        if (!more) { run(command); command = "" }
        next
    }
    console { next }
    { print }
' "$page" >"$work/page"

if [ -n "${TRAWL_UPDATE:-}" ]; then
    cat "$work/page" >"$page"
else
    diff "$page" "$work/page"
fi
