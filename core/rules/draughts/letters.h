// Which characters mean what in notations.
#pragma once

namespace crossboard::draughts {

constexpr bool is_digit(char c) {
    return '0' <= c && c <= '9';
}

constexpr bool is_letter(char c) {
    return ('a' <= (c | 32) && (c | 32) <= 'z') || c == '_';
}

// Old files end with the DOS end-of-file character.
constexpr bool is_blank(char c) {
    return c == ' ' || ('\t' <= c && c <= '\r') || c == '\x1a';
}

}  // namespace crossboard::draughts
