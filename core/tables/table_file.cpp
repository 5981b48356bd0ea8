// The files of tables: one for the outcomes of a slice and one for its distances, compressed in
// blocks with a checksum each, and read where the system maps them (docs/tables.md).
//
// All numbers are little-endian: a header, where each block ends, the checksum of each block, the
// blocks. The last word of the header is the checksum of everything before the blocks but itself.
#include "tables/table_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "tables/threads.h"

namespace crossboard::tables {

namespace {

static_assert(std::endian::native == std::endian::little, "headers are read as they stand");

constexpr std::string_view MAGIC = "crossboard table";

// As a shell takes a word that may have blanks.
std::string quoted(const std::string& word) {
    constexpr std::string_view PLAIN =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        "0123456789_@%+=:,./-";
    if (!word.empty() && word.find_first_not_of(PLAIN) == std::string::npos) return word;
    std::string found = "'";
    for (const char letter : word) found += letter == '\'' ? "'\"'\"'" : std::string(1, letter);
    return found + "'";
}

struct Header {
    std::array<char, 16> magic;
    std::uint32_t version;
    std::uint32_t content;
    std::array<std::uint8_t, 4> slice;
    std::uint32_t block;  // positions of one
    std::array<std::uint64_t, 3> counts;
    std::uint64_t code_bytes;
    std::uint32_t blocks;
    std::uint32_t checksum;
};
static_assert(sizeof(Header) == 72);

constexpr std::size_t BYTES_OF_BLOCK = 8;  // in the lists before the blocks

std::array<std::uint8_t, 4> numbers_of(const Slice& slice) {
    return {slice.men, slice.kings, slice.other_men, slice.other_kings};
}

std::uint32_t word_at(const std::uint8_t* bytes) {
    std::uint32_t word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

Bytes bytes_of(const std::string& text, std::size_t start = 0) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()) + start, text.size() - start};
}

// Of all that stands before the blocks, the header's own checksum taken as 0.
std::uint32_t checksum_of_lists(Header header, Bytes lists) {
    header.checksum = 0;
    const Bytes start{reinterpret_cast<const std::uint8_t*>(&header), sizeof header};
    return checksum(start) ^ std::rotl(checksum(lists), 1);
}

struct Portion {
    std::string code;
    std::vector<std::size_t> sizes;  // of its blocks
    std::array<std::uint64_t, 3> counts{};
};

// The blocks from `first` to `last` of a slice.
Portion encode_portion(const SolvedSlice& solved, Content content, std::size_t first,
                       std::size_t last) {
    Portion portion;
    const std::uint64_t size = solved.outcomes->index().size();
    std::array<Outcome, BLOCK> outcomes;
    for (std::size_t block = first; block < last; ++block) {
        const std::uint64_t start = block * BLOCK;
        const std::size_t length = std::min<std::uint64_t>(BLOCK, size - start);
        for (std::size_t i = 0; i < length; ++i) {
            outcomes[i] = (*solved.outcomes)[start + i];
            ++portion.counts[static_cast<int>(outcomes[i])];
        }
        const Bytes distances{solved.distances.get() + start, length};
        const std::size_t before = portion.code.size();
        (content == Content::outcomes ? encode_outcomes : encode_distances)(
            {outcomes.data(), length}, distances, portion.code);
        portion.sizes.push_back(portion.code.size() - before);
    }
    return portion;
}

std::vector<Portion> encode_portions(const SolvedSlice& solved, Content content, std::size_t blocks,
                                     int workers) {
    constexpr std::size_t SIZE = 64;
    std::vector<Portion> portions((blocks + SIZE - 1) / SIZE);
    std::atomic<std::size_t> next{0};
    on_threads(workers, [&](int) {
        for (std::size_t i; (i = next++) < portions.size();)
            portions[i] =
                encode_portion(solved, content, i * SIZE, std::min(blocks, (i + 1) * SIZE));
    });
    return portions;
}

void append_word(std::string& text, std::size_t word) {
    for (int byte = 0; byte < 4; ++byte) text += static_cast<char>(word >> (8 * byte) & 0xff);
}

}  // namespace

std::string file_name(const Slice& slice, Content content) {
    return name_of(slice) + (content == Content::outcomes ? ".outcomes" : ".distances");
}

std::string encoded(const SolvedSlice& solved, Content content, int workers) {
    const SliceIndex& index = solved.outcomes->index();
    const std::size_t blocks = (index.size() + BLOCK - 1) / BLOCK;
    const auto portions = encode_portions(solved, content, blocks, workers);
    Header header{};
    std::copy(MAGIC.begin(), MAGIC.end(), header.magic.begin());
    header.version = FORMAT_VERSION;
    header.content = static_cast<std::uint32_t>(content);
    header.slice = numbers_of(index.slice());
    header.block = BLOCK;
    header.blocks = static_cast<std::uint32_t>(blocks);
    std::string ends, checksums;
    for (const Portion& portion : portions) {
        for (int i = 0; i < 3; ++i) header.counts[i] += portion.counts[i];
        std::size_t start = 0;
        for (const std::size_t size : portion.sizes) {
            append_word(ends, header.code_bytes += size);
            append_word(checksums, checksum(bytes_of(portion.code).subspan(start, size)));
            start += size;
        }
    }
    if (header.code_bytes >> 32) throw std::length_error("more than 4 GB in a file of tables");
    const std::string lists = ends + checksums;
    header.checksum = checksum_of_lists(header, bytes_of(lists));
    std::string file(reinterpret_cast<const char*>(&header), sizeof header);
    file.reserve(file.size() + lists.size() + header.code_bytes);
    file += lists;
    for (const Portion& portion : portions) file += portion.code;
    return file;
}

TableFile::TableFile(const std::filesystem::path& folder, const Slice& slice, Content content)
    : folder_(folder), path_(folder / file_name(slice, content)), index_(slice) {
    map();
    try {
        read_header(content);
    } catch (...) {
        munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
        throw;
    }
    checked_ = std::make_unique<std::atomic<bool>[]>(blocks_);
}

TableFile::~TableFile() {
    munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

void TableFile::map() {
    const int descriptor = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) throw error(std::strerror(errno));
    struct stat found{};
    const bool is_plain = fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode);
    const auto size = static_cast<std::size_t>(found.st_size);
    void* address = MAP_FAILED;
    if (is_plain && size >= sizeof(Header))
        address = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    const int reason = errno;
    close(descriptor);
    if (!is_plain) throw error("it is no plain file");
    if (size < sizeof(Header)) throw error("it is truncated");
    if (address == MAP_FAILED) throw error(std::strerror(reason));
    bytes_ = {static_cast<const std::uint8_t*>(address), size};
}

void TableFile::read_header(Content content) {
    Header header;
    std::memcpy(&header, bytes_.data(), sizeof header);
    if (std::string_view(header.magic.data(), header.magic.size()) != MAGIC)
        throw error("it is no table of crossboard");
    if (header.version != FORMAT_VERSION)
        throw error("it has version " + std::to_string(header.version) + " of the format, not " +
                    std::to_string(FORMAT_VERSION));
    if (header.content != static_cast<std::uint32_t>(content) ||
        header.slice != numbers_of(index_.slice()))
        throw error("it is the table of something else");
    const std::uint64_t blocks = (index_.size() + BLOCK - 1) / BLOCK;
    if (header.block != BLOCK || header.blocks != blocks || header.code_bytes >> 32)
        throw error("its header is damaged");
    const std::uint64_t whole = sizeof header + blocks * BYTES_OF_BLOCK + header.code_bytes;
    if (bytes_.size() != whole)
        throw error((bytes_.size() < whole ? "it is truncated: " : "it is too long: ") +
                    std::to_string(bytes_.size()) + " bytes, not " + std::to_string(whole));
    const Bytes lists = bytes_.subspan(sizeof header, blocks * BYTES_OF_BLOCK);
    if (header.checksum != checksum_of_lists(header, lists)) throw error("its header is damaged");
    blocks_ = blocks;
    counts_ = header.counts;
    ends_ = lists.data();
    checksums_ = ends_ + 4 * blocks;
    codes_ = ends_ + BYTES_OF_BLOCK * blocks;
}

Bytes TableFile::code_of(std::size_t number) const {
    assert(number < blocks_);
    const std::uint32_t start = number ? word_at(ends_ + 4 * (number - 1)) : 0;
    return {codes_ + start, word_at(ends_ + 4 * number) - start};
}

std::optional<Bytes> TableFile::check(std::size_t number, Bytes code) const {
    if (checksum(code) != word_at(checksums_ + 4 * number)) return std::nullopt;
    checked_[number].store(true, std::memory_order_relaxed);
    return code;
}

TablesError TableFile::error(const std::string& what) const {
    return TablesError(path_.string() + ": " + what + "; rebuild it with: crossboard tables build" +
                       " --pieces " + std::to_string(index_.slice().pieces()) + " --folder " +
                       quoted(folder_.string()) + " --resume");
}

}  // namespace crossboard::tables
