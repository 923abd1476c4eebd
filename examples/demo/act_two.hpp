// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace demo {

/// The corpus of the learning path: one question by every technique side by side, then what each
/// technique is worth, over all questions and per kind of question.
void show_learning();

/// Questions about one version of a real product's documentation, with and without the filter; says
/// so where the files are absent.
void show_versions(std::string const& folder);

} // namespace demo
