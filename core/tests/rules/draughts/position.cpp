// Tests the rules of moving: known counts, one position per rule, and the slow rules as an oracle.
#include "rules/draughts/position.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "check.h"
#include "rules/draughts/perft.h"
#include "rules/draughts/random_positions.h"
#include "rules/draughts/show.h"
#include "rules/draughts/slow_rules.h"
#include "rules/sorted_moves.h"

using namespace crossboard;
using namespace crossboard::draughts;

namespace {

using crossboard::moves_of;
Texts moves_of(const char* fen) {
    return moves_of(parse_fen(fen));
}

std::string after(const char* fen, const char* move) {
    const Position position = parse_fen(fen);
    return format_fen(position.after(parse_move(position, move)));
}

// ---- counts

// Aart Bik; OEIS A133046.
void test_perft_of_the_start() {
    constexpr std::uint64_t LEAVES[] = {1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931};
    for (int depth = 0; depth <= 8; ++depth) CHECK_EQUAL(perft(Position(), depth), LEAVES[depth]);
}

void test_perft_equals_the_slow_rules() {
    Random random(21);
    for (int i = 0; i < 60; ++i) {
        const Position position = random_setup(random);
        for (int depth = 1; depth <= 3; ++depth)
            CHECK_EQUAL(perft(position, depth), slow::Board(position).perft(depth)) ||
                check::note(format_fen(position));
    }
}

// ---- one position per rule

void test_start() {
    CHECK_EQUAL(format_fen(Position()),
                "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
    CHECK_EQUAL(moves_of(Position()),
                (Texts{"10-14", "10-15", "11-15", "11-16", "12-16", "9-13", "9-14"}));
}

void test_men_step_forward_only_and_kings_both_ways() {
    CHECK_EQUAL(moves_of("B:W32:B18"), (Texts{"18-22", "18-23"}));
    CHECK_EQUAL(moves_of("W:W18:B1"), (Texts{"18-14", "18-15"}));
    CHECK_EQUAL(moves_of("B:W32:BK18"), (Texts{"18-14", "18-15", "18-22", "18-23"}));
    CHECK_EQUAL(moves_of("W:WK18:B1"), (Texts{"18-14", "18-15", "18-22", "18-23"}));
}

void test_steps_stop_at_the_edge() {
    CHECK_EQUAL(moves_of("B:W32:BK5"), (Texts{"5-1", "5-9"}));
    CHECK_EQUAL(moves_of("B:W32:BK12"), (Texts{"12-16", "12-8"}));
    CHECK_EQUAL(moves_of("B:W32:BK4"), (Texts{"4-8"}));
    CHECK_EQUAL(moves_of("B:WK1:BK29"), (Texts{"29-25"}));
}

void test_jump_is_compulsory() {
    CHECK_EQUAL(moves_of("B:W15,32:B1,11"), (Texts{"11x18"}));
    CHECK(parse_fen("B:W15,32:B1,11").has_capture());
    CHECK(!parse_fen("W:W15,32:B1,7").has_capture());
}

void test_jump_is_compulsory_even_if_it_loses() {
    CHECK_EQUAL(moves_of("B:W15,23,27:B1,11"), (Texts{"11x18"}));
    CHECK_EQUAL(after("B:W15,23,27:B1,11", "11x18"), "W:W23,27:B1,18");
    CHECK_EQUAL(moves_of("W:W23,27:B1,18"), (Texts{"23x14"}));
}

void test_any_jump_will_do_but_it_must_be_finished() {
    // 1 takes one piece, 3 takes two; both may be played, 3x12 may not stop half-way.
    CHECK_EQUAL(moves_of("B:W6,8,16:B1,3"), (Texts{"1x10", "3x12x19"}));
}

void test_men_do_not_jump_backwards_and_kings_do() {
    CHECK_EQUAL(moves_of("B:W14:B18"), (Texts{"18-22", "18-23"}));
    CHECK_EQUAL(moves_of("B:W14:BK18"), (Texts{"18x9"}));
    CHECK_EQUAL(moves_of("W:W14:B18"), (Texts{"14-10", "14-9"}));
    CHECK_EQUAL(moves_of("W:WK14:B18"), (Texts{"14x23"}));
}

void test_a_jump_needs_an_empty_square_behind() {
    CHECK_EQUAL(moves_of("B:W15,18:B11"), (Texts{"11-16"}));  // 18 is taken
    CHECK_EQUAL(moves_of("B:W16:B12"), (Texts{"12x19"}));
    CHECK_EQUAL(moves_of("B:W5:BK9"), (Texts{"9-13", "9-14", "9-6"}));  // the edge is behind 5
    CHECK_EQUAL(moves_of("B:W30:BK26"), (Texts{"26-22", "26-23", "26-31"}));
    CHECK_EQUAL(moves_of("B:W32:BK28,24"), (Texts{"24-27"}));
}

void test_own_pieces_are_not_jumped() {
    CHECK_EQUAL(moves_of("B:W32:B11,15"), (Texts{"11-16", "15-18", "15-19"}));
}

void test_a_man_crowned_by_a_jump_stops() {
    CHECK_EQUAL(moves_of("B:W26,27:B22"), (Texts{"22x31"}));
    CHECK_EQUAL(after("B:W26,27:B22", "22x31"), "W:W27:BK31");
    CHECK_EQUAL(moves_of("B:W26,27:BK22"), (Texts{"22x31x24"}));
    CHECK_EQUAL(moves_of("W:W11:B6,7"), (Texts{"11x2"}));
    CHECK_EQUAL(after("W:W11:B6,7", "11x2"), "B:WK2:B6");
}

void test_a_step_to_the_last_row_crowns() {
    CHECK_EQUAL(after("B:WK1:B26", "26-30"), "W:WK1:BK30");
    CHECK_EQUAL(after("B:W32:B22", "22-26"), "W:W32:B26");
    CHECK_EQUAL(after("W:W6:B25", "6-1"), "B:WK1:B25");
    CHECK_EQUAL(after("B:W25:BK5", "5-1"), "W:W25:BK1");  // a king stays one
}

void test_a_king_may_jump_in_a_circle_both_ways_round() {
    const char* fen = "B:W9,10,17,18,K30:BK6";
    CHECK_EQUAL(moves_of(fen), (Texts{"6x13x22x15x6", "6x15x22x13x6"}));
    for (const Move& move : parse_fen(fen).legal_moves()) {
        CHECK_EQUAL(move.from, move.to);
        CHECK_EQUAL(move.jumps, 4);
        CHECK_EQUAL(format_fen(parse_fen(fen).after(move)), "W:WK30:BK6");
    }
}

void test_a_king_may_pass_its_own_square_and_go_on() {
    CHECK_EQUAL(moves_of("B:W9,10,17,18,19:BK15"),
                (Texts{"15x22x13x6x15x24", "15x24", "15x6x13x22x15x24"}));
}

void test_no_piece_is_jumped_twice() {
    CHECK_EQUAL(moves_of("B:W10:BK6"), (Texts{"6x15"}));
    CHECK_EQUAL(moves_of("B:W10,19:BK6"), (Texts{"6x15x24"}));
}

void test_captured_kings_leave_no_crown_behind() {
    const Position before = parse_fen("B:WK10,K19,K32:B6");
    const Position next = before.after(parse_move(before, "6x24"));
    CHECK_EQUAL(format_fen(next), "W:WK32:B24");
    CHECK_EQUAL(next.kings(), bit(index_of(32)));
}

void test_a_side_without_moves_has_lost() {
    CHECK(parse_fen("B:W21:B").is_over());
    CHECK(parse_fen("W:W:B1").is_over());
    CHECK(parse_fen("B:W16,19:B12").is_over());  // blocked
    CHECK(!parse_fen("B:W16:B12").is_over());    // may jump
    CHECK(!parse_fen("W:W16,19:B12").is_over());
    CHECK(!Position().is_over());
    CHECK_EQUAL(parse_fen("B:W16,19:B12").count_moves(), 0);
    CHECK(parse_fen("B:W16,19:B12").legal_moves().empty());
}

void test_only_quiet_king_moves_can_be_taken_back() {
    const auto is_irreversible = [](const char* fen, const char* move) {
        const Position position = parse_fen(fen);
        return position.is_irreversible(parse_move(position, move));
    };
    CHECK(!is_irreversible("B:W32:BK18,1", "18-22"));
    CHECK(is_irreversible("B:W32:BK18,1", "1-5"));
    CHECK(is_irreversible("B:W14,32:BK18", "18x9"));
    CHECK(is_irreversible("B:W22,32:B18", "18x25"));
}

// ---- keys

void test_keys_tell_colour_kind_square_and_turn_apart() {
    const auto key = [](const char* fen) { return parse_fen(fen).key(); };
    const std::vector<std::uint64_t> keys = {
        key("B:W32:B18"),  key("W:W32:B18"), key("B:WK32:B18"), key("B:W32:BK18"),
        key("B:W18:B28"),  key("B:W18:B27"), key("B:W32:B"),    key("B:W:B18"),
        key("W:W32:BK18"), key("W:W:B"),     key("B:W:B"),
    };
    for (std::size_t i = 0; i < keys.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) CHECK(keys[i] != keys[j]);
}

void test_transpositions_have_one_key() {
    const auto play = [](std::initializer_list<const char*> moves) {
        Position position;
        for (const char* move : moves) position = position.after(parse_move(position, move));
        return position;
    };
    CHECK_EQUAL(play({"9-13", "24-20", "11-15"}), play({"11-15", "24-20", "9-13"}));
    CHECK_EQUAL(play({"9-13", "24-20", "11-15"}).key(), play({"11-15", "24-20", "9-13"}).key());
}

// ---- random walks

void test_key_along_a_game_equals_key_from_scratch() {
    std::unordered_map<std::uint64_t, Position> seen;
    int plies = 0;
    walk_randomly(1, 300, [&](const Position&, const Move&, const Position& next) {
        ++plies;
        const Position fresh(next.black(), next.white(), next.kings(), next.turn());
        CHECK_EQUAL(next.key(), fresh.key()) || check::note(format_fen(next));
        CHECK_EQUAL(next, fresh);
        // Distinct positions by the ten thousand, and no two with one key.
        const Position& holder = seen.emplace(next.key(), next).first->second;
        CHECK_EQUAL(holder, next);
    });
    CHECK(plies > 10'000);
    CHECK(seen.size() > 5'000);
}

void check_ways_to_list_moves(const Position& position) {
    const auto moves = position.legal_moves();
    CHECK_EQUAL(position.count_moves(), moves.size()) || check::note(format_fen(position));
    CHECK_EQUAL(position.is_over(), moves.empty());
    if (!moves.empty()) CHECK_EQUAL(position.has_capture(), moves[0].is_capture());
    CHECK_EQUAL(position.captures().empty(), !position.has_capture());
    int at = 0;
    position.for_each_move([&](const Move& move) {
        if (at < moves.size()) CHECK_EQUAL(move, moves[at]) || check::note(format_fen(position));
        ++at;
    });
    CHECK_EQUAL(at, moves.size());
    for (int i = 0; i < moves.size(); ++i)
        CHECK_EQUAL(position.move_at(i), moves[i]) || check::note(format_fen(position));
}

void test_all_ways_to_list_moves_agree() {
    walk_randomly(2, 200, [](const Position& position, const Move& move, const Position& next) {
        check_ways_to_list_moves(position);
        CHECK_EQUAL(next.is_unchanged_since(position), !position.is_irreversible(move));
        CHECK(next.is_turn_after(position));
        CHECK_EQUAL(next.count_pieces(), count(next.black()) + count(next.white()));
    });
    Random random(3);
    for (int i = 0; i < 3'000; ++i) check_ways_to_list_moves(random_setup(random));
}

// By the definition: of the moves to one position the first, and in the order of legal_moves().
int check_unique_moves(const Position& position) {
    std::vector<Move> expected;
    std::vector<Position> reached;
    for (const Move& move : position.legal_moves()) {
        const Position next = position.after(move);
        if (std::find(reached.begin(), reached.end(), next) != reached.end()) continue;
        reached.push_back(next);
        expected.push_back(move);
    }
    const auto found = position.unique_moves();
    CHECK_EQUAL(std::vector<Move>(found.begin(), found.end()), expected) ||
        check::note(format_fen(position));
    for (const Move& move : found) {
        const int slot = Position::move_slot(move);
        CHECK(0 <= slot && slot < Position::MOVE_SLOTS);
    }
    return position.count_moves() - found.size();
}

void test_unique_moves_keep_one_route_to_each_position() {
    CHECK_EQUAL(check_unique_moves(parse_fen("B:W9,10,17,18,K30:BK6")), 1);
    CHECK_EQUAL(check_unique_moves(parse_fen("B:W9,10,17,18:B6")), 0);
    check_unique_moves(parse_fen("B:W6,7,8,14,15,16,22,23,24:BK10"));
    check_unique_moves(Position());
    int left_out = 0;
    Random random(7);
    for (int i = 0; i < 10'000; ++i) left_out += check_unique_moves(random_setup(random));
    CHECK(left_out > 5);
}

Move mirrored(Move move) {
    move.from = static_cast<std::uint8_t>(INDICES - 1 - move.from);
    move.to = static_cast<std::uint8_t>(INDICES - 1 - move.to);
    move.captured = turned(move.captured);
    // The opposite of DIRECTIONS[d] is DIRECTIONS[d ^ 2].
    for (int jump = 0; jump < move.jumps; ++jump) move.route ^= 2u << (2 * jump);
    return move;
}

void test_mirrored_positions_have_mirrored_moves() {
    walk_randomly(4, 200, [](const Position& position, const Move& played, const Position& next) {
        const Position mirror = position.mirrored();
        CHECK_EQUAL(mirror.mirrored(), position);
        CHECK(mirror.turn() == opponent(position.turn()));
        const auto moves = position.legal_moves(), others = mirror.legal_moves();
        CHECK_EQUAL(others.size(), moves.size()) || check::note(format_fen(position));
        for (const Move& move : moves)
            CHECK(std::count(others.begin(), others.end(), mirrored(move)) == 1) ||
                check::note(format_fen(position) + " " + format_move(move));
        CHECK_EQUAL(mirror.after(mirrored(played)), next.mirrored());
    });
}

// Same moves, same captures, same successors, and what a Move says of itself holds together.
void check_against_slow_rules(const Position& position) {
    const slow::Board board(position);
    const std::vector<slow::SlowMove> expected = board.moves();
    const auto moves = position.legal_moves();
    CHECK_EQUAL(moves.size(), expected.size()) || check::note(format_fen(position));
    for (const slow::SlowMove& wanted : expected) {
        int found = 0;
        for (const Move& move : moves) {
            if (path_of(move) != wanted.path) continue;
            ++found;
            Bits captured = 0;
            for (int square : wanted.captured) captured |= bit(index_of(square));
            CHECK_EQUAL(move.captured, captured);
            CHECK_EQUAL(move.jumps, wanted.captured.size());
            CHECK_EQUAL(square_at(move.to), wanted.path.back());
            CHECK(slow::Board(position.after(move)) == board.after(wanted)) ||
                check::note(format_fen(position) + " " + format_move(move));
        }
        CHECK_EQUAL(found, 1) || check::note(format_fen(position));
    }
}

void test_moves_equal_the_slow_rules() {
    int long_jumps = 0;
    walk_randomly(5, 100, [&](const Position& position, const Move& move, const Position&) {
        long_jumps += move.jumps > 1;
        check_against_slow_rules(position);
    });
    CHECK(long_jumps > 50);
    Random random(6);
    for (int i = 0; i < 3'000; ++i) check_against_slow_rules(random_setup(random));
}

}  // namespace

int main() {
    test_perft_of_the_start();
    test_perft_equals_the_slow_rules();
    test_start();
    test_men_step_forward_only_and_kings_both_ways();
    test_steps_stop_at_the_edge();
    test_jump_is_compulsory();
    test_jump_is_compulsory_even_if_it_loses();
    test_any_jump_will_do_but_it_must_be_finished();
    test_men_do_not_jump_backwards_and_kings_do();
    test_a_jump_needs_an_empty_square_behind();
    test_own_pieces_are_not_jumped();
    test_a_man_crowned_by_a_jump_stops();
    test_a_step_to_the_last_row_crowns();
    test_a_king_may_jump_in_a_circle_both_ways_round();
    test_a_king_may_pass_its_own_square_and_go_on();
    test_no_piece_is_jumped_twice();
    test_captured_kings_leave_no_crown_behind();
    test_a_side_without_moves_has_lost();
    test_only_quiet_king_moves_can_be_taken_back();
    test_keys_tell_colour_kind_square_and_turn_apart();
    test_transpositions_have_one_key();
    test_key_along_a_game_equals_key_from_scratch();
    test_all_ways_to_list_moves_agree();
    test_unique_moves_keep_one_route_to_each_position();
    test_mirrored_positions_have_mirrored_moves();
    test_moves_equal_the_slow_rules();
    return check::report();
}
