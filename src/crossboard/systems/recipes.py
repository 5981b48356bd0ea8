"""Recipes: the published systems as things to train, each with its settings and presets."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from crossboard.evaluators import Network
from crossboard.learn import Schooling, Snapshot
from crossboard.players import Player
from crossboard.systems.registers import enter, gather

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The modules of this package that register a recipe when they are imported.
MODULES = (
    "neurodraughts",
    "visiondraughts",
    "experts",
    "treestrap",
    "tdleaf",
    "duchess",
    "draft5_ga",
    "mp_draughts",
    "ls_draughts",
    "champion",
)
DEFAULT_SYSTEM = "neurodraughts"
DEFAULT_PRESET = "tuned"
# What papers call a key, where Python has no such name: the fading of credit in TD(lambda), and
# that of rates with depth in TreeStrap on Duchess.
ALIASES = {"lambda": "decay"}


class RecipeSettings(BaseModel):
    """What can be set of a system: keys, their types and limits, checked."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, validate_default=True, allow_inf_nan=False
    )

    games: int  # to be played in all
    exam_every: Annotated[int, Field(ge=0)] = 0  # games between two exams; 0: only at the end
    exam_games: Annotated[int, Field(ge=1)] = 100

    def with_changes(self, changes: Sequence[str]) -> Self:
        """Return the same with KEY=VALUE texts applied; raise ValueError naming what is wrong."""
        values = self.model_dump()
        written = {}  # what each key was called
        for change in changes:
            given, _, text = change.partition("=")
            key = ALIASES.get(given, given)
            if key not in values or not text:
                names = [*values, *(name for name, real in ALIASES.items() if real in values)]
                (near,) = get_close_matches(given, names, n=1, cutoff=0)
                hint = f"did you mean {near}? There are {', '.join(names)}"
                raise ValueError(
                    f"{change!r}: settings are KEY=VALUE, and there is no key {given!r}: {hint}"
                    if key not in values
                    else f"{change!r}: say what {given} is to be, as in "
                    f"{given}={format_value(values[key])}"
                )
            values[key] = _value_of(text)
            written[key] = given
        return self.checked(values, written)

    def refuse_idle(self, given: Collection[str]) -> None:
        """Raise ValueError if one of the keys that somebody has set has no effect."""
        idle = self.idle_keys()
        for name in given:
            key = ALIASES.get(name, name)
            if key in idle:
                raise ValueError(f"{name} has no effect here: {idle[key]}")

    def title(self, system: str) -> str:
        """Return what players are called that a system trains so, but for the seed."""
        return system

    def untrained(self, seed: int) -> Network | None:
        """Return what a training begins with, if that is worth an exam."""
        return None

    def remarks(self) -> Sequence[str]:
        """Return what should be told of these settings before they are used."""
        return ()

    def idle_keys(self) -> Mapping[str, str]:
        """Return the keys that have no effect beside the others, and why."""
        return {}

    @classmethod
    def checked(cls, values: Mapping[str, Any], written: Mapping[str, str] | None = None) -> Self:
        """Make settings of values; raise ValueError with the first key that is wrong.

        `written` has the keys that somebody has called by other names.
        """
        try:
            return cls(**values)
        except ValidationError as error:
            first = error.errors()[0]
            key, *inner = map(str, first["loc"] or [""])
            if not key:  # keys that do not go together
                raise ValueError(first["msg"].removeprefix("Value error, ")) from None
            where = ".".join([(written or {}).get(key, key), *inner])
            what = first["msg"].replace("a valid tuple", "a list in brackets")
            usual = cls.model_fields[key].default if key in cls.model_fields else None
            shape = f", as in {format_value(usual)}" if usual and isinstance(usual, tuple) else ""
            raise ValueError(f"{where}: {what}, not {first['input']!r}{shape}") from None


def _value_of(text: str) -> Any:
    """Read a value as TOML does; what TOML does not know is a text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def format_value(value: Any) -> str:
    """Write a value of a setting as it can be typed."""
    if value is None:
        return "none"
    # JSON's numbers, lists and truth values are TOML's.
    return value if isinstance(value, str) else json.dumps(value)


class Kept(NamedTuple):
    """What a system wants kept of a moment in its run: files by name, and games as PDN."""

    files: Mapping[str, str] = MappingProxyType({})
    games: str = ""


class Exam(NamedTuple):
    """Against whom, from where and how deep players of a system are examined."""

    examiner: str
    openings: str
    depth: int
    final_games: int  # of the match at the end
    final_openings: str | None = None  # of that match, if they are not drawn from the same ones
    quiescence: bool = False  # of both


def usual_exam(settings: Any) -> Exam | None:
    """Leave it to the training: all systems of draughts take the same exam."""
    return None


def accept(settings: Any) -> None:
    """Accept any settings."""


def keep_nothing(settings: Any, snapshot: Snapshot) -> Kept:
    """Keep what every run keeps, and nothing else."""
    return Kept()


def draw_nothing(settings: Any, snapshot: Snapshot) -> Mapping[str, Figure]:
    """Draw no figures but those of every training."""
    return {}


def describe_nothing(settings: Any, snapshot: Snapshot) -> str:
    """Write nothing but what every report has."""
    return ""


def conclude_nothing(settings: Any, snapshot: Snapshot) -> str:
    """Print nothing but what every training prints."""
    return ""


@dataclass(frozen=True)
class Recipe:
    """A system that can be trained."""

    name: str
    paper: str
    summary: str
    presets: Mapping[str, RecipeSettings]
    learn: Callable[[Any, Schooling], Iterator[Snapshot]]
    # Makes the player of a moment, under a name.
    player: Callable[[Any, Snapshot, str], Player]
    keep: Callable[[Any, Snapshot], Kept] = keep_nothing
    exam: Callable[[Any], Exam | None] = usual_exam
    # Raises ValueError where a training cannot begin: asked before it has a folder.
    check: Callable[[Any], object] = accept
    # Whether the processes of an MPI job can search its positions together.
    shares_searches: bool = False
    # Whether the processes of an MPI job can play its games, or train its parts.
    spreads_work: bool = False
    # Draws figures of its own for the report, from the last snapshot.
    draw: Callable[[Any, Snapshot], Mapping[str, Figure]] = draw_nothing
    # Writes Markdown of its own for the report, from the last snapshot.
    describe: Callable[[Any, Snapshot], str] = describe_nothing
    # Gives the system's own result in a line or two of plain text, from the last snapshot.
    conclude: Callable[[Any, Snapshot], str] = conclude_nothing
    # By preset, what the quick size changes, so that a training with its match at the end takes two
    # idle cores less than three minutes; empty for a preset that is short enough.
    quick: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def preset(self, name: str) -> RecipeSettings:
        """Return the settings of a preset; raise ValueError naming those there are."""
        if name not in self.presets:
            raise ValueError(f"{self.name} has the presets {', '.join(self.presets)}, not {name!r}")
        return self.presets[name]

    def quick_preset(self, name: str) -> RecipeSettings:
        """Return the settings of a preset in its quick size; raise ValueError if it has none."""
        settings = self.preset(name)
        if name not in self.quick:
            raise ValueError(f"the preset {name} of {self.name} has no quick size")
        return settings.checked(settings.model_dump() | dict(self.quick[name]))


class UnknownSystem(ValueError):
    """There is no system of that name to train."""


_registered: dict[str, Recipe] = {}


def register(recipe: Recipe) -> Recipe:
    """Make a recipe known by its name; raise ValueError if that is taken."""
    return enter(_registered, recipe)


def all_recipes() -> list[Recipe]:
    """List the systems that can be trained, by name."""
    return gather(_registered, __package__, MODULES)


def find_recipe(name: str) -> Recipe:
    """Return a recipe; raise UnknownSystem, which names those there are."""
    known = {recipe.name: recipe for recipe in all_recipes()}
    if name not in known:
        raise UnknownSystem(f"there is no system {name!r} to train: there is {', '.join(known)}")
    return known[name]
