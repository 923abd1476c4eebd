#!/bin/sh
# SPDX-License-Identifier: MIT
# A small project of a consumer's builds and runs, header-only and compiled. consumer.sh installed|subdirectory|fetch_content|by_hand
way=$1
. tests/house/support.sh

root=$PWD
build=$(cd "$build" && pwd)
cxx=${GXX:-$CLANGXX}
main=tests/house/consumer/main.cpp

# configure SOURCE FOLDER [OPTION...]: not optimised, it is only run once.
configure() {
    from=$1 to=$2
    shift 2
    "$cmake" -S "$from" -B "$to" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_CXX_COMPILER_LAUNCHER="${CCACHE:-}" \
        -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 "$@"
}

check() { # check PROGRAM...: each prints what is expected
    for program in "$@"; do
        "$program" >"$build/output"
        diff tests/house/consumer/expected.txt "$build/output"
    done
}

# pkg_config PACKAGE PROGRAM: by the files of the installation and nothing else
pkg_config() {
    flags=$(PKG_CONFIG_LIBDIR="$prefix/$libdir/pkgconfig:$prefix/share/pkgconfig" pkg-config --cflags --libs "$1")
    # shellcheck disable=SC2086
    "$cxx" -std=c++20 "$main" $flags -o "$2"
    check "$2"
}

case $way in
installed)
    # As Debian has it: a folder below lib/ for each architecture.
    architecture=$("$cxx" -print-multiarch 2>/dev/null || :)
    libdir=lib${architecture:+/$architecture}
    prefix=$build/prefix
    configure . "$build/library" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR="$libdir" >"$build/log"
    # Nothing has been built: the headers are installed.
    "$cmake" --install "$build/library" >"$build/log"
    configure tests/house/consumer "$build/headers" -DCMAKE_PREFIX_PATH="$prefix" -DCOMPILED=OFF
    "$cmake" --build "$build/headers"
    check "$build/headers/consumer"
    if command -v pkg-config >/dev/null; then pkg_config trawl "$build/program"; fi

    "$cmake" --build "$build/library" --target trawl_compiled
    "$cmake" --install "$build/library" >"$build/log"
    mv "$prefix" "$build/moved" # an installation may be moved
    prefix=$build/moved
    configure tests/house/consumer "$build/compiled" -DCMAKE_PREFIX_PATH="$prefix"
    "$cmake" --build "$build/compiled" --target consumer_compiled
    check "$build/compiled/consumer_compiled"
    if command -v pkg-config >/dev/null; then pkg_config trawl-compiled "$build/program"; fi
    ;;
subdirectory)
    configure tests/house/consumer "$build/out" -DTRAWL_SOURCE="$root"
    "$cmake" --build "$build/out" --target consumer
    if [ -e "$build/out/trawl/libtrawl_compiled.a" ]; then
        echo "the compiled form is built although nothing links it"
        exit 1
    fi
    "$cmake" --build "$build/out"
    check "$build/out/consumer" "$build/out/consumer_compiled"
    ;;
fetch_content)
    git rev-parse HEAD >/dev/null 2>&1 || skip "no git, or no repository"
    # A repository of what is here, committed or not.
    git ls-files -co --exclude-standard CMakeLists.txt cmake include src | while read -r file; do
        [ ! -e "$file" ] || echo "$file"
    done | tar -cf "$build/files.tar" -T -
    mkdir "$build/repository"
    tar -xf "$build/files.tar" -C "$build/repository"
    git -C "$build/repository" init -q
    git -C "$build/repository" add -A
    git -C "$build/repository" -c user.name=test -c user.email=test@example.org commit -qm "what is here"
    configure tests/house/consumer "$build/out" -DTRAWL_REPOSITORY="$build/repository" \
        -DTRAWL_COMMIT="$(git -C "$build/repository" rev-parse HEAD)"
    "$cmake" --build "$build/out"
    check "$build/out/consumer" "$build/out/consumer_compiled"
    ;;
by_hand) # a compiler, and the one source file
    "$cxx" -std=c++20 -O0 -Iinclude -DTRAWL_COMPILED src/trawl.cpp "$main" -o "$build/program"
    check "$build/program"
    ;;
esac
