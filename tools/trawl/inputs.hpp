// SPDX-License-Identifier: MIT
#pragma once

/// Runs and judgements in any form that they come in: TREC, BEIR or JSON, compressed or not,
/// recognised by what they hold and not by their names.

#include <string>

#include <trawl/eval/convention.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/ordered_keys.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/run.hpp>

namespace cli {

/// The last part of a path: what a run or a judge is called.
[[nodiscard]] std::string file_name(std::string const& path);

/// What a file holds; unfolded if gzip has compressed it.
/// @throws trawl::error (io, corrupt), (invalid_argument) for a compressed file where zlib was not
/// there when this program was built.
[[nodiscard]] std::string read_contents(std::string const& path);

[[nodiscard]] trawl::run read_run(std::string const& path, trawl::convention whose);
[[nodiscard]] trawl::qrels read_qrels(std::string const& path);

/// The rules of a convention, but for what is said beside it.
[[nodiscard]] trawl::evaluate_options evaluate_options_of(
    std::string const& convention, std::string const& ties, int level);

/// Keys, one a line; blank lines are passed over.
[[nodiscard]] trawl::ordered_keys read_keys(std::string const& path);

#ifdef CLI_GZIP
[[nodiscard]] std::string read_compressed(std::string const& path);
#endif

} // namespace cli
