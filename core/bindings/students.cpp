// Python's view of choosers that take notes for learners.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.h"
#include "bindings/module.h"
#include "engine/draughts_engines.h"
#include "eval/network.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace crossboard;
using draughts::Position;

namespace {

using DraughtsStudent = Student<Position>;
using DraughtsNotes = Notes<Position>;
// So many pieces, and how deep to search as long as there are no more of them.
using Depths = std::vector<std::pair<int, int>>;

int depth_for(const Depths& depths, int depth, const Position& position) {
    const int pieces = count(position.black() | position.white());
    for (const auto& [most_pieces, deeper] : depths)
        if (pieces <= most_pieces) return deeper;
    return depth;
}

Fresh<1> copied(const std::vector<double>& numbers) {
    auto [data, array] = make_vector(numbers.size());
    std::copy(numbers.begin(), numbers.end(), data);
    return array;
}

void bind_notes(nb::module_& m) {
    nb::class_<DraughtsNotes>(m, "Notes", "What a student's searches found, one entry for each.")
        .def_ro("roots", &DraughtsNotes::roots)
        .def_prop_ro(
            "values", [](const DraughtsNotes& notes) { return copied(notes.values); },
            nb::rv_policy::move, "For the side to move at the root, -1 to 1.")
        .def_ro("leaves", &DraughtsNotes::leaves, "Where the principal variations end.")
        .def_ro("signs", &DraughtsNotes::signs,
                "1 if the root's side is to move at the leaf too, -1 if not, 0 if the value is a\n"
                "win, a loss or a draw by rule, which the evaluation has no part in.")
        .def_prop_ro(
            "changes", [](const DraughtsNotes& notes) { return copied(notes.changes); },
            nb::rv_policy::move,
            "What the trees teach each weight, summed over the searches: w1 by rows, w2, w3.")
        .def_ro("nodes", &DraughtsNotes::nodes);
}

}  // namespace

void bind_draughts_students(nb::module_& m) {
    bind_notes(m);
    nb::class_<DraughtsStudent, Chooser<Position>>(
        m, "Student", "Plays by search and takes notes of what each search found.")
        .def_static(
            "of",
            [](const Network& network, int depth, const Depths& depths, std::string_view algorithm,
               bool quiescence, const DrawRules& draws, std::string_view lessons, double rate,
               double decay, double clamp, bool quiet_only,
               bool with_slope) -> std::shared_ptr<DraughtsStudent> {
                StudentSettings<Position> settings;
                settings.search = {
                    .algorithm = algorithm == "minimax" ? Algorithm::minimax : Algorithm::alphabeta,
                    .quiescence = quiescence,
                    .draws = draws};
                settings.depth = [depths, depth](const Position& position) {
                    return depth_for(depths, depth, position);
                };
                settings.takes_lessons = lessons != "none";
                settings.strap = {lessons == "tree", rate, decay, clamp, quiet_only, with_slope};
                return make_student(network, settings);
            },
            "network"_a, nb::kw_only(), "depth"_a = 5, "depths"_a = Depths(),
            "algorithm"_a = "alphabeta", "quiescence"_a = true, "draws"_a = DrawRules{},
            "lessons"_a = "tree", "rate"_a = StrapSettings{}.rate,
            "decay"_a = StrapSettings{}.decay, "clamp"_a = StrapSettings{}.clamp,
            "quiet_only"_a = false, "with_slope"_a = false,
            "Search to `depth`, or to that of the first of `depths`, pairs of pieces and depth,\n"
            "whose pieces are not exceeded. Lessons come from the 'tree', from the 'root' alone,\n"
            "or 'none'.")
        .def("begin_game", &DraughtsStudent::begin_game, "seed"_a)
        .def(
            "choose",
            [](DraughtsStudent& student, const Position& position,
               const std::vector<Position>& history) {
                nb::gil_scoped_release release;
                return student.choose(position, history, {});
            },
            "position"_a, "history"_a = std::vector<Position>(),
            "Search a position; `history` is since the last irreversible move.")
        .def("take_notes", &DraughtsStudent::take_notes,
             "Return what was noted since the last call.");
}
