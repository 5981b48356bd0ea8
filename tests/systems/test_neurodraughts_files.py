"""The files of 1997: the paper's examples, round trips, and every kind of damage named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crossboard.draughts.words import WordError
from crossboard.evaluators import (
    Mapping,
    Network,
    binary_mapping,
    direct_mapping,
    feature_mapping,
)
from crossboard.learn import TdSettings
from crossboard.systems.neurodraughts_files import (
    Creation,
    format_creation,
    format_features,
    format_network,
    format_parameters,
    is_map_told,
    read_creation,
    read_features,
    read_network,
    read_parameters,
)

# As the paper prints them (9.1), remarks and all.
CREATION = """NumInputs:       37 -1 = BinaryMap, 0 = DirectMap
NumHidden:  12 How many hidden units
DirectLinks: 1 Use Direct In-Out Links
NetworkSeed: 210476 Seed for Random numbers
LowRange: -0.2 Low Range of Random Numbers
HighRange: +0.2 High Range of Random Numbers
NetworkName: FeatureNetwork Give your Network a Name
"""
PARAMETERS = """LRate1:  0.0 Learning Rate for 1st Layer (also in-out layer)
LRate2:  0.0 Learning Rate for 2nd Layer (hid-out)
Momentum: 0.9 Momentum Term
Gamma(Decay): 0.98 TD Decay
Lambda(TD?): 0.1 Eligibility Trace value.
"""
FEATURES = """PieceAdvantage 4
PieceDisadvatange 4
PieceThreat 3
PieceTake 3
Advancement 3
DoubleDiagonal 4
BackRowBridge 1
CentreControl 3
XCentreControl 3
TotalMobility 4
Exposure 3
KingCentreControl 3
DiagonalMoment 0
"""
SMALL = "A small net\n2 1 1\n0.5\n-0.5\n0.25\n1 2\n3 4 5\n"
TWO_FEATURES = feature_mapping([("lynch.BackRowBridge", 1), ("lynch.CentreControl", 1)])


def written(folder: Path, text: str | bytes) -> Path:
    file = folder / "some.file"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def test_the_creation_file_of_the_paper(tmp_path: Path):
    creation = read_creation(written(tmp_path, CREATION))
    assert (creation.hidden, creation.direct_links, creation.seed) == (12, True, 210476)
    assert (creation.low, creation.high, creation.name) == (-0.2, 0.2, "FeatureNetwork")
    assert creation.mapping == feature_mapping("lynch")
    assert "37 inputs" in creation.remark
    assert "38" in creation.remark
    network = creation.network()
    assert (network.net.inputs, network.net.hidden) == (38, 12)
    assert network.net.w3 is not None
    assert np.abs(network.net.w1).max() <= 0.2


@pytest.mark.parametrize(
    ("code", "mapping"),
    [
        (-1, binary_mapping()),
        (0, direct_mapping()),
        (38, feature_mapping("lynch")),
        (83, feature_mapping("ufu")),
    ],
)
def test_what_the_number_of_inputs_stands_for(tmp_path: Path, code: int, mapping: Mapping):
    text = CREATION.replace("37", str(code))
    creation = read_creation(written(tmp_path, text))
    assert creation.mapping == mapping
    assert creation.remark == ""
    assert creation.network().mapping == mapping
    assert read_creation(written(tmp_path, format_creation(creation))) == creation


def test_quirks_are_those_of_1997(tmp_path: Path):
    quirky = feature_mapping("lynch", quirks="lynch")
    assert read_creation(written(tmp_path, CREATION), quirks="lynch").mapping == quirky
    assert read_features(written(tmp_path, FEATURES), quirks="lynch") == quirky
    direct = written(tmp_path, CREATION.replace("37", "0"))
    assert read_creation(direct, quirks="lynch").mapping == direct_mapping(quirks="lynch")
    net = Network.initial(direct_mapping(quirks="lynch"), 2, seed=1)
    assert is_map_told(net.mapping)
    assert read_network(written(tmp_path, format_network("old", net)), quirks="lynch")[1] == net
    network = Network.initial(quirky, 2, seed=1)
    text = format_network("old", network)
    assert read_network(written(tmp_path, text), quirks="lynch").network == network
    assert read_parameters(written(tmp_path, PARAMETERS), quirks="lynch").quirks == "lynch"
    assert "PieceDisadvatange 4\n" in format_features(quirky)
    assert "PieceDisadvantage 4\n" in format_features(feature_mapping("lynch"))


def test_letters_may_be_those_of_1997(tmp_path: Path):
    text = format_network("Café …", Network.initial(feature_mapping("lynch"), 2, seed=1))
    old, new = (read_network(written(tmp_path, text.encode(code))) for code in ("cp1252", "utf-8"))
    assert old == new
    assert old.name == "Café …"


def test_a_file_may_end_as_dos_ended_it(tmp_path: Path):
    for read, text in ((read_parameters, PARAMETERS), (read_features, FEATURES)):
        assert read(written(tmp_path, f"{text}\x1a")) == read(written(tmp_path, text))
    with pytest.raises(WordError, match="line 2: expected 'LRate2:'"):
        read_parameters(written(tmp_path, PARAMETERS.replace("LRate2:", "\x1a")))


def test_creation_and_network_files_stand_for_each_other(tmp_path: Path):
    created = read_network(written(tmp_path, CREATION))
    assert created.name == "FeatureNetwork"
    assert created.network == read_creation(written(tmp_path, CREATION)).network()
    assert "37 inputs" in created.remark
    # A network may be called N.
    saved = read_network(written(tmp_path, format_network("N", created.network)))
    assert saved == ("N", created.network, "")


@pytest.mark.parametrize("direct", [True, False])
@pytest.mark.parametrize(
    "mapping",
    [binary_mapping(), direct_mapping(), feature_mapping("lynch"), feature_mapping("ufu")],
)
def test_networks_come_back_bit_for_bit(tmp_path: Path, mapping: Mapping, direct: bool):
    drawn = Network.initial(mapping, 3, seed=5, direct=direct)
    network = Network(mapping, *(array / 3 for array in drawn.arrays().values()))
    found = read_network(written(tmp_path, format_network("with blanks in it", network)))
    assert found == ("with blanks in it", network, "")


def test_the_layout_of_a_network_file(tmp_path: Path):
    found = read_network(written(tmp_path, SMALL), TWO_FEATURES)
    assert found.name == "A small net"
    assert found.network.net.w1.tolist() == [[0.5], [-0.5], [0.25]]
    assert found.network.net.w2.tolist() == [1.0, 2.0]
    assert found.network.net.w3 is not None
    assert found.network.net.w3.tolist() == [3.0, 4.0, 5.0]
    text = format_network(found.name, found.network)
    assert text.splitlines()[:3] == ["A small net", "2 1 1", "0.5"]


def test_networks_with_the_inputs_that_the_paper_prints_are_read_with_a_remark(tmp_path: Path):
    mapping = feature_mapping(
        [*feature_mapping("lynch").features[:-1], ("lynch.KingCentreControl", 2)]
    )
    network = Network.initial(mapping, 2, seed=1)
    found = read_network(written(tmp_path, format_network("old", network)))
    assert found.network == network
    assert "which one is missing is not known" in found.remark


def test_the_parameter_file_of_the_paper(tmp_path: Path):
    assert read_parameters(written(tmp_path, PARAMETERS)) == TdSettings()
    other = TdSettings(rate1=0.1, rate2=1 / 3, momentum=0.0, gamma=1.0, decay=0.7)
    assert read_parameters(written(tmp_path, format_parameters(other))) == other


def test_features_with_the_misspelling_of_1997(tmp_path: Path):
    assert read_features(written(tmp_path, FEATURES)) == feature_mapping("lynch")
    more = FEATURES.replace("Moment 0", "Moment 4")
    assert read_features(written(tmp_path, more)).features[-1] == ("ufu.DiagonalMoment", 4)


@pytest.mark.parametrize("family", ["lynch", "ufu", "samuel"])
def test_features_come_back(tmp_path: Path, family: str):
    mapping = feature_mapping(family)
    assert read_features(written(tmp_path, format_features(mapping))) == mapping


def test_what_a_file_cannot_hold():
    network = Network.initial(direct_mapping(), 2, seed=1)
    for name in ("", "two\nlines", "NumInputs: 3", " NumInputs 3", "numinputs-net"):
        with pytest.raises(ValueError, match="a name is one line of text"):
            format_network(name, network)
    with pytest.raises(ValueError, match="a name is one word, not 'two words'"):
        format_creation(Creation(name="two words", mapping=direct_mapping()))
    with pytest.raises(ValueError, match="a feature file holds features, not a binary map"):
        format_features(binary_mapping())


def two_features(file: Path) -> object:
    return read_network(file, TWO_FEATURES)


@pytest.mark.parametrize(
    ("read", "text", "told"),
    [
        (read_creation, "", "line 1: expected 'NumInputs:', not the end of the file"),
        (read_network, CREATION.replace("Inputs:", "Inputs"), "line 1: expected 'NumInputs:', not"),
        (read_creation, CREATION.replace("Hidden", "Hiden"), "line 2: expected 'NumHidden:', not"),
        (read_creation, CREATION.replace("37", "x"), "line 1: expected -1 (binary), 0 (direct) or"),
        (read_creation, CREATION.replace("37", "20"), "line 1: expected 38 inputs, the bits of"),
        (read_creation, CREATION.replace("37", "-2"), "not '-2'"),
        (read_creation, CREATION.replace("12", "1.5"), "line 2: expected hidden units, 1 to"),
        (read_creation, CREATION.replace("12", "0"), "not '0'"),
        (read_creation, CREATION.replace(" 1 Use", " 2 Use"), "line 3: expected 1 or 0, not '2'"),
        (read_creation, CREATION.replace("210476", "-3"), "line 4: expected a seed of 0 or more"),
        (read_creation, CREATION.replace("-0.2", "nan"), "line 5: expected the least weight"),
        (read_creation, CREATION.replace("+0.2", "-0.2"), "line 6: expected the largest weight, "),
        (read_creation, CREATION[: CREATION.index("NetworkName")], "line 6: expected 'NetworkNam"),
        (read_creation, CREATION + "more", "line 8: expected the end of the file, not 'more'"),
        (read_network, "", "line 1: expected the name of the network, not the end of the file"),
        (read_network, "Net\n20 2 1\n", "line 2: expected 96 inputs (binary), 32 (direct), 38"),
        (read_network, "Net\n38 0 1\n", "line 2: expected the number of hidden units, 1 to 10000"),
        (read_network, "Net\n38 2 5\n", "line 2: expected 1 or 0 for direct links, not '5'"),
        (read_network, "Net\n38 2 1\n0.1 0.2\n0.3", "line 4: expected the weight of input 2 of 39"),
        (two_features, SMALL.replace("2 1 1", "3 1 1"), "line 2: expected 2 inputs, the bits of"),
        (two_features, SMALL.replace("1 2", "1 nan"), "line 6: expected the weight of hidden unit"),
        (two_features, SMALL.replace("-0.5", "inf"), "line 4: expected the weight of input 2 of 3"),
        (two_features, SMALL.replace("-0.5", "half"), "not 'half'"),
        (two_features, SMALL.replace("-0.5", "5_0"), "not '5_0'"),
        (two_features, SMALL.replace("-0.5", "٣"), "not '٣'"),
        (two_features, SMALL.replace("-0.5", "-" + 200 * "?"), f"not '-{39 * '?'}' …"),
        (two_features, SMALL.replace("-0.5", "1e200"), "unit 1 of 1, within ±1e+100, not '1e200'"),
        (two_features, SMALL.replace(" 5", ""), "line 7: expected the direct weight of input 3"),
        (two_features, SMALL + "6", "line 8: expected the end of the file, not '6'"),
        (two_features, SMALL.replace("2 1 1", "2 1 0"), "line 7: expected the end of the file"),
        (read_parameters, PARAMETERS.replace("0.98", "1.5"), "line 4: expected gamma, 0 to 1, not"),
        (read_parameters, PARAMETERS.replace("0.1", "-0.1"), "line 5: expected lambda, 0 to 1, no"),
        (
            read_parameters,
            PARAMETERS.replace("0.9 ", "nan "),
            "line 3: expected the momentum, 0 to",
        ),
        (read_parameters, PARAMETERS.replace("0.0", "fast", 1), "line 1: expected a rate, 0 for 1"),
        (read_parameters, PARAMETERS[:40], "line 1: expected 'LRate2:', not the end of the file"),
        (read_parameters, b"LRate1: \0", "line 1: expected text, and this is none"),
        (
            read_parameters,
            b"LRate1: \xff",
            "line 1: expected a rate, 0 for 1/inputs, below 1000, n",
        ),
        (read_features, "", "line 1: expected a feature with bits, not the end of the file"),
        (read_features, FEATURES.replace("Exposure", "Exposed"), "line 11: expected the name of a"),
        (read_features, FEATURES.replace("Exposure", "Exposed"), "(Exposure?), not 'Exposed'"),
        (read_features, FEATURES.replace("Bridge 1", "Bridge 99"), "line 7: expected the bits of"),
        (read_features, FEATURES.replace("Bridge 1", "Bridge one"), "0 to 10, not 'one'"),
        (read_features, "Exposure", "line 1: expected the bits of lynch.Exposure, 0 to 10, not"),
        (read_features, "Exposure 20", "line 1: expected the bits of lynch.Exposure, 0 to 10, not"),
        (
            read_features,
            f"{FEATURES}Exposure 3",
            "line 14: expected a feature that no line above names, not lynch.Exposure",
        ),
        (read_features, "Exposure 0\nExposure 3", "line 2: expected a feature that no line above"),
        (read_features, "Exposure 0", "line 1: expected a feature with bits, not the end of the"),
    ],
)
def test_damage_is_named_in_one_sentence(
    tmp_path: Path, read: Callable[[Path], Any], text: str | bytes, told: str
):
    with pytest.raises(WordError) as caught:
        read(written(tmp_path, text))
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'some.file'}, line ")
    assert told in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("read", "text"),
    [(read_creation, CREATION), (two_features, SMALL), (read_parameters, PARAMETERS)],
)
def test_a_truncated_file_never_passes(tmp_path: Path, read: Callable[[Path], Any], text: str):
    # Cut behind a whole word, so that no number is merely shorter.
    last = len(text.rstrip().rpartition("\n")[0]) + 1
    for end in [at for at in range(last) if text[at].isspace()]:
        with pytest.raises(WordError, match="the end of the file"):
            read(written(tmp_path, text[:end]))
