// Makes mappings, and inputs from boards.
#include "eval/mapping.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "rules/clones.h"

namespace crossboard {

namespace {

constexpr int STATES = 5;  // of a square

// Patterns are handled in blocks of this many, for the sake of vector instructions.
constexpr int BLOCK = 8;

void check_off(double off) {
    if (!(off >= -Mapping::ON && off < Mapping::ON))
        throw std::invalid_argument("the level of an input that is off is -1 or more, below 1");
}

void check_pattern(const std::vector<int>& squares) {
    if (squares.empty()) throw std::invalid_argument("a pattern needs at least one square");
    for (int square : squares) {
        if (square < 1 || square > draughts::SQUARES)
            throw std::invalid_argument("a pattern's squares are 1 to 32, not " +
                                        std::to_string(square));
        if (std::count(squares.begin(), squares.end(), square) > 1)
            throw std::invalid_argument("square " + std::to_string(square) +
                                        " is twice in a pattern");
    }
}

int count_codes(const std::vector<int>& squares, int states) {
    int codes = 1;
    for (std::size_t i = 0; i < squares.size(); ++i) {
        codes *= states;
        if (codes > Mapping::MAX_PATTERN_CODES)
            throw std::invalid_argument("a pattern of " + std::to_string(squares.size()) +
                                        " squares has more than " +
                                        std::to_string(Mapping::MAX_PATTERN_CODES) + " codes");
    }
    return codes;
}

// Sums the pieces' rows of `width` numbers, a multiple of BLOCK, into `codes`.
CROSSBOARD_CLONES void sum_places(const std::int32_t* const* rows, int count, std::size_t width,
                                  std::int32_t* codes) {
    assert(count >= 0 && width % BLOCK == 0);
    for (std::size_t first = 0; first < width; first += BLOCK) {
        std::array<std::int32_t, BLOCK> sum = {};
        for (int row = 0; row < count; ++row)
            for (int j = 0; j < BLOCK; ++j) sum[j] += rows[row][first + j];
        for (int j = 0; j < BLOCK; ++j) codes[first + j] = sum[j];
    }
}

}  // namespace

void Mapping::add_group(int inputs, int codes) {
    assert(inputs > 0 && codes > 0 && inputs <= MAX_INPUTS - size_);
    groups_.push_back({size_, inputs, codes, kind_, off_, quirks_});
    size_ += inputs;
}

Mapping Mapping::squares(Kind kind, double off, int inputs_per_square, bool quirks) {
    Mapping mapping(kind, off, quirks);
    for (int square = 0; square < draughts::SQUARES; ++square)
        mapping.add_group(inputs_per_square, STATES);
    return mapping;
}

Mapping Mapping::binary(double off) {
    check_off(off);
    return squares(Kind::binary, off, 3);
}

Mapping Mapping::direct(bool quirks) {
    return squares(Kind::direct, 0, 1, quirks);
}

Mapping Mapping::pieces() {
    return squares(Kind::pieces, 0, PIECES);
}

Mapping Mapping::features(const std::vector<std::pair<std::string, int>>& features, double off,
                          bool quirks) {
    check_off(off);
    Mapping mapping(Kind::features, off, quirks);
    for (const auto& [name, bits] : features) {
        const auto& feature = draughts::features::by_name(name);
        if (bits < 1 || bits > MAX_BITS)
            throw std::invalid_argument(name + " can have 1 to " + std::to_string(MAX_BITS) +
                                        " bits, not " + std::to_string(bits));
        for (const Source& source : mapping.sources_)
            if (source.feature == &feature) throw std::invalid_argument(name + " is named twice");
        mapping.sources_.push_back({&feature, bits, quirks && feature.quirk});
        mapping.add_group(bits, 1 << bits);
    }
    if (features.empty()) throw std::invalid_argument("a mapping needs at least one feature");
    return mapping;
}

Mapping Mapping::counts() {
    Mapping mapping(Kind::counts, 0);
    for (int input = 0; input < 2; ++input) mapping.add_group(1, 2 * MOST_COUNT + 1);
    return mapping;
}

Mapping Mapping::material() {
    Mapping mapping(Kind::material, 0);
    constexpr int side = (MOST_COUNT + 1) * (MOST_KINGS + 1);
    mapping.add_group(side * side, side * side);
    return mapping;
}

int Mapping::material_code(const draughts::features::Board& board) {
    assert(count(board.own()) <= MOST_COUNT && count(board.other()) <= MOST_COUNT);
    const auto side = [](Bits men, Bits kings) {
        return std::min(count(kings), MOST_KINGS) * (MOST_COUNT + 1) + count(men);
    };
    constexpr int codes = (MOST_COUNT + 1) * (MOST_KINGS + 1);
    return side(board.own_men, board.own_kings) * codes + side(board.other_men, board.other_kings);
}

Mapping Mapping::patterns(const std::vector<std::vector<int>>& squares, int states) {
    if (states != 3 && states != STATES)
        throw std::invalid_argument("a pattern's squares have 3 or 5 states, not " +
                                    std::to_string(states));
    if (squares.empty() || squares.size() > MAX_PATTERNS)
        throw std::invalid_argument("a mapping has 1 to " + std::to_string(MAX_PATTERNS) +
                                    " patterns, not " + std::to_string(squares.size()));
    Mapping mapping(Kind::patterns, 0);
    mapping.patterns_ = squares;
    mapping.states_ = states;
    for (const std::vector<int>& pattern : squares) {
        check_pattern(pattern);
        const int codes = count_codes(pattern, states);
        mapping.add_group(codes, codes);
    }
    mapping.place_patterns();
    return mapping;
}

void Mapping::place_patterns() {
    width_ = (patterns_.size() + BLOCK - 1) / BLOCK * BLOCK;
    places_.assign(PIECES * draughts::INDICES * width_, 0);
    const int pieces = std::min(states_ - 1, PIECES);
    for (std::size_t pattern = 0; pattern < patterns_.size(); ++pattern) {
        int power = 1;
        for (int square : patterns_[pattern]) {
            for (int piece = 0; piece < pieces; ++piece) {
                const int place = piece * draughts::INDICES + draughts::index_of(square);
                places_[static_cast<std::size_t>(place) * width_ + pattern] = (piece + 1) * power;
            }
            power *= states_;
        }
    }
}

Mapping Mapping::joined(const std::vector<Mapping>& parts) {
    if (parts.empty()) throw std::invalid_argument("a joined mapping needs at least one part");
    Mapping mapping(Kind::joined, 0);
    for (const Mapping& part : parts) {
        if (part.kind_ == Kind::joined)
            throw std::invalid_argument("a part of a joined mapping is not joined itself");
        if (part.size_ > MAX_INPUTS - mapping.size_)
            throw std::invalid_argument("a mapping has at most " + std::to_string(MAX_INPUTS) +
                                        " inputs");
        for (Group group : part.groups_) {
            group.first_input += mapping.size_;
            mapping.groups_.push_back(group);
        }
        mapping.size_ += part.size_;
        mapping.parts_.push_back(part);
    }
    return mapping;
}

std::vector<std::pair<std::string, int>> Mapping::feature_list() const {
    std::vector<std::pair<std::string, int>> list;
    for (const Source& source : sources_) list.emplace_back(source.feature->name, source.bits);
    return list;
}

double Mapping::level(const Group& group, int code, int k) {
    assert(group.has_code(code) && 0 <= k && k < group.inputs);
    switch (group.kind) {
        case Kind::binary: return code >> (group.inputs - 1 - k) & 1 ? ON : group.off;
        case Kind::direct: return group.quirks ? code / 4 : code / 4.0;
        case Kind::counts: return code - MOST_COUNT;
        case Kind::pieces: return code == k + 1 ? ON : 0;
        default: return code >> k & 1 ? ON : group.off;
    }
}

void Mapping::write_pattern_codes(const draughts::features::Board& board,
                                  std::int32_t* codes) const {
    assert(kind_ == Kind::patterns && patterns_.size() <= width_ && width_ <= MAX_PATTERNS);
    std::array<const std::int32_t*, 2 * draughts::MAX_PIECES> rows;
    const Bits sets[PIECES] = {board.own_men, board.other_men, board.own_kings, board.other_kings};
    const int pieces = std::min(states_ - 1, PIECES);
    int count = 0;
    for (int piece = 0; piece < pieces; ++piece)
        for (int index : Members(sets[piece])) {
            const int place = piece * draughts::INDICES + index;
            rows[count++] = places_.data() + static_cast<std::size_t>(place) * width_;
        }
    sum_places(rows.data(), count, width_, codes);
}

void Mapping::write_codes(const draughts::features::Board& board, int* codes) const {
    std::fill_n(codes, groups_.size(), 0);
    for_each_code(board, [this, codes](int group, int code) {
        assert(groups_[static_cast<std::size_t>(group)].has_code(code));
        codes[group] = code;
    });
}

void Mapping::write_inputs(const draughts::Position& position, double* inputs) const {
    std::vector<int> codes(groups_.size());
    write_codes(draughts::features::Board(position), codes.data());
    std::fill_n(inputs, size_, 0.0);
    for (std::size_t g = 0; g < groups_.size(); ++g)
        for_each_level(groups_[g], codes[g],
                       [inputs](int input, double level) { inputs[input] = level; });
}

bool Mapping::operator==(const Mapping& other) const {
    return kind_ == other.kind_ && off_ == other.off_ && quirks_ == other.quirks_ &&
           sources_ == other.sources_ && states_ == other.states_ && patterns_ == other.patterns_ &&
           parts_ == other.parts_;
}

}  // namespace crossboard
