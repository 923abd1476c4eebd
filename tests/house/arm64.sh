#!/bin/sh
# SPDX-License-Identifier: MIT
# The tests of the kernels, compiled for ARM64 and emulated: NEON beside scalar. arm64.sh SOURCE...
. tests/house/support.sh

[ -n "${ARM64_GXX:-}" ] || skip "no cross compiler for ARM64, or no emulator"
[ -e /usr/include/catch2/catch.hpp ] || skip "Catch2's headers alone do not do (version 3)"
# Catch2's headers without the rest of the host's.
mkdir "$build/include"
ln -s /usr/include/catch2 "$build/include/catch2"
for source in tests/support/main.cpp "$@"; do
    compile "$ARM64_GXX" "$source" "$build/$(basename "$source").o" -O1 -isystem "$build/include"
done
"$ARM64_GXX" -static "$build"/*.o -o "$build/test"
"$ARM64_EMULATOR" "$build/test"
