// Python's view of positions, moves and the past, as far as it is the same for any game.
#pragma once

#include <nanobind/operators.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <stdexcept>
#include <string>

#include "bindings/text.h"
#include "rules/past.h"
#include "rules/perft.h"
#include "rules/position.h"

// Named: what two files hide in unnamed namespaces is one type for nanobind. What a game's notation
// offers (format_move, parse_move, require_legal) is found in the namespace of its positions.
namespace crossboard::bindings {

namespace nb = nanobind;
using namespace nb::literals;

// The moves of a position, made when they are asked for. A forced pass is none of them.
template <GamePosition P>
struct LegalMoves {
    using Move = typename P::Move;

    P position;

    bool must_pass() const {
        if constexpr (requires { position.must_pass(); }) {
            return position.must_pass();
        } else {
            return false;
        }
    }
    bool empty() const { return must_pass() || position.is_over(); }
    int size() const { return must_pass() ? 0 : position.count_moves(); }
    typename P::Moves moves() const {
        return must_pass() ? typename P::Moves() : position.legal_moves();
    }
    bool has(const Move& move) const { return moves().has(move); }
    bool has(const std::string& text) const {
        try {
            return has(parse_move(position, text));
        } catch (const std::invalid_argument&) {  // it is no legal move, or not one alone
            return false;
        }
    }
    Move at(int index) const {
        const int count = size();
        if (index < -count || index >= count) throw nb::index_error("no such move");
        return position.move_at(index < 0 ? index + count : index);
    }
    int index_of(const Move& move) const {
        const auto all = moves();
        for (int i = 0; i < all.size(); ++i)
            if (all[i] == move) return i;
        throw nb::value_error((format_move(move) + " is not among the moves").c_str());
    }
    nb::tuple tuple() const {
        const auto all = moves();
        nb::object tuple = nb::steal(PyTuple_New(all.size()));
        for (int i = 0; i < all.size(); ++i)
            PyTuple_SET_ITEM(tuple.ptr(), i, nb::cast(all[i]).release().ptr());
        return nb::borrow<nb::tuple>(tuple);
    }
    std::string list() const {
        std::string list;
        for (const Move& move : moves()) list += (list.empty() ? "" : ", ") + format_move(move);
        return list;
    }
};

template <GamePosition P>
void bind_legal_moves(nb::module_& m, const char* doc) {
    using Legal = LegalMoves<P>;
    using Move = typename P::Move;
    nb::class_<Legal>(m, "LegalMoves", doc)
        .def("__len__", &Legal::size)
        .def("__bool__", [](const Legal& legal) { return !legal.empty(); })
        .def(
            "__iter__", [](const Legal& legal) { return nb::iter(legal.tuple()); },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[Move]"))
        .def("__getitem__", &Legal::at)
        .def("__contains__", [](const Legal& legal, const Move& move) { return legal.has(move); })
        .def("__contains__", [](const Legal& legal, nb::str text) { return legal.has(utf8(text)); })
        .def(
            "__contains__", [](const Legal&, nb::object) { return false; }, "other"_a.none())
        .def(
            "__getitem__",
            [](const Legal& legal, nb::slice slice) {
                return nb::steal(PyObject_GetItem(legal.tuple().ptr(), slice.ptr()));
            },
            nb::sig("def __getitem__(self, index: slice, /) -> tuple[Move, ...]"))
        .def("index", &Legal::index_of, "move"_a,
             "Return the index of a move; raise ValueError if it is not legal.")
        .def(
            "count", [](const Legal& legal, const Move& move) { return legal.has(move) ? 1 : 0; },
            "move"_a)
        .def("__repr__", [](const Legal& legal) { return "<LegalMoves: " + legal.list() + ">"; });
}

template <GamePosition P>
P after(const P& position, const typename P::Move& move) {
    require_legal(position, move);
    return position.after(move);
}

// Shallow trees in one go; above them Ctrl-C is looked for now and then.
template <GamePosition P>
std::uint64_t interruptible_perft(const P& position, int depth, int plies_without_a_look) {
    if (depth <= plies_without_a_look) {
        nb::gil_scoped_release release;
        return perft(position, depth);
    }
    std::uint64_t leaves = 0;
    for (const auto& move : position.legal_moves()) {
        leaves += interruptible_perft(position.after(move), depth - 1, plies_without_a_look);
        if (PyErr_CheckSignals()) throw nb::python_error();
    }
    return leaves;
}

template <GamePosition P>
std::uint64_t checked_perft(const P& position, std::int64_t depth, int plies_without_a_look) {
    // No machine gets beyond a few dozen plies.
    if (depth < 0 || depth > 1000)
        throw std::invalid_argument("depth must be 0 to 1000, not " + std::to_string(depth));
    return interruptible_perft(position, static_cast<int>(depth), plies_without_a_look);
}

// A value that is its text: `Format` writes what `Parse` reads, and `maker` calls `Parse` in
// Python.
template <auto Format, auto Parse, class T>
void bind_as_text(nb::class_<T>& value, const char* maker) {
    value.def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__repr__",
             [maker](const T& self) { return std::string(maker) + "('" + Format(self) + "')"; })
        .def("__getstate__", [](const T& self) { return Format(self); })
        .def("__setstate__", [](T& self, std::string_view text) { new (&self) T(Parse(text)); });
}

// What the games say about the same methods.
struct PositionDocs {
    const char *is_over, *after, *parse_move, *perft;
};

// `drawing` is the module that draws it as SVG.
template <int PliesWithoutALook, GamePosition P>
void bind_rules(nb::class_<P>& position, const char* drawing, const PositionDocs& docs) {
    position.def_prop_ro("legal_moves", [](const P& p) { return LegalMoves<P>{p}; })
        .def_prop_ro("is_over", &P::is_over, docs.is_over)
        .def_prop_ro("key", &P::key, "The Zobrist key, 64 bits.")
        .def("after", &after<P>, "move"_a)
        .def(
            "after", [](const P& p, nb::str text) { return p.after(parse_move(p, utf8(text))); },
            "move"_a, docs.after)
        .def(
            "parse_move", [](const P& p, nb::str text) { return parse_move(p, utf8(text)); },
            "text"_a, docs.parse_move)
        .def(
            "perft",
            [](const P& p, std::int64_t depth) {
                return checked_perft(p, depth, PliesWithoutALook);
            },
            "depth"_a, docs.perft)
        .def("__hash__", [](const P& p) { return p.key(); })
        .def(
            "_repr_svg_",
            [drawing](nb::handle self) { return nb::module_::import_(drawing).attr("svg")(self); },
            nb::sig("def _repr_svg_(self) -> str"));
}

// `quiet` says what makes a ply quiet.
template <GamePosition P>
nb::class_<Past<P>> bind_past(nb::module_& m, const char* quiet) {
    return nb::class_<Past<P>>(m, "Past", "The part of a game's history that draws depend on.")
        .def(nb::init<const P&>(), "start"_a)
        .def(
            "add",
            [](Past<P>& past, const P& before, const typename P::Move& move) {
                const P next = after(before, move);
                if (!past.stands_at(before))
                    throw std::invalid_argument(format_move(move) +
                                                " was not played in the last position: add all "
                                                "moves of the game in their order");
                past.add(before, move, next);
            },
            "before"_a, "move"_a,
            "Note that `move` was played in `before`; raise ValueError if the game does not stand\n"
            "there.")
        .def_prop_ro("plies", &Past<P>::plies)
        .def_prop_ro("quiet_plies", &Past<P>::quiet_plies, quiet);
}

}  // namespace crossboard::bindings
