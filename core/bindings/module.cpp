// The extension module: what all games share, and one submodule for each game.
#include "bindings/module.h"

#include <cstdlib>

#include "search/free_memory.h"

NB_MODULE(_core, m) {
    // Other libraries keep objects until the program ends, which is no leak of ours and nothing
    // to tell users about; our own tests ask for the warnings.
    nanobind::set_leak_warnings(std::getenv("CROSSBOARD_LEAK_WARNINGS") != nullptr);
    m.doc() = "The compiled core of crossboard; use crossboard.draughts or crossboard.duchess.";
    m.def(
        "free_megabytes", [] { return crossboard::free_megabytes(); },
        "Return how much memory may still be had, of the machine and of this process's groups.");
    bind_endings(m);
    crossboard::bindings::bind_search_settings(m);
    bind_eval_net(m);
    bind_td_learner(m);
    auto draughts = m.def_submodule("draughts", "English draughts in the core.");
    bind_draughts(draughts);
    bind_draughts_pdn(draughts);
    bind_draughts_mapping(draughts);
    bind_draughts_evaluators(draughts);
    bind_draughts_engine(draughts);
    bind_draughts_games(draughts);
    bind_draughts_students(draughts);
    bind_small_net_learning(draughts);
    bind_tables(draughts);
    auto duchess = m.def_submodule("duchess", "Duchess in the core.");
    bind_duchess(duchess);
    bind_duchess_evaluators(duchess);
    bind_duchess_engine(duchess);
}
