// Python's view of games of draughts that the core plays.
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
    bindings::bind_games<draughts::Position>(m, DrawRules{});
}
