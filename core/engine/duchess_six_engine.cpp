// The search, compiled for six players of Duchess.
#include "engine/duchess_engines.h"

namespace crossboard {

std::unique_ptr<Engine<duchess::Position>> make_engine(const duchess::OneLayer<6>& evaluator,
                                                       const EngineSettings& settings) {
    return std::make_unique<EngineWith<duchess::Position, duchess::OneLayer<6>>>(evaluator,
                                                                                 settings);
}

std::unique_ptr<Student<duchess::Position>> make_student(const duchess::OneLayer<6>& evaluator,
                                                         const StudentSettings& settings) {
    return std::make_unique<StudentWith<duchess::Position, duchess::OneLayer<6>>>(evaluator,
                                                                                  settings);
}

}  // namespace crossboard
