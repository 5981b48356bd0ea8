// Python's view of Duchess's evaluation.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <span>

#include "bindings/arrays.h"
#include "bindings/duchess_evaluators.h"
#include "bindings/evaluators.h"
#include "bindings/module.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace crossboard;
using namespace crossboard::duchess;

namespace {

using bindings::AnyOneLayer;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::variant<OneLayer<4>, OneLayer<6>> one_layer_of(const Layout& layout,
                                                    std::span<const double> weights) {
    if (layout.players() == 4) return OneLayer<4>(layout, weights);
    return OneLayer<6>(layout, weights);
}

nb::object shapes_of(const Design& design) {
    const Layout layout(design);
    nb::dict shapes;
    for (const Group& group : layout.groups()) {
        nb::list extents;
        for (int extent : group.shape) extents.append(extent);
        shapes[group.name.c_str()] = nb::tuple(extents);
    }
    return shapes;
}

Fresh<1> features_of(const AnyOneLayer& self, const Position& position) {
    const auto size = static_cast<std::size_t>(self.layout().size());
    auto array = make_vector(size);
    const std::span<double> sums(array.first, size);
    std::visit(
        [&](const auto& one) {
            one.require(position);
            one.add_gradient(position, 1, sums);
        },
        self.evaluator);
    return array.second;
}

}  // namespace

void bind_duchess_evaluators(nb::module_& m) {
    m.def(
        "weight_shapes",
        [](int players, bool attack, bool attack_modes, bool piece_square, bool king_reach) {
            return shapes_of({players, attack, attack_modes, piece_square, king_reach});
        },
        "players"_a = 4, nb::kw_only(), "attack"_a = false, "attack_modes"_a = false,
        "piece_square"_a = false, "king_reach"_a = false,
        nb::sig("def weight_shapes(players: int = 4, *, attack: bool = False, attack_modes: bool "
                "= False, piece_square: bool = False, king_reach: bool = False) -> dict[str, "
                "tuple[int, ...]]"),
        "The groups of weights in their order, with their shapes: sets first.");
    nb::class_<AnyOneLayer>(m, "OneLayer", "A weighted sum whose sigmoid is the chance to win.")
        .def(
            "__init__",
            [](AnyOneLayer* self, const Vector& weights, int players, bool attack,
               bool attack_modes, bool piece_square, bool king_reach, bool cumulative) {
                const Layout layout({players, attack, attack_modes, piece_square, king_reach});
                if (!cumulative && players != 4)
                    throw std::invalid_argument("only four players are evaluated from scratch");
                new (self)
                    AnyOneLayer{one_layer_of(layout, {weights.data(), weights.size()}), cumulative};
            },
            "weights"_a, nb::kw_only(), "players"_a = 4, "attack"_a = false,
            "attack_modes"_a = false, "piece_square"_a = false, "king_reach"_a = false,
            "cumulative"_a = true,
            "All weights in a row, in the order of weight_shapes(). A search does not begin anew\n"
            "at every position unless cumulative=False.")
        .def("evaluate", &AnyOneLayer::evaluate, "position"_a,
             "Judge a position for the team to move, in units.")
        .def_prop_ro("units", [](const AnyOneLayer&) { return OneLayer<4>::UNITS; })
        .def(
            "__call__",
            [](const AnyOneLayer& self, const Position& position) {
                return static_cast<double>(self.evaluate(position)) / OneLayer<4>::UNITS;
            },
            "position"_a, "Judge a position for the team to move: the weighted sum.")
        .def("features", &features_of, "position"_a, nb::rv_policy::move,
             "How often each weight counts in a position, in their order.");
}

template <>
bool is_of_core<Position>(nb::handle evaluator) {
    return nb::isinstance<AnyOneLayer>(nb::getattr(evaluator, "core", nb::borrow(evaluator)));
}

template <>
std::unique_ptr<Engine<Position>> engine_of_core<Position>(nb::handle evaluator,
                                                           const EngineSettings& settings) {
    if (!is_of_core<Position>(evaluator)) return nullptr;
    const nb::object core = nb::getattr(evaluator, "core", nb::borrow(evaluator));
    const auto& found = nb::cast<const AnyOneLayer&>(core);
    if (!found.cumulative)
        return make_engine(FromScratch<4>(std::get<OneLayer<4>>(found.evaluator)), settings);
    return std::visit([&](const auto& one) { return make_engine(one, settings); }, found.evaluator);
}
