// Engines of draughts with the evaluations of the core, each compiled in a file of its own.
#pragma once

#include <memory>

#include "engine/engine.h"
#include "engine/student.h"
#include "rules/draughts/position.h"

namespace crossboard {

namespace draughts {

// Beside the table killers cost a tenth more nodes, without it they save a sixth.
inline constexpr GameHabits HABITS{.killers_beside_table = 0};

}  // namespace draughts

class Linear;
class Material;
class Network;
class SmallNet;

std::unique_ptr<Engine<draughts::Position>> make_engine(const Material& evaluator,
                                                        const EngineSettings& settings);
std::unique_ptr<Engine<draughts::Position>> make_engine(const Linear& evaluator,
                                                        const EngineSettings& settings);
std::unique_ptr<Engine<draughts::Position>> make_engine(const Network& evaluator,
                                                        const EngineSettings& settings);
std::unique_ptr<Engine<draughts::Position>> make_engine(const SmallNet& evaluator,
                                                        const EngineSettings& settings);

std::unique_ptr<Student<draughts::Position>> make_student(const Network& evaluator,
                                                          const StudentSettings& settings);

}  // namespace crossboard
