// SPDX-License-Identifier: MIT
#pragma once

/// How a model's weights are kept in memory.

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// How the weights of a model's layers are kept. Files may have f32, f16 or bf16 whatever is chosen.
enum class weight_type : unsigned char {
    float32,
    /// A byte a weight, with a scale for each output; activations become bytes with a scale for each
    /// token while they are multiplied. Sums are exact, so that the result has the same bits on every
    /// machine. A quarter of the memory, and faster; cosines to the vectors by float32 are about .99
    /// or more.
    int8,
};

TRAWL_END_NAMESPACE
