// SPDX-License-Identifier: MIT
#pragma once

/// Matrices as NumPy's .npy files: versions 1 to 3, little-endian float32 or float64, two
/// dimensions in C order. Everything else is refused with the reason.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/matrix.hpp>
#include <trawl/core/matrix_view.hpp>
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
                    npy_fail(file_, "records are not supported, only float32 and float64");
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
            if (!accept(',') && peek() != ')') broken();
        }
        return out;
    }

    std::string_view rest_;
    std::string_view file_;
};

template <class Stored, class T>
void copy_npy_values(std::string_view bytes, std::string_view file, std::vector<T>& out) {
    if constexpr (std::same_as<Stored, T>) {
        if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
    } else {
        for (std::size_t i = 0; i < out.size(); ++i) {
            Stored value;
            std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
            if constexpr (sizeof(T) < sizeof(Stored)) {
                constexpr Stored largest = (std::numeric_limits<T>::max)();
                if (is_finite(value) && (value > largest || value < -largest)) {
                    npy_fail(
                        file, join("value ", i, " is ", value, ", beyond the range of float32"));
                }
            }
            out[i] = static_cast<T>(value);
        }
    }
}

} // namespace detail

/// Reads a matrix from the bytes of a file; `name` stands for the file in errors. float64 is
/// rounded where float is wanted. NaN and infinity come through.
/// @throws trawl::error (corrupt), its text beginning "FILE: ". Allocates no more than the bytes
/// call for.
template <std::floating_point T>
[[nodiscard]] matrix<T> parse_npy(std::string_view bytes, std::string_view name) {
    static_assert(std::same_as<T, float> || std::same_as<T, double>);
    using detail::join;
    using detail::npy_fail;
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
    auto const header = detail::npy_header_reader(bytes.substr(begin, length), name).read();
    auto const data = bytes.substr(begin + length);

    bool const wide = header.descr == "<f8";
    if (!wide && header.descr != "<f4") {
        npy_fail(name, join("type '", header.descr, "' is not supported, only '<f4' and '<f8'"));
    }
    if (header.fortran_order)
        npy_fail(name, "Fortran order is not supported; save numpy.ascontiguousarray(a)");
    if (header.shape.size() != 2) {
        npy_fail(name, join("has ", header.shape.size(), " dimensions, a matrix has 2"));
    }
    auto const rows = header.shape[0];
    auto const cols = header.shape[1];
    auto const width = wide ? sizeof(double) : sizeof(float);
    auto const most = (std::numeric_limits<std::size_t>::max)() / width;
    if ((cols != 0 && rows > most / cols) || rows * cols * width != data.size()) {
        npy_fail(name, join("shape (", rows, ", ", cols, ") does not fit its ", data.size(),
                           " bytes of data"));
    }
    matrix<T> out{std::vector<T>(rows * cols), rows, cols};
    if (wide) {
        detail::copy_npy_values<double>(data, name, out.values);
    } else {
        detail::copy_npy_values<float>(data, name, out.values);
    }
    return out;
}

/// @throws trawl::error (io, corrupt).
template <std::floating_point T = float>
[[nodiscard]] matrix<T> read_npy(std::string const& path) {
    return parse_npy<T>(read_file(path), path);
}

/// The bytes of an npy file, version 1, data aligned to 64 bytes.
template <class T>
[[nodiscard]] std::string to_npy(matrix_view<T> values) {
    using value_type = std::remove_const_t<T>;
    static_assert(std::same_as<value_type, float> || std::same_as<value_type, double>);
    auto header = detail::join("{'descr': '<f", sizeof(T), "', 'fortran_order': False, 'shape': (",
        values.rows, ", ", values.cols, "), }");
    header.append(63 - (10 + header.size()) % 64, ' ');
    header += '\n';
    std::string out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(header.size() & 0xFF);
    out += static_cast<char>(header.size() >> 8);
    out += header;
    auto const count = values.rows * values.cols;
    if (count > 0) out.append(reinterpret_cast<char const*>(values.data), count * sizeof(T));
    return out;
}

/// @throws trawl::error (io).
template <class T>
void write_npy(std::string const& path, matrix_view<T> values) {
    write_file(path, to_npy(values));
}

TRAWL_END_NAMESPACE
