#!/bin/sh
# SPDX-License-Identifier: MIT
# A program prints the same bits whatever the compiler and its flags, header-only and compiled, and on ARM64 where that can
# be emulated.
# flags.sh SOURCE
. tests/house/support.sh

show() { # show CXX FLAG...: the program's output, run by ${emulator:-}
    cxx=$1
    shift
    compile "$cxx" "$source" "$build/program.o" "$@"
    # shellcheck disable=SC2086
    "$cxx" "$@" "$build/program.o" ${with_library:-} -pthread -o "$build/program"
    ${emulator:-} "$build/program" >"$build/output"
    [ -s "$build/output" ] || { echo "$source prints nothing"; exit 1; }
    [ -e "$build/expected" ] || cp "$build/output" "$build/expected"
    cmp "$build/expected" "$build/output" || { echo "other bits: $cxx $*"; exit 1; }
}
anything_goes='-O3 -march=native -ffast-math'
library "${GXX:-$CLANGXX}" # which compiles, and so sets the source
source=$1
with_library=$LIBRARY
show "${GXX:-$CLANGXX}" -O0 -DTRAWL_COMPILED
with_library=
# shellcheck disable=SC2086
for compiler in "${CLANGXX:-} -O2" "${GXX:-} $anything_goes" "${CLANGXX:-} $anything_goes"; do
    case $compiler in
    ' '*) continue ;;
    esac
    show $compiler
done
if [ -n "${ARM64_GXX:-}" ]; then
    emulator=$ARM64_EMULATOR
    show "$ARM64_GXX" -O2 -static
fi
