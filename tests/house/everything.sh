#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public template is instantiated and used under the strict warnings. everything.sh CXX FLAG...
. tests/house/support.sh

cxx=$1
shift
echo 'int main() {}' >"$build/probe.cpp"
"$cxx" "$@" "$build/probe.cpp" -o "$build/probe" 2>/dev/null || skip "$cxx $* does not work here"

compile "$cxx" tests/house/use_everything.cpp "$build/everything.o" "$@"
"$cxx" "$@" "$build/everything.o" -pthread -o "$build/everything"
"$build/everything"
