// SPDX-License-Identifier: MIT
// SQLite's FTS5 for benchmarks/lexical.cpp: contentless, ORDER BY rank.
#include <stdexcept>

#include <sqlite3.h>

#include "lexical_peer.hpp"

namespace {

class engine {
public:
    static constexpr std::size_t most = 5; // questions: it scores every match, and slowly

    explicit engine(std::filesystem::path folder) : folder_(std::move(folder)) {}
    engine(engine const&) = delete;
    engine& operator=(engine const&) = delete;
    ~engine() {
        sqlite3_finalize(asked_);
        sqlite3_close(database_);
    }

    [[nodiscard]] std::string name() const {
        return std::string("FTS5 ") + sqlite3_libversion() + ", " + std::to_string(most) + " asked";
    }

    std::uintmax_t build() {
        auto const file = folder_ / "fts5";
        if (sqlite3_open(file.c_str(), &database_) != SQLITE_OK)
            throw std::runtime_error("cannot be opened");
        for (auto const* const pragma : {"pragma journal_mode = off", "pragma synchronous = off",
                 "pragma cache_size = -1000000", "pragma mmap_size = 8000000000"}) {
            run(pragma);
        }
        run("create virtual table documents using fts5(text, content = '', tokenize = 'ascii')");
        run("begin");
        sqlite3_stmt* insert = nullptr;
        sqlite3_prepare_v2(
            database_, "insert into documents(rowid, text) values(?, ?)", -1, &insert, nullptr);
        std::ifstream lines(folder_ / "documents");
        sqlite3_int64 id = 0;
        for (std::string line; std::getline(lines, line);) {
            sqlite3_bind_int64(insert, 1, ++id);
            sqlite3_bind_text(insert, 2, line.data(), static_cast<int>(line.size()), SQLITE_STATIC);
            sqlite3_step(insert);
            sqlite3_reset(insert);
        }
        sqlite3_finalize(insert);
        run("commit");
        run("insert into documents(documents) values('optimize')");
        auto const* const select =
            "select rowid from documents where documents match ? order by rank limit ?";
        if (sqlite3_prepare_v2(database_, select, -1, &asked_, nullptr) != SQLITE_OK) {
            throw std::runtime_error(sqlite3_errmsg(database_));
        }
        return std::filesystem::file_size(file);
    }

    void search(std::string const& kind, peer::words const& question, std::size_t k) {
        if (kind != "or" && kind != "and" && kind != "phrase")
            throw std::runtime_error("not asked of FTS5");
        auto const* const between = kind == "or" ? " OR " : kind == "and" ? " AND " : " + ";
        std::string match;
        for (auto const& word : question)
            match += (match.empty() ? "" : between) + ('"' + word + '"');
        sqlite3_bind_text(asked_, 1, match.data(), static_cast<int>(match.size()), SQLITE_STATIC);
        sqlite3_bind_int64(asked_, 2, static_cast<sqlite3_int64>(k));
        while (sqlite3_step(asked_) == SQLITE_ROW)
            static_cast<void>(sqlite3_column_int64(asked_, 0));
        sqlite3_reset(asked_);
    }

private:
    void run(char const* command) {
        if (sqlite3_exec(database_, command, nullptr, nullptr, nullptr) != SQLITE_OK) {
            throw std::runtime_error(sqlite3_errmsg(database_));
        }
    }

    std::filesystem::path folder_;
    sqlite3* database_ = nullptr;
    sqlite3_stmt* asked_ = nullptr;
};

} // namespace

int main(int argc, char** argv) { return peer::answer<engine>(argc, argv); }
