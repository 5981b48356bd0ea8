"""A player as a folder: player.toml says what it is, weights.safetensors holds what it learnt.

Nothing in a folder is ever run. Names, sizes and numbers are checked before a player is made of it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args

from pydantic import Field, ValidationError, create_model

from crossboard._core import Setting
from crossboard.evaluators import AnyTable, Evaluation, EvaluationTable, Table
from crossboard.players.errors import PlayerError
from crossboard.players.levels import SIGN, make_level, read_level
from crossboard.players.player import MOST_PIECES, Player, RandomPlayer, When, WrongGame
from crossboard.players.settings import SETTINGS, SearchLimits, SearchSettings
from crossboard.players.specialists import Specialists, SpecialistsTable
from crossboard.players.weights import WEIGHTS, WEIGHTS_PATTERN, Weights, read_file

DESCRIPTION = "player.toml"
# Chosen: far more than any player of ours needs.
MAX_DESCRIPTION_BYTES = 1_000_000
MAX_MADE_BY = 10_000
MAX_EVALUATORS = 100
# How often a folder is read again because the player in it has just been replaced.
TRIES = 100
# What a player may be called: names end up in file names, PDN tags and tables.
NAME = r"[A-Za-z0-9][A-Za-z0-9 ._+-]{0,99}"
# Where own players are looked for, beside folders named as such.
OWN_FOLDER = Path("players")
RUNS_FOLDER = Path("runs")
# What is listed of a player that does not load.
UNREADABLE = "?"


class RandomTable(Table):
    """Any legal move: no evaluation at all."""

    kind: Literal["random"]


EvaluatorTable = Annotated[RandomTable | AnyTable, Field(discriminator="kind")]


def _type_of(setting: Setting, usual: Any) -> Any:
    if setting.choices:
        return Literal[tuple(setting.choices)]
    if isinstance(usual, bool):
        return bool
    number = Annotated[int, Field(ge=setting.least, le=setting.most)]
    return number | None if usual is None else number


# The rules of draws belong to the game.
SEARCH_KEYS = [name for name in SETTINGS if name != "draws"]


def _search_fields() -> dict[str, Any]:
    """Return the types and defaults of the search's keys."""
    usual = asdict(SearchSettings())
    return {key: (_type_of(SETTINGS[key], usual[key]), usual[key]) for key in SEARCH_KEYS}


if TYPE_CHECKING:

    class SearchTable(Table):
        """As `SearchSettings`, but for the rules of draws."""
else:
    SearchTable = create_model("SearchTable", __base__=Table, **_search_fields())


class LimitsTable(Table):
    """As `SearchLimits`."""

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    clock: Literal["wall", "cpu"] = "wall"
    floors: list[Annotated[list[int], Field(min_length=2, max_length=2)]] = Field(
        default_factory=list
    )

    def limits(self) -> SearchLimits:
        """Return what it says; raise ValueError if it makes no sense."""
        floors = tuple((pieces, depth) for pieces, depth in self.floors)
        return SearchLimits(**dict(self) | {"floors": floors})


class PhaseTable(Table):
    """When an evaluator other than the main one plays."""

    evaluator: str
    least_pieces: Annotated[int, Field(ge=0, le=MOST_PIECES)] = 0
    most_pieces: Annotated[int, Field(ge=0, le=MOST_PIECES)] = MOST_PIECES
    balance: Literal["any", "ahead", "level", "behind"] = "any"


class PlayerTable(Table):
    """All of player.toml."""

    game: Literal["draughts", "duchess"]
    name: str = Field(pattern=f"^{NAME}$")
    made_by: str = Field("", max_length=MAX_MADE_BY)
    weights: str = Field(WEIGHTS, pattern=f"^{WEIGHTS_PATTERN}$")
    evaluators: dict[str, EvaluatorTable]
    search: SearchTable = SearchTable()
    limits: LimitsTable = LimitsTable()
    phases: list[PhaseTable] = Field([], max_length=1000)
    specialists: SpecialistsTable | None = None

    @property
    def players(self) -> int | None:
        """For how many players its evaluation is; None where the game leaves no choice."""
        main = self.evaluators.get("main")
        return main.seats if isinstance(main, EvaluationTable) else None


class Listed(NamedTuple):
    """A player that can be loaded, and what is known of it without loading it."""

    name: str
    folder: Path
    is_shipped: bool
    game: str
    evaluator: str
    made_by: str

    @property
    def has_levels(self) -> bool:
        """Whether it searches, so that it has weaker levels."""
        return self.evaluator not in ("random", UNREADABLE)


def load_player(name: str | Path, *, search: SearchSettings | None = None) -> Player:
    """Return a shipped player, one of ./players, or the one in a folder, or a level of it.

    `search` takes the place of the player's own settings. Raises PlayerError, a ValueError.
    """
    name, level = split_level(name)
    player = _load_whole(find_folder(name), search)
    return player if level is None else make_level(player, level)


def _load_whole(folder: Path, search: SearchSettings | None) -> Player:
    """Return the player in a folder, whatever is saved there meanwhile."""
    for _ in range(TRIES):
        with _watched(folder) as is_in_place:
            try:
                player = _make_player(parse_description(_read_text(folder), folder), folder, search)
            except PlayerError:
                if is_in_place():
                    raise
                continue
            # Else one file may be of an older player, the other of the one that took its place.
            if is_in_place():
                return player
    raise PlayerError(f"{folder} keeps changing while it is being read")


def read_description(name: str | Path) -> PlayerTable:
    """Return what a player's folder says of it, without its weights; raise PlayerError."""
    folder = find_folder(split_level(name)[0])
    return parse_description(_read_text(folder), folder)


def split_level(name: str | Path) -> tuple[str | Path, int | None]:
    """Return the player and the level that a name asks for; None: the player as it is.

    A folder whose own name has the sign is a player. Raises PlayerError for an unknown level.
    """
    if not isinstance(name, str) or SIGN not in name or _look_up(name) is not None:
        return name, None
    of_player, _, level = name.rpartition(SIGN)
    if not of_player or (_look_up(of_player) is None and not level.isdecimal()):
        return name, None
    find_folder(of_player)
    return of_player, read_level(level, of_player)


def _make_player(table: PlayerTable, folder: Path, search: SearchSettings | None) -> Player:
    if "main" not in table.evaluators:
        raise PlayerError(f"{folder / DESCRIPTION}: evaluators has no 'main'")
    try:
        check_size(len(table.evaluators))
    except ValueError as error:
        raise PlayerError(f"{folder / DESCRIPTION}: {error}") from None
    weights = Weights(folder, table.weights)
    evaluations = {
        key: evaluation
        for key, each in table.evaluators.items()
        if (evaluation := _evaluation(key, each, weights)) is not None
    }
    specialists = _specialists(table, evaluations, weights)
    weights.check_all_taken()
    about = {"made_by": table.made_by, "folder": str(folder)}
    if "main" not in evaluations:
        for key in ("phases", "specialists", "search", "limits"):
            if key in table.model_fields_set:
                where = f"{folder / DESCRIPTION}: {key}"
                raise PlayerError(f"{where}: a player whose evaluators.main is random has none")
        return RandomPlayer(table.name, about=about, game=table.game)
    try:
        limits = table.limits.limits()
    except ValueError as error:
        raise PlayerError(f"{folder / DESCRIPTION}: limits: {error}") from None
    phases = list(_phases(table, evaluations, folder))
    try:
        return Player(
            table.name,
            evaluations["main"],
            phases=phases,
            specialists=specialists,
            names=evaluations,
            search=search or SearchSettings(**table.search.model_dump()),
            limits=None if limits.is_none else limits,
            about=about,
            game=table.game,
        )
    except WrongGame as error:
        raise PlayerError(f"{folder / DESCRIPTION}: {error}") from None
    except ValueError as error:
        if search is not None:  # whoever gave it knows what it is about
            raise
        raise PlayerError(f"{folder / DESCRIPTION}: search: {error}") from None


def check_size(evaluators: int) -> None:
    """Raise ValueError for more evaluators than a player may have."""
    if evaluators > MAX_EVALUATORS:
        raise ValueError(f"evaluators: {evaluators} are more than {MAX_EVALUATORS}")


def find_folder(name: str | Path) -> Path:
    """Return the folder of a shipped player, of one in ./players, or the folder itself."""
    if (folder := _look_up(name)) is not None:
        return folder
    if os.path.isdir(name):
        inner = Path(name) / "player"  # where a run has its player
        hint = f": did you mean {inner}?" if _is_player(inner) else ""
        raise PlayerError(f"{name} is no player: it has no {DESCRIPTION}{hint}")
    known = [player.name for player in list_players()]
    near = get_close_matches(str(name), known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    raise PlayerError(f"there is no player {str(name)!r}: {hint}")


def _look_up(name: str | Path) -> Path | None:
    """Return the folder of a player, None if there is none."""
    shipped = shipped_folder()
    if isinstance(name, str) and _is_plain(name) and _is_player(shipped / name):
        return shipped / name
    return next((one for one in (OWN_FOLDER / name, Path(name)) if _is_player(one)), None)


def _is_plain(name: str) -> bool:
    return Path(name).name == name


def _is_player(folder: Path) -> bool:
    # os.path takes a name that no file can have for one that no file has.
    return os.path.isfile(folder / DESCRIPTION)


def shipped_folder() -> Path:
    """Return where the players that come with the package live."""
    return Path(str(files("crossboard.players"))) / "shipped"


def list_players() -> list[Listed]:
    """Return shipped players, those in ./players, and those that runs have trained."""
    folders = [(folder, True) for folder in sorted(shipped_folder().iterdir())]
    folders += [(folder, False) for folder in sorted(OWN_FOLDER.glob("*"))]
    folders += [(folder, False) for folder in sorted(RUNS_FOLDER.glob("*/player"))]
    return [_listed(*each) for each in folders if (each[0] / DESCRIPTION).is_file()]


def _listed(folder: Path, is_shipped: bool) -> Listed:
    shown = folder.name if is_shipped or folder.parent == OWN_FOLDER else str(folder)
    try:
        table = parse_description(_read_text(folder), folder)
    except PlayerError as error:
        return Listed(shown, folder, is_shipped, UNREADABLE, UNREADABLE, f"does not load: {error}")
    kinds = [each.kind for each in table.evaluators.values()]
    kind = kinds[0] if len(kinds) == 1 else f"{len(kinds)} evaluators"
    return Listed(shown, folder, is_shipped, table.game, kind, table.made_by)


@contextmanager
def _watched(folder: Path) -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether no other description has taken this one's place."""
    path = folder / DESCRIPTION

    def is_in_place() -> bool:
        try:
            return os.path.samestat(os.fstat(file.fileno()), path.stat())
        except OSError:
            return False

    try:
        # As long as a file is open, no other file gets its number.
        file = path.open("rb")
    except OSError as error:
        raise PlayerError(f"{path}: {error.strerror}") from None
    with file:
        yield is_in_place


def _read_text(folder: Path) -> str:
    path = folder / DESCRIPTION
    try:
        return read_file(path, MAX_DESCRIPTION_BYTES).decode("utf-8")
    except UnicodeDecodeError as error:
        raise PlayerError(f"{path} is no TOML: {error}") from None
    except OSError as error:
        raise PlayerError(f"{path}: {error.strerror}") from None


def parse_description(text: str, folder: Path) -> PlayerTable:
    """Check what a folder's player.toml says; raise PlayerError that names the key."""
    path = folder / DESCRIPTION
    try:
        return PlayerTable.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise PlayerError(f"{path} is no TOML: {error}") from None
    except ValidationError as error:
        raise PlayerError(f"{path}: {_explain(error)}") from None


def _explain(error: ValidationError) -> str:
    """Say one thing that is wrong, with the nearest known key for an unknown one."""
    # A key that is misspelt is missing under its right name too: the former says more.
    first = min(error.errors(), key=lambda each: each["type"] != "extra_forbidden")
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] != "extra_forbidden":
        return f"{key}: {first['msg']}"
    unknown = str(first["loc"][-1])
    near = get_close_matches(unknown, _known_keys(), n=1)
    return f"{key}: no such key" + (f", did you mean {near[0]}?" if near else "")


def _known_keys() -> list[str]:
    own = (PlayerTable, SearchTable, LimitsTable, PhaseTable, SpecialistsTable)
    tables = (*own, *get_args(AnyTable))
    return [name for table in tables for name in table.model_fields]


def _phases(
    table: PlayerTable, evaluations: dict[str, Evaluation], folder: Path
) -> Iterator[tuple[When, Evaluation]]:
    for number, phase in enumerate(table.phases, start=1):
        if phase.evaluator not in evaluations:
            known = ", ".join(evaluations)
            raise PlayerError(
                f"{folder / DESCRIPTION}: phases: phase {number} asks for evaluator "
                f"{phase.evaluator!r}: there are {known}"
            )
        yield When(**phase.model_dump(exclude={"evaluator"})), evaluations[phase.evaluator]


def _specialists(
    table: PlayerTable, evaluations: dict[str, Evaluation], weights: Weights
) -> Specialists | None:
    if table.specialists is None:
        return None
    try:
        return table.specialists.specialists(evaluations, weights.part("specialists"))
    except PlayerError:
        raise
    except ValueError as error:
        raise PlayerError(f"{weights.folder / DESCRIPTION}: specialists: {error}") from None


def _evaluation(key: str, table: RandomTable | AnyTable, weights: Weights) -> Evaluation | None:
    """Make an evaluation; None stands for random moves."""
    if isinstance(table, RandomTable):
        return None
    try:
        return table.evaluation(weights.part(key))
    except PlayerError:
        raise
    except ValueError as error:
        raise PlayerError(f"{weights.folder / DESCRIPTION}: evaluators.{key}: {error}") from None
