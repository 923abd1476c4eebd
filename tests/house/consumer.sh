#!/bin/sh
# SPDX-License-Identifier: MIT
# A small project of a consumer's builds and runs. consumer.sh find_package|subdirectory|pkg_config
way=$1
. tests/house/support.sh

root=$PWD
cxx=${GXX:-$CLANGXX}
if [ "$way" != subdirectory ]; then
    "$cmake" -S . -B "$build/install-build" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_INSTALL_PREFIX="$build/prefix" \
        -DTRAWL_BUILD_TESTS=OFF -DTRAWL_BUILD_EXAMPLES=OFF -DTRAWL_BUILD_BENCHMARKS=OFF >"$build/log"
    "$cmake" --install "$build/install-build" >"$build/log"
fi

case $way in
find_package)
    "$cmake" -S tests/house/consumer -B "$build/out" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_PREFIX_PATH="$build/prefix"
    "$cmake" --build "$build/out"
    ;;
subdirectory)
    "$cmake" -S tests/house/consumer -B "$build/out" -DCMAKE_CXX_COMPILER="$cxx" -DTRAWL_SOURCE="$root"
    "$cmake" --build "$build/out"
    ;;
pkg_config)
    command -v pkg-config >/dev/null || skip "pkg-config is not here"
    mkdir "$build/out"
    flags=$(PKG_CONFIG_PATH="$build/prefix/share/pkgconfig" pkg-config --cflags trawl)
    # shellcheck disable=SC2086
    "$cxx" -std=c++20 $flags tests/house/consumer/main.cpp -o "$build/out/consumer"
    ;;
esac
"$build/out/consumer" >"$build/output"
diff tests/house/consumer/expected.txt "$build/output"
