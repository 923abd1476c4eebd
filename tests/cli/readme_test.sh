#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: readme_test.sh PROGRAM, at the project's root: README.md shows examples/readme.cpp, and what it prints.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# block N: the N-th fenced block of README.md.
block() { awk -v n="$1" '/^```/ { fences++; next } fences == 2 * n - 1' README.md; }

block 1 >"$work/code"
sed 1,2d examples/readme.cpp | diff - "$work/code"
block 2 >"$work/output"
"$1" | diff - "$work/output"
