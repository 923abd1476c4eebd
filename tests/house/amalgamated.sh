#!/bin/sh
# SPDX-License-Identifier: MIT
# All headers as a single one do what the tree does, and two translation units that include it link into one program:
# nothing is defined that may not be defined twice. amalgamated.sh CXX
. tests/house/support.sh

mkdir "$build/trawl"
headers | xargs sh cmake/amalgamate.sh "$build/trawl/trawl.hpp"
# shellcheck disable=SC2086
${CCACHE:-} "$1" -std=c++20 $strict -O0 -I"$build" ${EIGEN:+-isystem "$EIGEN"} \
    -c tests/house/consumer/main.cpp -o "$build/one.o"
objcopy --redefine-sym main=main_of_the_other_unit "$build/one.o" "$build/two.o"
"$1" "$build/one.o" "$build/two.o" -pthread -o "$build/program"
"$build/program" >"$build/output"
diff tests/house/consumer/expected.txt "$build/output"
