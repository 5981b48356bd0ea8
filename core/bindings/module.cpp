// The extension module: one submodule for each game, one function for each file that fills it.
#include "bindings/module.h"

NB_MODULE(_core, m) {
    m.doc() = "The compiled core of crossboard; use crossboard.draughts or crossboard.duchess.";
    bind_eval_net(m);
    auto draughts = m.def_submodule("draughts", "English draughts in the core.");
    bind_draughts(draughts);
    bind_draughts_pdn(draughts);
    bind_draughts_mapping(draughts);
    bind_draughts_evaluators(draughts);
    bind_draughts_engine(draughts);
    bind_draughts_games(draughts);
    auto duchess = m.def_submodule("duchess", "Duchess in the core.");
    bind_duchess(duchess);
}
