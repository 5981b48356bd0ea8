// How to search, as Python asks for it: the lists of settings.h as keywords and their signatures.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/engine.h"

namespace crossboard::bindings {

namespace nb = nanobind;

// What a search of any kind can be asked for. A game decides what is left open.
struct Switches {
    static constexpr const char* DRAWS = "The rules of draws; None: the game's own.";

    Settings search = {};
    std::optional<DrawRules> draws = {};

    template <class Self, class Visit>
    static void each(Self&& self, Visit&& visit) {
        Settings::each(self.search, visit);
        SelectiveSettings::each(self.search.selective, visit);
        visit("draws", self.draws, DRAWS);
    }

    Settings for_game(const GameHabits& habits, bool has_table) const;
};

// What an engine can be asked for beside that.
struct SearchSettings : Switches {
    std::int64_t table_mb = EngineSettings{}.table_megabytes;
    CrewSettings crew = {};
    bool tables = false;  // which are given to the engine after it is made

    template <class Self, class Visit>
    static void each(Self&& self, Visit&& visit) {
        Settings::each(self.search, visit);
        SelectiveSettings::each(self.search.selective, visit);
        visit("table_mb", self.table_mb,
              "Megabytes of the transposition table, for all evaluators; 0: no table.",
              Range{0, 1'000'000});
        visit("threads", self.crew.threads, "Threads that search together.", Range{1, MAX_THREADS});
        visit("grain", self.crew.grain, "Nodes of less depth are not shared between threads.",
              Range{1, MAX_DEPTH});
        visit("tables", self.tables, "Use endgame tables, where there are any.");
        visit("draws", self.draws, DRAWS);
    }

    // Throws std::invalid_argument for a table of less than nothing.
    EngineSettings for_game(const GameHabits& habits) const;
};

// Complains of a value that is not of a setting's type, or too large for it.
[[noreturn]] void refuse(const char* name, nb::handle value, bool is_number);

template <class T>
constexpr bool IS_NUMBER = std::integral<T> && !std::same_as<T, bool>;
template <class T>
constexpr bool IS_NUMBER<std::optional<T>> = IS_NUMBER<T>;

// The keywords of a call, taken one after the other.
class Keywords {
  public:
    explicit Keywords(const nb::kwargs& given) { left_.update(given); }

    template <class T>
    void take(const char* name, T& value) {
        if (!left_.contains(name)) return;
        const nb::object given = left_[name];
        if (!nb::try_cast<T>(given, value)) refuse(name, given, IS_NUMBER<T>);
        nb::del(left_[name]);
    }
    void take(const char* name, Algorithm& value);

    template <class Asked>
    Asked take_settings() {
        Asked asked;
        Asked::each(asked, [&](const char* name, auto& value, auto&&...) { take(name, value); });
        return asked;
    }

    // Complains of a keyword that was not taken.
    void end() const;

  private:
    nb::dict left_;
};

template <class T>
nb::object to_python(const T& value) {
    return nb::cast(value);
}
nb::object to_python(Algorithm value);

inline std::string type_name(bool) {
    return "bool";
}
inline std::string type_name(std::integral auto) {
    return "int";
}
inline std::string type_name(Algorithm) {
    return "str";
}
inline std::string type_name(const DrawRules&) {
    return "crossboard._core.DrawRules";
}
template <class T>
std::string type_name(const std::optional<T>&) {
    return type_name(T{}) + " | None";
}

// The keywords as a signature has them, with their types and defaults.
template <class Asked>
std::string keywords_text() {
    std::string text;
    Asked::each(Asked{}, [&](const char* name, const auto& value, auto&&...) {
        text += (text.empty() ? "" : ", ") + std::string(name) + ": " + type_name(value) + " = " +
                nb::cast<std::string>(nb::repr(to_python(value)));
    });
    return text;
}

}  // namespace crossboard::bindings
