// Python's view of how small nets learn: games that label positions, and fits to the labels.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>

#include "bindings/games.h"
#include "bindings/module.h"
#include "bindings/settings.h"
#include "engine/draughts_endgames.h"
#include "engine/draughts_engines.h"
#include "engine/label_games.h"
#include "eval/small_net.h"
#include "eval/small_net_fit.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace crossboard;
using draughts::Position;

namespace {

template <class T>
using Row = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Boards = nb::ndarray<const std::uint32_t, nb::shape<-1, small_net::KINDS>, nb::c_contig,
                           nb::device::cpu>;

template <class T, int Dimensions>
using NewArray = nb::ndarray<nb::numpy, T, nb::ndim<Dimensions>>;

template <class T, int Dimensions = 1>
std::pair<T*, NewArray<T, Dimensions>> new_array(std::initializer_list<std::size_t> shape) {
    std::size_t size = 1;
    for (const std::size_t extent : shape) size *= extent;
    auto* data = new T[size]();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return {data, NewArray<T, Dimensions>(data, shape, owner)};
}

NewArray<float, 1> copy_of(std::span<const float> numbers) {
    auto [data, array] = new_array<float>({numbers.size()});
    std::copy(numbers.begin(), numbers.end(), data);
    return array;
}

template <class T>
std::span<const T> span_of(const Row<T>& row) {
    return {row.data(), row.size()};
}

std::span<const FitBoard> span_of(const Boards& boards) {
    static_assert(sizeof(FitBoard) == small_net::KINDS * sizeof(std::uint32_t));
    return {reinterpret_cast<const FitBoard*>(boards.data()), boards.shape(0)};
}

void bind_labelled_games(nb::module_& m) {
    nb::class_<LabelledGames>(m, "LabelledGames", "Positions labelled by the searches of games.")
        .def_prop_ro(
            "boards",
            [](const LabelledGames& games) {
                auto [data, array] =
                    new_array<std::uint32_t, 2>({games.labels.size(), small_net::KINDS});
                for (const Label& label : games.labels) {
                    const FitBoard board = board_of(label.position);
                    data = std::copy(board.begin(), board.end(), data);
                }
                return array;
            },
            nb::rv_policy::move,
            "A row for each: own men, the other side's men, own kings, the other side's kings, a\n"
            "bit for each square, turned for White.")
        .def_prop_ro(
            "values",
            [](const LabelledGames& games) {
                auto [data, array] = new_array<std::int16_t>({games.labels.size()});
                for (const Label& label : games.labels)
                    *data++ = static_cast<std::int16_t>(
                        std::clamp<Value>(label.value, -SURE_VALUE, SURE_VALUE));
                return array;
            },
            nb::rv_policy::move,
            "What searches say, in hundredths of a man for the side to move; SURE_VALUE if won.")
        .def_prop_ro(
            "results",
            [](const LabelledGames& games) {
                auto [data, array] = new_array<std::int8_t>({games.labels.size()});
                for (const Label& label : games.labels)
                    *data++ = static_cast<std::int8_t>(label.result);
                return array;
            },
            nb::rv_policy::move,
            "1: the side to move won the game, 0: a draw, -1: it lost; UNKNOWN_RESULT of what was\n"
            "drawn from a search.")
        .def_ro("nodes", &LabelledGames::nodes)
        .def_ro("searches", &LabelledGames::searches)
        .def_ro("plies", &LabelledGames::plies)
        .def_prop_ro(
            "wins",
            [](const LabelledGames& games) { return std::pair(games.wins[0], games.wins[1]); },
            "Of the side that moved first, and of the other.")
        .def_ro("draws", &LabelledGames::draws);
}

void bind_label_games(nb::module_& m) {
    constexpr LabelSettings USUAL;
    m.attr("SURE_VALUE") = SURE_VALUE;
    m.attr("UNKNOWN_RESULT") = Label::UNKNOWN;
    m.def(
        "label_games",
        [](const SmallNet& net, const bindings::SearchSettings& search,
           const std::vector<Position>& openings, const std::vector<Position>& reserved,
           const std::vector<std::uint64_t>& seeds, std::uint64_t nodes, int samples,
           int plies_after_opening, int least_random_plies, int most_random_plies,
           int worst_opening, int random_every, int random_plies, int clear_value, int clear_plies,
           int quiet_plies, std::shared_ptr<tables::EndgameTables> tables,
           const bindings::StopFlag* stop) {
            const LabelSettings settings{nodes,
                                         samples,
                                         plies_after_opening,
                                         least_random_plies,
                                         most_random_plies,
                                         worst_opening,
                                         random_every,
                                         random_plies,
                                         clear_value,
                                         clear_plies,
                                         quiet_plies};
            std::shared_ptr<const Endgames<Position>> endgames;
            if (tables) endgames = std::make_shared<DraughtsEndgames>(std::move(tables));
            LabelledGames games;
            {
                nb::gil_scoped_release release;
                bindings::Interruption interruption(stop);
                games = play_label_games(net, search.for_game(draughts::HABITS), settings, openings,
                                         reserved, endgames, seeds,
                                         [&interruption] { return interruption(); });
            }
            if (PyErr_Occurred()) throw nb::python_error();
            return games;
        },
        "net"_a, nb::kw_only(), "search"_a, "openings"_a, "reserved"_a, "seeds"_a,
        "nodes"_a = USUAL.nodes, "samples"_a = USUAL.samples,
        "plies_after_opening"_a = USUAL.plies_after_opening,
        "least_random_plies"_a = USUAL.least_random_plies,
        "most_random_plies"_a = USUAL.most_random_plies, "worst_opening"_a = USUAL.worst_opening,
        "random_every"_a = USUAL.random_every, "random_plies"_a = USUAL.random_plies,
        "clear_value"_a = USUAL.clear_value, "clear_plies"_a = USUAL.clear_plies,
        "quiet_plies"_a = USUAL.quiet_plies, "tables"_a = nb::none(), "stop"_a = nb::none(),
        "Play a game for each seed on the calling thread without the GIL, and label its quiet\n"
        "positions and some that its searches saw. No opening leads through a reserved position.\n"
        "Endgame tables end the games whose result they know, and searches probe them. A set flag\n"
        "ends all that: only games that were finished count.");
}

void bind_fit(nb::module_& m) {
    constexpr FitSettings USUAL;
    using Floats = Row<float>;
    nb::class_<SmallNetFit>(m, "SmallNetFit", "Fits one phase of a small net to labels, by Adam.")
        .def(
            "__init__",
            [](SmallNetFit* self, int hidden, int second, const Floats& weights,
               const Floats& means, const Floats& spreads, std::int64_t batches, int batch,
               double rate, std::int64_t warm_up, std::int64_t last, double steepness) {
                FitSettings settings;
                settings.batch = batch;
                settings.rate = rate;
                settings.warm_up = warm_up;
                settings.last = last;
                settings.steepness = steepness;
                new (self) SmallNetFit({hidden, second}, settings, span_of(weights), span_of(means),
                                       span_of(spreads), batches);
            },
            nb::kw_only(), "hidden"_a, "second"_a, "weights"_a, "means"_a, "spreads"_a,
            "batches"_a = 0, "batch"_a = USUAL.batch, "rate"_a = USUAL.rate,
            "warm_up"_a = USUAL.warm_up, "last"_a = USUAL.last, "steepness"_a = USUAL.steepness)
        .def(
            "learn",
            [](SmallNetFit& self, const Boards& boards, const Floats& targets, std::uint64_t seed) {
                nb::gil_scoped_release release;
                return self.learn(span_of(boards), span_of(targets), seed);
            },
            "boards"_a, "targets"_a, "seed"_a,
            "Learn all boards once, in an order drawn from the seed; return the mean "
            "cross-entropy.")
        .def(
            "judge",
            [](const SmallNetFit& self, const Boards& boards) {
                auto [data, array] = new_array<float>({boards.shape(0)});
                self.judge(span_of(boards), {data, boards.shape(0)});
                return array;
            },
            "boards"_a, "Return what the net says of each board, in men.")
        .def_prop_ro(
            "weights", [](const SmallNetFit& self) { return copy_of(self.weights()); },
            nb::rv_policy::move)
        .def_prop_ro(
            "means", [](const SmallNetFit& self) { return copy_of(self.means()); },
            nb::rv_policy::move, "Of the gradients.")
        .def_prop_ro(
            "spreads", [](const SmallNetFit& self) { return copy_of(self.spreads()); },
            nb::rv_policy::move, "Means of the squares of the gradients.")
        .def_prop_ro("batches", &SmallNetFit::batches, "How many have been learnt.");
}

}  // namespace

void bind_small_net_learning(nb::module_& m) {
    bind_labelled_games(m);
    bind_label_games(m);
    bind_fit(m);
}
