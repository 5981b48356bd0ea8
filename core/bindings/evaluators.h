// What the engine's binding asks of the evaluators'.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "engine/engine.h"
#include "rules/draughts/position.h"

// An engine with an evaluator of the core, or with what has one as its attribute `core`; with
// Material for None; no engine for any other object.
std::unique_ptr<crossboard::Engine<crossboard::draughts::Position>> engine_of_core(
    nanobind::handle evaluator, const crossboard::EngineSettings& settings);
