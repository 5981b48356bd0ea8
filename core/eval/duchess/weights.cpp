// Lays out the weights of Duchess's evaluation.
#include "eval/duchess/weights.h"

#include <stdexcept>

namespace crossboard::duchess {

Layout::Layout(const Design& design) : design_(design) {
    if (!is_number_of_players(design.players))
        throw std::invalid_argument("Duchess is for 4 or 6 players, not " +
                                    std::to_string(design.players));
    const int seats = design.players;
    const Cells& board = board_of(seats).cells;
    cells_ = board.count();
    material_ = add("material", {KINDS});
    wizards_ = add("wizards", {seats / 2 - 1});
    pawn_square_ = add("pawn_square", {seats, cells_});
    check_ = add("check", {seats});
    checkmate_ = add("checkmate", {seats});
    bias_ = add("bias", {1});
    if (design.attack_modes) {
        attack_ = add("attack", {MODES, KINDS, seats, KINDS, seats});
    } else if (design.attack) {
        attack_ = add("attack", {KINDS, seats, KINDS, seats});
    }
    if (design.piece_square) piece_square_ = add("piece_square", {cells_, KINDS, seats});
    if (design.king_reach) king_reach_ = add("king_reach", {KINDS, seats, seats, REACHES});

    std::array<int, CELLS> numbers{};
    int number = 0;
    board.for_each([&](int cell) { numbers[static_cast<std::size_t>(cell)] = number++; });
    const auto sectors = sectors_of(seats);
    for (int mover = 0; mover < seats; ++mover) {
        const int turn = sectors[mover] - sectors[set_of(mover)];
        board.for_each(
            [&](int cell) { cell_numbers_[mover][cell] = numbers[turned(cell, SECTORS - turn)]; });
    }
}

int Layout::add(const char* name, std::vector<int> extents) {
    int size = 1;
    for (int extent : extents) size *= extent;
    extents.insert(extents.begin(), sets());
    groups_.push_back({name, std::move(extents), size_, size});
    size_ += sets() * size;
    return static_cast<int>(groups_.size()) - 1;
}

}  // namespace crossboard::duchess
