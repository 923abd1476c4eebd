// SPDX-License-Identifier: MIT
#pragma once

/// Everything in embed/ that needs nothing but the standard library, opens no file and starts no thread.
/// Written by ./dev format.

#include <trawl/embed/any_embedder.hpp>
