// SPDX-License-Identifier: MIT

// A file of its own: left out where there is no zlib.

#include <trawl/formats/gzip.hpp>

#include "inputs.hpp"

namespace cli {

std::string read_compressed(std::string const& path) { return trawl::read_gzip(path); }

} // namespace cli
