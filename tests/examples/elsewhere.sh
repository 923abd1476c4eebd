#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: elsewhere.sh PROGRAM...: started in another directory, each runs or says why it does not.
set -eu
elsewhere=$(mktemp -d)
trap 'rm -rf "$elsewhere"' EXIT
cd "$elsewhere"
for program in "$@"; do
    status=0
    "$program" >"$elsewhere/out" 2>"$elsewhere/err" </dev/null || status=$?
    case $status in
    0) ;;
    1) grep -q "start the examples at the project's root" "$elsewhere/err" ;;
    *)
        echo "$program ended with $status: $(cat "$elsewhere/err")"
        exit 1
        ;;
    esac
done
