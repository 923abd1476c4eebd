// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of model_folder.hpp.

#include <trawl/models/model_folder.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_END_NAMESPACE
