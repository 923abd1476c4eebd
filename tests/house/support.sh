# SPDX-License-Identifier: MIT
# Sourced by every test of the house, which runs at the project's root. The environment may give CMAKE, CCACHE,
# BUILD (a folder of the test's own), LIBRARY (the compiled form), GXX, CLANGXX, ARM64_GXX with ARM64_EMULATOR, STRICT, EIGEN (include path)
# and NLOHMANN (set if it is there).
# shellcheck shell=sh disable=SC2034
set -eu

cmake=${CMAKE:-cmake}
strict=${STRICT:-"-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror"}
build=${BUILD:-build/house/$(basename "$0" .sh)}
rm -rf "$build"
mkdir -p "$build"
trap 'rm -rf "$build"' EXIT

# compile CXX SOURCE OBJECT [FLAG...]: strict warnings, the include path and C++20.
compile() {
    cxx=$1 source=$2 object=$3
    shift 3
    # shellcheck disable=SC2086
    ${CCACHE:-} "$cxx" -std=c++20 $strict -Iinclude -Itests ${EIGEN:+-isystem "$EIGEN"} "$@" -c "$source" -o "$object"
}

# Our headers, as they are included, one a line; those whose packages are not here left out.
headers() {
    find include/trawl -name '*.hpp' | sort | while read -r header; do
        if [ -z "${EIGEN:-}" ] && grep -Eq '#include <(Eigen/|trawl/embed/lsa)' "$header"; then continue; fi
        if [ -z "${NLOHMANN:-}" ] && grep -Eq '#include <(nlohmann/|trawl/(formats|pipeline)/json)' "$header"; then continue; fi
        echo "${header#include/}"
    done
}

# Those of them that a program may include, but that of ONNX Runtime, which no distribution has.
public_headers() { headers | grep -v '/detail/' | grep -vxF trawl/models/onnx.hpp; }

# The headers that are not ours and that ours include, one a line.
foreign_headers() {
    headers | sed 's|^|include/|' | xargs grep -hoE '^ *# *include <[^>]*>' | sed 's|.*<||; s|>.*||' \
        | grep -v '^trawl/' | grep -v 'intrin' | sort -u
}

# Reads headers, one a line, and writes what includes those that are here.
include_what_is_here() {
    while read -r header; do
        printf '#if __has_include(<%s>)\n#include <%s>\n#endif\n' "$header" "$header"
    done
}

# The compiled form: LIBRARY, or compiled here where that is not given. library CXX
library() {
    if [ -z "${LIBRARY:-}" ] || [ ! -e "$LIBRARY" ]; then
        LIBRARY=$build/library.o
        [ -e "$LIBRARY" ] || compile "$1" src/trawl.cpp "$LIBRARY" -O1
    fi
}

skip() {
    echo "skipped: $*"
    exit 77
}
