// SPDX-License-Identifier: MIT
#pragma once

/// Texts by number, in two sections of a file.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class text_table_builder {
public:
    void add(std::string_view text) {
        bytes_.append(text);
        ends_.push_back(bytes_.size());
    }
    [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
    [[nodiscard]] std::string_view text(std::size_t i) const noexcept {
        auto const begin = static_cast<std::size_t>(i == 0 ? 0 : ends_[i - 1]);
        return std::string_view(bytes_).substr(begin, static_cast<std::size_t>(ends_[i]) - begin);
    }
    /// Where the text added last begins.
    [[nodiscard]] std::uint64_t begin_of_last() const noexcept {
        return ends_.size() < 2 ? 0 : ends_[ends_.size() - 2];
    }
    void add_to(section_writer& writer, std::string_view name) const {
        writer.add(join(name, " text"), std::span<char const>(bytes_));
        writer.add(join(name, " ends"), std::span<std::uint64_t const>(ends_));
    }

private:
    std::string bytes_;
    std::vector<std::uint64_t> ends_;
};

/// A view of the sections. Whatever they hold, texts lie inside them.
class text_table {
public:
    text_table() = default;
    text_table(section_file const& file, std::string_view name, std::size_t size)
        : bytes_(file.text(join(name, " text"))),
          ends_(file.array<std::uint64_t>(join(name, " ends"))) {
        if (ends_.size() != size || (ends_.empty() ? 0 : ends_.back()) != bytes_.size()) {
            file.fail(join("has ", ends_.size(), " texts of ", name, " of ", bytes_.size(),
                " bytes, not ", size));
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }
    [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept {
        auto const begin = i == 0 ? 0 : ends_[i - 1];
        auto const end = ends_[i];
        if (begin > end || end > bytes_.size()) return {};
        return bytes_.substr(
            static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    }
    void verify(section_file const& file, std::string_view name) const {
        for (std::size_t i = 1; i < ends_.size(); ++i) {
            if (ends_[i - 1] > ends_[i])
                file.fail(join("the texts of ", name, " end out of order"));
        }
    }

private:
    std::string_view bytes_ = {};
    std::span<std::uint64_t const> ends_ = {};
};

} // namespace detail
TRAWL_END_NAMESPACE
