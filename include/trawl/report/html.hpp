// SPDX-License-Identifier: MIT
#pragma once

/// A report as one HTML page. It needs no network, has a light and a dark theme, and works on narrow
/// screens and by keyboard. Tables and charts are there without scripts too.

#include <string>

#include <trawl/eval/table.hpp>
#include <trawl/report/data.hpp>

TRAWL_BEGIN_NAMESPACE

/// A section of the page: heading, sortable table and notes.
[[nodiscard]] std::string to_html(table const& t);
/// The page. All text from files and callers is escaped. The page loads nothing, and its content
/// security policy forbids it to.
/// @throws trawl::error (invalid_argument) if the report has no results.
[[nodiscard]] std::string to_html(evaluation_report const& r);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/report/detail/html_inl.hpp>
#endif
