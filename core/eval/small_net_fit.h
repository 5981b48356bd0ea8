// Fits one phase of a small net to labels: cross-entropy and Adam, in single precision.
//
// Weights stay within the limits of small_net_weights.h, so that whole numbers can hold them.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "eval/small_net_weights.h"

namespace crossboard {

// Sums of products are taken in so many lanes, in a fixed order, so that a fit gives the same bits
// on every processor.
inline constexpr int FIT_LANES = 8;

// The inputs of a position that are on: a word for each kind of piece, a bit for each square.
using FitBoard = std::array<std::uint32_t, small_net::KINDS>;

inline FitBoard board_of(const draughts::Position& position) {
    FitBoard board{};
    small_net::for_each_input(position, [&](int input) {
        board[static_cast<std::size_t>(input / draughts::SQUARES)] |= std::uint32_t{1}
                                                                      << input % draughts::SQUARES;
    });
    return board;
}

struct FitSettings {
    int batch = 1024;
    double rate = 1e-3;  // at its highest
    // The rate rises over so many batches, then falls to 0 as half a cosine until the last one.
    std::int64_t warm_up = 100;
    std::int64_t last = 1000;
    double momentum = 0.9;         // how slowly the mean of the gradients forgets
    double spread_memory = 0.999;  // and that of their squares
    // A man more is worth so much on the scale of log-odds.
    double steepness = 100.0 / 65.0;
};

// Everything that one fit is at a moment: to be kept, and taken up again bit for bit.
class SmallNetFit {
  public:
    // The arrays have a number for each weight of a phase, in the order of small_net_weights.h.
    // Throws std::invalid_argument for other arrays, for sizes that are no multiples of FIT_LANES
    // and for batches that make no sense.
    SmallNetFit(const small_net::NetSize& size, const FitSettings& settings,
                std::span<const float> weights, std::span<const float> means,
                std::span<const float> spreads, std::int64_t batches);

    // Learns all boards once, in an order drawn from the seed; the last batch may be smaller.
    // Targets are points a game of the side to move, 0 to 1. Returns the mean cross-entropy of the
    // boards, each as it was judged before its batch was learnt.
    double learn(std::span<const FitBoard> boards, std::span<const float> targets,
                 std::uint64_t seed);

    // What the net says of each board, in men; `values` has a place for each.
    void judge(std::span<const FitBoard> boards, std::span<float> values) const;

    std::span<const float> weights() const { return weights_; }
    std::span<const float> means() const { return means_; }
    std::span<const float> spreads() const { return spreads_; }
    std::int64_t batches() const { return batches_; }

  private:
    void update(int boards);

    small_net::NetSize size_;
    FitSettings settings_;
    std::vector<float> weights_, means_, spreads_;
    std::vector<float> gradient_;
    std::int64_t batches_;  // learnt so far
};

}  // namespace crossboard
