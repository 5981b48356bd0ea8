"""`crossboard hub`: a player as an engine for programs that speak the Hub protocol."""

from __future__ import annotations

import sys

from crossboard.cli.limits import PLAYER_IN_MEN, NoTables, PlayerName, TablesFolder
from crossboard.cli.remarks import print_remark
from crossboard.play.opponents import TablesChoice, once, refuse_outside


def run(
    *, player: PlayerName = PLAYER_IN_MEN, tables: TablesFolder = None, no_tables: NoTables = False
) -> None:
    """Speak the Hub protocol on standard input and output, for other programs.

    People try it with the lines hub, init, level move-time=1, go think, and quit.
    """
    from crossboard.protocols import HubEngine  # only this command needs it

    refuse_outside(player)

    def write(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    choice = TablesChoice(tables, no_tables)
    remark = once(print_remark)
    HubEngine(player, write, lambda one: choice.apply(one, remark)).serve(sys.stdin.buffer)
