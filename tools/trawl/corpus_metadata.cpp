// SPDX-License-Identifier: MIT
#include "corpus_metadata.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include <trawl/collection/condition_json.hpp>
#include <trawl/collection/condition_text.hpp>
#include <trawl/error.hpp>
#include <trawl/formats/lines.hpp>

#include "inputs.hpp"
#include "json_metadata.hpp"
#include "words.hpp"

namespace cli {
namespace {

using json = json_metadata::json;

trawl::condition condition_of(json const& written) {
    return written.is_string() ? trawl::parse_condition(written.get_ref<std::string const&>())
                               : trawl::json_condition(written);
}

} // namespace

trawl::metadata_table read_metadata(std::string const& path) {
    constexpr std::string_view left_out[] = {"_id", "title", "text"};
    json_metadata members;
    for_each_object(path, [&](trawl::line_reader const&, json const& object) {
        members.begin_document();
        members.add_members(object, left_out);
    });
    try {
        auto const fields = members.fields();
        auto const rows = members.rows(fields);
        return {fields, rows};
    } catch (trawl::error const& e) {
        throw trawl::error(e.code(), joined(path, ": ", e.what()));
    }
}

std::vector<std::optional<trawl::condition>> read_conditions(std::string const& path) {
    std::vector<std::optional<trawl::condition>> out;
    auto const text = read_contents(path);
    auto const first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first == text.npos || text[first] != '{') return out; // queries.tsv
    for_each_object(path, [&](trawl::line_reader const& lines, json const& object) {
        auto& own = out.emplace_back();
        auto const where = object.find("where");
        if (where == object.end() || where->is_null()) return;
        try {
            own = condition_of(*where);
        } catch (trawl::error const& e) {
            lines.fail(e.code(), e.what());
        }
    });
    return out;
}

eligibility::eligibility(
    std::string const& corpus, std::string const& where, std::string const& queries) {
    std::vector<std::optional<trawl::condition>> conditions;
    if (!queries.empty()) conditions = read_conditions(queries);
    auto const any = std::any_of(
        conditions.begin(), conditions.end(), [](auto const& c) { return c.has_value(); });
    if (where.empty() && !any) return;
    auto const about = read_metadata(corpus);
    trawl::condition all;
    if (!where.empty()) {
        all = trawl::parse_condition(where);
        common_ = about.matching(all);
    }
    if (!any) return;
    for (std::size_t i = 0; i < conditions.size(); ++i) {
        auto& own = own_.emplace_back();
        if (!conditions[i]) continue;
        try {
            own = about.matching(all && *conditions[i]);
        } catch (trawl::error const& e) {
            throw trawl::error(e.code(), joined(queries, ": query ", i + 1, ": ", e.what()));
        }
    }
}

trawl::filter eligibility::of_query(std::size_t i) const {
    if (i < own_.size() && own_[i]) return trawl::filter(*own_[i]);
    return common_ ? trawl::filter(*common_) : trawl::filter();
}

} // namespace cli
