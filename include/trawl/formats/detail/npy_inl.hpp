// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of npy.hpp.

#include <trawl/formats/npy.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/storage/file.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct npy_header {
    std::string descr = {};
    bool fortran_order = false;
    std::vector<std::size_t> shape = {};
};

[[noreturn]] TRAWL_COLD inline void npy_fail(std::string_view file, std::string_view reason) {
    fail(errc::corrupt, join(file, ": ", reason));
}

// Reads the Python dictionary of the header: three entries, strings in either quote, a tuple of
// numbers.
class npy_header_reader {
public:
    npy_header_reader(std::string_view text, std::string_view file) noexcept
        : rest_(text), file_(file) {}

    [[nodiscard]] npy_header read() {
        npy_header out;
        bool has_descr = false;
        bool has_order = false;
        bool has_shape = false;
        expect('{');
        while (!accept('}')) {
            auto const key = string();
            expect(':');
            if (key == "descr") {
                // A list here describes records.
                if (peek() == '[')
                    npy_fail(file_, "records are not supported, only float16, float32 and float64");
                out.descr = string();
                has_descr = true;
            } else if (key == "fortran_order") {
                out.fortran_order = boolean();
                has_order = true;
            } else if (key == "shape") {
                out.shape = tuple();
                has_shape = true;
            } else {
                npy_fail(file_, join("unknown header entry '", key, "'"));
            }
            if (!accept(',') && peek() != '}') broken();
        }
        if (!has_descr || !has_order || !has_shape) {
            npy_fail(file_, "the header lacks descr, fortran_order or shape");
        }
        return out;
    }

private:
    [[noreturn]] void broken() const {
        npy_fail(file_, "the header is not a dictionary of NumPy's");
    }

    [[nodiscard]] char peek() noexcept {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n'))
            rest_.remove_prefix(1);
        return rest_.empty() ? '\0' : rest_.front();
    }
    [[nodiscard]] bool accept(char c) noexcept {
        if (peek() != c || rest_.empty()) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void expect(char c) {
        if (!accept(c)) broken();
    }
    [[nodiscard]] std::string string() {
        auto const quote = peek();
        if (quote != '\'' && quote != '"') broken();
        auto const end = rest_.find(quote, 1);
        if (end == rest_.npos) broken();
        std::string out(rest_.substr(1, end - 1));
        rest_.remove_prefix(end + 1);
        return out;
    }
    [[nodiscard]] bool boolean() {
        static_cast<void>(peek());
        for (bool const value : {true, false}) {
            std::string_view const word = value ? "True" : "False";
            if (rest_.substr(0, word.size()) == word) {
                rest_.remove_prefix(word.size());
                return value;
            }
        }
        broken();
    }
    [[nodiscard]] std::vector<std::size_t> tuple() {
        std::vector<std::size_t> out;
        expect('(');
        while (!accept(')')) {
            static_cast<void>(peek());
            auto const digits = rest_.substr(0, rest_.find_first_not_of("0123456789"));
            auto const value = parse_integer<std::size_t>(digits);
            if (!value || out.size() == 32) broken();
            out.push_back(*value);
            rest_.remove_prefix(digits.size());
            if (!rest_.empty() && rest_.front() == 'L') rest_.remove_prefix(1); // Python 2's long
            if (!accept(',') && peek() != ')') broken();
        }
        return out;
    }

    std::string_view rest_;
    std::string_view file_;
};

// The value of IEEE 754 binary16.
[[nodiscard]] inline float half_value(std::uint16_t half) noexcept {
    auto const sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
    auto const exponent = static_cast<std::uint32_t>(half >> 10 & 31u);
    auto const fraction = static_cast<std::uint32_t>(half & 0x3FFu);
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000u | fraction << 13);
    if (exponent > 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    auto const subnormal = static_cast<float>(fraction) * 0x1p-24f; // exact
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(subnormal));
}

// Value i of an array.
[[nodiscard]] inline double npy_value(npy_array const& from, std::size_t i) noexcept {
    auto const* const at = from.data.data() + i * from.width;
    if (from.width == sizeof(double)) {
        double value = 0;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    if (from.width == sizeof(float)) {
        float value = 0;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    std::uint16_t half = 0;
    std::memcpy(&half, at, sizeof half);
    return half_value(half);
}

[[nodiscard]] inline std::string npy_text(
    std::size_t width, void const* data, std::size_t rows, std::size_t cols) {
    auto header = join(
        "{'descr': '<f", width, "', 'fortran_order': False, 'shape': (", rows, ", ", cols, "), }");
    header.append(63 - (10 + header.size()) % 64, ' ');
    header += '\n';
    std::string out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(header.size() & 0xFF);
    out += static_cast<char>(header.size() >> 8);
    out += header;
    if (rows * cols > 0) out.append(static_cast<char const*>(data), rows * cols * width);
    return out;
}

} // namespace detail

TRAWL_INLINE detail::npy_array detail::open_npy(std::string_view bytes, std::string_view name) {
    if (bytes.substr(0, 6) != "\x93NUMPY")
        npy_fail(name, "is no npy file: it does not begin with \\x93NUMPY");
    if (bytes.size() < 10) npy_fail(name, "ends within its header");
    auto const byte = [&](std::size_t i) {
        return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
    };
    auto const version = byte(6);
    if (version < 1 || version > 3)
        npy_fail(name, join("npy version ", version, " is not supported"));
    std::size_t begin = 10;
    auto length = byte(8) | byte(9) << 8;
    if (version > 1) {
        if (bytes.size() < 12) npy_fail(name, "ends within its header");
        begin = 12;
        length |= byte(10) << 16 | byte(11) << 24;
    }
    if (length > bytes.size() - begin) npy_fail(name, "ends within its header");
    auto const header = npy_header_reader(bytes.substr(begin, length), name).read();

    npy_array out{.data = bytes.substr(begin + length)};
    if (header.descr == "<f2") out.width = 2;
    if (header.descr == "<f4") out.width = 4;
    if (header.descr == "<f8") out.width = 8;
    if (out.width == 0) {
        npy_fail(
            name, join("type '", header.descr, "' is not supported, only '<f2', '<f4' and '<f8'"));
    }
    auto const& shape = header.shape;
    if (shape.size() != 1 && shape.size() != 2)
        npy_fail(name, join("has ", shape.size(), " dimensions, a matrix has 2 or 1"));
    if (header.fortran_order && shape.size() == 2)
        npy_fail(name, "Fortran order is not supported; save numpy.ascontiguousarray(a)");
    out.rows = shape.size() == 2 ? shape[0] : 1;
    out.cols = shape.back();
    auto const most = (std::numeric_limits<std::size_t>::max)() / out.width;
    if ((out.cols != 0 && out.rows > most / out.cols)
        || out.rows * out.cols * out.width != out.data.size()) {
        npy_fail(name, join("shape (", out.rows, ", ", out.cols, ") does not fit its ",
                           out.data.size(), " bytes of data"));
    }
    // Empty rows take no bytes. Who goes through them must not take longer than the file is long.
    if (out.cols == 0 && out.rows > bytes.size())
        npy_fail(name, join("shape (", out.rows, ", 0) has more rows than the file has bytes"));
    return out;
}

TRAWL_INLINE void detail::copy_npy(
    npy_array const& from, std::string_view name, std::span<float> out) {
    if (from.width == sizeof(float)) {
        if (!out.empty()) std::memcpy(out.data(), from.data.data(), from.data.size());
        return;
    }
    constexpr double largest = (std::numeric_limits<float>::max)();
    for (std::size_t i = 0; i < out.size(); ++i) {
        auto const value = npy_value(from, i);
        if (is_finite(value) && (value > largest || value < -largest))
            npy_fail(name, join("value ", i, " is ", value, ", beyond the range of float32"));
        out[i] = static_cast<float>(value);
    }
}

TRAWL_INLINE void detail::copy_npy(npy_array const& from, std::string_view, std::span<double> out) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = npy_value(from, i);
}

TRAWL_INLINE std::string detail::read_npy_file(std::string const& path) { return read_file(path); }

TRAWL_INLINE std::string to_npy(matrix_view<float const> values) {
    return detail::npy_text(sizeof(float), values.data, values.rows, values.cols);
}

TRAWL_INLINE std::string to_npy(matrix_view<double const> values) {
    return detail::npy_text(sizeof(double), values.data, values.rows, values.cols);
}

TRAWL_INLINE void write_npy(std::string const& path, matrix_view<float const> values) {
    write_file(path, to_npy(values));
}

TRAWL_INLINE void write_npy(std::string const& path, matrix_view<double const> values) {
    write_file(path, to_npy(values));
}

TRAWL_END_NAMESPACE
