#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes the library as one header. amalgamate.sh OUTPUT [HEADER...]; HEADER as it is included, trawl/trawl.hpp
# if none is given. Each header of ours stands where it is first included, each other once at its first use. The
# declarations come first, then the bodies in one block that the compiled form leaves out.
set -eu
output=$1
shift
[ $# -gt 0 ] || set -- trawl/trawl.hpp
include=$(dirname "$0")/../include

for header in "$@"; do
    echo "#include <$header>"
done | awk -v include="$include" '
    function insert(name,    path, line) {
        if (name in seen) return
        seen[name] = 1
        path = include "/" name
        while ((getline line < path) > 0) take(line)
        close(path)
    }
    function take(line,    name) {
        if (line ~ /^\/\/ SPDX-License-Identifier/ || line ~ /^#pragma once/) return
        # The seam at the end of a header: its body waits.
        if (line == "#ifndef TRAWL_COMPILED") { seam = 1; return }
        if (seam && line == "#endif") { seam = 0; return }
        if (line ~ /^ *# *include *<trawl\//) {
            name = line
            sub(/^[^<]*</, "", name)
            sub(/>.*/, "", name)
            if (seam) waiting[++last] = name
            else insert(name)
            return
        }
        print line
    }
    BEGIN {
        print "// SPDX-License-Identifier: MIT"
        print "// All of trawl in one header, written by ./dev amalgamate. Licence: see the project."
        print "//"
        print "// Header-only as it is. To compile the bodies once, define TRAWL_COMPILED for the whole program and add one"
        print "// source that says:"
        print "//     #define TRAWL_SOURCE"
        print "//     #include <trawl/trawl.hpp> // this file"
        print "#pragma once"
    }
    { take($0) }
    END {
        if (last == 0) exit
        print "#if !defined(TRAWL_COMPILED) || defined(TRAWL_SOURCE)"
        for (i = 1; i <= last; ++i) insert(waiting[i])
        print "#endif"
    }
' | cat -s >"$output.part"
mv "$output.part" "$output"
