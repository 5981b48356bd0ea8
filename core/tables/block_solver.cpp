// Solves all positions with one placement of men, for both sides to move.
//
// One pass settles what captures, promotions and steps of men decide, which lead to what is known,
// and counts the steps of kings. Then results are carried back along the steps of kings, in the
// order of their distances, each position once.
#include "tables/block_solver.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "tables/codec.h"

namespace crossboard::tables {

namespace {

constexpr int NEVER = 1000;  // farther than any distance
constexpr std::uint32_t WHITE_TO_MOVE = std::uint32_t{1} << 31;

}  // namespace

bool BlockSolver::solve(std::uint32_t men, const std::function<bool()>& is_interrupted) {
    block_.set_up(men);
    farthest_ = 0;
    for (const int view : {0, 1}) {
        states_[view] = fields_.states(view, men);
        distances_[view] = fields_.distances(view, men);
    }
    for (const int view : {0, 1}) {
        const auto& own = block_.kings(view).bits[view];
        const auto& other = block_.kings(1 - view).bits[view];
        Place place;
        place.view = view;
        place.board.men = block_.men(view, view);
        place.board.other_men = block_.men(view, 1 - view);
        for (place.row = 0; place.row < other.size(); ++place.row) {
            if (place.row % 64 == 63 && is_interrupted()) return false;
            place.board.other_kings = other[place.row];
            for (place.column = 0; place.column < own.size(); ++place.column) {
                place.board.kings = own[place.column];
                settle_first(place);
            }
        }
    }
    carry_back();
    return true;
}

void BlockSolver::settle_first(const Place& place) {
    const std::uint32_t number = place.row * fields_.columns[place.view] + place.column;
    if (place.board.kings & place.board.other_kings) {
        states_[place.view][number] = DRAWN;
        return;
    }
    const WideBoard::Side side = place.board.side();
    if (!side.jumpers()) return settle_by_steps(place, side);
    const Outcome best = best_capture(place.board, side, solved_);
    const State state = best == Outcome::win ? WON : best == Outcome::loss ? LOST : DRAWN;
    settle(place.view, number, state, 1);
    distances_[place.view][number] = CAPTURE;
}

void BlockSolver::settle_by_steps(const Place& place, const WideBoard::Side& side) {
    const int view = place.view;
    const std::uint32_t number = place.row * fields_.columns[view] + place.column;
    int open =
        count(side.targets<4>(place.board.kings)) + count(side.targets<5>(place.board.kings)) +
        count(side.targets<-4>(place.board.kings)) + count(side.targets<-5>(place.board.kings));
    bool draws = false;
    int shortest_win = NEVER, longest_loss = 0;
    for (const ManStep* step = block_.begin_steps(view); step != block_.end_steps(view); ++step) {
        if (step->to & (place.board.kings | place.board.other_kings)) continue;
        Outcome outcome;
        int distance = 1;
        if (step->promotes) {
            WideBoard moved = place.board;
            moved.men ^= step->from;
            moved.kings |= step->to;
            outcome = outcome_after(moved, solved_);
        } else {
            const std::uint64_t after =
                std::uint64_t{step->ranks[view][place.column]} * fields_.columns[1 - view] +
                step->ranks[1 - view][place.row];
            const std::uint8_t state = fields_.states(1 - view, step->men_number)[after];
            const std::uint8_t rest = fields_.distances(1 - view, step->men_number)[after];
            outcome = state == LOST ? Outcome::win : state == WON ? Outcome::loss : Outcome::draw;
            distance = (rest == CAPTURE ? 1 : rest) + 1;
        }
        draws |= outcome == Outcome::draw;
        if (outcome == Outcome::win) shortest_win = std::min(shortest_win, distance);
        if (outcome == Outcome::loss) longest_loss = std::max(longest_loss, distance);
    }
    if (shortest_win < NEVER) return settle(view, number, WON, shortest_win);
    if (open == 0 && !draws) return settle(view, number, LOST, longest_loss);
    states_[view][number] = static_cast<std::uint8_t>(draws ? HELD : open);
    distances_[view][number] = static_cast<std::uint8_t>(longest_loss);
}

void BlockSolver::settle(int view, std::uint32_t number, State state, int distance) {
    states_[view][number] = state;
    if (state == DRAWN) return;
    if (distance >= CAPTURE)
        throw std::length_error("slice " + name_of(fields_.index.slice()) + " has a distance of " +
                                std::to_string(distance) + " plies, which does not fit a byte");
    distances_[view][number] = static_cast<std::uint8_t>(distance);
    settled_[distance].push_back(number | (view ? WHITE_TO_MOVE : 0));
    farthest_ = std::max(farthest_, distance);
}

void BlockSolver::carry_back() {
    for (int distance = 0; distance <= farthest_; ++distance) {
        auto& settled = settled_[distance];
        // What is added on the way is farther.
        for (const std::uint32_t entry : settled) {
            const int view = (entry & WHITE_TO_MOVE) != 0;
            const std::uint32_t number = entry & ~WHITE_TO_MOVE;
            // Otherwise a shorter way was found, and carried back.
            const std::uint8_t found = distances_[view][number];
            if (found == distance || found == CAPTURE) carry_back(view, number, distance);
        }
        settled.clear();
    }
}

void BlockSolver::carry_back(int view, std::uint32_t number, int distance) {
    const bool is_lost = states_[view][number] == LOST;
    const std::uint32_t columns = fields_.columns[view];
    const std::uint32_t row = number / columns, column = number % columns;
    const KingSets& kings = block_.kings(1 - view);
    std::uint8_t* states = states_[1 - view];
    std::uint8_t* distances = distances_[1 - view];
    const std::uint32_t first = column * fields_.columns[1 - view];
    for (std::uint32_t i = kings.starts[row]; i < kings.starts[row + 1]; ++i) {
        const std::uint32_t before = first + kings.neighbours[i];
        const std::uint8_t state = states[before];
        if (is_lost) {
            if (state <= HELD ||
                (state == WON && distances[before] != CAPTURE && distances[before] > distance + 1))
                settle(1 - view, before, WON, distance + 1);
        } else if (state < HELD && --states[before] == 0) {
            settle(1 - view, before, LOST, std::max<int>(distance + 1, distances[before]));
        }
    }
}

}  // namespace crossboard::tables
