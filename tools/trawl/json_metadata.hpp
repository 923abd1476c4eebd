// SPDX-License-Identifier: MIT
#pragma once

/// Members of JSON objects as typed metadata.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <trawl/collection/metadata.hpp>
#include <trawl/error.hpp>
#include <trawl/formats/lines.hpp>

#include "inputs.hpp"

namespace cli {

/// Calls use(lines, object) for each line of a file that is not blank.
/// @throws trawl::error (io; parse), "FILE:LINE: " before its text, for a line that is no object.
template <class Use>
void for_each_object(std::string const& path, Use&& use) {
    auto const text = read_contents(path);
    trawl::line_reader lines(text, path);
    for (std::string_view line; lines.next(line);) {
        if (trawl::is_blank(line)) continue;
        auto const object = nlohmann::ordered_json::parse(line, nullptr, false);
        if (!object.is_object()) lines.fail(trawl::errc::parse, "is no JSON object");
        use(lines, object);
    }
}

/// Collects members of documents, then decides the types of the fields. Null and nested values, but
/// for lists of texts, are left out.
class json_metadata {
public:
    using json = nlohmann::ordered_json;

    /// Begins the next document.
    void begin_document() { documents_.emplace_back(); }

    /// Adds a member to the document; the first of a name counts.
    void add(std::string const& name, json const& value);

    /// Adds the members of an object but for those left out, then those of its member "metadata".
    void add_members(json const& object, std::span<std::string_view const> left_out);

    /// The fields in the order in which they were met. A field of which every value is a date (ISO
    /// 8601) is of dates, one of values of several types is text.
    /// @param known  fields whose types are settled; they come first.
    [[nodiscard]] std::vector<trawl::metadata_field> fields(
        std::span<trawl::metadata_field const> known = {}) const;

    /// The documents' metadata as these fields.
    /// @throws trawl::error (invalid_argument) naming the document and the field, for a value that a
    /// settled type does not take.
    [[nodiscard]] std::vector<trawl::metadata> rows(
        std::span<trawl::metadata_field const> fields) const;

private:
    // What all values of a field are so far.
    struct kinds {
        bool boolean = true;
        bool integer = true;
        bool number = true;
        bool date = true;
        bool list = false; // one of them is a list
    };

    std::vector<std::vector<std::pair<std::string, json>>> documents_;
    std::map<std::string, kinds, std::less<>> seen_;
    std::vector<std::string> order_;
};

} // namespace cli
