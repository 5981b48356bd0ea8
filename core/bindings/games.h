// Python's view of games that the core plays, for any game.
#pragma once

#include "engine/games.h"

#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <type_traits>

#include "bindings/endings.h"
#include "bindings/handle.h"

// Named: what two files hide in unnamed namespaces is one type for nanobind.
namespace crossboard::bindings {

namespace nb = nanobind;
using namespace nb::literals;

// A game and where it began.
template <GamePosition P>
struct Played {
    P start;
    PlayedGame<P> game;

    P last() const {
        P position = start;
        for (const auto& move : game.moves) position = position.after(move);
        return position;
    }
    // What learners look at: the boards that one side left behind.
    std::vector<P> boards_after(int seat, std::size_t skip) const {
        if (seat < 0 || seat > 1)
            throw std::invalid_argument("seats are 0, who moved first, and 1, not " +
                                        std::to_string(seat));
        std::vector<P> boards;
        P position = start;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            position = position.after(game.moves[ply]);
            if (ply >= skip && static_cast<int>(ply % 2) == seat) boards.push_back(position);
        }
        return boards;
    }
    bool operator==(const Played& other) const {
        return start == other.start && game.moves == other.game.moves &&
               game.ending == other.game.ending && game.winner == other.game.winner &&
               game.reason == other.game.reason;
    }
};

inline constexpr std::pair<Ending, const char*> ENDINGS[] = {
    {Ending::no_move, "no move"}, {Ending::repetition, "repetition"},
    {Ending::quiet, "quiet"},     {Ending::length, "length"},
    {Ending::loop, "loop"},       {Ending::forfeit, "forfeit"},
    {Ending::stopped, "stopped"}};

inline const char* name_of(Ending ending) {
    for (const auto& [each, name] : ENDINGS)
        if (each == ending) return name;
    return "";
}

// Nobody can move: where there is check, whoever has lost by that was mated.
template <GamePosition P>
const char* name_of_ending(const Played<P>& played) {
    if constexpr (requires(const P& position) { position.seats_in_check(); })
        if (played.game.ending == Ending::no_move && played.game.winner >= 0) return "mate";
    return name_of(played.game.ending);
}

// Looks at the flag at every call, at Python's signals now and then.
class Interruption {
  public:
    explicit Interruption(const StopFlag* stop) : stop_(stop) {}

    bool operator()() {
        if (has_signal_ || (stop_ && stop_->is_set.load(std::memory_order_relaxed))) return true;
        const auto now = Meter::Clock::now();
        if (now < next_look_) return false;
        next_look_ = now + std::chrono::milliseconds(10);
        nb::gil_scoped_acquire acquire;
        return has_signal_ = PyErr_CheckSignals() != 0;
    }

  private:
    const StopFlag* stop_;
    bool has_signal_ = false;
    Meter::Clock::time_point next_look_{};
};

// A Python object with begin_game(seed) and choose(position, history), which in a game with a clock
// is told what is left too: choose(position, history, (seconds, increment, moves)).
template <GamePosition P>
class PythonChooser final : public Chooser<P> {
  public:
    using Move = typename P::Move;

    explicit PythonChooser(nb::object object) : object_(std::move(object)) {}
    ~PythonChooser() override {
        nb::gil_scoped_acquire acquire;
        object_.reset();
    }

    void begin_game(std::uint64_t seed) override {
        nb::gil_scoped_acquire acquire;
        left_.reset();
        translated([&] { object_.attr("begin_game")(seed); });
    }

    void set_time(const GameTime& left) override { left_ = left; }

    // What it does may be done in another thread or by another program.
    TimeKind clock(TimeKind) const override { return TimeKind::wall; }

    Move choose(const P& position, std::span<const P> history,
                const typename Chooser<P>::Poll&) override {
        nb::gil_scoped_acquire acquire;
        Move move;
        translated([&] {
            const std::vector<P> before(history.begin(), history.end());
            const nb::object method = object_.attr("choose");
            const nb::object chosen =
                left_ ? method(position, before,
                               GivenTime(left_->seconds, left_->increment, left_->moves))
                      : method(position, before);
            move = nb::cast<Move>(chosen);
        });
        for (const Move& legal : position.legal_moves())
            if (legal == move) return move;
        throw Forfeit("played " + format_move(move) + ", which is illegal in " + text_of(position));
    }

  private:
    // What Python calls a forfeit is one here too; any other error goes on.
    template <class Call>
    static void translated(Call call) {
        try {
            call();
        } catch (nb::python_error& error) {
            const nb::object forfeit = nb::module_::import_("crossboard._core").attr("Forfeit");
            if (!error.matches(forfeit)) throw;
            throw Forfeit(nb::str(error.value()).c_str());
        }
    }

    nb::object object_;
    std::optional<GameTime> left_;
};

// Plays each opening at all of the tables before the next one. A set flag ends that: the games that
// were finished are returned.
template <GamePosition P>
std::vector<Played<P>> play_at(std::span<GameTable<P>> tables,
                               const std::vector<Opening<P>>& openings,
                               const std::vector<std::uint64_t>& seeds, const StopFlag* stop) {
    std::vector<Played<P>> played;
    {
        nb::gil_scoped_release release;
        Interruption interruption(stop);
        const typename Chooser<P>::Poll poll = [&interruption] { return interruption(); };
        for (std::size_t n = 0; n < openings.size() * tables.size() && !poll(); ++n) {
            const std::size_t i = n / tables.size();
            PlayedGame<P> game = tables[n % tables.size()].play(openings[i], seeds[i], poll);
            if (game.ending == Ending::stopped) break;
            played.push_back({openings[i].start, std::move(game)});
        }
    }
    if (PyErr_Occurred()) throw nb::python_error();
    return played;
}

// One game of a pool: the places of the player that moves first, of the other, of the opening.
using Meeting = std::tuple<std::size_t, std::size_t, std::size_t>;

// Plays the meetings in turn and hands each game to `keep`. A set flag ends that.
template <GamePosition P, class Keep>
void play_meetings(const std::vector<std::shared_ptr<Chooser<P>>>& pool,
                   const std::vector<Meeting>& meetings, const std::vector<Opening<P>>& openings,
                   const std::vector<std::uint64_t>& seeds, const DrawRules& rules,
                   const StopFlag* stop, Keep keep) {
    if (meetings.size() != seeds.size())
        throw std::invalid_argument("every game needs a seed of its own");
    for (const auto& [first, second, opening] : meetings)
        if (first >= pool.size() || second >= pool.size() || opening >= openings.size())
            throw std::invalid_argument("a game names a chooser or an opening that is not there");
    {
        nb::gil_scoped_release release;
        Interruption interruption(stop);
        const typename Chooser<P>::Poll poll = [&interruption] { return interruption(); };
        for (std::size_t n = 0; n < meetings.size() && !poll(); ++n) {
            const auto& [first, second, place] = meetings[n];
            const Opening<P>& opening = openings[place];
            PlayedGame<P> game =
                GameTable<P>(*pool[first], *pool[second], rules).play(opening, seeds[n], poll);
            if (game.ending == Ending::stopped) break;
            keep(opening, std::move(game));
        }
    }
    if (PyErr_Occurred()) throw nb::python_error();
}

template <GamePosition P>
using StartAndMoves = std::pair<P, std::vector<typename P::Move>>;

template <GamePosition P>
std::vector<Opening<P>> checked(const std::vector<StartAndMoves<P>>& openings) {
    std::vector<Opening<P>> result;
    for (const auto& [start, moves] : openings) {
        P position = start;
        for (const auto& move : moves) {
            require_legal(position, move);
            position = position.after(move);
        }
        result.push_back({start, moves});
    }
    return result;
}

template <GamePosition P>
void bind_phase(nb::module_& m) {
    using Phase = crossboard::Phase<P>;
    nb::class_<Phase>(m, "Phase", "A part of the game: so many pieces, such a balance.")
        .def(
            "__init__",
            [](Phase* self, int least_pieces, int most_pieces, std::string_view balance) {
                constexpr std::string_view NAMES[] = {"any", "ahead", "level", "behind"};
                const auto found = std::find(std::begin(NAMES), std::end(NAMES), balance);
                if (found == std::end(NAMES))
                    throw std::invalid_argument("balance is any, ahead, level or behind, not '" +
                                                std::string(balance) + "'");
                new (self) Phase{least_pieces, most_pieces,
                                 static_cast<Phase::Balance>(found - std::begin(NAMES))};
            },
            nb::kw_only(), "least_pieces"_a = Phase{}.least_pieces,
            "most_pieces"_a = Phase{}.most_pieces, "balance"_a = "any");
}

// What a selector decides, or a complaint.
template <GamePosition P>
std::size_t selected(const Selector<P>& selector, const P& position, Choice last) {
    if (const Choice choice = selector.select(position, last)) return *choice;
    throw std::invalid_argument("no phase of the player fits the position " + text_of(position));
}

template <GamePosition P>
void bind_selector(nb::module_& m) {
    using Selector = crossboard::Selector<P>;
    using Phases = PhaseSelector<P>;
    nb::class_<Selector>(m, "Selector", "Decides which of several agents judges a position.")
        .def("select", &selected<P>, "position"_a, "last"_a = nb::none(),
             "Return the place of the agent for a position; `last` is the choice of the same\n"
             "player's previous turn in the game, None at its start and for a position by itself.")
        .def_prop_ro("count", &Selector::count, "How many agents there are to choose from.")
        .def(
            "select_along",
            [](const Selector& self, const std::vector<P>& turns) {
                std::vector<std::size_t> choices;
                Choice last;
                for (const P& position : turns)
                    choices.push_back(*(last = selected(self, position, last)));
                return choices;
            },
            "turns"_a,
            "Return the choices of one player's turns in a game, in their order from its start.");
    nb::class_<Phases, Selector>(m, "PhaseSelector", "Selects by the first phase that holds.")
        .def(nb::init<std::vector<typename Phases::Role>>(), "roles"_a,
             "`roles` are phases, each with the place of its agent.");
}

template <GamePosition P>
void bind_chooser(nb::module_& m) {
    using Pointer = std::shared_ptr<Chooser<P>>;
    nb::class_<Chooser<P>>(m, "Chooser", "Chooses moves in games that the core plays.")
        .def_static(
            "random", []() -> Pointer { return std::make_shared<RandomChooser<P>>(); },
            "Every legal move is equally likely.")
        .def_static(
            "engine",
            [](const Handle<P>& handle, int depth, std::uint64_t nodes, double seconds,
               const std::string& clock, const Floors& floors, const std::optional<GivenTime>& time,
               bool random_ties, const GivenNoise& noise) -> Pointer {
                return std::make_shared<EngineChooser<P>>(
                    handle.engine, limits_from(depth, nodes, seconds, clock, floors, time),
                    random_ties, noise_from(noise));
            },
            "engine"_a, nb::kw_only(), "depth"_a = MAX_DEPTH, "nodes"_a = 0, "seconds"_a = 0.0,
            "clock"_a = "wall", "floors"_a = Floors(), "time"_a = nb::none(),
            "random_ties"_a = false, "noise"_a = GivenNoise(1, 0), nb::keep_alive<0, 1>(),
            "Searches every position to the limits; the game's seed may draw among equals. With\n"
            "`noise` it chooses among so many best moves, whose values the seed changes by so "
            "many\n"
            "hundredths of a man, a standard deviation.")
        .def_static(
            "selecting",
            [](std::shared_ptr<Selector<P>> selector, std::vector<Pointer> choosers) -> Pointer {
                return std::make_shared<SelectingChooser<P>>(std::move(selector),
                                                             std::move(choosers));
            },
            "selector"_a, "choosers"_a,
            "Asks the chooser of the agent that is selected, by its place; agents may share one.\n"
            "The last choice is forgotten when a game begins.")
        .def_static(
            "python",
            [](nb::object object) -> Pointer {
                return std::make_shared<PythonChooser<P>>(std::move(object));
            },
            "chooser"_a, nb::sig("def python(chooser: object) -> Chooser"),
            "Asks an object with begin_game(seed) and choose(position, history); in a game with a\n"
            "clock choose is given what is left as well: seconds, increment and moves.");
}

template <GamePosition P>
void bind_played(nb::module_& m) {
    using Played = bindings::Played<P>;
    nb::class_<Played>(m, "PlayedGame", "A game that the core has played.")
        .def_ro("start", &Played::start)
        .def_prop_ro("moves", [](const Played& self) { return self.game.moves; })
        .def_prop_ro("plies", [](const Played& self) { return self.game.moves.size(); })
        .def_prop_ro("last", &Played::last, "The position at the end.")
        .def("boards_after", &Played::boards_after, "seat"_a, nb::kw_only(), "skip"_a = 0,
             "The positions after the moves of one seat (0: who moved first), those of the first\n"
             "`skip` plies left out.")
        .def_prop_ro(
            "ending", [](const Played& self) { return name_of_ending(self); },
            "'no move', 'repetition', 'quiet', 'length', 'loop' or 'forfeit'; of Duchess also\n"
            "'mate'.")
        .def_prop_ro(
            "winner",
            [](const Played& self) -> std::optional<int> {
                return self.game.winner < 0 ? std::nullopt : std::optional(self.game.winner);
            },
            "0: who moved first, 1: the other, None: nobody.")
        .def_prop_ro(
            "reason", [](const Played& self) { return self.game.reason; },
            "Why the loser had to give up, after a forfeit.")
        .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__",
             [](const Played& self) {
                 std::uint64_t hash = self.start.key();
                 P position = self.start;
                 for (const auto& move : self.game.moves) {
                     position = position.after(move);
                     hash = Random(hash ^ position.key()).next();
                 }
                 return static_cast<std::int64_t>(hash >> 2);
             })
        .def("__getstate__",
             [](const Played& self) {
                 return std::tuple(self.start, self.game.moves, static_cast<int>(self.game.ending),
                                   self.game.winner, self.game.reason);
             })
        .def("__setstate__",
             [](Played& self,
                const std::tuple<P, std::vector<typename P::Move>, int, int, std::string>& state) {
                 const auto& [start, moves, ending, winner, reason] = state;
                 new (&self) Played{start, {moves, static_cast<Ending>(ending), winner, reason}};
             });
}

template <GamePosition P>
void require_seeds(const std::vector<StartAndMoves<P>>& openings,
                   const std::vector<std::uint64_t>& seeds) {
    if (openings.size() != seeds.size())
        throw std::invalid_argument("every opening needs a seed of its own");
}

// `rules` are the game's usual draws.
template <GamePosition P>
void bind_play_games(nb::module_& m, const DrawRules& rules) {
    m.def(
        "play_games",
        [](Chooser<P>& first, Chooser<P>& second, const std::vector<StartAndMoves<P>>& openings,
           const std::vector<std::uint64_t>& seeds, const DrawRules& its_rules,
           const StopFlag* stop) {
            require_seeds<P>(openings, seeds);
            GameTable<P> tables[] = {{first, second, its_rules}};
            return play_at<P>(tables, checked<P>(openings), seeds, stop);
        },
        "first"_a, "second"_a, nb::kw_only(), "openings"_a, "seeds"_a, "rules"_a = rules,
        "stop"_a = nb::none(),
        nb::sig("def play_games(first: Chooser, second: Chooser, *, openings: "
                "collections.abc.Sequence[tuple[Position, list[Move]]], seeds: "
                "collections.abc.Sequence[int], rules: crossboard._core.DrawRules = ..., stop: "
                "crossboard._core.StopFlag | None = None) -> list[PlayedGame]"),
        "Play a game from each opening on the calling thread without the GIL; `first` moves first\n"
        "in the opening's start. A set flag ends the games: those that were finished are "
        "returned.");
    m.def(
        "play_pairs",
        [](Chooser<P>& one, Chooser<P>& other, const std::vector<StartAndMoves<P>>& openings,
           const std::vector<std::uint64_t>& seeds, const DrawRules& its_rules,
           const std::optional<GivenTime>& time, const std::string& clock, const StopFlag* stop) {
            require_seeds<P>(openings, seeds);
            std::optional<TimeControl> control;
            if (time) control = TimeControl{*time_from(time), time_kind_from(clock)};
            GameTable<P> tables[] = {{one, other, its_rules, control},
                                     {other, one, its_rules, control}};
            auto games = play_at<P>(tables, checked<P>(openings), seeds, stop);
            std::vector<std::pair<Played<P>, Played<P>>> pairs;
            for (std::size_t i = 0; i + 1 < games.size(); i += 2)
                pairs.emplace_back(std::move(games[i]), std::move(games[i + 1]));
            return pairs;
        },
        "one"_a, "other"_a, nb::kw_only(), "openings"_a, "seeds"_a, "rules"_a = rules,
        "time"_a = nb::none(), "clock"_a = "wall", "stop"_a = nb::none(),
        nb::sig("def play_pairs(one: Chooser, other: Chooser, *, openings: "
                "collections.abc.Sequence[tuple[Position, list[Move]]], seeds: "
                "collections.abc.Sequence[int], rules: crossboard._core.DrawRules = ..., time: "
                "tuple[float, float, int] | None = None, clock: str = 'wall', stop: "
                "crossboard._core.StopFlag | None = None) -> list[tuple[PlayedGame, PlayedGame]]"),
        "Play two games from each opening, one after the other with the same seed: `one` moves\n"
        "first in the first of them, `other` in the second. Otherwise as play_games; a pair of\n"
        "which one game was not finished is not returned. With a `time` (seconds, increment,\n"
        "moves) each side has so much for each game, and who takes longer forfeits it.");
}

// Defines a function that plays games of a pool and returns a list: what `keep` makes of each.
template <GamePosition P, class Keep>
void def_pool_games(nb::module_& m, const std::string& name, const std::string& type,
                    const DrawRules& rules, Keep keep, const char* text) {
    using Kept = std::invoke_result_t<Keep, const Opening<P>&, PlayedGame<P>>;
    const std::string signature = "def " + name +
                                  "(pool: collections.abc.Sequence[Chooser], *, meetings: "
                                  "collections.abc.Sequence[tuple[int, int, int]], openings: "
                                  "collections.abc.Sequence[tuple[Position, list[Move]]], seeds: "
                                  "collections.abc.Sequence[int], rules: "
                                  "crossboard._core.DrawRules = ..., stop: "
                                  "crossboard._core.StopFlag | None = None) -> list[" +
                                  type + "]";
    m.def(
        name.c_str(),
        [keep](const std::vector<std::shared_ptr<Chooser<P>>>& pool,
               const std::vector<Meeting>& meetings, const std::vector<StartAndMoves<P>>& openings,
               const std::vector<std::uint64_t>& seeds, const DrawRules& its_rules,
               const StopFlag* stop) {
            std::vector<Kept> kept;
            play_meetings<P>(pool, meetings, checked<P>(openings), seeds, its_rules, stop,
                             [&](const Opening<P>& opening, PlayedGame<P>&& game) {
                                 kept.push_back(keep(opening, std::move(game)));
                             });
            return kept;
        },
        "pool"_a, nb::kw_only(), "meetings"_a, "openings"_a, "seeds"_a, "rules"_a = rules,
        "stop"_a = nb::none(), nb::sig(signature.c_str()), text);
}

template <GamePosition P>
void bind_pool_games(nb::module_& m, const DrawRules& rules) {
    def_pool_games<P>(
        m, "play_pool", "PlayedGame", rules,
        [](const Opening<P>& opening, PlayedGame<P>&& game) {
            return Played<P>{opening.start, std::move(game)};
        },
        "Play games between the choosers of a pool: each of the `meetings` has the places of the\n"
        "player that moves first, of the other, and of the opening. Otherwise as play_games.");
    def_pool_games<P>(
        m, "find_winners", "int", rules,
        [](const Opening<P>&, PlayedGame<P>&& game) { return game.winner; },
        "Play as play_pool does and keep the winners alone: 0 the player that moved first, 1 the\n"
        "other, -1 none.");
}

template <GamePosition P>
void bind_games(nb::module_& m, const DrawRules& rules) {
    bind_phase<P>(m);
    bind_selector<P>(m);
    bind_chooser<P>(m);
    bind_played<P>(m);
    bind_play_games<P>(m, rules);
    bind_pool_games<P>(m, rules);
}

}  // namespace crossboard::bindings
