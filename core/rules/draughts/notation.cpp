// Positions and moves as text.
#include "rules/draughts/notation.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "rules/draughts/letters.h"
#include "rules/quotation.h"

namespace crossboard::draughts {

namespace {

const char* name_of(Colour colour) {
    return colour == Colour::black ? "Black" : "White";
}

std::string str(int number) {
    return std::to_string(number);
}

// A square number as written; numbers too large to be one come back as LARGE.
constexpr int LARGE = 1'000'000;
std::optional<int> take_number(std::string_view& text) {
    std::size_t digits = 0;
    while (digits < text.size() && is_digit(text[digits])) ++digits;
    if (digits == 0) return std::nullopt;
    int number = LARGE;
    const auto [end, error] = std::from_chars(text.data(), text.data() + digits, number);
    text.remove_prefix(digits);
    return error == std::errc() ? std::min(number, LARGE) : LARGE;
}

bool is_square(int number) {
    return 1 <= number && number <= SQUARES;
}

std::string no_such_square(int number) {
    const std::string shown = number >= LARGE ? "such square" : "square " + str(number);
    return "there is no " + shown + ": squares are 1 to 32";
}

class FenReader {
  public:
    explicit FenReader(std::string_view text) : text_(text), rest_(text) {}

    Position read() {
        skip_blanks();
        if (rest_.empty()) fail("it is empty");
        const std::optional<Colour> turn = take_colour();
        if (!turn) fail("it begins with the side to move, B or W");
        while (take(':'))
            if (!take_counter()) read_side();
        take('.');
        if (!rest_.empty()) fail("unexpected " + quoted(rest_.substr(0, 8)));
        for (Colour colour : {Colour::black, Colour::white})
            if (!given_[static_cast<int>(colour)])
                fail(std::string("the squares of ") + name_of(colour) + " are missing");
        return Position(pieces_[0], pieces_[1], kings_, *turn);
    }

  private:
    [[noreturn]] void fail(const std::string& reason) const {
        throw InvalidFen("FEN " + quoted(text_) + ": " + reason);
    }

    void skip_blanks() {
        while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    }

    bool take(char wanted) {
        if (rest_.empty() || rest_.front() != wanted) return false;
        rest_.remove_prefix(1);
        skip_blanks();
        return true;
    }

    std::optional<Colour> take_colour() {
        if (take('B') || take('b')) return Colour::black;
        if (take('W') || take('w')) return Colour::white;
        return std::nullopt;
    }

    // H0 and F1, which some sites add: counters of the game, which a position does not have.
    bool take_counter() {
        if (!take('H') && !take('F')) return false;
        if (!take_number(rest_)) fail("a counter such as H0 has a number");
        skip_blanks();
        return true;
    }

    void read_side() {
        const std::optional<Colour> colour = take_colour();
        if (!colour) fail("a list of squares begins with its colour, B or W");
        if (given_[static_cast<int>(*colour)])
            fail(std::string("the squares of ") + name_of(*colour) + " are given twice");
        given_[static_cast<int>(*colour)] = true;
        if (rest_.empty() || rest_.front() == ':' || rest_.front() == '.') return;
        do {
            read_squares(*colour);
        } while (take(','));
    }

    // One square or a range, of men or (with K) of kings.
    void read_squares(Colour colour) {
        const bool king = take('K') || take('k');
        const int first = take_square();
        int last = first;
        if (take('-')) {
            last = take_square();
            if (last < first) fail("the range " + str(first) + "-" + str(last) + " runs backwards");
        }
        for (int square = first; square <= last; ++square) put(colour, king, square);
    }

    int take_square() {
        const std::optional<int> number = take_number(rest_);
        if (!number)
            fail(rest_.empty() ? "it ends where a square number should stand"
                               : "a square number should stand at " + quoted(rest_.substr(0, 8)));
        if (!is_square(*number)) fail(no_such_square(*number));
        skip_blanks();
        return *number;
    }

    void put(Colour colour, bool king, int square) {
        const Bits here = bit(index_of(square));
        if ((pieces_[0] | pieces_[1]) & here) fail("two pieces stand on square " + str(square));
        if (!king && (crowning_row(colour) & here))
            fail(std::string("a man of ") + name_of(colour) +
                 " stands on its crowning row, square " + str(square) + ": it would be a king, K" +
                 str(square));
        Bits& own = pieces_[static_cast<int>(colour)];
        own |= here;
        if (king) kings_ |= here;
        if (count(own) > MAX_PIECES)
            fail(std::string(name_of(colour)) + " has more than 12 pieces");
    }

    std::string_view text_;
    std::string_view rest_;
    Bits pieces_[2] = {};
    Bits kings_ = 0;
    bool given_[2] = {};
};

// "22x15" as {22, 15}; nothing if it is not a move at all.
std::optional<WrittenMove> read_written(std::string_view text) {
    WrittenMove written;
    for (;;) {
        const std::optional<int> number = take_number(text);
        if (!number) return std::nullopt;
        written.squares.push_back(*number);
        if (text.empty()) break;
        const char separator = text.front();
        if (separator != '-' && separator != 'x' && separator != 'X' && separator != ':')
            return std::nullopt;
        written.is_jump |= separator != '-';
        text.remove_prefix(1);
    }
    if (written.squares.size() < 2) return std::nullopt;
    return written;
}

WrittenMove read_written_or_throw(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    const std::optional<WrittenMove> written = read_written(text);
    if (!written)
        throw IllegalMove(quoted(text) +
                          " is not a move: write 11-15 for a step, 22x15 for a jump");
    for (int square : written->squares)
        if (!is_square(square)) throw IllegalMove(quoted(text) + ": " + no_such_square(square));
    return *written;
}

// Square 1 stands in row 0, column 1: the diagram of the books, White at the bottom.
int row_of(int square) {
    assert(is_square(square));
    return (square - 1) / 4;
}
int column_of(int square) {
    const int across = 2 * ((square - 1) % 4);
    return row_of(square) % 2 == 0 ? across + 1 : across;
}

}  // namespace

Position parse_fen(std::string_view text) {
    return FenReader(text).read();
}

std::string format_fen(const Position& position) {
    std::string fen = position.turn() == Colour::black ? "B" : "W";
    for (Colour colour : {Colour::white, Colour::black}) {
        fen += colour == Colour::black ? ":B" : ":W";
        bool first = true;
        for (int index : Members(position.pieces(colour))) {
            if (!first) fen += ',';
            first = false;
            if (position.kings() & bit(index)) fen += 'K';
            fen += str(square_at(index));
        }
    }
    return fen;
}

std::string format_move(const Move& move) {
    std::string text;
    walk(move, [&](int index) {
        if (!text.empty()) text += move.is_capture() ? 'x' : '-';
        text += str(square_at(index));
    });
    return text;
}

std::vector<int> path_of(const Move& move) {
    std::vector<int> path;
    walk(move, [&](int index) { path.push_back(square_at(index)); });
    return path;
}

std::string format_short_move(const Position& position, const Move& move) {
    assert(is_legal(position, move));
    int same_ends = 0;
    position.for_each_move(
        [&](const Move& other) { same_ends += other.from == move.from && other.to == move.to; });
    if (!move.is_capture() || same_ends > 1) return format_move(move);
    return str(square_at(move.from)) + "x" + str(square_at(move.to));
}

std::vector<Move> matching_moves(const Position& position, std::span<const int> squares) {
    assert(squares.size() >= 2);
    std::vector<Move> found;
    bool is_exact = false;  // a path written in full means that path alone
    position.for_each_move([&](const Move& move) {
        if (is_exact || square_at(move.from) != squares.front() ||
            square_at(move.to) != squares.back())
            return;
        std::size_t met = 0, touched = 0;
        walk(move, [&](int index) {
            ++touched;
            if (met < squares.size() && square_at(index) == squares[met]) ++met;
        });
        // A circle touches its last square early: the ends are compared above.
        if (met < squares.size() && squares.size() > 2) return;
        if (touched == squares.size()) {
            is_exact = true;
            found.clear();
        }
        for (const Move& other : found)
            if (other.captured == move.captured) return;
        found.push_back(move);
    });
    return found;
}

std::string why_illegal(const Position& position, const WrittenMove& written) {
    assert(written.squares.size() >= 2);
    const int from = written.squares.front(), to = written.squares.back();
    for (int square : written.squares)
        if (!is_square(square)) return no_such_square(square);
    const Bits start = bit(index_of(from)), end = bit(index_of(to));
    const Colour turn = position.turn();
    const auto moves = position.legal_moves();

    if (moves.empty()) return std::string("the game is over: ") + name_of(turn) + " has no move";
    if (position.pieces(opponent(turn)) & start)
        return "the piece on " + str(from) + " is " + name_of(opponent(turn)) + "'s, and it is " +
               name_of(turn) + "'s turn";
    if (!(position.pieces(turn) & start)) return "there is no piece on " + str(from);
    if (moves[0].is_capture()) {
        for (const Move& move : moves) {
            const std::vector<int> path = path_of(move);
            if (path.size() > written.squares.size() &&
                std::equal(written.squares.begin(), written.squares.end(), path.begin()))
                return "the jump must go on: " + format_move(move);
        }
        return "capture is compulsory: " + list_moves(moves);
    }
    if (written.is_jump || written.squares.size() > 2) return "there is nothing to capture";
    if (from != to && (position.empty() & end) == 0)
        return "there is a piece on " + str(to) + " already";
    const int rows = row_of(to) - row_of(from), columns = column_of(to) - column_of(from);
    if (std::abs(rows) != 1 || std::abs(columns) != 1)
        return str(to) + " is not one diagonal step from " + str(from);
    return "a man moves forward only";
}

[[noreturn]] static void throw_illegal(const Position& position, std::string_view text,
                                       const WrittenMove& written) {
    std::string message = quoted(text) + " is not legal in " + format_fen(position) + ": " +
                          why_illegal(position, written);
    const auto moves = position.legal_moves();
    // A compulsory capture has named the moves already.
    if (!moves.empty() && !moves[0].is_capture()) message += "; legal: " + list_moves(moves);
    throw IllegalMove(message);
}

bool is_legal(const Position& position, const Move& move) {
    return position.legal_moves().has(move);
}

void require_legal(const Position& position, const Move& move) {
    if (!is_legal(position, move))
        throw_illegal(position, format_move(move), {path_of(move), move.is_capture()});
}

Move parse_move(const Position& position, std::string_view text) {
    const WrittenMove written = read_written_or_throw(text);
    const std::vector<Move> found = matching_moves(position, written.squares);
    if (found.size() > 1) {
        std::string routes;
        for (const Move& move : found) routes += (routes.empty() ? "" : " or ") + format_move(move);
        throw AmbiguousMove(quoted(text) + " is ambiguous in " + format_fen(position) + ": write " +
                            routes);
    }
    if (found.size() == 1) {
        if (found[0].is_capture() == written.is_jump) return found[0];
        throw IllegalMove(quoted(text) + ": that move is written " + format_move(found[0]));
    }
    throw_illegal(position, text, written);
}

Move parse_path(std::string_view text) {
    const WrittenMove written = read_written_or_throw(text);
    const auto fail = [&](const std::string& reason) {
        throw IllegalMove(quoted(text) + " is not a path on the board: " + reason);
    };
    Move move{.from = static_cast<std::uint8_t>(index_of(written.squares.front())),
              .to = static_cast<std::uint8_t>(index_of(written.squares.back()))};
    if (written.squares.size() - 1 > MAX_JUMPS) fail("no jump is that long");
    const int stride = written.is_jump ? 2 : 1;
    for (std::size_t i = 1; i < written.squares.size(); ++i) {
        const int here = written.squares[i - 1], there = written.squares[i];
        if (std::abs(row_of(there) - row_of(here)) != stride ||
            std::abs(column_of(there) - column_of(here)) != stride)
            fail(str(here) + " to " + str(there) + " is not a " +
                 (written.is_jump ? "jump" : "step"));
        if (!written.is_jump) continue;
        const int difference = (index_of(there) - index_of(here)) / 2;
        const auto direction = static_cast<std::uint32_t>(
            std::find(DIRECTIONS.begin(), DIRECTIONS.end(), difference) - DIRECTIONS.begin());
        const Bits over = bit(index_of(here) + difference);
        if (move.captured & over) fail("it jumps the same piece twice");
        move.captured |= over;
        move.route |= direction << (2 * move.jumps++);
    }
    if (!written.is_jump && written.squares.size() > 2) fail("a step goes to one square");
    return move;
}

std::string draw(const Position& position) {
    std::string text;
    for (int row = 0; row < 8; ++row) {
        std::string line(15, ' ');
        for (int square = 4 * row + 1; square <= 4 * row + 4; ++square) {
            const Bits here = bit(index_of(square));
            char& shown = line[static_cast<std::size_t>(2 * column_of(square))];
            shown = position.black() & here ? 'b' : position.white() & here ? 'w' : '.';
            if (position.kings() & here) shown = position.black() & here ? 'B' : 'W';
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += (row ? "\n" : "") + line;
    }
    return text;
}

}  // namespace crossboard::draughts
