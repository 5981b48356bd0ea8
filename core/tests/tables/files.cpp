// Files of tables that are not what was written, and tables that threads share.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include "check.h"
#include "tables/builder.h"
#include "tables/endgame_tables.h"
#include "tables_folder.h"

using namespace crossboard;
using namespace crossboard::tables;
using draughts::Position;

namespace {

const Slice TWO_KINGS{0, 2, 0, 1};

std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

// What opening says of the tables, with a file of the slice changed; nothing if it opens.
std::string complaint(const FileMap& files, Content content, const std::string& bytes) {
    const Folder folder(files);
    const auto path = folder.path / file_name(TWO_KINGS, content);
    write(path, bytes);
    try {
        EndgameTables::open(folder.path);
        return "";
    } catch (const TablesError& error) {
        const std::string message = error.what();
        CHECK(message.find(path.string()) == 0);
        CHECK(message.find("crossboard tables build --pieces 3 --folder " + folder.path.string() +
                           " --resume") != std::string::npos);
        return message;
    }
}

bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

void test_damaged_headers(const FileMap& files) {
    for (const Content content : {Content::outcomes, Content::distances}) {
        const std::string whole = files.at(file_name(TWO_KINGS, content));
        CHECK_EQUAL(complaint(files, content, whole), "");
        for (const std::size_t size :
             {std::size_t{0}, std::size_t{20}, std::size_t{71}, std::size_t{80}, whole.size() - 1})
            CHECK(contains(complaint(files, content, whole.substr(0, size)), "truncated"));
        CHECK(contains(complaint(files, content, whole + "x"), "too long"));
        CHECK(contains(complaint(files, content, std::string(whole.size(), 'x')), "no table"));
        std::string older = whole;
        older[16] = 0;
        CHECK(contains(complaint(files, content, older), "version 0"));
        const Content other = content == Content::outcomes ? Content::distances : Content::outcomes;
        CHECK(contains(complaint(files, content, files.at(file_name(TWO_KINGS, other))),
                       "something else"));
        CHECK(contains(complaint(files, content, files.at(file_name(TWO_KINGS.swapped(), content))),
                       "something else"));
    }
}

// Every bit before the blocks is guarded by opening, every bit behind by the block's checksum.
void test_every_flipped_bit(const FileMap& files) {
    const std::string whole = files.at(file_name(TWO_KINGS, Content::outcomes));
    const SliceIndex index(TWO_KINGS);
    const std::size_t blocks = (index.size() + BLOCK - 1) / BLOCK, start = 72 + 8 * blocks;
    const Folder folder(files);
    const auto path = folder.path / file_name(TWO_KINGS, Content::outcomes);
    for (std::size_t i = 0; i < 8 * whole.size(); i += i < 8 * start ? 1 : 5) {
        std::string damaged = whole;
        damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ 1 << i % 8);
        write(path, damaged);
        bool opens = true, checks = true;
        try {
            const TableFile file(folder.path, TWO_KINGS, Content::outcomes);
            for (std::size_t block = 0; block < blocks; ++block)
                if (!file.block(block)) checks = false;
        } catch (const TablesError&) {
            opens = false;
        }
        CHECK_EQUAL(opens, i >= 8 * start);
        CHECK(!opens || !checks);
    }
}

void test_missing_files(const FileMap& files) {
    const Folder folder(files);
    std::filesystem::remove(folder.path / file_name(TWO_KINGS, Content::distances));
    CHECK_EQUAL(EndgameTables::open(folder.path)->distance_pieces(), 2);
    CHECK_EQUAL(EndgameTables::open(folder.path)->pieces(), 3);
    std::filesystem::remove(folder.path / file_name(TWO_KINGS, Content::outcomes));
    CHECK_EQUAL(EndgameTables::open(folder.path)->pieces(), 2);
    CHECK_EQUAL(EndgameTables::open(folder.path / "nowhere")->pieces(), 0);
}

// A damaged block gives no value, nor does any other of its slice from then on, to any thread; one
// warning tells of it.
void test_damaged_block_while_threads_probe(const FileMap& files) {
    const Folder folder(files);
    const auto path = folder.path / file_name(TWO_KINGS, Content::outcomes);
    std::string damaged = contents(path);
    damaged.back() = static_cast<char>(damaged.back() ^ 1);
    write(path, damaged);
    const auto whole_folder = Folder(files);
    const auto tables = EndgameTables::open(folder.path);
    const auto whole = EndgameTables::open(whole_folder.path);
    const SliceIndex index(TWO_KINGS);
    std::atomic<int> wrong{0};
    const auto probe_all = [&] {
        for (std::uint64_t i = 0; i < index.size(); ++i) {
            const Position position = position_of(index.board_at(i));
            const auto outcome = tables->probe(position);
            // Captures lead to other slices.
            const bool is_damaged =
                i / BLOCK == (index.size() - 1) / BLOCK && !position.has_capture();
            wrong += outcome && (is_damaged || outcome != whole->probe(position));
        }
    };
    {
        std::jthread first(probe_all), second(probe_all);
    }
    CHECK_EQUAL(wrong.load(), 0);
    for (std::uint64_t i = 0; i < index.size(); ++i) {
        const Position position = position_of(index.board_at(i));
        if (!position.has_capture()) CHECK(!tables->probe_quiet(position));
        CHECK(!tables->distance(position) || position.has_capture());
    }
    const auto warning = tables->take_warning();
    CHECK(warning && contains(*warning, "0-2-0-1.outcomes: a block is damaged; rebuild it with"));
    CHECK(!tables->take_warning());
    CHECK(!whole->take_warning());
    CHECK(tables->probe(Position(bit(0), bit(34), bit(0) | bit(34), draughts::Colour::black)));
}

void test_what_no_table_knows(const FileMap& files) {
    const Folder folder(files);
    const auto tables = EndgameTables::open(folder.path);
    CHECK(!tables->probe(Position()) && !tables->distance(Position()));
    const Position four(bit(0) | bit(2), bit(32) | bit(34), 0, draughts::Colour::black);
    CHECK(!tables->probe(four) && !tables->probe_quiet(four));
    const Position alone(0, bit(34), 0, draughts::Colour::black);
    CHECK(tables->probe(alone) == Outcome::loss && !tables->probe_quiet(alone));
    CHECK(!tables->probe_quiet(Position(bit(0), 0, 0, draughts::Colour::black)));
}

}  // namespace

int main() {
    const FileMap files = build_all(3, 2);
    test_damaged_headers(files);
    test_every_flipped_bit(files);
    test_missing_files(files);
    test_damaged_block_while_threads_probe(files);
    test_what_no_table_knows(files);
    return check::report();
}
