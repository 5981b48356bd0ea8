// The weights of Duchess's evaluation (Real and Blair 2014, sections III and VI) and where each is.
#pragma once

#include <array>
#include <cassert>
#include <span>
#include <string>
#include <vector>

#include "eval/duchess/reach.h"
#include "rules/duchess/position.h"

namespace crossboard::duchess {

// By which kind of line or leap one piece attacks another.
enum class Mode : std::uint8_t { rook, bishop, knight };
constexpr int MODES = 3;

// Which of the paper's weights there are: the stages of training add more and more.
struct Design {
    int players = 4;
    bool attack = false;        // one piece attacking or defending another
    bool attack_modes = false;  // by rook's, bishop's and knight's moves apart
    bool piece_square = false;  // any piece on any cell
    bool king_reach = false;    // moves that a piece needs to reach an enemy's king

    bool operator==(const Design&) const = default;
};

// A named group of weights; the first extent is the number of sets.
struct Group {
    std::string name;
    std::vector<int> shape;
    int offset;  // among all weights
    int size;    // of one set
};

// Where each weight is in one long row of them. Everything is seen from the player to move: player
// 0 is he, 1 the next, and so on. Four players see two different boards, the odd and the even
// team's, and have a set of weights for each; six see the same.
class Layout {
  public:
    // Throws std::invalid_argument if the game is not for so many players.
    explicit Layout(const Design& design);

    const Design& design() const { return design_; }
    int players() const { return design_.players; }
    int sets() const { return players() == 4 ? 2 : 1; }
    int size() const { return size_; }
    const std::vector<Group>& groups() const { return groups_; }

    // Which set the player to move looks up.
    int set_of(int mover) const {
        assert(is_player(mover));
        return sets() == 1 ? 0 : mover % 2;
    }
    // A player as seen from the one to move.
    int relative(int seat, int mover) const {
        assert(is_player(seat) && is_player(mover));
        return (seat - mover + players()) % players();
    }
    // The number of a cell, among those of the board, as seen from the player to move: he sits
    // where his set's first player does.
    int cell(int cell, int mover) const {
        assert(board_of(players()).cells.has(cell) && is_player(mover));
        return cell_numbers_[mover][cell];
    }

    int material(int set, Kind kind) const { return at(material_, set, index(kind)); }
    // A team with at least two wizards, with three: `more` is 0, 1.
    int wizards(int set, int more) const { return at(wizards_, set, more); }
    int pawn_square(int set, int player, int cell) const {
        assert(is_player(player) && 0 <= cell && cell < cells_);
        return at(pawn_square_, set, player * cells_ + cell);
    }
    int check(int set, int player) const { return at(check_, set, player); }
    int checkmate(int set, int player) const { return at(checkmate_, set, player); }
    int bias(int set) const { return at(bias_, set, 0); }
    int attack(int set, Mode mode, Kind attacker, int whose, Kind target, int of_whom) const {
        assert(is_player(whose) && is_player(of_whom));
        const int row = index(attacker) * players() + whose;
        const int column = index(target) * players() + of_whom;
        const int by = design_.attack_modes ? static_cast<int>(mode) : 0;
        return at(attack_, set, (by * KINDS * players() + row) * KINDS * players() + column);
    }
    int piece_square(int set, int cell, Kind kind, int player) const {
        assert(0 <= cell && cell < cells_ && is_player(player));
        return at(piece_square_, set, (cell * KINDS + index(kind)) * players() + player);
    }

    // `reach` as of reach.h.
    int king_reach(int set, Kind kind, int whose, int of_whom, int reach) const {
        assert(is_player(whose) && is_player(of_whom) && 0 <= reach && reach < REACHES);
        const int row = index(kind) * players() + whose;
        return at(king_reach_, set, (row * players() + of_whom) * REACHES + reach);
    }

  private:
    int add(const char* name, std::vector<int> extents);
    bool is_player(int player) const { return 0 <= player && player < players(); }
    // The index of a weight among all of them; the group must be part of the design.
    int at(int group, int set, int member) const {
        assert(0 <= group && static_cast<std::size_t>(group) < groups_.size());
        const Group& found = groups_[static_cast<std::size_t>(group)];
        assert(0 <= set && set < sets() && 0 <= member && member < found.size);
        return found.offset + set * found.size + member;
    }

    Design design_;
    int cells_;
    int size_ = 0;
    std::vector<Group> groups_;
    int material_, wizards_, pawn_square_, check_, checkmate_, bias_;
    int attack_ = -1, piece_square_ = -1, king_reach_ = -1;
    std::array<std::array<int, CELLS>, MAX_SEATS> cell_numbers_{};
};

}  // namespace crossboard::duchess
