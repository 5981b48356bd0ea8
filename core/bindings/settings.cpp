// Python's view of how to search.
#include "bindings/settings.h"

#include <nanobind/stl/vector.h>

#include <deque>
#include <stdexcept>
#include <vector>

#include "bindings/module.h"

namespace crossboard::bindings {

namespace {

using namespace nb::literals;

constexpr const char* MINIMAX = "minimax";
constexpr const char* ALPHABETA = "alphabeta";

// A setting as Python knows it.
struct Setting {
    std::string name;
    std::string meaning;
    std::optional<int> least, most;    // of a number
    std::vector<std::string> choices;  // of a word
    bool is_selective = false;
};

std::vector<Setting> list_settings() {
    std::vector<Setting> all;
    SearchSettings::each(SearchSettings{},
                         [&]<class T>(const char* name, const T&, const char* meaning,
                                      std::optional<Range> range = {}) {
                             Setting one{.name = name, .meaning = meaning};
                             if (range) one.least = range->least, one.most = range->most;
                             if constexpr (std::same_as<T, Algorithm>)
                                 one.choices = {ALPHABETA, MINIMAX};
                             all.push_back(one);
                         });
    SelectiveSettings::each(SelectiveSettings{}, [&](const std::string& name, auto&&...) {
        for (Setting& one : all) one.is_selective |= one.name == name;
    });
    return all;
}

void bind_setting(nb::module_& m) {
    nb::class_<Setting>(m, "Setting", "A setting of the search: its name, and what it can be.")
        .def_ro("name", &Setting::name)
        .def_ro("meaning", &Setting::meaning)
        .def_ro("least", &Setting::least, "Of a number.")
        .def_ro("most", &Setting::most, "Of a number.")
        .def_ro("choices", &Setting::choices, "Of a word.")
        .def_ro("is_selective", &Setting::is_selective,
                "Whether it may change the value; False or 0 switches it off.");
    m.def("search_settings", &list_settings, "List the settings of the search in their order.");
}

nb::object value_of(const SearchSettings& settings, std::string_view wanted) {
    nb::object found;
    SearchSettings::each(settings, [&](const char* name, const auto& value, auto&&...) {
        if (name == wanted) found = to_python(value);
    });
    return found;
}

// A signature is kept as long as Python runs.
const char* kept(std::string text) {
    static std::deque<std::string> all;
    return all.emplace_back(std::move(text)).c_str();
}

}  // namespace

Settings Switches::for_game(const GameHabits& habits, bool has_table) const {
    Settings settings = search;
    settings.draws = draws.value_or(habits.draws);
    if (!search.killers && has_table) settings.killers = habits.killers_beside_table;
    return settings;
}

EngineSettings SearchSettings::for_game(const GameHabits& habits) const {
    if (table_mb < 0)
        throw std::invalid_argument("a table cannot have " + std::to_string(table_mb) + " MB");
    return {.search = Switches::for_game(habits, table_mb > 0),
            .crew = crew,
            .table_megabytes = static_cast<std::size_t>(table_mb)};
}

void refuse(const char* name, nb::handle value, bool is_number) {
    const std::string message =
        std::string(name) + " cannot be " + nb::cast<std::string>(nb::repr(value));
    if (is_number && PyLong_Check(value.ptr()))
        throw std::invalid_argument(message + ": the search does not count so far");
    throw nb::type_error(message.c_str());
}

void Keywords::take(const char* name, Algorithm& value) {
    std::string word = value == Algorithm::minimax ? MINIMAX : ALPHABETA;
    take(name, word);
    if (word != MINIMAX && word != ALPHABETA)
        throw std::invalid_argument("the algorithm is minimax or alphabeta, not '" + word + "'");
    value = word == MINIMAX ? Algorithm::minimax : Algorithm::alphabeta;
}

void Keywords::end() const {
    for (const auto& [name, value] : left_)
        throw nb::type_error(("there is no setting '" + nb::cast<std::string>(name) + "'").c_str());
}

nb::object to_python(Algorithm value) {
    return nb::str(value == Algorithm::minimax ? MINIMAX : ALPHABETA);
}

void bind_search_settings(nb::module_& m) {
    bind_setting(m);
    auto bound = nb::class_<SearchSettings>(m, "SearchSettings", "How to search.");
    bound.def(
        "__init__",
        [](SearchSettings* self, const nb::kwargs& given) {
            Keywords keywords(given);
            const auto settings = keywords.take_settings<SearchSettings>();
            keywords.end();
            new (self) SearchSettings(settings);
        },
        nb::sig(kept("def __init__(self, *, " + keywords_text<SearchSettings>() + ") -> None")),
        "settings"_a);
    SearchSettings::each(
        SearchSettings{}, [&](const char* name, const auto& value, const char* meaning, auto&&...) {
            bound.def_prop_ro(
                name, [name](const SearchSettings& self) { return value_of(self, name); }, meaning,
                nb::sig(kept("def " + std::string(name) + "(self) -> " + type_name(value))));
        });
}

}  // namespace crossboard::bindings
