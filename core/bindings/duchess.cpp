// Python's view of Duchess: cells, moves, positions, and the past that draws depend on.
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "bindings/module.h"
#include "bindings/text.h"
#include "rules/duchess/notation.h"
#include "rules/duchess/perft.h"
#include "rules/duchess/position.h"
#include "rules/past.h"
#include "rules/quotation.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace crossboard;
using namespace crossboard::duchess;

// Named: what two files hide in unnamed namespaces is one type for nanobind.
namespace crossboard::duchess {

// The moves of a position, made when they are asked for. A forced pass is none of them.
struct LegalMoves {
    Position position;

    int size() const { return position.can_move(position.turn()) ? position.count_moves() : 0; }
    Position::Moves moves() const {
        return position.can_move(position.turn()) ? position.legal_moves() : Position::Moves();
    }
};

}  // namespace crossboard::duchess

namespace {

int check_players(int players) {
    if (players != 4 && players != 6)
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

nb::tuple tuple_of(const LegalMoves& legal) {
    const auto moves = legal.moves();
    nb::object tuple = nb::steal(PyTuple_New(moves.size()));
    for (int i = 0; i < moves.size(); ++i)
        PyTuple_SET_ITEM(tuple.ptr(), i, nb::cast(moves[i]).release().ptr());
    return nb::borrow<nb::tuple>(tuple);
}

Position after(const Position& position, const Move& move) {
    require_legal(position, move);
    return position.after(move);
}

// Shallow trees in one go; above them Ctrl-C is looked for now and then.
std::uint64_t interruptible_perft(const Position& position, int depth) {
    constexpr int PLIES_WITHOUT_A_LOOK = 4;
    if (depth <= PLIES_WITHOUT_A_LOOK) {
        nb::gil_scoped_release release;
        return perft(position, depth);
    }
    std::uint64_t leaves = 0;
    for (const Move& move : position.legal_moves()) {
        leaves += interruptible_perft(position.after(move), depth - 1);
        if (PyErr_CheckSignals()) throw nb::python_error();
    }
    return leaves;
}

void bind_move(nb::module_& m) {
    nb::class_<Move>(m, "Move",
                     "A move as written: Move('N1b2-1a4'), Move('P1d6xV=Q'), Move('pass').")
        .def(
            "__init__",
            [](Move* self, nb::str text) { new (self) Move(parse_written(utf8(text))); }, "text"_a,
            "Read a whole move, no position given; raise IllegalMove if it is none.")
        .def_prop_ro(
            "piece", [](const Move& move) { return text_of(move.kind); },
            "The letter of the piece that moves, one of KQDFWNRBP; None for a pass.")
        .def_prop_ro(
            "start",
            [](const Move& move) {
                return move.is_pass() ? std::nullopt : std::optional(format_cell(move.from));
            },
            "The cell it leaves; None for a pass.")
        .def_prop_ro(
            "end",
            [](const Move& move) {
                return move.is_pass() ? std::nullopt : std::optional(format_cell(move.to));
            },
            "The cell it goes to; None for a pass.")
        .def_prop_ro(
            "promotion", [](const Move& move) { return text_of(move.promoted); },
            "The letter of the piece that a pawn becomes, or None.")
        .def_ro("is_capture", &Move::is_capture)
        .def_prop_ro("is_pass", &Move::is_pass)
        .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__",
             [](const Move& move) {
                 return (move.from << 16 | move.to << 8 | index(move.kind) << 4 |
                         index(move.promoted)) +
                        1;
             })
        .def("__str__", &format_move)
        .def("__repr__", [](const Move& move) { return "Move('" + format_move(move) + "')"; })
        .def("__getstate__", &format_move)
        .def("__setstate__",
             [](Move& self, std::string_view text) { new (&self) Move(parse_written(text)); });
}

void bind_legal_moves(nb::module_& m) {
    nb::class_<LegalMoves>(m, "LegalMoves",
                           "The legal moves of a position: iterable, countable, indexable, `in`.\n"
                           "Empty for a player who must pass.")
        .def("__len__", &LegalMoves::size)
        .def("__bool__",
             [](const LegalMoves& legal) { return legal.position.can_move(legal.position.turn()); })
        .def(
            "__iter__", [](const LegalMoves& legal) { return nb::iter(tuple_of(legal)); },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[Move]"))
        .def("__getitem__",
             [](const LegalMoves& legal, int index) {
                 const auto moves = legal.moves();
                 const int size = moves.size();
                 if (index < -size || index >= size) throw nb::index_error("no such move");
                 return moves[index < 0 ? index + size : index];
             })
        .def("__contains__",
             [](const LegalMoves& legal, const Move& move) {
                 return !move.is_pass() && is_legal(legal.position, move);
             })
        .def("__contains__",
             [](const LegalMoves& legal, nb::str text) {
                 try {
                     return !parse_move(legal.position, utf8(text)).is_pass();
                 } catch (const IllegalMove&) {
                     return false;
                 }
             })
        .def(
            "__contains__", [](const LegalMoves&, nb::object) { return false; }, "other"_a.none())
        .def(
            "__getitem__",
            [](const LegalMoves& legal, nb::slice slice) {
                return nb::steal(PyObject_GetItem(tuple_of(legal).ptr(), slice.ptr()));
            },
            nb::sig("def __getitem__(self, index: slice, /) -> tuple[Move, ...]"))
        .def(
            "index",
            [](const LegalMoves& legal, const Move& move) {
                const auto moves = legal.moves();
                for (int i = 0; i < moves.size(); ++i)
                    if (moves[i] == move) return i;
                throw nb::value_error((format_move(move) + " is not among the moves").c_str());
            },
            "move"_a, "Where a move stands; raise ValueError if it is none of them.")
        .def(
            "count",
            [](const LegalMoves& legal, const Move& move) {
                return !move.is_pass() && is_legal(legal.position, move) ? 1 : 0;
            },
            "move"_a)
        .def("__repr__", [](const LegalMoves& legal) {
            std::string list;
            for (const Move& move : legal.moves())
                list += (list.empty() ? "" : ", ") + format_move(move);
            return "<LegalMoves: " + list + ">";
        });
}

void bind_position(nb::module_& m) {
    nb::class_<Position>(m, "Position",
                         "Board, boxes and turn, with no past. A value: it never changes.")
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
        .def_prop_ro("legal_moves", [](const Position& p) { return LegalMoves{p}; })
        .def_prop_ro("must_pass", &Position::must_pass,
                     "Whether the player on turn is skipped: after('pass').")
        .def_prop_ro("is_over", &Position::is_over,
                     "Whether a team is mated to the last player, or nobody can move; the draw by\n"
                     "quiet plies belongs to the record of a game.")
        .def_prop_ro(
            "winner",
            [](const Position& p) -> std::optional<const char*> {
                const std::optional<Team> winner = p.winner();
                return winner ? std::optional(name_of(*winner)) : std::nullopt;
            },
            nb::sig("def winner(self) -> str | None"), "'odd' or 'even' once that team has won.")
        .def_prop_ro("key", &Position::key, "The Zobrist key, 64 bits.")
        .def_prop_ro("rotated", &Position::rotated,
                     "The same position with all players moved on, by one seat of six or two of "
                     "four.")
        .def("after", &after, "move"_a)
        .def(
            "after",
            [](const Position& p, nb::str text) { return p.after(parse_move(p, utf8(text))); },
            "move"_a,
            "Return the position after a move, or after 'pass' where the player cannot move;\n"
            "raise IllegalMove, which says why not.")
        .def(
            "parse_move", [](const Position& p, nb::str text) { return parse_move(p, utf8(text)); },
            "text"_a, "Find the legal move written as N1b2-1a4 or 1b2-1a4; raise IllegalMove.")
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
            "perft",
            [](const Position& p, std::int64_t depth) {
                // No machine gets beyond a few dozen plies.
                if (depth < 0 || depth > 1000)
                    throw std::invalid_argument("depth must be 0 to 1000, not " +
                                                std::to_string(depth));
                return interruptible_perft(p, static_cast<int>(depth));
            },
            "depth"_a, "Count the leaves of the move tree; a forced pass is one move.")
        .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const Position& p) { return p.key(); })
        .def("__repr__",
             [](const Position& p) { return "Position.from_text('" + format_position(p) + "')"; })
        .def(
            "__str__",
            [](nb::handle self) {
                return nb::module_::import_("crossboard.duchess.drawing").attr("draw")(self);
            },
            nb::sig("def __str__(self) -> str"))
        .def(
            "_repr_svg_",
            [](nb::handle self) {
                return nb::module_::import_("crossboard.duchess.drawing").attr("svg")(self);
            },
            nb::sig("def _repr_svg_(self) -> str"))
        .def("__getstate__", &format_position)
        .def("__setstate__", [](Position& self, std::string_view text) {
            new (&self) Position(parse_position(text));
        });
}

void bind_past(nb::module_& m) {
    nb::class_<Past<Position>>(m, "Past", "The part of a game's history that draws depend on.")
        .def(nb::init<const Position&>(), "start"_a)
        .def(
            "add",
            [](Past<Position>& past, const Position& before, const Move& move) {
                past.add(before, move, after(before, move));
            },
            "before"_a, "move"_a, "Note that `move` was played in `before`.")
        .def_prop_ro("plies", &Past<Position>::plies)
        .def_prop_ro("quiet_plies", &Past<Position>::quiet_plies,
                     "Plies since the last capture or promotion, skipped turns included.")
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
    bind_legal_moves(m);
    bind_position(m);
    bind_past(m);
}
