// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of safetensors.hpp.

#include <trawl/models/safetensors.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_END_NAMESPACE
