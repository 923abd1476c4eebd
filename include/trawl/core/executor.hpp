// SPDX-License-Identifier: MIT
#pragma once

/// Where parallel work runs. The library starts no thread of its own: a caller who wants several
/// passes an executor.

#include <cstddef>

#include <trawl/core/function_ref.hpp>

TRAWL_BEGIN_NAMESPACE

/// Runs numbered tasks, in any order and on any threads. Results never depend on it.
class executor {
public:
    virtual ~executor() = default;

    /// How many tasks can run at once, >= 1.
    [[nodiscard]] virtual std::size_t concurrency() const noexcept = 0;

    /// Calls task(0) … task(count - 1) once each and returns when all are done. If tasks throw, all
    /// others still run, then the exception of the lowest task is thrown on. May be called from
    /// several threads at once.
    virtual void run(std::size_t count, function_ref<void(std::size_t)> task) const = 0;

protected:
    executor() = default;
    executor(executor const&) = default;
    executor& operator=(executor const&) = default;
};

/// Runs tasks on `where`, or one after the other on the calling thread if it is null.
inline void run_tasks(
    executor const* where, std::size_t count, function_ref<void(std::size_t)> task) {
    if (where != nullptr) {
        where->run(count, task);
    } else {
        for (std::size_t i = 0; i < count; ++i) task(i);
    }
}

TRAWL_END_NAMESPACE
