// What ends games early, as Python holds it.
#pragma once

#include <atomic>

namespace crossboard::bindings {

// Ends games, or a search, from another thread.
struct StopFlag {
    std::atomic<bool> is_set{false};
};

}  // namespace crossboard::bindings
