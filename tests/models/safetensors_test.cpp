// SPDX-License-Identifier: MIT
#include <trawl/models/safetensors.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/storage/mapped_file.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

trawl::mapped_file in_memory(std::string const& bytes) {
    trawl::mapped_file::memory memory(bytes.size());
    if (!bytes.empty()) std::memcpy(memory.data(), bytes.data(), bytes.size());
    return trawl::mapped_file(std::move(memory));
}

// A file with this header, and so many bytes of data: 0, 1, 2, …
std::string file(std::string const& header, std::size_t data) {
    std::string out(8, '\0');
    std::uint64_t const size = header.size();
    std::memcpy(out.data(), &size, 8);
    out += header;
    for (std::size_t i = 0; i < data; ++i) out += static_cast<char>(i);
    return out;
}

trawl::safetensors opened(std::string const& bytes) { return {in_memory(bytes), "m.safetensors"}; }

std::vector<float> floats(trawl::tensor_view const& tensor) {
    std::vector<float> out(tensor.size());
    copy_floats(tensor, out);
    return out;
}

std::string refused(std::string const& bytes) {
    auto const e = support::error_of([&] { opened(bytes); });
    CHECK((e.code == trawl::errc::corrupt || e.code == trawl::errc::parse));
    return e.text;
}

} // namespace

// By the Python package safetensors 0.8, safetensors.torch.save of {"b": torch.tensor([[1, 2], [3, 4.5]]),
// "a": torch.tensor([1, -2, 2**-24], dtype=float16), "n": torch.tensor(7), "t": torch.tensor([1.5, -3],
// dtype=bfloat16)}, metadata={"format": "pt"}.
TEST_CASE("a file of the reference implementation is read", "[models][safetensors]") {
    std::string const header =
        R"({"__metadata__":{"format":"pt"},"n":{"dtype":"I64","shape":[],"data_offsets":[0,8]},)"
        R"("b":{"dtype":"F32","shape":[2,2],"data_offsets":[8,24]},)"
        R"("t":{"dtype":"BF16","shape":[2],"data_offsets":[24,28]},)"
        R"("a":{"dtype":"F16","shape":[3],"data_offsets":[28,34]}}     )";
    auto bytes = file(header, 0);
    bytes += std::string("\7\0\0\0\0\0\0\0", 8);
    bytes += std::string("\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x90\x40", 16);
    bytes += std::string("\xc0\x3f\x40\xc0", 4);
    bytes += std::string("\0\x3c\0\xc0\1\0", 6);
    REQUIRE(bytes.substr(0, 8) == std::string("\0\1\0\0\0\0\0\0", 8));
    auto const model = opened(bytes);
    CHECK(model.names() == std::vector<std::string>{"a", "b", "n", "t"});
    CHECK(model.size() == 4);
    CHECK(model.contains("b"));
    CHECK_FALSE(model.contains("c"));
    CHECK_FALSE(model.contains("__metadata__"));
    CHECK(model.metadata("format") == "pt");
    CHECK(model.metadata("other").empty());
    CHECK(model.path() == "m.safetensors");
    auto const b = model.tensor("b");
    CHECK(b.type == trawl::tensor_type::f32);
    CHECK(
        std::vector<std::size_t>(b.shape.begin(), b.shape.end()) == std::vector<std::size_t>{2, 2});
    CHECK(floats(b) == std::vector<float>{1, 2, 3, 4.5f});
    CHECK(floats(model.tensor("a")) == std::vector<float>{1, -2, 0x1p-24f});
    CHECK(floats(model.tensor("t")) == std::vector<float>{1.5f, -3});
    CHECK(model.tensor("n").shape.empty());
    CHECK(model.tensor("n").size() == 1);
    CHECK(model.tensor("n").bytes.size() == 8);
    std::size_t const shape[] = {2, 2};
    CHECK(model.tensor("b", shape).size() == 4);

    auto const copy = model; // shares the file
    CHECK(copy.tensor("b").bytes.data() == b.bytes.data());

    CHECK_THROWS_WITH(model.tensor("c"), "m.safetensors: has no tensor 'c'");
    CHECK_THROWS_WITH(
        model.tensor("a", shape), "m.safetensors: tensor 'a' has shape [3], must have [2, 2]");
    CHECK_THROWS_WITH(
        floats(model.tensor("n")), "copy_floats: a tensor of I64, must be F64, F32, F16 or BF16");
    std::vector<float> few(3);
    CHECK_THROWS_WITH(
        trawl::copy_floats(b, few), "copy_floats: out has 3 values, the tensor 4 in 16 bytes");
}

TEST_CASE("a file on the disk is mapped", "[models][safetensors]") {
    trawl::write_file("safetensors_test.tmp",
        file(R"({"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 4));
    trawl::safetensors const model("safetensors_test.tmp");
    CHECK(model.path() == "safetensors_test.tmp");
    CHECK(model.tensor("x").bytes[3] == std::byte{3});
    std::remove("safetensors_test.tmp");
    CHECK(support::error_of([] { trawl::safetensors("no such file"); }).code == trawl::errc::io);
}

// Every f16 and bf16, by the definition of the formats.
TEST_CASE("halves are converted exactly", "[models][safetensors]") {
    std::string bytes(std::size_t{2} << 16, '\0');
    for (std::size_t i = 0; i < 65536; ++i) {
        bytes[2 * i] = static_cast<char>(i & 255);
        bytes[2 * i + 1] = static_cast<char>(i >> 8);
    }
    auto const read = [&](std::string const& type) {
        return floats(opened(
            file(
                R"({"x":{"dtype":")" + type + R"(","shape":[65536],"data_offsets":[0,131072]}})", 0)
            + bytes)
                          .tensor("x"));
    };
    auto const halves = read("F16");
    auto const brains = read("BF16");
    std::size_t wrong = 0;
    for (std::uint32_t i = 0; i < 65536; ++i) {
        wrong += std::bit_cast<std::uint32_t>(brains[i]) != i << 16;
        auto const exponent = static_cast<int>(i >> 10 & 31);
        auto const fraction = static_cast<double>(i & 1023);
        auto const sign = i >> 15 != 0 ? -1.0 : 1.0;
        if (exponent == 31) {
            wrong += fraction == 0 ? static_cast<double>(halves[i])
                                         != sign * std::numeric_limits<double>::infinity()
                                   : halves[i] == halves[i];
        } else {
            auto const value = exponent == 0
                                   ? fraction * 0x1p-24
                                   : (1 + fraction / 1024) * std::ldexp(1.0, exponent - 15);
            wrong += static_cast<double>(halves[i]) != sign * value;
        }
    }
    CHECK(wrong == 0);
    auto const doubles = opened(file(R"({"x":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})", 0)
                                + std::string("\0\0\0\0\0\0\x12\x40", 8));
    CHECK(floats(doubles.tensor("x")) == std::vector<float>{4.5f});
}

TEST_CASE("a tensor of integers is refused where floats are asked, by its name",
    "[models][safetensors][bad]") {
    std::size_t const shape[] = {2};
    auto const integers =
        opened(file(R"({"layer.weight":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}})", 8));
    CHECK(integers.tensor("layer.weight", shape).size() == 2);
    auto const thrown =
        support::error_of([&] { static_cast<void>(integers.floats("layer.weight", shape)); });
    CHECK(thrown.code == trawl::errc::corrupt);
    CHECK(thrown.text
          == "m.safetensors: tensor 'layer.weight' is of I32, must be F64, F32, F16 or BF16");
    auto const halves =
        opened(file(R"({"x":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}})", 4));
    CHECK(halves.floats("x", shape).size() == 2);
}

TEST_CASE("a broken header is refused with file, tensor and reason", "[models][safetensors][bad]") {
    CHECK(refused("") == "m.safetensors: is no safetensors file: it has less than 8 bytes");
    CHECK(refused("\xff\xff\xff\xff\xff\xff\xff\x7f{}")
          == "m.safetensors: is no safetensors file, or cut off: its header would take "
             "9223372036854775807 bytes, behind its size are 2");
    CHECK(refused(file("", 0)) == "m.safetensors: byte 8: the text ends, expected is an object");
    CHECK(refused(file("[]", 0)) == "m.safetensors: byte 8: expected is an object");
    CHECK(refused(file("{", 0)) == "m.safetensors: byte 9: the text ends, expected is a string");
    CHECK(refused(file("{}{", 0)) == "m.safetensors: byte 10: something follows the value");
    auto const one = [](std::string const& tensor, std::size_t data = 4) {
        return refused(file(R"({"w":)" + tensor + "}", data));
    };
    CHECK(one(R"({"dtype":"F4","shape":[1],"data_offsets":[0,4]})")
          == "m.safetensors: tensor 'w': type 'F4' is not supported");
    CHECK(one(R"({"dtype":"F32","shape":[1]})")
          == "m.safetensors: tensor 'w': lacks dtype, shape or data_offsets");
    CHECK(one(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":1})")
          == "m.safetensors: tensor 'w': 'more' is unknown or there twice");
    CHECK(one(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4],"shape":[1]})")
          == "m.safetensors: tensor 'w': 'shape' is unknown or there twice");
    CHECK(one(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4,8]})")
          == "m.safetensors: tensor 'w': data_offsets has 3 values, must have 2");
    CHECK(one(R"({"dtype":"F32","shape":[1],"data_offsets":[0,8]})")
          == "m.safetensors: tensor 'w': its bytes 0 to 8 are not within the 4 bytes of data");
    CHECK(one(R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})")
          == "m.safetensors: tensor 'w': its bytes 4 to 0 are not within the 4 bytes of data");
    CHECK(one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})")
          == "m.safetensors: tensor 'w': shape [2] of F32 takes 8 bytes, its data_offsets are 4 "
             "apart");
    CHECK(one(R"({"dtype":"F32","shape":[4294967296,4294967296,4294967296],"data_offsets":[0,4]})")
          == "m.safetensors: tensor 'w': shape [4294967296, 4294967296, 4294967296] is too large");
    // Four times 2^62 elements of four bytes: 2^64 bytes, which wrap round to 0.
    CHECK(one(R"({"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]})", 0)
          == "m.safetensors: tensor 'w': shape [4611686018427387904] is too large");
    CHECK(
        one(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})")
        == "m.safetensors: byte 37: is -1, must be a whole number from 0 to 18446744073709551615");
    CHECK(
        one(R"({"dtype":"F32","shape":[1.0],"data_offsets":[0,4]})")
        == "m.safetensors: byte 37: is 1.0, must be a whole number from 0 to 18446744073709551615");
    CHECK(one(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})", 8)
          == "m.safetensors: its tensors take 4 bytes of data, there are 8");
    CHECK(one(R"({"dtype":"F32","shape":[1],"data_offsets":[4,8]})", 8)
          == "m.safetensors: tensor 'w': its bytes begin at 4, those of the tensors before it end "
             "at 0");
    // two tensors that overlap, and two of a name
    CHECK(refused(file(R"({"v":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
                       R"("w":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})",
              6))
          == "m.safetensors: tensor 'w': its bytes begin at 2, those of the tensors before it end "
             "at 4");
    CHECK(refused(file(R"({"v":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
                       R"("v":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})",
              8))
          == "m.safetensors: tensor 'v': is there twice");
    CHECK(refused(file(R"({"__metadata__":{"a":1}})", 0))
          == "m.safetensors: byte 29: expected is a string");
    CHECK(refused(file(std::string(100000, '['), 0))
          == "m.safetensors: byte 8: expected is an object");
    CHECK(refused(file(R"({"v":{"dtype":)" + std::string(100000, '['), 0))
          == "m.safetensors: byte 22: expected is a string");
    // Empty tensors lie between others.
    CHECK(opened(file(R"({"v":{"dtype":"U8","shape":[0,9],"data_offsets":[0,0]},)"
                      R"("w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
                      R"("x":{"dtype":"U8","shape":[0],"data_offsets":[4,4]}})",
                     4))
              .size()
          == 3);
    CHECK(opened(file("{}", 0)).size() == 0);
}

TEST_CASE("a file that is cut off or changed anywhere is refused or stays in bounds",
    "[models][safetensors][bad]") {
    auto const whole =
        trawl::read_file("tests/golden/models/late_interaction/1_Dense/model.safetensors");
    for (std::size_t size = 0; size < whole.size(); size += size < 100 ? 1 : 97)
        CHECK_FALSE(refused(whole.substr(0, size)).empty());
    trawl::detail::random random(5);
    for (int i = 0; i < 2000; ++i) {
        auto damaged = whole;
        for (auto n = random.below(3); n < 3; ++n)
            damaged[random.below(88)] = static_cast<char>(random.below(256));
        try {
            auto const model = opened(damaged);
            for (auto const& name : model.names())
                CHECK(model.tensor(name).bytes.size() <= damaged.size());
        } catch (trawl::error const& e) {
            CHECK(std::string(e.what()).starts_with("m.safetensors: "));
        }
    }
}
