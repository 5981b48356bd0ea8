// The search, compiled for six players of Duchess.
#include "engine/duchess_engines.h"

namespace crossboard {

std::unique_ptr<Engine<duchess::Position>> make_engine(const duchess::OneLayer<6>& evaluator,
                                                       const EngineSettings& settings) {
    return std::make_unique<EngineWith<duchess::Position, duchess::OneLayer<6>>>(evaluator,
                                                                                 settings);
}

}  // namespace crossboard
