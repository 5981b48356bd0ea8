"""Files of games: pairs are kept as they come, and a match that was cut off anywhere continues."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crossboard import duchess
from crossboard._core import DrawRules, Forfeit
from crossboard._core.draughts import Chooser
from crossboard.arena.agreement import describe_agreement
from crossboard.arena.game_file import keeping_games
from crossboard.arena.match import MatchResult, Terms, play_fixtures
from crossboard.arena.openings import Opening, Openings, duchess_openings, openings
from crossboard.arena.replay import replay
from crossboard.arena.sprt import Sprt
from crossboard.arena.tournament import TournamentResult, make_fixtures
from crossboard.draughts import Position, parse_pdn
from crossboard.duchess import parse_records
from crossboard.players import Player, RandomPlayer, SearchLimits, load_player

SHORT = DrawRules(max_plies=20)


class Quitter(Player):
    """Gives up on its second move, for a reason that PDN must write in another way."""

    def chooser(self, limits: SearchLimits | None = None) -> Chooser:
        return Chooser.python(self)

    def begin_game(self, seed: int) -> None:
        self.moves = 0

    def choose(self, position: Position, history: list[Position]) -> Any:  # type: ignore[override]
        self.moves += 1
        if self.moves > 1:
            raise Forfeit("the engine {has} died;  twice")
        return position.legal_moves[0]


def match_terms(pairs: int = 4, **changes: Any) -> Terms:
    usual: dict[str, Any] = {
        "openings": openings("ballots", 1),
        "limits": SearchLimits(depth=1),
        "rules": SHORT,
        "seed": 5,
    }
    return Terms(pairs=pairs, **usual | changes)


def play(
    path: Path, players: Sequence[Player], terms: Terms, *, resume: bool = False, workers: int = 1
) -> TournamentResult:
    """Play a match of two, or a round robin of more, into a file, and return what came out."""
    fixtures = make_fixtures(players, terms)
    agreement = describe_agreement(players, terms, "round robin")
    with (
        keeping_games(str(path), agreement, resume=resume) as kept,
        ThreadPoolExecutor(workers) as pool,
    ):
        kept.restore(fixtures)
        play_fixtures(fixtures, pool, workers=workers, on_pair=kept.keep)
    assert kept.error is None
    return TournamentResult.of(fixtures)


def figures(result: TournamentResult) -> list[dict[str, Any]]:
    return [match.as_json() | {"seconds": 0} for match in result.matches]


def copy_cut(path: Path, target: Path, size: int) -> None:
    """Leave what a process leaves that dies after so many bytes."""
    target.write_bytes(path.read_bytes()[:size])
    terms = path.with_name(f"{path.name}.terms.json")
    target.with_name(f"{target.name}.terms.json").write_bytes(terms.read_bytes())


RANDOM = [RandomPlayer("a"), RandomPlayer("b")]


# ---- games from records


@pytest.mark.parametrize(
    ("players", "terms"),
    [
        (RANDOM, match_terms(rules=DrawRules())),
        (RANDOM, match_terms()),
        ([load_player("material"), load_player("draft5")], match_terms(20, rules=DrawRules())),
        ([Quitter("quitter"), RandomPlayer()], match_terms()),
        (
            [load_player("material")] * 2,
            match_terms(
                1,
                openings=Openings([Opening("kings", Position.from_fen("W:WK32:BK1"))]),
                rules=DrawRules(repetitions=0, quiet_plies=0, loop_moves=5, max_plies=200),
            ),
        ),
        (
            [RandomPlayer(name, game="duchess") for name in "ab"],
            match_terms(openings=duchess_openings("random:4"), rules=DrawRules(quiet_plies=8)),
        ),
        (
            [RandomPlayer(name, game="duchess") for name in "ab"],
            match_terms(openings=duchess_openings("random:6", players=6)),
        ),
    ],
)
def test_games_are_played_again_as_they_were(players: list[Player], terms: Terms):
    batch = terms.batch(*players, range(terms.pairs))
    games = [game for pair in batch.play() for game in pair.games]
    for game in games:
        again = replay(players[0].game, game.start, game.moves, terms.rules, game.reason)
        assert again == game
        assert (again.ending, again.winner, again.reason) == (
            game.ending,
            game.winner,
            game.reason,
        )


def test_records_are_those_of_the_games(tmp_path: Path):
    path = tmp_path / "games.pdn"
    result = play(path, RANDOM, match_terms())
    records = list(parse_pdn(path.read_text("utf-8")))
    assert [record.tags["Round"] for record in records] == [str(n) for n in range(1, 9)]
    assert [list(record.moves) for record in records] == [
        game.moves for game in result.matches[0].games
    ]


# ---- resuming


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of six short games that was not disturbed."""
    path = tmp_path_factory.mktemp("whole") / "games.pdn"
    play(path, RANDOM, match_terms(3))
    return path


def test_a_match_cut_anywhere_continues_to_the_same_end(whole: Path, tmp_path: Path):
    terms, text = match_terms(3), whole.read_bytes()
    expected = figures(play(tmp_path / "again.pdn", RANDOM, terms))
    assert (tmp_path / "again.pdn").read_bytes() == text
    path = tmp_path / "cut.pdn"
    ends = [found.end() for found in re.finditer(rb"(?<=[^]])\n\n", text)]
    pair_ends = [0, *ends[1::2]]
    assert len(pair_ends) == 4
    for size in {*range(0, len(text), 13), *pair_ends, *(end - 1 for end in pair_ends[1:])}:
        copy_cut(whole, path, size)
        result = play(path, RANDOM, terms, resume=True, workers=2)
        assert path.read_bytes() == text
        assert figures(result) == expected
        assert result.matches[0].resumed == sum(0 < end <= size for end in pair_ends)


def test_a_finished_match_is_not_played_again(whole: Path, tmp_path: Path):
    path = tmp_path / "games.pdn"
    copy_cut(whole, path, whole.stat().st_size)
    (match,) = play(path, RANDOM, match_terms(3), resume=True).matches
    assert (match.resumed, len(match.pairs), match.seconds, match.speed) == (3, 3, 0.0, 0.0)


def test_resuming_nothing_begins(tmp_path: Path, whole: Path):
    path = tmp_path / "games.pdn"
    play(path, RANDOM, match_terms(3), resume=True)
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    ("players", "terms"),
    [
        ([Quitter("quitter"), RandomPlayer()], match_terms(3)),
        ([RandomPlayer(name) for name in "abc"], match_terms(2)),
        (
            [load_player("material"), RandomPlayer("a"), RandomPlayer("b")],
            match_terms(40, limits=SearchLimits(depth=2), rules=DrawRules(), sprt=Sprt(-50, 150)),
        ),
        (
            [RandomPlayer(name, game="duchess") for name in "ab"],
            match_terms(2, openings=duchess_openings("random:4", 3)),
        ),
    ],
    ids=["forfeits", "tournament", "sprt", "duchess"],
)
def test_all_kinds_of_matches_continue(players: list[Player], terms: Terms, tmp_path: Path):
    whole, path = tmp_path / "whole.pdn", tmp_path / "cut.pdn"
    expected = figures(play(whole, players, terms))
    text = whole.read_bytes()
    for part in (0.0, 0.2, 0.4, 0.6, 0.8, 0.99, 1.0):
        copy_cut(whole, path, int(part * len(text)))
        assert figures(play(path, players, terms, resume=True)) == expected
        assert path.read_bytes() == text
    if terms.sprt is not None:
        assert any(match["games"] < 80 for match in expected)


def test_records_of_duchess_are_read_by_its_reader(tmp_path: Path):
    players = [RandomPlayer(name, game="duchess") for name in "ab"]
    path = tmp_path / "games.txt"
    result = play(path, players, match_terms(2, openings=duchess_openings("random:4", 3)))
    records = list(parse_records(path.read_text("utf-8")))
    assert [record.moves for record in records] == [g.moves for g in result.matches[0].games]
    assert {type(record.start) for record in records} == {duchess.Position}


# ---- what is refused, and stays as it is


def check_refused(path: Path, words: str, terms: Terms | None = None) -> None:
    before = {each: each.read_bytes() for each in path.parent.iterdir() if each.is_file()}
    with pytest.raises(ValueError, match=words):
        play(path, RANDOM, terms or match_terms(3), resume=True)
    assert {each: each.read_bytes() for each in path.parent.iterdir() if each.is_file()} == before


def test_a_file_that_exists_is_not_overwritten(whole: Path):
    before = whole.read_bytes()
    with pytest.raises(ValueError, match="exists already: add --resume to continue its match"):
        play(whole, RANDOM, match_terms(3))
    assert whole.read_bytes() == before


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": 6}, r"seed \(5, now 6\)"),
        ({"limits": SearchLimits(depth=2)}, r"limits depth \(1, now 2\)"),
        ({"limits": None}, r"limits \({\"depth\": 1}, now null\)"),
        ({"rules": DrawRules(max_plies=21)}, r"rules max_plies \(20, now 21\)"),
        ({"openings": openings("ballots", 2)}, r"openings seed \(1, now 2\)"),
        ({"openings": openings("ballots:report", 1)}, "openings listed, openings part"),
        ({"pairs": 5}, r"games \(6, now 10\)"),
        ({"sprt": Sprt(0, 10)}, "other terms: sprt; resume it with the same ones"),
    ],
)
def test_other_terms_are_refused_by_name(
    changes: dict[str, Any], words: str, whole: Path, tmp_path: Path
):
    path = tmp_path / "games.pdn"
    copy_cut(whole, path, 1000)
    check_refused(path, words, match_terms(**{"pairs": 3, **changes}))


def test_other_players_are_refused_by_name(tmp_path: Path):
    path, terms = tmp_path / "games.pdn", match_terms(1, limits=None)
    own = load_player("draft5")
    weights = own.evaluator.weights  # type: ignore[union-attr]
    given = {"limits": SearchLimits(depth=1)}
    one = Player("one", own.evaluator, **given)
    play(path, [one, RandomPlayer()], terms)
    others = {
        r"players \(one - random, now two - random\)": Player("two", own.evaluator, **given),
        "players 1 weights": Player(
            "one",
            type(own.evaluator)(  # type: ignore[call-arg]
                own.evaluator.features, [*weights[:-1], 7], man=1000
            ),
            **given,
        ),  # type: ignore[union-attr]
        r"players 1 limits depth \(1, now 2\)": Player(
            "one", own.evaluator, limits=SearchLimits(depth=2)
        ),
        "players 1 evaluators": Player("one", **given),
    }
    for words, player in others.items():
        with pytest.raises(ValueError, match=words):
            play(path, [player, RandomPlayer()], terms, resume=True)
    play(path, [one, RandomPlayer()], terms, resume=True)


def test_another_version_is_refused(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "games.pdn"
    copy_cut(whole, path, 1000)
    monkeypatch.setattr("crossboard.arena.agreement.version", lambda _: "99.0")
    check_refused(path, r'crossboard \("[\d.]+", now "99.0"\)')


@pytest.mark.parametrize("kept", [b"{", b"[]", b"\xff", b"", b"[" * 100_000])
def test_damaged_terms_are_refused(kept: bytes, whole: Path, tmp_path: Path):
    path = tmp_path / "games.pdn"
    copy_cut(whole, path, 1000)
    (tmp_path / "games.pdn.terms.json").write_bytes(kept)
    check_refused(path, "games.pdn.terms.json is damaged")


def test_games_without_terms_are_refused(whole: Path, tmp_path: Path):
    path = tmp_path / "games.pdn"
    path.write_bytes(whole.read_bytes())
    check_refused(path, "holds no match to resume: there is no .*games.pdn.terms.json beside it")


DAMAGES = {
    "a game is missing": lambda games: [games[0], *games[2:]],
    "pairs are swapped": lambda games: [*games[2:4], *games[:2], *games[4:]],
    "a move is another": lambda games: [games[0].replace(b" 2.", b" 2. 1-5", 1), *games[1:]],
    "an ending is another": lambda games: [*games[:-1], games[-1].replace(b"length", b"quiet")],
    "a name is another": lambda games: [games[0].replace(b'"a"', b'"c"'), *games[1:]],
    "there is one more": lambda games: [*games, games[0]],
    "it begins with something else": lambda games: [b"% mine\n", *games],
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_games_are_refused_and_left_alone(damage: str, whole: Path, tmp_path: Path):
    path = tmp_path / "games.pdn"
    copy_cut(whole, path, whole.stat().st_size)
    games = [b"[Event" + text for text in whole.read_bytes().split(b"[Event")[1:]]
    path.write_bytes(b"".join(DAMAGES[damage](games)))
    assert path.read_bytes() != whole.read_bytes()
    check_refused(path, r"what follows game \d is not as this match wrote it")


def test_what_somebody_else_wrote_is_not_taken_for_a_torn_pair(whole: Path, tmp_path: Path):
    path = tmp_path / "games.pdn"
    copy_cut(whole, path, 0)
    path.write_text("my diary\n")
    check_refused(path, "what follows game 0 is not as this match wrote it")


def test_zeros_that_a_power_failure_left_are_cut_off(whole: Path, tmp_path: Path):
    path = tmp_path / "games.pdn"
    copy_cut(whole, path, 1000)
    with open(path, "ab") as file:
        file.write(bytes(5000))
    play(path, RANDOM, match_terms(3), resume=True)
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("make", [os.symlink, os.link])
def test_links_are_not_followed(make: Any, whole: Path, tmp_path: Path):
    victim, path = tmp_path / "victim.pdn", tmp_path / "games.pdn"
    copy_cut(whole, path, 1000)
    path.rename(victim)
    make(victim, path)
    before = victim.read_bytes()
    with pytest.raises(OSError, match="link"):
        play(path, RANDOM, match_terms(3), resume=True)
    with pytest.raises(ValueError, match="exists already"):
        play(path, RANDOM, match_terms(3))
    assert victim.read_bytes() == before


def test_a_link_to_nothing_makes_nothing(tmp_path: Path):
    (tmp_path / "games.pdn").symlink_to(tmp_path / "elsewhere.pdn")
    for resume, words in ((False, "exists already"), (True, "link")):
        with pytest.raises((ValueError, OSError), match=words):
            play(tmp_path / "games.pdn", RANDOM, match_terms(3), resume=resume)
    assert not (tmp_path / "elsewhere.pdn").exists()


def test_a_pipe_takes_games_but_holds_no_match(whole: Path, tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(ValueError, match="is not a plain file: it holds no match to resume"):
        play(pipe, RANDOM, match_terms(3), resume=True)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_bytes)
        play(pipe, RANDOM, match_terms(3))
        assert read.result(timeout=60) == whole.read_bytes()
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]


def test_two_processes_do_not_mix_their_games(whole: Path, tmp_path: Path):
    path, terms = tmp_path / "games.pdn", match_terms(3)
    agreement = describe_agreement(RANDOM, terms, "round robin")
    result = MatchResult("a", "b")
    (pair,) = terms.batch(*RANDOM, range(1)).play()
    with keeping_games(str(path), agreement) as kept:
        result.add(pair)
        assert kept.keep(result)
        size = path.stat().st_size
        with pytest.raises(ValueError, match="another process is playing this match"):
            play(path, RANDOM, terms, resume=True)
        assert path.stat().st_size == size
        result.add(pair)
        assert kept.keep(result)
    assert kept.error is None
    assert path.stat().st_size > size


def test_terms_hold_from_the_first_moment(tmp_path: Path):
    path, terms = tmp_path / "games.pdn", match_terms(3)
    with keeping_games(str(path), describe_agreement(RANDOM, terms, "round robin")):
        pass  # stopped before the first pair
    check_refused(path, r"begun with other terms: seed \(\d+, now 99\)", replace(terms, seed=99))
    assert play(path, RANDOM, terms, resume=True).matches[0].resumed == 0


def test_resume_is_offered_only_for_a_match(tmp_path: Path):
    path = tmp_path / "notes.pdn"
    path.write_text("mine")
    with pytest.raises(ValueError, match="exists already: choose another file"):
        play(path, RANDOM, match_terms(3))


def test_terms_are_plain_json_that_names_what_decides_the_games(whole: Path):
    kept = json.loads((whole.parent / "games.pdn.terms.json").read_text("utf-8"))
    assert list(kept) == [
        *("crossboard", "pairings", "players", "games", "openings", "limits", "rules", "seed"),
        "sprt",
    ]
    assert kept["players"] == [{"name": name, "kind": "RandomPlayer"} for name in "ab"]
