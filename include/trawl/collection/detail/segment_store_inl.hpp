// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of segment_store.hpp.

#include <trawl/collection/detail/segment_store.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/storage/file_lock.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class directory_store final : public segment_store {
public:
    directory_store(std::string path, bool read_only) : path_(std::move(path)) {
        namespace fs = std::filesystem;
        if (path_.empty()) fail(errc::invalid_argument, "collection: the path is empty");
        if (path_.find('\0') != std::string::npos)
            fail(errc::invalid_argument, "collection: the path contains a NUL byte");
        std::error_code wrong;
        if (read_only) {
            if (!fs::is_directory(path_, wrong))
                fail(errc::io, join(path_, ": there is no such collection"));
            return;
        }
        if (fs::exists(path_, wrong) && !fs::is_directory(path_, wrong))
            fail(errc::io, join(path_, ": is no directory"));
        fs::create_directories(path_, wrong);
        if (wrong) fail(errc::io, join(path_, ": cannot be created: ", wrong.message()));
#if TRAWL_HAS_EXCEPTIONS
        try {
            lock_ = file_lock(path_ + "/lock");
        } catch (error const& e) {
            if (!fs::exists(path_ + "/manifest", wrong)) throw;
            fail(e.code(), join(e.what(), "; with .read_only the collection opens for searches"));
        }
#else
        lock_ = file_lock(path_ + "/lock");
#endif
    }

    [[nodiscard]] std::string const& name() const noexcept override { return path_; }

    [[nodiscard]] section_file write(std::uint64_t number, section_writer const& from) override {
        from.write(file_of(number));
        return open(number);
    }

    [[nodiscard]] section_file open(std::uint64_t number) const override {
        return {file_of(number), segment_kind, segment_version};
    }

    void write_manifest(section_writer const& from) override { from.write(path_ + "/manifest"); }

    [[nodiscard]] std::optional<section_file> manifest() const override {
        std::error_code wrong;
        auto const file = path_ + "/manifest";
        if (!std::filesystem::exists(file, wrong) && !wrong) return std::nullopt;
        return section_file(
            file, manifest_kind, manifest_version, {.copy = true, .verify = verification::all});
    }

    void keep_only(std::span<std::uint64_t const> used) noexcept override {
#if TRAWL_HAS_EXCEPTIONS
        try {
            remove_others(used);
        } catch (...) { // without memory for their names, files stay until the next time
        }
#else
        remove_others(used);
#endif
    }

private:
    static constexpr std::string_view ending = ".segment";

    [[nodiscard]] std::string file_of(std::uint64_t number) const {
        return join(path_, "/", number, ending);
    }

    void remove_others(std::span<std::uint64_t const> used) {
        std::vector<std::string> kept;
        for (auto const number : used) kept.push_back(join(number, ending));
        std::error_code wrong;
        std::vector<std::filesystem::path> found;
        for (std::filesystem::directory_iterator at(path_, wrong), end; !wrong && at != end;
             at.increment(wrong)) {
            auto const file = at->path().filename().string();
            auto const ours = file.ends_with(ending) || file.starts_with(".trawl-");
            if (ours && std::find(kept.begin(), kept.end(), file) == kept.end())
                found.push_back(at->path());
        }
        for (auto const& file : found) std::filesystem::remove(file, wrong);
    }

    std::string path_;
    file_lock lock_;
};

class memory_store final : public segment_store {
public:
    [[nodiscard]] std::string const& name() const noexcept override { return name_; }

    [[nodiscard]] section_file write(std::uint64_t number, section_writer const& from) override {
        auto file = from.in_memory(join(number, ".segment in memory"));
        std::lock_guard const lock(mutex_);
        segments_.insert_or_assign(number, file);
        return file;
    }
    [[nodiscard]] section_file open(std::uint64_t number) const override {
        std::lock_guard const lock(mutex_);
        auto const at = segments_.find(number);
        if (at == segments_.end()) fail(errc::io, join("there is no segment ", number));
        return at->second;
    }
    void write_manifest(section_writer const& from) override {
        auto made = from.in_memory("manifest in memory");
        std::lock_guard const lock(mutex_);
        manifest_ = std::move(made);
    }
    [[nodiscard]] std::optional<section_file> manifest() const override {
        std::lock_guard const lock(mutex_);
        return manifest_;
    }
    void keep_only(std::span<std::uint64_t const> used) noexcept override {
        std::lock_guard const lock(mutex_);
        std::erase_if(segments_, [&](auto const& each) {
            return std::find(used.begin(), used.end(), each.first) == used.end();
        });
    }

private:
    std::string name_ = "collection in memory";
    std::mutex mutable mutex_; ///< guards what follows
    std::map<std::uint64_t, section_file> segments_;
    std::optional<section_file> manifest_;
};

TRAWL_INLINE std::unique_ptr<segment_store> open_directory(std::string path, bool read_only) {
    return std::make_unique<directory_store>(std::move(path), read_only);
}

TRAWL_INLINE std::unique_ptr<segment_store> open_memory() {
    return std::make_unique<memory_store>();
}

} // namespace detail
TRAWL_END_NAMESPACE
