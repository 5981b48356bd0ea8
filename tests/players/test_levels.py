"""Levels of a player: their names, their limits, and the moves that they choose."""

from __future__ import annotations

import pickle
import shutil
from collections import Counter
from pathlib import Path

import pytest

from crossboard.draughts import Position
from crossboard.players import (
    LEVELS,
    GameTime,
    LevelPlayer,
    Player,
    SearchLimits,
    SearchSettings,
    load_player,
)
from crossboard.players.errors import PlayerError
from crossboard.players.folder import find_folder, read_description
from crossboard.players.games import GAMES
from crossboard.players.handicaps import Handicap

BELOW_FULL = range(1, LEVELS)


def level(number: int, seed: int = 1, player: str = "champion") -> LevelPlayer:
    found = load_player(f"{player}@{number}")
    assert isinstance(found, LevelPlayer)
    found.reseed(seed)
    return found


def test_every_game_has_a_handicap_for_every_level_but_the_last():
    for game in GAMES.values():
        assert len(game.levels) == LEVELS - 1


@pytest.mark.parametrize("player", ["champion", "mp-draughts", "neurodraughts", "duchess-2"])
def test_levels_are_named_where_players_are(player: str):
    for number in BELOW_FULL:
        found = level(number, player=player)
        start = found.game.start()
        assert found.name == f"{player}@{number}"
        assert found.choose(start) in found.game.moves(start)
        assert read_description(f"{player}@{number}").name == player


def test_the_last_level_is_the_player_itself():
    full, player = load_player("champion@8"), load_player("champion")
    assert type(full) is Player
    assert full.name == "champion@8"
    assert (full.limits, full.settings) == (player.limits, player.settings)


def test_the_levels_of_a_player_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    # A folder may bear the sign in its own name.
    shutil.copytree(find_folder("material"), tmp_path / "players" / "own")
    shutil.copytree(find_folder("material"), tmp_path / "players" / "own@3")
    assert load_player("own@2").name == "material@2"
    assert load_player(f"{tmp_path}/players/own@2").name == "material@2"
    assert load_player("own@3").name == "material"
    assert load_player("own@3@2").name == "material@2"
    assert load_player(Path("players/own@3")).name == "material"


ALL_OF_THEM = "levels are champion@1, for beginners, to champion@8, the full strength"


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("champion@9", f"there is no level '9' of champion: {ALL_OF_THEM}"),
        ("champion@0", f"there is no level '0' of champion: {ALL_OF_THEM}"),
        ("champion@03", f"there is no level '03' of champion: {ALL_OF_THEM}"),
        ("champion@-1", f"there is no level '-1' of champion: {ALL_OF_THEM}"),
        ("champion@x", f"there is no level 'x' of champion: {ALL_OF_THEM}"),
        ("champion@", f"there is no level '' of champion: {ALL_OF_THEM}"),
        ("champion@1@2", "there is no player 'champion@1': did you mean champion?"),
        ("champoin@3", "there is no player 'champoin': did you mean champion?"),
        ("random@2", "random@2: random does not search, so it has no levels"),
    ],
)
def test_a_level_that_is_not_there_is_one_sentence(name: str, complaint: str):
    with pytest.raises(PlayerError) as refusal:
        load_player(name)
    assert str(refusal.value) == complaint


@pytest.mark.parametrize(
    ("name", "unknown"),
    [("nosuch@3", "nosuch"), ("/no/folder@x/here", "/no/folder@x/here"), ("@3", "@3")],
)
def test_a_level_of_no_player_names_what_is_not_there(name: str, unknown: str):
    with pytest.raises(PlayerError, match=f"^there is no player '{unknown}': there are [^\n]*$"):
        load_player(name)


# ---- limits


def test_own_limits_are_the_handicap_without_seconds():
    assert level(1).limits == SearchLimits(depth=1)
    assert level(7).limits == SearchLimits(nodes=50_000)
    # The depth of the player's folder, but not its floors, which go deeper.
    assert level(4, player="duchess-2").limits == SearchLimits(depth=2)


def test_a_level_is_no_stronger_than_its_player():
    deep = Handicap(depth=9, nodes=1000, noise=10)
    own = Player("own", limits=SearchLimits(depth=4))
    assert LevelPlayer(own, "own@7", deep).limits == SearchLimits(depth=4, nodes=1000)


def test_limits_that_are_asked_for_only_make_it_weaker():
    second = level(3)
    time = GameTime(60.0)
    for asked, expected in [
        (SearchLimits(depth=9), SearchLimits(depth=2)),
        (SearchLimits(depth=1, floors=((8, 12),)), SearchLimits(depth=1)),
        (SearchLimits(nodes=30), SearchLimits(depth=2, nodes=30)),
        (SearchLimits(time=time), SearchLimits(depth=2, time=time)),
    ]:
        assert second.limits_for(asked) == expected
    assert second.search(Position(), depth=9).depth == 2


def test_a_level_has_one_thread_and_no_endgame_tables():
    settings = level(6).with_settings(SearchSettings(threads=4, tables=True)).settings
    assert (settings.threads, settings.tables) == (1, False)


def test_another_way_to_search_leaves_the_level():
    found = level(2).with_settings(SearchSettings(quiescence=False))
    assert isinstance(found, LevelPlayer)
    assert (found.name, found.limits, found.noise) == ("champion@2", level(2).limits, (1000, 40))


def test_a_level_cannot_be_saved(tmp_path: Path):
    with pytest.raises(PlayerError, match=r"^champion@2 is a level of a player, which cannot"):
        level(2).save(tmp_path / "level")
    assert list(tmp_path.iterdir()) == []


# ---- moves


def sequence(player: Player) -> list[str]:
    return [str(player.choose(Position())) for _ in range(20)]


def replies(player: Player, position: Position, times: int) -> Counter[str]:
    return Counter(str(player.choose(position)) for _ in range(times))


def test_replies_differ_but_a_seed_repeats_them():
    for number in (1, 4):
        once, again = (sequence(level(number)) for _ in range(2))
        assert once == again
        assert len(set(once)) > 2
    assert replies(level(1, seed=2), Position(), 20) != replies(level(1), Position(), 20)


def test_a_result_has_the_moves_asked_for_and_true_values():
    beginner = level(1)
    honest = {
        str(one.move): one.value
        for one in load_player("champion").search(Position(), depth=1, multipv=7).lines
    }
    for _ in range(20):
        result = beginner.search(Position())
        assert len(result.lines) == 1
        assert result.value == honest[str(result.move)]
    assert len(beginner.search(Position(), multipv=3).lines) == 3


def test_a_beginner_takes_a_win_in_one():
    # Behind 24-19 the man on 12 can neither move nor jump.
    position = Position.from_fen("W:W16,24,32:B12")
    assert len(position.legal_moves) > 3
    for seed in range(40):
        assert str(level(1, seed).choose(position)) == "24-19"


def test_a_beginner_plays_the_only_move():
    assert str(level(1).choose(Position.from_fen("W:W18:B14"))) == "18x9"


def test_a_beginner_rarely_leaves_a_man_to_be_taken():
    # 13-17 gives a man away at once.
    position = Position.from_fen("B:W18,21,27,28,29,30,31,32:B1,2,3,4,5,10,12,13")
    given_away = replies(level(1, player="material"), position, 400)["13-17"]
    assert 0 < given_away < 40


def test_a_beginner_misses_a_shot_that_the_fifth_level_sees():
    # 11-16 gives two men, 20x11 and 15x6, and jumps three with 8x15x22x29.
    position = Position.from_fen("B:W15,18,20,25,26,28,30,31,32:B1,2,4,5,6,8,9,11,21")
    found = {n: replies(level(n, player="material"), position, 50)["11-16"] for n in (1, 5)}
    assert found[1] < 15
    assert found[5] > 45


def test_a_level_goes_to_another_process():
    sent = pickle.loads(pickle.dumps(level(2)))
    assert isinstance(sent, LevelPlayer)
    assert (sent.name, sent.limits, sent.noise) == ("champion@2", level(2).limits, level(2).noise)
