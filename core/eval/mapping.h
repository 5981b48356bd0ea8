// How a board becomes the inputs of a network.
#pragma once

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

    // One input a square: the same five codes, divided by four (NET_DIRECTMAP).
    static Mapping direct();

    // Features with their bits, least significant first (NET_FEATUREMAP). Throws
    // std::invalid_argument for an unknown or a repeated feature or bits it cannot have.
    static Mapping features(const std::vector<std::pair<std::string, int>>& features,
                            double off = OFF, bool quirks = false);

    static constexpr double ON = 1, OFF = -1;
    static constexpr int MAX_BITS = 10;

    enum class Kind : std::uint8_t { binary, direct, features };

    Kind kind() const { return kind_; }
    double off() const { return off_; }
    bool quirks() const { return quirks_; }
    std::vector<std::pair<std::string, int>> feature_list() const;
    int size() const { return size_; }  // how many inputs

    struct Group {
        int first_input;
        int inputs;
        int codes;
    };
    std::span<const Group> groups() const { return groups_; }

    // What the group's inputs are when it shows `code`: the k-th of them.
    double input(const Group& group, int code, int k) const;

    // The code of each group.
    void write_codes(const draughts::features::Board& board, int* codes) const;

    // The inputs themselves.
    void write_inputs(const draughts::Position& position, double* inputs) const;

    // For feature maps: calls visit(group, code), without the detour over an array.
    template <class Visit>
    void for_each_feature(const draughts::features::Board& board, Visit visit) const {
        int group = 0;
        for (const Source& source : sources_) visit(group++, code_of(source, board));
    }

    bool operator==(const Mapping& other) const;

  private:
    struct Source {
        const draughts::features::Feature* feature;
        int bits;
        bool is_quirk;
        bool operator==(const Source&) const = default;
    };

    Mapping(Kind kind, double off) : kind_(kind), off_(off) {}
    static Mapping squares(Kind kind, double off, int inputs_per_square);
    static int code_of(const Source& source, const draughts::features::Board& board) {
        return source.is_quirk ? source.feature->quirk(board, source.bits)
                               : source.feature->code(board, source.bits);
    }

    Kind kind_;
    double off_;
    bool quirks_ = false;
    int size_ = 0;
    std::vector<Group> groups_;
    std::vector<Source> sources_;
};

}  // namespace crossboard
