// The search, compiled for networks.
#include "engine/draughts_engines.h"
#include "eval/network.h"

namespace crossboard {

static_assert(Network::UNITS <= MAX_EVALUATION);

std::unique_ptr<Engine<draughts::Position>> make_engine(const Network& evaluator,
                                                        const EngineSettings& settings) {
    return std::make_unique<EngineWith<draughts::Position, Network>>(evaluator, settings);
}

}  // namespace crossboard
