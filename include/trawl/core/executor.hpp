// SPDX-License-Identifier: MIT
#pragma once

/// Where parallel work runs. The library starts no threads by itself: a caller who wants several
/// passes an executor.

#include <cstddef>

#include <trawl/core/function_ref.hpp>

TRAWL_BEGIN_NAMESPACE

/// Runs numbered tasks in any order, on any threads. Results of the library never depend on either.
class executor {
public:
    virtual ~executor() = default;

    /// The number of tasks that can run at once, >= 1.
    [[nodiscard]] virtual std::size_t concurrency() const noexcept = 0;

    /// Calls each of task(0) … task(count - 1) once and returns when all are done. If tasks throw, the
    /// others still run; then the exception of the lowest of them is rethrown. May be called from
    /// several threads at once.
    virtual void run(std::size_t count, function_ref<void(std::size_t)> task) const = 0;

protected:
    executor() = default;
    executor(executor const&) = default;
    executor& operator=(executor const&) = default;
};

/// Runs tasks on the pool, or one after the other on the calling thread if it is null.
inline void run_tasks(
    executor const* pool, std::size_t count, function_ref<void(std::size_t)> task) {
    if (pool != nullptr) {
        pool->run(count, task);
    } else {
        for (std::size_t i = 0; i < count; ++i) task(i);
    }
}

TRAWL_END_NAMESPACE
