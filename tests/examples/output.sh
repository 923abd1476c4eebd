#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: output.sh PROGRAM FILE, at the project's root: the program prints what the file holds.
# TRAWL_UPDATE=1 writes the file instead.
set -eu
if [ -n "${TRAWL_UPDATE:-}" ]; then
    "$1" >"$2.new"
    mv "$2.new" "$2"
else
    "$1" | diff "$2" -
fi
