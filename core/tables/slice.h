// Slices: all positions with the same men and kings of each side, and the numbers of positions.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/draughts/position.h"
#include "tables/combinations.h"

namespace crossboard::tables {

// Beyond that the numbers of positions and the memory for building have not been thought through.
constexpr int MOST_PIECES = 7;

// A board seen by the side to move, which moves up the squares like Black: for White it is turned.
struct Board {
    Set men = 0, kings = 0, other_men = 0, other_kings = 0;

    constexpr Set taken() const { return men | kings | other_men | other_kings; }
    constexpr bool operator==(const Board&) const = default;
    // The same board with the other side to move.
    constexpr Board passed() const {
        return {turned(other_men), turned(other_kings), turned(men), turned(kings)};
    }
};

// Squeezes the gaps out of one of the core's sets of squares, and puts them back.
constexpr Set squeezed(Bits set) {
    return static_cast<Set>((set & 0xff) | (set >> 1 & 0xff00) | (set >> 2 & 0xff0000) |
                            (set >> 3 & 0xff000000));
}
constexpr Bits widened(Set set) {
    const Bits bits = set;
    return (bits & 0xff) | (bits & 0xff00) << 1 | (bits & 0xff0000) << 2 | (bits & 0xff000000) << 3;
}

Board board_of(const draughts::Position& position);
draughts::Position position_of(const Board& board);  // with Black to move

struct Slice {
    std::uint8_t men = 0, kings = 0, other_men = 0, other_kings = 0;  // "other": not to move

    constexpr auto operator<=>(const Slice&) const = default;
    constexpr int pieces() const { return men + kings + other_men + other_kings; }
    constexpr int all_men() const { return men + other_men; }
    // Whether captures and promotions may lead from the other slice to this one.
    constexpr bool is_left_of(const Slice& o) const {
        return men <= o.men && men + kings <= o.men + o.kings && other_men <= o.other_men &&
               other_men + other_kings <= o.other_men + o.other_kings;
    }
    constexpr Slice swapped() const { return {other_men, other_kings, men, kings}; }
    constexpr bool has_both_sides() const { return men + kings > 0 && other_men + other_kings > 0; }
    // A small number of its own for each slice up to MOST_PIECES.
    constexpr int code() const { return men | kings << 3 | other_men << 6 | other_kings << 9; }
    static constexpr int CODES = 1 << 12;
};

constexpr Slice slice_of(const Board& board) {
    const auto size = [](Set set) { return static_cast<std::uint8_t>(std::popcount(set)); };
    return {size(board.men), size(board.kings), size(board.other_men), size(board.other_kings)};
}

std::string name_of(const Slice& slice);  // such as 1-2-0-3

// The slices with so many pieces in the order in which they can be solved: fewer men first, a
// slice before or after its swap.
std::vector<Slice> slices_with(int pieces);

// Numbers the positions of a slice from 0, each once: first by the men of both sides, then by the
// kings that are not to move, then by those to move. Neighbours in this order differ by the place
// of a king of the side to move, and mostly have the same outcome.
class SliceIndex {
  public:
    explicit SliceIndex(const Slice& slice);

    const Slice& slice() const { return slice_; }
    std::uint64_t size() const { return std::uint64_t{men_} * rows_ * columns_; }
    std::uint32_t men() const { return men_; }          // placements of all men
    std::uint32_t rows() const { return rows_; }        // of the other side's kings beside them
    std::uint32_t columns() const { return columns_; }  // of own kings beside all of these

    std::uint32_t men_number(Set men, Set other_men) const {
        return starts_[rank(men)] + rank_beside(other_men >> ROW, men >> ROW);
    }
    std::uint64_t operator()(const Board& board) const {
        const Set men = board.men | board.other_men;
        const std::uint32_t row = rank_beside(board.other_kings, men);
        const std::uint32_t column = rank_beside(board.kings, men | board.other_kings);
        return (std::uint64_t{men_number(board.men, board.other_men)} * rows_ + row) * columns_ +
               column;
    }

    Board men_at(std::uint32_t number) const;  // without kings
    Board board_at(std::uint64_t number) const;

  private:
    static constexpr int ROW = 4;  // squares of a row: men never stand on their last one

    Slice slice_;
    std::vector<std::uint32_t> starts_;  // of the placements with each set of own men
    std::uint32_t men_, rows_, columns_;
};

}  // namespace crossboard::tables
