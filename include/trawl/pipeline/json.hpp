// SPDX-License-Identifier: MIT
#pragma once

/// Pipelines from JSON and back: arms, rules and stages by names that the program registers.

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

/// What the names in a description stand for. Parts given as lvalues are borrowed: they must
/// outlive every pipeline that is made; rvalues are owned, shared_ptrs shared.
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
/// on_arm_failure and stages. The library's fusion rules and presets (json_rules.hpp) are known
/// from the start. Unknown names and fields are errors that name them.
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
        return add(arms_, std::move(name), any_retriever(detail::held<R>(std::forward<R>(arm))));
    }

    template <class M>
        requires embedder<detail::held_target<M>>
    pipeline_registry& embed(std::string name, M&& model) {
        detail::require_object(model, "pipeline_registry: embedder ", name);
        return add(embedders_, std::move(name),
            questions(detail::question_steps<detail::no_rewriter, detail::held<M>>{
                {}, detail::held<M>(std::forward<M>(model)), {}}));
    }

    /// A rule whose fields read_fields(json_fields&, Rule&) reads over those of `defaults`.
    template <fusion_rule Rule>
    pipeline_registry& rule(std::string name, Rule defaults = {}) {
        return add(rules_, std::move(name), [defaults](json_fields& fields) {
            auto made = defaults;
            read_fields(fields, made);
            return any_rule(std::move(made));
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

    /// @throws trawl::error (parse) for what is no JSON, or no description; whatever the parts
    /// refuse.
    [[nodiscard]] any_pipeline parse(std::string_view text) const {
        auto const parsed = json::parse(text, nullptr, false);
        if (parsed.is_discarded()) detail::fail(errc::parse, "pipeline: the text is not JSON");
        return make(parsed);
    }

    [[nodiscard]] any_pipeline make(json const& description) const {
        json_fields fields(description, "pipeline");
        detail::pipeline_settings settings;
        fields.read("window", settings.window);
        require_window(settings.window, "pipeline.window");
        auto arms = read_arms(fields, settings);
        auto rule = read_rule(fields, settings, arms.size());
        any_questions asking = questions(detail::question_steps<>{});
        if (fields.has("embed")) {
            std::string name;
            fields.read("embed", name);
            asking = look_up(embedders_, name, "pipeline.embed", "embedder");
        }
        fields.read("on_arm_failure", settings.failures);
        auto stages = read_stages(fields);
        auto const text = fields.finish().dump();
        return any_pipeline(detail::searchable(engine{std::move(arms), std::move(settings),
                                std::move(rule), std::move(asking), std::move(stages)}),
            text);
    }

private:
    template <class T>
    using table = std::map<std::string, T, std::less<>>;

    // Any question_steps.
    using any_questions = std::function<void(query const&, detail::search_log&)>;
    using engine = detail::search_engine<std::vector<detail::owned<any_retriever>>, any_rule,
        any_questions, std::vector<detail::owned<any_stage>>>;

    template <class Steps>
    [[nodiscard]] static any_questions questions(Steps steps) {
        return [held = std::make_shared<Steps const>(std::move(steps))](
                   query const& q, detail::search_log& log) { (*held)(q, log); };
    }

    // What a factory makes stages of, any number of times: a borrowed part stays borrowed, another
    // is shared.
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

    [[nodiscard]] std::vector<detail::owned<any_retriever>> read_arms(
        json_fields& fields, detail::pipeline_settings& settings) const {
        auto const* const list = fields.find("arms");
        if (list == nullptr || !list->is_array() || list->empty())
            fields.refuse("arms", "a list with at least one arm", list == nullptr ? json() : *list);
        std::vector<detail::owned<any_retriever>> arms;
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
            arms.emplace_back(any_retriever(look_up(arms_, name, where, "arm")));
            settings.windows.push_back(window);
        }
        fields.write("arms", std::move(written));
        return arms;
    }

    [[nodiscard]] any_rule read_rule(
        json_fields& fields, detail::pipeline_settings& settings, std::size_t arms) const {
        auto const* const given = fields.find("fuse");
        auto const object = given == nullptr ? json{{"rule", "rrf"}} : *given;
        json_fields fuse(object, "pipeline.fuse");
        std::string name = "rrf";
        fuse.read("rule", name);
        auto rule = look_up(rules_, name, fuse.where(), "rule")(fuse);
        fuse.read("complete", settings.complete);
        if (settings.complete && !rule.reads_scores())
            detail::fail(errc::invalid_argument,
                "pipeline.fuse.complete is true, but the fusion rule reads ranks, not scores");
        rule.validate(arms);
        fields.write("fuse", fuse.finish());
        return rule;
    }

    [[nodiscard]] std::vector<detail::owned<any_stage>> read_stages(json_fields& fields) const {
        std::vector<detail::owned<any_stage>> stages;
        auto written = json::array();
        if (auto const* const list = fields.find("stages")) {
            if (!list->is_array()) fields.refuse("stages", "a list", *list);
            for (auto const& item : *list) {
                auto const where = detail::join("pipeline.stages[", stages.size(), "]");
                auto const object = item.is_string() ? json{{"stage", item}} : item;
                json_fields stage(object, where);
                std::string name;
                stage.read("stage", name);
                stages.emplace_back(look_up(stages_, name, where, "stage")(stage));
                written.push_back(stage.finish());
            }
        }
        fields.write("stages", std::move(written));
        return stages;
    }

    table<any_retriever> arms_;
    table<any_questions> embedders_;
    table<std::function<any_rule(json_fields&)>> rules_;
    table<std::function<any_stage(json_fields&)>> stages_;
};

/// The description that a pipeline was made of, all defaults filled in: read again, it gives the
/// same pipeline.
/// @throws trawl::error (invalid_argument) for one that was built in code: it has no names.
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
