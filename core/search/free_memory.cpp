// How much memory may still be had.
#include "search/free_memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

namespace crossboard {

namespace {

using std::filesystem::path;

constexpr std::uint64_t NO_LIMIT = std::numeric_limits<std::uint64_t>::max();

// The files of a control group, in version 1 and 2.
struct Version {
    const char* folder;
    const char* limit;
    const char* usage;
    const char* cache;  // in memory.stat
};
constexpr Version V1 = {"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                        "total_inactive_file"};
constexpr Version V2 = {"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};

// The number with which a file begins; none in one that says "max" or is not there.
std::optional<std::uint64_t> number_in(const path& file) {
    std::ifstream text(file);
    std::uint64_t number = 0;
    return text >> number ? std::optional(number) : std::nullopt;
}

// The number that stands behind a name at the beginning of a line.
std::optional<std::uint64_t> number_of(const path& file, const std::string& name) {
    std::ifstream text(file);
    for (std::string line; std::getline(text, line);) {
        std::istringstream words(line);
        std::string first;
        std::uint64_t number = 0;
        if (words >> first >> number && first == name) return number;
    }
    return std::nullopt;
}

std::uint64_t free_bytes_in(const path& group, const Version& version) {
    const auto limit = number_in(group / version.limit);
    if (!limit || *limit > NO_LIMIT / 4) return NO_LIMIT;  // so much is version 1's word for it
    const std::uint64_t usage = number_in(group / version.usage).value_or(0);
    // Copies of files are dropped when their memory is needed.
    const std::uint64_t cache = number_of(group / "memory.stat", version.cache).value_or(0);
    const std::uint64_t held = usage - std::min(usage, cache);
    return *limit - std::min(*limit, held);
}

// Every group counts on the way up. In a container the group may be named as the machine outside
// names it, and only the topmost be there.
std::uint64_t free_bytes_up_from(const path& group, const path& top, const Version& version) {
    std::uint64_t least = free_bytes_in(top, version);
    for (path name = group.relative_path(); !name.empty(); name = name.parent_path())
        least = std::min(least, free_bytes_in(top / name, version));
    return least;
}

// A line is number:controllers:group; version 2 names no controllers.
std::uint64_t free_bytes_of_groups(const path& root) {
    std::uint64_t least = NO_LIMIT;
    std::ifstream groups(root / "proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        std::istringstream parts(line);
        std::string number, controllers, group;
        std::getline(std::getline(std::getline(parts, number, ':'), controllers, ':'), group);
        const bool has_memory = ("," + controllers + ",").find(",memory,") != std::string::npos;
        if (!has_memory && !controllers.empty()) continue;
        const Version& version = has_memory ? V1 : V2;
        least = std::min(least, free_bytes_up_from(group, root / version.folder, version));
    }
    return least;
}

}  // namespace

std::size_t free_megabytes(const path& root) {
    const std::uint64_t all = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                              static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const auto kilobytes = number_of(root / "proc/meminfo", "MemAvailable:");
    const std::uint64_t machine = kilobytes ? *kilobytes << 10 : all;
    return static_cast<std::size_t>(std::min(machine, free_bytes_of_groups(root)) >> 20);
}

}  // namespace crossboard
