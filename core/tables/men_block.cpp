// One placement of the men of a slice, and what the kings can do around it.
#include "tables/men_block.h"

#include "rules/draughts/squares.h"

namespace crossboard::tables {

using draughts::BOARD;
using draughts::step;

namespace {

Set neighbours_of(Set square) {
    const Bits bits = widened(square);
    return squeezed((step<4>(bits) | step<5>(bits) | step<-4>(bits) | step<-5>(bits)) & BOARD);
}

}  // namespace

void MenBlock::set_up(std::uint32_t number) {
    const Board board = index_.men_at(number);
    squeezed_men_ = {board.men, board.other_men};
    men_[0] = {widened(board.men), widened(board.other_men)};
    men_[1] = {widened(turned(board.men)), widened(turned(board.other_men))};
    int free = 0;
    for (Set rest = ~board.taken(); rest; rest &= rest - 1)
        squares_[free++] = static_cast<std::uint8_t>(std::countr_zero(rest));
    for (const int colour : {0, 1}) set_up_kings(colour);
    for (const int view : {0, 1}) set_up_steps(view);
}

void MenBlock::set_up_kings(int colour) {
    const Set taken = squeezed_men_[0] | squeezed_men_[1];
    const int free = 32 - std::popcount(taken);
    std::array<Set, 32> reach{};  // among the squares that men leave
    for (int i = 0; i < free; ++i)
        for (Set rest = neighbours_of(Set{1} << squares_[i]) & ~taken; rest; rest &= rest - 1)
            reach[i] |= Set{1} << rank_beside(rest & -rest, taken);
    KingSets& kings = kings_[colour];
    for (auto& bits : kings.bits) bits.clear();
    kings.starts.assign(1, 0);
    kings.neighbours.clear();
    for (const Set set : sets_[colour]) {
        Set spread = 0;
        for (Set rest = set; rest; rest &= rest - 1) {
            const int from = std::countr_zero(rest);
            spread |= Set{1} << squares_[from];
            for (Set to = reach[from] & ~set; to; to &= to - 1)
                kings.neighbours.push_back(rank((set ^ (rest & -rest)) | (to & -to)));
        }
        kings.bits[0].push_back(widened(spread));
        kings.bits[1].push_back(widened(turned(spread)));
        kings.starts.push_back(static_cast<std::uint32_t>(kings.neighbours.size()));
    }
}

void MenBlock::set_up_steps(int view) {
    count_[view] = 0;
    const Bits taken = men_[view][0] | men_[view][1];
    const Bits last_row = draughts::crowning_row(draughts::Colour::black);
    for (const int index : Members(men_[view][view])) {
        for (const int direction : {4, 5}) {
            const Bits from = bit(index), to = bit(index + direction) & BOARD & ~taken;
            if (!to) continue;
            if (static_cast<int>(steps_[view].size()) == count_[view]) steps_[view].emplace_back();
            ManStep& step = steps_[view][count_[view]++];
            step.from = from;
            step.to = to;
            step.promotes = (to & last_row) != 0;
            if (step.promotes) continue;
            const Set squeezed_from = squeezed(from), squeezed_to = squeezed(to);
            number_after(step, view, view ? turned(squeezed_from) : squeezed_from,
                         view ? turned(squeezed_to) : squeezed_to);
        }
    }
}

void MenBlock::number_after(ManStep& step, int view, Set from, Set to) {
    std::array<Set, 2> men = squeezed_men_;
    men[view] = (men[view] ^ from) | to;
    step.men_number = index_.men_number(men[0], men[1]);
    const Set taken = men[0] | men[1];
    std::array<std::uint8_t, 32> place{};  // among the squares that the men then leave
    for (int i = 0; i < 32 - std::popcount(taken); ++i)
        place[i] = static_cast<std::uint8_t>(squares_[i] -
                                             std::popcount(taken & ((Set{1} << squares_[i]) - 1)));
    Set blocked = 0;
    for (int i = 0; i < 32 - std::popcount(taken); ++i)
        if (to >> squares_[i] & 1) blocked = Set{1} << i;
    for (const int colour : {0, 1}) {
        step.ranks[colour].clear();
        for (const Set set : sets_[colour]) {
            std::uint32_t number = 0;
            int k = 1;
            for (Set rest = set; rest; rest &= rest - 1)
                number += BINOMIAL[place[std::countr_zero(rest)]][k++];
            step.ranks[colour].push_back(set & blocked ? NO_RANK : number);
        }
    }
}

}  // namespace crossboard::tables
