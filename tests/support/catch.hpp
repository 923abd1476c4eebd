// SPDX-License-Identifier: MIT
#pragma once

/// Catch2, version 2 or 3, whichever the system has.

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
#else
#include <catch2/catch.hpp>
using Catch::WithinAbs;
using Catch::WithinRel;
#endif

#include <trawl/core/words.hpp>

template <>
struct Catch::StringMaker<trawl::hit> {
    static std::string convert(trawl::hit const& h) {
        return std::to_string(h.id) + ":" + StringMaker<float>::convert(h.score);
    }
};
