// Engines of Duchess with the evaluations of the core, compiled in files of their own.
#pragma once

#include <memory>

#include "engine/engine.h"
#include "engine/student.h"
#include "eval/duchess/one_layer.h"

namespace crossboard {

namespace duchess {

inline constexpr GameHabits HABITS{.draws = DRAW_RULES};

}  // namespace duchess

std::unique_ptr<Engine<duchess::Position>> make_engine(const duchess::OneLayer<4>& evaluator,
                                                       const EngineSettings& settings);
std::unique_ptr<Engine<duchess::Position>> make_engine(const duchess::OneLayer<6>& evaluator,
                                                       const EngineSettings& settings);
std::unique_ptr<Engine<duchess::Position>> make_engine(const duchess::FromScratch<4>& evaluator,
                                                       const EngineSettings& settings);

std::unique_ptr<Student<duchess::Position>> make_student(const duchess::OneLayer<4>& evaluator,
                                                         const StudentSettings& settings);
std::unique_ptr<Student<duchess::Position>> make_student(const duchess::OneLayer<6>& evaluator,
                                                         const StudentSettings& settings);

}  // namespace crossboard
