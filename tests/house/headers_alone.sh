#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public header compiles after nothing but the standard library, which is compiled once; that each includes what
# it uses of it is cmake/lint.sh's to see. headers_alone.sh CXX FORM, where FORM is header_only or compiled.
#
# compiled: the declarations alone. Left out are the headers that a test includes first, as tests are built in this form.
# Private headers are included by bodies; they are checked together, in the reverse of their usual order.
# header_only: the headers with a seam, whose bodies include other headers in an order of their own.
. tests/house/support.sh

cxx=$1 form=$2
CCACHE= # does not know the header that is compiled beforehand
foreign_headers | grep -vE '^(Eigen|nlohmann|CLI)/|arm_neon|libstemmer|zlib|onnxruntime' | include_what_is_here >"$build/standard.hpp"
flags=
[ "$form" = header_only ] || flags=-DTRAWL_COMPILED
# shellcheck disable=SC2086
"$cxx" -std=c++20 $strict $flags -x c++-header "$build/standard.hpp" -o "$build/standard.hpp.gch"

alone() { # alone NAME: compiles what stdin includes
    { echo '#include "standard.hpp"'; sed 's|.*|#include <&>|'; } >"$build/alone.cpp"
    # shellcheck disable=SC2086
    compile "$cxx" "$build/alone.cpp" "$build/alone.o" -fsyntax-only $flags || {
        echo "$1 does not compile alone ($form)"
        exit 1
    }
}

find tests -name '*_test.cpp' | while read -r source; do
    grep -m 1 '^#include' "$source" | sed -n 's|#include <\(trawl/.*\)>|\1|p'
done | sort -u >"$build/included_first"
public_headers | while read -r header; do
    # An umbrella includes headers that are all checked.
    if grep -q 'Written by ./dev format' "include/$header"; then continue; fi
    if [ "$form" = compiled ]; then
        grep -qxF "$header" "$build/included_first" || echo "$header"
    elif grep -q '^#ifndef TRAWL_COMPILED' "include/$header"; then
        echo "$header"
    fi
done >"$build/checked"
[ -s "$build/checked" ] || [ "$form" = compiled ]
while read -r header; do echo "$header" | alone "$header"; done <"$build/checked"
if [ "$form" = compiled ]; then
    # instructions.hpp includes the one of its two neighbours that suits the compiler.
    headers | grep '/detail/' | grep -vE '/neon/|/x86/(builtins|intrinsics)|/onnx_' | sort -r | alone "the private headers in reverse order"
fi
