// SPDX-License-Identifier: MIT
#include "described.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include <trawl/error.hpp>
#include <trawl/pipeline/json.hpp>
#include <trawl/rerank/autocut.hpp>
#include <trawl/rerank/drop_near_duplicates.hpp>
#include <trawl/rerank/group_by_parent.hpp>
#include <trawl/rerank/mmr.hpp>
#include <trawl/rerank/score_floor.hpp>

#include "words.hpp"

namespace cli {
namespace {

using json = trawl::json_fields::json;

[[noreturn]] void refuse(std::string const& reason) {
    throw trawl::error(trawl::errc::invalid_argument, reason);
}

std::string rule_of(std::string const& name) { return name == "weighted" ? "weighted_sum" : name; }

// Finds nothing: an arm for a pipeline that is only described.
struct no_arm {
    [[nodiscard]] static trawl::ranking search(trawl::query const&, trawl::search_options const&) {
        return {};
    }
};

// The fields of a rule with their defaults; a preset has weights for two arms.
json fields_of(std::string const& rule) {
    trawl::pipeline_registry known;
    known.arm("arm", no_arm{});
    auto const made =
        known.make(json{{"arms", {"arm", "arm"}}, {"fuse", {{"rule", rule_of(rule)}}}});
    return json(made)["fuse"];
}

// An option that only some rules know.
void set_field(
    json& fuse, fusion_options const& options, char const* option, char const* field, json value) {
    if (!fields_of(options.rule).contains(field)) {
        std::string others;
        for (auto const& name : fusion_names()) {
            if (name != "weighted" && fields_of(name).contains(field))
                others += (others.empty() ? "" : ", ") + name;
        }
        refuse(
            joined(option, " goes with the rules ", others, "; not with --fusion ", options.rule));
    }
    fuse[field] = std::move(value);
}

// NAME=VALUE; what is not JSON is a string.
void set_option(json& fuse, std::string const& text) {
    auto const equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        refuse("--fusion-option: '" + text + "' is not NAME=VALUE");
    auto const value = text.substr(equals + 1);
    auto parsed = json::parse(value, nullptr, false);
    fuse[text.substr(0, equals)] = parsed.is_discarded() ? json(value) : std::move(parsed);
}

json rule_json(fusion_options const& options) {
    json fuse{{"rule", rule_of(options.rule)}};
    if (!options.weights.empty()) set_field(fuse, options, "--weights", "weights", options.weights);
    if (options.norm) set_field(fuse, options, "--norm", "norm", *options.norm);
    if (options.rrf_k) set_field(fuse, options, "--rrf-k", "k", *options.rrf_k);
    for (auto const& text : options.others) set_option(fuse, text);
    return fuse;
}

// Counts the texts that it is given.
struct counting_reranker {
    candidate_scorer score;
    std::size_t* calls = nullptr;

    void operator()(trawl::query const& q, std::span<trawl::candidate const> batch,
        std::span<float> out) const {
        if (calls != nullptr) *calls += batch.size();
        score(q, batch, out);
    }
};

template <class Vectors>
void add_vector_stages(trawl::pipeline_registry& known, Vectors const& vectors,
    stage_options const& stages, json& out) {
    if (stages.dedupe) {
        known.stage("dedupe", trawl::drop_near_duplicates{vectors, {.cosine = *stages.dedupe}});
        out.push_back("dedupe");
    }
    if (stages.mmr) {
        known.diversify("mmr", trawl::mmr{.lambda = *stages.mmr}, vectors);
        out.push_back("mmr");
    }
}

json add_stages(
    trawl::pipeline_registry& known, pipeline_sources const& from, stage_options const& stages) {
    auto out = json::array();
    if (!stages.rerank.empty()) {
        auto const* const name = from.reranker == nullptr ? "overlap" : "model";
        known.rerank(name,
            counting_reranker{from.reranker == nullptr ? open_reranker("overlap") : *from.reranker,
                from.texts_read},
            from.text);
        out.push_back(
            json{{"stage", name}, {"depth", stages.rerank_depth}, {"mix", stages.rerank_mix}});
    }
    if (stages.score_floor) {
        known.stage("score_floor", trawl::score_floor(static_cast<float>(*stages.score_floor)));
        out.push_back("score_floor");
    }
    if (stages.autocut) {
        known.stage("autocut", trawl::autocut(*stages.autocut));
        out.push_back("autocut");
    }
    if (from.stored != nullptr) {
        add_vector_stages(known, *from.stored, stages, out);
    } else if (from.vectors != nullptr) {
        add_vector_stages(known, *from.vectors, stages, out);
    } else if (stages.dedupe || stages.mmr) {
        refuse("--dedupe and --mmr compare vectors: they go with --retriever dense or hybrid");
    }
    if (from.per_parent > 0) {
        known.stage("parents", trawl::group_by_parent(from.parent, from.per_parent));
        out.push_back("parents");
    }
    return out;
}

} // namespace

fusion_options kept_scores() { return {.rule = "weighted_sum", .norm = "none"}; }

std::vector<std::string> const& fusion_names() {
    static auto const names = [] {
        auto out = trawl::pipeline_registry().rule_names();
        out.emplace_back("weighted");
        std::sort(out.begin(), out.end());
        return out;
    }();
    return names;
}

trawl::any_pipeline described(
    pipeline_sources const& from, retrieval_options const& options, std::size_t window) {
    trawl::pipeline_registry known;
    auto arms = json::array();
    for (std::size_t i = 0; i < from.arms.size(); ++i) {
        auto const name = joined("arm ", i);
        known.arm(name, trawl::any_retriever(from.arms[i]));
        arms.push_back(name);
    }
    auto fuse = rule_json(options.fusion);
    if (options.complete) fuse["complete"] = true;
    auto stages = add_stages(known, from, options.stages);
    return known.make(json{{"arms", std::move(arms)}, {"window", window}, {"fuse", std::move(fuse)},
        {"stages", std::move(stages)}});
}

} // namespace cli
