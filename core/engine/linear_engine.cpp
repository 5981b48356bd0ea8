// The search, compiled for weighted sums of features.
#include "engine/draughts_engines.h"
#include "eval/linear.h"

namespace crossboard {

static_assert(Linear::MOST <= MAX_EVALUATION);

std::unique_ptr<Engine<draughts::Position>> make_engine(const Linear& evaluator,
                                                        const EngineSettings& settings) {
    return std::make_unique<EngineWith<draughts::Position, Linear>>(evaluator, settings);
}

}  // namespace crossboard
