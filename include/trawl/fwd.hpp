// SPDX-License-Identifier: MIT
#pragma once

/// Declarations without definitions, for headers that only pass the library's types on.

#include <cstdint>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

using doc_id = std::uint32_t;

class doc_set;
class error;
class executor;
class filter;
class key_table;
class thread_executor;
class top_k;
enum class errc : unsigned char;
enum class operation : unsigned char;
enum class text_role : unsigned char;
struct by_rank;
struct candidate;
struct explanation;
struct hit;
struct query;
struct search_options;
struct token;
struct weighted_term;
template <class T>
struct matrix_view;

TRAWL_END_NAMESPACE
