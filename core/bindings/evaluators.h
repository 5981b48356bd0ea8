// What the engine's binding asks of the evaluators'.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "engine/engine.h"

// An engine with an evaluator of the core, or with what has one as its attribute `core`; no engine
// for any other object. Draughts counts material for None.
template <class P>
std::unique_ptr<crossboard::Engine<P>> engine_of_core(nanobind::handle evaluator,
                                                      const crossboard::EngineSettings& settings);
