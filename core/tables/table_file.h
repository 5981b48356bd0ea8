// The files of tables: one for the outcomes of a slice and one for its distances, compressed in
// blocks with a checksum each, and read where the system maps them (docs/tables.md).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "tables/codec.h"
#include "tables/slice.h"
#include "tables/solver.h"

namespace crossboard::tables {

// A file that cannot be used. The message names it and the command that rebuilds it.
class TablesError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

enum class Content : std::uint8_t { outcomes, distances };

constexpr std::uint32_t FORMAT_VERSION = 1;

std::string file_name(const Slice& slice, Content content);  // such as 1-2-0-3.outcomes

// What a file of a solved slice has to contain.
std::string encoded(const SolvedSlice& solved, Content content, int workers);

class TableFile {
  public:
    // Throws TablesError where the file is not there or not whole, or where its header or its list
    // of blocks is damaged or not of this version.
    TableFile(const std::filesystem::path& folder, const Slice& slice, Content content);
    ~TableFile();
    TableFile(const TableFile&) = delete;
    TableFile& operator=(const TableFile&) = delete;

    const SliceIndex& index() const { return index_; }
    // Positions that are lost, drawn and won, by Outcome.
    const std::array<std::uint64_t, 3>& counts() const { return counts_; }
    std::uint64_t bytes() const { return bytes_.size(); }
    std::size_t blocks() const { return blocks_; }

    // The code of a block, nothing if it is damaged. It is checked when it is first asked for.
    std::optional<Bytes> block(std::size_t number) const {
        const Bytes code = code_of(number);
        if (checked_[number].load(std::memory_order_relaxed)) [[likely]]
            return code;
        return check(number, code);
    }

    // "FOLDER/1-2-0-3.outcomes is damaged: ...", with the command that rebuilds it.
    TablesError error(const std::string& what) const;

  private:
    Bytes code_of(std::size_t number) const;
    std::optional<Bytes> check(std::size_t number, Bytes code) const;
    void map();
    void read_header(Content content);

    std::filesystem::path folder_, path_;
    SliceIndex index_;
    std::array<std::uint64_t, 3> counts_{};
    Bytes bytes_;  // of the file
    std::size_t blocks_ = 0;
    const std::uint8_t *ends_ = nullptr, *checksums_ = nullptr, *codes_ = nullptr;
    std::unique_ptr<std::atomic<bool>[]> checked_;
};

}  // namespace crossboard::tables
