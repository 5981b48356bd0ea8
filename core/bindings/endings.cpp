// Python's view of what ends games of any kind: rules of draws, a flag that stops them, a forfeit.
#include "bindings/endings.h"

#include <nanobind/operators.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "bindings/module.h"
#include "engine/chooser.h"
#include "rules/past.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace crossboard;
using bindings::StopFlag;

namespace {

// More plies than any game has, and far from the end of the numbers.
constexpr int MAX_DRAW_RULE = 1'000'000;

void bind_draw_rules(nb::module_& m) {
    nb::class_<DrawRules>(
        m, "DrawRules",
        "The rules that draw a game in which moves are left; 0 switches a rule off.")
        .def(
            "__init__",
            [](DrawRules* self, int repetitions, int quiet_plies, int max_plies, int loop_moves) {
                for (int rule : {repetitions, quiet_plies, max_plies, loop_moves})
                    if (rule < 0 || rule > MAX_DRAW_RULE)
                        throw std::invalid_argument(
                            "a draw rule must not be negative, nor more than " +
                            std::to_string(MAX_DRAW_RULE) + "; 0 switches it off");
                new (self) DrawRules{repetitions, quiet_plies, max_plies, loop_moves};
            },
            nb::kw_only(), "repetitions"_a = DrawRules{}.repetitions,
            "quiet_plies"_a = DrawRules{}.quiet_plies, "max_plies"_a = DrawRules{}.max_plies,
            "loop_moves"_a = DrawRules{}.loop_moves)
        .def_ro("repetitions", &DrawRules::repetitions,
                "Draw when a position stands for the n-th time.")
        .def_ro("quiet_plies", &DrawRules::quiet_plies,
                "Draw after n plies in a row without a capture or a move by a man.")
        .def_ro("max_plies", &DrawRules::max_plies, "Draw when the game is n plies long.")
        .def_ro("loop_moves", &DrawRules::loop_moves,
                "Draw when, after 20 plies, each side has taken back n moves in a row.")
        .def("__repr__",
             [](const DrawRules& rules) {
                 return "DrawRules(repetitions=" + std::to_string(rules.repetitions) +
                        ", quiet_plies=" + std::to_string(rules.quiet_plies) +
                        ", max_plies=" + std::to_string(rules.max_plies) +
                        (rules.loop_moves ? ", loop_moves=" + std::to_string(rules.loop_moves)
                                          : "") +
                        ")";
             })
        .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__",
             [](const DrawRules& rules) {
                 return ((rules.repetitions * 31 + rules.quiet_plies) * 31 + rules.max_plies) * 31 +
                        rules.loop_moves;
             })
        .def("__getstate__",
             [](const DrawRules& rules) {
                 return std::tuple(rules.repetitions, rules.quiet_plies, rules.max_plies,
                                   rules.loop_moves);
             })
        .def("__setstate__", [](DrawRules& self, const std::tuple<int, int, int, int>& state) {
            const auto [repetitions, quiet_plies, max_plies, loop_moves] = state;
            new (&self) DrawRules{repetitions, quiet_plies, max_plies, loop_moves};
        });
}

}  // namespace

void bind_endings(nb::module_& m) {
    bind_draw_rules(m);
    nb::exception<Forfeit>(m, "Forfeit", PyExc_RuntimeError);
    nb::class_<StopFlag>(m, "StopFlag", "Ends games, or a search, from another thread.")
        .def(nb::init<>())
        .def("set", [](StopFlag& flag) { flag.is_set = true; })
        .def_prop_ro("is_set", [](const StopFlag& flag) { return flag.is_set.load(); });
}
