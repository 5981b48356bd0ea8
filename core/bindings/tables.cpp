// Python's view of endgame tables: probing, checking and building them.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/module.h"
#include "tables/builder.h"
#include "tables/endgame_tables.h"
#include "tables/probe_timing.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace crossboard;
using namespace crossboard::tables;
using draughts::Position;

namespace {

// Black's men and kings, White's men and kings, for Black to move.
using Numbers = std::tuple<int, int, int, int>;

Numbers numbers_of(const Slice& slice) {
    return {slice.men, slice.kings, slice.other_men, slice.other_kings};
}

Slice slice_from(const Numbers& numbers) {
    const auto [men, kings, other_men, other_kings] = numbers;
    for (const int pieces : {men, kings, other_men, other_kings})
        if (pieces < 0 || pieces > MOST_PIECES)
            throw std::invalid_argument("a slice has from 0 to " + std::to_string(MOST_PIECES) +
                                        " pieces of each kind");
    const auto small = [](int number) { return static_cast<std::uint8_t>(number); };
    const Slice slice{small(men), small(kings), small(other_men), small(other_kings)};
    if (!slice.has_both_sides() || slice.pieces() > MOST_PIECES)
        throw std::invalid_argument("a slice has pieces on both sides, and at most " +
                                    std::to_string(MOST_PIECES));
    return slice;
}

void bind_endgame_tables(nb::module_& m) {
    nb::class_<EndgameTables>(m, "EndgameTables",
                              "Endgame tables of a folder; threads may share them.")
        .def_static(
            "open",
            [](const std::filesystem::path& folder) {
                nb::gil_scoped_release release;
                return EndgameTables::open(folder);
            },
            "folder"_a, nb::sig("def open(folder: str | os.PathLike[str]) -> EndgameTables"),
            "Open what is there: tables of 0 pieces where there is none. Raises TablesError for a\n"
            "file that is truncated, foreign, of another version or damaged in its header.")
        .def_prop_ro("pieces", &EndgameTables::pieces,
                     "All slices with up to so many pieces are there.")
        .def_prop_ro("distance_pieces", &EndgameTables::distance_pieces,
                     "All slices with up to so many pieces have their distances.")
        .def(
            "probe",
            [](const EndgameTables& tables, const Position& position) -> std::optional<int> {
                const auto outcome = tables.probe(position);
                return outcome ? std::optional(static_cast<int>(*outcome) - 1) : std::nullopt;
            },
            "position"_a,
            "Return 1, 0 or -1 if the side to move wins, draws or loses; None if no table knows.")
        .def("distance", &EndgameTables::distance, "position"_a,
             "Return the plies to the next capture or promotion with best play, None for draws.")
        .def(
            "probe_seconds",
            [](const EndgameTables& tables, const std::vector<Position>& positions, int times) {
                for (const Position& position : positions)
                    if (position.has_capture())
                        throw std::invalid_argument("searches probe no position with a capture");
                nb::gil_scoped_release release;
                return probe_seconds(tables, positions, times);
            },
            "positions"_a, "times"_a,
            "Return the seconds of processor time for probing positions without captures so often.")
        .def("take_warning", &EndgameTables::take_warning,
             "Return, once, which block proved to be damaged.")
        .def_prop_ro(
            "slices",
            [](const EndgameTables& tables) {
                std::vector<std::tuple<Numbers, std::uint64_t, std::uint64_t, std::uint64_t>> list;
                for (const TableFile* file : tables.files(Content::outcomes)) {
                    const auto& [loss, draw, win] = file->counts();
                    list.emplace_back(numbers_of(file->index().slice()), win, draw, loss);
                }
                return list;
            },
            "Each slice as Black's men and kings and White's men and kings, with the positions\n"
            "that Black, to move, wins, draws and loses.");
}

void bind_builder(nb::module_& m) {
    nb::class_<TablesBuilder>(m, "TablesBuilder", "Builds tables slice by slice.")
        .def(
            "__init__",
            [](TablesBuilder* self, int workers) {
                if (workers < 1) throw std::invalid_argument("workers must be at least 1");
                new (self) TablesBuilder(workers);
            },
            nb::kw_only(), "workers"_a)
        .def(
            "build",
            [](TablesBuilder& builder, const Numbers& slice, const nb::callable& progress) {
                std::vector<TablesBuilder::NamedFile> files;
                const auto is_interrupted = [&progress](double share) {
                    nb::gil_scoped_acquire acquire;
                    try {
                        progress(share);
                    } catch (nb::python_error& error) {
                        error.restore();
                        return true;
                    }
                    return PyErr_CheckSignals() != 0;
                };
                {
                    nb::gil_scoped_release release;
                    files = builder.build(slice_from(slice), is_interrupted);
                }
                if (PyErr_Occurred()) throw nb::python_error();
                std::vector<std::pair<std::string, nb::bytes>> told;
                for (const auto& [name, bytes] : files)
                    told.emplace_back(name, nb::bytes(bytes.data(), bytes.size()));
                return told;
            },
            "slice"_a, "progress"_a,
            nb::sig("def build(self, slice: tuple[int, int, int, int], "
                    "progress: collections.abc.Callable[[float], object]) "
                    "-> list[tuple[str, bytes]]"),
            "Solve a slice and its swap; return the names and contents of their files. Slices\n"
            "with fewer pieces, or as many and fewer men, must have been built or loaded.\n"
            "`progress` is called with the share that is done.")
        .def(
            "load",
            [](TablesBuilder& builder, const std::filesystem::path& folder, const Numbers& slice) {
                nb::gil_scoped_release release;
                builder.load(folder, slice_from(slice));
            },
            "folder"_a, "slice"_a,
            nb::sig("def load(self, folder: str | os.PathLike[str], "
                    "slice: tuple[int, int, int, int]) -> None"),
            "Take a slice and its swap from their files; raise TablesError if they are not whole.")
        .def("drop_before", &TablesBuilder::drop_before, "pieces"_a, "men"_a,
             "Forget what no slice with so many pieces and men, or more men, needs.");
}

}  // namespace

void bind_tables(nb::module_& m) {
    nb::exception<TablesError>(m, "TablesError", PyExc_ValueError);
    m.attr("MOST_TABLE_PIECES") = MOST_PIECES;
    bind_endgame_tables(m);
    bind_builder(m);
    m.def(
        "table_slices",
        [](int pieces) {
            std::vector<Numbers> slices;
            for (const Slice& slice : slices_with(pieces)) slices.push_back(numbers_of(slice));
            return slices;
        },
        "pieces"_a,
        "Return the slices with so many pieces, in an order in which they can be built.");
    m.def(
        "table_size", [](const Numbers& slice) { return SliceIndex(slice_from(slice)).size(); },
        "slice"_a, "Return how many positions a slice has, with Black to move.");
    m.def(
        "table_memory", [](const Numbers& slice) { return PairSolver::memory(slice_from(slice)); },
        "slice"_a, "Return the bytes that solving a slice takes, beside what is solved.");
    m.def(
        "table_file_names",
        [](const Numbers& slice) {
            return std::pair(file_name(slice_from(slice), Content::outcomes),
                             file_name(slice_from(slice), Content::distances));
        },
        "slice"_a, "Return the names of the files of a slice: outcomes, distances.");
    m.def(
        "check_table",
        [](const std::filesystem::path& folder, const Numbers& slice) {
            nb::gil_scoped_release release;
            check_files(folder, slice_from(slice));
        },
        "folder"_a, "slice"_a,
        nb::sig("def check_table(folder: str | os.PathLike[str], "
                "slice: tuple[int, int, int, int]) -> None"),
        "Read both files of a slice, block by block; raise TablesError if they are not whole.");
}
