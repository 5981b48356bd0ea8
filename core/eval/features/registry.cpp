// The list of all features, family by family.
#include "eval/features/registry.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "eval/features/draft5.h"
#include "eval/features/lynch.h"
#include "eval/features/samuel.h"
#include "eval/features/ufu.h"

namespace crossboard::draughts::features {

namespace {

// As many bits as tell all values apart.
constexpr Feature exact(std::string_view name, int least, int most, int (*value)(const Board&),
                        std::string_view meaning) {
    const int bits = std::bit_width(static_cast<unsigned>(most - least));
    return {name, meaning, least, most, value, value, bits};
}

template <int (*Whole)(const Board&), int Bits>
int cut(const Board& board) {
    return std::min(Whole(board), (1 << Bits) - 1);
}

// A number that is cut to its bits.
template <int (*Whole)(const Board&), int Bits>
constexpr Feature coded(std::string_view name, std::string_view meaning,
                        int (*quirk)(const Board&, int) = nullptr) {
    return {name, meaning, 0, (1 << Bits) - 1, cut<Whole, Bits>, Whole, Bits, quirk};
}

// No side reaches more squares than 25: n pieces have 4n neighbours and leave 32 - n squares.
constexpr int REACH = 25;

constexpr Feature FEATURES[] = {
    exact("draft5.piece", -12, 12, draft5::piece, "men, own minus other"),
    exact("draft5.king", -12, 12, draft5::king, "kings, own minus other"),
    exact("draft5.mob", -24, 24, draft5::mob, "steps of men, own minus other"),
    exact("draft5.kmob", -48, 48, draft5::kmob, "steps of kings, own minus other"),
    exact("draft5.back", -5, 5, draft5::back,
          "men on the own back row, one more for the bridge, own minus other"),
    exact("draft5.cent", -8, 8, draft5::cent, "men on centre squares, own minus other"),
    exact("draft5.kcent", -8, 8, draft5::kcent, "kings on centre squares, own minus other"),
    exact("draft5.adv1", -60, 60, draft5::adv1, "rows that men have behind them, own minus other"),
    exact("draft5.dblsq", -1, 1, draft5::dblsq,
          "1 if own is behind and has a king in a double corner, -1 if other"),
    exact("draft5.near", -84, 84, draft5::near,
          "minus the steps from each king of the side ahead to the nearest enemy; minus that for "
          "other"),
    exact("draft5.exch", -11, 11, draft5::exch,
          "pieces that the side ahead has given; minus that for other"),
    exact("draft5.move", -1, 1, draft5::move,
          "1 if own has the move, -1 if other, 0 if material is unequal or complete"),

    exact("samuel.adv", -8, 8, samuel::adv, "men on rows 5 and 6 less men on rows 3 and 4"),
    exact("samuel.apex", -1, 0, samuel::apex,
          "-1 if there are no kings, and of 7 and 26 other holds one and own none"),
    exact("samuel.back", 0, 1, samuel::back, "other has no king and own holds its bridge, 1 and 3"),
    exact("samuel.cent", 0, 8, samuel::cent, "centre squares held by own men"),
    exact("samuel.cntr", 0, 8, samuel::cntr, "centre squares that other holds or can move to"),
    exact("samuel.corn", 0, 1, samuel::corn,
          "other has 6 or less, less than own, and can move into a double corner"),
    exact("samuel.cramp", 0, 2, samuel::cramp,
          "2 if own holds 13 and one of 9 and 14 while other holds 17, 21, 22 and 25"),
    exact("samuel.deny", 0, REACH, samuel::deny,
          "squares other can move to and there be taken without an exchange"),
    exact("samuel.dia", 0, 12, samuel::dia, "pieces on the diagonals into the double corners"),
    exact("samuel.diav", 0, 36, samuel::diav,
          "in halves: 3 for a piece on those diagonals, 2 for one removed, 1 for two removed"),
    exact("samuel.dyke", 0, 8, samuel::dyke, "strings of three pieces on a diagonal"),
    exact("samuel.exch", 0, REACH, samuel::exch,
          "squares to which other can move and force an exchange"),
    exact("samuel.expos", 0, 12, samuel::expos, "pieces with both neighbours on a diagonal empty"),
    exact("samuel.fork", 0, 9, samuel::fork,
          "pairs side by side that other can attack both at once from behind, safely"),
    exact("samuel.gap", 0, REACH, samuel::gap,
          "single empty squares between two pieces on a diagonal, or a piece and the edge"),
    exact("samuel.guard", 0, 1, samuel::guard,
          "other has no king and own holds its bridge or its triangle of Oreo"),
    exact("samuel.hole", 0, 16, samuel::hole, "empty squares with three own pieces around or more"),
    exact("samuel.kcent", 0, 8, samuel::kcent, "centre squares held by own kings"),
    exact("samuel.mob", 0, REACH, samuel::mob, "squares that other can move to"),
    exact("samuel.mobil", 0, REACH, samuel::mobil, "MOB less DENY"),
    exact("samuel.move", 0, 1, samuel::move,
          "material level and below 24, and an odd number of pieces in the move system"),
    exact("samuel.node", 0, 12, samuel::node, "pieces with three empty squares around or more"),
    exact("samuel.oreo", 0, 1, samuel::oreo,
          "other has no king and own holds its triangle of Oreo, 2, 3 and 7"),
    exact("samuel.pole", 0, 12, samuel::pole, "men with four empty squares around"),
    exact("samuel.recap", 0, REACH, samuel::recap, "the same as EXCH"),
    exact("samuel.thret", 0, REACH, samuel::thret,
          "squares to which other can move a piece that then threatens to take"),

    exact("printed.oreo", 0, 1, samuel::printed_oreo,
          "own has no king and holds its triangle of Oreo, 2, 3 and 7"),

    coded<lynch::piece_advantage, 4>("lynch.PieceAdvantage", "material ahead, man 2, king 3",
                                     lynch::quirks::piece_advantage),
    coded<lynch::piece_disadvantage, 4>("lynch.PieceDisadvantage", "material behind",
                                        lynch::quirks::piece_disadvantage),
    coded<lynch::piece_threat, 3>("lynch.PieceThreat", "own pieces that other could jump now",
                                  lynch::quirks::piece_threat),
    coded<lynch::piece_take, 3>("lynch.PieceTake",
                                "pieces of other that own could jump if it were to move",
                                lynch::quirks::piece_take),
    coded<lynch::advancement, 3>("lynch.Advancement", "ADV plus 8, halved",
                                 lynch::quirks::advancement),
    coded<lynch::double_diagonal, 4>("lynch.DoubleDiagonal", "DIA", lynch::quirks::double_diagonal),
    coded<lynch::back_row_bridge, 1>("lynch.BackRowBridge",
                                     "other has no king and own men stand on 1 and 3",
                                     lynch::quirks::back_row_bridge),
    coded<lynch::centre_control, 3>("lynch.CentreControl", "CENT", lynch::quirks::centre_control),
    coded<lynch::x_centre_control, 3>("lynch.XCentreControl", "CNTR",
                                      lynch::quirks::x_centre_control),
    coded<lynch::total_mobility, 4>("lynch.TotalMobility", "MOB", lynch::quirks::total_mobility),
    coded<lynch::exposure, 3>("lynch.Exposure", "EXPOS", lynch::quirks::exposure),
    coded<lynch::king_centre_control, 3>("lynch.KingCentreControl", "KCENT",
                                         lynch::quirks::king_centre_control),

    coded<lynch::piece_advantage, 4>("ufu.PieceAdvantage", "material ahead, man 2, king 3"),
    coded<lynch::piece_disadvantage, 4>("ufu.PieceDisadvantage", "material behind"),
    coded<lynch::piece_threat, 3>("ufu.PieceThreat", "own pieces that other could jump now"),
    coded<lynch::piece_take, 3>("ufu.PieceTake",
                                "pieces of other that own could jump if it were to move"),
    coded<lynch::advancement, 3>("ufu.Advancement", "ADV plus 8, halved"),
    coded<lynch::double_diagonal, 4>("ufu.DoubleDiagonal", "DIA"),
    coded<lynch::back_row_bridge, 1>("ufu.BackRowBridge",
                                     "other has no king and own men stand on 1 and 3"),
    coded<lynch::centre_control, 3>("ufu.CentreControl", "CENT"),
    coded<lynch::x_centre_control, 3>("ufu.XCentreControl", "CNTR"),
    coded<lynch::total_mobility, 4>("ufu.TotalMobility", "MOB"),
    coded<lynch::exposure, 3>("ufu.Exposure", "EXPOS"),
    coded<lynch::king_centre_control, 3>("ufu.KingCentreControl", "KCENT"),
    coded<ufu::diagonal_moment, 4>("ufu.DiagonalMoment", "DIAV in Samuel's units",
                                   ufu::diagonal_moment_in_halves),
    coded<ufu::apex, 1>("ufu.Apex", "1 where APEX has no debit"),
    coded<samuel::cramp, 2>("ufu.Cramp", "CRAMP"),
    coded<samuel::deny, 4>("ufu.DenialOfOccupancy", "DENY"),
    coded<samuel::dyke, 3>("ufu.Dyke", "DYKE"),
    coded<samuel::exch, 4>("ufu.Exchange", "EXCH"),
    coded<samuel::fork, 3>("ufu.Fork", "FORK"),
    coded<samuel::gap, 4>("ufu.Gap", "GAP"),
    coded<samuel::guard, 1>("ufu.BackRowControl", "GUARD"),
    coded<samuel::hole, 3>("ufu.Hole", "HOLE"),
    coded<samuel::mobil, 3>("ufu.UndeniedMobility", "MOBIL"),
    coded<samuel::node, 3>("ufu.Node", "NODE"),
    coded<samuel::oreo, 1>("ufu.TriangleOfOreo", "OREO"),
    coded<samuel::pole, 3>("ufu.Pole", "POLE"),
    coded<samuel::thret, 3>("ufu.Threat", "THRET"),
    coded<ufu::taken, 3>("ufu.Taken", "THRET for own, as if it were to move"),
};

}  // namespace

std::span<const Feature> all() {
    return FEATURES;
}

const Feature& by_name(std::string_view name) {
    for (const Feature& feature : FEATURES)
        if (feature.name == name) return feature;
    // The names of the family meant; the families, if it is none.
    std::string family(name.substr(0, name.find('.'))), members, families;
    for (const Feature& feature : FEATURES) {
        const std::string tag(feature.name.substr(feature.family().size() + 1));
        if (feature.family() == family) members += (members.empty() ? "" : ", ") + tag;
        if (families.find(feature.family()) == std::string::npos)
            families += (families.empty() ? "" : ", ") + std::string(feature.family());
    }
    throw std::invalid_argument(
        "there is no feature '" + std::string(name) + "'; " +
        (members.empty() ? "the families are " + families : family + " has " + members));
}

}  // namespace crossboard::draughts::features
