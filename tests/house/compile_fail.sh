#!/bin/sh
# SPDX-License-Identifier: MIT
# Misuse does not compile: every case of compile_fail.cpp is refused, the file without a case compiles.
# compile_fail.sh CXX
. tests/house/support.sh
CCACHE= # does not know the header that is compiled beforehand

source=tests/house/compile_fail.cpp
sed -n '/^#include/p' "$source" >"$build/includes.hpp"
# shellcheck disable=SC2086
"$1" -std=c++20 $strict -Iinclude -x c++-header "$build/includes.hpp" -o "$build/includes.hpp.gch" # once for all cases
compile "$1" "$source" "$build/fine.o" -include "$build/includes.hpp" -fsyntax-only
cases=$(sed -n 's/^#if CASE == \([0-9]*\).*/\1/p' "$source")
[ -n "$cases" ]
for case in $cases; do
    if compile "$1" "$source" "$build/case.o" -include "$build/includes.hpp" -fsyntax-only -Wfatal-errors "-DCASE=$case" 2>"$build/messages"; then
        sed -n "/^#if CASE == $case\$/,/^#endif/p" "$source"
        echo "case $case compiles"
        exit 1
    fi
    grep -q 'compile_fail.cpp' "$build/messages" # refused for what it does, not for a missing header
    says=$(sed -n "s/^#if CASE == $case .*says: //p" "$source")
    grep -qF "$says" "$build/messages"
done
