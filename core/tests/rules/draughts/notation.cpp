// Tests positions and moves as text, and the sentences that say what is wrong with a text.
#include "rules/draughts/notation.h"

#include <algorithm>
#include <string>
#include <vector>

#include "check.h"
#include "rules/draughts/random_positions.h"
#include "rules/draughts/show.h"

using namespace crossboard;
using namespace crossboard::draughts;

namespace {

std::string fen_error(std::string_view text) {
    return check::message_of<InvalidFen>([&] { parse_fen(text); });
}

template <class Exception = IllegalMove>
std::string move_error(const char* fen, std::string_view text) {
    return check::message_of<Exception>([&] { parse_move(parse_fen(fen), text); });
}

std::string path_error(std::string_view text) {
    return check::message_of<IllegalMove>([&] { parse_path(text); });
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != text.npos;
}

constexpr const char* START = "B:W21-32:B1-12";

// ---- FEN

void test_fen_of_the_start() {
    CHECK_EQUAL(parse_fen(START), Position());
    CHECK_EQUAL(parse_fen("B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
                Position());
}

void test_fen_may_be_written_in_many_ways() {
    const Position expected = parse_fen("W:W18,K22:B1,2,3,K30");
    CHECK_EQUAL(format_fen(expected), "W:W18,K22:B1,2,3,K30");
    for (const char* text :
         {"W:B1,2,3,K30:W18,K22", "W:W18,K22:B1-3,K30.", "w:wk22,18:bk30,1-2,3",
          "W:WK22,18:B1-3,K30", "  W : W 18 , K22 : B 1 - 3 , K 30 . ",
          "W:W18,K22:B01,02,0003,K30\r\n", "W:WK22-22,18:B3,1-2,K30", "\tW:W18,K22:\nB1-3,K30"})
        CHECK_EQUAL(parse_fen(text), expected) || check::note(text);
}

void test_fen_with_empty_sides() {
    CHECK_EQUAL(format_fen(parse_fen("B:W:B")), "B:W:B");
    CHECK_EQUAL(format_fen(parse_fen("B:B:W21.")), "B:W21:B");
    CHECK_EQUAL(format_fen(parse_fen("W:W21:B.")), "W:W21:B");
}

void test_a_range_of_kings() {
    CHECK_EQUAL(format_fen(parse_fen("B:WK1-3:BK32")), "B:WK1,K2,K3:BK32");
}

void test_bad_fens_say_what_is_wrong() {
    CHECK_EQUAL(fen_error(""), "FEN '': it is empty");
    CHECK_EQUAL(fen_error(" \n"), "FEN ' ?': it is empty");
    CHECK_EQUAL(fen_error("X:W21:B1"), "FEN 'X:W21:B1': it begins with the side to move, B or W");
    CHECK_EQUAL(fen_error("B"), "FEN 'B': the squares of Black are missing");
    CHECK_EQUAL(fen_error("B:B1"), "FEN 'B:B1': the squares of White are missing");
    CHECK_EQUAL(fen_error("B:W21:B1:W22"),
                "FEN 'B:W21:B1:W22': the squares of White are given twice");
    CHECK_EQUAL(fen_error("B:W21:B33"),
                "FEN 'B:W21:B33': there is no square 33: squares are 1 to 32");
    CHECK_EQUAL(fen_error("B:W21:B0"), "FEN 'B:W21:B0': there is no square 0: squares are 1 to 32");
    CHECK_EQUAL(fen_error("B:W21:B5,21"), "FEN 'B:W21:B5,21': two pieces stand on square 21");
    CHECK_EQUAL(fen_error("B:W21:B5,5"), "FEN 'B:W21:B5,5': two pieces stand on square 5");
    CHECK_EQUAL(fen_error("B:W21:B5-3"), "FEN 'B:W21:B5-3': the range 5-3 runs backwards");
    CHECK_EQUAL(fen_error("B:W2:B1"),
                "FEN 'B:W2:B1': a man of White stands on its crowning row, square 2: it would be a "
                "king, K2");
    CHECK_EQUAL(
        fen_error("B:W21:B29"),
        "FEN 'B:W21:B29': a man of Black stands on its crowning row, square 29: it would be "
        "a king, K29");
    CHECK_EQUAL(fen_error("B:W20-32:B1"), "FEN 'B:W20-32:B1': White has more than 12 pieces");
    CHECK_EQUAL(fen_error("B:W21,:B1"), "FEN 'B:W21,:B1': a square number should stand at ':B1'");
    CHECK_EQUAL(fen_error("B:W21:B1,"),
                "FEN 'B:W21:B1,': it ends where a square number should stand");
    CHECK_EQUAL(fen_error("B:W21:BK"),
                "FEN 'B:W21:BK': it ends where a square number should stand");
    CHECK_EQUAL(fen_error("B:W21:B1 x"), "FEN 'B:W21:B1 x': unexpected 'x'");
    CHECK_EQUAL(fen_error("B:W21:B1.."), "FEN 'B:W21:B1..': unexpected '.'");
    CHECK_EQUAL(fen_error("B::B1"),
                "FEN 'B::B1': a list of squares begins with its colour, B or W");
}

void test_a_long_rubbish_fen_is_cut_in_the_message() {
    const std::string number(100'000, '9');
    const std::string message = fen_error("B:W21:B" + number);
    CHECK(contains(message, "squares are 1 to 32"));
    CHECK(message.size() < 200);
    CHECK(contains(fen_error(std::string("B:W21:B1\0", 9)), "?"));
}

// ---- moves

void test_format_move() {
    const Position position = parse_fen("B:W10,19,32:B6");
    CHECK_EQUAL(format_move(position.legal_moves()[0]), "6x15x24");
    CHECK_EQUAL(path_of(position.legal_moves()[0]), (std::vector<int>{6, 15, 24}));
    CHECK_EQUAL(format_move(parse_move(Position(), "11-15")), "11-15");
    CHECK_EQUAL(path_of(parse_move(Position(), "11-15")), (std::vector<int>{11, 15}));
}

void test_a_jump_may_be_written_with_some_landings() {
    const Position position = parse_fen("B:W6,14,23,32:B1");
    const Move move = position.legal_moves()[0];
    CHECK_EQUAL(format_move(move), "1x10x17");
    const Position longer = parse_fen("B:W6,15,24:B1");
    for (const char* text : {"1x28", "1x10x28", "1x19x28", "1x10x19x28", "1X10:19X28", "01x28"})
        CHECK_EQUAL(format_move(parse_move(longer, text)), "1x10x19x28") || check::note(text);
    for (const char* text : {"1x19", "1x10", "1x10x19", "1x19x10x28", "1x11x28", "1x28x28"})
        CHECK(contains(move_error("B:W6,15,24:B1", text), "is not legal")) || check::note(text);
}

void test_ambiguous_jumps_name_the_routes() {
    const char* fen = "B:W9,10,17,18:B6";
    CHECK_EQUAL(move_error<AmbiguousMove>(fen, "6x22"),
                "'6x22' is ambiguous in B:W9,10,17,18:B6: write 6x13x22 or 6x15x22");
    CHECK_EQUAL(format_move(parse_move(parse_fen(fen), "6x13x22")), "6x13x22");
    CHECK_EQUAL(format_move(parse_move(parse_fen(fen), "6x15x22")), "6x15x22");
}

// Both ways round lead to the same position, so the ends are enough to go on with.
void test_routes_to_one_position_count_as_one() {
    const Position position = parse_fen("B:W9,10,17,18,K30:BK6");
    const Move move = parse_move(position, "6x6");
    CHECK_EQUAL(format_fen(position.after(move)), "W:WK30:BK6");
    CHECK_EQUAL(move, position.legal_moves()[0]);
    const int ends[] = {6, 6};
    CHECK_EQUAL(matching_moves(position, ends).size(), 1);
    CHECK_EQUAL(format_move(parse_move(position, "6x13x6")), "6x13x22x15x6");
    CHECK_EQUAL(format_move(parse_move(position, "6x15x22x13x6")), "6x15x22x13x6");
}

// Reads `text` and gives what it was read as, or why it was not.
std::string read_back(const Position& position, const std::string& text) {
    try {
        return format_move(parse_move(position, text));
    } catch (const IllegalMove& error) {
        return error.what();
    }
}

// A longer jump may pass all squares of a shorter one: 24x31x22x15x8 and 24x15x8.
void test_a_whole_path_is_never_ambiguous() {
    for (const char* fen : {"B:W11,18,19,26,27:BK24", "B:W9,10,11,17,18,19:BK8"}) {
        const Position position = parse_fen(fen);
        for (const Move& move : position.legal_moves())
            CHECK_EQUAL(read_back(position, format_move(move)), format_move(move));
    }
    CHECK(contains(move_error<AmbiguousMove>("B:W11,18,19,26,27:BK24", "24x8"), "is ambiguous"));
}

void test_illegal_moves_say_why() {
    CHECK_EQUAL(move_error(START, "hello"),
                "'hello' is not a move: write 11-15 for a step, 22x15 for a jump");
    for (const char* text : {"", "11", "11-", "-15", "11--15", "11 15", "11-15x", "a-b"})
        CHECK(contains(move_error(START, text), "is not a move")) || check::note(text);
    CHECK_EQUAL(move_error(START, "11-33"), "'11-33': there is no square 33: squares are 1 to 32");
    CHECK_EQUAL(move_error(START, "0-1"), "'0-1': there is no square 0: squares are 1 to 32");
    CHECK(contains(move_error(START, "22-18"),
                   "the piece on 22 is White's, and it is Black's turn; legal: "));
    CHECK(contains(move_error(START, "15-18"), "there is no piece on 15; legal: "));
    CHECK(contains(move_error(START, "11-18"), "18 is not one diagonal step from 11; legal: "));
    CHECK(contains(move_error(START, "11-11"), "11 is not one diagonal step from 11; legal: "));
    CHECK(contains(move_error(START, "12-13"), "13 is not one diagonal step from 12; legal: "));
    CHECK(contains(move_error(START, "7-11"), "there is a piece on 11 already; legal: "));
    CHECK(contains(move_error(START, "11x18"), "there is nothing to capture; legal: "));
    CHECK(contains(move_error("B:W32:B18", "18-15"), "a man moves forward only; legal: "));
    CHECK(contains(move_error("B:W16,19:B12", "12-16"), "the game is over: Black has no move"));
    CHECK_EQUAL(move_error("B:W15,32:B1,11", "1-5"),
                "'1-5' is not legal in B:W15,32:B1,11: capture is compulsory: 11x18");
    CHECK_EQUAL(move_error("B:W6,15,24:B1", "1x10"),
                "'1x10' is not legal in B:W6,15,24:B1: the jump must go on: 1x10x19x28");
}

void test_steps_and_jumps_are_not_mistaken_for_each_other() {
    CHECK_EQUAL(move_error(START, "11x15"), "'11x15': that move is written 11-15");
    CHECK_EQUAL(move_error("B:W15,32:B11", "11-18"), "'11-18': that move is written 11x18");
}

void test_long_rubbish_is_no_move() {
    std::string text = "1";
    for (int i = 0; i < 100'000; ++i) text += "-1";
    const std::string message = move_error(START, text);
    CHECK(contains(message, "is not legal"));
    CHECK(message.size() < 1000);
    CHECK(contains(move_error(START, "11-" + std::string(100'000, '9')), "there is no"));
}

void test_short_moves_name_the_route_only_where_it_matters() {
    const auto short_moves = [](const char* fen) {
        const Position position = parse_fen(fen);
        std::vector<std::string> texts;
        for (const Move& move : position.legal_moves())
            texts.push_back(format_short_move(position, move));
        std::sort(texts.begin(), texts.end());
        return texts;
    };
    using Texts = std::vector<std::string>;
    CHECK_EQUAL(short_moves("B:W6,15,24:B1"), (Texts{"1x28"}));
    CHECK_EQUAL(short_moves("B:W32:B18"), (Texts{"18-22", "18-23"}));
    CHECK_EQUAL(short_moves("B:W9,10,17,18:B6"), (Texts{"6x13x22", "6x15x22"}));
    CHECK_EQUAL(short_moves("B:W9,10,17,18,K30:BK6"), (Texts{"6x13x22x15x6", "6x15x22x13x6"}));
}

// ---- paths on their own

void test_paths() {
    CHECK_EQUAL(parse_path("11-15"), parse_move(Position(), "11-15"));
    CHECK_EQUAL(format_move(parse_path("15-11")), "15-11");
    const Position position = parse_fen("B:W6,15,24:B1");
    CHECK_EQUAL(parse_path("1x10x19x28"), position.legal_moves()[0]);
}

void test_bad_paths_say_why() {
    CHECK(contains(path_error("11"), "is not a move"));
    CHECK(contains(path_error("11-33"), "there is no square 33"));
    CHECK_EQUAL(path_error("11-18"), "'11-18' is not a path on the board: 11 to 18 is not a step");
    CHECK_EQUAL(path_error("11x15"), "'11x15' is not a path on the board: 11 to 15 is not a jump");
    CHECK_EQUAL(path_error("12-13"), "'12-13' is not a path on the board: 12 to 13 is not a step");
    CHECK_EQUAL(path_error("11-15-18"),
                "'11-15-18' is not a path on the board: a step goes to one square");
    CHECK_EQUAL(path_error("6x15x6"),
                "'6x15x6' is not a path on the board: it jumps the same piece twice");
    CHECK(contains(path_error("6x13x22x15x6x13x22x15x6x13x22"), "no jump is that long"));
}

// ---- drawing

void test_draw() {
    CHECK_EQUAL(draw(parse_fen("B:W21,K22:B1,K32")),
                "  b   .   .   .\n"
                ".   .   .   .\n"
                "  .   .   .   .\n"
                ".   .   .   .\n"
                "  .   .   .   .\n"
                "w   W   .   .\n"
                "  .   .   .   .\n"
                ".   .   .   B");
}

// ---- random walks

void test_whatever_is_written_is_read_back() {
    int routes_that_matter = 0;
    const auto check_all = [&](const Position& position) {
        CHECK_EQUAL(parse_fen(format_fen(position)), position);
        for (const Move& move : position.legal_moves()) {
            const std::string text = format_move(move);
            const std::string short_text = format_short_move(position, move);
            CHECK_EQUAL(parse_path(text), move) || check::note(format_fen(position));
            CHECK(short_text.size() <= text.size());
            routes_that_matter += move.jumps > 1 && short_text == text;
            CHECK_EQUAL(read_back(position, text), text) || check::note(format_fen(position));
            CHECK_EQUAL(read_back(position, short_text), text) || check::note(format_fen(position));
        }
    };
    walk_randomly(1, 150, [&](const Position& position, const Move&, const Position&) {
        check_all(position);
    });
    Random random(2);
    for (int i = 0; i < 5'000; ++i) check_all(random_setup(random));
    CHECK(routes_that_matter > 10);
}

}  // namespace

int main() {
    test_fen_of_the_start();
    test_fen_may_be_written_in_many_ways();
    test_fen_with_empty_sides();
    test_a_range_of_kings();
    test_bad_fens_say_what_is_wrong();
    test_a_long_rubbish_fen_is_cut_in_the_message();
    test_format_move();
    test_a_jump_may_be_written_with_some_landings();
    test_ambiguous_jumps_name_the_routes();
    test_routes_to_one_position_count_as_one();
    test_a_whole_path_is_never_ambiguous();
    test_illegal_moves_say_why();
    test_steps_and_jumps_are_not_mistaken_for_each_other();
    test_long_rubbish_is_no_move();
    test_short_moves_name_the_route_only_where_it_matters();
    test_paths();
    test_bad_paths_say_why();
    test_draw();
    test_whatever_is_written_is_read_back();
    return check::report();
}
