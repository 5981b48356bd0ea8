// An engine as Python holds it.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "engine/engine.h"
#include "rules/draughts/position.h"

struct Handle {
    std::shared_ptr<crossboard::Engine<crossboard::draughts::Position>> engine;
    nanobind::object evaluator;  // if it is Python's
};
