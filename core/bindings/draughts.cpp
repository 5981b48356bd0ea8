// Python's view of draughts positions, moves and draws.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bindings/module.h"
#include "bindings/positions.h"
#include "rules/draughts/notation.h"
#include "rules/draughts/perft.h"
#include "rules/draughts/position.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace crossboard;
using namespace crossboard::draughts;

namespace {

const char* letter(Colour colour) {
    return colour == Colour::black ? "B" : "W";
}

Colour colour_from(std::string_view letter) {
    if (letter == "B") return Colour::black;
    if (letter == "W") return Colour::white;
    throw std::invalid_argument("a colour is \"B\" or \"W\", not '" + std::string(letter) + "'");
}

nb::tuple squares_of(Bits set) {
    nb::list squares;
    for (int index : Members(set)) squares.append(square_at(index));
    return nb::tuple(squares);
}

const char* reason(Draw draw) {
    switch (draw) {
        case Draw::repetition: return "repetition";
        case Draw::quiet: return "quiet";
        case Draw::length: return "length";
        case Draw::loop: return "loop";
        default: return nullptr;
    }
}

void bind_move(nb::module_& m) {
    nb::class_<Move> move(m, "Move",
                          "A step or a whole multi-jump: Move('11-15'), Move('22x15x8').");
    move.def(
            "__init__", [](Move* self, nb::str text) { new (self) Move(parse_path(utf8(text))); },
            "text"_a, "Read a whole path, 11-15 or 22x15x8; raise IllegalMove if it is none.")
        .def_prop_ro(
            "path", [](const Move& self) { return nb::tuple(nb::cast(path_of(self))); },
            nb::sig("def path(self) -> tuple[int, ...]"),
            "The squares touched: start, landings, end.")
        .def_prop_ro("start", [](const Move& self) { return square_at(self.from); })
        .def_prop_ro("end", [](const Move& self) { return square_at(self.to); })
        .def_prop_ro(
            "captured", [](const Move& self) { return squares_of(self.captured); },
            nb::sig("def captured(self) -> tuple[int, ...]"),
            "The squares of the pieces taken, sorted.")
        .def_prop_ro("is_capture", &Move::is_capture)
        .def("__hash__",
             [](const Move& self) {
                 return (std::uint64_t{self.route} << 12 | self.from << 6 | self.to) + 1;
             })
        .def("__str__", &format_move);
    bindings::bind_as_text<format_move, parse_path>(move, "Move");
}

void bind_position(nb::module_& m) {
    nb::class_<Position> position(m, "Position",
                                  "Board and turn, with no past. A value: it never changes.");
    position.def(nb::init<>(), "Make the start position.")
        .def_static(
            "from_fen", [](nb::str fen) { return parse_fen(utf8(fen)); }, "fen"_a,
            "Read a FEN such as 'W:W21-32,K5:B1-12'; raise InvalidFen if it is none.")
        .def_prop_ro("fen", &format_fen, "The position as FEN, squares sorted, White first.")
        .def_prop_ro(
            "turn", [](const Position& p) { return letter(p.turn()); }, "'B' or 'W'.")
        .def_prop_ro("has_capture", &Position::has_capture,
                     "Whether the side to move must capture.")
        .def_prop_ro(
            "winner",
            [](const Position& p) -> std::optional<const char*> {
                if (!p.is_over()) return std::nullopt;
                return letter(opponent(p.turn()));
            },
            nb::sig("def winner(self) -> str | None"),
            "'B' or 'W' once the game is over: the side to move has lost.")
        .def_prop_ro("mirrored", &Position::mirrored,
                     "The same position for the other side: board turned, colours exchanged.")
        .def(
            "format_move",
            [](const Position& p, const Move& move) {
                require_legal(p, move);
                return format_short_move(p, move);
            },
            "move"_a, "Write a legal move as PDN does: 22x8, landings only where they are needed.")
        .def(
            "pieces",
            [](const Position& p, std::string_view c) {
                return squares_of(p.pieces(colour_from(c)));
            },
            "colour"_a, nb::sig("def pieces(self, colour: str) -> tuple[int, ...]"),
            "The squares of one colour's pieces, sorted.")
        .def(
            "kings",
            [](const Position& p, std::string_view c) {
                return squares_of(p.pieces(colour_from(c)) & p.kings());
            },
            "colour"_a, nb::sig("def kings(self, colour: str) -> tuple[int, ...]"),
            "The squares of one colour's kings, sorted.")
        .def(
            "piece_at",
            [](const Position& p, int square) -> std::optional<std::string> {
                if (square < 1 || square > SQUARES)
                    throw std::invalid_argument("there is no square " + std::to_string(square));
                const Bits here = bit(index_of(square));
                const bool king = (p.kings() & here) != 0;
                if (p.black() & here) return king ? "B" : "b";
                if (p.white() & here) return king ? "W" : "w";
                return std::nullopt;
            },
            "square"_a, "'b' or 'w' for a man, 'B' or 'W' for a king, None for an empty square.")
        .def("__str__", &draw);
    bindings::bind_rules<8>(
        position, "crossboard.draughts.drawing",
        {.is_over = "Whether there is no legal move; draws belong to the record of a game.",
         .after = "Return the position after a move; raise IllegalMove, which says why not.",
         .parse_move =
             "Find the legal move written as 11-15, 22x15, 22x8 (if only one jump leads there) or\n"
             "with some or all landings; raise IllegalMove or AmbiguousMove.",
         .perft = "Count the leaves of the move tree, every route of a jump by itself."});
    bindings::bind_as_text<format_fen, parse_fen>(position, "Position.from_fen");
}

void bind_past(nb::module_& m) {
    bindings::bind_past<Position>(m, "Plies since the last capture or move by a man.")
        .def_prop_ro("repetitions", &Past<Position>::repetitions,
                     "How often the last position has stood, this time included.")
        .def(
            "draw",
            [](const Past<Position>& past, const DrawRules& rules) {
                const char* why = reason(past.draw(rules));
                return why ? std::optional<const char*>(why) : std::nullopt;
            },
            "rules"_a, nb::sig("def draw(self, rules: crossboard._core.DrawRules) -> str | None"),
            "'repetition', 'quiet', 'length' or 'loop' if the rules end the game here.");
}

}  // namespace

void bind_draughts(nb::module_& m) {
    nb::exception<InvalidFen>(m, "InvalidFen", PyExc_ValueError);
    const auto illegal = nb::exception<IllegalMove>(m, "IllegalMove", PyExc_ValueError);
    nb::exception<AmbiguousMove>(m, "AmbiguousMove", illegal);
    bind_move(m);
    bindings::bind_legal_moves<Position>(
        m, "The legal moves of a position: iterable, countable, indexable, `in`.");
    bind_position(m);
    bind_past(m);
}
