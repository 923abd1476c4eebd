#!/bin/sh
# SPDX-License-Identifier: MIT
# Two translation units that include everything link into one program: nothing is defined that may not be defined
# twice. two_units.sh CXX
. tests/house/support.sh

headers | sed 's|.*|#include <&>|' >"$build/all.cpp"
echo 'int main() {}' >"$build/main.cpp"
compile "$1" "$build/all.cpp" "$build/one.o" -O0
cp "$build/one.o" "$build/two.o"
"$1" "$build/main.cpp" "$build/one.o" "$build/two.o" -pthread -o "$build/program"
"$build/program"
