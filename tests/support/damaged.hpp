// SPDX-License-Identifier: MIT
#pragma once

/// What may have happened to a file.

#include <cstddef>
#include <string>

#include <trawl/detail/random.hpp>

namespace support {

/// The bytes with three of them replaced by chance, every fourth round cut short too.
inline std::string damaged(std::string bytes, int round, trawl::detail::random& random) {
    if (round % 4 == 0) bytes.resize(random.below(bytes.size()));
    for (int i = 0; i < 3 && !bytes.empty(); ++i)
        bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    return bytes;
}

} // namespace support
