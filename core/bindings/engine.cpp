// Python's view of the engine: games played in the core.
#include "bindings/module.h"
#include "engine/random_games.h"
#include "rules/draughts/position.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace crossboard;

void bind_draughts_engine(nb::module_& m) {
    nb::class_<RandomGames>(m, "RandomGames", "How a batch of random games ended.")
        .def_ro("first_side_wins", &RandomGames::first_side_wins)
        .def_ro("second_side_wins", &RandomGames::second_side_wins)
        .def_ro("draws", &RandomGames::draws)
        .def_ro("plies", &RandomGames::plies);
    m.def(
        "play_random_games",
        [](std::int64_t games, std::uint64_t seed, std::int64_t first,
           const draughts::Position& start, const DrawRules& rules) {
            if (games < 0 || first < 0)
                throw std::invalid_argument("games and first must not be negative");
            nb::gil_scoped_release release;
            return play_random_games(start, rules, seed, first, games);
        },
        "games"_a, nb::kw_only(), "seed"_a, "first"_a = 0, "start"_a = draughts::Position(),
        "rules"_a = DrawRules{},
        "Play games first .. first+games-1 of the series that the seed stands for, each legal\n"
        "move equally likely, on the calling thread without the GIL.");
}
