# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What the tests of the program share: TRAWL is their first argument, $work a folder that goes with them.
trawl=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

# refuses STATUS PATTERN ARGUMENT...: the exit status, and a line of stderr that matches.
refuses() {
    want=$1 pattern=$2
    shift 2
    "$trawl" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" = "$want" ] || fail "trawl $*: status $status, not $want"
    grep -Eq -- "$pattern" "$work/err" || fail "trawl $*: stderr is not /$pattern/ but $(cat "$work/err")"
}

# equal WHAT A B
equal() { [ "$2" = "$3" ] || fail "$1: $2, not $3"; }
