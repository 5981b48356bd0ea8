// Tests what memory counts as free: the machine's, and that of the control groups we are in.
#include "search/free_memory.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "check.h"

using namespace crossboard;

namespace {

// A machine's files, in a folder that is removed in the end.
class Machine {
  public:
    explicit Machine(const std::map<std::string, std::string>& files) {
        for (const auto& [name, text] : files) {
            std::filesystem::create_directories((root_ / name).parent_path());
            std::ofstream(root_ / name) << text;
        }
    }
    ~Machine() { std::filesystem::remove_all(root_); }
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    std::size_t free() const { return free_megabytes(root_); }

  private:
    std::filesystem::path root_ = std::filesystem::temp_directory_path() /
                                  ("crossboard-free-memory-" + std::to_string(getpid()));
};

const std::string MEMINFO = "MemTotal: 4096000 kB\nMemFree: 1000 kB\nMemAvailable: 2048000 kB\n";
constexpr std::size_t AVAILABLE = 2000;

std::string megabytes(int count) {
    return std::to_string(count * (1 << 20)) + "\n";
}

void test_without_groups_the_machine_counts() {
    CHECK_EQUAL(Machine({{"proc/meminfo", MEMINFO}}).free(), AVAILABLE);
}

void test_without_anything_told_all_memory_counts() {
    CHECK(Machine({}).free() >= free_megabytes());
    CHECK(free_megabytes() > 0);
}

void test_a_group_of_version_2_sets_a_limit() {
    std::map<std::string, std::string> files = {
        {"proc/meminfo", MEMINFO},
        {"proc/self/cgroup", "0::/slice/service\n"},
        {"sys/fs/cgroup/slice/service/memory.max", megabytes(500)},
        {"sys/fs/cgroup/slice/service/memory.current", megabytes(120)},
    };
    CHECK_EQUAL(Machine(files).free(), 380u);
    // Of what it holds, copies of files can be dropped.
    files["sys/fs/cgroup/slice/service/memory.stat"] = "anon 1\ninactive_file " + megabytes(20);
    CHECK_EQUAL(Machine(files).free(), 400u);
    files["sys/fs/cgroup/slice/memory.max"] = megabytes(300);
    files["sys/fs/cgroup/slice/memory.current"] = megabytes(200);
    CHECK_EQUAL(Machine(files).free(), 100u);
    files["sys/fs/cgroup/slice/memory.current"] = megabytes(400);
    CHECK_EQUAL(Machine(files).free(), 0u);
}

void test_a_container_finds_its_limit_at_the_top() {
    for (const char* group : {"0::/\n", "0::/machine/of/another/name\n"})
        CHECK_EQUAL(Machine({{"proc/meminfo", MEMINFO},
                             {"proc/self/cgroup", group},
                             {"sys/fs/cgroup/memory.max", megabytes(64)},
                             {"sys/fs/cgroup/memory.current", megabytes(4)}})
                        .free(),
                    60u) ||
            check::note(group);
}

void test_a_group_of_version_1_sets_a_limit() {
    const std::string group = "sys/fs/cgroup/memory/job/";
    CHECK_EQUAL(Machine({{"proc/meminfo", MEMINFO},
                         {"proc/self/cgroup", "4:cpu,memory:/job\n3:cpuset:/other\n0::/\n"},
                         {group + "memory.limit_in_bytes", megabytes(700)},
                         {group + "memory.usage_in_bytes", megabytes(100)},
                         {group + "memory.stat", "total_inactive_file " + megabytes(50)}})
                    .free(),
                650u);
}

void test_a_group_without_a_limit_leaves_the_machine() {
    CHECK_EQUAL(Machine({{"proc/meminfo", MEMINFO},
                         {"proc/self/cgroup", "4:memory:/\n0::/\n"},
                         {"sys/fs/cgroup/memory.max", "max\n"},
                         {"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
                         {"sys/fs/cgroup/memory/memory.usage_in_bytes", megabytes(90)}})
                    .free(),
                AVAILABLE);
}

}  // namespace

int main() {
    test_without_groups_the_machine_counts();
    test_without_anything_told_all_memory_counts();
    test_a_group_of_version_2_sets_a_limit();
    test_a_container_finds_its_limit_at_the_top();
    test_a_group_of_version_1_sets_a_limit();
    test_a_group_without_a_limit_leaves_the_machine();
    return check::report();
}
