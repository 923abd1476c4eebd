// SPDX-License-Identifier: MIT
#pragma once

/// Reads the weights of a model from a safetensors file, mapped rather than copied.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/config.hpp>
#include <trawl/storage/mapped_file.hpp>

TRAWL_BEGIN_NAMESPACE

/// The element types of the format.
enum class tensor_type : unsigned char {
    f64,
    f32,
    f16,
    bf16, ///< the upper half of an f32
    i64,
    i32,
    i16,
    i8,
    u64,
    u32,
    u16,
    u8,
    boolean,
    f8_e4m3,
    f8_e5m2,
};

/// The format's name of a type: "F32", "BF16", …
[[nodiscard]] std::string_view name_of(tensor_type type) noexcept;

/// The size of an element in bytes.
[[nodiscard]] std::size_t size_of(tensor_type type) noexcept;

/// A tensor inside a file. Valid while the safetensors object that returned it, or a copy, exists.
struct tensor_view {
    tensor_type type = tensor_type::f32;
    std::span<std::size_t const> shape = {}; ///< outermost dimension first; empty for a scalar
    std::span<std::byte const> bytes = {};   ///< row-major, little-endian; may be unaligned

    /// The number of elements: the product of the shape.
    [[nodiscard]] std::size_t size() const noexcept;
};

/// Copies a tensor's elements as floats; f16 and bf16 are exact, f64 is rounded.
/// @param out  from.size() values, row-major.
/// @throws trawl::error (dimension_mismatch) if out has another size; (invalid_argument) for a tensor
/// of integers, booleans or 8-bit floats.
void copy_floats(tensor_view const& from, std::span<float> out);

namespace detail {
class tensor_table;
}

/// The tensors of a safetensors file. Copies share the file. Const members may run from any number of
/// threads at once.
///
/// Opening checks the whole header: every tensor has a known type, lies inside the file, and has as
/// many bytes as its type and shape require; tensors neither overlap nor leave gaps.
/// @par Source  https://huggingface.co/docs/safetensors, "Format".
class safetensors {
public:
    /// Maps a file.
    /// @throws trawl::error (io, corrupt, parse), its text beginning "PATH: ", naming the tensor.
    /// @par Complexity  O(n log n) for n bytes of header, O(n) memory. The tensors are not read.
    explicit safetensors(std::string const& path);

    /// Takes a file that is already open.
    /// @param name  The file's name in error messages.
    safetensors(mapped_file file, std::string name);

    /// The number of tensors.
    [[nodiscard]] std::size_t size() const noexcept;

    [[nodiscard]] bool contains(std::string_view name) const noexcept;

    /// @throws trawl::error (corrupt) naming the file and the tensor if there is none of this name.
    [[nodiscard]] tensor_view tensor(std::string_view name) const;

    /// The tensor, if it has this shape.
    /// @throws trawl::error (corrupt) naming the file, the tensor and both shapes.
    [[nodiscard]] tensor_view tensor(
        std::string_view name, std::span<std::size_t const> shape) const;

    /// The same, if its values are F64, F32, F16 or BF16, too.
    /// @throws trawl::error (corrupt) naming the file, the tensor and what is wrong.
    [[nodiscard]] tensor_view floats(
        std::string_view name, std::span<std::size_t const> shape) const;

    /// The names of all tensors, ascending by bytes.
    [[nodiscard]] std::vector<std::string> names() const;

    /// The value of a key of the header's __metadata__, empty if there is none.
    [[nodiscard]] std::string_view metadata(std::string_view key) const noexcept;

    /// The name of the file.
    [[nodiscard]] std::string const& path() const noexcept;

private:
    std::shared_ptr<detail::tensor_table const> table_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/safetensors_inl.hpp>
#endif
