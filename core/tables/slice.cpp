// Slices: all positions with the same men and kings of each side, and the numbers of positions.
#include "tables/slice.h"

#include <algorithm>

namespace crossboard::tables {

using draughts::Colour;
using draughts::Position;

std::vector<Set> all_sets(int n, int k) {
    std::vector<Set> sets;
    sets.reserve(combinations(n, k));
    for (std::uint32_t i = 0; i < combinations(n, k); ++i) {
        if (k == 0 || i == 0) {
            sets.push_back((Set{1} << k) - 1);
            continue;
        }
        // The next larger number with as many bits.
        const std::uint64_t last = sets.back(), low = last & -last, carried = last + low;
        sets.push_back(static_cast<Set>(carried | ((carried ^ last) / low) >> 2));
    }
    return sets;
}

Board board_of(const Position& position) {
    const bool black = position.turn() == Colour::black;
    const Set kings = squeezed(position.kings());
    const Set own = squeezed(position.pieces(position.turn()));
    const Set other = squeezed(position.pieces(opponent(position.turn())));
    const Board board{own & ~kings, own & kings, other & ~kings, other & kings};
    if (black) return board;
    return {turned(board.men), turned(board.kings), turned(board.other_men),
            turned(board.other_kings)};
}

Position position_of(const Board& board) {
    return Position(widened(board.men | board.kings), widened(board.other_men | board.other_kings),
                    widened(board.kings | board.other_kings), Colour::black);
}

std::string name_of(const Slice& slice) {
    return std::to_string(slice.men) + "-" + std::to_string(slice.kings) + "-" +
           std::to_string(slice.other_men) + "-" + std::to_string(slice.other_kings);
}

std::vector<Slice> slices_with(int pieces) {
    std::vector<Slice> slices;
    const auto add = [&slices](const Slice& slice) {
        if (std::find(slices.begin(), slices.end(), slice) == slices.end()) slices.push_back(slice);
    };
    for (int all_men = 0; all_men <= pieces; ++all_men)
        for (int men = 0; men <= all_men; ++men)
            for (int kings = 0; kings <= pieces - all_men; ++kings) {
                const Slice slice{static_cast<std::uint8_t>(men), static_cast<std::uint8_t>(kings),
                                  static_cast<std::uint8_t>(all_men - men),
                                  static_cast<std::uint8_t>(pieces - all_men - kings)};
                if (!slice.has_both_sides()) continue;
                add(slice);
                add(slice.swapped());
            }
    return slices;
}

SliceIndex::SliceIndex(const Slice& slice) : slice_(slice) {
    constexpr int MEN_SQUARES = 32 - ROW;
    const int taken = slice.all_men();
    rows_ = combinations(32 - taken, slice.other_kings);
    columns_ = combinations(32 - taken - slice.other_kings, slice.kings);
    starts_.reserve(combinations(MEN_SQUARES, slice.men));
    men_ = 0;
    for (const Set men : all_sets(MEN_SQUARES, slice.men)) {
        starts_.push_back(men_);
        men_ += combinations(MEN_SQUARES - std::popcount(men >> ROW), slice.other_men);
    }
}

Board SliceIndex::men_at(std::uint32_t number) const {
    assert(number < men_);
    const auto above = std::upper_bound(starts_.begin(), starts_.end(), number);
    const auto first = static_cast<std::uint32_t>(above - starts_.begin() - 1);
    Board board;
    board.men = unranked(first, slice_.men);
    board.other_men =
        spread_beside(unranked(number - starts_[first], slice_.other_men), board.men >> ROW) << ROW;
    return board;
}

Board SliceIndex::board_at(std::uint64_t number) const {
    assert(number < size());
    const auto column = static_cast<std::uint32_t>(number % columns_);
    const auto row = static_cast<std::uint32_t>(number / columns_ % rows_);
    Board board = men_at(static_cast<std::uint32_t>(number / columns_ / rows_));
    const Set men = board.taken();
    board.other_kings = spread_beside(unranked(row, slice_.other_kings), men);
    board.kings = spread_beside(unranked(column, slice_.kings), men | board.other_kings);
    return board;
}

}  // namespace crossboard::tables
