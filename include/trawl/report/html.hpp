// SPDX-License-Identifier: MIT
#pragma once

/// A report as one HTML page: it opens without a network, in light and dark, on narrow screens and
/// by keyboard alone; without scripts its figures and charts are still there.

#include <string>

#include <trawl/eval/table.hpp>
#include <trawl/report/data.hpp>

TRAWL_BEGIN_NAMESPACE

/// A section with a heading, a table that the page's script sorts, and the notes.
[[nodiscard]] std::string to_html(table const& t);
/// The page. Whatever comes from files and callers is escaped; nothing is loaded from anywhere, and
/// the page's own policy forbids it.
/// @throws trawl::error (invalid_argument) if the report has no results.
[[nodiscard]] std::string to_html(evaluation_report const& r);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/report/detail/html_inl.hpp>
#endif
