// The rules of draughts a second time, slowly, on rows and columns: what the fast ones must equal.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rules/draughts/position.h"

namespace crossboard::draughts::slow {

struct Place {
    int row, column;
    bool operator==(const Place&) const = default;
};

// Square 1 stands in row 0, column 1; dark squares are numbered row by row.
inline Place place_of(int square) {
    const int row = (square - 1) / 4;
    return {row, 2 * ((square - 1) % 4) + (row % 2 == 0 ? 1 : 0)};
}
inline int square_of(Place place) {
    return 4 * place.row + place.column / 2 + 1;
}
inline bool is_on_board(Place place) {
    return 0 <= place.row && place.row < 8 && 0 <= place.column && place.column < 8;
}

struct SlowMove {
    std::vector<int> path;      // standard squares: start, landings, end
    std::vector<int> captured;  // in the order of the jumps
};

// b w are men, B W kings, '.' is empty.
struct Board {
    std::array<std::array<char, 8>, 8> pieces = {};
    bool is_black_to_move = true;

    explicit Board(const Position& position) : is_black_to_move(position.turn() == Colour::black) {
        for (int square = 1; square <= 32; ++square) {
            const Bits here = bit(index_of(square));
            const bool king = (position.kings() & here) != 0;
            char& piece = at(place_of(square));
            piece = position.black() & here   ? (king ? 'B' : 'b')
                    : position.white() & here ? (king ? 'W' : 'w')
                                              : '.';
        }
    }

    char& at(Place place) { return pieces[place.row][place.column]; }
    char at(Place place) const { return pieces[place.row][place.column]; }

    bool is_own(char piece) const {
        return is_black_to_move ? piece == 'b' || piece == 'B' : piece == 'w' || piece == 'W';
    }
    bool is_other(char piece) const { return piece != '.' && !is_own(piece); }
    int crowning_row() const { return is_black_to_move ? 7 : 0; }

    std::vector<Place> directions_of(char piece) const {
        if (piece == 'b') return {{1, -1}, {1, 1}};
        if (piece == 'w') return {{-1, -1}, {-1, 1}};
        return {{1, -1}, {1, 1}, {-1, -1}, {-1, 1}};
    }

    std::vector<SlowMove> moves() const {
        std::vector<SlowMove> steps, jumps;
        for (int square = 1; square <= 32; ++square) {
            const Place from = place_of(square);
            const char piece = at(from);
            if (!is_own(piece)) continue;
            for (Place direction : directions_of(piece)) {
                const Place to = {from.row + direction.row, from.column + direction.column};
                if (is_on_board(to) && at(to) == '.')
                    steps.push_back({{square, square_of(to)}, {}});
            }
            Board lifted = *this;
            lifted.at(from) = '.';
            SlowMove start{{square}, {}};
            lifted.add_jumps(piece, from, start, jumps);
        }
        return jumps.empty() ? steps : jumps;
    }

    // The jumped pieces come off at the end of the move; until then each may be jumped once.
    void add_jumps(char piece, Place from, const SlowMove& so_far,
                   std::vector<SlowMove>& found) const {
        bool is_complete = true;
        const bool is_man = piece == 'b' || piece == 'w';
        const bool is_crowned_now =
            is_man && !so_far.captured.empty() && from.row == crowning_row();
        for (Place direction : directions_of(piece)) {
            if (is_crowned_now) break;
            const Place over = {from.row + direction.row, from.column + direction.column};
            const Place to = {over.row + direction.row, over.column + direction.column};
            if (!is_on_board(to) || !is_other(at(over)) || at(to) != '.') continue;
            bool is_jumped_already = false;
            for (int square : so_far.captured) is_jumped_already |= square == square_of(over);
            if (is_jumped_already) continue;
            SlowMove longer = so_far;
            longer.path.push_back(square_of(to));
            longer.captured.push_back(square_of(over));
            add_jumps(piece, to, longer, found);
            is_complete = false;
        }
        if (is_complete && !so_far.captured.empty()) found.push_back(so_far);
    }

    Board after(const SlowMove& move) const {
        Board next = *this;
        const Place from = place_of(move.path.front()), to = place_of(move.path.back());
        char piece = at(from);
        if (to.row == crowning_row()) piece = is_black_to_move ? 'B' : 'W';
        next.at(from) = '.';
        for (int square : move.captured) next.at(place_of(square)) = '.';
        next.at(to) = piece;
        next.is_black_to_move = !is_black_to_move;
        return next;
    }

    std::uint64_t perft(int depth) const {
        if (depth == 0) return 1;
        std::uint64_t leaves = 0;
        for (const SlowMove& move : moves()) leaves += after(move).perft(depth - 1);
        return leaves;
    }

    bool operator==(const Board&) const = default;
};

}  // namespace crossboard::draughts::slow
