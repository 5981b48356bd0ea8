// Builds tables slice by slice, or takes up those that are there.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tables/outcomes.h"
#include "tables/solver.h"

namespace crossboard::tables {

// Reads both files of a slice. Throws TablesError if they are not there or not whole, block by
// block.
void check_files(const std::filesystem::path& folder, const Slice& slice);

class TablesBuilder {
  public:
    explicit TablesBuilder(int workers) : workers_(workers) {}

    using NamedFile = std::pair<std::string, std::string>;  // its name, and what it has to contain

    // Solves a slice and its swap, for which all slices with fewer pieces, and those with as many
    // and fewer men, must have been built or loaded. No files if it was interrupted.
    std::vector<NamedFile> build(const Slice& slice, const Interruption& is_interrupted);

    // Takes a slice and its swap from their files. Throws TablesError if any of them is not there
    // or not whole, block by block.
    void load(const std::filesystem::path& folder, const Slice& slice);

    // Forgets what no slice with as many pieces and as many men, or more, will need.
    void drop_before(int pieces, int men);

  private:
    const int workers_;
    SolvedSlices solved_;
};

}  // namespace crossboard::tables
