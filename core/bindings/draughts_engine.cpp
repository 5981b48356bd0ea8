// Python's view of draughts' engines, and of random games.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <limits>

#include "bindings/engine.h"
#include "bindings/module.h"
#include "engine/draughts_endgames.h"
#include "engine/draughts_engines.h"
#include "engine/random_games.h"
#include "rules/draughts/position.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace crossboard;
using draughts::Position;

namespace {

void bind_random_games(nb::module_& m) {
    nb::class_<RandomGames>(m, "RandomGames", "How a batch of random games ended.")
        .def_ro("first_side_wins", &RandomGames::first_side_wins)
        .def_ro("second_side_wins", &RandomGames::second_side_wins)
        .def_ro("draws", &RandomGames::draws)
        .def_ro("plies", &RandomGames::plies)
        .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__repr__",
             [](const RandomGames& games) {
                 return "<RandomGames: " + std::to_string(games.first_side_wins) +
                        " won by the first side, " + std::to_string(games.second_side_wins) +
                        " by the second, " + std::to_string(games.draws) + " drawn>";
             })
        .def("__getstate__",
             [](const RandomGames& games) {
                 return std::tuple(games.first_side_wins, games.second_side_wins, games.draws,
                                   games.plies);
             })
        .def("__setstate__",
             [](RandomGames& self,
                const std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>& state) {
                 const auto [first, second, draws, plies] = state;
                 new (&self) RandomGames{first, second, draws, plies};
             });
    m.def(
        "play_random_games",
        [](std::int64_t games, std::uint64_t seed, std::int64_t first, const Position& start,
           const DrawRules& rules) {
            if (games < 0 || first < 0 || first > std::numeric_limits<std::int64_t>::max() - games)
                throw std::invalid_argument(
                    "games and first must not be negative, nor their sum too large");
            // A batch may be cut anywhere: here where Ctrl-C is looked for.
            constexpr std::int64_t GAMES_WITHOUT_A_LOOK = 10'000;
            RandomGames total;
            for (std::int64_t done = 0; done < games;) {
                const std::int64_t now = std::min(GAMES_WITHOUT_A_LOOK, games - done);
                {
                    nb::gil_scoped_release release;
                    total += play_random_games(start, rules, seed, first + done, now);
                }
                done += now;
                if (PyErr_CheckSignals()) throw nb::python_error();
            }
            return total;
        },
        "games"_a, nb::kw_only(), "seed"_a, "first"_a = 0, "start"_a = Position(),
        "rules"_a = DrawRules{},
        "Play games first .. first+games-1 of the series that the seed stands for, each legal\n"
        "move equally likely, on the calling thread without the GIL.");
}

}  // namespace

void bind_draughts_engine(nb::module_& m) {
    bind_random_games(m);
    bindings::bind_answer<Position>(m);
    bindings::bind_border<Position>(m);
    bindings::bind_engine<Position>(m, draughts::HABITS)
        .def(
            "use_tables",
            [](Handle<Position>& self, std::shared_ptr<tables::EndgameTables> found) {
                self.engine->use_endgames(std::make_shared<DraughtsEndgames>(std::move(found)));
            },
            "tables"_a, nb::sig("def use_tables(self, tables: EndgameTables) -> None"),
            "Probe endgame tables from now on: inside the tree, and at the root, where moves that\n"
            "give the value away are left out. What was found without them is forgotten.");
}
