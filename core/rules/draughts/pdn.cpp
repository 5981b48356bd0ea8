// Reads games in Portable Draughts Notation 3.0: a tokenizer by hand and a stack of open lines.
#include "rules/draughts/pdn.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "rules/draughts/letters.h"
#include "rules/draughts/notation.h"

namespace crossboard::draughts::pdn {

namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

// The text ended inside a game, and more of it may come.
struct NeedMore {};

class Reader {
  public:
    Reader(std::string_view text, bool is_all) : text_(text), is_all_(is_all) {}

    Reading read() {
        skip_byte_order_mark();
        do {
            read_one();
        } while (!has_game() && at_ < text_.size());  // stray words between games are no game
        if (!has_game() && game_.errors.empty()) return {std::nullopt, at_};
        return {std::move(game_), at_};
    }

  private:
    // A line of play that is being read: the main line or a variation.
    struct Line {
        std::int32_t last;       // its latest node; the next move follows it
        std::int32_t before;     // the node before the latest: where a variation branches off
        bool is_fresh = false;   // no move of its own yet
        bool is_broken = false;  // something could not be understood: the rest is passed over
        std::vector<std::string> comments_before = {};
        std::vector<int> nags_before = {};
    };

    void read_one() {
        // What was said of stray words before it stays with the game.
        game_ = Game{{}, {}, {}, std::move(game_.errors)};
        game_.nodes.emplace_back();
        tags_at_.clear();
        lines_.clear();
        skipped_depth_ = 0;
        moves_tried_ = 0;
        is_game_over_ = false;
        has_tried_ = false;
        read_tags();
        set_up_from_tags();
        read_moves();
    }

    bool has_game() const {
        return !game_.tags.empty() || game_.nodes.size() > 1 || !game_.result.empty() || has_tried_;
    }

    char peek(std::size_t ahead = 0) {
        if (at_ + ahead < text_.size()) return text_[at_ + ahead];
        if (!is_all_) throw NeedMore{};
        return '\0';
    }

    bool is_at_end(std::size_t ahead = 0) {
        if (at_ + ahead < text_.size()) return false;
        if (!is_all_) throw NeedMore{};
        return true;
    }

    // The first place at or after `from` where `found` holds; the end of the text if there is none.
    template <class Found>
    std::size_t seek(std::size_t from, Found found) {
        while (from < text_.size() && !found(text_[from])) ++from;
        if (from == text_.size() && !is_all_) throw NeedMore{};
        return from;
    }

    std::size_t end_of_line(std::size_t from) {
        return seek(from, [](char c) { return c == '\n' || c == '\r'; });
    }

    std::size_t after_blanks(std::size_t from) {
        return seek(from, [](char c) { return !is_blank(c); });
    }

    void skip_blanks() { at_ = after_blanks(at_); }

    void skip_byte_order_mark() {
        if (text_.substr(at_, 3) == "\xef\xbb\xbf") at_ += 3;
    }

    // ---- what went wrong

    void fail_at(std::size_t where, std::string_view move, std::string reason) {
        if (game_.errors.size() >= MAX_ERRORS) return;
        if (where < counted_to_) counted_to_ = 0, lines_before_ = 0;
        lines_before_ += std::count(text_.begin() + counted_to_, text_.begin() + where, '\n');
        counted_to_ = where;
        game_.errors.push_back(
            {1 + static_cast<int>(lines_before_), std::string(move), std::move(reason)});
    }

    // ---- tags

    void read_tags() {
        for (;;) {
            skip_blanks();
            if (is_at_end()) return;
            if (is_line_comment()) {
                read_line_comment(game_.nodes[0].comments);
            } else if (peek() == '{') {
                read_comment(game_.nodes[0].comments);
            } else if (peek() != '[' || begins_next_game()) {
                return;
            } else {
                read_tag();
            }
        }
    }

    // Games that have tags only follow each other without any sign but a second Event.
    bool begins_next_game() {
        return has_tag("Event") && text_.substr(at_, 7) == "[Event " && !is_at_end(7);
    }

    bool has_tag(std::string_view name) const { return tag(name) != nullptr; }

    const std::string* tag(std::string_view name) const {
        for (const auto& [known, value] : game_.tags)
            if (known == name) return &value;
        return nullptr;
    }

    // Where a tag that is there stands.
    std::size_t place_of(const std::string* value) const {
        std::size_t i = 0;
        while (&game_.tags[i].second != value) ++i;
        return tags_at_[i];
    }

    void read_tag() {
        const std::size_t start = at_++;
        skip_blanks_of_line();
        const std::size_t name_start = at_;
        while (is_letter(peek()) || is_digit(peek())) ++at_;
        const std::string_view name = text_.substr(name_start, at_ - name_start);
        skip_blanks_of_line();
        if (name.empty() || peek() != '"') {
            at_ = end_of_line(at_);
            return fail_at(start, "", "a tag is written [Name \"value\"]");
        }
        // A quote ends the value only before the bracket: people quote inside values.
        std::string value;
        for (++at_; !is_at_end() && peek() != '\n' && peek() != '\r'; ++at_) {
            if (peek() == '\\' && (peek(1) == '"' || peek(1) == '\\')) {
                ++at_;
            } else if (peek() == '"') {
                const std::size_t quote = at_++;
                skip_blanks_of_line();
                if (peek() == ']') {
                    ++at_;
                    return add_tag(start, name, std::move(value));
                }
                at_ = quote;
            }
            value += peek();
        }
        fail_at(start, "", "the tag " + std::string(name) + " is not closed");
    }

    void skip_blanks_of_line() {
        while (peek() == ' ' || peek() == '\t') ++at_;
    }

    void add_tag(std::size_t where, std::string_view name, std::string value) {
        if (game_.tags.size() >= MAX_TAGS) return fail_at(where, "", "there are too many tags");
        if (has_tag(name))
            return fail_at(where, "", "the tag " + std::string(name) + " is given twice");
        game_.tags.emplace_back(name, std::move(value));
        tags_at_.push_back(where);
    }

    void set_up_from_tags() {
        lines_ = {Line{0, 0, true}};
        if (const std::string* type = tag("GameType")) {
            const bool english =
                type->substr(0, 2) == "21" && !(type->size() > 2 && is_digit((*type)[2]));
            if (!english)
                break_line(place_of(type), "",
                           "GameType " + *type + " is not English draughts (21)");
        }
        if (const std::string* fen = tag("FEN")) {
            try {
                game_.nodes[0].position = parse_fen(*fen);
            } catch (const InvalidFen& error) {
                break_line(place_of(fen), "", error.what());
            }
        }
    }

    // ---- comments

    bool is_line_comment() { return peek() == '%' || peek() == ';'; }

    void read_line_comment(std::vector<std::string>& into) {
        const std::size_t end = end_of_line(at_);
        add_comment(into, text_.substr(at_ + 1, end - at_ - 1));
        at_ = end;
    }

    void read_comment(std::vector<std::string>& into) {
        const std::size_t start = at_;
        do {
            at_ = seek(at_ + 1, [](char c) { return c == '}' || c == '\n'; });
        } while (!is_at_end() && peek() == '\n' && !is_tag_ahead());
        add_comment(into, text_.substr(start + 1, at_ - start - 1));
        if (!is_at_end() && peek() == '}') {
            ++at_;
        } else {
            fail_at(start, "", "a comment is not closed");
        }
    }

    // An unclosed comment must not swallow the games behind it: a line that begins as a tag does,
    // [Name ", ends it.
    bool is_tag_ahead() {
        std::size_t i = 1;
        if (peek(i++) != '[') return false;
        const std::size_t name = i;
        while (is_letter(peek(i)) || is_digit(peek(i))) ++i;
        return i > name && peek(i) == ' ' && peek(i + 1) == '"';
    }

    static void add_comment(std::vector<std::string>& into, std::string_view text) {
        text = trimmed(text);
        if (!text.empty()) into.emplace_back(text);
    }

    // Where the comments that stand here belong: to the move before, or to a line's first move.
    std::vector<std::string>& comments_here() {
        Line& line = lines_.back();
        if (skipped_depth_ || line.is_broken) return passed_over_;
        return line.is_fresh && lines_.size() > 1 ? line.comments_before
                                                  : game_.nodes[line.last].comments;
    }

    // ---- moves

    void read_moves() {
        while (!is_game_over_) {
            skip_blanks();
            if (is_at_end()) break;
            read_token();
        }
        if (lines_.size() > 1 || skipped_depth_) fail_at(at_, "", "a variation is not closed");
    }

    void read_token() {
        const char c = peek();
        if (is_digit(c)) return read_number();
        if (is_line_comment()) return read_line_comment(comments_here());
        switch (c) {
            case '{': return read_comment(comments_here());
            case '(': return read_bracket();
            case ')': return close_variation();
            case '$': return read_nag();
            case '!':
            case '?': return read_strength();
            case '/': return read_setup();
            case '*': return read_star();
            case '[': is_game_over_ = true; return;  // the result is missing: tags of the next game
            case '.':
            case ',':
            case '-': ++at_; return;  // "1. ... 7-12" and "41. - -": the place of a missing move
            default: return read_rubbish();
        }
    }

    void break_line(std::size_t where, std::string_view move, std::string reason) {
        Line& line = lines_.back();
        if (!line.is_broken && !skipped_depth_) fail_at(where, move, std::move(reason));
        line.is_broken = true;
    }

    void read_rubbish() {
        const std::size_t start = at_;
        const auto ends = [](char c) {
            return is_blank(c) || std::string_view("{}()[]/*$%;").find(c) != std::string_view::npos;
        };
        at_ = seek(at_ + 1, ends);
        std::size_t size = std::min<std::size_t>(at_ - start, 40);
        while (size > 1 && start + size < at_ && (text_[start + size] & 0xc0) == 0x80) --size;
        const std::string_view word = text_.substr(start, size);
        break_line(start, word, "this is not a move");
    }

    void read_nag() {
        const std::size_t start = at_++;
        int nag = 0;
        for (; is_digit(peek()); ++at_) nag = std::min(nag * 10 + (peek() - '0'), MAX_NAG);
        if (at_ == start + 1) return break_line(start, "$", "a number is missing after $");
        add_nag(nag);
    }

    void add_nag(int nag) {
        Line& line = lines_.back();
        if (skipped_depth_ || line.is_broken) return;
        // Before the first move of a variation it can only mean that move.
        const bool is_early = line.is_fresh && lines_.size() > 1;
        (is_early ? line.nags_before : game_.nodes[line.last].nags).push_back(nag);
    }

    void read_strength() {
        static constexpr std::array<std::string_view, 7> STRENGTHS = {"",   "!",  "?", "!!",
                                                                      "??", "!?", "?!"};
        const std::size_t start = at_;
        while (at_ < start + 2 && (peek() == '!' || peek() == '?')) ++at_;
        const auto found =
            std::find(STRENGTHS.begin(), STRENGTHS.end(), text_.substr(start, at_ - start));
        add_nag(static_cast<int>(found - STRENGTHS.begin()));
    }

    // "(?)" behind a move is a strength, anything else in round brackets a variation.
    void read_bracket() {
        const std::size_t start = at_;
        std::size_t i = 1;
        while (peek(i) == '!' || peek(i) == '?') ++i;
        if (i > 1 && i <= 3 && peek(i) == ')') {
            ++at_;
            read_strength();
            ++at_;
            return;
        }
        ++at_;
        if (skipped_depth_) {
            ++skipped_depth_;
        } else if (lines_.size() > MAX_NESTING) {
            skip_variation(
                start, "variations are nested more than " + std::to_string(MAX_NESTING) + " deep");
        } else if (lines_.back().is_fresh && !lines_.back().is_broken) {
            skip_variation(start, "a variation stands before the first move");
        } else {
            open_variation();
        }
    }

    void skip_variation(std::size_t where, std::string reason) {
        fail_at(where, "", std::move(reason));
        skipped_depth_ = 1;
    }

    void open_variation() {
        const Line& line = lines_.back();
        const std::int32_t from = line.before;
        lines_.push_back(Line{from, from, true, line.is_broken});
    }

    void close_variation() {
        if (skipped_depth_) {
            --skipped_depth_;
        } else if (lines_.size() > 1) {
            // Comments of a variation without moves would be lost with it.
            Line line = std::move(lines_.back());
            lines_.pop_back();
            for (auto& comment : line.comments_before)
                comments_here().push_back(std::move(comment));
        } else {
            fail_at(at_, ")", "there is no variation to close");
        }
        ++at_;
    }

    // /FEN "..."/ puts up another position in the middle of a game.
    void read_setup() {
        const std::size_t start = at_;
        const std::size_t end =
            seek(at_ + 1, [](char c) { return c == '/' || c == '\n' || c == '\r'; });
        std::string_view body = trimmed(text_.substr(start + 1, end - start - 1));
        const bool closed = end < text_.size() && text_[end] == '/';
        at_ = closed ? end + 1 : end;
        const bool is_fen = body.substr(0, 3) == "FEN";
        body = is_fen ? trimmed(body.substr(3)) : body;
        if (!closed || !is_fen || body.size() < 2 || body.front() != '"' || body.back() != '"')
            return break_line(start, "", "a set-up is written /FEN \"...\"/");
        try {
            add_node(std::nullopt, parse_fen(body.substr(1, body.size() - 2)));
            if (lines_.size() == 1) moves_tried_ = 0;  // moves may be numbered from 1 again
        } catch (const InvalidFen& error) {
            break_line(start, "", error.what());
        }
    }

    // A star ends the game; but stuck to a move with more to follow it marks a forced move.
    void read_star() {
        const bool stuck = at_ > 0 && is_digit(text_[at_ - 1]);
        const std::size_t next = after_blanks(at_ + 1);
        const bool more = next < text_.size() && text_[next] != '[';
        if (stuck && more) {
            ++at_;
            add_nag(7);
        } else {
            end_game("*", at_ + 1);
        }
    }

    // `end` is behind the result.
    void end_game(std::string result, std::size_t end) {
        at_ = end;
        if (lines_.size() > 1 || skipped_depth_) return comments_here().push_back(result);
        game_.result = std::move(result);
        // A remark on the same line still speaks of this game, and a star may follow a result.
        for (;;) {
            while (!is_at_end() && (peek() == ' ' || peek() == '\t')) ++at_;
            if (is_at_end() || peek() != '{') break;
            read_comment(comments_here());
        }
        if (game_.result != "*") {
            const std::size_t next = after_blanks(at_);
            if (next < text_.size() && text_[next] == '*') at_ = next + 1;
        }
        is_game_over_ = true;
    }

    // A move number, a result or a move: all begin with a digit.
    void read_number() {
        for (const char* result : {"1/2-1/2", "1/2", "1-0", "0-1", "0-0", "2-0", "0-2", "1-1"})
            if (const std::size_t end = end_of_result(result)) return end_game(result, end);
        const std::size_t start = at_;
        WrittenMove& written = written_;
        written.squares.clear();
        written.is_jump = false;
        std::size_t end;  // behind the last digit
        for (;;) {
            int number = 0;
            const std::size_t first = at_;
            for (; is_digit(peek()); ++at_)
                number = std::min(number * 10 + (peek() - '0'), 1'000'000);
            written.squares.push_back(number);
            end = at_;
            if (written.squares.size() == 1) {
                if (peek() == '.') return read_move_number(number, start);
                if (end - first == 4 && !is_separator_ahead()) {  // 1115 for 11-15
                    written.squares = {number / 100, number % 100};
                    break;
                }
            }
            if (!take_separator(written.is_jump)) break;
        }
        at_ = end;
        if (written.squares.size() > 1) return play(start, end);
        // The number of the move to come may have lost its dot.
        if (written.squares[0] == 1 + moves_tried_ / 2 && lines_.size() == 1) return;
        break_line(start, text_.substr(start, end - start), "half of the move is missing");
    }

    // Behind the result token, if it stands here, with any blanks around its dash; else 0.
    std::size_t end_of_result(std::string_view token) {
        std::size_t ahead = 0;
        for (char c : token) {
            if (c == '-') ahead = after_blanks(at_ + ahead) - at_;
            if (peek(ahead++) != c) return 0;
            if (c == '-') ahead = after_blanks(at_ + ahead) - at_;
        }
        return is_part_of_move(peek(ahead)) ? 0 : at_ + ahead;
    }

    static bool is_part_of_move(char c) {
        return is_digit(c) || c == 'x' || c == 'X' || c == ':' || c == '-' || c == '/';
    }

    // A number one behind moves begins another game: the result between them is missing.
    void read_move_number(int number, std::size_t start) {
        const std::size_t dots = at_;
        while (peek() == '.') ++at_;
        const bool is_white = at_ - dots > 1;  // "1..."
        if (number != 1 || is_white || lines_.size() > 1 || skipped_depth_) return;
        // A blank line before it says the same after fewer moves.
        const std::string_view before = text_.substr(0, start);
        const std::size_t last = before.find_last_not_of(" \t\r\n");
        const auto gap = before.substr(last == before.npos ? 0 : last + 1);
        const bool is_apart = std::count(gap.begin(), gap.end(), '\n') > 1;
        if (moves_tried_ > 2 || (moves_tried_ > 0 && is_apart)) {
            at_ = start;
            is_game_over_ = true;
        }
    }

    bool is_separator_ahead() {
        const std::size_t start = at_;
        bool ignored = false;
        const bool ahead = take_separator(ignored);
        at_ = start;
        return ahead;
    }

    // "-", "x" or ":" between two numbers, with any blanks around it.
    bool take_separator(bool& is_jump) {
        const std::size_t separator = after_blanks(at_);
        if (separator >= text_.size()) return false;
        constexpr std::string_view EN_DASH = "\xe2\x80\x93";
        const bool is_long = text_.substr(separator, EN_DASH.size()) == EN_DASH;
        const char c = is_long ? '-' : text_[separator];
        if (c != '-' && c != 'x' && c != 'X' && c != ':') return false;
        const std::size_t next = after_blanks(separator + (is_long ? EN_DASH.size() : 1));
        if (next >= text_.size() || !is_digit(text_[next])) return false;
        is_jump |= c != '-';
        at_ = next;
        return true;
    }

    void play(std::size_t start, std::size_t end) {
        has_tried_ = true;
        if (lines_.size() == 1 && !skipped_depth_) ++moves_tried_;
        Line& line = lines_.back();
        if (line.is_broken || skipped_depth_) return;
        const Position& position = game_.nodes[line.last].position;
        const std::vector<Move> found = matching_moves(position, written_.squares);
        if (found.size() == 1) return add_node(found[0], position.after(found[0]));
        std::string text;
        for (char c : text_.substr(start, std::min<std::size_t>(end - start, 60)))
            if (!is_blank(c)) text += c;
        if (found.empty()) return break_line(start, text, why_illegal(position, written_));
        break_line(start, text,
                   "ambiguous: " + format_move(found[0]) + " or " + format_move(found[1]));
    }

    void add_node(std::optional<Move> move, const Position& position) {
        Line& line = lines_.back();
        if (line.is_broken || skipped_depth_) return;
        const auto index = static_cast<std::int32_t>(game_.nodes.size());
        Node& node = game_.nodes.emplace_back();
        node.parent = line.last;
        node.move = move;
        node.position = position;
        node.comments_before = std::move(line.comments_before);
        node.nags = std::move(line.nags_before);
        line = Line{index, line.last};
    }

    std::string_view text_;
    bool is_all_;
    std::size_t counted_to_ = 0;  // lines are counted only where something goes wrong
    std::ptrdiff_t lines_before_ = 0;
    std::size_t at_ = 0;
    Game game_;
    std::vector<std::size_t> tags_at_;  // where each of its tags stands
    std::vector<Line> lines_;           // the main line, then the variations that are open
    std::size_t skipped_depth_ = 0;     // open variations below MAX_NESTING
    int moves_tried_ = 0;               // in the main line since the start or the last set-up
    bool is_game_over_ = false;
    bool has_tried_ = false;  // to read a move, with or without success
    WrittenMove written_;
    std::vector<std::string> passed_over_;
};

}  // namespace

std::vector<Move> Game::main_line() const {
    assert(!nodes.empty());
    std::vector<Move> moves;
    std::int32_t last = 0;
    for (std::int32_t i = 1; i < static_cast<std::int32_t>(nodes.size()); ++i) {
        if (nodes[i].parent != last) continue;
        last = i;
        if (nodes[i].move) moves.push_back(*nodes[i].move);
    }
    return moves;
}

std::optional<Reading> read_game(std::string_view text, bool is_all) {
    try {
        return Reader(text, is_all).read();
    } catch (const NeedMore&) {
        return std::nullopt;
    }
}

void Stream::feed(std::string_view text) {
    if (failure_) return;
    buffer_.erase(0, used_);
    used_ = 0;
    const std::size_t rubbish = std::min(text.find('\0'), text.size());
    buffer_.append(text.substr(0, rubbish));
    if (rubbish == text.size()) return;
    const auto line = lines_ + std::count(buffer_.begin(), buffer_.end(), '\n');
    failure_ =
        Error{1 + static_cast<int>(line), "", "this is not a text file: it holds a zero byte"};
    is_closed_ = true;
}

std::optional<Game> Stream::next() {
    const std::string_view rest = std::string_view(buffer_).substr(used_);
    if (rest.empty() || (!is_closed_ && rest.size() < wanted_)) return std::nullopt;
    std::optional<Reading> reading = read_game(rest, is_closed_);
    if (!reading) {
        // Twice as much before the next try, so that a long game is not read again and again.
        wanted_ = 2 * rest.size();
        if (rest.size() > MAX_GAME_BYTES) {
            failure_ =
                Error{1 + lines_, "",
                      "a game is longer than " + std::to_string(MAX_GAME_BYTES >> 20) + " MB"};
            is_closed_ = true;
            used_ = buffer_.size();
        }
        return std::nullopt;
    }
    wanted_ = 0;
    const std::string_view text = rest.substr(0, reading->used);
    if (reading->game) {
        const std::string_view blanks = text.substr(0, text.find_first_not_of(" \t\n\v\f\r"));
        reading->game->line +=
            lines_ + static_cast<int>(std::count(blanks.begin(), blanks.end(), '\n'));
        for (Error& error : reading->game->errors) error.line += lines_;
    }
    lines_ += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    used_ += reading->used;
    return std::move(reading->game);
}

}  // namespace crossboard::draughts::pdn
