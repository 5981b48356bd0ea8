// One placement of the men of a slice, and what the kings can do around it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules/bits.h"
#include "tables/slice.h"

namespace crossboard::tables {

constexpr std::uint32_t NO_RANK = ~std::uint32_t{0};

// The kings of one colour on the squares that the men leave. Black's and White's kings are numbered
// apart, each as if the other's were not there.
struct KingSets {
    // Of each set, as Black sees it and as White does: turned.
    std::array<std::vector<Bits>, 2> bits;
    // The numbers of the sets that are one step away from set i stand from starts[i] to
    // starts[i + 1]: the same before the step and after it, as kings step both ways.
    std::vector<std::uint32_t> starts, neighbours;
};

// A step of a man, seen by its side, which moves up.
struct ManStep {
    Bits from = 0, to = 0;
    bool promotes = false;
    // Of what does not promote: where the placement after it is, and the numbers that the kings'
    // sets have there; NO_RANK where a king is in the way.
    std::uint32_t men_number = 0;
    std::array<std::vector<std::uint32_t>, 2> ranks;
};

// Everything is indexed by colour, Black first; a view is that of the colour to move.
class MenBlock {
  public:
    // `sets`: all sets of Black's and of White's kings on as many squares as men leave.
    MenBlock(const SliceIndex& index, const std::array<std::vector<Set>, 2>& sets)
        : index_(index), sets_(sets) {}

    // What is made anew for the next placement keeps its memory.
    void set_up(std::uint32_t number);

    Bits men(int view, int colour) const { return men_[view][colour]; }
    const KingSets& kings(int colour) const { return kings_[colour]; }
    const ManStep* begin_steps(int view) const { return steps_[view].data(); }
    const ManStep* end_steps(int view) const { return begin_steps(view) + count_[view]; }

  private:
    void set_up_kings(int colour);
    void set_up_steps(int view);
    void number_after(ManStep& step, int view, Set from, Set to);

    const SliceIndex& index_;
    const std::array<std::vector<Set>, 2>& sets_;
    std::array<Set, 2> squeezed_men_{};
    std::array<std::array<Bits, 2>, 2> men_{};
    std::array<std::uint8_t, 32> squares_{};  // that men leave
    std::array<KingSets, 2> kings_;
    std::array<std::vector<ManStep>, 2> steps_;
    std::array<int, 2> count_{};
};

}  // namespace crossboard::tables
