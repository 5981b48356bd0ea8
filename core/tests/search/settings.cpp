// Tests the lists of settings: what is said of them once must be true of all.
#include "search/settings.h"

#include <set>
#include <string>
#include <type_traits>

#include "check.h"

using namespace crossboard;

namespace {

static_assert(std::is_trivially_copyable_v<SelectiveSettings>);

void test_every_setting_has_a_name_of_its_own_and_a_meaning() {
    std::set<std::string> names;
    const auto look = [&](const std::string& name, auto&&, const std::string& meaning, auto&&...) {
        CHECK(names.insert(name).second) || check::note(name);
        CHECK(meaning.ends_with(".")) || check::note(name);
    };
    Settings::each(Settings{}, look);
    SelectiveSettings::each(SelectiveSettings{}, look);
    CHECK(names.contains("quiescence"));
}

void test_full_width_switches_all_off_that_is_selective_and_nothing_else() {
    Settings settings{.quiescence = false, .killers = 1, .order_only = true, .draws = {1, 2, 3}};
    SelectiveSettings::each(settings.selective, [](const char*, auto& value, auto&&...) {
        value = static_cast<std::decay_t<decltype(value)>>(1);
    });
    const Settings full = settings.full_width();
    SelectiveSettings::each(full.selective, [](const char* name, const auto& value, auto&&...) {
        CHECK(!value) || check::note(name);
    });
    CHECK(!full.quiescence);
    CHECK(full.order_only);
    CHECK_EQUAL(full.killers.value(), 1);
    CHECK_EQUAL(full.draws.quiet_plies, 2);
}

}  // namespace

int main() {
    test_every_setting_has_a_name_of_its_own_and_a_meaning();
    test_full_width_switches_all_off_that_is_selective_and_nothing_else();
    return check::report();
}
