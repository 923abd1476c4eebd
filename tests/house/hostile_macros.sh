#!/bin/sh
# SPDX-License-Identifier: MIT
# The headers compile where a program has defined the macros of <windows.h> and its like. hostile_macros.sh CXX
. tests/house/support.sh

{
    foreign_headers | grep -v arm_neon | include_what_is_here
    cat tests/house/hostile_macros.hpp
    headers | sed 's|.*|#include <&>|'
} >"$build/hostile.cpp"
compile "$1" "$build/hostile.cpp" "$build/hostile.o" -O0
