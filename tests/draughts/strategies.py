"""What hypothesis draws: positions, almost-FEN, almost-moves, games with everything in them."""

from __future__ import annotations

import re

from hypothesis import strategies as st

from crossboard.draughts import Node, Position, Record

CROWNING_ROWS = {"W": range(1, 5), "B": range(29, 33)}


@st.composite
def placements(draw: st.DrawFn) -> tuple[str, list[str], list[str]]:
    """Draw the side to move and the squares of White and Black as FEN words, sorted."""
    squares = draw(st.permutations(range(1, 33)))
    white = squares[: draw(st.integers(0, 12))]
    black = squares[12 : 12 + draw(st.integers(0, 12))]
    words = []
    for colour, own in (("W", white), ("B", black)):
        kings = draw(st.sets(st.sampled_from(range(1, 33)))) | set(CROWNING_ROWS[colour])
        words.append([f"K{s}" if s in kings else str(s) for s in sorted(own)])
    return draw(st.sampled_from("BW")), words[0], words[1]


def positions() -> st.SearchStrategy[Position]:
    return placements().map(
        lambda drawn: Position.from_fen(f"{drawn[0]}:W{','.join(drawn[1])}:B{','.join(drawn[2])}")
    )


def fen_like_texts() -> st.SearchStrategy[str]:
    """Draw texts made of the pieces that FENs are made of."""
    words = ["B", "W", ":", ",", "-", "K", ".", " ", "b", "w", "k", "?", "5", "12", "32", "33", "é"]
    return st.lists(st.sampled_from(words) | st.integers(0, 40).map(str)).map("".join)


def move_like_texts() -> st.SearchStrategy[str]:
    squares = st.integers(0, 34).map(str)
    return st.lists(squares | st.sampled_from(["-", "x", ":", "X", " ", "0", "é"])).map("".join)


# What a comment can hold: no control characters, and not the beginning of the next game. The
# blanks around it are not part of it.
PRINTABLE = st.characters(exclude_categories=["Cs", "Cc"])
COMMENTS = (
    (
        st.text(PRINTABLE | st.sampled_from("\n{}()[]$%;*/\\\"'é\xa0\x85\u3000"), max_size=40)
        | st.sampled_from(
            ["1-0", "}", "a } b", "{", "% x", '[Event "x"]', "[%clk 1:02:03]", "x" * 200]
        )
    )
    .map(lambda text: text.strip(" \t\n\r\v\f\x1a"))
    .filter(bool)
    .filter(lambda text: not ("}" in text and "\n" in text) and '\n[Event "' not in text)
)
TAG_VALUES = st.text(PRINTABLE | st.sampled_from('"\\][{}%\t'), max_size=30)
TAG_NAMES = st.from_regex(re.compile(r"[A-Z][A-Za-z0-9_]{0,10}"), fullmatch=True).filter(
    lambda name: name not in ("FEN", "GameType", "Result")
)
RESULTS = st.sampled_from(["*", "1-0", "0-1", "1/2-1/2", "1/2", "0-0", "2-0", "0-2", "1-1"])


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Draw a game with tags, comments, NAGs, variations and set-ups."""
    tags = draw(st.dictionaries(TAG_NAMES, TAG_VALUES, max_size=4))
    start = draw(st.builds(Position) | positions())
    if start != Position():
        tags["FEN"] = start.fen
    record = Record(start, tags=tags)
    record.result = draw(RESULTS)
    grow(draw, record.tree)
    return record


def grow(draw: st.DrawFn, root: Node) -> None:
    nodes = [root]
    for _ in range(draw(st.integers(0, 25))):
        # Mostly the latest node, so that there are long lines, with branches here and there.
        parent = nodes[draw(st.sampled_from([-1, -1, -1, 0]) | st.integers(0, len(nodes) - 1))]
        node = child_of(draw, parent)
        if node is not None:
            nodes.append(node)
    for node in nodes:
        if draw(st.integers(0, 3)) == 0:
            node.comments.extend(draw(st.lists(COMMENTS, max_size=2)))
            node.nags.extend(draw(st.lists(st.integers(0, 255), max_size=2)))
        is_variation = node.parent is not None and node.parent.variations[0] is not node
        if is_variation and draw(st.booleans()):
            node.comments_before.extend(draw(st.lists(COMMENTS, max_size=2)))


def child_of(draw: st.DrawFn, parent: Node) -> Node | None:
    moves = list(parent.position.legal_moves)
    if draw(st.integers(0, 9)) == 0:
        node = Node(parent, None, draw(positions()))
        parent.variations.append(node)
        return node
    return parent.add(draw(st.sampled_from(moves))) if moves else None
