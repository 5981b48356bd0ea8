// The cells of the Duchess board: their numbers, their names, and sets of them.
//
// A cell is numbered as on the board of six players, so that both boards share names and keys; a
// folded flap leaves its numbers unused.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

namespace crossboard::duchess {

constexpr int SECTORS = 6;
constexpr int FILES = 5;
constexpr int RANKS = 6;
constexpr int FLAP_RANKS = 4;
constexpr int FLAP_CELLS = FILES * FLAP_RANKS;
constexpr int SECTOR_CELLS = FLAP_CELLS + 6;  // and c5 d5 e5 c6 d6 e6
constexpr int VORTEX = SECTORS * SECTOR_CELLS;
constexpr int CELLS = VORTEX + 1;

constexpr bool is_cell(int cell) {
    return 0 <= cell && cell < CELLS;
}

// Where a cell lies as seen from the seat of its sector: everything counts from zero, file 0 is a.
struct Place {
    int sector;
    int file;
    int rank;
    constexpr bool operator==(const Place&) const = default;
};

// The block of four cells between two flaps belongs to both sectors; this is its name in the one
// on the left, which is the cell's own: s a5, a6, b5, b6 are (s+1) e5, d5, e6, d6.
constexpr Place canonical(Place place) {
    assert(0 <= place.sector && place.sector < SECTORS && 0 <= place.file && place.file < FILES &&
           0 <= place.rank && place.rank < RANKS);
    if (place.rank < FLAP_RANKS || place.file > 1) return place;
    return {(place.sector + 1) % SECTORS, FILES - 1 - (place.rank - FLAP_RANKS), 4 + place.file};
}

// Rank by rank inside a sector, sector by sector, the Vortex last.
constexpr int cell_at(Place place) {
    const auto [sector, file, rank] = canonical(place);
    const int within =
        rank < FLAP_RANKS ? rank * FILES + file : FLAP_CELLS + (rank - FLAP_RANKS) * 3 + file - 2;
    return sector * SECTOR_CELLS + within;
}

constexpr Place place_of(int cell) {
    assert(0 <= cell && cell < VORTEX);
    const int sector = cell / SECTOR_CELLS, within = cell % SECTOR_CELLS;
    if (within < FLAP_CELLS) return {sector, within % FILES, within / FILES};
    const int inner = within - FLAP_CELLS;
    return {sector, 2 + inner % 3, FLAP_RANKS + inner / 3};
}

// The cell that the board's turning by so many sectors clockwise brings a cell to.
constexpr int turned(int cell, int sectors) {
    assert(is_cell(cell) && sectors >= 0);
    if (cell == VORTEX) return cell;
    return (cell + sectors * SECTOR_CELLS) % VORTEX;
}

// A set of cells: three machine words, which a compiler keeps in registers.
class Cells {
  public:
    constexpr Cells() = default;

    static constexpr Cells of(int cell) {
        Cells set;
        set.add(cell);
        return set;
    }
    static constexpr Cells all() {
        return Cells(~std::uint64_t{0}, ~std::uint64_t{0}, (std::uint64_t{1} << (CELLS - 128)) - 1);
    }

    constexpr bool has(int cell) const {
        assert(is_cell(cell));
        return words_[cell >> 6] >> (cell & 63) & 1;
    }
    constexpr void add(int cell) {
        assert(is_cell(cell));
        words_[cell >> 6] |= std::uint64_t{1} << (cell & 63);
    }
    constexpr void toggle(int cell) {
        assert(is_cell(cell));
        words_[cell >> 6] ^= std::uint64_t{1} << (cell & 63);
    }
    constexpr bool empty() const { return (words_[0] | words_[1] | words_[2]) == 0; }
    constexpr int count() const {
        return std::popcount(words_[0]) + std::popcount(words_[1]) + std::popcount(words_[2]);
    }
    constexpr int first() const {
        assert(!empty());
        if (words_[0]) return std::countr_zero(words_[0]);
        if (words_[1]) return 64 + std::countr_zero(words_[1]);
        return 128 + std::countr_zero(words_[2]);
    }

    friend constexpr Cells operator&(const Cells& a, const Cells& b) {
        return Cells(a.words_[0] & b.words_[0], a.words_[1] & b.words_[1],
                     a.words_[2] & b.words_[2]);
    }
    friend constexpr Cells operator|(const Cells& a, const Cells& b) {
        return Cells(a.words_[0] | b.words_[0], a.words_[1] | b.words_[1],
                     a.words_[2] | b.words_[2]);
    }
    // Without the members of b.
    friend constexpr Cells operator-(const Cells& a, const Cells& b) {
        return Cells(a.words_[0] & ~b.words_[0], a.words_[1] & ~b.words_[1],
                     a.words_[2] & ~b.words_[2]);
    }
    constexpr Cells& operator&=(const Cells& other) { return *this = *this & other; }
    constexpr Cells& operator|=(const Cells& other) { return *this = *this | other; }
    constexpr bool operator==(const Cells&) const = default;

    // Calls visit(cell) for each member, lowest first.
    template <class Visit>
    constexpr void for_each(Visit visit) const {
        for (int word = 0; word < 3; ++word)
            for (std::uint64_t rest = words_[word]; rest; rest &= rest - 1)
                visit(64 * word + std::countr_zero(rest));
    }
    // The same until visit(cell) is false; whether it never was.
    template <class Visit>
    constexpr bool all_of(Visit visit) const {
        for (int word = 0; word < 3; ++word)
            for (std::uint64_t rest = words_[word]; rest; rest &= rest - 1)
                if (!visit(64 * word + std::countr_zero(rest))) return false;
        return true;
    }

  private:
    constexpr Cells(std::uint64_t a, std::uint64_t b, std::uint64_t c) : words_{a, b, c} {}

    std::uint64_t words_[3] = {};
};

}  // namespace crossboard::duchess
