"""Network, creation, feature and parameter files, as NeuroDraughts had them (Lynch 1997, 9.1).

Whatever is wrong with a file is a WordError, a ValueError, that names file, line and what was
expected. Words behind a value on its line are remarks, as the paper prints them. Board files are
in crossboard.draughts, training files in crossboard.systems.expert_games.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from crossboard.draughts.words import WordError, Words, quoted
from crossboard.evaluators import (
    MAX_FEATURE_BITS,
    MAX_WEIGHT,
    EvalNet,
    Mapping,
    Network,
    binary_mapping,
    direct_mapping,
    feature_mapping,
    features,
)
from crossboard.evaluators.network import HIGH, LOW
from crossboard.learn.td import TdSettings

# What NumInputs says of the map; from 1 on it is the number of inputs from features. Chosen: the
# paper's table, not its text, which has 0 and 1.
BINARY_CODE, DIRECT_CODE = -1, 0
# The paper's example says 37 inputs, but its features have 38 bits.
PRINTED_INPUTS, LYNCH_INPUTS = 37, 38
# Chosen for networks with 37: which bit they do without is not known; four kings in the centre
# are seen least.
SPARED_FEATURE, SPARED_BITS = "lynch.KingCentreControl", 2
MISSPELT = {"PieceDisadvatange": "PieceDisadvantage"}
FAMILIES = ("lynch", "ufu")  # whose features are named without their family
NETWORK_SUFFIX, FEATURE_SUFFIX = ".net", ".ftr"
FILED_MAPS = ("binary", "direct", "features")
OFF = -1.0  # the level of a bit that is off, of which the files do not speak
MAX_UNITS = 10_000
MAX_SEED = 2**63 - 1


@dataclass(frozen=True, kw_only=True)
class Creation:
    """What a creation file asks for: a network with weights drawn from a seed."""

    name: str
    mapping: Mapping
    hidden: int = 12
    direct_links: bool = True
    seed: int = 210476
    low: float = LOW
    high: float = HIGH
    remark: str = ""  # what whoever reads the file should be told

    @property
    def inputs(self) -> int:
        """The map as NumInputs gives it."""
        codes = {"binary": BINARY_CODE, "direct": DIRECT_CODE}
        return codes.get(self.mapping.kind, self.mapping.size)

    def network(self) -> Network:
        """Draw the weights."""
        return Network.initial(
            self.mapping,
            self.hidden,
            seed=self.seed,
            direct=self.direct_links,
            low=self.low,
            high=self.high,
        )


class NamedNetwork(NamedTuple):
    """A network from a file."""

    name: str
    network: Network
    remark: str = ""  # what whoever reads the file should be told


def read_network(
    path: str | os.PathLike[str], chosen: Mapping | None = None, *, quirks: str | None = None
) -> NamedNetwork:
    """Read a network file or a creation file: either will do wherever the programs take one.

    `chosen` is the map of a feature file; without it features are Lynch's, coded with or without
    the `quirks` of 1997.
    """
    words = Words.of_file(path)
    if _is_creation(words):
        creation = _take_creation(words, chosen, quirks)
        return NamedNetwork(creation.name, creation.network(), creation.remark)
    return _take_network(words, chosen, quirks)


@contextmanager
def features_of(
    path: str | os.PathLike[str],
    named: str | os.PathLike[str] | None = None,
    *,
    quirks: str | None = None,
) -> Iterator[Mapping | None]:
    """Give the map of a network's or creation file's features, to read that file with.

    It is that of the feature file that is named, or of one of the same name beside it; None if
    there is neither.
    """
    beside = Path(os.path.splitext(path)[0] + FEATURE_SUFFIX)
    if named is not None or not beside.is_file():
        yield None if named is None else read_features(named, quirks=quirks)
        return
    chosen = read_features(beside, quirks=quirks)
    try:
        yield chosen
    except WordError as error:
        # It may be the other file that is wrong, which nobody has named.
        raise WordError(f"{error} (its features are those of {beside})") from None


def is_creation(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a creation file rather than a network file."""
    return _is_creation(Words.of_file(path))


def _is_creation(words: Words) -> bool:
    # The program of 1997 looked at the first letter alone; networks may be called N too.
    return _begins_creation(words.ahead)


def _begins_creation(word: str) -> bool:
    # The colon may be missing: then that is what is wrong with the file.
    return word.lower().startswith("numinputs")


def read_creation(
    path: str | os.PathLike[str], chosen: Mapping | None = None, *, quirks: str | None = None
) -> Creation:
    """Read a creation file; the arguments are those of `read_network`."""
    return _take_creation(Words.of_file(path), chosen, quirks)


def _take_creation(words: Words, chosen: Mapping | None, quirks: str | None) -> Creation:
    words.take_tag("NumInputs:")
    expected = "-1 (binary), 0 (direct) or the number of inputs from features"
    inputs = words.integer(expected, BINARY_CODE, MAX_UNITS)
    mapping, remark = _created_mapping(words, inputs, chosen, quirks)
    words.skip_line()
    hidden = _tagged_integer(words, "NumHidden:", f"hidden units, 1 to {MAX_UNITS}", 1, MAX_UNITS)
    links = _tagged_integer(words, "DirectLinks:", "1 or 0", 0, 1)
    seed = _tagged_integer(words, "NetworkSeed:", "a seed of 0 or more", 0, MAX_SEED)
    low = _tagged_number(words, "LowRange:", "the least weight, -1000 to 1000", -1000, 1000)
    most = f"the largest weight, above {low:g} and at most 1000"
    high = _tagged_number(words, "HighRange:", most, low + 0.001, 1000)
    words.take_tag("NetworkName:")
    name = words.take("the name of the network")
    words.skip_line()
    words.end()
    return Creation(
        name=name,
        mapping=mapping,
        hidden=hidden,
        direct_links=bool(links),
        seed=seed,
        low=low,
        high=high,
        remark=remark,
    )


def _created_mapping(
    words: Words, inputs: int, chosen: Mapping | None, quirks: str | None
) -> tuple[Mapping, str]:
    """Return the map that NumInputs asks for, and a remark; complain if features have another."""
    if inputs in (BINARY_CODE, DIRECT_CODE):
        mapping = binary_mapping() if inputs == BINARY_CODE else direct_mapping(quirks=quirks)
        # The program of 1997 was given a feature file in any case.
        remark = f"{inputs} inputs ask for a {mapping.kind} map, so that features are not looked at"
        return mapping, f"{words.name}: {remark}" if chosen else ""
    families = {one.size: one for one in (feature_mapping(f, quirks=quirks) for f in FAMILIES)}
    mapping = chosen or families.get(inputs, families[LYNCH_INPUTS])
    is_as_printed = (inputs, mapping.size) == (PRINTED_INPUTS, LYNCH_INPUTS)
    if inputs != mapping.size and not is_as_printed:
        words.fail(f"{mapping.size} inputs, the bits of all features", f"{inputs}")
    remark = "37 inputs as the paper prints; its features have 38 bits, so 38 are made"
    return mapping, f"{words.name}: {remark}" if is_as_printed else ""


def _tagged_integer(words: Words, tag: str, expected: str, low: int, high: int) -> int:
    words.take_tag(tag)
    value = words.integer(expected, low, high)
    words.skip_line()
    return value


def _tagged_number(words: Words, tag: str, expected: str, low: float, high: float) -> float:
    words.take_tag(tag)
    value = words.number(expected, low, high)
    words.skip_line()
    return value


def format_creation(creation: Creation) -> str:
    """Write a creation file."""
    if len(creation.name.split()) != 1:
        raise ValueError(f"in a creation file a name is one word, not {creation.name!r}")
    fields = {
        "NumInputs:": str(creation.inputs),
        "NumHidden:": str(creation.hidden),
        "DirectLinks:": str(int(creation.direct_links)),
        "NetworkSeed:": str(creation.seed),
        "LowRange:": f"{creation.low:+}",
        "HighRange:": f"{creation.high:+}",
        "NetworkName:": creation.name,
    }
    return _format_tags(fields)


def _format_tags(fields: dict[str, str]) -> str:
    return "".join(f"{tag} {value}\n" for tag, value in fields.items())


def _take_network(words: Words, chosen: Mapping | None, quirks: str | None) -> NamedNetwork:
    name = words.take_line("the name of the network")
    count = words.integer("the number of inputs", BINARY_CODE, MAX_UNITS)
    mapping, remark = _saved_mapping(words, count, chosen, quirks)
    hidden = words.integer(f"the number of hidden units, 1 to {MAX_UNITS}", 1, MAX_UNITS)
    links = words.integer("1 or 0 for direct links", 0, 1)
    rows = mapping.size + 1
    w1 = [
        [_take_weight(words, f"the weight of input {i} of {rows} to hidden unit {j} of {hidden}")
         for j in range(1, hidden + 1)]
        for i in range(1, rows + 1)
    ]  # fmt: skip
    w2 = [
        _take_weight(words, f"the weight of hidden unit {j} of {hidden + 1} to the output")
        for j in range(1, hidden + 2)
    ]
    w3 = [
        _take_weight(words, f"the direct weight of input {i} of {rows}")
        for i in range(1, rows + 1)
        if links
    ]
    words.end()
    return NamedNetwork(name, Network.of(mapping, EvalNet(w1, w2, w3 or None)), remark)


def _take_weight(words: Words, which: str) -> float:
    return words.number(f"{which}, within ±{MAX_WEIGHT:g}", -MAX_WEIGHT, MAX_WEIGHT)


def _saved_mapping(
    words: Words, count: int, chosen: Mapping | None, quirks: str | None
) -> tuple[Mapping, str]:
    """Return the map of a saved network, of which the file tells the number of inputs only."""
    if chosen is not None:
        if count != chosen.size:
            words.fail(f"{chosen.size} inputs, the bits of all features", str(count))
        return chosen, ""
    known = {
        BINARY_CODE: binary_mapping(),
        binary_mapping().size: binary_mapping(),
        DIRECT_CODE: direct_mapping(quirks=quirks),
        direct_mapping().size: direct_mapping(quirks=quirks),
    }
    for family in FAMILIES:
        mapping = feature_mapping(family, quirks=quirks)
        known[mapping.size] = mapping
    if count == PRINTED_INPUTS:
        return _spared_mapping(quirks), f"{words.name}: {_spared_remark()}"
    if count not in known:
        words.fail("96 inputs (binary), 32 (direct), 38 (features) or a feature file", str(count))
    return known[count], ""


def _spared_mapping(quirks: str | None) -> Mapping:
    listed = feature_mapping("lynch").features
    kept = [(name, SPARED_BITS if name == SPARED_FEATURE else bits) for name, bits in listed]
    return feature_mapping(kept, quirks=quirks)


def _spared_remark() -> str:
    return (
        f"{PRINTED_INPUTS} inputs, though the paper's features have {LYNCH_INPUTS} bits: which "
        f"one is missing is not known; chosen: {SPARED_FEATURE} has {SPARED_BITS}"
    )


def format_network(name: str, network: Network) -> str:
    """Write a network file; its map is not in it (`format_features`)."""
    if not name.strip() or len(name.splitlines()) != 1 or _begins_creation(name.strip()):
        raise ValueError(f"in a network file a name is one line of text, not {name!r}")
    net = network.net
    head = f"{net.inputs} {net.hidden} {int(net.w3 is not None)}"
    rows = [*net.w1.tolist(), net.w2.tolist(), *([] if net.w3 is None else [net.w3.tolist()])]
    return "\n".join([name.strip(), head, *(" ".join(map(repr, row)) for row in rows), ""])


def is_map_told(mapping: Mapping) -> bool:
    """Whether a network file's number of inputs says which map it has, but for quirks."""
    told = [binary_mapping()]
    for quirks in (None, "lynch"):
        told += [direct_mapping(quirks=quirks)]
        told += [feature_mapping(family, quirks=quirks) for family in FAMILIES]
    return mapping in told


class NetworkText(NamedTuple):
    """A network as files: its own, and that of its features unless their number tells them."""

    network: str
    features: str | None


def format_files(name: str, network: Network) -> NetworkText:
    """Write a network so that it can be read again; raise ValueError if no files can hold it.

    Whether it sees boards with quirks they do not say: who reads them must know.
    """
    mapping, net = network.mapping, network.net
    if mapping.kind not in FILED_MAPS or not net.hidden:
        seen = f"a {mapping.kind} map" + ("" if net.hidden else " without hidden units")
        raise ValueError(f"network files hold hidden units over squares or features, not {seen}")
    if mapping.kind != "direct" and mapping.off != OFF:
        raise ValueError(
            f"in network files a bit that is off is {OFF:g}, and here it is {mapping.off:g}"
        )
    features = None if is_map_told(mapping) else format_features(mapping)
    return NetworkText(format_network(name, network), features)


def read_features(path: str | os.PathLike[str], *, quirks: str | None = None) -> Mapping:
    """Read a feature file: names and bits, of which 0 leaves a feature out."""
    words = Words.of_file(path)
    known = {_short(each.name): each.name for each in features()}
    most = MAX_FEATURE_BITS
    named: dict[str, int] = {}
    while not words.is_done:
        name = _take_feature(words, known)
        if name in named:
            words.fail("a feature that no line above names", name)
        named[name] = words.integer(f"the bits of {name}, 0 to {most}", 0, most)
        words.skip_line()
    chosen = [(name, bits) for name, bits in named.items() if bits]
    if not chosen:
        words.take("a feature with bits")
        words.fail("a feature with bits", "0 bits for all of them")
    return feature_mapping(chosen, quirks=quirks)


def _take_feature(words: Words, known: dict[str, str]) -> str:
    word = words.take("the name of a feature")
    name = MISSPELT.get(word, word)
    if name not in known:
        near = get_close_matches(name, known, n=1, cutoff=0.5)
        words.fail("the name of a feature" + (f" ({near[0]}?)" if near else ""), quoted(word))
    return known[name]


def _short(name: str) -> str:
    """Return a feature's name without its family, where the file needs none."""
    family, _, short = name.partition(".")
    if family == "lynch":
        return short
    is_lynch_too = any(each.name == f"lynch.{short}" for each in features())
    return short if family in FAMILIES and not is_lynch_too else name


def format_features(mapping: Mapping) -> str:
    """Write a feature file, for a map with quirks under the names that the program of 1997 knew."""
    if mapping.kind != "features":
        raise ValueError(f"a feature file holds features, not a {mapping.kind} map")
    spelt = {right: wrong for wrong, right in MISSPELT.items()} if mapping.quirks else {}
    names = ((_short(name), bits) for name, bits in mapping.features)
    return "".join(f"{spelt.get(name, name)} {bits}\n" for name, bits in names)


def read_parameters(path: str | os.PathLike[str], *, quirks: str | None = None) -> TdSettings:
    """Read a parameter file; with `quirks` the gradient has the slip of 1997."""
    words = Words.of_file(path)
    rate1 = _tagged_number(words, "LRate1:", "a rate, 0 for 1/inputs, below 1000", 0, 999)
    rate2 = _tagged_number(words, "LRate2:", "a rate, 0 for 1/hidden, below 1000", 0, 999)
    momentum = _tagged_number(words, "Momentum:", "the momentum, 0 to 1", 0, 1)
    gamma = _tagged_number(words, "Gamma(Decay):", "gamma, 0 to 1", 0, 1)
    decay = _tagged_number(words, "Lambda(TD?):", "lambda, 0 to 1", 0, 1)
    words.end()
    return TdSettings(
        rate1=rate1, rate2=rate2, momentum=momentum, gamma=gamma, decay=decay, quirks=quirks
    )


def format_parameters(settings: TdSettings) -> str:
    """Write a parameter file."""
    fields = {
        "LRate1:": repr(settings.rate1),
        "LRate2:": repr(settings.rate2),
        "Momentum:": repr(settings.momentum),
        "Gamma(Decay):": repr(settings.gamma),
        "Lambda(TD?):": repr(settings.decay),
    }
    return _format_tags(fields)
