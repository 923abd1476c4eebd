// SPDX-License-Identifier: MIT
// Collections whose manifest or segments were changed and whose checksums are right: an error that
// names the file, or answers that keep the laws. The input chooses the file and the changes.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "collection/hostile.hpp"
#include "fuzz/changes.hpp"

namespace {

namespace fs = std::filesystem;

std::string const path = "/dev/shm/trawl_fuzz_manifest_" + std::to_string(getpid());
std::string const good = path + "_good";

struct stored_files {
    stored_files() {
        hostile::write_collection(good);
        for (auto const& file : fs::directory_iterator(good)) {
            auto const name = file.path().filename().string();
            if (name == "lock") continue;
            names.push_back(name);
            sections.push_back(support::file_sections::of(file.path().string()));
            if (name == "manifest") manifest = names.size() - 1;
        }
    }
    std::vector<std::string> names = {};
    std::vector<support::file_sections> sections = {};
    std::size_t manifest = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static stored_files const stored;
    if (size == 0) return 0;
    fs::remove_all(path);
    fs::copy(good, path);
    // Of eight inputs six change the manifest.
    auto const segment = data[0] % 8 < 2 ? data[0] / 8 % stored.names.size() : stored.manifest;
    auto bad = stored.sections[segment];
    fuzz::change(bad, data + 1, size - 1);
    // A set of documents takes a bit for each id ever given: the next id, 4 bytes from 16 on, decides.
    if (segment == stored.manifest && bad["head"].size() >= 20)
        bad["head"][18] = bad["head"][19] = std::byte{0};
    bad.write(path + "/" + stored.names[segment]);
    hostile::collection_check laws;
    laws.all(path, data[0] >= 128);
    if (laws.broken() != nullptr) {
        std::printf("%s: %s\n", laws.broken(), laws.message().c_str());
        __builtin_trap();
    }
    return 0;
}
