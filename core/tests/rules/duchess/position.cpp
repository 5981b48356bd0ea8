// Tests the rules of moving: known counts, random walks, and making every move as an oracle.
#include "rules/duchess/position.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "check.h"
#include "rules/duchess/perft.h"
#include "rules/duchess/random_positions.h"
#include "rules/duchess/show.h"
#include "rules/sorted_moves.h"

using namespace crossboard;
using namespace crossboard::duchess;

namespace {

int count_of(const char* text) {
    return parse_position(text).count_moves();
}

// The first six depths with six players are also those of the engine of the University of New
// South Wales.
void test_perft_of_the_start() {
    constexpr std::uint64_t FOUR[] = {1, 8, 64, 608, 5776, 102120};
    constexpr std::uint64_t SIX[] = {1, 8, 64, 608, 5776, 65360};
    for (int depth = 0; depth <= 5; ++depth) {
        CHECK_EQUAL(perft(Position(4), depth), FOUR[depth]);
        CHECK_EQUAL(perft(Position(6), depth), SIX[depth]);
    }
}

void test_small_positions() {
    CHECK_EQUAL(count_of("4; 1:K1a1 P1c6; 2:K2a1; 3:K4a1; 4:K5a1; turn 1; box 1:Q,R,R,W,P"), 10);
    CHECK_EQUAL(count_of("4; 1:K1a1 P1d6; 2:K2a1 NV; 3:K4a1; 4:K5a1; turn 1; box 1:Q"), 9);
    CHECK_EQUAL(count_of("4; 1:K1a1 P1c6; 2:K2a1 NV; 3:K4a1; 4:K5a1; turn 1; box 1:Q"), 6);
    CHECK_EQUAL(count_of("4; 1:K1a1 P1b1 W1a2; 2:K2a1; 3:K4a1 W3c6; 4:K5a1; turn 1; box 1:F"), 35);
    CHECK_EQUAL(count_of("4; 1:K1e1 W1b1 P1a1; 2:K2a1 N4b4; 3:K4e1 W4b3; 4:K5a1; turn 1"), 27);
    CHECK_EQUAL(count_of("4; 1:K1a1 W1b2; 2:K2c1 R1e1; 3:K4c1 W4b3; 4:K5c1; turn 1"), 15);
    CHECK_EQUAL(count_of("4; 1:K1c1 N1c4; 2:K2a1 R4c3; 3:K4a1; 4:K5a1; turn 1"), 5);
    CHECK_EQUAL(count_of("4; 1:KV; 2:K2a1; 3:K4a1; 4:K5a1; turn 1"), 12);
}

void test_who_cannot_move_passes_and_nothing_else() {
    const Position mated = parse_position("4; 1:K1e1; 2:K2a1 Q1d2 R1b2; 3:K4a1; 4:K5a1; turn 1");
    CHECK_EQUAL(moves_of(mated), (Texts{"pass"}));
    CHECK_EQUAL(mated.count_moves(), 1);
    CHECK(mated.must_pass() && !mated.is_over() && !mated.winner());
    CHECK_EQUAL(mated.after(Move{}).turn(), 1);
    CHECK(mated.move_at(0).is_pass());
}

// A pawn that is pinned, one that is shut in, and a bishop behind his partner's pawns.
void test_nothing_plain_is_seen_where_nothing_moves() {
    for (const char* text :
         {"4; 1:K1e1 P1d2; 2:K2a1 B1b4 N1e3; 3:K4a1; 4:K5a1 N1d4; turn 1",
          "4; 1:K1e1 P1a2; 2:K2a1 P1c3 P1a3 P1b2 B1a1 N1e3; 3:K4a1; 4:K5a1 N1d4; turn 1",
          "4; 1:K1e1 B1a2; 2:K2a1 P1c3 N1e3; 3:K4a1 P1b1 P1b3; 4:K5a1 N1d4; turn 1"}) {
        const Position position = parse_position(text);
        CHECK(!position.is_in_check(0));
        CHECK(!position.can_move(0)) || check::note(text);
        CHECK_EQUAL(moves_of(position), (Texts{"pass"}));
    }
}

void test_won_game_has_no_moves() {
    const Position won =
        parse_position("4; 1:K1e1; 2:K2a1 Q1d2 R1b2; 3:K4e1; 4:K5a1 Q4d2 R4b2; turn 1");
    CHECK(won.is_over() && won.winner() == Team::even && !won.must_pass());
    CHECK_EQUAL(won.count_moves(), 0);
    CHECK(won.legal_moves().empty());
    CHECK_EQUAL(perft(won, 1), 0);
}

// Every way a piece reaches a cell, made on the board, and then looked at: is the king attacked?
Texts moves_by_trying(const Position& position, int seat) {
    Texts texts;
    const detail::Side side(position, seat);
    position.pieces(seat).for_each([&](int from) {
        const Kind kind = position.kind_at(from);
        side.reach(kind, from).for_each([&](int to) {
            std::vector<Piece> pieces;
            position.occupied().for_each([&](int cell) {
                if (cell != from && cell != to) pieces.push_back(*position.piece_at(cell));
            });
            pieces.push_back({seat, kind, to});
            const Position next(position.players(), pieces, {}, seat);
            if (next.is_in_check(seat)) return;
            Move move{.from = static_cast<std::uint8_t>(from),
                      .to = static_cast<std::uint8_t>(to),
                      .kind = kind,
                      .is_capture = position.occupied().has(to)};
            texts.push_back(format_move(move));
            if (kind == Kind::pawn && to == VORTEX)
                position.box(seat).for_each_choice([&](Kind promoted) {
                    move.promoted = promoted;
                    texts.push_back(format_move(move));
                });
        });
    });
    std::sort(texts.begin(), texts.end());
    return texts;
}

void check_against_trying(const Position& position) {
    for (int seat = 0; seat < position.players(); ++seat) {
        CHECK_EQUAL(position.can_move(seat), !moves_by_trying(position, seat).empty());
        CHECK_EQUAL(position.seats_in_check() >> seat & 1, unsigned{position.is_in_check(seat)});
        if (position.is_in_check(seat))
            CHECK_EQUAL(position.can_answer_check(seat), position.can_move(seat));
    }
    Texts expected = moves_by_trying(position, position.turn());
    if (expected.empty() && !position.is_over()) expected.push_back("pass");
    CHECK_EQUAL(moves_of(position), expected) || check::note(format_position(position));
    CHECK_EQUAL(position.count_moves(), expected.size()) || check::note(format_position(position));
    std::vector<Move> captures;
    for (const Move& move : position.legal_moves())
        if (move.is_capture) captures.push_back(move);
    CHECK_EQUAL(position.has_capture(), !captures.empty());
    const auto alone = position.captures();
    CHECK(std::equal(captures.begin(), captures.end(), alone.begin(), alone.end()));
}

void test_moves_are_those_that_leave_no_check() {
    walk_randomly(31, 12, [](const Position& position, const Move&, const Position&) {
        check_against_trying(position);
    });
    Random random(32);
    for (int i = 0; i < 1500; ++i) check_against_trying(random_setup(random, i % 2 ? 6 : 4));
}

void test_random_walks_keep_what_must_hold() {
    std::map<std::uint64_t, std::string> keys;
    int promotions = 0, passes = 0, captures = 0;
    walk_randomly(33, 60, [&](const Position& position, const Move& move, const Position& next) {
        const std::string text = format_position(next);
        const Position again = parse_position(text);
        CHECK(again == next) || check::note(text);
        CHECK_EQUAL(again.key(), next.key()) || check::note(text);
        CHECK(parse_move(position, format_move(move)) == move);
        CHECK(!next.is_in_check(position.turn()) || move.is_pass());
        CHECK_EQUAL(keys.emplace(next.key(), text).first->second, text);
        CHECK_EQUAL(next.turn(), (position.turn() + 1) % position.players());
        CHECK(next.team() != position.team());
        CHECK_EQUAL(next.occupied().count(), position.occupied().count() - move.is_capture);
        promotions += move.is_promotion(), passes += move.is_pass(), captures += move.is_capture;
    });
    CHECK(promotions > 0 && passes > 0 && captures > 0);
}

// Nobody ever owns more of a kind than at the start; in games from the start exactly as many.
void test_pieces_are_conserved() {
    walk_randomly(34, 2, [](const Position&, const Move&, const Position& next) {
        for (int seat = 0; seat < next.players(); ++seat) {
            std::array<int, KINDS> owned = {};
            next.pieces(seat).for_each([&](int cell) { ++owned[index(next.kind_at(cell))]; });
            for (Kind kind : ALL_KINDS)
                if (kind != Kind::king) owned[index(kind)] += next.box(seat).count(kind);
            CHECK(owned == COMPLEMENT);
        }
    });
}

void test_rotated_positions_have_as_many_moves() {
    walk_randomly(35, 20, [](const Position& position, const Move&, const Position&) {
        const Position rotated = position.rotated();
        CHECK_EQUAL(rotated.count_moves(), position.count_moves());
        CHECK_EQUAL(rotated.is_over(), position.is_over());
        Position around = rotated;
        for (int i = 1; i < (position.players() == 4 ? 2 : 6); ++i) around = around.rotated();
        CHECK(around == position);
    });
}

void test_slots_of_moves_are_in_range() {
    walk_randomly(36, 10, [](const Position&, const Move& move, const Position&) {
        CHECK(0 <= Position::move_slot(move) && Position::move_slot(move) < Position::MOVE_SLOTS);
    });
}

void test_what_a_move_leaves_unchanged() {
    walk_randomly(37, 20, [](const Position& position, const Move& move, const Position& next) {
        CHECK_EQUAL(next.is_unchanged_since(position), !position.is_irreversible(move));
        CHECK(next.is_turn_after(position) && !position.is_turn_after(next));
        if (next.is_over()) CHECK_EQUAL(next.is_lost(), next.winner().has_value());
    });
}

void test_quiet_plies_make_a_draw() {
    Position position;
    Past<Position> past(position);
    constexpr const char* MOVES[] = {"N1b2-1a4", "N2b2-2a4", "N4b2-4a4", "N5b2-5a4",
                                     "N1a4-1b2", "N2a4-2b2", "N4a4-4b2", "N5a4-5b2"};
    for (int ply = 0; ply < 200; ++ply) {
        CHECK(past.draw(DRAW_RULES) == Draw::none);
        const Move move = parse_move(position, MOVES[ply % 8]);
        const Position next = position.after(move);
        past.add(position, move, next);
        position = next;
    }
    CHECK(past.draw(DRAW_RULES) == Draw::quiet);
}

}  // namespace

int main() {
    test_perft_of_the_start();
    test_small_positions();
    test_who_cannot_move_passes_and_nothing_else();
    test_nothing_plain_is_seen_where_nothing_moves();
    test_won_game_has_no_moves();
    test_moves_are_those_that_leave_no_check();
    test_random_walks_keep_what_must_hold();
    test_pieces_are_conserved();
    test_rotated_positions_have_as_many_moves();
    test_slots_of_moves_are_in_range();
    test_what_a_move_leaves_unchanged();
    test_quiet_plies_make_a_draw();
    return check::report();
}
