// Python's view of the engine, for any game.
#pragma once

#include "engine/engine.h"

#include <nanobind/ndarray.h>
#include <nanobind/operators.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <span>

#include "bindings/endings.h"
#include "bindings/evaluators.h"
#include "bindings/handle.h"
#include "bindings/settings.h"
#include "engine/wire.h"

// Named: what two files hide in unnamed namespaces is one type for nanobind.
namespace crossboard::bindings {

namespace nb = nanobind;
using namespace nb::literals;

// A Python function as evaluator: called with the position, gives men for the side to move. The
// engine's handle keeps the function alive.
template <GamePosition P>
class PythonEvaluator {
  public:
    static constexpr bool IS_SLOW = true;

    explicit PythonEvaluator(nb::handle function) : function_(function) {}

    Value evaluate(const P& position) const {
        nb::gil_scoped_acquire acquire;
        const nb::object judged = function_(position);
        const double men = PyFloat_AsDouble(judged.ptr());
        const bool is_number = !PyErr_Occurred();
        PyErr_Clear();
        const double most = double{MAX_EVALUATION} / UNITS;
        if (!is_number || !(std::abs(men) <= most))
            throw std::invalid_argument(
                "an evaluation must be a number within +-100000, not " +
                (is_number ? std::to_string(men)
                           : "a " + std::string(nb::type_name(judged.type()).c_str())));
        return static_cast<Value>(std::lround(men * UNITS));
    }
    int units() const { return UNITS; }

  private:
    static constexpr int UNITS = 1000;
    nb::handle function_;
};

using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Lets Python's signal handlers run; stops the search if one of them raises.
inline bool run_signal_handlers() {
    nb::gil_scoped_acquire acquire;
    return PyErr_CheckSignals() != 0;
}

template <GamePosition P>
Answer<P> ask(Engine<P>& engine, const Question<P>& question) {
    Answer<P> answer;
    {
        nb::gil_scoped_release release;
        answer = engine.ask(question);
    }
    if (PyErr_Occurred()) throw nb::python_error();
    return answer;
}

// Those positions that the present one can still repeat.
template <GamePosition P>
std::span<const P> reversible_past(const std::vector<P>& history, const P& now) {
    std::span<const P> before(history);
    // Some give the present position as the last of the past.
    if (!before.empty() && before.back() == now) before = before.first(before.size() - 1);
    std::size_t start = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        if (!now.is_unchanged_since(before[i])) start = i + 1;
    before = before.subspan(start);
    for (std::size_t i = 0; i < before.size(); ++i)
        if (!(i + 1 < before.size() ? before[i + 1] : now).is_turn_after(before[i]))
            throw std::invalid_argument(
                "the history must be all positions in their order: the players take turns");
    return before;
}

template <GamePosition P>
std::vector<std::uint64_t> reversible_keys(const std::vector<P>& history, const P& now) {
    std::vector<std::uint64_t> keys;
    for (const P& earlier : reversible_past(history, now)) keys.push_back(earlier.key());
    return keys;
}

inline const char* name_of(Bound bound) {
    switch (bound) {
        case Bound::lower: return "lower";
        case Bound::upper: return "upper";
        case Bound::exact: return "exact";
        default: return "none";
    }
}

// An evaluator may know the player that uses it: Python's collector must see that circle.
template <GamePosition P>
int visit_handle(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    Py_VISIT(nb::inst_ptr<Handle<P>>(self)->evaluator.ptr());
    return 0;
}
template <GamePosition P>
int clear_handle(PyObject* self) {
    *nb::inst_ptr<Handle<P>>(self) = {};
    return 0;
}
template <GamePosition P>
PyType_Slot handle_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(visit_handle<P>)},
                              {Py_tp_clear, reinterpret_cast<void*>(clear_handle<P>)},
                              {0, nullptr}};

template <GamePosition P>
void bind_answer(nb::module_& m) {
    using Ranked = RankedMove<typename P::Move>;
    nb::class_<Ranked>(m, "RankedMove", "A move with its value, in the evaluator's units.")
        .def_ro("move", &Ranked::move)
        .def_ro("value", &Ranked::value)
        .def_ro("pv", &Ranked::line)
        .def_prop_ro(
            "win_in",
            [](const Ranked& ranked) -> std::optional<int> {
                if (is_win(ranked.value)) return plies_to_end(ranked.value);
                if (is_loss(ranked.value)) return -plies_to_end(ranked.value);
                return std::nullopt;
            },
            "Plies to a forced win, negative for a forced loss; None if neither is seen.");
    nb::class_<Answer<P>>(m, "Answer", "What a search found.")
        .def_prop_ro("best", [](const Answer<P>& answer) { return answer.findings.best; })
        .def_prop_ro("depth", [](const Answer<P>& answer) { return answer.findings.depth; })
        .def_prop_ro("stopped", [](const Answer<P>& answer) { return answer.findings.stopped; })
        .def_ro("selective_depth", &Answer<P>::selective_depth)
        .def_ro("nodes", &Answer<P>::nodes)
        .def_ro("seconds", &Answer<P>::seconds)
        .def_prop_ro(
            "trace",
            [](const Answer<P>& answer) {
                nb::list nodes;
                for (const auto& node : answer.trace)
                    nodes.append(nb::make_tuple(node.position, node.value, name_of(node.bound),
                                                node.depth, node.ply));
                return nodes;
            },
            nb::sig("def trace(self) -> list[tuple[Position, int, str, int, int]]"),
            "Position, value, bound ('lower', 'upper', 'exact'), depth and ply of every inner "
            "node.");
}

template <GamePosition P>
EngineSettings settings_from(const nb::kwargs& given, const GameHabits& habits) {
    Keywords keywords(given);
    EngineSettings settings = keywords.take_settings<SearchSettings>().for_game(habits);
    keywords.take("random_delays", settings.crew.random_delays);
    keywords.take("seed", settings.crew.seed);
    std::optional<Handle<P>> beside;
    keywords.take("beside", beside);
    if (beside) settings.table = beside->engine->table();
    keywords.end();
    return settings;
}

// Complains of what no engine can search with.
template <GamePosition P>
void check_engine(const nb::object& evaluator, const EngineSettings& settings) {
    if (!is_of_core<P>(evaluator)) {
        if (!PyCallable_Check(evaluator.ptr()))
            throw std::invalid_argument(
                "an evaluator is a function from a position to a number, not a " +
                std::string(nb::type_name(evaluator.type()).c_str()));
        if (settings.crew.threads > 1)
            throw std::invalid_argument("a Python evaluator is searched by one thread");
    }
    check_settings(settings);
}

template <GamePosition P>
nb::class_<Handle<P>> bind_engine(nb::module_& m, const GameHabits& habits) {
    static const std::string KEYWORDS =
        "evaluator: collections.abc.Callable[[Position], float] | None = None, *, " +
        keywords_text<SearchSettings>() +
        ", random_delays: bool = False, seed: int = 0, beside: Engine | None = None) -> None";
    static const std::string INIT = "def __init__(self, " + KEYWORDS;
    static const std::string CHECK = "def check(" + KEYWORDS;
    nb::class_<Handle<P>> engine(m, "Engine", nb::type_slots(handle_slots<P>),
                                 "An evaluation and a way of searching.");
    engine
        .def(
            "__init__",
            [habits](Handle<P>* self, nb::object evaluator, const nb::kwargs& given) {
                const EngineSettings settings = settings_from<P>(given, habits);
                check_engine<P>(evaluator, settings);
                if (auto engine = engine_of_core<P>(evaluator, settings)) {
                    new (self) Handle<P>{std::move(engine), {}};
                    return;
                }
                new (self) Handle<P>{std::make_unique<EngineWith<P, PythonEvaluator<P>>>(
                                         PythonEvaluator<P>(evaluator), settings),
                                     evaluator};
            },
            nb::sig(INIT.c_str()), "evaluator"_a = nb::none(), "settings"_a,
            "Make an engine: material counts without an evaluator; table_mb=0 does without a\n"
            "table. Engines made `beside` another one use its table, of whatever size, in turn:\n"
            "it is cleared when another of them searches.")
        .def_static(
            "check",
            [habits](const nb::object& evaluator, const nb::kwargs& given) {
                check_engine<P>(evaluator, settings_from<P>(given, habits));
            },
            nb::sig(CHECK.c_str()), "evaluator"_a = nb::none(), "settings"_a,
            "Raise ValueError for what no engine can be made of; make none.")
        .def(
            "search",
            [](Handle<P>& self, const P& position, int depth, std::uint64_t nodes, double seconds,
               const std::string& clock, const Floors& floors, const std::optional<GivenTime>& time,
               int multipv, const std::vector<P>& history, bool trace,
               std::optional<std::uint64_t> tie_seed, const GivenNoise& noise,
               std::uint64_t noise_seed, std::function<void(const Answer<P>&)> on_depth,
               const StopFlag* stop) {
                return ask<P>(*self.engine,
                              {.position = position,
                               .history = reversible_keys(history, position),
                               .limits = limits_from(depth, nodes, seconds, clock, floors, time),
                               .best_moves = multipv,
                               .wants_trace = trace,
                               .tie_seed = tie_seed,
                               .noise = noise_from(noise),
                               .noise_seed = noise_seed,
                               .poll = run_signal_handlers,
                               .stop = stop ? &stop->is_set : nullptr,
                               .on_depth = std::move(on_depth)});
            },
            "position"_a, nb::kw_only(), "depth"_a = MAX_DEPTH, "nodes"_a = 0, "seconds"_a = 0.0,
            "clock"_a = "wall", "floors"_a = Floors(), "time"_a = nb::none(), "multipv"_a = 1,
            "history"_a = std::vector<P>(), "trace"_a = false, "tie_seed"_a = nb::none(),
            "noise"_a = GivenNoise(1, 0), "noise_seed"_a = 0, "on_depth"_a = nb::none(),
            "stop"_a = nb::none(),
            "Search a position to a depth, a number of nodes or a time, whichever ends first.\n"
            "With the clock 'cpu' seconds are those that a processor works for this thread.\n"
            "With fewer pieces than one of the `floors` says it goes at least as deep as that.\n"
            "`time` is what is left of a game's time, of which the move takes a share: seconds,\n"
            "more of them before each move, and the moves they are for (0: all that are left).\n"
            "With a `tie_seed` one of several equally good moves is drawn. With `noise`, moves "
            "and\n"
            "hundredths of a man, the `noise_seed` decides which of so many best moves comes "
            "first:\n"
            "values have errors of that standard deviation, but those returned have none.\n"
            "`history` are earlier positions of the game, oldest first; `on_depth` is called with\n"
            "what has been found after every depth, when only this thread's nodes are counted.\n"
            "A `stop` flag ends the search, also one that was set before; stop() does so without.")
        .def(
            "evaluate",
            [](Handle<P>& self, const P& position) { return self.engine->evaluate(position); },
            "position"_a, "Judge a position without search, in units().")
        .def_prop_ro(
            "units", [](const Handle<P>& self) { return self.engine->units(); },
            "How many of the engine's units make one man.")
        .def(
            "stop", [](Handle<P>& self) { self.engine->stop(); },
            "End a search that goes on in another thread.")
        .def(
            "clear", [](Handle<P>& self) { self.engine->clear(); },
            "Forget what earlier searches found.")
        .def(
            "take_weights",
            [](Handle<P>& self, const Weights& weights) {
                self.engine->take_weights({weights.data(), weights.size()});
            },
            "weights"_a,
            nb::sig("def take_weights(self, weights: numpy.typing.NDArray[numpy.float64]) -> None"),
            "Judge by other weights from now on: w1 by rows, w2, w3 of a network. What was found\n"
            "with the old ones is forgotten.")
        .def(
            "serve",
            [](Handle<P>& self) {
                if (self.evaluator.is_valid())
                    throw std::invalid_argument("a Python evaluator is searched by one process");
                nb::gil_scoped_release release;
                return self.engine->serve();
            },
            "Work on what comes over the border until stop(); return the nodes searched.")
        .def_prop_ro(
            "border", [](Handle<P>& self) -> Border<P>& { return self.engine->border(); },
            nb::rv_policy::reference_internal,
            "Where the engine shares its searches with other processes.");
    return engine;
}

inline nb::bytes bytes_from(const std::string& text) {
    return nb::bytes(text.data(), text.size());
}
inline std::string_view view(const nb::bytes& bytes) {
    return {bytes.c_str(), bytes.size()};
}

template <GamePosition P>
void bind_border(nb::module_& m) {
    nb::class_<Border<P>>(m, "Border", "One process's side of a search that several share.")
        .def(
            "lend",
            [](Border<P>& border, int min_depth,
               std::optional<int> guest) -> std::optional<std::pair<int, nb::bytes>> {
                const auto lent = border.lend(min_depth, guest);
                if (!lent) return std::nullopt;
                return std::pair(lent->first, bytes_from(wire::pack(lent->second)));
            },
            "min_depth"_a, "guest"_a = nb::none(),
            "Give a young brother away: its number and the parcel; None if there is none.")
        .def(
            "settle",
            [](Border<P>& border, int lent, std::optional<nb::bytes> outcome) {
                if (!outcome) return border.settle(lent, std::nullopt);
                const auto found = wire::unpack_outcome<P>(view(*outcome));
                if (!found.is_valid())
                    throw std::invalid_argument(
                        "the outcome is damaged: its value or its line is out of range");
                border.settle(lent, found);
            },
            "lent"_a, "outcome"_a.none(), "Take a lent brother back.")
        .def(
            "receive",
            [](Border<P>& border, int ticket, const nb::bytes& parcel, std::optional<int> lent) {
                const auto guest = wire::unpack_parcel<P>(view(parcel));
                if (!guest.is_valid())
                    throw std::invalid_argument(
                        "the parcel is damaged: its ply, depth, window or path is out of range");
                border.receive(ticket, guest, lent);
            },
            "ticket"_a, "parcel"_a, "lent"_a = nb::none(), "Take a guest in.")
        .def("narrow", &Border<P>::narrow, "ticket"_a, "alpha"_a, "beta"_a)
        .def("abort", &Border<P>::abort, "ticket"_a)
        .def(
            "news",
            [](Border<P>& border) {
                const auto news = border.news();
                nb::list windows, departures;
                for (const auto& window : news.windows)
                    windows.append(
                        nb::make_tuple(window.lent, window.alpha, window.beta, window.is_dead));
                for (const auto& departure : news.departures) {
                    nb::object outcome = nb::none();
                    if (departure.outcome) outcome = bytes_from(wire::pack(*departure.outcome));
                    departures.append(nb::make_tuple(departure.ticket, outcome));
                }
                return nb::make_tuple(windows, departures, news.idle, news.awaited);
            },
            nb::sig("def news(self) -> tuple[list[tuple[int, int, int, bool]], "
                    "list[tuple[int, bytes | None]], int, list[int]]"),
            "What has happened since the last call: windows of lent brothers' parents (number,\n"
            "alpha, beta, useless), guests that are done, idle workers, lent brothers waited for.")
        .def(
            "set_carrier",
            [](Border<P>& border, std::optional<nb::callable> carrier) {
                if (!carrier) return border.set_carrier({});
                border.set_carrier([carrier = *carrier] {
                    const nb::gil_scoped_acquire acquire;
                    carrier();
                });
            },
            "carrier"_a.none(),
            nb::sig("def set_carrier(self, carrier: collections.abc.Callable[[], None] | None) -> "
                    "None"),
            "Have a function called by the searching thread that carries the messages; it must "
            "not\n"
            "raise. None ends that.");
}

}  // namespace crossboard::bindings
