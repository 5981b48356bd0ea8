// The nine kinds of pieces, how many of each a player has, and the box they go to when captured.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

namespace crossboard::duchess {

enum class Kind : std::uint8_t {
    king,
    queen,
    duchess,
    fortress,
    wizard,
    knight,
    rook,
    bishop,
    pawn,
    none
};

constexpr int KINDS = 9;
constexpr std::array<Kind, KINDS> ALL_KINDS = {Kind::king,     Kind::queen,  Kind::duchess,
                                               Kind::fortress, Kind::wizard, Kind::knight,
                                               Kind::rook,     Kind::bishop, Kind::pawn};
constexpr char LETTERS[] = "KQDFWNRBP";
constexpr std::array<int, KINDS> COMPLEMENT = {1, 1, 1, 1, 1, 1, 2, 2, 5};
constexpr int MAX_PIECES = 15;  // of one player

constexpr int index(Kind kind) {
    return static_cast<int>(kind);
}
constexpr char letter(Kind kind) {
    assert(kind != Kind::none);
    return LETTERS[index(kind)];
}
constexpr Kind kind_from(char letter) {
    for (Kind kind : ALL_KINDS)
        if (LETTERS[index(kind)] == letter) return kind;
    return Kind::none;
}

// A player's pieces at the start, ranks 1 to 3 from file a to e: the same for everybody, turned.
constexpr char SET_UP[3][6] = {"RWKFR", "BNQBD", "PPPPP"};

// One player's captured pieces: how many of each kind, packed.
class Box {
  public:
    // A king is never captured.
    constexpr int count(Kind kind) const {
        assert(kind != Kind::king && kind != Kind::none);
        return bits_ >> SHIFT[index(kind)] & mask(kind);
    }
    constexpr void add(Kind kind) {
        assert(count(kind) < COMPLEMENT[index(kind)]);
        bits_ = static_cast<std::uint16_t>(bits_ + (1 << SHIFT[index(kind)]));
    }
    constexpr void remove(Kind kind) {
        assert(count(kind) > 0);
        bits_ = static_cast<std::uint16_t>(bits_ - (1 << SHIFT[index(kind)]));
    }
    constexpr bool empty() const { return bits_ == 0; }

    // How many kinds a pawn may be exchanged for.
    constexpr int choices() const {
        int total = 0;
        for_each_choice([&](Kind) { ++total; });
        return total;
    }
    // Calls visit(kind) for each of them: every kind in the box but pawns.
    template <class Visit>
    constexpr void for_each_choice(Visit visit) const {
        if (empty()) return;
        for (Kind kind : ALL_KINDS)
            if (kind != Kind::king && kind != Kind::pawn && count(kind)) visit(kind);
    }
    constexpr bool operator==(const Box&) const = default;

  private:
    // One bit for each of the kinds that a player has one of, two for rooks and bishops, three for
    // pawns, none for kings.
    static constexpr std::array<int, KINDS> SHIFT = {15, 0, 1, 2, 3, 4, 5, 7, 9};
    static constexpr int mask(Kind kind) {
        const int most = COMPLEMENT[index(kind)];
        return most == 1 ? 1 : most == 2 ? 3 : 7;
    }

    std::uint16_t bits_ = 0;
};

}  // namespace crossboard::duchess
