// SPDX-License-Identifier: MIT
// Any bytes as a safetensors file: an error, or tensors that lie in it. The first byte says whether the rest is the
// file, or its header alone, to which the size and so many bytes of data are added.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/models/safetensors.hpp>
#include <trawl/storage/mapped_file.hpp>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    if (size == 0) return 0;
    auto const whole = data[0] == 0;
    auto const more = whole ? std::size_t{0} : std::size_t{data[0]} - 1;
    auto const prefix = whole ? std::size_t{0} : sizeof(std::uint64_t);
    std::uint64_t const header = --size;
    trawl::mapped_file::memory bytes(prefix + size + more);
    if (!whole) std::memcpy(bytes.data(), &header, prefix);
    if (size > 0) std::memcpy(bytes.data() + prefix, data + 1, size);
    try {
        trawl::safetensors const model(trawl::mapped_file(std::move(bytes)), "f");
        std::vector<float> values;
        std::size_t sum = 0;
        for (auto const& name : model.names()) {
            auto const tensor = model.tensor(name);
            for (auto const byte : tensor.bytes) sum += static_cast<std::size_t>(byte);
            if (tensor.bytes.size() != tensor.size() * size_of(tensor.type)) __builtin_trap();
            values.resize(tensor.size());
            try {
                copy_floats(tensor, values);
            } catch (trawl::error const&) {
            }
        }
        if (sum == static_cast<std::size_t>(-1)) __builtin_trap();
    } catch (trawl::error const&) {
    }
    return 0;
}
