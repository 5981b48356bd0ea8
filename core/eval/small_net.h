// A small net of whole numbers as an evaluation of draughts (docs/small-net.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "eval/small_net_layers.h"

namespace crossboard {

class SmallNet {
  public:
    // The weights of all phases, as small_net_weights.h says. `way` is the name of a way through
    // the layers; the fastest where it is empty. Throws std::invalid_argument for weights that are
    // too few, too many or beyond their limits, and for a way that this processor does not have.
    SmallNet(const small_net::NetSize& size, const small_net::NetPhases& phases,
             std::span<const std::int16_t> weights, std::string_view way = {});

    // Hundredths of a man, for the side to move.
    std::int32_t evaluate(const draughts::Position& position) const;
    int units() const { return UNITS; }

    std::string_view way() const { return way_.name; }

    static constexpr int UNITS = 100;
    static constexpr std::int32_t MOST = 3000;  // thirty men: more than any board holds

  private:
    // A line of the processor's cache: vectors are read from places that divide by its size.
    struct alignas(64) CacheLine {
        std::byte bytes[64];
    };
    struct Packed {
        small_net::NetPhases phases;
        std::vector<std::vector<CacheLine>> blocks;  // what the layers point to
        std::vector<small_net::Layers> layers;       // of each phase

        template <class Number>
        Number* add(std::size_t count);
        void add_layers(const small_net::NetSize& size, const std::int16_t* weights);
    };

    std::shared_ptr<const Packed> packed_;  // copies for other threads share it
    small_net::Way way_;
};

}  // namespace crossboard
