// Python's view of choosers that take notes for learners, for any game.
#pragma once

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "bindings/arrays.h"
#include "bindings/engine.h"
#include "engine/student.h"

// Named: what two files hide in unnamed namespaces is one type for nanobind.
namespace crossboard::bindings {

namespace nb = nanobind;
using namespace nb::literals;

// So many pieces, and how deep to search at least as long as there are no more of them.
using Depths = std::vector<std::pair<int, int>>;
constexpr int MOST_PIECES = 1000;  // no board has more

// Complains of a word that is none of those allowed.
inline void require_one_of(const char* what, std::string_view word,
                           std::initializer_list<std::string_view> allowed) {
    if (std::find(allowed.begin(), allowed.end(), word) != allowed.end()) return;
    std::string message = std::string(what) + " must be one of";
    for (std::string_view each : allowed) message += " " + std::string(each);
    throw std::invalid_argument(message + ", not '" + std::string(word) + "'");
}

// Complains of a number below 0, and of what is no number or endless.
inline void require_not_negative(const char* what, double value) {
    if (value >= 0 && std::isfinite(value)) return;
    std::ostringstream message;
    message << what << " must be 0 or more, not " << value;
    throw std::invalid_argument(message.str());
}

template <GamePosition P>
void bind_notes(nb::module_& m) {
    using Notes = crossboard::Notes<P>;
    nb::class_<Notes>(m, "Notes", "What a student's searches found, one entry for each.")
        .def_ro("roots", &Notes::roots)
        .def_prop_ro(
            "values", [](const Notes& notes) { return fresh_copy(notes.values); },
            nb::rv_policy::move, "For the side to move at the root: -1 to 1, or 0 to 1 of Duchess.")
        .def_ro("leaves", &Notes::leaves, "Where the principal variations end.")
        .def_ro("signs", &Notes::signs,
                "1 if the root's side is to move at the leaf too, -1 if not, 0 if the value is a\n"
                "win, a loss or a draw by rule, which the evaluation has no part in.")
        .def_prop_ro(
            "changes", [](const Notes& notes) { return fresh_copy(notes.changes); },
            nb::rv_policy::move,
            "What the trees teach each weight, summed over the searches: w1 by rows, w2, w3.")
        .def_ro("nodes", &Notes::nodes);
}

// `make(evaluator, settings)` makes a student of an evaluator E of the core.
template <GamePosition P, class E, class Make>
void bind_students(nb::module_& m, const GameHabits& habits, Make make) {
    using Student = crossboard::Student<P>;
    static const std::string SIGNATURE =
        "def of(evaluator: " + nb::cast<std::string>(nb::type<E>().attr("__name__")) +
        ", *, depth: int, depths: collections.abc.Sequence[tuple[int, int]] = [], " +
        keywords_text<Switches>() +
        ", lessons: str = 'tree', rate: float = 1.0, decay: float = 1.0, clamp: float = 0.0, "
        "quiet_only: bool = False, with_slope: bool = False, at_edges: bool = False) -> Student";
    bind_notes<P>(m);
    nb::class_<Student, Chooser<P>>(m, "Student",
                                    "Plays by search and takes notes of what each search found.")
        .def_static(
            "of",
            [make, habits](const E& evaluator, int depth, const Depths& depths,
                           std::string_view lessons, double rate, double decay, double clamp,
                           bool quiet_only, bool with_slope, bool at_edges,
                           const nb::kwargs& given) -> std::shared_ptr<Student> {
                require_one_of("lessons", lessons, {"tree", "root", "none"});
                require_not_negative("rate", rate);
                require_not_negative("decay", decay);
                require_not_negative("clamp", clamp);
                StudentSettings settings;
                Keywords keywords(given);
                settings.search = keywords.take_settings<Switches>().for_game(habits, false);
                keywords.end();
                settings.limits = {.depth = depth};
                for (const auto& [most, least] : depths) {
                    if (most < 0 || most > MOST_PIECES)
                        throw std::invalid_argument("depths are for 0 to " +
                                                    std::to_string(MOST_PIECES) +
                                                    " pieces, not for " + std::to_string(most));
                    settings.limits.floors.push_back({most + 1, least});
                }
                settings.takes_lessons = lessons != "none";
                settings.strap = {lessons == "tree", rate,       decay,   clamp,
                                  quiet_only,        with_slope, at_edges};
                return make(evaluator, settings);
            },
            nb::sig(SIGNATURE.c_str()), "evaluator"_a, nb::kw_only(), "depth"_a,
            "depths"_a = Depths(), "lessons"_a = "tree", "rate"_a = StrapSettings{}.rate,
            "decay"_a = StrapSettings{}.decay, "clamp"_a = StrapSettings{}.clamp,
            "quiet_only"_a = false, "with_slope"_a = false, "at_edges"_a = false, "settings"_a,
            "Search to `depth`, at least to that of each of `depths`, pairs of pieces and depth,\n"
            "whose pieces are not exceeded, in full width and with full windows. Lessons come "
            "from\n"
            "the 'tree', from the 'root' alone, or 'none'; bounds are what refutations are worth,\n"
            "or the edges of the window.")
        .def("begin_game", &Student::begin_game, "seed"_a)
        .def(
            "choose",
            [](Student& student, const P& position, const std::vector<P>& history) {
                const std::span<const P> past = reversible_past(history, position);
                nb::gil_scoped_release release;
                return student.choose(position, past, {});
            },
            "position"_a, "history"_a = std::vector<P>(),
            "Search a position; `history` are earlier positions of the game, oldest first.")
        .def("take_notes", &Student::take_notes, "Return what was noted since the last call.");
}

}  // namespace crossboard::bindings
