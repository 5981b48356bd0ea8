// Makes mappings, and inputs from boards.
#include "eval/mapping.h"

#include <cmath>
#include <stdexcept>

namespace crossboard {

namespace {

constexpr int STATES = 5;  // of a square

void check_off(double off) {
    if (!std::isfinite(off))
        throw std::invalid_argument("the level of an input that is off must be a finite number");
}

}  // namespace

Mapping Mapping::squares(Kind kind, double off, int inputs_per_square) {
    Mapping mapping(kind, off);
    for (int square = 0; square < draughts::SQUARES; ++square)
        mapping.groups_.push_back({square * inputs_per_square, inputs_per_square, STATES});
    mapping.size_ = draughts::SQUARES * inputs_per_square;
    return mapping;
}

Mapping Mapping::binary(double off) {
    check_off(off);
    return squares(Kind::binary, off, 3);
}

Mapping Mapping::direct() {
    return squares(Kind::direct, 0, 1);
}

Mapping Mapping::features(const std::vector<std::pair<std::string, int>>& features, double off,
                          bool quirks) {
    check_off(off);
    Mapping mapping(Kind::features, off);
    mapping.quirks_ = quirks;
    for (const auto& [name, bits] : features) {
        const auto& feature = draughts::features::by_name(name);
        if (bits < 1 || bits > MAX_BITS)
            throw std::invalid_argument(name + " can have 1 to " + std::to_string(MAX_BITS) +
                                        " bits, not " + std::to_string(bits));
        for (const Source& source : mapping.sources_)
            if (source.feature == &feature) throw std::invalid_argument(name + " is named twice");
        mapping.sources_.push_back({&feature, bits, quirks && feature.quirk});
        mapping.groups_.push_back({mapping.size_, bits, 1 << bits});
        mapping.size_ += bits;
    }
    if (features.empty()) throw std::invalid_argument("a mapping needs at least one feature");
    return mapping;
}

std::vector<std::pair<std::string, int>> Mapping::feature_list() const {
    std::vector<std::pair<std::string, int>> list;
    for (const Source& source : sources_) list.emplace_back(source.feature->name, source.bits);
    return list;
}

double Mapping::input(const Group& group, int code, int k) const {
    switch (kind_) {
        case Kind::binary: return code >> (group.inputs - 1 - k) & 1 ? ON : off_;
        case Kind::direct: return code / 4.0;
        default: return code >> k & 1 ? ON : off_;
    }
}

void Mapping::write_codes(const draughts::features::Board& board, int* codes) const {
    if (kind_ == Kind::features) {
        for_each_feature(board, [codes](int group, int code) { codes[group] = code; });
        return;
    }
    std::fill_n(codes, draughts::SQUARES, 0);
    int code = 0;
    for (Bits set : {board.own_men, board.other_men, board.own_kings, board.other_kings}) {
        ++code;
        for (int index : Members(set)) codes[draughts::square_at(index) - 1] = code;
    }
}

void Mapping::write_inputs(const draughts::Position& position, double* inputs) const {
    std::vector<int> codes(groups_.size());
    write_codes(draughts::features::Board(position), codes.data());
    for (std::size_t g = 0; g < groups_.size(); ++g)
        for (int k = 0; k < groups_[g].inputs; ++k) *inputs++ = input(groups_[g], codes[g], k);
}

bool Mapping::operator==(const Mapping& other) const {
    return kind_ == other.kind_ && off_ == other.off_ && quirks_ == other.quirks_ &&
           sources_ == other.sources_;
}

}  // namespace crossboard
