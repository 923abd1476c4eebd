// SPDX-License-Identifier: MIT
#pragma once

/// Pipelines from JSON and back: arms, rules and stages have names that the program registers.

#include <concepts>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/core/holding.hpp>
#include <trawl/pipeline/any_pipeline.hpp>
#include <trawl/pipeline/detail/any_parts.hpp>
#include <trawl/pipeline/detail/json_fields.hpp>
#include <trawl/pipeline/detail/json_rules.hpp>
#include <trawl/pipeline/detail/searchable.hpp>
#include <trawl/rerank/boost_stage.hpp>
#include <trawl/rerank/diversify_stage.hpp>
#include <trawl/rerank/mmr.hpp>
#include <trawl/rerank/rerank_stage.hpp>

TRAWL_BEGIN_NAMESPACE

/// Fields of functions and options; a program adds overloads for its own beside its types.
inline void read_fields(json_fields& fields, mmr& rule) {
    fields.read("lambda", rule.lambda);
    fields.read("relevance", rule.relevance);
}
inline void read_fields(json_fields& fields, decay& function) {
    fields.read("origin", function.origin);
    fields.read("scale", function.scale);
    fields.read("offset", function.offset);
    fields.read("at_scale", function.at_scale);
    fields.read("shape", function.shape);
}
inline void read_fields(json_fields& fields, value_factor& function) {
    fields.read("factor", function.factor);
    fields.read("modifier", function.modifier);
}
inline void read_fields(json_fields& fields, rerank_options& options) {
    fields.read("depth", options.depth);
    fields.read("keep", options.keep);
    fields.read("batch_size", options.batch_size);
    fields.read("deduplicate", options.deduplicate);
    fields.read("by_length", options.by_length);
    fields.read("time_limit", options.time_limit);
    fields.read("on_failure", options.on_failure);
    fields.read("mix", options.mix.before);
    fields.read("mix_norm", options.mix.norm);
}
inline void read_fields(json_fields& fields, diversify_options& options) {
    fields.read("depth", options.depth);
    fields.read("keep", options.keep);
}
inline void read_fields(json_fields& fields, boost_options& options) {
    fields.read("mode", options.mode);
    fields.read("weight", options.weight);
    fields.read("missing", options.missing);
    fields.read("norm", options.norm);
}

/// The arms, models, rules and stages that the names in a JSON description stand for. Indexes,
/// models and stores given as lvalues are borrowed and must outlive every pipeline that is made;
/// other lvalues are copied, rvalues owned, shared_ptrs shared.
///
///     trawl::pipeline_registry known;
///     known.arm("lexical", lexical).arm("dense", dense);
///     known.rerank("cross-encoder", model, texts).diversify("mmr", trawl::mmr{}, dense);
///     trawl::any_pipeline const search = known.parse(R"({
///         "arms": ["lexical", {"arm": "dense", "window": 100}],
///         "fuse": {"rule": "rrf", "weights": [0.6, 0.4]},
///         "stages": [{"stage": "cross-encoder", "depth": 20}, {"stage": "mmr", "lambda": 0.7}]})");
///     std::string const text = nlohmann::ordered_json(search).dump();
///
/// A description has arms, and may have window, fuse (rule, its fields, complete), embed,
/// on_arm_failure and stages. The fusion rules and presets of the library are known from the start.
/// An unknown name or field is an error that names it.
class pipeline_registry {
public:
    using json = json_fields::json;

    pipeline_registry() {
        detail::for_each_rule([this](char const* name, auto made) { rule(name, std::move(made)); });
    }

    template <class R>
        requires retriever<detail::held_target<R>>
    pipeline_registry& arm(std::string name, R&& arm) {
        detail::require_object(arm, "pipeline_registry: arm ", name);
        return add(arms_, std::move(name), any_retriever(std::forward<R>(arm)));
    }

    template <class M>
        requires embedder<detail::held_target<M>>
    pipeline_registry& embed(std::string name, M&& model) {
        detail::require_object(model, "pipeline_registry: embedder ", name);
        return add(embedders_, std::move(name),
            detail::any_query_steps(detail::query_steps<detail::no_rewriter, detail::held<M>>{
                {}, detail::held<M>(std::forward<M>(model)), {}}));
    }

    /// The names of the rules that it knows, in the order of their bytes.
    [[nodiscard]] std::vector<std::string> rule_names() const {
        std::vector<std::string> names;
        for (auto const& [name, made] : rules_) names.push_back(name);
        return names;
    }

    /// A rule whose fields read_fields(json_fields&, Rule&) reads over those of `defaults`.
    template <fusion_rule Rule>
    pipeline_registry& rule(std::string name, Rule defaults = {}) {
        return add(rules_, std::move(name), [defaults](json_fields& fields) {
            auto made = defaults;
            read_fields(fields, made);
            return detail::any_rule(std::move(made));
        });
    }

    /// A stage without fields.
    template <pipeline_stage Stage>
    pipeline_registry& stage(std::string name, Stage made) {
        return add(stages_, std::move(name),
            [held = any_stage(std::move(made))](json_fields&) { return held; });
    }

    /// A rerank_stage over this model and these texts; its fields are those of rerank_options, and
    /// mix, mix_norm.
    template <class M, class T>
        requires(reranker<detail::held_target<M>> && text_source<detail::held_target<T>>)
    pipeline_registry& rerank(std::string name, M&& model, T&& texts) {
        detail::require_object(model, "pipeline_registry: the model of ", name);
        detail::require_object(texts, "pipeline_registry: the texts of ", name);
        return add(stages_, std::move(name),
            [m = kept(std::forward<M>(model)), t = kept(std::forward<T>(texts))](
                json_fields& fields) {
                rerank_options options;
                read_fields(fields, options);
                return any_stage(rerank_stage(borrow(m), borrow(t), options));
            });
    }

    /// A diversify_stage over these vectors; its fields are those of the rule and of
    /// diversify_options.
    template <diversifier D, class V>
        requires vector_source<detail::held_target<V>>
    pipeline_registry& diversify(std::string name, D rule, V&& vectors) {
        detail::require_object(vectors, "pipeline_registry: the vectors of ", name);
        return add(stages_, std::move(name),
            [rule, v = kept(std::forward<V>(vectors))](json_fields& fields) {
                auto made = rule;
                diversify_options options;
                read_fields(fields, made);
                read_fields(fields, options);
                return any_stage(diversify_stage(std::move(made), borrow(v), options));
            });
    }

    /// A boost_stage over these numbers; its fields are those of the function and of boost_options.
    template <boost_function F, class N>
        requires number_source<detail::held_target<N>>
    pipeline_registry& boost(std::string name, F function, N&& numbers) {
        detail::require_object(numbers, "pipeline_registry: the numbers of ", name);
        return add(stages_, std::move(name),
            [function, n = kept(std::forward<N>(numbers))](json_fields& fields) {
                auto made = function;
                boost_options options;
                read_fields(fields, made);
                read_fields(fields, options);
                return any_stage(boost_stage(std::move(made), borrow(n), options));
            });
    }

    /// Makes the pipeline of a description.
    /// @throws trawl::error (parse) if the text is not JSON, is not a description, or nests arrays
    /// and objects more than 64 deep; (invalid_argument) for a stage that needs scores (autocut)
    /// where the rule reads ranks and no stage before has scored anew; what the arms, rules and
    /// stages throw for their options.
    [[nodiscard]] any_pipeline parse(std::string_view text) const {
        bool too_deep = false;
        auto const parsed = json::parse(
            text,
            [&](int depth, json::parse_event_t, json&) {
                too_deep = too_deep || depth > static_cast<int>(max_depth);
                return !too_deep; // what follows is not kept
            },
            false);
        if (too_deep) refuse_depth();
        if (parsed.is_discarded()) detail::fail(errc::parse, "pipeline: the text is not JSON");
        return make(parsed);
    }

    /// The same from JSON that is parsed already.
    [[nodiscard]] any_pipeline make(json const& description) const {
        if (!nests_at_most(description, max_depth)) refuse_depth();
        json_fields fields(description, "pipeline");
        detail::pipeline_settings settings;
        fields.read("window", settings.window);
        require_window(settings.window, "pipeline.window");
        auto arms = read_arms(fields, settings);
        auto rule = read_rule(fields, settings, arms.size());
        detail::any_query_steps steps;
        if (fields.has("embed")) {
            std::string name;
            fields.read("embed", name);
            steps = look_up(embedders_, name, "pipeline.embed", "embedder");
        }
        fields.read("on_arm_failure", settings.failures);
        auto stages = read_stages(fields, rule.ref().call->uses_scores);
        auto const text = fields.finish().dump();
        return any_pipeline(
            detail::searchable(detail::any_pipeline_parts{std::move(arms), std::move(settings),
                std::move(rule), std::move(steps), std::move(stages)}),
            text);
    }

private:
    template <class T>
    using table = std::map<std::string, T, std::less<>>;

    static constexpr std::size_t max_depth = 64; // copying and printing JSON recurse

    [[noreturn]] TRAWL_COLD static void refuse_depth() {
        detail::fail(errc::parse,
            detail::join("pipeline: the JSON is nested more than ", max_depth, " deep"));
    }

    [[nodiscard]] static bool nests_at_most(json const& value, std::size_t depth) {
        if (!value.is_structured()) return true;
        if (depth == 0) return false;
        for (auto const& item : value)
            if (!nests_at_most(item, depth - 1)) return false;
        return true;
    }

    // A factory makes stages of it any number of times: what is borrowed stays borrowed, anything
    // else is shared.
    template <class T>
    [[nodiscard]] static auto kept(T&& part) {
        return std::make_shared<detail::held<T> const>(detail::held<T>(std::forward<T>(part)));
    }
    template <class Held>
    [[nodiscard]] static auto borrow(std::shared_ptr<Held const> const& part) {
        using target = std::remove_reference_t<decltype(part->get())>;
        return std::shared_ptr<target>(part, std::addressof(part->get()));
    }

    template <class T, class V>
    pipeline_registry& add(table<T>& names, std::string name, V value) {
        auto const known = names.find(name) != names.end();
        if (known)
            detail::fail(errc::duplicate_key,
                detail::join("pipeline_registry: '", name, "' is known already"));
        names.emplace(std::move(name), std::move(value));
        return *this;
    }

    template <class T>
    [[nodiscard]] static T const& look_up(table<T> const& names, std::string const& name,
        std::string_view where, std::string_view what) {
        auto const at = names.find(name);
        if (at != names.end()) return at->second;
        std::string known;
        for (auto const& [other, part] : names)
            known += detail::join(known.empty() ? "" : ", ", other);
        detail::fail(errc::parse, detail::join(where, ": unknown ", what, " '", name,
                                      "', known are: ", known.empty() ? "none" : known));
    }

    static void require_window(std::size_t window, std::string_view where) {
        if (window == 0)
            detail::fail(errc::invalid_argument, detail::join(where, " is 0, must be >= 1"));
    }

    [[nodiscard]] std::vector<any_retriever> read_arms(
        json_fields& fields, detail::pipeline_settings& settings) const {
        auto const* const list = fields.find("arms");
        if (list == nullptr || !list->is_array() || list->empty())
            fields.refuse("arms", "a list with at least one arm", list == nullptr ? json() : *list);
        std::vector<any_retriever> arms;
        auto written = json::array();
        for (auto const& item : *list) {
            auto const where = detail::join("pipeline.arms[", arms.size(), "]");
            auto const object = item.is_string() ? json{{"arm", item}} : item;
            json_fields arm(object, where);
            std::string name;
            std::size_t window = settings.window;
            arm.read("arm", name);
            arm.read("window", window);
            require_window(window, where + ".window");
            written.push_back(arm.finish());
            arms.push_back(look_up(arms_, name, where, "arm"));
            settings.windows.push_back(window);
        }
        fields.write("arms", std::move(written));
        return arms;
    }

    [[nodiscard]] detail::any_rule read_rule(
        json_fields& fields, detail::pipeline_settings& settings, std::size_t arms) const {
        auto const* const given = fields.find("fuse");
        auto const object = given == nullptr ? json{{"rule", "rrf"}} : *given;
        json_fields fuse(object, "pipeline.fuse");
        std::string name = "rrf";
        fuse.read("rule", name);
        auto rule = look_up(rules_, name, fuse.where(), "rule")(fuse);
        fuse.read("complete", settings.complete);
        if (settings.complete && !rule.ref().call->uses_scores)
            detail::fail(errc::invalid_argument,
                "pipeline.fuse.complete is true, but the fusion rule reads ranks, not scores");
        rule.ref().call->validate(rule.ref().object, arms);
        fields.write("fuse", fuse.finish());
        return rule;
    }

    /// @param scored  whether the rule makes its scores of scores, and not of ranks.
    [[nodiscard]] std::vector<any_stage> read_stages(json_fields& fields, bool scored) const {
        std::vector<any_stage> stages;
        auto written = json::array();
        if (auto const* const list = fields.find("stages")) {
            if (!list->is_array()) fields.refuse("stages", "a list", *list);
            for (auto const& item : *list) {
                auto const where = detail::join("pipeline.stages[", stages.size(), "]");
                auto const object = item.is_string() ? json{{"stage", item}} : item;
                json_fields stage(object, where);
                std::string name;
                stage.read("stage", name);
                stages.push_back(look_up(stages_, name, where, "stage")(stage));
                auto const& made = *stages.back().ref().call;
                if (made.needs_scores && !scored)
                    detail::fail(errc::invalid_argument,
                        detail::join(where, ": stage '", name,
                            "' needs scores, but the fusion rule makes them of ranks; fuse by "
                            "scores, or rerank first"));
                scored = scored || !made.keeps_scores;
                written.push_back(stage.finish());
            }
        }
        fields.write("stages", std::move(written));
        return stages;
    }

    table<any_retriever> arms_;
    table<detail::any_query_steps> embedders_;
    table<std::function<detail::any_rule(json_fields&)>> rules_;
    table<std::function<any_stage(json_fields&)>> stages_;
};

/// The description that a pipeline was made from, with all defaults filled in. Read again, it gives
/// the same pipeline.
/// @throws trawl::error (invalid_argument) for a pipeline that was built in code: it has no names.
template <class Json>
void to_json(Json& out, any_pipeline const& made) {
    if (made.description().empty())
        detail::fail(errc::invalid_argument, "to_json: this pipeline was built in code; only one "
                                             "that was read from JSON can be written");
    out = Json::parse(made.description());
}

/// {"name": "arm 0", "in": 0, "out": 50, "scored": 0, "seconds": 0.001, "partial": false, "notes":
/// [ … ]}
template <class Json>
void to_json(Json& out, stage_trace const& step) {
    out = Json{{"name", step.name}, {"in", step.candidates_in}, {"out", step.candidates_out},
        {"scored", step.scored}, {"seconds", step.seconds}, {"partial", step.partial},
        {"notes", step.notes}};
}

/// {"ranking": [ … ], "trace": [ … ], "failures": [{"arm": 1, "variant": 0, "message": "…"}],
/// "partial": false}
template <class Json>
void to_json(Json& out, search_report const& report) {
    out = Json{{"ranking", report.ranking}, {"trace", report.trace}, {"failures", Json::array()},
        {"partial", report.partial}};
    for (auto const& f : report.failures)
        out["failures"].push_back(
            Json{{"arm", f.arm}, {"variant", f.variant}, {"message", f.message}});
}

TRAWL_END_NAMESPACE
