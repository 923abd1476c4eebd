// SPDX-License-Identifier: MIT
// Xapian for benchmarks/lexical.cpp: BM25Weight(1.2, 0, 1, .75, 0).
#include <stdexcept>

#include <xapian.h>

#include "lexical_peer.hpp"

namespace {

class engine {
public:
    static constexpr std::size_t most = 200; // questions

    explicit engine(std::filesystem::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] std::string name() const {
        return std::string("Xapian ") + Xapian::version_string();
    }

    std::uintmax_t build() {
        auto const at = folder_ / "xapian";
        auto const positions = std::filesystem::exists(folder_ / "phrases");
        {
            Xapian::WritableDatabase writer(
                at.string(), Xapian::DB_CREATE_OR_OVERWRITE | Xapian::DB_BACKEND_GLASS
                                 | Xapian::DB_NO_SYNC | Xapian::DB_DANGEROUS);
            for (auto const& text : peer::lines(folder_ / "documents")) {
                Xapian::Document document;
                Xapian::termpos position = 0;
                for (auto const& word : text) {
                    if (positions) {
                        document.add_posting(word, ++position);
                    } else {
                        document.add_term(word);
                    }
                }
                writer.add_document(document);
            }
            writer.commit();
        }
        database_ = Xapian::Database(at.string());
        std::uintmax_t bytes = 0;
        for (auto const& file : std::filesystem::directory_iterator(at)) bytes += file.file_size();
        return bytes;
    }

    void search(std::string const& kind, peer::words const& question, std::size_t k) {
        auto const op = kind == "or"       ? Xapian::Query::OP_OR
                        : kind == "and"    ? Xapian::Query::OP_AND
                        : kind == "phrase" ? Xapian::Query::OP_PHRASE
                                           : throw std::runtime_error("not asked of Xapian");
        Xapian::Enquire enquire(database_);
        enquire.set_weighting_scheme(Xapian::BM25Weight(1.2, 0, 1, 0.75, 0.0));
        enquire.set_query(Xapian::Query(op, question.begin(), question.end()));
        auto const found = enquire.get_mset(0, static_cast<Xapian::doccount>(k));
        Xapian::docid sum = 0;
        for (auto hit = found.begin(); hit != found.end(); ++hit) sum += *hit;
        kept_ = sum;
    }

private:
    std::filesystem::path folder_;
    Xapian::Database database_;
    Xapian::docid volatile kept_ = 0; // so that the hits are read
};

} // namespace

int main(int argc, char** argv) { return peer::answer<engine>(argc, argv); }
