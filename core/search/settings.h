// How to search: every way of the papers is a setting here.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <optional>

#include "rules/past.h"

namespace crossboard {

enum class Algorithm { minimax, alphabeta };

// What a number among the settings can be.
struct Range {
    int least = 0;
    int most = 0;
};

// So many refutations of a ply are remembered.
constexpr int MAX_KILLERS = 2;

// Hundredths of a man for each ply.
constexpr int MAX_CUT_MARGIN = 1000;

// A setting is a field and a line of the list below it, which calls visit(name, field, meaning) and
// adds the range of a number. Python's keywords, attributes and stubs and the keys of a player's
// file are made from these lists.

// Switches that search some moves more or less deeply than others, or not at all, so that the value
// need not be minimax's. Each is a bool or a whole number: false or 0 switches it off. What they do
// in numbers stands in selective.h.
struct SelectiveSettings {
    bool reductions = false;
    int verified_cuts = 0;
    bool only_replies = false;
    bool main_captures = false;
    bool threats = false;
    bool kept_history = false;
    bool internal_deepening = false;
    bool tree_repetitions = false;

    template <class Self, class Visit>
    static constexpr void each(Self&& self, Visit&& visit) {
        visit("reductions", self.reductions,
              "Quiet moves after the third are first searched less deeply.");
        visit("verified_cuts", self.verified_cuts,
              "Cut where a search to 30 % of the depth exceeds beta by a margin, which is so many "
              "hundredths of a man for each ply of depth; 0: no cuts.",
              Range{0, MAX_CUT_MARGIN});
        visit("only_replies", self.only_replies, "An only reply is searched one ply deeper.");
        visit("main_captures", self.main_captures,
              "Captures on the main line are searched one ply deeper.");
        visit("threats", self.threats,
              "One more ply where the opponent threatens to capture at the last one.");
        visit("kept_history", self.kept_history,
              "Moves tried before a refutation lose history, which is kept from move to move.");
        visit("internal_deepening", self.internal_deepening,
              "Where the table has no move a shallower search finds one to begin with.");
        visit("tree_repetitions", self.tree_repetitions,
              "A position that stands again inside the tree is a draw.");
    }

    // Whether one is switched on.
    constexpr bool any() const {
        bool found = false;
        each(*this, [&](const char*, const auto& value, auto&&...) { found |= value != 0; });
        return found;
    }

    static constexpr SelectiveSettings off() {
        return std::bit_cast<SelectiveSettings>(std::array<std::byte, sizeof(SelectiveSettings)>{});
    }
};

// Switches that keep minimax's value; all but the first two are alpha-beta's.
struct Settings {
    Algorithm algorithm = Algorithm::alphabeta;
    bool quiescence = true;
    bool deepening = true;
    std::optional<int> killers = {};
    bool history = true;
    bool pvs = true;
    bool aspiration = true;
    bool exact_depth_hits = false;
    bool order_only = false;
    SelectiveSettings selective = {};
    DrawRules draws = {};

    template <class Self, class Visit>
    static constexpr void each(Self&& self, Visit&& visit) {
        visit("algorithm", self.algorithm, "'alphabeta', or 'minimax', which cuts nothing off.");
        visit("quiescence", self.quiescence,
              "Follow captures behind the last ply until none is pending; else judge at once.");
        visit("deepening", self.deepening,
              "Search depth 1, 2, 3 ... instead of the full depth at once.");
        visit("killers", self.killers,
              "So many moves of a ply that refuted a brother come early; None: as many as pay.",
              Range{0, MAX_KILLERS});
        visit("history", self.history, "Moves that refuted anything come earlier than others.");
        visit("pvs", self.pvs, "Younger brothers are first asked only whether they are better.");
        visit("aspiration", self.aspiration, "Deepening expects a value near the last one.");
        visit("exact_depth_hits", self.exact_depth_hits,
              "The table answers only for the very depth, so that the value stays minimax's.");
        visit("order_only", self.order_only,
              "The table's best moves come first, but its values answer nothing.");
    }

    // The same without the selective switches: learners, analysis and tests of values use it.
    constexpr Settings full_width() const {
        Settings settings = *this;
        settings.selective = SelectiveSettings::off();
        return settings;
    }
};

// What a game decides where the settings leave it open.
struct GameHabits {
    DrawRules draws = {};
    int killers_beside_table = MAX_KILLERS;
};

}  // namespace crossboard
