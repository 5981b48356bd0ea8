// The search, compiled for four players of Duchess: with sums carried along, and without.
#include "engine/duchess_engines.h"

namespace crossboard {

static_assert(duchess::OneLayer<4>::MOST <= MAX_EVALUATION);

std::unique_ptr<Engine<duchess::Position>> make_engine(const duchess::OneLayer<4>& evaluator,
                                                       const EngineSettings& settings) {
    return std::make_unique<EngineWith<duchess::Position, duchess::OneLayer<4>>>(evaluator,
                                                                                 settings);
}

std::unique_ptr<Engine<duchess::Position>> make_engine(const duchess::FromScratch<4>& evaluator,
                                                       const EngineSettings& settings) {
    return std::make_unique<EngineWith<duchess::Position, duchess::FromScratch<4>>>(evaluator,
                                                                                    settings);
}

std::unique_ptr<Student<duchess::Position>> make_student(const duchess::OneLayer<4>& evaluator,
                                                         const StudentSettings& settings) {
    return std::make_unique<StudentWith<duchess::Position, duchess::OneLayer<4>>>(evaluator,
                                                                                  settings);
}

}  // namespace crossboard
