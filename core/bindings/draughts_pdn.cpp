// Python's view of games read from PDN: plain tuples, from which crossboard.draughts builds
// records.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/module.h"
#include "rules/draughts/pdn.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace crossboard::draughts;

namespace {

// PDN is UTF-8; old files are Latin-1, which every byte string is.
nb::str text(const std::string& bytes) {
    PyObject* decoded = PyUnicode_DecodeUTF8(bytes.data(), bytes.size(), nullptr);
    if (!decoded) {
        PyErr_Clear();
        decoded = PyUnicode_DecodeLatin1(bytes.data(), bytes.size(), nullptr);
    }
    return nb::steal<nb::str>(decoded);
}

nb::list texts(const std::vector<std::string>& all) {
    nb::list list;
    for (const std::string& one : all) list.append(text(one));
    return list;
}

nb::tuple error_tuple(const pdn::Error& error) {
    return nb::make_tuple(error.line, text(error.move), text(error.reason));
}

nb::object node_tuple(const pdn::Node& node) {
    const bool plain =
        node.move && node.comments.empty() && node.nags.empty() && node.comments_before.empty();
    if (plain) return nb::make_tuple(node.parent, *node.move);
    return nb::make_tuple(node.parent, node.move, node.position, texts(node.comments_before),
                          texts(node.comments), node.nags);
}

}  // namespace

void bind_draughts_pdn(nb::module_& m) {
    m.attr("MAX_NESTING") = pdn::MAX_NESTING;
    m.attr("MAX_NAG") = pdn::MAX_NAG;
    nb::class_<pdn::Game>(m, "PdnGame", "One game as read: tags, nodes, result, errors.")
        .def_prop_ro(
            "tags",
            [](const pdn::Game& game) {
                nb::dict tags;
                for (const auto& [name, value] : game.tags) tags[text(name)] = text(value);
                return tags;
            },
            nb::sig("def tags(self) -> dict[str, str]"))
        .def_prop_ro(
            "nodes",
            [](const pdn::Game& game) {
                nb::list nodes;
                for (const pdn::Node& node : game.nodes) nodes.append(node_tuple(node));
                return nodes;
            },
            nb::sig("def nodes(self) -> list[tuple[int, Move] | tuple[int, Move | None, Position, "
                    "list[str], list[str], list[int]]]"),
            "Parent's index and move; where there is more to say also the position, the\n"
            "comments before and after it, and the NAGs. The first is the start.")
        .def_prop_ro("moves", &pdn::Game::main_line, "The moves of the main line.")
        .def_prop_ro("result", [](const pdn::Game& game) { return text(game.result); })
        .def_ro("line", &pdn::Game::line, "Where it begins, from 1.")
        .def_prop_ro(
            "errors",
            [](const pdn::Game& game) {
                nb::list errors;
                for (const pdn::Error& error : game.errors) errors.append(error_tuple(error));
                return errors;
            },
            nb::sig("def errors(self) -> list[tuple[int, str, str]]"), "Line, move, reason.");
    nb::class_<pdn::Stream>(m, "PdnStream", "Reads the games of a text that comes in pieces.")
        .def(nb::init<>())
        .def(
            "feed",
            [](pdn::Stream& stream, nb::bytes piece) {
                stream.feed({piece.c_str(), piece.size()});
            },
            "piece"_a)
        .def("close", &pdn::Stream::close, "Say that no more pieces will come.")
        .def("next", &pdn::Stream::next,
             "Return the next game; None if another piece is needed or all is read.")
        .def_prop_ro(
            "failure",
            [](const pdn::Stream& stream) -> nb::object {
                if (!stream.failure()) return nb::none();
                return error_tuple(*stream.failure());
            },
            nb::sig("def failure(self) -> tuple[int, str, str] | None"),
            "Line, move and reason if reading had to stop before the end.");
}
