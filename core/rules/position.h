// What a game must offer so that perft, records, search and batches can play it.
#pragma once

#include <concepts>
#include <cstdint>

namespace crossboard {

// A position is a value: board and turn, with no past. after() gives a new one.
template <class P>
concept GamePosition =
    std::regular<P> && requires(const P& position, const typename P::Move& move) {
        typename P::Moves;  // a container of P::Move
        { position.legal_moves() } -> std::same_as<typename P::Moves>;
        // Of several moves that lead to the same position only one.
        { position.unique_moves() } -> std::same_as<typename P::Moves>;
        { P::move_slot(move) } -> std::same_as<int>;  // below MOVE_SLOTS: for statistics of moves
        { P::MOVE_SLOTS } -> std::convertible_to<int>;
        { P::MAX_MOVES } -> std::convertible_to<int>;
        { position.has_capture() } -> std::same_as<bool>;
        position.for_each_move([](const typename P::Move&) {});  // the same moves, not stored
        { position.count_moves() } -> std::same_as<int>;         // how many they are
        { position.move_at(0) } -> std::same_as<typename P::Move>;
        { position.is_over() } -> std::same_as<bool>;  // no legal move
        { position.after(move) } -> std::same_as<P>;
        { position.key() } -> std::same_as<std::uint64_t>;  // equal positions, equal keys
        // True if no position before the move can come back after it.
        { position.is_irreversible(move) } -> std::same_as<bool>;
    };

}  // namespace crossboard
