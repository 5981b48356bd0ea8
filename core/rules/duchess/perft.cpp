// The inner loop of Duchess perft, for new and for old processors.
#include "rules/duchess/perft.h"

#include "rules/clones.h"

namespace crossboard::duchess {

CROSSBOARD_CLONES std::uint64_t count_two_plies(const Position& position) {
    return crossboard::count_two_plies<Position>(position);
}

}  // namespace crossboard::duchess
