// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "collection.hpp"

namespace demo {

/// What the tour asks, and the group of documents that its filter keeps.
struct script {
    std::vector<std::string> questions = {};
    std::string filtered_question = {};
    std::string group = {};
};

/// Indexes the documents, asks the questions, explains one hit, filters once; prints as it goes.
void show_tour(std::vector<document> const& documents, script const& script);

/// Prints what each technique is worth on SciFact's judged questions; says so where they are
/// absent.
void show_figures(std::string const& folder);

} // namespace demo
