#!/bin/sh
# SPDX-License-Identifier: MIT
# Every header compiles alone. headers_alone.sh CXX
. tests/house/support.sh

for header in $(headers); do
    echo "#include <$header>" >"$build/alone.cpp"
    compile "$1" "$build/alone.cpp" "$build/alone.o" -O0 || {
        echo "$header does not compile alone"
        exit 1
    }
done
