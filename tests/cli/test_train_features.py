"""`crossboard train` with features that are none: refused without a trace."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run


@pytest.mark.parametrize("system", ["ls-draughts", "neurodraughts"])
@pytest.mark.parametrize(
    ("features", "words"),
    [
        ("[['ufu.Gep', 4]]", "there is no feature 'ufu.Gep'; ufu has PieceAdvantage"),
        ("[['ufu.Gap', 4], ['ufu.Gap', 4]]", "ufu.Gap is named twice"),
        ("[['ufu.Gap', 4], ['samuel.gap', 5]]", "samuel.gap is ufu.Gap again: name only one"),
    ],
    ids=["unknown", "repeated", "second name"],
)
def test_unknown_and_repeated_features_are_refused(
    run: Run, tmp_path: Path, system: str, features: str, words: str
) -> None:
    folder = tmp_path / "run"
    done = run("train", system, "--run", folder, "--set", f"features={features}")
    assert done.code == 2
    assert words in done.err
    assert done.err.count("\n") == 1
    assert not folder.exists()
