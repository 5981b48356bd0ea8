// Python's view of draughts positions, moves and draws.
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings/module.h"
#include "bindings/text.h"
#include "rules/draughts/notation.h"
#include "rules/draughts/perft.h"
#include "rules/draughts/position.h"
#include "rules/past.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace crossboard;
using namespace crossboard::draughts;

namespace {

// The moves of a position, made when they are asked for.
struct LegalMoves {
    Position position;
};

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

nb::tuple tuple_of(const LegalMoves& legal) {
    const auto moves = legal.position.legal_moves();
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
    constexpr int PLIES_WITHOUT_A_LOOK = 8;
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
    nb::class_<Move>(m, "Move", "A step or a whole multi-jump: Move('11-15'), Move('22x15x8').")
        .def(
            "__init__", [](Move* self, nb::str text) { new (self) Move(parse_path(utf8(text))); },
            "text"_a, "Read a whole path, 11-15 or 22x15x8; raise IllegalMove if it is none.")
        .def_prop_ro(
            "path", [](const Move& move) { return nb::tuple(nb::cast(path_of(move))); },
            nb::sig("def path(self) -> tuple[int, ...]"),
            "The squares touched: start, landings, end.")
        .def_prop_ro("start", [](const Move& move) { return square_at(move.from); })
        .def_prop_ro("end", [](const Move& move) { return square_at(move.to); })
        .def_prop_ro(
            "captured", [](const Move& move) { return squares_of(move.captured); },
            nb::sig("def captured(self) -> tuple[int, ...]"),
            "The squares of the pieces taken, sorted.")
        .def_prop_ro("is_capture", &Move::is_capture)
        .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__",
             [](const Move& move) {
                 return (std::uint64_t{move.route} << 12 | move.from << 6 | move.to) + 1;
             })
        .def("__str__", &format_move)
        .def("__repr__", [](const Move& move) { return "Move('" + format_move(move) + "')"; })
        .def("__getstate__", &format_move)
        .def("__setstate__",
             [](Move& self, std::string_view text) { new (&self) Move(parse_path(text)); });
}

void bind_legal_moves(nb::module_& m) {
    nb::class_<LegalMoves>(m, "LegalMoves",
                           "The legal moves of a position: iterable, countable, indexable, `in`.")
        .def("__len__", [](const LegalMoves& legal) { return legal.position.count_moves(); })
        .def("__bool__", [](const LegalMoves& legal) { return !legal.position.is_over(); })
        .def(
            "__iter__", [](const LegalMoves& legal) { return nb::iter(tuple_of(legal)); },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[Move]"))
        .def("__getitem__",
             [](const LegalMoves& legal, int index) {
                 const int size = legal.position.count_moves();
                 if (index < -size || index >= size) throw nb::index_error("no such move");
                 return legal.position.move_at(index < 0 ? index + size : index);
             })
        .def("__contains__", [](const LegalMoves& legal,
                                const Move& move) { return is_legal(legal.position, move); })
        .def("__contains__",
             [](const LegalMoves& legal, nb::str text) {
                 try {
                     parse_move(legal.position, utf8(text));
                     return true;
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
                const auto moves = legal.position.legal_moves();
                for (int i = 0; i < moves.size(); ++i)
                    if (moves[i] == move) return i;
                throw nb::value_error((format_move(move) + " is not among the moves").c_str());
            },
            "move"_a, "Where a move stands; raise ValueError if it is none of them.")
        .def(
            "count",
            [](const LegalMoves& legal, const Move& move) {
                return is_legal(legal.position, move) ? 1 : 0;
            },
            "move"_a)
        .def("__repr__", [](const LegalMoves& legal) {
            std::string list;
            for (const Move& move : legal.position.legal_moves())
                list += (list.empty() ? "" : ", ") + format_move(move);
            return "<LegalMoves: " + list + ">";
        });
}

void bind_position(nb::module_& m) {
    nb::class_<Position>(m, "Position", "Board and turn, with no past. A value: it never changes.")
        .def(nb::init<>(), "Make the start position.")
        .def_static(
            "from_fen", [](nb::str fen) { return parse_fen(utf8(fen)); }, "fen"_a,
            "Read a FEN such as 'W:W21-32,K5:B1-12'; raise InvalidFen if it is none.")
        .def_prop_ro("fen", &format_fen, "The position as FEN, squares sorted, White first.")
        .def_prop_ro(
            "turn", [](const Position& p) { return letter(p.turn()); }, "'B' or 'W'.")
        .def_prop_ro("legal_moves", [](const Position& p) { return LegalMoves{p}; })
        .def_prop_ro("has_capture", &Position::has_capture,
                     "Whether the side to move must capture.")
        .def_prop_ro("is_over", &Position::is_over,
                     "Whether there is no legal move; draws belong to the record of a game.")
        .def_prop_ro(
            "winner",
            [](const Position& p) -> std::optional<const char*> {
                if (!p.is_over()) return std::nullopt;
                return letter(opponent(p.turn()));
            },
            nb::sig("def winner(self) -> str | None"),
            "'B' or 'W' once the game is over: the side to move has lost.")
        .def_prop_ro("key", &Position::key, "The Zobrist key, 64 bits.")
        .def_prop_ro("mirrored", &Position::mirrored,
                     "The same position for the other side: board turned, colours exchanged.")
        .def("after", &after, "move"_a)
        .def(
            "after",
            [](const Position& p, nb::str text) { return p.after(parse_move(p, utf8(text))); },
            "move"_a, "Return the position after a move; raise IllegalMove, which says why not.")
        .def(
            "parse_move", [](const Position& p, nb::str text) { return parse_move(p, utf8(text)); },
            "text"_a,
            "Find the legal move written as 11-15, 22x15, 22x8 (if only one jump leads there) or\n"
            "with some or all landings; raise IllegalMove or AmbiguousMove.")
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
        .def(
            "perft",
            [](const Position& p, std::int64_t depth) {
                // No machine gets beyond a few dozen plies.
                if (depth < 0 || depth > 1000)
                    throw std::invalid_argument("depth must be 0 to 1000, not " +
                                                std::to_string(depth));
                return interruptible_perft(p, static_cast<int>(depth));
            },
            "depth"_a, "Count the leaves of the move tree, every route of a jump by itself.")
        .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const Position& p) { return p.key(); })
        .def("__str__", &draw)
        .def("__repr__",
             [](const Position& p) { return "Position.from_fen('" + format_fen(p) + "')"; })
        .def(
            "_repr_svg_",
            [](nb::handle self) {
                return nb::module_::import_("crossboard.draughts.drawing").attr("svg")(self);
            },
            nb::sig("def _repr_svg_(self) -> str"))
        .def("__getstate__", &format_fen)
        .def("__setstate__",
             [](Position& self, std::string_view fen) { new (&self) Position(parse_fen(fen)); });
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
                     "Plies since the last capture or move by a man.")
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
    bind_legal_moves(m);
    bind_position(m);
    bind_past(m);
}
