// Tests what the core reads and writes, and that rubbish is refused with a reason.
#include "rules/duchess/notation.h"

#include <string>

#include "check.h"
#include "rules/duchess/random_positions.h"
#include "rules/duchess/show.h"

using namespace crossboard;
using namespace crossboard::duchess;

namespace {

constexpr const char* SMALL = "4; 1:K1a1 P1c6; 2:K2a1; 3:K4a1; 4:K5a1; turn 1; box 1:Q,R";

std::string complaint(const std::string& text) {
    return check::message_of<InvalidPosition>([&] { parse_position(text); });
}

std::string complaint(const Position& position, const std::string& move) {
    return check::message_of<IllegalMove>([&] { parse_move(position, move); });
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

void test_positions_come_back() {
    CHECK_EQUAL(format_position(parse_position(SMALL)), SMALL);
    Random random(41);
    for (int i = 0; i < 300; ++i) {
        const Position position = random_setup(random, i % 2 ? 4 : 6);
        CHECK(parse_position(format_position(position)) == position);
    }
}

void test_flags() {
    const auto flags = [](const char* text) { return format_flags(parse_position(text)); };
    CHECK_EQUAL(flags(SMALL), "....");
    CHECK_EQUAL(flags("4; 1:K1d6; 2:K2a1 PV; 3:K4a1; 4:K5a1; turn 1"), "c...");
    CHECK_EQUAL(flags("4; 1:K1e1; 2:K2a1 Q1c2; 3:K4a1; 4:K5a1; turn 1"), "s...");
    CHECK_EQUAL(flags("4; 1:K1e1; 2:K2a1 Q1d2 R1b2; 3:K4e1; 4:K5a1 Q4d2 R4b2; turn 1"), "m.m.");
}

void test_bad_positions_are_refused() {
    CHECK(ends_with(complaint("4; 1:K1a1; turn 1"), "player 2 has no king"));
    CHECK(ends_with(complaint(std::string(SMALL) + "; box 2:K"),
                    "there is no 'K' in a box: write Q, D, F, W, N, R, B or P"));
    CHECK(complaint("").starts_with("position ''"));
}

void test_bad_moves_are_refused() {
    const Position start;
    CHECK(complaint(start, "N1b2-1b4").find("the N on 1b2 does not reach 1b4; legal: ") !=
          std::string::npos);
    CHECK(complaint(start, "pass").find("must not pass") != std::string::npos);
    CHECK(complaint(start, "").starts_with("'' is not a move"));
}

// Bytes of all kinds, and good texts with a byte changed.
void test_rubbish_is_read_or_refused() {
    Random random(42);
    const Position start;
    for (int i = 0; i < 20'000; ++i) {
        std::string text = i % 2 ? SMALL : "P1d6xV=Q";
        for (int changes = 1 + random.below(3); changes > 0; --changes) {
            const auto at = static_cast<std::size_t>(random.below(static_cast<int>(text.size())));
            if (random.below(3) == 0) {
                text.erase(at);
                text += SMALL[random.below(40)];
            } else {
                text[at] = static_cast<char>(random.below(256));
            }
        }
        try {
            const Position position = parse_position(text);
            CHECK(parse_position(format_position(position)) == position);
        } catch (const InvalidPosition&) {
        }
        try {
            CHECK(is_legal(start, parse_move(start, text)));
        } catch (const IllegalMove&) {
        }
    }
}

}  // namespace

int main() {
    test_positions_come_back();
    test_flags();
    test_bad_positions_are_refused();
    test_bad_moves_are_refused();
    test_rubbish_is_read_or_refused();
    return check::report();
}
