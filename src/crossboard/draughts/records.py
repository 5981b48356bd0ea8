"""One game played: a tree of moves with comments and variations, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from crossboard._core import DrawRules
from crossboard._core.draughts import Move, Past, PdnGame, Position
from crossboard.records import DRAWN, GameRecord, Outcome, Place, RecordError

# The side that each result token names as winner. In English draughts the first number is Black's,
# who moves first (PDN 2.0); the tokens with a 2 are those of other draughts games.
WINNERS = {"1-0": "B", "2-0": "B", "0-1": "W", "0-2": "W"}
RESULTS = (*WINNERS, DRAWN, "1/2", "1-1", "0-0", "*")

# Parent's index and move; where there is more to say also the position, the comments before and
# after the move, and the NAGs.
FlatNode: TypeAlias = (
    tuple[int, Move] | tuple[int, Move | None, Position, list[str], list[str], list[int]]
)


class PdnError(RecordError):
    """What could not be parsed in a PDN text: game and line (from 1), move, reason."""


class Remarks:
    """What was said about one move."""

    __slots__ = ("comments", "comments_before", "nags")

    def __init__(self, comments_before: list[str], comments: list[str], nags: list[int]) -> None:
        self.comments_before = comments_before
        self.comments = comments
        self.nags = nags


class Node:
    """A place in a game: the move that led here and all that was said about it.

    `move` is None at the root and where a position was set up. `variations` are the moves that
    were played or considered next, the main continuation first.
    """

    __slots__ = ("_position", "_remarks", "move", "parent", "variations")

    def __init__(
        self, parent: Node | None, move: Move | None, position: Position | None = None
    ) -> None:
        self.parent = parent
        self.move = move
        self.variations: list[Node] = []
        self._position = position
        self._remarks: Remarks | None = None  # most moves have none: made when first asked for

    def __repr__(self) -> str:
        what = "set-up" if self.move is None else str(self.move)
        return f"<Node {what}, {len(self.variations)} variations>"

    @property
    def position(self) -> Position:
        """The position here, after the move."""
        # Found from the nearest known one above; kept, so that walking down a line stays cheap.
        path = []
        node = self
        while node._position is None:
            path.append(node)
            assert node.parent is not None  # the root knows its position
            node = node.parent
        position = node._position
        for below in reversed(path):
            assert below.move is not None  # a set-up knows its position
            position = below._position = position.after(below.move)
        return position

    @property
    def has_remarks(self) -> bool:
        """Whether anything may have been said about the move: asking does not make room for it."""
        return self._remarks is not None

    @property
    def remarks(self) -> Remarks:
        """What was said about the move."""
        if self._remarks is None:
            self._remarks = Remarks([], [], [])
        return self._remarks

    @property
    def comments(self) -> list[str]:
        """The comments after the move."""
        return self.remarks.comments

    @comments.setter
    def comments(self, comments: list[str]) -> None:
        self.remarks.comments = comments

    @property
    def comments_before(self) -> list[str]:
        """The comments before the first move of a variation."""
        return self.remarks.comments_before

    @comments_before.setter
    def comments_before(self, comments_before: list[str]) -> None:
        self.remarks.comments_before = comments_before

    @property
    def nags(self) -> list[int]:
        """Numeric annotation glyphs: 1 !, 2 ?, 3 !!, 4 ??, 5 !?, 6 ?!, 7 forced."""
        return self.remarks.nags

    @nags.setter
    def nags(self, nags: list[int]) -> None:
        self.remarks.nags = nags

    @property
    def comment(self) -> str:
        """All comments after the move as one text; setting it replaces them."""
        return " ".join(self.comments)

    @comment.setter
    def comment(self, text: str) -> None:
        self.comments = [text] if text else []

    def add(self, move: Move | str) -> Node:
        """Add a move after this one: the main continuation first, then variations."""
        position = self.position
        legal = position.parse_move(move) if isinstance(move, str) else move
        node = Node(self, legal, position.after(legal))
        self.variations.append(node)
        return node

    def main_line(self) -> Iterator[Node]:
        """Yield the nodes that follow, always by the first variation."""
        node = self
        while node.variations:
            node = node.variations[0]
            yield node


class Record(GameRecord):
    """One game: tags, the tree of moves, the result, and what could not be read."""

    winners = WINNERS
    results = RESULTS

    def __init__(
        self, start: Position | None = None, *, tags: dict[str, str] | None = None
    ) -> None:
        """Begin a game from `start`, or else from the tag FEN, or else from the usual position."""
        self.tags = dict(tags or {})
        if start is None:
            start = Position.from_fen(self.tags["FEN"]) if "FEN" in self.tags else Position()
        elif start != Position():
            self.tags["FEN"] = start.fen
        self.errors: list[PdnError] = []
        self.place: Place | None = None  # of a game that was read
        self._token = "*"
        self._tree: Node | None = Node(None, None, start)
        self._game: PdnGame | None = None

    @classmethod
    def from_game(cls, game: PdnGame, number: int) -> Record:
        """Take over a game that the core has read; `number` is its place in the file."""
        record = cls.__new__(cls)
        record.tags = game.tags
        record.errors = [PdnError(number, *error) for error in game.errors]
        record.place = Place(number, game.line)
        record._token = game.result or "*"
        # Whoever only wants the moves of a million games does not pay for the tree.
        record._tree, record._game = None, game
        return record

    @property
    def tree(self) -> Node:
        """The root of the moves: `tree.variations[0]` is the first move of the main line."""
        if self._tree is None:
            assert self._game is not None
            self._tree, self._game = build_tree(self._game.nodes), None
        return self._tree

    @property
    def start(self) -> Position:
        """The position the game began from."""
        return self.tree.position

    @property
    def moves(self) -> list[Move]:
        """The moves of the main line."""
        if self._game is not None:
            return self._game.moves
        return [node.move for node in self.tree.main_line() if node.move is not None]

    @property
    def end(self) -> Node:
        """The last node of the main line."""
        node = self.tree
        for node in self.tree.main_line():  # noqa: B007
            pass
        return node

    @property
    def position(self) -> Position:
        """The position at the end of the main line."""
        return self.end.position

    def play(self, move: Move | str) -> Node:
        """Add a move at the end of the main line; raise IllegalMove if it is not legal."""
        return self.end.add(move)

    def outcome(self, rules: DrawRules | None = None) -> Outcome | None:
        """Say how and when the main line ended by the rules, or None if it goes on.

        Resignations and agreements are no matter of rules: they stand in `result` alone.
        """
        rules = rules or DrawRules()
        position, past, plies = self.start, Past(self.start), 0
        nodes = self.tree.main_line()
        while True:
            if position.is_over:
                return Outcome(position.winner, "no move", plies)
            if reason := past.draw(rules):
                return Outcome(None, reason, plies)
            node = next(nodes, None)
            if node is None:
                return None
            if node.move is None:
                past = Past(node.position)
            else:
                past.add(position, node.move)
                plies += 1
            position = node.position

    @property
    def pdn(self) -> str:
        """The game as PDN 3.0; raise ValueError for text that PDN cannot hold."""
        from crossboard.draughts.pdn import format_record  # it knows records: not the other way

        return format_record(self)

    def __repr__(self) -> str:
        names = " - ".join(self.tags.get(side, "?") for side in ("Black", "White"))
        return f"<Record {names}, {len(self.moves)} moves, {self.result}>"

    def _state(self) -> tuple[Any, ...]:
        errors = [error.args for error in self.errors]
        return self.tags, self.result, errors, _flatten(self.tree)

    # Flat, because a pickled chain of a few hundred nodes would exceed Python's recursion limit.
    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, self._state()


result_for = Record.result_for


def build_tree(nodes: Sequence[FlatNode]) -> Node:
    """Build a tree from nodes of which each names its parent's index; the first is the root."""
    built: list[Node] = []
    append = built.append
    for flat in nodes:
        parent = built[flat[0]] if built else None
        if len(flat) == 2:
            node = Node(parent, flat[1])
        else:
            _, move, position, before, after, nags = flat
            node = Node(parent, move, position)
            node._remarks = Remarks(before, after, nags)
        if parent is not None:
            parent.variations.append(node)
        append(node)
    return built[0]


def _flatten(root: Node) -> list[FlatNode]:
    flat: list[FlatNode] = []
    waiting = [(-1, root)]
    while waiting:
        parent, node = waiting.pop()
        said = node._remarks
        remarks = (said.comments_before, said.comments, said.nags) if said else ([], [], [])
        flat.append((parent, node.move, node.position, *remarks))
        index = len(flat) - 1
        waiting.extend((index, child) for child in reversed(node.variations))
    return flat


def _restore(
    tags: dict[str, str],
    result: str,
    errors: list[tuple[int, int, str, str]],
    nodes: list[FlatNode],
) -> Record:
    record = Record()
    record.tags = tags
    record._token = result if result in RESULTS else "*"
    record.errors = [PdnError(*error) for error in errors]
    record._tree = build_tree(nodes)
    return record
