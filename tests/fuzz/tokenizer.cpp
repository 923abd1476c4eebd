// SPDX-License-Identifier: MIT
// Any bytes as a tokenizer.json or a vocab.txt, and, behind a zero byte, as a text: an error, or tokens whose ids and
// offsets are in bounds; cut to a few, the same ones.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/error.hpp>
#include <trawl/models/tokenizer.hpp>

namespace {

void use(trawl::tokenizer const& model, std::string_view text) {
    trawl::encode_options const plain{.add_special = false};
    auto const all = model.encode(text, plain);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all.ids[i] >= model.size() || all.begins[i] > text.size() || all.ends[i] > text.size())
            __builtin_trap();
        if (model.token(all.ids[i]).size() > 4096) __builtin_trap();
    }
    auto const few = model.encode(text, {.max_tokens = 3, .add_special = false});
    for (std::size_t i = 0; i < few.size(); ++i) {
        if (few.ids[i] != all.ids[i]) __builtin_trap();
    }
    if (few.truncated != (all.size() > 3)) __builtin_trap();
    if (model.encode_pair(text, text).size() != 2 * all.size() + model.added_tokens(true))
        __builtin_trap();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const all(reinterpret_cast<char const*>(data), size);
    auto const end = all.find('\0');
    auto const file = all.substr(0, end);
    auto const text = end == all.npos ? std::string_view("a b") : all.substr(end + 1);
    try {
        use(trawl::tokenizer::from_json(file, "f"), text);
    } catch (trawl::error const&) {
    }
    try {
        use(trawl::tokenizer::from_vocabulary(file, "f"), text);
    } catch (trawl::error const&) {
    }
    return 0;
}
