// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of columns.hpp.

#include <trawl/collection/detail/columns.hpp>
