#!/bin/sh
# SPDX-License-Identifier: MIT
# Two translation units that include everything link into one program. two_units.sh CXX
. tests/house/support.sh

headers | sed 's|.*|#include <&>|' >"$build/all.hpp"
echo '#include "all.hpp"' >"$build/one.cpp"
printf '#include "all.hpp"\nint main() {}\n' >"$build/two.cpp"
for unit in one two; do
    compile "$1" "$build/$unit.cpp" "$build/$unit.o" -O0
done
"$1" "$build/one.o" "$build/two.o" -pthread -o "$build/program"
"$build/program"
