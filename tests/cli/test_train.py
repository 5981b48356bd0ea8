"""`crossboard train`: a run with a player at its end, stopped, resumed, and asked for wrongly."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from crossboard import load_player
from crossboard.cli.train import describe_pace, time_left
from crossboard.runs import Run as LearningRun
from crossboard.runs import differences
from crossboard.systems import exams, training
from crossboard.systems.training_request import TrainingRequest

from .conftest import CROSSBOARD, Run

if os.name != "nt":
    from .pseudo_terminal import PseudoTerminal

SMALL = ("--set", "look_ahead=1", "--set", "exam_every=40", "--set", "exam_games=2")


def made_small(*command: str) -> tuple[str, ...]:
    """A training by searches, of one small stage."""
    options = ["round_size=4", "depth=2", "depths=[]", "inputs=['counts', 'pieces']", "stages=[]"]
    options += ["exam_every=8", "exam_games=2"]
    return (*command, "--games", "16", *(word for one in options for word in ("--set", one)))


# Every learner that `crossboard train` knows.
LEARNERS = {
    "TD(lambda)": ("--games", "120", *SMALL),
    "TD-Leaf": made_small("tdleaf"),
    "TD-Root": made_small("tdleaf", "--set", "method=root"),
    "TD(lambda) from zero": made_small("tdleaf", "--set", "method=board"),
    "TreeStrap": made_small("treestrap"),
    "TreeStrap(minimax)": made_small("treestrap", "--set", "algorithm=minimax"),
    "RootStrap": made_small("treestrap", "--set", "method=root"),
}


@pytest.fixture(autouse=True)
def short_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exams, "FINAL_GAMES", 2)


def test_a_training_leaves_a_player_a_report_and_the_way_to_play(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "first"
    done = run("train", "--games", 60, "--run", folder, *SMALL)
    assert done.code == 0, done.err
    assert f"crossboard play --terminal --opponent {folder}/player" in done.out
    player = load_player(folder / "player")
    assert "crossboard train neurodraughts --preset tuned --seed 1" in player.about["made_by"]
    report = (folder / "report.md").read_text()
    assert "| look_ahead | 1 |" in report
    for figure in ("blocks", "exams"):
        assert (folder / f"{figure}.svg").read_text().startswith("<?xml")
        assert f"({figure}.svg)" in report


def test_lines_tell_games_rate_time_left_and_what_was_measured(run: Run, tmp_path: Path) -> None:
    # Blocks of seven step over every twentieth of all games.
    options = ("--games", 60, "--preset", "published", "--set", "test_after=7", *SMALL)
    done = run("train", *options, "--run", tmp_path / "r")
    lines = done.err.splitlines()
    assert [line.split(" games")[0] for line in lines] == [
        f"{games} of 60" for games in (*range(7, 60, 7), 60)
    ]
    rate, left = r"[\d.,e+]+ games/s", r"\d+:\d\d:\d\d left"
    rest = r"\d+ clones?  moves \d+\.\d  pieces -?\d+\.\d  test \d"
    for line in lines:
        assert re.search(rf"games  {rate}  {left}  {rest}( +exam \d\.\d\d)?$", line), line


@pytest.mark.parametrize(
    ("options", "rest"),
    [
        (("visiondraughts", "--set", "regime=mirror"), r"moves \d+\.\d  pieces -?\d+\.\d"),
        (
            ("--preset", "published", "--set", "regime=share"),
            r"\d clones?  moves \d+\.\d  pieces -?\d+\.\d",
        ),
        (
            made_small("treestrap"),
            r"moves \d+\.\d  pieces left \d+\.\d",
        ),
    ],
)
def test_lines_tell_nothing_that_there_is_not(
    run: Run, tmp_path: Path, options: tuple[str, ...], rest: str
) -> None:
    options = (*options, "--games", "20", "--set", "exam_every=0")
    done = run("train", *options, "--run", tmp_path / "r")
    assert done.code == 0, done.err
    assert re.search(rf"\d left  {rest}$", done.err.splitlines()[-1]), done.err


def test_time_left_counts_this_sitting_alone() -> None:
    progress = training.Progress(600, 1000, 500, {}, None)
    assert describe_pace(progress, 50.0) == "600 of 1,000 games  2 games/s"
    assert time_left(progress, 50.0).total_seconds() == 200
    assert describe_pace(progress._replace(games=1, total=1, before=0), 0.004).startswith(
        "1 of 1 game  250 games/s"
    )


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")
def test_a_terminal_shows_games_rate_time_left_and_what_was_measured(tmp_path: Path) -> None:
    options = ("--games", "60", "--preset", "published", *SMALL, "--run", str(tmp_path / "r"))
    with PseudoTerminal(*CROSSBOARD, "train", *options, columns=80) as terminal:
        terminal.wait_for("games/s")
        terminal.wait_for(" left")
        terminal.wait_for("pieces ")
        assert re.search(
            r"\d+ of 60 games  [\d.,]+ games/s \d:\d\d:\d\d [-\d:]+ left", terminal.text
        )
        assert re.search(r"\d clones?  moves [\d.]+  pieces [-\d.]+  test \d", terminal.text)


def test_the_match_it_tells_of_can_be_played_again(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "first"
    done = run("train", "--games", 20, "--run", folder, *SMALL)
    (command,) = re.findall("^match +crossboard (match .*)", done.out, re.MULTILINE)
    assert "material --depth 4 --no-quiescence" in command
    told = json.loads(run(*command.split(), "--json").out)
    final = LearningRun.open(folder).latest().state["final"]
    del final["depth"]  # told among the limits
    assert {key: told[key] for key in final} == final


def test_json_names_run_player_and_seconds(run: Run, tmp_path: Path) -> None:
    done = run("train", "neurodraughts", "--games", 20, "--run", tmp_path / "r", "--json", *SMALL)
    told = json.loads(done.out)
    assert told["run"] == str(tmp_path / "r")
    assert Path(told["player"]).is_dir()
    assert told["seconds"] > 0
    assert told["match"]["games"] == 2


def test_tensorboard_is_told_while_it_learns(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("tensorboardX")
    place, board = tmp_path / "r", tmp_path / "board"
    done = run("train", "--games", 60, "--run", place, "--tensorboard", board, *SMALL)
    assert done.code == 0, done.err
    (file,) = board.glob("events.*")
    told = file.read_bytes()
    for metric in LearningRun.open(place).metrics()[-1].keys() - {"step", "seconds"}:
        assert metric.encode() in told or metric in ("exam_low", "exam_high")
    assert told.count(b"exam") >= 1


def test_workers_make_no_difference_to_a_run(run: Run, tmp_path: Path) -> None:
    for workers in (1, 3):
        place = tmp_path / str(workers)
        run("train", "--games", 60, "--run", place, "--workers", workers, *SMALL)
    one, three = (LearningRun.open(tmp_path / name) for name in ("1", "3"))
    assert one.latest().step == 60
    assert differences(one, three) == []


@pytest.mark.parametrize("options", LEARNERS.values(), ids=LEARNERS)
def test_killed_and_resumed_it_ends_where_it_would_have_ended(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", 0.0)
    run("train", "--run", tmp_path / "whole", *options)
    noted = training._Lesson._note
    calls = []

    def die_at_the_fourth(self, snapshot):  # type: ignore[no-untyped-def]
        calls.append(snapshot)
        if len(calls) == 4:
            raise SystemError("killed")
        noted(self, snapshot)

    monkeypatch.setattr(training._Lesson, "_note", die_at_the_fourth)
    with pytest.raises(SystemError):
        run("train", "--run", tmp_path / "broken", *options)
    monkeypatch.setattr(training._Lesson, "_note", noted)
    # What it began with is in the run.
    done = run("train", "--run", tmp_path / "broken", "--resume")
    assert done.code == 0, done.err
    whole, broken = (LearningRun.open(tmp_path / name) for name in ("whole", "broken"))
    assert differences(whole, broken) == []


def test_ctrl_c_keeps_the_last_block(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = subprocess.Popen(
        [*CROSSBOARD, "train", "--games", "1000000", "--run", str(folder), "--set", "exam_every=0"],
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 300
    metrics = folder / "metrics.jsonl"
    while not (metrics.exists() and metrics.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=300)
    assert process.returncode == 130
    assert f"stopped; continue with: crossboard train --run {folder} --resume" in error
    kept = LearningRun.open(folder)
    assert kept.latest().step == kept.metrics()[-1]["step"]


@pytest.mark.parametrize("moment", ["progress", "exam", "match"])
def test_interrupted_at_any_moment_it_ends_where_it_would_have_ended(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    options = ("--games", 80, *SMALL)
    run("train", "--run", tmp_path / "whole", *options)
    hold, calls = exams.hold_exam, []

    def interrupt(*given):  # type: ignore[no-untyped-def]
        calls.append(given)
        if len(calls) == (3 if moment == "exam" else 4):  # the first is of the untrained net
            raise KeyboardInterrupt
        return hold(*given)

    def interrupt_progress(_):  # type: ignore[no-untyped-def]
        calls.append(None)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return ""

    with monkeypatch.context() as patch:
        if moment == "progress":
            patch.setattr("crossboard.cli.train.describe", interrupt_progress)
        else:
            patch.setattr(exams, "hold_exam", interrupt)
        assert run("train", "--run", tmp_path / "broken", *options).code == 130
    assert LearningRun.open(tmp_path / "broken").latest().step >= 40
    assert run("train", "--run", tmp_path / "broken", "--resume").code == 0
    whole, broken = (LearningRun.open(tmp_path / name) for name in ("whole", "broken"))
    assert differences(whole, broken) == []


def test_exams_and_the_match_at_the_end_share_no_opening(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold, seen = exams.hold_exam, []

    def watch(*given):  # type: ignore[no-untyped-def]
        result = hold(*given)
        seen.append({pair.opening.position for pair in result.pairs})
        return result

    monkeypatch.setattr(exams, "hold_exam", watch)
    # More openings than there are ballots, so that some have random plies behind them.
    monkeypatch.setattr(exams, "FINAL_GAMES", 200)
    run("train", "--games", 40, "--run", tmp_path / "r", *SMALL, "--set", "exam_games=200")
    untrained, exam, final = seen
    assert untrained == exam
    assert len(exam) == len(final) == 100
    assert not exam & final


def test_seed_nought_is_a_seed(run: Run, tmp_path: Path) -> None:
    run("train", "--games", 20, "--seed", 0, "--run", tmp_path / "r", *SMALL)
    assert LearningRun.open(tmp_path / "r").config["seed"] == 0


def test_exams_come_as_often_as_asked_whatever_the_blocks(run: Run, tmp_path: Path) -> None:
    changes = ("--set", "look_ahead=1", "--set", "exam_every=30", "--set", "exam_games=2")
    run("train", "--games", 120, "--run", tmp_path / "r", *changes)
    lines = LearningRun.open(tmp_path / "r").metrics()
    assert [line["step"] for line in lines if "exam" in line] == [0, 40, 60, 100, 120]


def test_a_finished_run_is_only_looked_at(run: Run, tmp_path: Path) -> None:
    options = ("train", "--games", 20, "--run", tmp_path / "r", *SMALL)
    first, again = run(*options), run(*options, "--resume")
    assert again.code == 0
    assert again.out.startswith("finished before")
    assert json.loads(run(*options, "--resume", "--json").out)["was_finished"] is True
    assert again.out.endswith(first.out)


def test_a_system_prints_its_own_result_and_prints_it_again(run: Run, tmp_path: Path) -> None:
    changes = ("method=genetic", "pool=2", "mutations=1", "games=4", "look_ahead=1")
    options = ("train", "draft5-ga", "--run", tmp_path / "r", "--set", "exam_every=0")
    options += tuple(word for one in changes for word in ("--set", one))
    first, again = run(*options), run(*options, "--resume")
    assert first.code == 0, first.err
    (line,) = (line for line in first.out.splitlines() if line.startswith("Weights of"))
    assert re.fullmatch(r"Weights of the winner: piece \d+, king \d+, (\w+ \d+, ){9}move \d+", line)
    assert again.out.endswith(first.out)
    told = json.loads(run(*options, "--resume", "--json").out)
    assert told["conclusion"] == line
    assert "conclusion" not in told["match"]


def test_a_run_is_not_written_over(run: Run, tmp_path: Path) -> None:
    options = ("train", "--games", 20, "--run", tmp_path / "r", *SMALL)
    run(*options)
    done = run(*options)
    assert done.code == 2
    assert "there is a run already: --resume it or name another" in done.err


def test_runs_without_a_name_get_one_each(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first, again = (run("train", "--games", 20, *SMALL) for _ in range(2))
    assert "is there already" not in first.err
    assert "neurodraughts-seed1 is there already; this run is kept in" in again.err
    # Of one that does not begin nothing is said but why.
    refused = run("train", "--set", "gamez=20")
    assert refused.code == 2
    assert "is there already" not in refused.err
    found = sorted(path.name for path in (tmp_path / "runs").iterdir())
    assert found == ["neurodraughts-seed1", "neurodraughts-seed1-2"]


def test_the_list_tells_systems_presets_and_settings(run: Run) -> None:
    told = json.loads(run("train", "--list", "--json").out)
    systems = {one["name"]: one for one in told["systems"]}
    assert {"neurodraughts", "visiondraughts", "dvisiondraughts"} <= systems.keys()
    published = systems["neurodraughts"]["presets"]["published"]
    assert (published["hidden"], published["momentum"], published["gamma"]) == (12, 0.9, 0.98)
    rows = run("train", "--list").out.splitlines()
    assert any(row.split()[0] == "look_ahead" for row in rows)
    # As they can be typed, and of other presets only what differs.
    depths = next(row for row in rows if row.startswith("  depths "))
    assert "[[7, 9], [19, 7]]; six [[9, 7], [27, 5]]" in depths


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["chess"], "there is no system 'chess' to train: there is champion, draft5-ga"),
        (["--preset", "best"], "neurodraughts has the presets published, tuned, not 'best'"),
        (["--set", "lookahead=3"], "there is no key 'lookahead': did you mean look_ahead?"),
        (["--set", "decay=1.5"], "decay: Input should be less than or equal to 1, not 1.5"),
        (["--set", "gamma=-0.1"], "gamma: Input should be greater than or equal to 0, not -0.1"),
        (["--set", "hidden"], "say what hidden is to be, as in hidden=12"),
        (["--set", "hidden=many"], "hidden: Input should be a valid integer"),
        (["--set", "low=nan"], "low: Input should be a finite number, not nan"),
        (["--set", "exam_every=-5"], "exam_every: Input should be greater than or equal to 0"),
        (["--set", "mapping=direct", "--set", "off=0"], "off is the level of a bit: the direct"),
        (["--result-convention", "white-first"], "--result-convention is for the system experts"),
        (["--set", "regime=straight"], "two nets that both learn change after every move"),
        (["--set", "low=0.5"], "a range for its weights"),
        (["--set", "features=[['Nonsense', 3]]"], "'Nonsense'"),
        (
            ["--set", "blocks=2", "--set", "boards=3"],
            "boards: Input should be a list in brackets, not 3",
        ),
        (
            ["--set", "boards=[['B:W21-32:B1-12', 5, 5, 3]]"],
            "boards.0.1: Input should be less than or equal to 1, not 5",
        ),
        (["treestrap", "--set", "stages=[1, 2, 3, 4]"], "4 stages need more parts than"),
        (
            ["treestrap", "--preset", "published", "--set", "mirrored=true"],
            "mirror",
        ),
        (["tdleaf", "--set", "depths=[[6, 300]]"], "the depth for 6 pieces must be 1 to 200"),
        (
            ["treestrap", "--preset", "published", "--set", "last_rate=0.1"],
            "stage_rates of its own or falls to a last_rate: not both",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(
    run: Run, tmp_path: Path, options: list[str], words: str
) -> None:
    done = run("train", *options, "--run", tmp_path / "r")
    assert done.code == 2
    assert words in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("decay", "1.5", "decay: Input should be less than or equal to 1, not 1.5"),
        ("forgotten", "1", "forgotten: "),
    ],
)
def test_a_setting_that_a_run_cannot_have_is_told_with_its_file(
    run: Run, tmp_path: Path, key: str, value: str, words: str
) -> None:
    run("train", "--games", 20, "--run", tmp_path / "r", *SMALL)
    config = tmp_path / "r" / "config.toml"
    lines = [line for line in config.read_text().splitlines() if not line.startswith(f"{key} =")]
    lines.insert(lines.index("[settings]") + 1, f"{key} = {value}")
    config.write_text("\n".join(lines) + "\n")
    done = run("train", "--run", tmp_path / "r", "--resume")
    assert done.code == 2
    assert f"{config}: {words}" in done.err
    config.write_text(config.read_text().replace('"neurodraughts"', '"chess"'))
    done = run("train", "--run", tmp_path / "r", "--resume")
    assert f"{config}: there is no system 'chess' to train" in done.err


def test_a_run_of_another_system_is_refused(run: Run, tmp_path: Path) -> None:
    run("train", "--games", 20, "--run", tmp_path / "r", *SMALL)
    for more in ((), ("--seed", 2), ("--games", 40), ("--set", "hidden=3")):
        done = run("train", "visiondraughts", "--run", tmp_path / "r", "--resume", *more)
        assert done.code == 2
        assert "this run trains neurodraughts, not visiondraughts" in done.err


def test_a_resumed_run_keeps_its_system(run: Run, tmp_path: Path) -> None:
    system, *options = made_small("tdleaf")
    options += ["--run", str(tmp_path / "r")]
    run("train", system, *options)
    done = run("train", *options, "--resume")
    assert done.code == 0, done.err
    assert "finished before" in done.out


def test_intervals_of_exams_are_points_too(run: Run, tmp_path: Path) -> None:
    options = (*SMALL, "--set", "exam_games=20")
    run("train", "--games", 40, "--run", tmp_path / "r", *options)
    exams = [line for line in LearningRun.open(tmp_path / "r").metrics() if "exam" in line]
    assert [line["step"] for line in exams] == [0, 40]
    for line in exams:
        assert 0 < line["exam_low"] < line["exam_high"] < 1
        assert line["exam_low"] - 1e-3 < line["exam"] < line["exam_high"]  # low is above 0


def test_a_short_training_is_examined_at_its_ends(run: Run, tmp_path: Path) -> None:
    options = ("--set", "depth=1", "--set", "depths=[]", "--set", "exam_games=2")
    done = run("train", "treestrap", "--games", 50, "--run", tmp_path / "r", *options)
    assert done.code == 0, done.err
    lines = LearningRun.open(tmp_path / "r").metrics()
    assert [line["step"] for line in lines if "exam" in line] == [0, 50]
    assert done.err.startswith("after 50 games patterns have learnt nothing: see stages\n")


def test_one_system_can_be_listed(run: Run) -> None:
    listed = run("train", "tdleaf", "--list").out
    assert listed.startswith("tdleaf: ")
    assert "treestrap: " not in listed
    assert [
        one["name"] for one in json.loads(run("train", "tdleaf", "--list", "--json").out)["systems"]
    ] == ["tdleaf"]


def test_a_quick_training_is_resumed_as_a_quick_one_alone(run: Run, tmp_path: Path) -> None:
    options = ("train", "--quick", "--games", 20, "--run", tmp_path / "quick", *SMALL)
    assert run(*options).code == 0
    command = LearningRun.open(tmp_path / "quick").config["command"]
    assert command.startswith("crossboard train neurodraughts --preset tuned --seed 1 --quick")
    assert run(*options, "--resume").out.startswith("finished before")
    training = TrainingRequest(folder=tmp_path / "whole").choose().training
    LearningRun.create(training.folder, training.config).close()
    refused = run("train", "--quick", "--run", tmp_path / "whole", "--resume")
    assert (refused.code, refused.out) == (2, "")
    assert "whole: the run has exam_every = 1000, not 2000; games = " in refused.err
    assert refused.err.count("\n") == 1


def test_games_are_said_once(run: Run, tmp_path: Path) -> None:
    done = run("train", "--games", 20, "--set", "games=50", "--run", tmp_path / "r")
    assert (done.code, done.out) == (2, "")
    assert done.err == "crossboard: --games and --set games= say the same: give one of them\n"
    assert not (tmp_path / "r").exists()


def test_time_ends_a_training_with_a_player(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "short"
    done = run("train", "--games", 100_000, "--seconds", 1, "--run", folder, *SMALL)
    assert done.code == 0, done.err
    played = load_player(folder / "player").about["made_by"]
    games = re.search(r"(\d+) games", played)
    assert games is not None
    assert 0 < int(games[1]) < 100_000
    assert LearningRun.open(folder).is_finished
    told = f"stopped by `--seconds` after {int(games[1]):,} of 100,000 games."
    assert told in (folder / "report.md").read_text()


def test_a_champion_is_trained(run: Run, tmp_path: Path) -> None:
    small = ["games=24", "round_games=[12]", "nodes=[50]", "hidden=8", "second=8", "passes=1"]
    small += ["match_pairs=1", "match_nodes=50"]
    changes = [word for one in small for word in ("--set", one)]
    done = run("train", "champion", "--run", tmp_path / "run", *changes)
    assert done.code == 0, done.err
    assert "after round 2" in done.out
    assert "curve.svg" in (tmp_path / "run" / "report.md").read_text()
    again = done.out.splitlines()[-1]
    assert again.startswith("match   crossboard match ")
    assert again.endswith(" --no-tables")
