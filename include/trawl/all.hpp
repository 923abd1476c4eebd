// SPDX-License-Identifier: MIT
#pragma once

/// The library: everything that needs nothing but the standard library, opens no file and starts no thread.
/// Ask for the rest by name: trawl/storage.hpp, trawl/formats.hpp, trawl/core/thread_executor.hpp, trawl/embed/lsa.hpp, …
/// Written by ./dev format.

#include <trawl/config.hpp>
#include <trawl/core.hpp>
#include <trawl/dense.hpp>
#include <trawl/embed.hpp>
#include <trawl/error.hpp>
#include <trawl/eval.hpp>
#include <trawl/fusion.hpp>
#include <trawl/lexical.hpp>
#include <trawl/pipeline.hpp>
#include <trawl/rerank.hpp>
#include <trawl/text.hpp>
#include <trawl/version.hpp>
