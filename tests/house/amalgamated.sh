#!/bin/sh
# SPDX-License-Identifier: MIT
# All headers as a single one do what the tree does, header-only and compiled. Two translation units that include it link
# into one program: nothing is defined that may not be defined twice. amalgamated.sh CXX
. tests/house/support.sh

mkdir "$build/trawl"
public_headers | xargs sh cmake/amalgamate.sh "$build/trawl/trawl.hpp"
with() { # with SOURCE OBJECT [FLAG...]
    source=$1 object=$2
    shift 2
    # shellcheck disable=SC2086
    ${CCACHE:-} "$cxx" -std=c++20 $strict -O0 -I"$build" ${EIGEN:+-isystem "$EIGEN"} "$@" -c "$source" -o "$object"
}
check() { # check OBJECT...
    "$cxx" "$@" -pthread -o "$build/program"
    "$build/program" >"$build/output"
    diff tests/house/consumer/expected.txt "$build/output"
}

cxx=$1
main=tests/house/consumer/main.cpp
with $main "$build/one.o"
objcopy --redefine-sym main=main_of_the_other_unit "$build/one.o" "$build/two.o"
check "$build/one.o" "$build/two.o"

printf '#define TRAWL_SOURCE\n#include <trawl/trawl.hpp>\n' >"$build/source.cpp"
with "$build/source.cpp" "$build/source.o" -DTRAWL_COMPILED
with $main "$build/compiled.o" -DTRAWL_COMPILED
check "$build/compiled.o" "$build/source.o"
