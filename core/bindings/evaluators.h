// What the engine's binding asks of the evaluators'.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "engine/engine.h"

// Whether an object is an evaluator of the core, or has one as its attribute `core`. In draughts
// None stands for material.
template <class P>
bool is_of_core(nanobind::handle evaluator);

// An engine with such an evaluator; none for any other object.
template <class P>
std::unique_ptr<crossboard::Engine<P>> engine_of_core(nanobind::handle evaluator,
                                                      const crossboard::EngineSettings& settings);
