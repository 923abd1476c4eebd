// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of safetensors.hpp and detail/tensor_table.hpp.

#include <trawl/models/safetensors.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/detail/buffer.hpp>
#include <trawl/error.hpp>
#include <trawl/models/detail/json_reader.hpp>
#include <trawl/models/detail/tensor_table.hpp>
#include <trawl/storage/mapped_file.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct tensor_type_entry {
    std::string_view name;
    std::size_t bytes;
};

// In the order of tensor_type.
inline constexpr tensor_type_entry tensor_types[] = {{"F64", 8}, {"F32", 4}, {"F16", 2},
    {"BF16", 2}, {"I64", 8}, {"I32", 4}, {"I16", 2}, {"I8", 1}, {"U64", 8}, {"U32", 4}, {"U16", 2},
    {"U8", 1}, {"BOOL", 1}, {"F8_E4M3", 1}, {"F8_E5M2", 1}};

[[nodiscard]] inline std::string shape_text(std::span<std::size_t const> shape) {
    std::string out = "[";
    for (std::size_t i = 0; i < shape.size() && i < 16; ++i) {
        if (i > 0) out += ", ";
        out += join(shape[i]);
    }
    return out += shape.size() > 16 ? ", …]" : "]";
}

// The value of IEEE 754 binary16; exact.
[[nodiscard]] inline float float_of_half(std::uint32_t half) noexcept {
    auto const sign = (half & 0x8000u) << 16;
    auto const exponent = half >> 10 & 31u;
    auto const fraction = half & 0x3FFu;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000u | fraction << 13);
    if (exponent > 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    auto const subnormal = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(subnormal));
}

TRAWL_COLD TRAWL_INLINE void tensor_table::refuse(std::string_view reason) const {
    fail(errc::corrupt, join(name_, ": ", reason));
}

TRAWL_COLD TRAWL_INLINE void tensor_table::refuse(
    entry const& tensor, std::string_view reason) const {
    refuse(join("tensor '", std::string_view(tensor.name).substr(0, 200), "': ", reason));
}

TRAWL_INLINE tensor_table::tensor_table(mapped_file file, std::string name)
    : file_(std::move(file)), name_(std::move(name)) {
    auto const all = file_.bytes();
    std::uint64_t length = 0;
    if (all.size() < sizeof length) refuse("is no safetensors file: it has less than 8 bytes");
    std::memcpy(&length, all.data(), sizeof length);
    if (length > all.size() - sizeof length) {
        refuse(join("is no safetensors file, or cut off: its header would take ", length,
            " bytes, behind its size are ", all.size() - sizeof length));
    }
    header_ = sizeof length + static_cast<std::size_t>(length);
    json_reader in(std::string_view(reinterpret_cast<char const*>(all.data()), header_), name_);
    in.seek(sizeof length);
    std::string key;
    for (in.enter_object(); in.next_key(key);) {
        if (key == "__metadata__") {
            read_metadata(in);
            continue;
        }
        entry tensor{.name = key};
        read_tensor(in, tensor);
        entries_.push_back(std::move(tensor));
    }
    in.finish();
    check_places();
    check_names();
}

TRAWL_INLINE void tensor_table::read_metadata(json_reader& in) {
    if (in.null()) return;
    std::string key;
    for (in.enter_object(); in.next_key(key);) metadata_.push_back({key, in.string()});
}

TRAWL_INLINE void tensor_table::read_tensor(json_reader& in, entry& out) {
    bool has_type = false;
    bool has_shape = false;
    bool has_place = false;
    constexpr auto most = (std::numeric_limits<std::size_t>::max)();
    std::string key;
    std::string text;
    for (in.enter_object(); in.next_key(key);) {
        if (key == "dtype" && !has_type) {
            auto const name = in.string(text);
            auto const* const found = std::find_if(std::begin(tensor_types), std::end(tensor_types),
                [&](tensor_type_entry const& type) { return type.name == name; });
            if (found == std::end(tensor_types))
                refuse(out, join("type '", name.substr(0, 40), "' is not supported"));
            out.type = static_cast<tensor_type>(found - std::begin(tensor_types));
            has_type = true;
        } else if (key == "shape" && !has_shape) {
            out.shape = dimensions_.size();
            for (in.enter_array(); in.next_item();) {
                dimensions_.push_back(static_cast<std::size_t>(in.natural(most)));
                ++out.rank;
            }
            has_shape = true;
        } else if (key == "data_offsets" && !has_place) {
            std::size_t count = 0;
            for (in.enter_array(); in.next_item(); ++count) {
                auto const offset = static_cast<std::size_t>(in.natural(most));
                (count == 0 ? out.begin : out.end) = offset;
            }
            if (count != 2) refuse(out, join("data_offsets has ", count, " values, must have 2"));
            has_place = true;
        } else {
            refuse(
                out, join("'", std::string_view(key).substr(0, 40), "' is unknown or there twice"));
        }
    }
    if (!has_type || !has_shape || !has_place) refuse(out, "lacks dtype, shape or data_offsets");
    auto const bytes = file_.bytes().size() - header_;
    if (out.begin > out.end || out.end > bytes) {
        refuse(out, join("its bytes ", out.begin, " to ", out.end, " are not within the ", bytes,
                        " bytes of data"));
    }
    auto size = size_of(out.type);
    for (auto const dimension : shape(out)) {
        if (dimension != 0 && size > most / dimension)
            refuse(out, join("shape ", shape_text(shape(out)), " is too large"));
        size *= dimension;
    }
    if (size != out.end - out.begin) {
        refuse(out, join("shape ", shape_text(shape(out)), " of ", name_of(out.type), " takes ",
                        size, " bytes, its data_offsets are ", out.end - out.begin, " apart"));
    }
}

// Each byte belongs to one tensor.
TRAWL_INLINE void tensor_table::check_places() const {
    buffer<std::size_t> order(entries_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        auto const& left = entries_[a];
        auto const& right = entries_[b];
        return left.begin != right.begin ? left.begin < right.begin : left.end < right.end;
    });
    std::size_t end = 0;
    for (auto const i : order) {
        auto const& tensor = entries_[i];
        if (tensor.begin != end) {
            refuse(tensor, join("its bytes begin at ", tensor.begin,
                               ", those of the tensors before it end at ", end));
        }
        end = tensor.end;
    }
    if (auto const bytes = file_.bytes().size() - header_; end != bytes)
        refuse(join("its tensors take ", end, " bytes of data, there are ", bytes));
}

TRAWL_INLINE void tensor_table::check_names() {
    std::sort(entries_.begin(), entries_.end(),
        [](entry const& a, entry const& b) { return a.name < b.name; });
    for (std::size_t i = 1; i < entries_.size(); ++i) {
        if (entries_[i].name == entries_[i - 1].name) refuse(entries_[i], "is there twice");
    }
}

TRAWL_INLINE tensor_table::entry const* tensor_table::find(std::string_view name) const noexcept {
    auto const* const found = std::lower_bound(entries_.begin(), entries_.end(), name,
        [](entry const& a, std::string_view b) { return a.name < b; });
    return found != entries_.end() && found->name == name ? found : nullptr;
}

TRAWL_INLINE std::string_view tensor_table::metadata(std::string_view key) const noexcept {
    for (auto const& pair : metadata_) {
        if (pair.first == key) return pair.second;
    }
    return {};
}

} // namespace detail

TRAWL_INLINE std::string_view name_of(tensor_type type) noexcept {
    auto const i = static_cast<std::size_t>(type);
    return i < std::size(detail::tensor_types) ? detail::tensor_types[i].name : "";
}

TRAWL_INLINE std::size_t size_of(tensor_type type) noexcept {
    auto const i = static_cast<std::size_t>(type);
    return i < std::size(detail::tensor_types) ? detail::tensor_types[i].bytes : 0;
}

TRAWL_INLINE std::size_t tensor_view::size() const noexcept {
    std::size_t product = 1;
    for (auto const dimension : shape) product *= dimension;
    return product;
}

TRAWL_INLINE void copy_floats(tensor_view const& from, std::span<float> out) {
    auto const size = from.size();
    if (out.size() != size || from.bytes.size() != size * size_of(from.type)) {
        detail::fail(errc::dimension_mismatch,
            detail::join("copy_floats: out has ", out.size(), " values, the tensor ", size, " in ",
                from.bytes.size(), " bytes"));
    }
    if (size == 0) return;
    auto const* const bytes = from.bytes.data();
    switch (from.type) {
    case tensor_type::f32:
        std::memcpy(out.data(), bytes, from.bytes.size());
        return;
    case tensor_type::f64:
        for (std::size_t i = 0; i < size; ++i) {
            double value = 0;
            std::memcpy(&value, bytes + i * sizeof value, sizeof value);
            out[i] = static_cast<float>(value);
        }
        return;
    case tensor_type::f16:
    case tensor_type::bf16:
        for (std::size_t i = 0; i < size; ++i) {
            std::uint16_t half = 0;
            std::memcpy(&half, bytes + i * sizeof half, sizeof half);
            out[i] = from.type == tensor_type::f16
                         ? detail::float_of_half(half)
                         : std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16);
        }
        return;
    default:
        detail::fail(
            errc::invalid_argument, detail::join("copy_floats: a tensor of ", name_of(from.type),
                                        ", must be F64, F32, F16 or BF16"));
    }
}

TRAWL_INLINE safetensors::safetensors(std::string const& path)
    : safetensors(mapped_file(path), path) {}

TRAWL_INLINE safetensors::safetensors(mapped_file file, std::string name)
    : table_(std::make_shared<detail::tensor_table const>(std::move(file), std::move(name))) {}

TRAWL_INLINE std::size_t safetensors::size() const noexcept { return table_->entries().size(); }

TRAWL_INLINE bool safetensors::contains(std::string_view name) const noexcept {
    return table_->find(name) != nullptr;
}

TRAWL_INLINE tensor_view safetensors::tensor(std::string_view name) const {
    auto const* const found = table_->find(name);
    if (found == nullptr)
        detail::fail(errc::corrupt, detail::join(path(), ": has no tensor '", name, "'"));
    return {found->type, table_->shape(*found), table_->bytes(*found)};
}

TRAWL_INLINE tensor_view safetensors::tensor(
    std::string_view name, std::span<std::size_t const> shape) const {
    auto const out = tensor(name);
    if (!std::equal(out.shape.begin(), out.shape.end(), shape.begin(), shape.end())) {
        detail::fail(errc::corrupt,
            detail::join(path(), ": tensor '", name, "' has shape ", detail::shape_text(out.shape),
                ", must have ", detail::shape_text(shape)));
    }
    return out;
}

TRAWL_INLINE tensor_view safetensors::floats(
    std::string_view name, std::span<std::size_t const> shape) const {
    auto const out = tensor(name, shape);
    using enum tensor_type;
    if (out.type != f64 && out.type != f32 && out.type != f16 && out.type != bf16) {
        detail::fail(errc::corrupt, detail::join(path(), ": tensor '", name, "' is of ",
                                        name_of(out.type), ", must be F64, F32, F16 or BF16"));
    }
    return out;
}

TRAWL_INLINE std::vector<std::string> safetensors::names() const {
    std::vector<std::string> out;
    out.reserve(size());
    for (auto const& entry : table_->entries()) out.push_back(entry.name);
    return out;
}

TRAWL_INLINE std::string_view safetensors::metadata(std::string_view key) const noexcept {
    return table_->metadata(key);
}

TRAWL_INLINE std::string const& safetensors::path() const noexcept { return table_->name(); }

TRAWL_END_NAMESPACE
