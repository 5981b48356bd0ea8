// Packs the weights of a small net, and judges positions by them.
#include "eval/small_net.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

namespace crossboard {

using namespace small_net;
using draughts::Position;

namespace {

constexpr int MAN_BITS = 20;
static_assert(1 << MAN_BITS == FULL * OUTPUT_SCALE);

int filled_up(int number, int step) {
    return (number + step - 1) / step * step;
}

void check_limits(const NetSize& size, std::span<const std::int16_t> weights) {
    std::size_t begin = 0;
    while (begin < weights.size())
        for (const GroupShape& shape : groups_of(size))
            for (std::size_t end = begin + shape.size(); begin < end; ++begin)
                if (std::abs(weights[begin]) > shape.limit())
                    throw std::invalid_argument("weights of " + std::string(shape.name) +
                                                " are within +-" + std::to_string(shape.limit()) +
                                                ", not " + std::to_string(weights[begin]));
}

Way way_named(std::string_view name) {
    if (name.empty()) return ways().front();
    std::string known;
    for (const Way& way : ways()) {
        if (way.name == name) return way;
        known += (known.empty() ? "" : ", ") + std::string(way.name);
    }
    throw std::invalid_argument("this processor's ways through a net are " + known + ", not " +
                                std::string(name));
}

// Where a piece's row stands, White's turned.
int row_of(int kind, int index, bool is_turned) {
    return kind * draughts::INDICES + (is_turned ? draughts::INDICES - 1 - index : index);
}

Pieces pieces_of(const Position& position, const std::int16_t* direct) {
    const bool is_white = position.turn() == draughts::Colour::white;
    const Bits own = position.pieces(position.turn()), kings = position.kings();
    Pieces pieces;
    pieces.count = 0;
    pieces.direct = 0;
    for (int index : Members(position.black() | position.white())) {
        const int kind = static_cast<int>(2 * (kings >> index & 1) + (~own >> index & 1));
        const int row = row_of(kind, index, is_white);
        pieces.rows[pieces.count++] = static_cast<std::uint16_t>(row);
        pieces.direct += direct[row];
    }
    return pieces;
}

}  // namespace

template <class Number>
Number* SmallNet::Packed::add(std::size_t count) {
    const std::size_t needed = (count * sizeof(Number) + sizeof(CacheLine) - 1) / sizeof(CacheLine);
    return reinterpret_cast<Number*>(blocks.emplace_back(needed).data());
}

void SmallNet::Packed::add_layers(const NetSize& size, const std::int16_t* weights) {
    const int hidden = filled_up(size.hidden, Layers::HIDDEN_STEP);
    const int second = filled_up(size.second, Layers::SECOND_STEP);
    std::array<const std::int16_t*, 7> given{};
    for (const GroupShape& shape : groups_of(size)) {
        given[static_cast<std::size_t>(shape.group)] = weights;
        weights += shape.size();
    }
    const auto of = [&](Group group) { return given[static_cast<std::size_t>(group)]; };
    auto* first = add<std::int16_t>(std::size_t(ROWS) * hidden);
    auto* first_bias = add<std::int16_t>(hidden);
    auto* pairs = add<std::int16_t>(std::size_t(hidden) * second);
    auto* second_bias = add<std::int32_t>(second);
    auto* output = add<std::int32_t>(second);
    auto* direct = add<std::int16_t>(ROWS);
    for (int kind = 0; kind < KINDS; ++kind)
        for (int square = 1; square <= draughts::SQUARES; ++square) {
            const int input = input_of(kind, square);
            const int row = row_of(kind, draughts::index_of(square), false);
            std::copy_n(of(Group::first) + input * size.hidden, size.hidden, first + row * hidden);
            direct[row] = of(Group::direct)[input];
        }
    std::copy_n(of(Group::first_bias), size.hidden, first_bias);
    for (int j = 0; j < size.hidden; ++j)
        for (int k = 0; k < size.second; ++k)
            pairs[j / 2 * 2 * second + 2 * k + j % 2] = of(Group::second)[j * size.second + k];
    for (int k = 0; k < size.second; ++k) {
        second_bias[k] = FULL * of(Group::second_bias)[k] + SECOND_SCALE / 2;
        output[k] = of(Group::output)[k];
    }
    layers.push_back({hidden, second, first, first_bias, pairs, second_bias, output, direct,
                      FULL * of(Group::output_bias)[0]});
}

SmallNet::SmallNet(const NetSize& size, const NetPhases& phases,
                   std::span<const std::int16_t> weights, std::string_view way)
    : way_(way_named(way)) {
    const std::size_t of_phase = weights_of_phase(size);
    if (weights.size() != of_phase * phases.count())
        throw std::invalid_argument(std::to_string(phases.count()) + " phases of a net with " +
                                    std::to_string(size.hidden) + " and " +
                                    std::to_string(size.second) + " units have " +
                                    std::to_string(of_phase * phases.count()) + " weights, not " +
                                    std::to_string(weights.size()));
    check_limits(size, weights);
    Packed packed{phases, {}, {}};
    for (int phase = 0; phase < phases.count(); ++phase)
        packed.add_layers(size, weights.data() + phase * of_phase);
    packed_ = std::make_shared<const Packed>(std::move(packed));
}

std::int32_t SmallNet::evaluate(const Position& position) const {
    const Layers& layers = packed_->layers[packed_->phases.of(position)];
    const std::int64_t sum = way_.forward(layers, pieces_of(position, layers.direct));
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>((sum * UNITS + (1 << (MAN_BITS - 1))) >> MAN_BITS, -MOST, MOST));
}

}  // namespace crossboard
