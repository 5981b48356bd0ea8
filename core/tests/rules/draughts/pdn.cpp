// Tests what is read from PDN texts, clean and dirty.
#include "rules/draughts/pdn.h"

#include <algorithm>
#include <string>
#include <vector>

#include "check.h"
#include "rules/draughts/pdn_text.h"
#include "rules/draughts/show.h"

using namespace crossboard;
using namespace crossboard::draughts;
using pdn::Game;
using pdn::read_all;

namespace {

using Texts = std::vector<std::string>;

// The games of a text, exactly as many as expected: missing ones are empty.
std::vector<Game> read_games(std::string_view text, std::size_t expected) {
    std::vector<Game> games = read_all(text);
    CHECK_EQUAL(games.size(), expected) || check::note(text.substr(0, 200));
    games.resize(expected, Game{{}, {pdn::Node{}}, "", {}});
    return games;
}

Game read_one(std::string_view text) {
    return read_games(text, 1)[0];
}

std::string main_line(const Game& game) {
    std::string text;
    for (const Move& move : game.main_line()) {
        if (!text.empty()) text += ' ';
        text += format_move(move);
    }
    return text;
}

// Reasons with their lines: "3: a comment is not closed".
Texts errors_of(const Game& game) {
    Texts texts;
    for (const pdn::Error& error : game.errors)
        texts.push_back(std::to_string(error.line) + ": " +
                        (error.move.empty() ? "" : error.move + ": ") + error.reason);
    return texts;
}

// Each node as parent and move, with comments and NAGs.
Texts tree_of(const Game& game) {
    Texts texts;
    for (std::size_t i = 1; i < game.nodes.size(); ++i) {
        const pdn::Node& node = game.nodes[i];
        std::string text = std::to_string(node.parent) + " " + pdn::joined(node.comments_before) +
                           (node.move ? format_move(*node.move) : "set-up") +
                           pdn::joined(node.comments);
        for (int nag : node.nags) text += " $" + std::to_string(nag);
        texts.push_back(text);
    }
    return texts;
}

std::string repeated(std::string_view text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

// ---- tags

void test_tags_keep_their_order() {
    const Game game = read_one("[Event \"A\"]\n[White \"B\"]\n[Black \"\"]\n\n1. 11-15 *");
    using Tags = std::vector<std::pair<std::string, std::string>>;
    CHECK(game.tags == Tags{{"Event", "A"}, {"White", "B"}, {"Black", ""}});
    CHECK_EQUAL(game.result, "*");
    CHECK(game.errors.empty());
}

void test_tags_with_quotes_blanks_and_neighbours() {
    const Game game = read_one(
        "[A \"say \\\"hi\\\" \\\\ bye\"][B  \"the \"best\" of\" ] [ C\t\"[x] {y} (z)\"]\r\n1. "
        "11-15 *");
    CHECK_EQUAL(game.tags.size(), 3);
    CHECK_EQUAL(game.tags.at(0).second, "say \"hi\" \\ bye");
    CHECK_EQUAL(game.tags.at(1).second, "the \"best\" of");
    CHECK_EQUAL(game.tags.at(2).second, "[x] {y} (z)");
    CHECK_EQUAL(main_line(game), "11-15");
}

void test_bad_tags_are_told_and_passed_over() {
    const Game game =
        read_one("[A \"1\"]\n[A \"2\"]\n[B]\n[C \"open\n[ \"x\"]\n[D \"4\"]\n1. 11-15 *");
    CHECK_EQUAL(errors_of(game),
                (Texts{"2: the tag A is given twice", "3: a tag is written [Name \"value\"]",
                       "4: the tag C is not closed", "5: a tag is written [Name \"value\"]"}));
    CHECK_EQUAL(game.tags.size(), 2);
    CHECK_EQUAL(game.tags.at(0).second, "1");
    CHECK_EQUAL(main_line(game), "11-15");
}

void test_games_of_tags_only_are_told_apart_by_their_events() {
    const std::vector<Game> games =
        read_games("[Event \"a\"]\n[Site \"x\"]\n[Event \"b\"]\n[Event \"c\"]\n1. 11-15 *", 3);
    CHECK_EQUAL(games[0].tags.size(), 2);
    CHECK_EQUAL(games[1].tags.size(), 1);
    CHECK_EQUAL(main_line(games[2]), "11-15");
}

// ---- positions other than the start

void test_fen_tag() {
    const Game game = read_one("[FEN \"W:W18,K22:B1,2,K30\"]\n1. 18-15 1-6 *");
    CHECK_EQUAL(format_fen(game.nodes[0].position), "W:W18,K22:B1,2,K30");
    CHECK_EQUAL(main_line(game), "18-15 1-6");
}

void test_a_bad_fen_tag_breaks_the_game_and_not_the_next() {
    const std::vector<Game> games =
        read_games("[Event \"a\"]\n[FEN \"W:W99:B1\"]\n\n1. 18-15 *\n[Event \"b\"]\n1. 11-15 *", 2);
    CHECK_EQUAL(errors_of(games[0]),
                (Texts{"2: FEN 'W:W99:B1': there is no square 99: squares are 1 to 32"}));
    CHECK_EQUAL(games[0].nodes.size(), 1);
    CHECK_EQUAL(main_line(games[1]), "11-15");
}

void test_other_games_than_english_draughts_are_refused() {
    for (const char* type : {"20", "25,W,8,8,A0,0", "210", "2"}) {
        const Game game = read_one("\n[GameType \"" + std::string(type) + "\"]\n\n1. 11-15 *");
        CHECK_EQUAL(errors_of(game),
                    (Texts{"2: GameType " + std::string(type) + " is not English draughts (21)"}));
        CHECK_EQUAL(game.nodes.size(), 1);
    }
    for (const char* type : {"21", "21,W,8,8,N2,0"})
        CHECK_EQUAL(main_line(read_one("[GameType \"" + std::string(type) + "\"]\n1. 11-15 *")),
                    "11-15");
}

void test_set_ups_in_the_middle() {
    const Game game = read_one("1. 11-15 /FEN \"B:W9,10,17,18,K30:BK6\"/ 6x6 30-26 *");
    CHECK_EQUAL(tree_of(game), (Texts{"0 11-15", "1 set-up", "2 6x13x22x15x6", "3 30-26"}));
    CHECK(game.errors.empty());
    CHECK_EQUAL(main_line(game), "11-15 6x13x22x15x6 30-26");
}

void test_bad_set_ups_break_the_line() {
    for (const char* text : {"/FEN \"B:W99:B1\"/", "/FEN B:W21:B1/", "/FEN \"B:W21:B1\"\n", "/x/",
                             "//", "/FEN \"/", "/FEN/"}) {
        const Game game = read_one("1. 11-15 " + std::string(text) + " 22-18 *");
        CHECK_EQUAL(game.errors.size(), 1) || check::note(text);
        CHECK_EQUAL(main_line(game), "11-15") || check::note(text);
        CHECK_EQUAL(game.result, "*") || check::note(text);
    }
}

// ---- comments, NAGs, variations

void test_comments_belong_to_the_move_before() {
    const Game game = read_one(
        "{start} ; also start\n1. {to the start} 11-15 {one} {two\nlines} ; three\n22-18 % four\n "
        "*");
    CHECK_EQUAL(game.nodes[0].comments, (Texts{"start", "also start", "to the start"}));
    CHECK_EQUAL(tree_of(game), (Texts{"0 11-15{one}{two\nlines}{three}", "1 22-18{four}"}));
}

void test_empty_comments_are_dropped() {
    CHECK_EQUAL(tree_of(read_one("1. 11-15 {} { \n } ;\n 22-18 *")), (Texts{"0 11-15", "1 22-18"}));
}

void test_strengths_and_nags() {
    const Game game = read_one(
        "1. 11-15! 22-18? 2. 15x22!! 25x18 ?? 3. 8-11!? 29-25?! $10 $7 4. 4-8(!) "
        "25-22 (?!) 5. 12-16* 24-20 *");
    CHECK_EQUAL(tree_of(game),
                (Texts{"0 11-15 $1", "1 22-18 $2", "2 15x22 $3", "3 25x18 $4", "4 8-11 $5",
                       "5 29-25 $6 $10 $7", "6 4-8 $1", "7 25-22 $6", "8 12-16 $7", "9 24-20"}));
    CHECK_EQUAL(game.result, "*");
    CHECK(game.errors.empty());
}

void test_a_dollar_without_a_number_breaks_the_line() {
    const Game game = read_one("1. 11-15 $ 22-18 *");
    CHECK_EQUAL(errors_of(game), (Texts{"1: $: a number is missing after $"}));
    CHECK_EQUAL(main_line(game), "11-15");
    CHECK_EQUAL(read_one("1. 11-15 $99999999999999999999 *").nodes.at(1).nags,
                std::vector<int>{pdn::MAX_NAG});
}

void test_a_variation_replaces_the_move_before_it() {
    const Game game = read_one("1. 11-15 22-18 (1... 23-19 2. 8-11) 2. 15x22 *");
    CHECK_EQUAL(tree_of(game), (Texts{"0 11-15", "1 22-18", "1 23-19", "3 8-11", "2 15x22"}));
    CHECK_EQUAL(main_line(game), "11-15 22-18 15x22");
    CHECK_EQUAL(game.nodes.at(4).position.pieces(Colour::black), Position()
                                                                     .after(parse_path("11-15"))
                                                                     .after(parse_path("23-19"))
                                                                     .after(parse_path("8-11"))
                                                                     .pieces(Colour::black));
}

void test_variations_inside_variations_and_beside_each_other() {
    const Game game = read_one(
        "1. 11-15 (1. 9-13 22-18 (1... 24-20 (1... 23-18)) 2. 6-9) (1. 10-14) 1... 23-19 *");
    CHECK_EQUAL(tree_of(game), (Texts{"0 11-15", "0 9-13", "2 22-18", "2 24-20", "2 23-18", "3 6-9",
                                      "0 10-14", "1 23-19"}));
    CHECK_EQUAL(main_line(game), "11-15 23-19");
    CHECK(game.errors.empty());
}

void test_comments_of_variations() {
    const Game game = read_one("1. 11-15 ({before} 1. 9-13 {after}) ({alone}) {late} *");
    CHECK_EQUAL(tree_of(game), (Texts{"0 11-15{alone}{late}", "0 {before}9-13{after}"}));
}

void test_a_result_in_a_variation_is_a_comment() {
    const Game game = read_one("1. 11-15 (1. 9-13 1-0) 22-18 0-1");
    CHECK_EQUAL(tree_of(game), (Texts{"0 11-15", "0 9-13{1-0}", "1 22-18"}));
    CHECK_EQUAL(game.result, "0-1");
}

void test_a_broken_variation_does_not_break_its_parent() {
    const Game game = read_one("1. 11-15 (1. 9-13 9-13 22-18 (1... 23-19) {lost}) 22-18 *");
    CHECK_EQUAL(tree_of(game), (Texts{"0 11-15", "0 9-13", "1 22-18"}));
    CHECK_EQUAL(game.errors.size(), 1);
}

void test_brackets_that_do_not_match_are_told() {
    CHECK_EQUAL(errors_of(read_one("1. 11-15 ) 22-18 *")),
                (Texts{"1: ): there is no variation to close"}));
    CHECK_EQUAL(main_line(read_one("1. 11-15 ) 22-18 *")), "11-15 22-18");
    CHECK_EQUAL(errors_of(read_one("1. 11-15 (1. 9-13\n")),
                (Texts{"2: a variation is not closed"}));
    const Game game = read_one("(1. 9-13) 1. 11-15 *");
    CHECK_EQUAL(errors_of(game), (Texts{"1: a variation stands before the first move"}));
    CHECK_EQUAL(main_line(game), "11-15");
}

void test_an_unclosed_variation_does_not_swallow_the_next_game() {
    const std::vector<Game> games = read_games("1. 11-15 (1. 9-13 *\n[Event \"b\"]\n1. 10-14 *", 2);
    CHECK_EQUAL(errors_of(games[0]), (Texts{"2: a variation is not closed"}));
    CHECK_EQUAL(main_line(games[1]), "10-14");
}

// ---- results, and where a game ends

void test_results() {
    for (const char* result : {"1-0", "0-1", "1/2-1/2", "1/2", "0-0", "2-0", "0-2", "1-1", "*"}) {
        const std::vector<Game> games =
            read_games("1. 11-15 " + std::string(result) + "\n1. 9-13 " + result, 2);
        for (const Game& game : games) {
            CHECK_EQUAL(game.result, result);
            CHECK_EQUAL(game.nodes.size(), 2);
            CHECK(game.errors.empty());
        }
    }
}

void test_moves_that_look_like_results() {
    const Game game = read_one("[FEN \"B:W32:BK1,K2\"]\n1. 1-05 32-27 2-07 27-24 *");
    CHECK_EQUAL(main_line(game), "1-5 32-27 2-7 27-24");
}

void test_a_remark_on_the_line_of_the_result_belongs_to_it() {
    const std::vector<Game> games =
        read_games("1. 11-15 1-0 {mine} {mine too}\n{yours}\n1. 9-13 *", 2);
    CHECK_EQUAL(tree_of(games[0]), (Texts{"0 11-15{mine}{mine too}"}));
    CHECK_EQUAL(games[1].nodes[0].comments, (Texts{"yours"}));
}

void test_a_star_may_follow_a_result() {
    const std::vector<Game> games = read_games("1. 11-15 1-0 *\n1. 9-13 0-1\n*\n1. 10-14 *", 3);
    CHECK_EQUAL(games[0].result, "1-0");
    CHECK_EQUAL(games[1].result, "0-1");
    CHECK_EQUAL(main_line(games[2]), "10-14");
}

void test_a_missing_result() {
    const std::vector<Game> games =
        read_games("1. 11-15 22-18 2. 15x22\n1. 9-13 24-20 2. 11-15\n[Event \"c\"]\n1. 10-14", 3);
    CHECK_EQUAL(main_line(games[0]), "11-15 22-18 15x22");
    CHECK_EQUAL(main_line(games[1]), "9-13 24-20 11-15");
    CHECK_EQUAL(main_line(games[2]), "10-14");
    for (const Game& game : games) {
        CHECK_EQUAL(game.result, "");
        CHECK(game.errors.empty());
    }
}

void test_nothing_but_blanks_and_comments_is_no_game() {
    for (const char* text :
         {"", " \n\t\r\n", "{remark}", "; remark", "\xef\xbb\xbf", "{a}\n{b}\x1a"})
        CHECK_EQUAL(read_all(text).size(), 0) || check::note(text);
}

// What stands between two games must not hide the second.
void test_scraps_behind_a_result_do_not_swallow_the_games_behind() {
    for (const char* scrap : {".", "-", "!", " ?!", "\n$3", " 17", "\n2.", "... -", "\n{x} ."}) {
        const std::vector<Game> games =
            read_games("[Event \"a\"]\n1. 11-15 0-1" + std::string(scrap) +
                           "\n[Event \"b\"]\n1. 9-13 *\n[Event \"c\"]\n1. 10-14 *\n",
                       3);
        CHECK_EQUAL(main_line(games.back()), "10-14") || check::note(scrap);
    }
}

// ---- moves as people write them

void test_blanks_and_line_breaks_inside_moves() {
    const Game game = read_one("1. 11 - 15 22\n-\n18 2. 15 x\r\n22 25\tx 18 *");
    CHECK_EQUAL(main_line(game), "11-15 22-18 15x22 25x18");
    CHECK(game.errors.empty());
}

void test_leading_zeros_colons_and_joined_numbers() {
    CHECK_EQUAL(main_line(read_one("01. 09-014 22:18 02. 1115 1811 *")), "9-14 22-18 11-15 18x11");
    CHECK_EQUAL(main_line(read_one("1. 0914 22X18 *")), "9-14 22-18");
}

void test_a_step_written_as_a_jump_is_understood() {
    const Game game = read_one("1. 10x14 22-18 2. 11-15 18-11 *");
    CHECK_EQUAL(main_line(game), "10-14 22-18 11-15 18x11");
    CHECK(game.errors.empty());
}

void test_move_numbers_may_lack_dots_or_moves() {
    CHECK_EQUAL(main_line(read_one("1 11-15 22-18 2 15x22 *")), "11-15 22-18 15x22");
    CHECK_EQUAL(main_line(read_one("1.11-15 1...22-18 2 . 15x22 3. - - *")), "11-15 22-18 15x22");
    CHECK_EQUAL(main_line(read_one("11-15 22-18 15x22 *")), "11-15 22-18 15x22");
}

void test_an_illegal_move_ends_its_line_with_a_reason() {
    const Game game = read_one("1. 11-15 22-18\n2. 9-14 25x18 3. 8-11 {lost} 1-0");
    CHECK_EQUAL(errors_of(game), (Texts{"2: 9-14: capture is compulsory: 15x22"}));
    CHECK_EQUAL(main_line(game), "11-15 22-18");
    CHECK_EQUAL(game.result, "1-0");
    CHECK_EQUAL(errors_of(read_one("1. 11-15 22 -\n 17 2. 1 - 99 *")),
                (Texts{"2: 1-99: there is no square 99: squares are 1 to 32"}));
    const Game large = read_one("1. 11-99999999999999999999 *");
    CHECK_EQUAL(large.errors.at(0).move, "11-99999999999999999999");
}

void test_an_ambiguous_move_names_two_routes() {
    const Game game = read_one("[FEN \"B:W9,10,17,18:B6\"]\n1. 6x22 *");
    CHECK_EQUAL(errors_of(game), (Texts{"2: 6x22: ambiguous: 6x13x22 or 6x15x22"}));
    CHECK_EQUAL(main_line(read_one("[FEN \"B:W9,10,17,18:B6\"]\n1. 6x15x22 *")), "6x15x22");
}

// See the same test of notation.
void test_a_whole_path_is_never_ambiguous() {
    const Game game = read_one("[FEN \"B:W11,18,19,26,27:BK24\"]\n1. 24x15x8 *");
    CHECK_EQUAL(main_line(game), "24x15x8");
    CHECK_EQUAL(errors_of(game), Texts{});
}

void test_rubbish_breaks_the_line_and_not_the_next_game() {
    const std::vector<Game> games = read_games("1. 11-15 oops 22-18 1-0\n1. 9-13 *", 2);
    CHECK_EQUAL(errors_of(games[0]), (Texts{"1: oops: this is not a move"}));
    CHECK_EQUAL(main_line(games[0]), "11-15");
    CHECK_EQUAL(main_line(games[1]), "9-13");
}

void test_an_unclosed_comment_does_not_swallow_the_next_game() {
    const std::vector<Game> games =
        read_games("1. 11-15 {open\nmore\n[Event \"b\"]\n1. 9-13 {closed} *\n1. 10-14 {open", 3);
    CHECK_EQUAL(errors_of(games[0]), (Texts{"1: a comment is not closed"}));
    CHECK_EQUAL(tree_of(games[0]), (Texts{"0 11-15{open\nmore}"}));
    CHECK_EQUAL(tree_of(games[1]), (Texts{"0 9-13{closed}"}));
    CHECK_EQUAL(errors_of(games[2]), (Texts{"5: a comment is not closed"}));
}

void test_lines_of_errors_count_from_the_beginning_of_the_text() {
    const std::vector<Game> games =
        read_games("1. 11-15 *\n\n1. 9-13 *\n\n\n1. 10-14\n1-2 *\n9-9 *", 4);
    CHECK_EQUAL(errors_of(games[2]).at(0).substr(0, 7), "7: 1-2:");
    CHECK_EQUAL(errors_of(games[3]).at(0).substr(0, 7), "8: 9-9:");
}

// ---- texts that nobody would write

void test_nesting_has_an_end() {
    std::string text = "1. 11-15 22-18";
    for (int depth = 0; depth < pdn::MAX_NESTING; ++depth) text += " (23-19";
    CHECK(read_one(text + repeated(")", pdn::MAX_NESTING) + " 15x22 *").errors.empty());
    const Game game =
        read_one(text + " (22-18 (23-18))" + repeated(")", pdn::MAX_NESTING) + " 15x22 *");
    CHECK_EQUAL(errors_of(game), (Texts{"1: variations are nested more than 200 deep"}));
    CHECK_EQUAL(game.nodes.size(), 1 + 2 + pdn::MAX_NESTING + 1);
    CHECK_EQUAL(main_line(game), "11-15 22-18 15x22");
}

void test_a_million_brackets() {
    const std::string brackets(1'000'000, '(');
    CHECK_EQUAL(errors_of(read_one(brackets)), (Texts{"1: a variation stands before the first move",
                                                      "1: a variation is not closed"}));
    const Game game = read_one("1. 11-15 " + brackets + repeated(")", 1'000'000) + " 22-18 *");
    CHECK_EQUAL(main_line(game), "11-15 22-18");
    CHECK_EQUAL(read_one(repeated(")", 1'000'000)).errors.size(), pdn::MAX_ERRORS);
}

void test_a_million_of_anything_ends() {
    for (const char* text : {"{",      "[",  "1-", "1",   "$",     "/",  "!", "a", "(!", "{}",
                             "11-15 ", "\\", "- ", "1. ", "[A \"", "\n", ";", "}", "?(", "1/2"})
        for (std::size_t piece : {std::size_t{65'536}, std::size_t{2'000'000}})
            CHECK(pdn::read_in_pieces(repeated(text, 1'000'000 / 4), piece).size() <= 1) ||
                check::note(text);
    CHECK_EQUAL(read_all(repeated("*", 100'000)).size(), 100'000);
    CHECK_EQUAL(read_all(repeated("1-0\n", 100'000)).size(), 100'000);
}

void test_errors_have_an_end() {
    const Game game = read_one("1. 11-15 " + repeated("(x) ", 10'000) + "22-18 *");
    CHECK_EQUAL(game.errors.size(), pdn::MAX_ERRORS);
    CHECK_EQUAL(main_line(game), "11-15 22-18");
}

// ---- the stream

void test_control_characters_stop_the_stream() {
    pdn::Stream stream;
    stream.feed(std::string_view("1. 11-15 *\n1. 9-13\n22-18 \0 1. 10-14 *", 38));
    CHECK(stream.failure().has_value());
    CHECK_EQUAL(stream.failure()->line, 3);
    CHECK_EQUAL(stream.failure()->reason, "this is not a text file: it holds a zero byte");
    CHECK_EQUAL(main_line(stream.next().value()), "11-15");
    CHECK_EQUAL(main_line(stream.next().value()), "9-13 22-18");
    CHECK(!stream.next());
    stream.feed("1. 11-15 *");
    stream.close();
    CHECK(!stream.next());
}

void test_the_stream_waits_until_a_game_is_whole() {
    pdn::Stream stream;
    stream.feed("1. 11-15 1-");
    CHECK(!stream.next());
    stream.feed("0");
    CHECK(!stream.next());  // a remark may follow
    stream.feed(repeated(" ", 40));
    CHECK(!stream.next());
    stream.feed("{remark}" + repeated("\n", 40) + "1. 9-13" + repeated(" ", 100));
    const std::optional<Game> game = stream.next();
    CHECK(game.has_value());
    CHECK_EQUAL(tree_of(*game), (Texts{"0 11-15{remark}"}));
    CHECK(!stream.next());
    stream.close();
    CHECK_EQUAL(main_line(stream.next().value()), "9-13");
    CHECK(!stream.next());
    CHECK(!stream.failure());
}

// The patience that a long game needs ends with it.
void test_a_short_game_behind_a_long_one_comes_at_once() {
    pdn::Stream stream;
    stream.feed("1. 11-15" + repeated(" ", 1000));
    CHECK(!stream.next());
    stream.feed(repeated(" ", 2000) + "*\n1. 9-13 *\n1. ");
    const std::optional<Game> first = stream.next(), second = stream.next();
    CHECK(first && main_line(*first) == "11-15");
    CHECK(second && main_line(*second) == "9-13");
    CHECK(!stream.next());
}

// A comment that never closes must not fill the memory.
void test_a_game_without_end_stops_the_stream() {
    const std::string piece(std::size_t{8} << 20, 'x');
    pdn::Stream stream;
    stream.feed("1. 11-15 *\n1. 9-13 {");
    CHECK_EQUAL(main_line(stream.next().value()), "11-15");
    for (std::size_t fed = 0; fed <= 2 * pdn::MAX_GAME_BYTES && !stream.failure();
         fed += piece.size()) {
        stream.feed(piece);
        CHECK(!stream.next());
    }
    CHECK(stream.failure().has_value());
    CHECK_EQUAL(stream.failure()->reason, "a game is longer than 64 MB");
    stream.feed("}");
    CHECK(!stream.next());
}

void test_read_game_says_how_much_it_used() {
    const std::string_view text = "1. 11-15 *\n1. 9-13 0-1";
    const pdn::Reading first = pdn::read_game(text, true).value();
    CHECK_EQUAL(first.used, 10);
    CHECK_EQUAL(main_line(*first.game), "11-15");
    const pdn::Reading second = pdn::read_game(text.substr(first.used), true).value();
    CHECK_EQUAL(second.used, text.size() - first.used);
    CHECK_EQUAL(main_line(*second.game), "9-13");
    CHECK(!pdn::read_game(text.substr(0, 9), false));
    CHECK(!pdn::read_game("  \n", true)->game);
}

}  // namespace

int main() {
    test_tags_keep_their_order();
    test_tags_with_quotes_blanks_and_neighbours();
    test_bad_tags_are_told_and_passed_over();
    test_games_of_tags_only_are_told_apart_by_their_events();
    test_fen_tag();
    test_a_bad_fen_tag_breaks_the_game_and_not_the_next();
    test_other_games_than_english_draughts_are_refused();
    test_set_ups_in_the_middle();
    test_bad_set_ups_break_the_line();
    test_comments_belong_to_the_move_before();
    test_empty_comments_are_dropped();
    test_strengths_and_nags();
    test_a_dollar_without_a_number_breaks_the_line();
    test_a_variation_replaces_the_move_before_it();
    test_variations_inside_variations_and_beside_each_other();
    test_comments_of_variations();
    test_a_result_in_a_variation_is_a_comment();
    test_a_broken_variation_does_not_break_its_parent();
    test_brackets_that_do_not_match_are_told();
    test_an_unclosed_variation_does_not_swallow_the_next_game();
    test_results();
    test_moves_that_look_like_results();
    test_a_remark_on_the_line_of_the_result_belongs_to_it();
    test_a_star_may_follow_a_result();
    test_a_missing_result();
    test_nothing_but_blanks_and_comments_is_no_game();
    test_scraps_behind_a_result_do_not_swallow_the_games_behind();
    test_blanks_and_line_breaks_inside_moves();
    test_leading_zeros_colons_and_joined_numbers();
    test_a_step_written_as_a_jump_is_understood();
    test_move_numbers_may_lack_dots_or_moves();
    test_an_illegal_move_ends_its_line_with_a_reason();
    test_an_ambiguous_move_names_two_routes();
    test_a_whole_path_is_never_ambiguous();
    test_rubbish_breaks_the_line_and_not_the_next_game();
    test_an_unclosed_comment_does_not_swallow_the_next_game();
    test_lines_of_errors_count_from_the_beginning_of_the_text();
    test_nesting_has_an_end();
    test_a_million_brackets();
    test_a_million_of_anything_ends();
    test_errors_have_an_end();
    test_control_characters_stop_the_stream();
    test_the_stream_waits_until_a_game_is_whole();
    test_a_short_game_behind_a_long_one_comes_at_once();
    test_a_game_without_end_stops_the_stream();
    test_read_game_says_how_much_it_used();
    return check::report();
}
