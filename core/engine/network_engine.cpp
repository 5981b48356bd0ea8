// The search, compiled for networks, playing and learning.
#include "engine/draughts_engines.h"
#include "eval/network.h"

namespace crossboard {

static_assert(Network::UNITS <= MAX_EVALUATION);

std::unique_ptr<Engine<draughts::Position>> make_engine(const Network& evaluator,
                                                        const EngineSettings& settings) {
    return std::make_unique<EngineWith<draughts::Position, Network>>(evaluator, settings);
}

std::unique_ptr<Student<draughts::Position>> make_student(const Network& evaluator,
                                                          const StudentSettings& settings) {
    return std::make_unique<StudentWith<draughts::Position, Network>>(evaluator, settings);
}

}  // namespace crossboard
