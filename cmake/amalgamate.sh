#!/bin/sh
# Writes the library as one header. amalgamate.sh OUTPUT [HEADER...]; HEADER as it is included, trawl/trawl.hpp
# if none is given. Each header of ours stands where it is first included, each other once at its first use.
set -eu
output=$1
shift
[ $# -gt 0 ] || set -- trawl/trawl.hpp
include=$(dirname "$0")/../include

for header in "$@"; do
    echo "#include <$header>"
done | awk -v include="$include" '
    function insert(name,    path, line) {
        path = include "/" name
        while ((getline line < path) > 0) take(line)
        close(path)
    }
    function take(line,    name) {
        if (line ~ /^\/\/ SPDX-License-Identifier/ || line ~ /^#pragma once/) return
        if (line ~ /^ *# *include *<trawl\//) {
            name = line
            sub(/^[^<]*</, "", name)
            sub(/>.*/, "", name)
            if (!(name in seen)) {
                seen[name] = 1
                insert(name)
            }
            return
        }
        print line
    }
    BEGIN {
        print "// SPDX-License-Identifier: MIT"
        print "// All of trawl in one header, written by ./dev amalgamate. Licence: see the project."
        print "#pragma once"
    }
    { take($0) }
' | cat -s >"$output.part"
mv "$output.part" "$output"
