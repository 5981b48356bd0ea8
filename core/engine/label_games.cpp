// Games to learn from, compiled for small nets.
#include "engine/label_games.h"

#include <stdexcept>
#include <utility>

#include "eval/small_net.h"

namespace crossboard {

LabelledGames play_label_games(const SmallNet& net, const EngineSettings& engine,
                               const LabelSettings& settings,
                               std::span<const draughts::Position> openings,
                               std::span<const draughts::Position> reserved,
                               std::shared_ptr<const Endgames<draughts::Position>> endgames,
                               std::span<const std::uint64_t> seeds,
                               const std::function<bool()>& stop) {
    if (openings.empty()) throw std::invalid_argument("games to learn from need an opening");
    if (!settings.is_valid())
        throw std::invalid_argument("games cannot be labelled with these settings");
    LabelTable<SmallNet> table(net, engine, settings, openings, reserved, std::move(endgames));
    if (!table.can_begin())
        throw std::invalid_argument("a position that is reserved cannot be an opening");
    LabelledGames games;
    for (const std::uint64_t seed : seeds) {
        if (stop && stop()) break;
        table.play(seed, stop, games);
    }
    return games;
}

}  // namespace crossboard
