// Python's view of Duchess: cells, moves, positions, and the past that draws depend on.
#include <nanobind/stl/optional.h>

#include "bindings/module.h"
#include "bindings/positions.h"
#include "rules/duchess/notation.h"
#include "rules/duchess/perft.h"
#include "rules/duchess/position.h"
#include "rules/quotation.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace crossboard;
using namespace crossboard::duchess;

namespace {

int check_players(int players) {
    if (!is_number_of_players(players))
        throw std::invalid_argument("Duchess is for 4 or 6 players, not " +
                                    std::to_string(players));
    return players;
}

// Seats count from one for people.
int seat_from(const Position& position, int number) {
    if (number < 1 || number > position.players())
        throw std::invalid_argument("there is no player " + std::to_string(number) +
                                    ": players are 1 to " + std::to_string(position.players()));
    return number - 1;
}

int cell_from(const Position& position, const std::string& name) {
    const std::optional<int> cell = parse_cell(name);
    if (!cell || !position.board().cells.has(*cell))
        throw std::invalid_argument("there is no cell " + quoted(name) + " with " +
                                    std::to_string(position.players()) + " players: " + CELL_NAMES +
                                    (position.players() == 4 ? ", but two flaps are folded" : ""));
    return *cell;
}

std::optional<std::string> text_of(Kind kind) {
    if (kind == Kind::none) return std::nullopt;
    return std::string(1, letter(kind));
}

nb::tuple cells_of(int players) {
    nb::list names;
    board_of(check_players(players)).cells.for_each([&](int cell) {
        names.append(format_cell(cell));
    });
    return nb::tuple(names);
}

nb::tuple sectors_of_players(int players) {
    nb::list sectors;
    for (int sector : sectors_of(check_players(players))) sectors.append(sector + 1);
    return nb::tuple(sectors);
}

void bind_move(nb::module_& m) {
    nb::class_<Move> move(m, "Move",
                          "A move as written: Move('N1b2-1a4'), Move('P1d6xV=Q'), Move('pass').");
    move.def(
            "__init__",
            [](Move* self, nb::str text) { new (self) Move(parse_written(utf8(text))); }, "text"_a,
            "Read a whole move, no position given; raise IllegalMove if it is none.")
        .def_prop_ro(
            "piece", [](const Move& self) { return text_of(self.kind); },
            "The letter of the piece that moves, one of KQDFWNRBP; None for a pass.")
        .def_prop_ro(
            "start",
            [](const Move& self) {
                return self.is_pass() ? std::nullopt : std::optional(format_cell(self.from));
            },
            "The cell it leaves; None for a pass.")
        .def_prop_ro(
            "end",
            [](const Move& self) {
                return self.is_pass() ? std::nullopt : std::optional(format_cell(self.to));
            },
            "The cell it goes to; None for a pass.")
        .def_prop_ro(
            "promotion", [](const Move& self) { return text_of(self.promoted); },
            "The letter of the piece that a pawn becomes, or None.")
        .def_ro("is_capture", &Move::is_capture)
        .def_prop_ro("is_pass", &Move::is_pass)
        .def("__hash__",
             [](const Move& self) {
                 return (self.from << 16 | self.to << 8 | index(self.kind) << 4 |
                         index(self.promoted)) +
                        1;
             })
        .def("__str__", &format_move);
    bindings::bind_as_text<format_move, parse_written>(move, "Move");
}

void bind_position(nb::module_& m) {
    nb::class_<Position> position(
        m, "Position", "Board, boxes and turn, with no past. A value: it never changes.");
    position
        .def(
            "__init__",
            [](Position* self, int players) { new (self) Position(check_players(players)); },
            "players"_a = 4, "Make the start position of 4 or 6 players.")
        .def_static(
            "from_text", [](nb::str text) { return parse_position(utf8(text)); }, "text"_a,
            "Read '4; 1:K1a1 P1c6; 2:K2a1; 3:K4a1; 4:K5a1; turn 1; box 1:Q,R'; raise\n"
            "InvalidPosition if it is none.")
        .def_prop_ro("text", &format_position,
                     "The position as text, pieces in the order of cells.")
        .def_prop_ro("players", &Position::players)
        .def_prop_ro(
            "turn", [](const Position& p) { return p.turn() + 1; },
            "Whose turn it is: 1 to players.")
        .def_prop_ro("flags", &format_flags,
                     "A character for every player: '.', 'c' in check, 'm' mated, 's' stalemated.\n"
                     "Mated and stalemated is who could not move were it his turn now.")
        .def_prop_ro("must_pass", &Position::must_pass,
                     "Whether the player on turn is skipped: after('pass').")
        .def_prop_ro(
            "winner",
            [](const Position& p) -> std::optional<const char*> {
                const std::optional<Team> winner = p.winner();
                return winner ? std::optional(name_of(*winner)) : std::nullopt;
            },
            nb::sig("def winner(self) -> str | None"), "'odd' or 'even' once that team has won.")
        .def_prop_ro("rotated", &Position::rotated,
                     "The same position with all players moved on, by one seat of six or two of "
                     "four.")
        .def(
            "cell",
            [](const Position& p, nb::str name) { return format_cell(cell_from(p, utf8(name))); },
            "name"_a,
            "Return a cell's name as positions have it: cells between two sectors have two; raise\n"
            "ValueError if there is none.")
        .def(
            "piece_at",
            [](const Position& p, nb::str name) -> std::optional<std::string> {
                const std::optional<Piece> piece = p.piece_at(cell_from(p, utf8(name)));
                if (!piece) return std::nullopt;
                return std::to_string(piece->seat + 1) + letter(piece->kind);
            },
            "cell"_a, "Player and piece, such as '1K'; None for an empty cell.")
        .def(
            "pieces",
            [](const Position& p, int number) {
                nb::list pieces;
                p.pieces(seat_from(p, number)).for_each([&](int cell) {
                    pieces.append(letter(p.kind_at(cell)) + format_cell(cell));
                });
                return nb::tuple(pieces);
            },
            "player"_a, nb::sig("def pieces(self, player: int) -> tuple[str, ...]"),
            "One player's pieces with their cells, such as 'K1c1', in the order of cells.")
        .def(
            "box",
            [](const Position& p, int number) {
                std::string letters;
                for (Kind kind : ALL_KINDS)
                    if (kind != Kind::king)
                        letters.append(p.box(seat_from(p, number)).count(kind), letter(kind));
                return letters;
            },
            "player"_a, "The letters of one player's captured pieces, strongest first.")
        .def(
            "__str__",
            [](nb::handle self) {
                return nb::module_::import_("crossboard.duchess.drawing").attr("draw")(self);
            },
            nb::sig("def __str__(self) -> str"));
    bindings::bind_rules<4>(
        position, "crossboard.duchess.drawing",
        {.is_over = "Whether a team is mated to the last player, or nobody can move; the draw by\n"
                    "quiet plies belongs to the record of a game.",
         .after =
             "Return the position after a move, or after 'pass' where the player cannot move;\n"
             "raise IllegalMove, which says why not.",
         .parse_move = "Find the legal move written as N1b2-1a4 or 1b2-1a4; raise IllegalMove.",
         .perft = "Count the leaves of the move tree; a forced pass is one move."});
    bindings::bind_as_text<format_position, parse_position>(position, "Position.from_text");
}

void bind_past(nb::module_& m) {
    bindings::bind_past<Position>(
        m, "Plies since the last capture or promotion, skipped turns included.")
        .def_prop_ro(
            "is_drawn",
            [](const Past<Position>& past) { return past.draw(DRAW_RULES) != Draw::none; },
            "Whether there were too many quiet plies.");
    m.attr("MAX_QUIET_PLIES") = DRAW_RULES.quiet_plies;
}

}  // namespace

void bind_duchess(nb::module_& m) {
    nb::exception<InvalidPosition>(m, "InvalidPosition", PyExc_ValueError);
    nb::exception<IllegalMove>(m, "IllegalMove", PyExc_ValueError);
    m.def("cells", &cells_of, "players"_a = 4,
          nb::sig("def cells(players: int = 4) -> tuple[str, ...]"),
          "The names of all cells, in their order.");
    m.def("sectors", &sectors_of_players, "players"_a = 4,
          nb::sig("def sectors(players: int = 4) -> tuple[int, ...]"),
          "The sectors in which the players sit, in order of play.");
    bind_move(m);
    bindings::bind_legal_moves<Position>(
        m,
        "The legal moves of a position: iterable, countable, indexable, `in`.\n"
        "Empty for a player who must pass.");
    bind_position(m);
    bind_past(m);
}
