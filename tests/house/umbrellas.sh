#!/bin/sh
# SPDX-License-Identifier: MIT
# The umbrellas name every header of their folder, and those of fusion and eval stay light.
. tests/house/support.sh

"$cmake" -DCHECK=ON -P cmake/umbrellas.cmake
for umbrella in fusion eval; do
    [ -e include/trawl/$umbrella.hpp ] || continue
    echo "#include <trawl/$umbrella.hpp>" >"$build/umbrella.cpp"
    "${GXX:-$CLANGXX}" -std=c++20 -Iinclude -M "$build/umbrella.cpp" >"$build/dependencies"
    if grep -nE '/(thread|immintrin\.h|fstream|iostream|regex|ranges|format)( |$)' "$build/dependencies"; then
        echo "trawl/$umbrella.hpp includes too much"
        exit 1
    fi
done
