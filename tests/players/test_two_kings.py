"""Two kings against one are won against the longest resistance, without a loop."""

from __future__ import annotations

from random import Random

import pytest
from two_kings import distances, longest_resistance, placements, solve, two_against_one

from crossboard.draughts import Position
from crossboard.players import Player, SearchSettings, load_player

# A small part of what a second is worth.
NODES = 300_000
# Nobody needs more: the longest win is 33 plies, and a search that does not see the end yet may
# lose some.
MAX_PLIES = 79


def won_placements() -> list[Position]:
    plies = distances()
    return sorted(
        (position for position in placements() if plies.get(position, 0) > 0),
        key=lambda position: (plies[position], position.fen),
    )


def play_out(player: Player, start: Position, *, turned: bool = False) -> int:
    """Let the player win; return the plies it took. The defence knows everything."""
    seen = [start]
    while True:
        # The player sees the colours exchanged where it has Black.
        now, *before = (p.mirrored if turned else p for p in reversed(seen))
        move = player.choose(now, nodes=NODES, history=before[::-1])
        after = now.after(move)
        after = after.mirrored if turned else after
        assert after not in seen, f"a loop in {[p.fen for p in seen]}"
        seen.append(after)
        if after.is_over:
            return len(seen) - 1
        assert distances().get(after, 0) < 0, f"no longer won: {after.fen} from {start.fen}"
        reply = longest_resistance(after)
        assert reply not in seen, f"a loop in {[p.fen for p in seen]}"
        seen.append(reply)
        assert len(seen) <= MAX_PLIES, f"too long from {start.fen}"


def sample(size: int, seed: int) -> list[Position]:
    """Return some won placements, the longest and those that give a king among them."""
    won = won_placements()
    exchanges = [Position.from_fen(fen) for fen in ("W:WK4,K8:BK15", "W:WK25,K29:BK18")]
    return [*won[-4:], *exchanges, *Random(seed).sample(won, size)]


def test_known_counts():
    plies = distances()
    won = won_placements()
    assert len(placements()) == 14_880
    assert len(won) == 14_846
    assert plies[won[-1]] == 33
    # All but two without giving up a king for the other one.
    closed = solve(two_against_one())
    assert sum(closed.get(position, 0) > 0 for position in placements()) == 14_844
    assert not [position for position in placements() if plies.get(position, 0) < 0]


def test_win_in_tells_the_true_distance():
    player = load_player("material", search=SearchSettings(table_mb=16))
    seen = 0
    for start in sample(30, seed=1):
        player.clear()
        result = player.search(start, nodes=10 * NODES)
        # What is seen behind the depth that was searched in full may be longer than need be.
        if result.win_in is not None and result.win_in <= result.depth:
            assert result.win_in == distances()[start], start.fen
            seen += 1
    assert seen >= 20


def test_a_sample_is_won_by_a_new_player_each():
    for number, start in enumerate(sample(40, seed=2)):
        player = load_player("material", search=SearchSettings(table_mb=4))
        play_out(player, start, turned=number % 2 == 1)


def test_a_sample_is_won_by_one_player():
    player = load_player("material")
    for number, start in enumerate(sample(120, seed=3)):
        play_out(player, start, turned=number % 2 == 1)


@pytest.mark.slow
def test_every_won_placement_is_won():
    player = load_player("material", search=SearchSettings(table_mb=4))
    for number, start in enumerate(won_placements()):
        player.clear()  # what the games before have shown would help
        play_out(player, start, turned=number % 2 == 1)
