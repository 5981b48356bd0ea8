// The search, compiled for counting material.
#include "engine/draughts_engines.h"
#include "eval/material.h"

namespace crossboard {

std::unique_ptr<Engine<draughts::Position>> make_engine(const Material& evaluator,
                                                        const EngineSettings& settings) {
    return std::make_unique<EngineWith<draughts::Position, Material>>(evaluator, settings);
}

}  // namespace crossboard
