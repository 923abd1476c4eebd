// SPDX-License-Identifier: MIT
#pragma once

/// Conditions as people write them:
///
///     version = "3.1" and published >= 2024-01-01 and not (draft = true or tags contains "internal")

#include <string>
#include <string_view>

#include <trawl/collection/condition.hpp>

TRAWL_BEGIN_NAMESPACE

/// Reads a condition.
///
///     FIELD = VALUE         also ==; != or <>, <, <=, >, >=
///     FIELD in (VALUE, …)   FIELD not in (VALUE, …)
///     FIELD contains TEXT   FIELD not contains TEXT
///     exists(FIELD)
///     not C    C and C    C or C    (C)    true    false
///
/// `not` binds closest, then `and`, then `or`; words of the syntax may be in capitals. A field is a
/// letter or _ followed by letters, digits, _, . and -; any other name is put in backquotes: `a field`,
/// with `` for a backquote. A value is a text in double or single quotes (\\, \", \', \n, \r and \t
/// stand for characters), a number, true, false, or a date: 2024-02-29, 2024-02-29T12:30Z. A number
/// without point and exponent is an integer. Blank text is true of every document.
///
/// The condition may be nested condition::max_depth deep, parentheses and `not` counting each.
/// @throws trawl::error (parse), its text beginning "condition, column N: " (characters from 1 on),
/// saying what was expected.
/// @par Complexity  O(text).
[[nodiscard]] condition parse_condition(std::string_view text);

/// The condition as text. parse_condition() reads it back as an equal condition. Empty for the
/// condition that is true of every document.
[[nodiscard]] std::string to_text(condition const& asked);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/collection/detail/condition_text_inl.hpp>
#endif
