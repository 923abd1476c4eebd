// SPDX-License-Identifier: MIT
#pragma once

/// A document as it is put into a collection, and as it comes back.

#include <string>
#include <vector>

#include <trawl/collection/metadata.hpp>

TRAWL_BEGIN_NAMESPACE

/// The text of a field other than title and text.
struct named_text {
    std::string field;
    std::string text;
    friend bool operator==(named_text const&, named_text const&) = default;
};

/// The vector of a document in the vector space of this name.
struct named_vector {
    std::string space;
    std::vector<float> values;
    friend bool operator==(named_vector const&, named_vector const&) = default;
};

struct document {
    std::string key; ///< 1 to 65535 bytes: the caller's name of the document
    std::string title = {};
    std::string text = {};
    trawl::metadata metadata = {};
    /// The vector in the collection's first vector space. A document that gives vectors is one
    /// passage: it is not cut into chunks.
    std::vector<float> vector = {};
    std::string parent = {};                ///< what it is a part of; empty: its own key
    std::vector<named_text> texts = {};     ///< of the other text fields
    std::vector<named_vector> vectors = {}; ///< in the other vector spaces

    friend bool operator==(document const&, document const&) = default;
};

TRAWL_END_NAMESPACE
