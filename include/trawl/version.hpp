// SPDX-License-Identifier: MIT
#pragma once

/// The version of the library, as numbers and as text. The inline namespace carries major and
/// minor.

#define TRAWL_VERSION_MAJOR 0
#define TRAWL_VERSION_MINOR 1
#define TRAWL_VERSION_PATCH 0
#define TRAWL_VERSION_STRING "0.1.0"
