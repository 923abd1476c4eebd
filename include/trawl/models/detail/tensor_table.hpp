// SPDX-License-Identifier: MIT
#pragma once

/// The header of a safetensors file, checked: where each tensor is.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/json_reader.hpp>
#include <trawl/storage/mapped_file.hpp>

TRAWL_BEGIN_NAMESPACE
enum class tensor_type : unsigned char;

namespace detail {

class tensor_table {
public:
    struct entry {
        std::string name = {};
        tensor_type type = {};
        std::size_t shape = 0; ///< where its dimensions begin in dimensions()
        std::size_t rank = 0;
        std::size_t begin = 0; ///< of its bytes, from the end of the header
        std::size_t end = 0;
    };

    /// @throws trawl::error (corrupt, parse), its text beginning "NAME: ".
    tensor_table(mapped_file file, std::string name);

    /// Ascending by name.
    [[nodiscard]] buffer<entry> const& entries() const noexcept { return entries_; }
    /// Null if there is none.
    [[nodiscard]] entry const* find(std::string_view name) const noexcept;
    [[nodiscard]] std::span<std::size_t const> shape(entry const& of) const noexcept {
        return {dimensions_.data() + of.shape, of.rank};
    }
    [[nodiscard]] std::span<std::byte const> bytes(entry const& of) const noexcept {
        return file_.bytes().subspan(header_ + of.begin, of.end - of.begin);
    }
    [[nodiscard]] std::string_view metadata(std::string_view key) const noexcept;
    [[nodiscard]] std::string const& name() const noexcept { return name_; }

private:
    [[noreturn]] void refuse(std::string_view reason) const;
    [[noreturn]] void refuse(entry const& tensor, std::string_view reason) const;
    void read_metadata(json_reader& in);
    void read_tensor(json_reader& in, entry& out);
    void check_names();
    void check_places() const;

    mapped_file file_;
    std::string name_;
    std::size_t header_ = 0; ///< bytes before those of the tensors
    buffer<entry> entries_ = {};
    buffer<std::size_t> dimensions_ = {};
    buffer<std::pair<std::string, std::string>> metadata_ = {};
};

} // namespace detail
TRAWL_END_NAMESPACE
