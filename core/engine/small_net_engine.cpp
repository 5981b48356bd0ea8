// The search, compiled for small nets.
#include "engine/draughts_engines.h"
#include "eval/small_net.h"

namespace crossboard {

static_assert(SmallNet::MOST <= MAX_EVALUATION);

std::unique_ptr<Engine<draughts::Position>> make_engine(const SmallNet& evaluator,
                                                        const EngineSettings& settings) {
    return std::make_unique<EngineWith<draughts::Position, SmallNet>>(evaluator, settings);
}

}  // namespace crossboard
