#!/bin/sh
# SPDX-License-Identifier: MIT
# Each kernel has the instructions of its level, compiled without a flag for them, and no other function has them.
# instructions.sh CXX
. tests/house/support.sh
command -v objdump >/dev/null || skip "no objdump"

cat >"$build/kernels.cpp" <<'END'
#include <trawl/detail/simd/dispatch.hpp>
#include <trawl/detail/simd/transformer_kernels.hpp>

int main() {
    return trawl::detail::active_kernels().dot_rows == nullptr
           || trawl::detail::active_transformer_kernels().gelu == nullptr;
}
END
compile "$1" "$build/kernels.cpp" "$build/kernels.o" -O2
objdump -dC --no-show-raw-insn "$build/kernels.o" >"$build/listing"
awk '
    /^[0-9a-f]+ <.*>:$/ {
        name = $0
        sub(/^[0-9a-f]+ </, "", name)
        sub(/\(.*/, "", name)
        sub(/.*detail::/, "", name)
        sub(/<.*/, "", name)
    }
    /vfmadd[0-9]+ps .*%zmm/ { found[name " multiplies in zmm"] = 1 }
    /vfmadd[0-9]+ps .*%ymm/ { found[name " multiplies in ymm"] = 1 }
    /%ymm/ { found[name " uses ymm"] = 1 }
    /vpshufb .*%ymm/ { found[name " looks up in ymm"] = 1 }
    /vpshufb .*%zmm/ { found[name " looks up in zmm"] = 1 }
    /vpdpbusd .*%zmm/ { found[name " multiplies bytes in zmm"] = 1 }
    /vcvtph2ps .*%zmm/ { found[name " widens in zmm"] = 1 }
    /vpmaddwd .*%ymm/ { found[name " multiplies integers in ymm"] = 1 }
    /%[yz]mm/ && name !~ /^(avx|scalar_fma)/ { print name " has" $0; wrong = 1 }
    END {
        wanted = "avx2::dot_rows multiplies in ymm,avx2::squared_distance_rows multiplies in ymm," \
            "avx2::dot_tile multiplies in ymm,avx2::squared_distance_tile multiplies in ymm," \
            "avx512::dot_rows multiplies in zmm,avx512::squared_distance_rows multiplies in zmm," \
            "avx512::dot_tile multiplies in zmm,avx512::squared_distance_tile multiplies in zmm," \
            "avx512::sum_tables looks up in zmm,avx512::dot_int8_rows multiplies bytes in zmm," \
            "avx512::dot_float16_rows widens in zmm,avx512::dot_bfloat16_rows multiplies in zmm," \
            "avx2::unpack_rows uses ymm,avx2::contributions uses ymm,avx2::add_counts uses ymm," \
            "avx2::gelu multiplies in ymm,avx512::gelu multiplies in zmm," \
            "avx2::multiply_tile multiplies in ymm,avx512::multiply_tile multiplies in zmm," \
            "avx512::multiply_tile multiplies bytes in zmm,avx2::multiply_tile multiplies integers in ymm," \
            "avx2::sum_tables looks up in ymm,avx2::dot_int8_rows multiplies integers in ymm"
        count = split(wanted, each, ",")
        for (i = 1; i <= count; ++i)
            if (!(each[i] in found)) { print "not so: " each[i]; wrong = 1 }
        exit wrong
    }' "$build/listing"
