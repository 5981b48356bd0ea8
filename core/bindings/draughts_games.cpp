// Python's view of games of draughts that the core plays, and of what ends any games early.
#include "bindings/games.h"
#include "bindings/module.h"
#include "rules/draughts/notation.h"

namespace nb = nanobind;
using namespace crossboard;

namespace crossboard::draughts {

static std::string text_of(const Position& position) {
    return format_fen(position);
}

}  // namespace crossboard::draughts

void bind_draughts_games(nb::module_& m) {
    nb::exception<Forfeit>(m, "Forfeit", PyExc_RuntimeError);
    nb::class_<bindings::StopFlag>(m, "StopFlag", "Ends games from another thread.")
        .def(nb::init<>())
        .def("set", [](bindings::StopFlag& flag) { flag.is_set = true; })
        .def_prop_ro("is_set", [](const bindings::StopFlag& flag) { return flag.is_set.load(); });
    bindings::bind_games<draughts::Position>(m, DrawRules{});
}
