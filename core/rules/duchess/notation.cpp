// Cells, moves and positions as text.
#include "rules/duchess/notation.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

#include "rules/quotation.h"

namespace crossboard::duchess {

namespace {

std::string str(int number) {
    return std::to_string(number);
}

std::string player(int seat) {
    return "player " + str(seat + 1);
}

constexpr std::string_view BLANKS = " \t\n\v\f\r";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(BLANKS);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(BLANKS) - first + 1);
}

// Cuts off what stands before the separator, or all of it, and skips the separator.
std::string_view take_until(std::string_view& rest, std::string_view separators) {
    const std::size_t end = std::min(rest.find_first_of(separators), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

// The cell at the beginning of the text; nothing, and nothing taken, if there is none.
std::optional<int> take_cell(std::string_view& text) {
    if (!text.empty() && text[0] == 'V') {
        text.remove_prefix(1);
        return VORTEX;
    }
    if (text.size() < 3) return std::nullopt;
    const Place place = {text[0] - '1', text[1] - 'a', text[2] - '1'};
    const bool is_on_board = 0 <= place.sector && place.sector < SECTORS && 0 <= place.file &&
                             place.file < FILES && 0 <= place.rank && place.rank < RANKS;
    if (!is_on_board) return std::nullopt;
    text.remove_prefix(3);
    return cell_at(place);
}

Kind take_kind(std::string_view& text) {
    const Kind kind = text.empty() ? Kind::none : kind_from(text[0]);
    if (kind != Kind::none) text.remove_prefix(1);
    return kind;
}

// ---- positions

class PositionReader {
  public:
    explicit PositionReader(std::string_view text) : text_(text) {}

    Position read() {
        std::string_view rest = text_;
        const std::string_view players = trimmed(take_until(rest, ";"));
        if (players != "4" && players != "6")
            fail("it begins with the number of players, 4; or 6;, not " + quoted(players));
        players_ = players[0] - '0';
        while (!trimmed(rest).empty()) read_part(trimmed(take_until(rest, ";")));
        for (int seat = 0; seat < players_; ++seat)
            if (count_[seat][index(Kind::king)] == 0) fail(player(seat) + " has no king");
        if (!turn_) fail("it does not say whose turn it is: turn 1");
        return Position(players_, pieces_, boxes_, *turn_);
    }

  private:
    [[noreturn]] void fail(const std::string& reason) const {
        throw InvalidPosition("position " + quoted(text_) + ": " + reason);
    }

    void read_part(std::string_view part) {
        if (part.starts_with("turn")) {
            if (turn_) fail("turn is given twice");
            turn_ = seat_of(trimmed(part.substr(4)));
        } else if (part.starts_with("box")) {
            read_box(part.substr(3));
        } else {
            read_pieces(part);
        }
    }

    int seat_of(std::string_view text) const {
        if (text.size() == 1 && '1' <= text[0] && text[0] < '1' + players_) return text[0] - '1';
        fail("there is no player " + quoted(text) + ": players are 1 to " + str(players_));
    }

    // "1:" before what a player has; each player may be named once in each of the two lists.
    int take_owner(std::string_view& part, std::array<bool, MAX_SEATS>& named, const char* what) {
        if (part.find(':') == part.npos)
            fail("unexpected " + quoted(part) + ": write 1:K1a1 P1c6, turn 1 or box 1:Q,R");
        const int seat = seat_of(trimmed(take_until(part, ":")));
        if (named[seat])
            fail(std::string("the ") + what + " of " + player(seat) + " is given twice");
        named[seat] = true;
        return seat;
    }

    void read_pieces(std::string_view part) {
        const int seat = take_owner(part, has_pieces_, "list of pieces");
        while (!(part = trimmed(part)).empty()) {
            const std::string_view word = take_until(part, BLANKS);
            std::string_view rest = word;
            const Kind kind = take_kind(rest);
            const std::optional<int> cell = take_cell(rest);
            if (kind == Kind::none)
                fail(quoted(word) + " does not begin with a piece, one of " + LETTERS);
            if (!cell || !rest.empty())
                fail(quoted(word) + " does not stand on a cell: " + CELL_NAMES);
            if (!board_of(players_).cells.has(*cell))
                fail("with 4 players there is no cell " + format_cell(*cell) +
                     ": its flap is folded");
            if (taken_.has(*cell)) fail("two pieces stand on " + format_cell(*cell));
            taken_.add(*cell);
            pieces_.push_back({seat, kind, *cell});
            count(seat, kind);
        }
    }

    void read_box(std::string_view part) {
        part = trimmed(part);
        const int seat = take_owner(part, has_box_, "box");
        if (trimmed(part).empty()) return;
        for (bool is_last = false; !is_last;) {
            is_last = part.find(',') == part.npos;
            const std::string_view word = trimmed(take_until(part, ","));
            std::string_view rest = word;
            const Kind kind = take_kind(rest);
            if (kind == Kind::none || kind == Kind::king || !rest.empty())
                fail("there is no " + quoted(word) + " in a box: write Q, D, F, W, N, R, B or P");
            count(seat, kind);
            boxes_[seat].add(kind);
        }
    }

    void count(int seat, Kind kind) {
        if (++count_[seat][index(kind)] <= COMPLEMENT[index(kind)]) return;
        std::string places;
        for (const Piece& piece : pieces_)
            if (piece.seat == seat && piece.kind == kind)
                places += (places.empty() ? "" : ", ") + format_cell(piece.cell);
        fail(player(seat) + " has more than " + str(COMPLEMENT[index(kind)]) + " " + letter(kind) +
             ", board and box together: " + (places.empty() ? "all in the box" : "on " + places));
    }

    std::string_view text_;
    int players_ = 0;
    std::vector<Piece> pieces_;
    std::array<Box, MAX_SEATS> boxes_;
    std::optional<int> turn_;
    Cells taken_;
    std::array<bool, MAX_SEATS> has_pieces_ = {}, has_box_ = {};
    int count_[MAX_SEATS][KINDS] = {};
};

// ---- moves

// A move as written: what stands there need not fit the position.
struct Written {
    Move move;
    bool has_kind = false;
    std::string_view from = {}, to = {};  // the cells' names, of which some cells have two
};

Written read_written(std::string_view text) {
    const std::string_view all = trimmed(text);
    if (all == "pass") return {Move{}, true};
    const auto fail = [&](const std::string& reason) {
        throw IllegalMove(quoted(all) + " is not a move: " + reason);
    };
    std::string_view rest = all;
    Written written;
    const auto take_named = [&rest](std::string_view& name) {
        const std::string_view before = rest;
        const std::optional<int> cell = take_cell(rest);
        name = before.substr(0, before.size() - rest.size());
        return cell;
    };
    Move& move = written.move;
    move.kind = take_kind(rest);
    written.has_kind = move.kind != Kind::none;
    const std::optional<int> from = take_named(written.from);
    if (!from || rest.empty() || (rest[0] != '-' && rest[0] != 'x'))
        fail("write N1b2-1a4, N1b2x1a4 to capture, P1c6-V=Q to promote, or pass");
    move.is_capture = rest[0] == 'x';
    rest.remove_prefix(1);
    const std::optional<int> to = take_named(written.to);
    if (!to) fail("it does not end on a cell: " + std::string(CELL_NAMES));
    move.from = static_cast<std::uint8_t>(*from);
    move.to = static_cast<std::uint8_t>(*to);
    if (rest.starts_with('=')) {
        rest.remove_prefix(1);
        move.promoted = take_kind(rest);
        if (move.promoted == Kind::none || move.promoted == Kind::king ||
            move.promoted == Kind::pawn)
            fail("a pawn becomes one of Q, D, F, W, N, R, B");
    }
    if (!rest.empty()) fail("unexpected " + quoted(rest));
    return written;
}

std::string why_over(const Position& position) {
    assert(position.is_over());
    const std::optional<Team> winner = position.winner();
    if (!winner) return "the game is over: nobody can move";
    return std::string("the game is over: the ") + name_of(*winner) + " team has won";
}

std::string why_no_promotion(const Position& position, const Move& move) {
    assert(move.is_promotion());
    if (move.kind != Kind::pawn) return "only a pawn is promoted";
    if (move.to != VORTEX) return "a pawn is promoted on V alone";
    std::string choices;
    position.box(position.turn()).for_each_choice([&](Kind kind) {
        choices += (choices.empty() ? "" : ", ") + std::string(1, letter(kind));
    });
    if (choices.empty()) return "there is no piece in the box of " + player(position.turn());
    return std::string("there is no ") + letter(move.promoted) + " in the box of " +
           player(position.turn()) + ", only " + choices;
}

// A cell as somebody has called it, with its own name if that is another.
std::string told(std::string_view written, int cell) {
    const std::string name = format_cell(cell);
    if (written.empty() || written == name) return name;
    return std::string(written) + " (" + name + ")";
}

// One sentence without the legal moves.
std::string why_illegal(const Position& position, const Written& written) {
    const Move& move = written.move;
    const int turn = position.turn();
    if (position.is_over()) return why_over(position);
    const bool must_pass = !position.can_move(turn);
    if (must_pass)
        return player(turn) + (position.is_in_check(turn) ? " is mated" : " is stalemated") +
               " and must pass";
    if (move.is_pass()) return player(turn) + " can move and must not pass";
    const std::string from = told(written.from, move.from), to = told(written.to, move.to);
    for (int cell : {int{move.from}, int{move.to}})
        if (!position.board().cells.has(cell))
            return "with 4 players there is no cell " + format_cell(cell) + ": its flap is folded";
    const std::optional<Piece> piece = position.piece_at(move.from);
    if (!piece) return "there is no piece on " + from;
    if (piece->seat != turn)
        return "the piece on " + from + " is " + player(piece->seat) + "'s, and it is " +
               player(turn) + "'s turn";
    if (move.kind != piece->kind)
        return "the piece on " + from + " is a " + letter(piece->kind) + ", not a " +
               letter(move.kind);
    const std::optional<Piece> target = position.piece_at(move.to);
    if (target && team_of(target->seat) == position.team())
        return "there is a piece of " + player(target->seat) + ", of the same team, on " + to;
    if (target && target->kind == Kind::king) return "a King is never captured";
    if (!detail::Side(position, turn).reach(move.kind, move.from).has(move.to))
        return std::string("the ") + letter(move.kind) + " on " + from + " does not reach " + to;
    if (target.has_value() != move.is_capture)
        return (target ? "it captures: write " : "there is nothing to capture: write ") +
               format_cell(move.from) + (target ? "x" : "-") + format_cell(move.to);
    Move unpromoted = move;
    unpromoted.promoted = Kind::none;
    if (move.is_promotion() && is_legal(position, unpromoted))
        return why_no_promotion(position, move);
    return "it leaves the King of " + player(turn) + " in check";
}

[[noreturn]] void throw_illegal(const Position& position, std::string_view text,
                                const Written& written) {
    std::string message = quoted(text) + " is not legal in " + quoted(format_position(position)) +
                          ": " + why_illegal(position, written);
    const auto moves = position.legal_moves();
    if (!moves.empty()) message += "; legal: " + list_moves(moves);
    throw IllegalMove(message);
}

}  // namespace

std::string format_cell(int cell) {
    assert(is_cell(cell));
    if (cell == VORTEX) return "V";
    const auto [sector, file, rank] = place_of(cell);
    return {static_cast<char>('1' + sector), static_cast<char>('a' + file),
            static_cast<char>('1' + rank)};
}

std::optional<int> parse_cell(std::string_view text) {
    const std::optional<int> cell = take_cell(text);
    return text.empty() ? cell : std::nullopt;
}

const char* name_of(Team team) {
    return team == Team::odd ? "odd" : "even";
}

std::string format_move(const Move& move) {
    if (move.is_pass()) return "pass";
    std::string text(1, letter(move.kind));
    text += format_cell(move.from) + (move.is_capture ? "x" : "-") + format_cell(move.to);
    if (move.is_promotion()) text += {'=', letter(move.promoted)};
    return text;
}

Move parse_written(std::string_view text) {
    const Written written = read_written(text);
    if (!written.has_kind)
        throw IllegalMove(quoted(text) +
                          " is not a whole move: the letter of the piece is missing");
    return written.move;
}

bool is_legal(const Position& position, const Move& move) {
    return position.legal_moves().has(move);
}

void require_legal(const Position& position, const Move& move) {
    if (!is_legal(position, move)) throw_illegal(position, format_move(move), {move});
}

Move parse_move(const Position& position, std::string_view text) {
    Written written = read_written(text);
    if (!written.has_kind && position.occupied().has(written.move.from))
        written.move.kind = position.kind_at(written.move.from);
    else if (!written.has_kind)
        written.move.kind = Kind::pawn;  // any will do: there is no piece
    if (!is_legal(position, written.move)) throw_illegal(position, text, written);
    return written.move;
}

Position parse_position(std::string_view text) {
    return PositionReader(text).read();
}

std::string format_position(const Position& position) {
    std::string text = str(position.players());
    for (int seat = 0; seat < position.players(); ++seat) {
        text += "; " + str(seat + 1) + ":";
        bool is_first = true;
        position.pieces(seat).for_each([&](int cell) {
            if (!is_first) text += ' ';
            is_first = false;
            text += letter(position.kind_at(cell)) + format_cell(cell);
        });
    }
    text += "; turn " + str(position.turn() + 1);
    for (int seat = 0; seat < position.players(); ++seat) {
        if (position.box(seat).empty()) continue;
        text += "; box " + str(seat + 1) + ":";
        std::string letters;
        for (Kind kind : ALL_KINDS)
            if (kind != Kind::king)
                letters.append(static_cast<std::size_t>(position.box(seat).count(kind)),
                               letter(kind));
        std::ranges::sort(letters);
        for (std::size_t i = 0; i < letters.size(); ++i) {
            if (i) text += ',';
            text += letters[i];
        }
    }
    return text;
}

std::string format_flags(const Position& position) {
    std::string flags;
    for (int seat = 0; seat < position.players(); ++seat)
        flags += ".cms"[static_cast<int>(position.standing(seat))];
    return flags;
}

}  // namespace crossboard::duchess
