"""Every feature on boards small enough to count on one's fingers.

Black has just moved, so Black is `own`; White, to move, is `other`. Beside each board stands how
its number comes about. Rows are Black's; "7: 2, 3" means that 7 has the neighbours 2 and 3.
"""

from __future__ import annotations

import pytest

from crossboard.draughts import Position
from crossboard.evaluators import Mapping, feature, features

DRAFT5 = [
    ("piece", "W:W32:B1,2,K3", 1),  # two men against one
    ("king", "W:WK32,K30:B1,K3", -1),  # one king against two
    ("mob", "W:W29:B10", 1),  # 10 to 14, 15; 29 only to 25
    ("kmob", "W:WK29:BK10", 3),  # 10 to 6, 7, 14, 15; 29 only to 25
    ("back", "W:W29,30:B1,3", 1),  # two men and the bridge against two men
    ("back", "W:W29:BK1,K3", -1),  # kings guard nothing
    ("cent", "W:W18:B5,10,14", 1),  # 10, 14 against 18
    ("kcent", "W:WK18:BK10,K14,15", 1),  # kings on 10, 14 against 18
    ("adv1", "W:W25:B5,17", 4),  # 5 is one row up, 17 four; 25 one for White
    ("dblsq", "W:W30,31:BK1", 1),  # 3 against 4, the king in a double corner
    ("dblsq", "W:WK32:B1,2", -1),  # the same for White
    ("dblsq", "W:W30:BK1", 0),  # ahead
    ("near", "W:W30:BK1,2", -7),  # ahead; from row 1 to row 8
    ("near", "W:WK18,30:B10", 2),  # White is ahead, its king two rows away
    ("near", "W:WK18:BK10", 0),  # nobody is ahead
    ("exch", "W:W30:B1,2", 10),  # ahead, ten pieces gone
    ("exch", "W:W30,31,32:B1,2", -9),  # White has given nine
    ("move", "W:W30,31:B1,6", -1),  # only 1 is in the system: odd, so White has the move
    ("move", "W:W26,30:B1,6", 1),  # 1 and 26
    ("move", "W:W26:B1,6", 0),  # unequal
]

SAMUEL = [
    ("adv", "W:W32:B9,17,K18,20,24", 2),  # 17, 20, 24 less 9; the king does not count
    ("apex", "W:W26,32:B1,2", -1),  # White holds 26, Black neither
    ("apex", "W:W26,32:B1,7", 0),  # Black holds 7
    ("apex", "W:W26,K32:B1,2", 0),  # there is a king
    ("back", "W:W30:B1,3,5", 1),  # the bridge
    ("back", "W:W30:BK1,3", 1),  # whoever holds it
    ("back", "W:WK30:B1,3", 0),  # no use against a king
    ("cent", "W:W32:B5,10,15,K18,22", 3),  # 10, 15, 22
    ("cntr", "W:W23,24,26,K14:B1", 6),  # holds 14, 23; reaches 10, 18, 19, 22
    ("corn", "W:WK6,30:B10,11,12", 1),  # 5 against 6, and 6 can go to 1
    ("corn", "W:WK6,30:B10,11", 0),  # 5 against 4
    ("corn", "W:WK7,30:B10,11,12", 0),  # 7: 2, 3, 10, 11
    ("cramp", "W:W17,21,22,25:B9,13", 2),
    ("cramp", "W:W17,21,22,25:B13,14", 2),
    ("cramp", "W:W17,21,22,25:B10,13", 0),  # neither 9 nor 14
    ("cramp", "W:W17,21,22,26:B9,13", 0),  # not 25
    ("deny", "W:W18:B10", 2),  # on 14 and on 15 it is taken by 10
    ("deny", "W:W18,21:B10", 1),  # 18-14 10x17 21x14 is an exchange; 18-15 10x19 is not
    ("dia", "W:W29:B1,2,14,28", 3),  # all but 2
    ("diav", "W:W32:B1,2,3,4", 6),  # 3 + 2 + 1 + 0
    ("dyke", "W:W32:B3,7,10", 1),
    ("dyke", "W:W32:B3,7,10,14,17", 1),  # five in a line have one whole three
    ("dyke", "W:W32:B3,7,10,14,17,21", 2),  # six have two
    ("dyke", "W:W32:B6,9,10,13,15", 2),  # 6-9-13 and 6-10-15
    ("exch", "W:W18,21:B10", 1),  # 18-14 10x17 21x14
    ("exch", "W:W18:B10", 0),  # nothing to take back with
    ("expos", "W:W32:B1,15", 1),  # 15 stands free; 1 is at the edge
    ("expos", "W:W22:B14,18", 1),  # 14 between 10 and 17; 18 has 22 and 14 on either diagonal
    ("fork", "W:WK2:B10,11", 1),  # from 7 it attacks both, 14 and 16 are empty
    ("fork", "W:WK2:B10,11,16", 0),  # 16 is not
    ("fork", "W:WK2:BK10,11", 0),  # 10x3 answers
    ("fork", "W:WK8:B10,11", 0),  # cannot go to 7
    ("gap", "W:W32:B9,18", 3),  # 14 between them; 5 and 13 between 9 and the edge
    ("guard", "W:W32:B2,3,7", 1),  # Oreo
    ("guard", "W:W32:B1,3", 1),  # bridge
    ("guard", "W:WK32:B1,2,3,7", 0),  # a king
    ("hole", "W:W32:B6,7,14", 1),  # 10: 6, 7, 14, 15
    ("kcent", "W:W32:BK10,15,K18", 2),
    ("mob", "W:W18:B10", 2),  # 14, 15
    ("mob", "W:WK18:B10", 4),  # 14, 15, 22, 23
    ("mob", "W:W18,19:B1", 3),  # 14, 15, 16: 15 once
    ("mobil", "W:W18,21:B10", 2),  # 14, 15, 17 less 15
    ("move", "W:W30,31:B1,6", 1),  # 1 alone is in the system
    ("move", "W:W26,30:B1,6", 0),  # 1 and 26
    ("move", "W:W30:B1,6", 0),  # unequal
    ("node", "W:W32:B1,15,18", 2),  # 15 and 18 lack only each other; 1 is at the edge
    ("oreo", "W:W32:B2,3,7", 1),
    ("oreo", "W:WK32:B2,3,7", 0),
    ("pole", "W:W32:B5,15,K22", 1),  # 15; 5 is at the edge, 22 no man
    ("recap", "W:W18,21:B10", 1),  # as exch
    ("thret", "W:W22:B14", 2),  # from 17 it would take to 10, from 18 to 9
    ("thret", "W:W22:B9,14", 1),  # 9 is not free
]

# To Samuel's letter, where another reading was chosen.
PRINTED = [
    ("oreo", "W:W32:B2,3,7", 1),
    ("oreo", "W:WK32:B2,3,7", 1),  # kings of other do not matter
    ("oreo", "W:W32:B2,3,7,K22", 0),  # own's do
]

LYNCH = [
    ("PieceAdvantage", "W:W32:B1,K2,3", 5),  # 7 less 2
    ("PieceAdvantage", "W:W31,K32:B1", 0),
    ("PieceAdvantage", "W:W32:B1-12", 15),  # 22 does not fit
    ("PieceDisadvantage", "W:W31,K32:B1", 3),  # 5 less 2
    ("PieceThreat", "W:W18:B14,15", 2),  # 18x9, 18x11
    ("PieceTake", "W:W18:B14,15", 1),  # 14x23 and 15x22 take the same
    ("Advancement", "W:W32:B9,17,K18,20,24", 5),  # (2 + 8) / 2
    ("DoubleDiagonal", "W:W29:B1,2,14,28", 3),
    ("BackRowBridge", "W:W30:B1,3", 1),
    ("BackRowBridge", "W:W30:BK1,3", 0),  # men
    ("CentreControl", "W:W32:B5,10,15,K18,22", 3),
    ("XCentreControl", "W:W23,24,26,K14:B1", 6),
    ("TotalMobility", "W:W18:B10", 2),
    ("Exposure", "W:W32:B1,15", 1),
    ("KingCentreControl", "W:W32:BK10,15,K18", 2),
]

UFU = [
    *LYNCH,
    ("DiagonalMoment", "W:W32:B1,2,3,4", 3),  # 6 halves
    ("Apex", "W:W26,32:B1,2", 0),  # the debit
    ("Apex", "W:W26,32:B1,7", 1),
    ("Cramp", "W:W17,21,22,25:B9,13", 2),
    ("DenialOfOccupancy", "W:W18:B10", 2),
    ("Dyke", "W:W32:B3,7,10,14,17,21", 2),
    ("Exchange", "W:W18,21:B10", 1),
    ("Fork", "W:WK2:B10,11", 1),
    ("Gap", "W:W32:B9,18", 3),
    ("BackRowControl", "W:W32:B2,3,7", 1),
    ("Hole", "W:W32:B6,7,14", 1),
    ("UndeniedMobility", "W:W18,21:B10", 2),
    ("Node", "W:W32:B1,15,18", 2),
    ("TriangleOfOreo", "W:W32:B2,3,7", 1),
    ("Pole", "W:W32:B5,15,K22", 1),
    ("Threat", "W:W22:B14", 2),
    ("Taken", "W:W22:B14", 2),  # from 18 it would take to 25, from 17 to 26
]

# As the program of 1997 coded them.
QUIRKS = [
    ("PieceAdvantage", "W:W32:B1-12", 7),  # 22 is 10110: the lower four bits, the lowest forced on
    ("PieceDisadvantage", "W:W31,K32:B1", 2),  # 3 without its lowest bit
    ("PieceThreat", "W:W18:B14,15", 2),  # one jumper with two ways
    ("PieceTake", "W:W18:B14,15", 2),  # two jumpers
    ("Advancement", "W:W32:B9,17,K18,20,24", 3),  # 10 is 1010: 010, and above the range
    ("CentreControl", "W:W32:B5,10,15,K18,22", 2),  # one less
    ("XCentreControl", "W:W23,24,26,K14:B1", 4),  # the king forgotten, and one less
    ("KingCentreControl", "W:W32:BK10,15,K18", 1),  # one less
    ("DoubleDiagonal", "W:W29:B1,2,14,28", 3),
    ("BackRowBridge", "W:W30:B1,3", 1),
    ("TotalMobility", "W:W18:B10", 2),
    ("Exposure", "W:W32:B1,15", 1),
    ("DiagonalMoment", "W:W32:B1,2,3,4", 6),
    ("DiagonalMoment", "W:W32:B1,2,3,4,5,6,7,9,12", 3),  # 18 in four bits, the lowest forced on
]

FAMILIES = {
    "draft5": DRAFT5, "samuel": SAMUEL, "printed": PRINTED, "lynch": LYNCH, "ufu": UFU,
}  # fmt: skip
CASES = [
    (f"{family}.{tag}", fen, number)
    for family, cases in FAMILIES.items()
    for tag, fen, number in cases
]


@pytest.mark.parametrize(("name", "fen", "number"), CASES)
def test_feature_on_a_small_board(name: str, fen: str, number: int):
    assert feature(name)(Position.from_fen(fen)) == number


def quirky_name(tag: str) -> str:
    return f"{'ufu' if tag == 'DiagonalMoment' else 'lynch'}.{tag}"


@pytest.mark.parametrize(("tag", "fen", "code"), QUIRKS)
def test_quirk_on_a_small_board(tag: str, fen: str, code: int):
    name = quirky_name(tag)
    mapping = Mapping.of_features([(name, feature(name).bits)], off=0, quirks=True)
    bits = mapping.inputs(Position.from_fen(fen))
    assert sum(2**place * bit for place, bit in enumerate(bits)) == code


def test_no_feature_is_left_out():
    assert {name for name, _, _ in CASES} == {f.name for f in features()}
    quirky = {f.name for f in features() if f.family == "lynch"} | {"ufu.DiagonalMoment"}
    assert {quirky_name(tag) for tag, _, _ in QUIRKS} == quirky
