#!/bin/sh
# SPDX-License-Identifier: MIT
# The headers compile where a program has defined the macros of <windows.h> and its like. hostile_macros.sh CXX
. tests/house/support.sh

{
    foreign_headers | grep -v arm_neon | while read -r header; do
        printf '#if __has_include(<%s>)\n#include <%s>\n#endif\n' "$header" "$header"
    done
    cat tests/house/hostile_macros.hpp
    headers | sed 's|.*|#include <&>|'
} >"$build/hostile.cpp"
compile "$1" "$build/hostile.cpp" "$build/hostile.o" -O0
