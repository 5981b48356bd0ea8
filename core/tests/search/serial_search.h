// One thread's search, set up for a test.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "search/deepening.h"
#include "search/slow_minimax.h"

namespace crossboard::slow {

using Serial = Searcher<Position, Judge>;

inline std::unique_ptr<Serial> make_searcher(const Settings& settings, const Judge& judge,
                                             Table* table, const Path& path,
                                             std::uint64_t nodes = 0) {
    static std::atomic<bool> never{false};
    const Meter meter(nodes, Deadline(), never);
    auto searcher = std::make_unique<Serial>(judge, settings, table);  // too big for the stack
    searcher->prepare(meter, path);
    return searcher;
}

struct SerialSearch {
    Settings settings;
    Judge judge;
    Table* table = nullptr;
    int best_moves = 1;
    std::uint64_t node_limit = 0;
    std::vector<std::uint64_t> history = {};

    // Of the last search.
    std::uint64_t nodes = 0;
    Trace<Position>* trace = nullptr;

    Findings<Move> run(const Position& position, int depth) {
        if (table) table->new_search();
        const Path path(history, position.key());
        const auto searcher = make_searcher(settings, judge, table, path, node_limit);
        searcher->set_trace(trace);
        Deepening<Position, Judge> deepening(position, *searcher, settings);
        const Findings<Move> findings = deepening.run(depth, best_moves);
        nodes = searcher->nodes();
        return findings;
    }

    Value value(const Position& position, int depth) { return run(position, depth).best[0].value; }
};

// Every switch that leaves the value alone, thrown at random.
inline Settings random_switches(Random& random) {
    Settings settings;
    settings.deepening = random.below(2);
    settings.killers = random.below(3);
    settings.history = random.below(2);
    settings.pvs = random.below(2);
    settings.aspiration = random.below(2);
    settings.exact_depth_hits = true;
    settings.order_only = random.below(4) == 0;
    settings.draws = NO_DRAWS;
    return settings.full_width();
}

// Material alone, or with noise of any size.
inline Judge random_judge(Random& random) {
    constexpr int RANGES[] = {0, 1, 40, 300};
    return {RANGES[random.below(4)], random.next()};
}

// A node's bound, checked against the position's value there.
inline bool is_true(Bound bound, Value given, Value value) {
    switch (bound) {
        case Bound::lower: return value >= given;
        case Bound::upper: return value <= given;
        case Bound::exact: return value == given;
        default: return false;
    }
}

}  // namespace crossboard::slow
