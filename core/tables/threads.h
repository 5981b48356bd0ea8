// The same work on several threads.
#pragma once

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace crossboard::tables {

// Calls work(i) for 0 to n - 1, each on a thread, the first on this one; throws what they threw.
template <class Work>
void on_threads(int workers, Work work) {
    std::exception_ptr error;
    std::mutex mutex;
    const auto guarded = [&](int worker) {
        try {
            work(worker);
        } catch (...) {
            const std::lock_guard lock(mutex);
            error = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> threads;
        for (int worker = 1; worker < workers; ++worker) threads.emplace_back(guarded, worker);
        guarded(0);
    }
    if (error) std::rethrow_exception(error);
}

}  // namespace crossboard::tables
