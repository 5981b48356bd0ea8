// What each binding file adds to the extension module.
#pragma once

#include <nanobind/nanobind.h>

void bind_endings(nanobind::module_& m);
void bind_draughts(nanobind::module_& m);
void bind_draughts_pdn(nanobind::module_& m);
void bind_draughts_engine(nanobind::module_& m);
void bind_draughts_games(nanobind::module_& m);
void bind_draughts_students(nanobind::module_& m);
void bind_small_net_learning(nanobind::module_& m);
void bind_tables(nanobind::module_& m);
void bind_duchess(nanobind::module_& m);
void bind_duchess_evaluators(nanobind::module_& m);
void bind_duchess_engine(nanobind::module_& m);
void bind_draughts_evaluators(nanobind::module_& m);
void bind_draughts_mapping(nanobind::module_& m);
void bind_eval_net(nanobind::module_& m);
void bind_td_learner(nanobind::module_& m);

namespace crossboard::bindings {
void bind_search_settings(nanobind::module_& m);
}
