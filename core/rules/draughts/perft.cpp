// The inner loop of draughts perft, for new and for old processors.
#include "rules/draughts/perft.h"

#include "rules/clones.h"

namespace crossboard::draughts {

CROSSBOARD_CLONES std::uint64_t count_two_plies(const Position& position) {
    return crossboard::count_two_plies<Position>(position);
}

}  // namespace crossboard::draughts
