// Python's view of Duchess's engines, and of games of Duchess that the core plays.
#include "bindings/duchess_evaluators.h"
#include "bindings/engine.h"
#include "bindings/games.h"
#include "bindings/module.h"
#include "bindings/students.h"
#include "rules/duchess/notation.h"

namespace nb = nanobind;
using namespace crossboard;
using duchess::Position;

namespace crossboard::duchess {

static std::string text_of(const Position& position) {
    return format_position(position);
}

}  // namespace crossboard::duchess

void bind_duchess_engine(nb::module_& m) {
    bindings::bind_answer<Position>(m);
    bindings::bind_border<Position>(m);
    bindings::bind_engine<Position>(m, duchess::HABITS);
    bindings::bind_games<Position>(m, duchess::DRAW_RULES);
    bindings::bind_students<Position, bindings::AnyOneLayer>(
        m, duchess::HABITS,
        [](const bindings::AnyOneLayer& any,
           const StudentSettings& settings) -> std::shared_ptr<Student<Position>> {
            return std::visit([&](const auto& one) { return make_student(one, settings); },
                              any.evaluator);
        });
}
