// What a game must offer so that perft, records, search and batches can play it.
#pragma once

#include <concepts>
#include <cstdint>

namespace crossboard {

// A position is a value: board and turn, with no past. after() gives a new one. Two sides move by
// turns; where a side is a team, its players do so in their order, and who cannot move passes.
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
        { position.captures() } -> std::same_as<typename P::Moves>;  // of the unique moves
        { P::MUST_CAPTURE } -> std::convertible_to<bool>;            // who can capture does
        { position.count_pieces() } -> std::same_as<int>;            // of both sides
        position.for_each_move([](const typename P::Move&) {});      // the same moves, not stored
        { position.count_moves() } -> std::same_as<int>;             // how many they are
        { position.move_at(0) } -> std::same_as<typename P::Move>;
        { position.is_over() } -> std::same_as<bool>;  // no legal move
        // Of a game that is over: whether the side to move has lost; otherwise it is drawn.
        { position.is_lost() } -> std::same_as<bool>;
        { position.after(move) } -> std::same_as<P>;
        { position.key() } -> std::same_as<std::uint64_t>;  // equal positions, equal keys
        // True if no position before the move can come back after it.
        { position.is_irreversible(move) } -> std::same_as<bool>;
        // Whether, as far as the boards tell, no such move lies between an earlier position and
        // this one; whether this one's player is the next after the other's.
        { position.is_unchanged_since(position) } -> std::same_as<bool>;
        { position.is_turn_after(position) } -> std::same_as<bool>;
    };

}  // namespace crossboard
