#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public template is instantiated and used under the strict warnings. everything.sh CXX FLAG...; with
# -DTRAWL_COMPILED among the flags, it is linked with the compiled form.
. tests/house/support.sh

cxx=$1
shift
echo 'int main() {}' >"$build/probe.cpp"
"$cxx" "$@" "$build/probe.cpp" -o "$build/probe" 2>/dev/null || skip "$cxx $* does not work here"

compile "$cxx" tests/house/use_everything.cpp "$build/everything.o" "$@"
case " $* " in
*" -DTRAWL_COMPILED "*) library "$cxx" ;;
*) LIBRARY= ;;
esac
# shellcheck disable=SC2086
"$cxx" "$@" "$build/everything.o" $LIBRARY -pthread -o "$build/everything"
"$build/everything"
