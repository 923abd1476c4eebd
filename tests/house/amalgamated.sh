#!/bin/sh
# SPDX-License-Identifier: MIT
# The single header does what the tree does. amalgamated.sh CXX
. tests/house/support.sh

mkdir "$build/trawl"
sh cmake/amalgamate.sh "$build/trawl/trawl.hpp"
# shellcheck disable=SC2086
${CCACHE:-} "$1" -std=c++20 $strict -O0 -I"$build" tests/house/consumer/main.cpp -o "$build/program"
"$build/program" >"$build/output"
diff tests/house/consumer/expected.txt "$build/output"
