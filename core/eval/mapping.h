// How a board becomes the inputs of a network.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "eval/features/registry.h"

namespace crossboard {

// Inputs come in groups, and each group shows one code: the number of a feature, or what stands on
// a square. So a network's first layer is a sum of rows, one for each group, found by its code.
class Mapping {
  public:
    // Three inputs a square, most significant first: 0 empty, 1 own man, 2 other's man, 3 own king,
    // 4 other's king (NeuroDraughts, NET_BINARYMAP).
    static Mapping binary(double off = OFF);

    // One input a square: the same five codes, divided by four (NET_DIRECTMAP). With quirks as the
    // program of 1997 divided, in whole numbers: 1 for other's king, 0 for all else.
    static Mapping direct(bool quirks = false);

    // Features with their bits, least significant first (NET_FEATUREMAP). Throws
    // std::invalid_argument for an unknown or a repeated feature or bits it cannot have.
    static Mapping features(const std::vector<std::pair<std::string, int>>& features,
                            double off = OFF, bool quirks = false);

    // Two inputs, men and kings: how many more own has than other.
    static Mapping counts();

    // One input for each balance: how many men each side has, and how many kings up to MOST_KINGS.
    // What a king is worth depends on whether the other side has one.
    static Mapping material();

    // Four inputs a square, one of which is on if something stands there: own man, other's man, own
    // king, other's king.
    static Mapping pieces();

    // One input for everything that can stand on some squares together; one is on for each pattern.
    // With 3 states a square shows men only, with 5 kings too. Squares have their standard numbers
    // for a side that plays as Black. Throws std::invalid_argument for squares that are not there.
    static Mapping patterns(const std::vector<std::vector<int>>& squares, int states = 3);

    // The inputs of several mappings, one after the other.
    static Mapping joined(const std::vector<Mapping>& parts);

    static constexpr double ON = 1, OFF = -1;
    static constexpr int MAX_BITS = 10;
    static constexpr int MOST_KINGS = 3;  // Chosen: more kings count as so many
    static constexpr int MAX_PATTERNS = 64;
    static constexpr int MAX_PATTERN_CODES = 100'000;
    static constexpr int MAX_INPUTS = 1'000'000'000;

    enum class Kind : std::uint8_t {
        binary,
        direct,
        features,
        counts,
        material,
        pieces,
        patterns,
        joined
    };

    Kind kind() const { return kind_; }
    double off() const { return off_; }
    bool quirks() const { return quirks_; }
    std::vector<std::pair<std::string, int>> feature_list() const;
    const std::vector<std::vector<int>>& pattern_list() const { return patterns_; }
    int states() const { return states_; }
    const std::vector<Mapping>& parts() const { return parts_; }  // if it is joined
    int size() const { return size_; }                            // how many inputs

    struct Group {
        int first_input;
        int inputs;
        int codes;
        Kind kind;    // how a code becomes inputs
        double off;   // what an input is that is off
        bool quirks;  // whether the original program's mistakes are in it

        // Most squares are empty, which is code 0.
        bool is_square() const {
            return kind == Kind::binary || kind == Kind::direct || kind == Kind::pieces;
        }
        bool has_code(int code) const { return 0 <= code && code < codes; }
        // Each code has an input of its own.
        bool is_one_of_all() const { return kind == Kind::patterns || kind == Kind::material; }
    };
    std::span<const Group> groups() const { return groups_; }

    // Calls visit(input, level) for the inputs of a group that shows `code`; those that it leaves
    // out are 0.
    template <class Visit>
    static void for_each_level(const Group& group, int code, Visit visit) {
        assert(group.has_code(code));
        if (group.is_one_of_all()) return visit(group.first_input + code, ON);
        for (int k = 0; k < group.inputs; ++k) visit(group.first_input + k, level(group, code, k));
    }

    // Calls visit(group, code) for each group but the squares that are empty.
    template <class Visit>
    void for_each_code(const draughts::features::Board& board, Visit visit,
                       int first_group = 0) const {
        switch (kind_) {
            case Kind::features:
                for (const Source& source : sources_) visit(first_group++, code_of(source, board));
                return;
            case Kind::counts:
                visit(first_group, MOST_COUNT + count(board.own_men) - count(board.other_men));
                visit(first_group + 1,
                      MOST_COUNT + count(board.own_kings) - count(board.other_kings));
                return;
            case Kind::material: visit(first_group, material_code(board)); return;
            case Kind::patterns: {
                std::array<std::int32_t, MAX_PATTERNS> codes;
                write_pattern_codes(board, codes.data());
                for (std::size_t i = 0; i < patterns_.size(); ++i) visit(first_group++, codes[i]);
                return;
            }
            case Kind::joined:
                for (const Mapping& part : parts_) {
                    part.for_each_code(board, visit, first_group);
                    first_group += static_cast<int>(part.groups_.size());
                }
                return;
            default: {
                int code = 0;
                for (Bits set :
                     {board.own_men, board.other_men, board.own_kings, board.other_kings}) {
                    ++code;
                    for (int index : Members(set))
                        visit(first_group + draughts::square_at(index) - 1, code);
                }
            }
        }
    }

    // The code of each group.
    void write_codes(const draughts::features::Board& board, int* codes) const;

    // The inputs themselves.
    void write_inputs(const draughts::Position& position, double* inputs) const;

    bool operator==(const Mapping& other) const;

  private:
    static constexpr int MOST_COUNT = draughts::MAX_PIECES;
    static constexpr int PIECES = 4;  // own man, other's man, own king, other's king

    struct Source {
        const draughts::features::Feature* feature;
        int bits;
        bool is_quirk;
        bool operator==(const Source&) const = default;
    };

    Mapping(Kind kind, double off, bool quirks = false) : kind_(kind), off_(off), quirks_(quirks) {}
    static Mapping squares(Kind kind, double off, int inputs_per_square, bool quirks = false);
    static double level(const Group& group, int code, int k);
    void add_group(int inputs, int codes);
    static int material_code(const draughts::features::Board& board);
    void place_patterns();
    void write_pattern_codes(const draughts::features::Board& board, std::int32_t* codes) const;
    static int code_of(const Source& source, const draughts::features::Board& board) {
        assert(0 < source.bits && source.bits <= MAX_BITS &&
               (!source.is_quirk || source.feature->quirk));
        return source.is_quirk ? source.feature->quirk(board, source.bits)
                               : source.feature->code(board, source.bits);
    }

    Kind kind_;
    double off_;
    bool quirks_;
    int states_ = 0;
    int size_ = 0;
    std::vector<Group> groups_;
    std::vector<Source> sources_;
    std::vector<std::vector<int>> patterns_;
    // By piece, index and pattern: what the piece there adds to the pattern's code.
    std::vector<std::int32_t> places_;
    std::size_t width_ = 0;  // how many patterns `places_` has room for
    std::vector<Mapping> parts_;
};

}  // namespace crossboard
