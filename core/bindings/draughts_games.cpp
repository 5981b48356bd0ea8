// Python's view of games of draughts that the core plays.
#include <nanobind/ndarray.h>

#include "bindings/games.h"
#include "bindings/module.h"
#include "engine/map_selector.h"
#include "rules/draughts/notation.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace crossboard;
using draughts::MapSelector;
using draughts::Position;
using draughts::features::BoardAttributes;

namespace crossboard::draughts {

static std::string text_of(const Position& position) {
    return format_fen(position);
}

}  // namespace crossboard::draughts

namespace {

using Prototypes = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void bind_map_selector(nb::module_& m) {
    nb::class_<MapSelector, Selector<Position>>(m, "MapSelector",
                                                "Selects a specialist by a map of boards.")
        .def(
            "__init__",
            [](MapSelector* self, std::shared_ptr<Selector<Position>> base,
               const BoardAttributes& attributes, const Prototypes& prototypes, int most_pieces,
               bool keeps) {
                if (prototypes.shape(1) != attributes.size())
                    throw std::invalid_argument(
                        "a prototype has " + std::to_string(attributes.size()) +
                        " attributes, not " + std::to_string(prototypes.shape(1)));
                const double* const data = prototypes.data();
                new (self) MapSelector(std::move(base), attributes,
                                       {data, data + prototypes.size()}, {most_pieces, keeps});
            },
            "base"_a, "attributes"_a, "prototypes"_a, nb::kw_only(), "most_pieces"_a, "keeps"_a,
            "Leave the choice to `base` down to `most_pieces`; then the nearest of the "
            "prototypes,\n"
            "a row for each specialist, decides: for the rest of the game, or at every turn anew.\n"
            "The places of the specialists are behind those of `base`. Raises ValueError for\n"
            "prototypes that do not fit the attributes or are not finite.")
        .def("nearest", &MapSelector::nearest, "position"_a,
             "Return the number of the prototype nearest to a position's attributes.");
}

}  // namespace

void bind_draughts_games(nb::module_& m) {
    bindings::bind_games<Position>(m, DrawRules{});
    bind_map_selector(m);
}
