// How much memory may still be had.
#pragma once

#include <cstddef>
#include <filesystem>

namespace crossboard {

// What may be had without anybody being killed for it: of the machine, and of the control groups
// that this process is in (of containers and services). All there is where that is not told.
// `root` is where /proc and /sys are.
std::size_t free_megabytes(const std::filesystem::path& root = "/");

}  // namespace crossboard
