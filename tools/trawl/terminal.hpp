// SPDX-License-Identifier: MIT
#pragma once

/// What the program shows besides its results: progress on a terminal, and where results go.

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

#include <trawl/storage/file.hpp>

namespace cli {

[[nodiscard]] inline bool is_terminal([[maybe_unused]] std::FILE* file) noexcept {
#if __has_include(<unistd.h>)
    return ::isatty(::fileno(file)) == 1;
#else
    return false;
#endif
}

/// So many bytes of a UTF-8 text at most, no character cut in two.
[[nodiscard]] inline std::string beginning(std::string const& text, std::size_t bytes) {
    auto end = text.size() < bytes ? text.size() : bytes;
    while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u)
        --end;
    return text.substr(0, end);
}

/// Counts steps of long work in one line of stderr, where that is a terminal; nothing where it is
/// not.
class progress {
public:
    progress(std::string label, std::size_t total)
        : label_(std::move(label)), total_(total), shown_(is_terminal(stderr)) {}
    progress(progress const&) = delete;
    progress& operator=(progress const&) = delete;
    ~progress() {
        if (shown_) std::fputs("\r\033[K", stderr);
    }

    void step() {
        ++done_;
        auto const now = std::chrono::steady_clock::now();
        if (!shown_ || now - last_ < std::chrono::milliseconds(100)) return;
        last_ = now;
        std::fprintf(stderr, "\r%s %zu/%zu", label_.c_str(), done_, total_);
    }

private:
    std::string label_;
    std::size_t total_;
    std::size_t done_ = 0;
    bool shown_;
    std::chrono::steady_clock::time_point last_ = {};
};

/// To the file, or to stdout where the name is empty.
inline void write_result(std::string const& path, std::string_view text) {
    if (path.empty()) {
        std::fwrite(text.data(), 1, text.size(), stdout);
    } else {
        trawl::write_file(path, text);
    }
}

} // namespace cli
