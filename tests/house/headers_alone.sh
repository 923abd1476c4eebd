#!/bin/sh
# SPDX-License-Identifier: MIT
# Every header compiles after nothing but the standard library, which is compiled once; that each includes what
# it uses of it is cmake/lint.sh's to see. headers_alone.sh CXX
. tests/house/support.sh

foreign_headers | grep -vE '^(Eigen|nlohmann|CLI)/|arm_neon|libstemmer|zlib' | include_what_is_here >"$build/standard.hpp"
# shellcheck disable=SC2086
"$1" -std=c++20 $strict -x c++-header "$build/standard.hpp" -o "$build/standard.hpp.gch"
find tests -name '*_test.cpp' | while read -r source; do
    grep -m 1 '^#include' "$source" | sed -n 's|#include <\(trawl/.*\)>|\1|p'
done | sort -u >"$build/included_first"
for header in $(headers | grep -vxFf "$build/included_first"); do
    ! grep -q 'Written by ./dev format' "include/$header" || continue # an umbrella, of headers that are all checked
    printf '#include "standard.hpp"\n#include <%s>\n' "$header" >"$build/alone.cpp"
    form=-DTRAWL_HEADER_ONLY # a private header is included by bodies alone, behind the public header that they belong to
    case $header in *_inl.hpp) ;; */detail/*) form=-DTRAWL_COMPILED ;; esac
    CCACHE='' compile "$1" "$build/alone.cpp" "$build/alone.o" -fsyntax-only "$form" || {
        echo "$header does not compile alone"
        exit 1
    }
done
