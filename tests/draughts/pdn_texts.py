"""Games in PDN for the tests of reading and writing: a full one, dirty ones, bad ones."""

from __future__ import annotations

GAME = """[Event "Friendly \\"match\\""]
[Date "1998.??.??"]
[Black "Ünal"]
[White "A \\\\ B"]
[Result "1-0"]

{before all} 1. 11-15 $1 {good} 22-18?! (1... 23-18 2. 8-11 {so so} (2. 9-14)
2... 27-23) 2. 15x22 25x18 {[%clk 0:01:00]} {two} 3. 8-11 ; to the end of the line
29-25 % like this
4. 4-8 1-0
"""


# Ways to write the moves 11-15 22-18 15x22 25x18.
DIRTY = {
    "blanks in moves": "1. 11 - 15 22- 18 2. 15 x22 25 x 18 *",
    "line breaks in moves": "1. 11-\n15 22\n-18 2. 15x\r\n22 25\n\nx\n18 *",
    "leading zeros": "01. 11-15 22-18 02. 015x22 25x018 *",
    "jump sign for a step": "1. 11x15 22x18 2. 15x22 25x18 *",
    "step sign for a jump": "1. 11-15 22-18 2. 15-22 25-18 *",
    "colons": "1. 11-15 22-18 2. 15:22 25:18 *",
    "capital sign": "1. 11-15 22-18 2. 15X22 25X18 *",
    "no separators": "1. 1115 2218 2. 1522 2518 *",
    "no move numbers": "11-15 22-18 15x22 25x18 *",
    "numbers without dots": "1 11-15 22-18 2 15x22 25x18 *",
    "stuck to the numbers": "1.11-15 22-18 2.15x22 25x18*",
    "dots for Black": "1. 11-15 1... 22-18 2. 15x22 2. ... 25x18 *",
    "dashes for a missing move": "1. 11-15 22-18 2. 15x22 25x18 3. - - *",
    "strengths": "1. 11-15! 22-18 ? 2. 15x22(!) 25x18 !? *",
    "forced moves": "1. 11-15 22-18 2. 15x22* 25x18* *",
    "comments of all kinds": "{a} 1. 11-15 ;b\n22-18 %c\n2. 15x22 {d}{e} 25x18 {f\n}*",
    "windows": "1. 11-15 22-18\r\n2. 15x22 25x18\r\n*\r\n\x1a",
    "old mac": "1. 11-15 22-18\r2. 15x22 25x18\r*\r",
    "byte order mark": "\ufeff1. 11-15 22-18 2. 15x22 25x18 *",
    "result missing": "1. 11-15 22-18 2. 15x22 25x18",
}


# What is wrong, as the middle one of three games: text, move, line in the file, reason.
BAD = {
    "no piece": ("1. 11-15 22-18\n2. 14-17 25x18 *", "14-17", 6, "there is no piece on 14"),
    "wrong side": ("1. 11-15 9-13 *", "9-13", 5, "the piece on 9 is Black's"),
    "no such step": ("1. 11-15 22-13 *", "22-13", 5, "13 is not one diagonal step from 22"),
    "nothing to capture": ("1. 11x18 *", "11x18", 5, "there is nothing to capture"),
    "compulsory": ("1. 11-15 22-18 2. 9-13 *", "9-13", 5, "capture is compulsory: 15x22"),
    "no such square": ("1. 11-15 22-33 *", "22-33", 5, "squares are 1 to 32"),
    "enormous square": (f"1. 11-15 22-{'9' * 50} *", "22-999", 5, "squares are 1 to 32"),
    "blanks in it": ("1. 11-15\n22 -\n13 *", "22-13", 6, "13 is not one diagonal step"),
    "rubbish": ("1. 11-15 hello *", "hello", 5, "not a move"),
    "letters": ("1. e3-d4 *", "e3-d4", 5, "not a move"),
    "jump too short": (
        '[FEN "B:W6,15:B1"]\n1. 1x10 *',
        "1x10",
        6,
        "the jump must go on: 1x10x19",
    ),
    "ambiguous": ('[FEN "B:W6,7,14,15:B2"]\n1. 2x18 *', "2x18", 6, "2x9x18"),
    "bad FEN": ('[FEN "B:W33:B1"]\n1. 1-5 *', "", None, "no square 33"),
    "other game": ('[GameType "20"]\n1. 32-28 *', "", None, "20 is not English draughts"),
    "bad set-up": ('1. 11-15\n/FEN "B:W5:B5"/ 1-6 *', "", 6, "two pieces stand on square 5"),
    "unknown command": ("1. 11-15\n/POS 5/ *", "", 6, 'a set-up is written /FEN "..."/'),
    "open set-up": ('1. 11-15\n/FEN "B:W5:B1\n*', "", 6, 'a set-up is written /FEN "..."/'),
    "nag without number": ("1. 11-15 $ *", "$", 5, "a number is missing"),
    "open comment": ("1. 11-15 {never closed", "", 5, "comment is not closed"),
    "open variation": ("1. 11-15 (1. 9-13 22-18", "", None, "variation is not closed"),
    "closed too often": ("1. 11-15 )", ")", 5, "no variation to close"),
    "variation first": ("(1. 9-13) 1. 11-15 *", "", 5, "before the first move"),
    "open tag": ('[Site "x\n1. 11-15 *', "", 5, "the tag Site is not closed"),
    "tag without value": ("[Site]\n1. 11-15 *", "", 5, '[Name "value"]'),
    "tag twice": ('[Site "x"]\n[Site "y"]\n1. 11-15 *', "", 6, "the tag Site is given twice"),
}


class Dribble:
    """A binary file that gives a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self.pieces = [data[i : i + size] for i in range(0, len(data), size)]

    def read(self, _size: int = -1) -> bytes:
        return self.pieces.pop(0) if self.pieces else b""
