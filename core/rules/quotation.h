// Quotes what was given and lists what is allowed, for messages that people read.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace crossboard {

// Input is quoted in messages; a megabyte of rubbish is not.
inline std::string quoted(std::string_view text) {
    constexpr std::size_t LONGEST = 60;
    std::size_t end = std::min(text.size(), LONGEST);
    // Not in the middle of a letter of several bytes.
    while (end < text.size() && end > 0 && (text[end] & 0xc0) == 0x80) --end;
    std::string shown;
    for (char c : text.substr(0, end)) {
        const bool printable = static_cast<unsigned char>(c) >= ' ' && c != 127;
        shown += printable ? c : '?';
    }
    return "'" + shown + (text.size() > LONGEST ? "...'" : "'");
}

// The first few moves of a list; `format_move` is that of their game.
template <class Moves>
std::string list_moves(const Moves& moves) {
    constexpr int MOST = 12;
    std::string list;
    for (int i = 0; i < std::min(moves.size(), MOST); ++i)
        list += (i ? ", " : "") + format_move(moves[i]);
    if (moves.size() > MOST) list += " and " + std::to_string(moves.size() - MOST) + " more";
    return list;
}

}  // namespace crossboard
