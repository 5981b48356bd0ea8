"""Every feature once more, slow and simple, from its definition: the oracle of the fast ones.

Nothing is shared with the core. A board is a dictionary from (row, column) to a piece; rows count
from 1 at the home of the side that has just moved, "P" for passive; the side to move is "A" for
active. Functions are named after the features' tags in lower case.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

Square = tuple[int, int]


class Piece(NamedTuple):
    side: str  # "P" or "A"
    is_king: bool


Board = dict[Square, Piece]


def square(number: int) -> Square:
    """The standard number of a side that plays as Black; column 8 is at its right hand."""
    row, place = divmod(number - 1, 4)
    return row + 1, 7 - 2 * place + row % 2


NUMBER = {square(number): number for number in range(1, 33)}
CENTRE = {square(n) for n in (10, 11, 14, 15, 18, 19, 22, 23)}
DOUBLE_CORNERS = {square(n) for n in (1, 5, 28, 32)}
DIAGONALS = [(1, 1), (1, -1)]
AROUND = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
WORTH = {False: 2, True: 3}


def read(fen: str) -> Board:
    """Read a FEN as Position.fen writes it, turned so that the passive side plays as Black."""
    turn, *sides = fen.split(":")
    board = {}
    for side in sides:
        for word in filter(None, side[1:].split(",")):
            number = int(word.removeprefix("K"))
            place = square(number if turn == "W" else 33 - number)
            board[place] = Piece("A" if side[0] == turn else "P", word.startswith("K"))
    return board


# ---- what moves do


def shifted(at: Square, direction: Square, steps: int = 1) -> Square:
    return at[0] + steps * direction[0], at[1] + steps * direction[1]


def directions(piece: Piece) -> list[Square]:
    forward = 1 if piece.side == "P" else -1
    return [d for d in AROUND if piece.is_king or d[0] == forward]


def is_empty(board: Board, at: Square) -> bool:
    return at in NUMBER and at not in board


def own(board: Board, side: str, is_king: bool | None = None) -> list[Square]:
    return [
        at for at, piece in board.items() if piece.side == side and is_king in (None, piece.is_king)
    ]


def steps(board: Board, side: str, is_king: bool | None = None) -> Iterator[tuple[Square, Square]]:
    for at in own(board, side, is_king):
        for direction in directions(board[at]):
            if is_empty(board, shifted(at, direction)):
                yield at, shifted(at, direction)


def crowned(piece: Piece, at: Square) -> Piece:
    last = 8 if piece.side == "P" else 1
    return piece._replace(is_king=piece.is_king or at[0] == last)


def after_step(board: Board, start: Square, end: Square) -> Board:
    left = {at: piece for at, piece in board.items() if at != start}
    left[end] = crowned(board[start], end)
    return left


def first_jumps(board: Board, at: Square) -> Iterator[tuple[Square, Square]]:
    """Yield what a piece can jump over now, and in which direction."""
    for direction in directions(board[at]):
        over, landing = shifted(at, direction), shifted(at, direction, 2)
        if over in board and board[over].side != board[at].side and is_empty(board, landing):
            yield over, direction


def captures(board: Board, side: str) -> Iterator[tuple[set[Square], Board]]:
    """Yield each whole capture: what it takes, and the board after it."""
    for at in own(board, side):
        piece = board[at]
        lifted = {other: there for other, there in board.items() if other != at}
        for taken, end in routes(lifted, piece, at, frozenset()):
            if taken:
                left = {other: there for other, there in lifted.items() if other not in taken}
                left[end] = crowned(piece, end)
                yield set(taken), left


def routes(
    lifted: Board, piece: Piece, at: Square, taken: frozenset[Square]
) -> Iterator[tuple[frozenset[Square], Square]]:
    goes_on = False
    for direction in directions(piece):
        over, landing = shifted(at, direction), shifted(at, direction, 2)
        if over not in lifted or over in taken or lifted[over].side == piece.side:
            continue
        if not is_empty(lifted, landing):
            continue
        goes_on = True
        # A man that is crowned stops; it could not go on forward anyway.
        yield from routes(lifted, piece, landing, taken | {over})
    if not goes_on:
        yield taken, at


def can_capture(board: Board, side: str) -> bool:
    return any(True for at in own(board, side) for _ in first_jumps(board, at))


def material(board: Board, side: str) -> int:
    return sum(WORTH[board[at].is_king] for at in own(board, side))


def holds(board: Board, side: str, numbers: tuple[int, ...], is_king: bool | None = None) -> bool:
    return {square(n) for n in numbers} <= set(own(board, side, is_king))


def exchanged(board: Board) -> Board:
    """The same board with the sides changed, still seen so that "P" plays upwards."""
    return {
        square(33 - NUMBER[at]): Piece("A" if piece.side == "P" else "P", piece.is_king)
        for at, piece in board.items()
    }


# ---- Samuel's terms


def adv(board: Board) -> int:
    rows = [at[0] for at in own(board, "P", False)]
    return sum(row in (5, 6) for row in rows) - sum(row in (3, 4) for row in rows)


def apex(board: Board) -> int:
    points = {square(7), square(26)}
    if any(piece.is_king for piece in board.values()):
        return 0
    return -int(bool(points & set(own(board, "A"))) and not points & set(own(board, "P")))


def back(board: Board) -> int:
    return int(not own(board, "A", True) and holds(board, "P", (1, 3)))


def cent(board: Board) -> int:
    return len(CENTRE & set(own(board, "P", False)))


def cntr(board: Board) -> int:
    return len(CENTRE & (set(own(board, "A")) | {end for _, end in steps(board, "A")}))


def corn(board: Board) -> int:
    reached = {end for _, end in steps(board, "A")}
    weak = material(board, "A") <= 6 and material(board, "P") > material(board, "A")
    return int(weak and bool(reached & DOUBLE_CORNERS))


def cramp(board: Board) -> int:
    pressed = holds(board, "A", (17, 21, 22, 25))
    pressing = holds(board, "P", (13,)) and (holds(board, "P", (9,)) or holds(board, "P", (14,)))
    return 2 * (pressed and pressing)


def deny(board: Board) -> int:
    denied = set()
    for start, end in steps(board, "A"):
        for taken, left in captures(after_step(board, start, end), "P"):
            if end in taken and not can_capture(left, "A"):
                denied.add(end)
    return len(denied)


def dia(board: Board) -> int:
    return sum(removed(at) == 0 for at in own(board, "P"))


def removed(at: Square) -> int:
    """How far a square is from the nearer of the two diagonals that end in a double corner."""
    # On these two row and column add up to 8 and to 10.
    return (abs(sum(at) - 9) - 1) // 2


def diav(board: Board) -> int:
    return sum(max(0, 3 - removed(at)) for at in own(board, "P"))


def dyke(board: Board) -> int:
    mine = set(own(board, "P"))
    strings = 0
    for direction in DIAGONALS:
        for at in mine:
            if shifted(at, direction, -1) not in mine:
                length = 1
                while shifted(at, direction, length) in mine:
                    length += 1
                strings += length // 3
    return strings


def exch(board: Board) -> int:
    squares = set()
    for start, end in steps(board, "A"):
        replies = [left for _, left in captures(after_step(board, start, end), "P")]
        if replies and all(can_capture(left, "A") for left in replies):
            squares.add(end)
    return len(squares)


recap = exch


def expos(board: Board) -> int:
    return sum(
        any(
            is_empty(board, shifted(at, direction)) and is_empty(board, shifted(at, direction, -1))
            for direction in DIAGONALS
        )
        for at in own(board, "P")
    )


def fork(board: Board) -> int:
    found = 0
    for row, column in own(board, "P"):
        neighbour = board.get((row, column + 2))
        if neighbour is None or neighbour.side != "P":
            continue
        point, landings = (row - 1, column + 1), [(row + 1, column - 1), (row + 1, column + 3)]
        if not all(is_empty(board, at) for at in (point, *landings)):
            continue
        for start, end in steps(board, "A"):
            if end != point:
                continue
            then = after_step(board, start, end)
            if len(list(first_jumps(then, point))) < 2:
                continue
            if not any(point in taken for taken, _ in captures(then, "P")):
                found += 1
                break
    return found


def gap(board: Board) -> int:
    mine = set(own(board, "P"))
    found = 0
    for at in NUMBER:
        if at in board:
            continue
        for direction in DIAGONALS:
            ends = [shifted(at, direction), shifted(at, direction, -1)]
            if any(end in mine for end in ends) and all(
                end in mine or end not in NUMBER for end in ends
            ):
                found += 1
                break
    return found


def guard(board: Board) -> int:
    held = holds(board, "P", (1, 3)) or holds(board, "P", (2, 3, 7))
    return int(not own(board, "A", True) and held)


def hole(board: Board) -> int:
    mine = set(own(board, "P"))
    return sum(
        is_empty(board, at) and sum(shifted(at, d) in mine for d in AROUND) >= 3 for at in NUMBER
    )


def kcent(board: Board) -> int:
    return len(CENTRE & set(own(board, "P", True)))


def mob(board: Board) -> int:
    return len({end for _, end in steps(board, "A")})


def mobil(board: Board) -> int:
    return mob(board) - deny(board)


def move(board: Board) -> int:
    in_system = sum((NUMBER[at] - 1) // 4 % 2 == 0 for at in board)
    return int(move_counts(board) and in_system % 2 == 1)


def move_counts(board: Board) -> bool:
    return material(board, "P") == material(board, "A") < 24


def node(board: Board) -> int:
    return sum(sum(is_empty(board, shifted(at, d)) for d in AROUND) >= 3 for at in own(board, "P"))


def oreo(board: Board) -> int:
    return int(not own(board, "A", True) and holds(board, "P", (2, 3, 7)))


def printed_oreo(board: Board) -> int:
    return int(not own(board, "P", True) and holds(board, "P", (2, 3, 7)))


def pole(board: Board) -> int:
    return sum(
        all(is_empty(board, shifted(at, d)) for d in AROUND) for at in own(board, "P", False)
    )


def thret(board: Board) -> int:
    return len(
        {
            end
            for start, end in steps(board, "A")
            if list(first_jumps(after_step(board, start, end), end))
        }
    )


SAMUEL = {
    function.__name__: function
    for function in (
        adv, apex, back, cent, cntr, corn, cramp, deny, dia, diav, dyke, exch, expos, fork, gap,
        guard, hole, kcent, mob, mobil, move, node, oreo, pole, thret,
    )
} | {"recap": recap}  # fmt: skip


# ---- Lynch's features, as numbers that fit their bits


def lead(board: Board) -> int:
    return material(board, "P") - material(board, "A")


def in_danger(board: Board) -> int:
    return len({over for at in own(board, "A") for over, _ in first_jumps(board, at)})


def lynch_bridge(board: Board) -> int:
    return int(not own(board, "A", True) and holds(board, "P", (1, 3), False))


LYNCH = {
    "PieceAdvantage": lambda b: min(15, max(0, lead(b))),
    "PieceDisadvantage": lambda b: min(15, max(0, -lead(b))),
    "PieceThreat": lambda b: min(7, in_danger(b)),
    "PieceTake": lambda b: min(7, in_danger(exchanged(b))),
    "Advancement": lambda b: min(7, (adv(b) + 8) // 2),
    "DoubleDiagonal": dia,
    "BackRowBridge": lynch_bridge,
    "CentreControl": lambda b: min(7, cent(b)),
    "XCentreControl": lambda b: min(7, cntr(b)),
    "TotalMobility": lambda b: min(15, mob(b)),
    "Exposure": lambda b: min(7, expos(b)),
    "KingCentreControl": lambda b: min(7, kcent(b)),
}

UFU = LYNCH | {
    "DiagonalMoment": lambda b: min(15, diav(b) // 2),
    "Apex": lambda b: 1 + apex(b),
    "Cramp": cramp,
    "DenialOfOccupancy": lambda b: min(15, deny(b)),
    "Dyke": lambda b: min(7, dyke(b)),
    "Exchange": lambda b: min(15, exch(b)),
    "Fork": lambda b: min(7, fork(b)),
    "Gap": lambda b: min(15, gap(b)),
    "BackRowControl": guard,
    "Hole": lambda b: min(7, hole(b)),
    "UndeniedMobility": lambda b: min(7, mobil(b)),
    "Node": lambda b: min(7, node(b)),
    "TriangleOfOreo": oreo,
    "Pole": lambda b: min(7, pole(b)),
    "Threat": lambda b: min(7, thret(b)),
    "Taken": lambda b: min(7, thret(exchanged(b))),
}


# ---- Lynch's features as the program of 1997 coded them


def saturated_low_bit(value: int, bits: int) -> int:
    """Above the range only the lowest bit was forced on."""
    return value % 2**bits | (value >= 2**bits)


def wrong_low_bit(value: int, bits: int) -> int:
    low = value == 1 or value >= 2**bits
    return (value % 2**bits) // 2 * 2 + low


def jumpers(board: Board, side: str) -> int:
    north_east, north_west, south_east = (1, 1), (1, -1), (-1, 1)
    total = 0
    for at in own(board, side):
        ways = {direction for _, direction in first_jumps(board, at)}
        several = len(ways) > 1 and ways != {north_east, north_west, south_east}
        total += 2 if several else int(bool(ways))
    return total


def quirky_centre(board: Board) -> int:
    reached = {end for _, end in steps(board, "A")}
    return len(CENTRE & (set(own(board, "A", False)) | reached))


QUIRKS = {
    "PieceAdvantage": lambda b, n: saturated_low_bit(max(0, lead(b)), n),
    "PieceDisadvantage": lambda b, n: wrong_low_bit(max(0, -lead(b)), n),
    "PieceThreat": lambda b, n: saturated_low_bit(jumpers(b, "A"), n),
    "PieceTake": lambda b, n: saturated_low_bit(jumpers(b, "P"), n),
    "Advancement": lambda b, n: wrong_low_bit(adv(b) + 8, n),
    "DoubleDiagonal": lambda b, n: saturated_low_bit(dia(b), n),
    "BackRowBridge": lambda b, n: lynch_bridge(b),
    "CentreControl": lambda b, n: saturated_low_bit(max(0, cent(b) - 1), n),
    "XCentreControl": lambda b, n: saturated_low_bit(max(0, quirky_centre(b) - 1), n),
    "TotalMobility": lambda b, n: saturated_low_bit(mob(b), n),
    "Exposure": lambda b, n: saturated_low_bit(expos(b), n),
    "KingCentreControl": lambda b, n: saturated_low_bit(max(0, kcent(b) - 1), n),
}


# ---- the genes of DRAFT5


def difference(count):  # type: ignore[no-untyped-def]
    return lambda board: count(board) - count(exchanged(board))


def guarded(board: Board) -> int:
    return sum(at[0] == 1 for at in own(board, "P", False)) + holds(board, "P", (1, 3), False)


def cornered(board: Board) -> int:
    return int(lead(board) < 0 and bool(DOUBLE_CORNERS & set(own(board, "P", True))))


def nearness(board: Board) -> int:
    others = own(board, "A")
    if lead(board) <= 0 or not others:
        return 0
    return -sum(
        min(max(abs(at[0] - other[0]), abs(at[1] - other[1])) for other in others)
        for at in own(board, "P", True)
    )


def has_move(board: Board) -> int:
    if not move_counts(board):
        return 0
    return -1 if move(board) else 1


DRAFT5 = {
    "piece": difference(lambda b: len(own(b, "P", False))),
    "king": difference(lambda b: len(own(b, "P", True))),
    "mob": difference(lambda b: len(list(steps(b, "P", False)))),
    "kmob": difference(lambda b: len(list(steps(b, "P", True)))),
    "back": difference(guarded),
    "cent": difference(cent),
    "kcent": difference(kcent),
    "adv1": difference(lambda b: sum(at[0] - 1 for at in own(b, "P", False))),
    "dblsq": difference(cornered),
    "near": difference(nearness),
    "exch": difference(lambda b: 12 - len(own(b, "P")) if lead(b) > 0 else 0),
    "move": has_move,
}

SLOW = {
    f"{family}.{tag}": function
    for family, functions in (
        ("draft5", DRAFT5), ("samuel", SAMUEL), ("printed", {"oreo": printed_oreo}),
        ("lynch", LYNCH), ("ufu", UFU),
    )
    for tag, function in functions.items()
}  # fmt: skip
