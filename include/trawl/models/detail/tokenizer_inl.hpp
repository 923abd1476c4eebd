// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of tokenizer.hpp.

#include <trawl/models/tokenizer.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_END_NAMESPACE
