// A PDN text with everything in it that the reader knows, and games as text to compare them by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/draughts/notation.h"
#include "rules/draughts/pdn.h"

namespace crossboard::draughts::pdn {

inline constexpr std::string_view SAMPLE =
    "\xef\xbb\xbf"
    "{ The collection's own remark }\n"
    "[Event \"Club \\\"A\\\" final\"]\n"
    "[Date \"1884.05.??\"]\n"
    "[Black \"R. Martins\"] [White \"J. Smith\"]\n"
    "[Result \"1-0\"]\n"
    "\n"
    "1. 11-15 {the usual} 22-18! 2. 15x22 25x18 3. 8-11 29-25 $14\n"
    "; White has the move\n"
    "4. 4-8 25-22 (4... 24-20 5. 12-16 {deep (here)} (5. 10-15 6. 20-16?) 5... 28-24) 5. 12-16\n"
    "24-20 (?) 6. 10-15 1-0 {remark on the same line}\n"
    "\n"
    "[Event \"Endgame\"]\r\n"
    "[GameType \"21,W,8,8,N2,0\"]\r\n"
    "[SetUp \"1\"]\r\n"
    "[FEN \"W:W18,K22:B1,2,K30\"]\r\n"
    "\r\n"
    "1. 18-15 1-6 2. /FEN \"B:W9,10,17,18,K30:BK6\"/ 6x6 30-26* 3. 6-1 1/2-1/2\r\n"
    "\r\n"
    "1. 9-14 22-18 2. 5-9 25-22 3. 11-16 18-15\n"
    "1. 12-16 24-20 2. 8-12 * {broken off} {at dinner}\n"
    "[Event \"Bare tags\"]\n"
    "[Site \"?\"]\n"
    "[Event \"Dirty\"]\n"
    "% an escaped line\n"
    "1. 9 - 13 22\n-18 2. 06-09 1... 1815 {10x19, 11x18} 3. 10x19 24x15 99-98 {lost} (1. 1-5) 0-1 "
    "*\n"
    "[Event \"Unclosed\"]\n"
    "1. 10-14 {never closed\n"
    "[Event \"Last\"]\n"
    "1. 10x14 23-19 (1... 22-18 ({only a remark}) 2. 11-15 18x11) 2. 14-18!? 22x15 3. 11x18 \x1a";

inline std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all.append("{").append(text).append("}");
    return all;
}

// Everything that a Game says, one thing a line.
inline std::string described(const Game& game) {
    std::string text;
    for (const auto& [name, value] : game.tags) text += "tag " + name + "=" + value + "\n";
    for (const Node& node : game.nodes) {
        text += std::to_string(node.parent) + " " + joined(node.comments_before);
        text += (node.move ? format_move(*node.move) : "set-up") + joined(node.comments);
        for (int nag : node.nags) text.append(" $").append(std::to_string(nag));
        text.append(" ").append(format_fen(node.position)).append("\n");
    }
    text += "result " + game.result + "\n";
    for (const Error& error : game.errors)
        text += "error in line " + std::to_string(error.line) + " at '" + error.move +
                "': " + error.reason + "\n";
    return text;
}

// All games of a text that comes in pieces of `piece` bytes, and at the end why reading stopped.
inline std::vector<std::string> read_in_pieces(std::string_view text, std::size_t piece) {
    std::vector<std::string> games;
    Stream stream;
    const auto take_games = [&] {
        while (const std::optional<Game> game = stream.next()) games.push_back(described(*game));
    };
    for (std::size_t at = 0; at < text.size(); at += piece) {
        stream.feed(text.substr(at, piece));
        take_games();
    }
    stream.close();
    take_games();
    if (const auto& failure = stream.failure())
        games.push_back("failure in line " + std::to_string(failure->line) + ": " +
                        failure->reason);
    return games;
}

inline std::vector<Game> read_all(std::string_view text) {
    std::vector<Game> games;
    Stream stream;
    stream.feed(text);
    stream.close();
    while (std::optional<Game> game = stream.next()) games.push_back(std::move(*game));
    return games;
}

}  // namespace crossboard::draughts::pdn
