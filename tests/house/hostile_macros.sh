#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public template compiles where a program has defined the macros of <windows.h> and its like, without
# exceptions and without RTTI. hostile_macros.sh CXX [FLAG...]
. tests/house/support.sh

cxx=$1
shift
{
    foreign_headers | grep -v arm_neon | include_what_is_here
    cat tests/house/hostile_macros.hpp
    public_headers | sed 's|.*|#include <&>|'
    echo '#include "house/use_everything.cpp"'
} >"$build/hostile.cpp"
compile "$cxx" "$build/hostile.cpp" "$build/hostile.o" -fsyntax-only -fno-exceptions -fno-rtti "$@"
