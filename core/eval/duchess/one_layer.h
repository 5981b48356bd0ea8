// The one-layer evaluation of Duchess, carried from position to position (section V.A).
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "eval/duchess/attacks.h"
#include "eval/duchess/features.h"
#include "eval/duchess/weights.h"

namespace crossboard::duchess {

// One number for each player who might be to move: each sees the board in his own way.
template <int Players>
struct alignas(16) Lanes {
    static constexpr int WIDTH = (Players + 3) / 4 * 4;  // whole vectors of the processor
    std::int32_t by_mover[WIDTH] = {};

    Lanes& operator+=(const Lanes& other) {
        for (int i = 0; i < WIDTH; ++i) by_mover[i] += other.by_mover[i];
        return *this;
    }
    Lanes& operator-=(const Lanes& other) {
        for (int i = 0; i < WIDTH; ++i) by_mover[i] -= other.by_mover[i];
        return *this;
    }
    bool operator==(const Lanes&) const = default;
};

// The weighted sum z of the features, of which the sigmoid is the probability that the team to move
// wins. The search works on z, whose negative is the other team's view; a draw is z = 0.
template <int Players>
class OneLayer {
  public:
    // A weight is rounded to a millionth: far below what a game teaches, and whole numbers do not
    // depend on the way they were summed up.
    static constexpr int UNITS = 1'000'000;
    static constexpr std::int32_t MOST = 100'000'000;  // what the search takes for an evaluation

    // What a position's evaluation is made of, but for what must be looked at anew after each move.
    struct State {
        Lanes<Players> sum;
        Stand stand;
        // How many enemies attack each king; kept where attacks are weighed.
        std::array<std::uint8_t, Players> checkers;
        // Where the kings stand; kept where the ways to them are weighed.
        std::array<std::uint8_t, Players> kings;
        bool operator==(const State&) const = default;

        unsigned seats_in_check() const {
            unsigned checked = 0;
            for (int seat = 0; seat < Players; ++seat) checked |= (checkers[seat] != 0) << seat;
            return checked;
        }
    };

    // Throws std::invalid_argument if there are not as many weights as in the layout, if one is too
    // large to be added up, or if the layout is not for so many players.
    OneLayer(const Layout& layout, std::span<const double> weights);

    const Layout& layout() const { return tables_->layout; }
    int units() const { return UNITS; }

    // Throws std::invalid_argument for a position of another number of players.
    static void require(const Position& position) {
        if (position.players() != Players)
            throw std::invalid_argument("the evaluation is for " + std::to_string(Players) +
                                        " players, the position has " +
                                        std::to_string(position.players()));
    }

    State begin(const Position& position) const;
    State after(const State& state, const Position& position, const Move& move,
                const Position& next);
    std::int32_t evaluate(const Position& position, const State& state) const;
    std::int32_t evaluate(const Position& position) const {
        return evaluate(position, begin(position));
    }

    // For learning: the probability that the team to move wins, of a position and of a value that
    // the search found, and how fast it rises with z.
    std::size_t weight_count() const { return static_cast<std::size_t>(layout().size()); }
    double judge(const Position& position) const { return worth(evaluate(position)); }
    double worth(std::int32_t value) const {
        // A win is far beyond any evaluation.
        return 1 / (1 + std::exp(-static_cast<double>(value) / UNITS));
    }
    double slope(double probability) const {
        assert(0 <= probability && probability <= 1);
        return probability * (1 - probability);
    }

    // Adds `amount` times each feature to the sums, which stand in the order of the weights.
    void add_gradient(const Position& position, double amount, std::span<double> sums) const {
        assert(sums.size() == weight_count());
        for_each_feature(layout(), position, [&](int weight, int value) {
            sums[static_cast<std::size_t>(weight)] += amount * value;
        });
    }

  private:
    using Sum = Lanes<Players>;
    static constexpr int CODES = KINDS * Players;

    // The weights in whole units for all movers at once, by pieces instead of features.
    struct Tables {
        Tables(const Layout& layout, std::span<const double> weights);
        void fill_pieces(int mover);
        void fill_attacks(int mover);
        void fill_reaches(int mover);
        void fill_teams(int mover);
        std::int32_t units(int weight) const;

        Layout layout;
        std::span<const double> weights;  // only while they are being filled in
        bool has_attack, has_reach;
        std::array<std::array<Sum, CODES>, CELLS> piece;  // material and place
        std::array<std::array<std::array<Sum, CODES>, CODES>, MODES> attack;
        // By piece, enemy seat and moves to his king.
        std::array<std::array<std::array<Sum, REACHES>, Players>, CODES> reach;
        std::array<Sum, Players> check, mate;                     // of a seat
        std::array<std::array<Sum, Players / 2 + 1>, 2> wizards;  // so many of a team
        Sum bias;
    };

    static constexpr std::array<std::uint8_t, CODES> WAYS = [] {
        std::array<std::uint8_t, CODES> ways{};
        for (Kind kind : ALL_KINDS)
            for (int seat = 0; seat < Players; ++seat)
                ways[code_of(Players, kind, seat)] = ways_of(kind);
        return ways;
    }();

    template <bool IsNew>
    void count_attack(State& state, Mode mode, Code attacker, Code target) const {
        assert(tables_->has_attack && attacker < CODES && target < CODES);
        const Sum& weight = tables_->attack[static_cast<int>(mode)][attacker][target];
        if constexpr (IsNew) {
            state.sum += weight;
        } else {
            state.sum -= weight;
        }
        // Kings have the lowest codes, their seats', and the parity tells the team.
        if (target < Players && (attacker ^ target) & 1) state.checkers[target] += IsNew ? 1 : -1;
    }

    // What is left when the piece on a cell has been taken up.
    struct TakenUp {
        Sum sum;
        std::uint64_t key = 0;  // of the position with it; 0: none yet
        std::array<std::uint8_t, Players> checkers = {};
    };

    // A piece appears or vanishes, takes the place of another, or is only counted with its attacks.
    void take_up(State& state, int cell, const Position& position);
    void add(State& state, int cell, Code code) const;
    void remove(State& state, int cell) const;
    void replace(State& state, int cell, Code code) const;
    template <bool IsNew, bool BlocksLines>
    void count_attacks(State& state, int cell, Code code) const;
    // The way from a piece to one enemy king, from a piece to all of them, to a king from
    // everybody.
    template <bool IsNew>
    void count_reach(State& state, int cell, Code code, int enemy) const;
    template <bool IsNew>
    void count_reaches(State& state, int cell, Code code) const;
    template <bool IsNew>
    void count_ways_to_king(State& state, int seat, const Position& position) const;
    void move_reaches(State& state, const Position& position, const Move& move,
                      const Position& next) const;

    std::shared_ptr<const Tables> tables_;  // copies for other threads share them
    // The last of each cell. All moves of a piece begin so, and before the last ply nobody else
    // takes up a piece between them.
    std::array<TakenUp, CELLS> taken_up_{};
};

extern template class OneLayer<4>;
extern template class OneLayer<6>;

// The same evaluation, begun anew at every position: what the carried one is measured against.
template <int Players>
class FromScratch {
  public:
    explicit FromScratch(const OneLayer<Players>& evaluator) : evaluator_(evaluator) {}

    std::int32_t evaluate(const Position& position) const { return evaluator_.evaluate(position); }
    int units() const { return evaluator_.units(); }
    static void require(const Position& position) { OneLayer<Players>::require(position); }

  private:
    OneLayer<Players> evaluator_;
};

}  // namespace crossboard::duchess
