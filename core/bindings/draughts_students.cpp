// Python's view of students of draughts.
#include "bindings/module.h"
#include "bindings/students.h"
#include "engine/draughts_engines.h"
#include "eval/network.h"

using namespace crossboard;
using draughts::Position;

void bind_draughts_students(nanobind::module_& m) {
    bindings::bind_students<Position, Network>(
        m, draughts::HABITS,
        [](const Network& network, const StudentSettings& settings)
            -> std::shared_ptr<Student<Position>> { return make_student(network, settings); });
}
