// SPDX-License-Identifier: MIT
#pragma once

/// Everything in models/ that needs nothing but the standard library.
/// Written by ./dev format.

#include <trawl/models/cross_encoder.hpp>
#include <trawl/models/late_interaction_encoder.hpp>
#include <trawl/models/model_folder.hpp>
#include <trawl/models/safetensors.hpp>
#include <trawl/models/sentence_encoder.hpp>
#include <trawl/models/static_embedding.hpp>
#include <trawl/models/token_encoding.hpp>
#include <trawl/models/tokenizer.hpp>
#include <trawl/models/transformer.hpp>
#include <trawl/models/weight_type.hpp>
