// Python's view of features and evaluations.
#include "bindings/evaluators.h"

#include <nanobind/operators.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.h"
#include "bindings/module.h"
#include "engine/draughts_engines.h"
#include "eval/features/attributes.h"
#include "eval/features/registry.h"
#include "eval/linear.h"
#include "eval/material.h"
#include "eval/network.h"
#include "eval/small_net.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace crossboard;
using draughts::Position;
using draughts::features::Board;
using draughts::features::BoardAttributes;
using draughts::features::Feature;

namespace {

void bind_features(nb::module_& m) {
    nb::class_<Feature>(m, "Feature", "One number that a board has, seen from who has just moved.")
        .def_ro("name", &Feature::name)
        .def_prop_ro("family", &Feature::family)
        .def_ro("meaning", &Feature::meaning)
        .def_ro("least", &Feature::least)
        .def_ro("most", &Feature::most)
        .def_ro("bits", &Feature::bits, "Inputs of a network it gets if nobody says otherwise.")
        .def(
            "__call__",
            [](const Feature& feature, const Position& position) {
                return feature.value(Board(position));
            },
            "position"_a, "Count it for the side that has just moved.")
        .def("is_same_as", &Feature::is_same_as, "other"_a,
             "Whether both names stand for the same numbers, but for the bits these are cut to.")
        .def("__repr__",
             [](const Feature& feature) { return "<Feature " + std::string(feature.name) + ">"; });
    m.def(
        "features",
        [] {
            nb::list all;
            for (const Feature& feature : draughts::features::all())
                all.append(nb::cast(&feature, nb::rv_policy::reference));
            return nb::tuple(all);
        },
        nb::sig("def features() -> tuple[Feature, ...]"), "List every feature of draughts.");
    m.def("feature", &draughts::features::by_name, "name"_a, nb::rv_policy::reference,
          "Find a feature by its name, family.tag; raise ValueError if there is none.");
}

using AttributesState = std::tuple<std::vector<std::string>, std::string, bool>;

AttributesState state_of(const BoardAttributes& attributes) {
    return {attributes.names(), std::string(name_of(attributes.coding())),
            attributes.with_material()};
}

BoardAttributes attributes_from(const AttributesState& state) {
    const auto& [names, coding, with_material] = state;
    return BoardAttributes(names, draughts::features::coding_named(coding), with_material);
}

void bind_attributes(nb::module_& m) {
    nb::class_<BoardAttributes>(m, "BoardAttributes",
                                "A board as a vector, by which a map groups boards.")
        .def(
            "__init__",
            [](BoardAttributes* self, const std::vector<std::string>& features,
               const std::string& coding, bool with_material) {
                new (self) BoardAttributes(attributes_from({features, coding, with_material}));
            },
            "features"_a, nb::kw_only(), "coding"_a = "presence", "with_material"_a = false,
            "Name the features. Coded by 'presence' an attribute is 1 where a feature is above 0, "
            "or\n"
            "where a debit is not made; by 'counts' it is the feature over its largest value. The\n"
            "material balance may be one more attribute, 1 for a full side of men.\n"
            "Raises ValueError for no, unknown or repeated features.")
        .def_prop_ro("size", &BoardAttributes::size, "How many attributes.")
        .def_prop_ro("features", &BoardAttributes::names)
        .def_prop_ro("coding",
                     [](const BoardAttributes& self) { return std::get<1>(state_of(self)); })
        .def_prop_ro("with_material", &BoardAttributes::with_material)
        .def(
            "of",
            [](const BoardAttributes& self, const std::vector<Position>& positions) {
                auto [data, array] = make_array<2>({positions.size(), self.size()});
                for (const Position& position : positions) {
                    self.write(position, {data, self.size()});
                    data += self.size();
                }
                return array;
            },
            "positions"_a, "Return a row for each position, seen by its side to move.")
        .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const BoardAttributes& self) { return self.size(); })
        .def("__repr__",
             [](const BoardAttributes& self) {
                 return "<BoardAttributes: " + std::to_string(self.size()) + ", " +
                        std::get<1>(state_of(self)) + ">";
             })
        .def("__getstate__", &state_of)
        .def("__setstate__", [](BoardAttributes& self, const AttributesState& state) {
            new (&self) BoardAttributes(attributes_from(state));
        });
}

// What every evaluator of the core offers to Python.
template <class E>
nb::class_<E> bind_evaluator(nb::module_& m, const char* name, const char* doc) {
    return nb::class_<E>(m, name, doc)
        .def(
            "evaluate", [](E& self, const Position& position) { return self.evaluate(position); },
            "position"_a, "Judge a position for the side to move, in units.")
        .def_prop_ro("units", &E::units)
        .def(
            "__call__",
            [](E& self, const Position& position) {
                return static_cast<double>(self.evaluate(position)) / self.units();
            },
            "position"_a, "Judge a position for the side to move, units divided out.")
        .def(
            "evaluate_often",
            [](E& self, const std::vector<Position>& positions, std::int64_t times) {
                nb::gil_scoped_release release;
                std::int64_t sum = 0;
                for (std::int64_t round = 0; round < times; ++round)
                    for (const Position& position : positions) sum += self.evaluate(position);
                return sum;
            },
            "positions"_a, "times"_a,
            "Judge all positions so many times over and sum the values: for measuring.");
}

void bind_linear(nb::module_& m) {
    bind_evaluator<Linear>(m, "Linear", "A weighted sum of features.")
        .def(
            "__init__",
            [](Linear* self, const std::vector<std::string>& features,
               const std::vector<double>& weights,
               double man) { new (self) Linear(features, weights, man); },
            "features"_a, "weights"_a, nb::kw_only(), "man"_a,
            "Weigh features by their names; `man` is the weight that makes one man.");
}

void bind_network(nb::module_& m) {
    bind_evaluator<Network>(m, "Network", "A net behind a mapping; a sure win is 1.")
        .def(nb::init<const Mapping&, const EvalNet&>(), "mapping"_a, "net"_a)
        .def("output", &Network::output, "position"_a,
             "What the net says for the side that has just moved, unrounded.")
        .def_prop_ro("weight_count", &Network::weight_count)
        .def(
            "sum_gradients",
            [](const Network& self, const std::vector<Position>& positions,
               const std::vector<double>& amounts) {
                if (positions.size() != amounts.size())
                    throw std::invalid_argument("every position needs an amount of its own");
                auto [data, array] = make_vector(self.weight_count());
                for (std::size_t i = 0; i < positions.size(); ++i)
                    self.add_gradient(positions[i], amounts[i], {data, self.weight_count()});
                return array;
            },
            "positions"_a, "amounts"_a,
            "Sum amounts times the derivatives, by each weight, of what arrives at the output,\n"
            "for the side to move: w1 by rows, w2, w3.");
}

using SmallNetPhases = std::vector<std::pair<bool, int>>;

small_net::NetPhases phases_from(const SmallNetPhases& pairs) {
    std::vector<small_net::NetPhase> phases;
    for (const auto& [kings, least_pieces] : pairs) phases.push_back({kings, least_pieces});
    return small_net::NetPhases(phases);
}

// The shapes of one phase's arrays.
nb::object small_net_shapes(int hidden, int second) {
    nb::dict shapes;
    for (const small_net::GroupShape& shape : small_net::groups_of({hidden, second})) {
        const auto [rows, columns] = shape.extents;
        const bool is_row =
            shape.group != small_net::Group::first && shape.group != small_net::Group::second;
        shapes[nb::str(shape.name.data(), shape.name.size())] =
            is_row ? nb::make_tuple(columns) : nb::make_tuple(rows, columns);
    }
    return shapes;
}

void bind_small_net(nb::module_& m) {
    using Integers = nb::ndarray<const std::int16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    using Floats = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    bind_evaluator<SmallNet>(m, "SmallNet", "A net of whole numbers for each phase of the game.")
        .def(
            "__init__",
            [](SmallNet* self, const Integers& weights, int hidden, int second,
               const SmallNetPhases& phases, const std::string& way) {
                new (self) SmallNet({hidden, second}, phases_from(phases),
                                    {weights.data(), weights.size()}, way);
            },
            "weights"_a.noconvert(), nb::kw_only(), "hidden"_a, "second"_a, "phases"_a,
            "way"_a = "",
            nb::sig("def __init__(self, weights: numpy.typing.NDArray[numpy.int16], *, hidden: "
                    "int, second: int, phases: collections.abc.Sequence[tuple[bool, int]], way: "
                    "str = '') -> None"),
            "All weights in a row, phase by phase, in the order of small_net_shapes(). A phase\n"
            "is whether it has kings and its least pieces. `way` is one of small_net_ways().")
        .def_prop_ro("way", &SmallNet::way, "The way through the layers: one of small_net_ways().");
    m.def(
        "small_net_ways",
        [] {
            std::vector<std::string> names;
            for (const small_net::Way& way : small_net::ways()) names.emplace_back(way.name);
            return names;
        },
        "The ways through a net that this processor has, the fastest first. Values are the same.");
    m.def("small_net_shapes", &small_net_shapes, "hidden"_a, "second"_a,
          nb::sig("def small_net_shapes(hidden: int, second: int) -> dict[str, tuple[int, ...]]"),
          "The arrays of one phase in their order, with their shapes.");
    m.def(
        "small_net_integers",
        [](const Floats& weights, int hidden, int second) {
            const auto integers =
                small_net::to_integers({hidden, second}, {weights.data(), weights.size()});
            return numbers_of(integers);
        },
        "weights"_a.noconvert(), nb::kw_only(), "hidden"_a, "second"_a, nb::rv_policy::move,
        nb::sig("def small_net_integers(weights: numpy.typing.NDArray[numpy.float32], *, hidden: "
                "int, second: int) -> numpy.typing.NDArray[numpy.int16]"),
        "Round the weights of some phases, in a row, to the whole numbers that players keep.");
    m.def(
        "small_net_floats",
        [](const Integers& weights, int hidden, int second) {
            const auto floats =
                small_net::to_floats({hidden, second}, {weights.data(), weights.size()});
            return numbers_of(floats);
        },
        "weights"_a.noconvert(), nb::kw_only(), "hidden"_a, "second"_a, nb::rv_policy::move,
        nb::sig("def small_net_floats(weights: numpy.typing.NDArray[numpy.int16], *, hidden: int, "
                "second: int) -> numpy.typing.NDArray[numpy.float32]"),
        "Return the weights for which whole numbers stand.");
}

// Calls `use` with the evaluator of the core that an object stands for; false if there is none.
template <class Use>
bool use_core(nb::handle evaluator, Use use) {
    if (evaluator.is_none()) return use(Material()), true;
    const nb::object core = nb::getattr(evaluator, "core", nb::borrow(evaluator));
    if (nb::isinstance<Material>(core)) return use(Material()), true;
    if (nb::isinstance<Linear>(core)) return use(nb::cast<const Linear&>(core)), true;
    if (nb::isinstance<Network>(core)) return use(nb::cast<const Network&>(core)), true;
    if (nb::isinstance<SmallNet>(core)) return use(nb::cast<const SmallNet&>(core)), true;
    return false;
}

}  // namespace

void bind_draughts_evaluators(nb::module_& m) {
    bind_features(m);
    bind_attributes(m);
    bind_evaluator<Material>(m, "Material", "Counts pieces: a king is one and a half men.")
        .def(nb::init<>());
    bind_linear(m);
    bind_network(m);
    bind_small_net(m);
}

template <>
bool is_of_core<Position>(nb::handle evaluator) {
    return use_core(evaluator, [](const auto&) {});
}

template <>
std::unique_ptr<Engine<Position>> engine_of_core<Position>(nb::handle evaluator,
                                                           const EngineSettings& settings) {
    std::unique_ptr<Engine<Position>> engine;
    use_core(evaluator, [&](const auto& core) { engine = make_engine(core, settings); });
    return engine;
}
