// Tests that PDN reads the same however it is cut, and that no damage leads the reader astray.
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "check.h"
#include "rules/draughts/pdn_text.h"
#include "rules/random.h"

using namespace crossboard;
using namespace crossboard::draughts;
using pdn::read_in_pieces;
using pdn::SAMPLE;

namespace {

using Texts = std::vector<std::string>;

// For messages: control characters would hide what they are about.
std::string visible(std::string_view text) {
    std::string shown;
    for (char c : text)
        shown += c == '\n'                             ? "\\n"
                 : static_cast<unsigned char>(c) < ' ' ? "\\?"
                                                       : std::string(1, c);
    return shown;
}

void test_the_sample_is_what_it_should_be() {
    const Texts games = read_in_pieces(SAMPLE, SAMPLE.size());
    CHECK_EQUAL(games.size(), 8);
    int errors = 0;
    for (const std::string& game : games) errors += game.find("\nerror") != game.npos;
    CHECK_EQUAL(errors, 2);  // the dirty one and the unclosed one
}

void test_pieces_of_every_size_give_the_same_games() {
    const Texts whole = read_in_pieces(SAMPLE, SAMPLE.size());
    for (std::size_t piece = 1; piece <= 60; ++piece)
        CHECK_EQUAL(read_in_pieces(SAMPLE, piece), whole) ||
            check::note("pieces of " + std::to_string(piece));
}

void test_one_cut_anywhere_gives_the_same_games() {
    const Texts whole = read_in_pieces(SAMPLE, SAMPLE.size());
    for (std::size_t cut = 1; cut < SAMPLE.size(); ++cut) {
        Texts games;
        pdn::Stream stream;
        stream.feed(SAMPLE.substr(0, cut));
        while (const auto game = stream.next()) games.push_back(pdn::described(*game));
        stream.feed(SAMPLE.substr(cut));
        stream.close();
        while (const auto game = stream.next()) games.push_back(pdn::described(*game));
        CHECK_EQUAL(games, whole) || check::note("cut at " + std::to_string(cut));
    }
}

// A text that breaks off harms the game it breaks off in, and no game before it.
void test_a_truncated_text_keeps_its_earlier_games() {
    const Texts whole = read_in_pieces(SAMPLE, SAMPLE.size());
    for (std::size_t size = 0; size < SAMPLE.size(); ++size) {
        const Texts games = read_in_pieces(SAMPLE.substr(0, size), SAMPLE.size());
        CHECK(games.size() <= whole.size());
        for (std::size_t i = 0; i + 1 < games.size(); ++i)
            CHECK_EQUAL(games[i], whole[i]) || check::note("truncated at " + std::to_string(size));
    }
}

// If the reader takes a game from the front of a text, nothing behind it would have changed it.
void check_that_waiting_changes_nothing(std::string_view text) {
    const pdn::Reading whole = pdn::read_game(text, true).value();
    for (std::size_t size = 0; size < text.size(); ++size) {
        const auto reading = pdn::read_game(text.substr(0, size), false);
        if (!reading) continue;
        CHECK(reading->game.has_value() && whole.game.has_value() && reading->used == whole.used &&
              pdn::described(*reading->game) == pdn::described(*whole.game)) ||
            check::note(std::to_string(size) + " of " + visible(text));
        return;
    }
}

void test_a_game_is_taken_only_when_nothing_could_change_it() {
    std::string_view rest = SAMPLE;
    while (!rest.empty()) {
        check_that_waiting_changes_nothing(rest);
        rest.remove_prefix(pdn::read_game(rest, true)->used);
    }
}

// ---- damage

// What a game is made of, to be thrown in anywhere.
// clang-format off
constexpr std::string_view SCRAPS[] = {
    "(", ")", "{", "}", "[", "]", "\"", "[Event \"", "\n[Event \"", "[FEN \"B:W:B\"]",
    "*", "1-0", "0-1", "1/2-1/2", "1/2", "1. ", "1... ", "11-15", "99", "0",
    "-", "x", ":", "/", "/FEN \"", "\"/", "$", "$5", "!", "?",
    ".", ";", "%", "\\", "\n", "\r\n", " ", "\x1a", "\xef\xbb\xbf", "\x01",
};
// clang-format on

std::string damaged(std::string text, Random& random) {
    const auto place = [&] {
        return static_cast<std::size_t>(random.below(static_cast<int>(text.size()) + 1));
    };
    for (int wounds = 1 + random.below(8); wounds > 0 && !text.empty(); --wounds) {
        const std::size_t at = place(), other = place();
        const std::size_t first = std::min(at, other), size = std::max(at, other) - first;
        switch (random.below(7)) {
            case 0:
            case 1: text.insert(at, SCRAPS[random.below(std::size(SCRAPS))]); break;
            case 2: text.erase(at, 1 + random.below(4)); break;
            case 3: text.insert(at, 1, static_cast<char>(random.below(256))); break;
            case 4:
                if (at < text.size()) text[at] = static_cast<char>(random.below(256));
                break;
            case 5: text.insert(at, text.substr(first, std::min<std::size_t>(size, 80))); break;
            case 6: text.resize(std::max(at, text.size() / 2)); break;
        }
    }
    return text;
}

// A tree of legal moves in which parents come first, and errors that point into the text.
void check_game(const pdn::Game& game, std::string_view text) {
    CHECK(!game.nodes.empty());
    CHECK(!game.nodes[0].move && game.nodes[0].parent == -1);
    for (std::size_t i = 1; i < game.nodes.size(); ++i) {
        const pdn::Node& node = game.nodes[i];
        if (!CHECK(0 <= node.parent && node.parent < static_cast<int>(i))) return;
        if (!node.move) continue;
        const Position& before = game.nodes[node.parent].position;
        const auto moves = before.legal_moves();
        CHECK(std::count(moves.begin(), moves.end(), *node.move) == 1 &&
              node.position == before.after(*node.move)) ||
            check::note(visible(text));
    }
    const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
    CHECK(game.errors.size() <= pdn::MAX_ERRORS);
    for (const pdn::Error& error : game.errors)
        CHECK(1 <= error.line && error.line <= lines && !error.reason.empty()) ||
            check::note(visible(text));
}

// Reads the text game by game, and says how many there were. Control characters end a stream, but
// read_game takes any text.
int check_games(std::string_view text) {
    int games = 0;
    while (!text.empty()) {
        const pdn::Reading reading = pdn::read_game(text, true).value();
        if (!CHECK(0 < reading.used && reading.used <= text.size())) break;
        if (reading.game) {
            check_game(*reading.game, text);
            ++games;
        } else {
            CHECK_EQUAL(reading.used, text.size());
        }
        text.remove_prefix(reading.used);
    }
    return games;
}

// The reader must end, trip no sanitizer, and read the same in one piece and in many.
void test_damaged_texts() {
    constexpr int TEXTS = 20'000;
    int games = 0;
    for (int i = 0; i < TEXTS; ++i) {
        Random random(1, static_cast<std::uint64_t>(i));
        // A part of the sample, so that every wound is near the others.
        const std::size_t start = static_cast<std::size_t>(random.below(SAMPLE.size()));
        const std::size_t size = 60 + static_cast<std::size_t>(random.below(500));
        const std::string text = damaged(std::string(SAMPLE.substr(start, size)), random);
        games += check_games(text);
        const std::size_t piece = 1 + static_cast<std::size_t>(random.below(40));
        CHECK(read_in_pieces(text, piece) == read_in_pieces(text, 1 + text.size())) ||
            check::note(std::to_string(piece) + " bytes a piece: " + visible(text));
    }
    CHECK(games > TEXTS);  // or the damage is too great to show anything
}

void test_waiting_changes_nothing_in_damaged_texts() {
    for (int i = 0; i < 2'000; ++i) {
        Random random(2, static_cast<std::uint64_t>(i));
        const std::size_t start = static_cast<std::size_t>(random.below(SAMPLE.size()));
        check_that_waiting_changes_nothing(damaged(std::string(SAMPLE.substr(start, 200)), random));
    }
}

// Every way in which one thing ends and the next begins; and none swallows the game behind it.
void test_all_short_strings_of_scraps() {
    for (std::string_view a : SCRAPS)
        for (std::string_view b : SCRAPS)
            for (std::string_view c : SCRAPS) {
                const std::string scraps = std::string(a) + std::string(b) + std::string(c);
                const std::string text = scraps + "\n[Event \"next\"]\n1. 11-15 *\n";
                const Texts whole = read_in_pieces(text, text.size());
                CHECK(read_in_pieces(text, 1) == whole) || check::note(visible(text));
                if (scraps.find('\x01') != scraps.npos) continue;  // it stops the stream
                CHECK(!whole.empty() &&
                      whole.back().find("tag Event=next\n") != std::string::npos) ||
                    check::note(visible(text));
            }
}

}  // namespace

int main() {
    test_the_sample_is_what_it_should_be();
    test_pieces_of_every_size_give_the_same_games();
    test_one_cut_anywhere_gives_the_same_games();
    test_a_truncated_text_keeps_its_earlier_games();
    test_a_game_is_taken_only_when_nothing_could_change_it();
    test_damaged_texts();
    test_waiting_changes_nothing_in_damaged_texts();
    test_all_short_strings_of_scraps();
    return check::report();
}
