#!/bin/sh
# SPDX-License-Identifier: MIT
# The single header does what the tree does. amalgamated.sh CXX
. tests/house/support.sh

mkdir "$build/trawl"
sh cmake/amalgamate.sh "$build/trawl/trawl.hpp"
echo '#include <trawl/trawl.hpp>' >"$build/second.cpp"
for unit in "$build/second.cpp" tests/house/consumer/main.cpp; do
    # shellcheck disable=SC2086
    ${CCACHE:-} "$1" -std=c++20 $strict -O0 -I"$build" -c "$unit" -o "$build/$(basename "$unit" .cpp).o"
done
"$1" "$build/second.o" "$build/main.o" -o "$build/program"
"$build/program" >"$build/output"
diff tests/house/consumer/expected.txt "$build/output"
