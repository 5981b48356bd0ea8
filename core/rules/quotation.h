// Quotes what was given, for messages that people read.
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

}  // namespace crossboard
