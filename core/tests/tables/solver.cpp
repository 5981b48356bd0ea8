// Tables against a slow solver, position by position; and built on any number of threads, or in two
// goes, byte by byte. An argument is the number of pieces: 3 without.
#include <algorithm>
#include <cstdlib>

#include "check.h"
#include "slow_solver.h"
#include "tables/endgame_tables.h"
#include "tables_folder.h"

using namespace crossboard;
using namespace crossboard::tables;
using draughts::Colour;
using draughts::Position;

namespace {

void compare(const SlowSolver& slow, const EndgameTables& tables, const Position& position) {
    const auto expected = slow(position);
    const auto outcome = tables.probe(position);
    CHECK(outcome && static_cast<int>(*outcome) - 1 == expected.outcome);
    if (!position.has_capture()) CHECK(tables.probe_quiet(position) == outcome);
    const auto distance = tables.distance(position);
    CHECK(distance.has_value() == (expected.outcome != 0));
    if (distance) CHECK(*distance == expected.distance);
}

// Fewer pieces first, then fewer men, as captures and promotions lead.
void test_slices_equal_the_slow_solver(const EndgameTables& tables, int pieces) {
    SlowSolver slow;
    std::uint64_t counts[3] = {};
    for (int size = 2; size <= pieces; ++size)
        for (const Slice& slice : slices_with(size)) {
            const SlowSolver::Material material{slice.men, slice.kings, slice.other_men,
                                                slice.other_kings};
            slow.solve(material);
            std::uint64_t positions = 0;
            for (const Colour turn : {Colour::black, Colour::white})
                SlowSolver::for_each(material, turn, [&](const Position& position) {
                    compare(slow, tables, position);
                    positions += turn == Colour::black;
                    if (turn == Colour::black) ++counts[slow(position).outcome + 1];
                });
            CHECK(positions == SliceIndex(slice).size());
        }
    // Neither is trivial.
    for (const std::uint64_t count : counts) CHECK(count > 100);
}

void test_counts_of_files(const EndgameTables& tables, int pieces) {
    std::uint64_t listed = 0;
    for (const TableFile* file : tables.files(Content::outcomes)) {
        std::array<std::uint64_t, 3> counts{};
        for (std::uint64_t i = 0; i < file->index().size(); ++i)
            ++counts[static_cast<int>(*tables.probe(position_of(file->index().board_at(i))))];
        CHECK(counts == file->counts());
        ++listed;
    }
    std::uint64_t slices = 0;
    for (int size = 2; size <= pieces; ++size) slices += slices_with(size).size();
    CHECK(listed == slices);
}

void test_any_number_of_workers(const FileMap& files, int pieces) {
    for (const int workers : {2, 5}) CHECK(build_all(pieces, workers) == files);
}

// What is loaded has to serve as what was just built.
void test_building_on_loaded_slices(const FileMap& files, const Folder& folder, int pieces) {
    TablesBuilder builder(2);
    FileMap more;
    for (int size = 2; size < pieces; ++size) {
        std::vector<Slice> loaded;
        for (const Slice& slice : slices_with(size)) {
            if (std::find(loaded.begin(), loaded.end(), slice.swapped()) == loaded.end())
                builder.load(folder.path, slice);
            loaded.push_back(slice);
        }
    }
    build(builder, pieces, more);
    for (const auto& [name, bytes] : more) CHECK(files.at(name) == bytes);
    CHECK(more.size() == 2 * slices_with(pieces).size());
}

void test_building_needs_smaller_slices() {
    TablesBuilder builder(1);
    const auto never = [](double) { return false; };
    for (const Slice& slice : {Slice{0, 2, 0, 1}, Slice{0, 1, 1, 0}}) {
        bool is_refused = false;
        try {
            builder.build(slice, never);
        } catch (const std::invalid_argument&) {
            is_refused = true;
        }
        CHECK(is_refused);
    }
    CHECK_EQUAL(builder.build({0, 1, 0, 1}, never).size(), 2);
    CHECK_EQUAL(builder.build({0, 1, 1, 0}, never).size(), 4);
    CHECK_EQUAL(builder.build({0, 2, 0, 1}, never).size(), 4);
}

void test_interruption() {
    TablesBuilder builder(2);
    CHECK(builder.build({0, 1, 0, 1}, [](double) { return true; }).empty());
}

}  // namespace

int main(int arguments, char** argument) {
    const int pieces = arguments > 1 ? std::atoi(argument[1]) : 3;
    const FileMap files = build_all(pieces, 1);
    const Folder folder(files);
    const auto tables = EndgameTables::open(folder.path);
    CHECK(tables->pieces() == pieces && tables->distance_pieces() == pieces);
    test_slices_equal_the_slow_solver(*tables, pieces);
    test_counts_of_files(*tables, pieces);
    test_any_number_of_workers(files, pieces);
    test_building_on_loaded_slices(files, folder, pieces);
    test_building_needs_smaller_slices();
    test_interruption();
    return check::report();
}
