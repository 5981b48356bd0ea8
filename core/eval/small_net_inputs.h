// What a small net sees of a position: 128 squares and kinds of piece, and the phase of the game.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/draughts/position.h"

namespace crossboard::small_net {

// Own men, the other side's men, own kings, the other side's kings, seen by the side to move.
constexpr int KINDS = 4;
constexpr int INPUTS = KINDS * draughts::SQUARES;
constexpr int MOST_PIECES = 2 * draughts::MAX_PIECES;

constexpr int input_of(int kind, int square) {
    assert(0 <= kind && kind < KINDS && 1 <= square && square <= draughts::SQUARES);
    return kind * draughts::SQUARES + square - 1;
}

// Calls visit(input) for each input that is 1: one for each piece, at most MOST_PIECES. White sees
// the board turned, so that square s is 33 - s: a position and its mirror image have equal inputs.
template <class Visit>
void for_each_input(const draughts::Position& position, Visit visit) {
    const bool is_white = position.turn() == draughts::Colour::white;
    const Bits own = position.pieces(position.turn()), kings = position.kings();
    for (int index : Members(position.black() | position.white())) {
        const int kind = ((kings & bit(index)) ? 2 : 0) + ((own & bit(index)) ? 0 : 1);
        const int square = draughts::square_at(index);
        visit(input_of(kind, is_white ? draughts::SQUARES + 1 - square : square));
    }
}

// Each phase of the game has a net of its own. A phase without kings is for men only; one with
// kings takes any pieces.
struct NetPhase {
    bool kings = true;
    int least_pieces = 0;  // of both sides together
    bool operator==(const NetPhase&) const = default;
};

constexpr std::array<NetPhase, 4> USUAL_PHASES = {{{false, 16}, {false, 0}, {true, 8}, {true, 0}}};

// The phases in their order: a position belongs to the first that fits it.
class NetPhases {
  public:
    static constexpr std::size_t MOST = 16;

    // Throws std::invalid_argument for no phases, too many, one that no position reaches, and if
    // the last one does not fit every position.
    explicit NetPhases(std::span<const NetPhase> phases = USUAL_PHASES);

    const std::vector<NetPhase>& all() const { return phases_; }
    int count() const { return static_cast<int>(phases_.size()); }
    int of(const draughts::Position& position) const {
        return first_[position.kings() != 0][position.count_pieces()];
    }

  private:
    std::vector<NetPhase> phases_;
    std::array<std::array<std::uint8_t, MOST_PIECES + 1>, 2> first_{};  // by kings, by pieces
};

}  // namespace crossboard::small_net
