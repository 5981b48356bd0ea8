// Python's view of networks and of what they see of a board.
#include <nanobind/ndarray.h>
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <span>

#include "bindings/arrays.h"
#include "bindings/module.h"
#include "eval/mapping.h"
#include "eval/network.h"
#include "eval/td.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace crossboard;
using draughts::Position;

namespace {

using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class Array>
std::vector<double> copied(const Array& array) {
    return {array.data(), array.data() + array.size()};
}

constexpr const char* KINDS[] = {"binary",   "direct", "features", "counts",
                                 "material", "pieces", "patterns", "joined"};

std::string kind_of(const Mapping& mapping) {
    return KINDS[static_cast<int>(mapping.kind())];
}

using MappingState = std::tuple<std::string, std::vector<std::pair<std::string, int>>, double, bool,
                                std::vector<std::vector<int>>, int, std::vector<Mapping>>;

MappingState state_of(const Mapping& mapping) {
    return {kind_of(mapping),       mapping.feature_list(), mapping.off(),  mapping.quirks(),
            mapping.pattern_list(), mapping.states(),       mapping.parts()};
}

Mapping mapping_from(const MappingState& state) {
    const auto& [kind, features, off, quirks, patterns, states, parts] = state;
    if (kind == "binary") return Mapping::binary(off);
    if (kind == "direct") return Mapping::direct(quirks);
    if (kind == "counts") return Mapping::counts();
    if (kind == "material") return Mapping::material();
    if (kind == "pieces") return Mapping::pieces();
    if (kind == "patterns") return Mapping::patterns(patterns, states);
    if (kind == "joined") return Mapping::joined(parts);
    return Mapping::features(features, off, quirks);
}

}  // namespace

void bind_draughts_mapping(nb::module_& m) {
    m.attr("MAX_FEATURE_BITS") = Mapping::MAX_BITS;
    nb::class_<Mapping>(m, "Mapping", "How a board becomes the inputs of a network.")
        .def_static("binary", &Mapping::binary, nb::kw_only(), "off"_a = Mapping::OFF,
                    "Three inputs a square, 96 in all.")
        .def_static("direct", &Mapping::direct, nb::kw_only(), "quirks"_a = false,
                    "One input a square, 32 in all.")
        .def_static("of_features", &Mapping::features, "features"_a, nb::kw_only(),
                    "off"_a = Mapping::OFF, "quirks"_a = false,
                    "Features with their bits, least significant first.")
        .def_static("counts", &Mapping::counts,
                    "Two inputs: how many men and kings own has more than other.")
        .def_static("material", &Mapping::material, "An input for each balance of men and kings.")
        .def_static("pieces", &Mapping::pieces,
                    "Four inputs a square, 128 in all, of which one is on where a piece stands.")
        .def_static("patterns", &Mapping::patterns, "squares"_a, nb::kw_only(), "states"_a = 3,
                    "An input for everything that can stand on some squares together; with 3\n"
                    "states a square shows men only, with 5 kings too.")
        .def_static("joined", &Mapping::joined, "parts"_a,
                    "The inputs of several mappings, one after the other.")
        .def_prop_ro("kind", &kind_of,
                     "'binary', 'direct', 'features', 'counts', 'material', 'pieces', 'patterns'\n"
                     "or 'joined'.")
        .def_prop_ro("size", &Mapping::size, "How many inputs.")
        .def_prop_ro("features", &Mapping::feature_list, "Names and bits, if it is of features.")
        .def_prop_ro("squares", &Mapping::pattern_list,
                     "The squares of each pattern, if it is of patterns.")
        .def_prop_ro("states", &Mapping::states, "Of a pattern's square: 3 or 5.")
        .def_prop_ro("parts", &Mapping::parts, "What it is joined from, if it is.")
        .def_prop_ro("off", &Mapping::off, "The level of an input that is off; on is 1.")
        .def_prop_ro("quirks", &Mapping::quirks, "Whether boards are coded as in 1997.")
        .def(
            "inputs",
            [](const Mapping& mapping, const Position& position) {
                auto [data, array] = make_array<1>({static_cast<std::size_t>(mapping.size())});
                mapping.write_inputs(position, data);
                return array;
            },
            "position"_a, "The inputs for a board, seen from the side that has just moved.")
        .def(
            "batch",
            [](const Mapping& mapping, const std::vector<Position>& positions) {
                auto [data, array] =
                    make_array<2>({positions.size(), static_cast<std::size_t>(mapping.size())});
                for (const Position& position : positions) {
                    mapping.write_inputs(position, data);
                    data += mapping.size();
                }
                return array;
            },
            "positions"_a, "The inputs for many boards, a row for each.")
        .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const Mapping& mapping) { return mapping.size(); })
        .def("__repr__",
             [](const Mapping& mapping) {
                 return "<Mapping: " + std::to_string(mapping.size()) + " inputs, " +
                        kind_of(mapping) + ">";
             })
        .def("__getstate__", &state_of)
        .def("__setstate__", [](Mapping& self, const MappingState& state) {
            new (&self) Mapping(mapping_from(state));
        });
}

void bind_eval_net(nb::module_& m) {
    m.attr("MAX_WEIGHT") = EvalNet::MAX_WEIGHT;
    nb::class_<EvalNet>(m, "EvalNet", "One hidden layer, tanh, direct links if w3 is given.")
        .def(
            "__init__",
            [](EvalNet* self, const Matrix& w1, const Vector& w2, const std::optional<Vector>& w3) {
                new (self)
                    EvalNet(static_cast<int>(w1.shape(0)) - 1, static_cast<int>(w1.shape(1)),
                            copied(w1), copied(w2), w3 ? copied(*w3) : std::vector<double>());
            },
            "w1"_a, "w2"_a, "w3"_a = nb::none())
        .def(
            "forward",
            [](const EvalNet& net, const Matrix& x) {
                auto [data, array] = make_array<1>({x.shape(0)});
                for (std::size_t i = 0; i < x.shape(0); ++i)
                    data[i] = net.forward({x.data() + i * x.shape(1), x.shape(1)});
                return array;
            },
            "x"_a, "The output for each row of inputs.");
}

void bind_td_learner(nb::module_& m) {
    nb::class_<TdLearner>(m, "TdLearner", "TD(lambda) of one net, or of several that take turns.")
        .def(
            "__init__",
            [](TdLearner* self, const std::vector<EvalNet>& nets, double rate1, double rate2,
               double momentum, double gamma, double fading, bool direction_check, bool quirk) {
                new (self) TdLearner(
                    nets, {rate1, rate2, momentum, gamma, fading, direction_check, quirk});
            },
            "nets"_a, nb::kw_only(), "rate1"_a, "rate2"_a, "momentum"_a, "gamma"_a, "fading"_a,
            "direction_check"_a, "quirk"_a)
        .def(
            "start",
            [](TdLearner& self, const Vector& x, int net) {
                self.start({x.data(), x.size()}, net);
            },
            "x"_a, "net"_a = 0, "Begin a sequence with what a net, by its number, says of x.")
        .def(
            "step",
            [](TdLearner& self, const Vector& x, int net, double reward) {
                return self.step({x.data(), x.size()}, net, reward);
            },
            "x"_a, "net"_a = 0, "reward"_a = 0.0,
            "Move the last prediction toward that for x; return the error.")
        .def("finish", &TdLearner::finish, "reward"_a,
             "Move the last prediction toward the reward; return the error.")
        .def_prop_ro(
            "weights", [](const TdLearner& self) { return fresh_copy(self.weights()); },
            nb::rv_policy::reference,
            "As they are now: w1 by rows, w2, w3, of one net after the other.")
        .def_prop_ro(
            "trace", [](const TdLearner& self) { return fresh_copy(self.trace()); },
            nb::rv_policy::reference, "What credit earlier predictions still have.")
        .def_prop_ro(
            "change", [](const TdLearner& self) { return fresh_copy(self.change()); },
            nb::rv_policy::reference, "The last changes, of which momentum comes.")
        .def_prop_ro("prediction", &TdLearner::prediction, "The last; None between sequences.")
        .def(
            "resume",
            [](TdLearner& self, const Vector& trace, const Vector& change,
               std::optional<double> prediction) {
                self.resume({trace.data(), trace.size()}, {change.data(), change.size()},
                            prediction);
            },
            "trace"_a, "change"_a, "prediction"_a.none(), "Go on from such a state.");
}
