// SPDX-License-Identifier: MIT
// Files of foreign formats that are nearly right: the bytes choose words, separators, numbers and
// damage. Whatever they choose, a reader gives an error that names the file, or rows that survive
// being written and read again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <trawl/error.hpp>
#include <trawl/formats/beir.hpp>
#include <trawl/formats/fvecs.hpp>
#include <trawl/formats/npy.hpp>
#include <trawl/formats/ranx.hpp>
#include <trawl/formats/trec.hpp>

namespace {

class choices {
public:
    explicit choices(std::string_view bytes) : rest_(bytes) {}
    [[nodiscard]] std::size_t below(std::size_t n) {
        if (rest_.empty()) return 0;
        auto const byte = static_cast<unsigned char>(rest_.front());
        rest_.remove_prefix(1);
        return byte % n;
    }
    template <std::size_t n>
    [[nodiscard]] std::string_view of(std::string_view const (&items)[n]) {
        return items[below(n)];
    }
    [[nodiscard]] bool empty() const { return rest_.empty(); }

private:
    std::string_view rest_;
};

constexpr std::string_view words[] = {"q1", "q2", "d1", "d2", "#d", "New York", "", "\xC3\xA9",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2",
    std::string_view("a\0b", 3), "\"", "\\"};
constexpr std::string_view numbers[] = {"1", "0", "-1", "2.5", "1e300", "1e-400", "nan", "-inf",
    "99999999999", "+3", "0.30000000000000004", "x", "1.0", "007"};
constexpr std::string_view blanks[] = {" ", "\t", "  ", "", "\v"};
constexpr std::string_view ends[] = {"\n", "\r\n", "", "\n\n", " junk\n", "\n# note\n"};

std::string run_text(choices& c) {
    std::string out;
    while (!c.empty()) {
        out.append(c.of(words)).append(c.of(blanks)).append("Q0").append(c.of(blanks));
        out.append(c.of(words)).append(c.of(blanks)).append(c.of(numbers)).append(c.of(blanks));
        out.append(c.of(numbers)).append(c.of(blanks)).append(c.of(words)).append(c.of(ends));
    }
    return out;
}

std::string qrels_text(choices& c) {
    std::string out = c.below(2) == 0 ? "" : "query-id\tcorpus-id\tscore\n";
    while (!c.empty()) {
        out.append(c.of(words)).append(c.of(blanks)).append(c.of(words)).append(c.of(blanks));
        if (c.below(2) == 0) out.append(c.of(words)).append(c.of(blanks));
        out.append(c.of(numbers)).append(c.of(ends));
    }
    return out;
}

std::string nested_text(choices& c) {
    constexpr std::string_view marks[] = {"{", "}", ":", ",", "[", "]", "\"", "\n", "null"};
    std::string out = "{";
    while (!c.empty()) {
        out += "\"" + std::string(c.of(words)) + "\": {";
        for (auto n = c.below(4); n > 0; --n) {
            out += "\"" + std::string(c.of(words)) + "\": " + std::string(c.of(numbers)) + ", ";
        }
        out += "\"z\": 1},\n";
        if (c.below(8) == 0) out += c.of(marks);
    }
    return out + "\"end\": {}}";
}

std::string json_lines(choices& c) {
    constexpr std::string_view names[] = {"_id", "title", "text", "metadata", ""};
    constexpr std::string_view values[] = {"\"a\"", "\"b\"", "7", "-7", "null", "{\"_id\": 1}",
        "[[[1]]]", "true", "1.5", "\"\\ud800\""};
    std::string out;
    while (!c.empty()) {
        out += '{';
        for (auto n = c.below(5); n > 0; --n) {
            out += "\"" + std::string(c.of(names)) + "\": " + std::string(c.of(values));
            if (n > 1) out += ", ";
        }
        out.append("}").append(c.of(ends));
    }
    return out;
}

std::string npy_bytes(choices& c) {
    constexpr std::string_view types[] = {"<f4", "<f8", "<f2", ">f4", "|b1", "<f16"};
    constexpr std::string_view sizes[] = {
        "0", "1", "2", "3", "2L", "1152921504606846976", "9223372036854775809", "-1"};
    std::string header = "{'descr': '" + std::string(c.of(types)) + "', 'fortran_order': "
                         + (c.below(4) == 0 ? "True" : "False") + ", 'shape': (";
    for (auto n = c.below(4); n > 0; --n) header += std::string(c.of(sizes)) + ", ";
    header += "), }\n";
    auto const version = static_cast<char>(c.below(5));
    std::string out = std::string("\x93NUMPY") + version + '\0';
    out += static_cast<char>(header.size() + c.below(2));
    out += '\0';
    if (version > 1) out += std::string(2, '\0');
    out += header;
    for (auto n = c.below(64); n > 0; --n) out += static_cast<char>(c.below(256));
    return out;
}

std::string fvecs_bytes(choices& c) {
    std::string out;
    while (!c.empty()) {
        auto const width = c.below(4);
        out += static_cast<char>(width);
        out += std::string(3, c.below(16) == 0 ? '\xFF' : '\0');
        out += std::string(4 * width + (c.below(16) == 0 ? 1 : 0), static_cast<char>(c.below(256)));
    }
    return out;
}

// An error begins with the name of the file.
template <class Read>
void survives(Read&& read) {
    try {
        read();
    } catch (trawl::error const& e) {
        if (std::string_view(e.what()).substr(0, 2) != "f:") std::abort();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    choices c({reinterpret_cast<char const*>(data), size});
    switch (c.below(6)) {
    case 0: {
        auto const text = run_text(c);
        survives([&] {
            auto const run = trawl::parse_run(text, "f");
            for (std::size_t q = 0; q < run.size(); ++q) {
                if (run.query(q).front() == '#') return; // is not written
            }
            auto const once = trawl::to_text(run);
            if (trawl::to_text(trawl::parse_run(once, "f")) != once) std::abort();
        });
        break;
    }
    case 1: {
        auto const text = qrels_text(c);
        survives([&] { static_cast<void>(trawl::parse_qrels(text, "f")); });
        break;
    }
    case 2: {
        auto const text = nested_text(c);
        survives([&] { static_cast<void>(trawl::parse_json_run(text, "f")); });
        survives([&] { static_cast<void>(trawl::parse_json_qrels(text, "f")); });
        break;
    }
    case 3: {
        auto const text = json_lines(c);
        survives([&] { static_cast<void>(trawl::parse_corpus(text, "f")); });
        survives([&] { static_cast<void>(trawl::parse_queries(text, "f")); });
        break;
    }
    case 4: {
        auto const bytes = npy_bytes(c);
        survives([&] {
            auto const m = trawl::parse_npy<float>(bytes, "f");
            if (m.rows > bytes.size() && m.cols == 0) std::abort();
            if (m.values.size() != m.rows * m.cols) std::abort();
            auto const back = trawl::parse_npy<float>(trawl::to_npy(m.view()), "f");
            if (back.rows != m.rows || back.cols != m.cols) std::abort();
        });
        break;
    }
    default: {
        auto const bytes = fvecs_bytes(c);
        survives([&] {
            auto const m = trawl::parse_fvecs(bytes, "f");
            if (m.rows > 0 && trawl::to_fvecs(m.view()) != bytes) std::abort();
        });
    }
    }
    return 0;
}
