"""The experiments of VisionDraughts and D-VisionDraughts in a very small size."""

from __future__ import annotations

import json
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from far_executor import FarExecutor

from crossboard.arena import match
from crossboard.draughts import middlegames
from crossboard.experiments import (
    comparison,
    dvision_speed,
    dvision_training,
    search_times,
    vision_match,
    vision_speed,
)
from crossboard.experiments.claims import Verdict, judge
from crossboard.experiments.experiment import Lab, conduct
from crossboard.players import Player, SearchLimits
from crossboard.runs import Run
from crossboard.systems import recipes, training, visiondraughts
from crossboard.systems.cohort import train_part
from crossboard.systems.trained import Trained

EXPERIMENTS = {
    one.name: one
    for one in (
        vision_speed.EXPERIMENT,
        dvision_speed.EXPERIMENT,
        vision_match.VISION_MATCH,
        dvision_training.DISTRIBUTED_TRAINING,
    )
}


def conducted(name, folder):
    told = []
    with FarExecutor(2) as executor:
        experiment = EXPERIMENTS[name]
        outcome = conduct(experiment, folder, executor, quick=True, seed=3, tell=told.append)
    assert outcome.verdict is Verdict.SHOWN
    return {one.claim.name: one.measured for one in outcome.findings}, told


@pytest.fixture
def shallow(monkeypatch):
    monkeypatch.setattr(search_times, "middlegames", lambda: middlegames()[:3])
    monkeypatch.setattr(vision_speed, "QUICK_DEPTH", 5)
    monkeypatch.setattr(dvision_speed, "QUICK_PUBLISHED_DEPTH", 5)


def test_time_saved_is_told_for_both_versions(shallow, tmp_path):
    measured, told = conducted("visiondraughts-speed", tmp_path / "run")
    both = {"saved-v1", "saved-v2"}
    assert measured.keys() == both | {f"{one}-depth-{depth}" for one in both for depth in (4, 5)}
    kept = json.loads((tmp_path / "run" / "seconds-depth-5.json").read_text())["kept"]
    shares = {way: sum(seconds) / sum(kept["minimax"]) for way, seconds in kept.items()}
    assert measured["saved-v2"].value == pytest.approx(100 * (1 - shares["version 2"]))
    assert measured["saved-v1"].value == measured["saved-v1-depth-5"].value
    assert "3 positions at depth 5" in measured["saved-v1"].note
    assert "processor" in measured["saved-v1"].note
    assert (tmp_path / "run" / "seconds.svg").exists()
    assert sum("searched" in line for line in told) == 2 * 3


def test_time_saved_is_judged_at_one_depth_alone(shallow, tmp_path, monkeypatch):
    monkeypatch.setattr(vision_speed, "DEPTH", 5)
    with ThreadPoolExecutor(1) as executor:
        outcome = conduct(EXPERIMENTS["visiondraughts-speed"], tmp_path / "run", executor)
    shown = {one.claim.name for one in outcome.findings if one.verdict is Verdict.SHOWN}
    assert shown == {"saved-v1-depth-4", "saved-v2-depth-4"}
    assert {one.claim.name for one in outcome.findings} - shown == {"saved-v1", "saved-v2"}
    assert "at depth 8" in outcome.experiment.rule


def test_a_stopped_measurement_of_times_is_not_taken_again(shallow, tmp_path, monkeypatch):
    first, _ = conducted("dvision-speed", tmp_path / "one")
    kept = (tmp_path / "one" / "seconds.json").read_bytes()
    monkeypatch.setattr(dvision_speed, "search_all", lambda *_: pytest.fail("searched again"))
    # A run that was killed after its times were kept, and before anything was made of them.
    config = {"experiment": "dvision-speed", "quick": True, "seed": 3}
    with Run.create(tmp_path / "two", config):
        pass
    (tmp_path / "two" / "seconds.json").write_bytes(kept)
    again, _ = conducted("dvision-speed", tmp_path / "two")
    assert again == first


def test_seconds_are_judged_at_the_published_depth_alone(shallow, tmp_path, monkeypatch):
    conducted("dvision-speed", tmp_path / "shallow")
    report = (tmp_path / "shallow" / "report.md").read_text()
    assert report.startswith("# dvision-speed: not judged")
    assert (
        "seconds a position, one processor, version 1: table 2: at depth 14; 3 positions" in report
    )
    monkeypatch.setattr(dvision_speed, "PUBLISHED_DEPTH", 5)
    experiment = EXPERIMENTS["dvision-speed"]
    with ThreadPoolExecutor(2) as executor:
        outcome = conduct(experiment, tmp_path / "as-deep", executor, quick=True)
    # What two processors gain is not what ten do.
    shown = {one.claim.name for one in outcome.findings if one.verdict is Verdict.SHOWN}
    assert shown == {"efficiency"}


def test_a_speed_up_is_the_ratio_of_the_seconds(shallow, tmp_path):
    measured, _ = conducted("dvision-speed", tmp_path / "run")
    cores = dvision_training.count_cores()
    ratio = measured["serial-seconds"].value / measured["shared-seconds"].value
    assert measured["efficiency"].value == pytest.approx(ratio / cores)


def test_training_for_equal_times_counts_games_and_plays_a_match(tmp_path, monkeypatch):
    monkeypatch.setattr(dvision_training, "QUICK_SIZES", vision_match.Sizes(0.05, 2, 2, 1))
    monkeypatch.setattr(dvision_training, "EXAM_PAIRS", 1)
    monkeypatch.setattr(comparison, "OPPONENTS", (("random", 1),))
    measured, told = conducted("dvision-training", tmp_path / "run")
    claims = {f"{name}-v{version}" for name in ("games", "ratio", "score") for version in (1, 2)}
    assert claims == measured.keys()
    assert measured["ratio-v1"].value == measured["games-v1"].value
    assert measured["games-v1"].value > 0
    assert f"times for each of {dvision_training.count_cores()} processors" in (
        measured["games-v1"].note
    )
    assert "published 0.29 for each of 10" in measured["games-v1"].note
    assert re.search(r"2 runs of \d+ to \d+ s", measured["games-v1"].note)
    assert re.search(r"2 runs an arm of \d+ to \d+ s", measured["score-v1"].note)
    assert "against the fixed opponents: alone 0." in measured["score-v1"].note
    assert "clonings a run: alone " in measured["score-v1"].note
    assert (tmp_path / "run" / "blocks.svg").exists()
    assert (tmp_path / "run" / "exams.svg").exists()
    blocks = Trained.read_part(tmp_path / "run" / "arms" / "v2-shared-0").blocks
    assert [block["games"] for block in blocks] == [2 * n for n in range(1, len(blocks) + 1)]
    assert {"pieces", "moves", "cloned"} <= blocks[0].keys()
    assert 0 <= measured["score-v2"].value <= 1
    assert any(line.startswith("v2-shared-1: ") for line in told)


def trained_for(games, seconds=100.0):
    return Trained(
        folder=Path(), seed=0, games=games, seconds=seconds + 1, learning_seconds=seconds
    )


def test_sharing_that_gains_nothing_does_not_hold():
    alike = [trained_for(games) for games in (90, 100, 110, 95, 105)]
    school = dvision_training.School(dvision_training.SIZES, cores=2, side_by_side=2)
    more = [replace(one, games=2 * one.games) for one in alike]
    slower = [replace(one, games=one.games // 2) for one in alike]
    claim = dvision_training.TRAINING_CLAIMS[0]
    verdicts = []
    for shared in (more, alike[::-1], slower):
        trained = {"shared": shared, "alone": alike}
        measured, beside = dvision_training._games_ratio(1, trained, school)
        assert (measured.claim, beside.claim) == ("games-v1", "ratio-v1")
        verdicts.append(judge(claim, measured))
    assert verdicts == [Verdict.HOLDS, Verdict.UNDECIDED, Verdict.FAILS]


SETTINGS = visiondraughts.VERSION_1.model_copy(update={"look_ahead": 1, "test_after": 2})


def timed(folder, name="v1-alone-0", settings=SETTINGS, seconds=0.02, at_a_time=1):
    return dvision_training.timed_training(folder / name, settings, 3000, seconds, at_a_time)


def test_a_training_is_repeated_only_if_it_was_another(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", 0.0)
    told = []
    deeper = SETTINGS.model_copy(update={"look_ahead": 2})
    with ThreadPoolExecutor(1) as executor:
        lab = Lab(True, 3, executor, tmp_path, {}, told.append)

        def train(settings, at_a_time=1):
            asked = timed(tmp_path, settings=settings, at_a_time=at_a_time)
            dvision_training.train_seed(lab, [asked])
            found = Trained.read_part(asked.folder)
            return found.games, found.learning_seconds, found.blocks

        first = train(SETTINGS)
        assert train(SETTINGS) == first
        train(deeper)
        train(deeper, 2)  # beside another it is not the same
    assert sum(line.endswith(" games") for line in told) == 3
    assert sum("v1-alone-0: trained once more" in line for line in told) == 2
    # The one before is not lost.
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == ["v1-alone-0", "v1-alone-0.before"]


class Killed(Exception):
    """Stands for whatever ends a process."""


def test_a_stopped_training_takes_only_the_time_that_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", 0.0)
    clock = iter(range(10**6))  # a second between two looks at it
    monkeypatch.setattr(training.time, "monotonic", lambda: float(next(clock)))
    whole, asked = timed(tmp_path, "whole", seconds=80.0), timed(tmp_path, seconds=80.0)
    train_part(whole)
    save = Run.save

    def save_and_die(self, *given):
        save(self, *given)
        if self.seconds > 50:
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Run, "save", save_and_die)
        with pytest.raises(Killed):
            train_part(asked)
    kept = Run.open(asked.folder).latest()
    before = [line for line in Run.open(asked.folder).metrics() if line["step"] <= kept.step]
    assert 40 < kept.seconds < 80
    train_part(asked)
    rest, full = (Trained.read_part(one.folder).blocks for one in (asked, whole))
    # The same games again, and no more of them than time was left for.
    assert len(before) < len(rest) <= len(full) + 1
    shorter = min(len(full), len(rest)) - 1
    assert rest[:shorter] == full[:shorter]
    assert 80 <= Trained.read_part(asked.folder).learning_seconds < 90


def test_trainings_of_another_edition_are_not_resumed(tmp_path, monkeypatch):
    before = timed(tmp_path).origin
    monkeypatch.setattr(dvision_training, "EDITION", comparison.EDITION + 1)
    assert timed(tmp_path).origin != before


def test_nobody_is_cloned_after_his_time(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", 0.0)
    clock = iter(range(10**6))
    monkeypatch.setattr(training.time, "monotonic", lambda: float(next(clock)))
    learn, seen = recipes.find_recipe("visiondraughts").learn, []

    def clone_always(settings, schooling):
        for snapshot in learn(settings, schooling):
            student = {k.partition(".")[2]: v for k, v in snapshot.arrays.items() if "student" in k}
            clone = {f"opponent.{name}": array for name, array in student.items()}
            arrays = {**snapshot.arrays, **clone}
            seen.append(replace(snapshot, arrays=arrays, measured={"cloned": 1.0}))
            yield seen[-1]

    recipe = replace(recipes.find_recipe("visiondraughts"), learn=clone_always)
    monkeypatch.setattr(dvision_training, "find_recipe", lambda _: recipe)
    asked, late = timed(tmp_path, seconds=30.0), timed(tmp_path, "late", seconds=0.5)
    train_part(asked)
    found = Trained.read_part(asked.folder)
    assert found.games == seen[-1].games
    clones = [block["cloned"] for block in found.blocks]
    assert len(clones) > 2
    assert clones == [1.0] * (len(seen) - 1) + [0.0]
    assert found.network.net.w2.tolist() == seen[-2].arrays["student.w2"].tolist()
    # Where not even one block was in time, nothing was learnt.
    train_part(late)
    nothing = Trained.read_part(late.folder)
    assert nothing.network.net.w2.tolist() == SETTINGS.initial(3000).net.w2.tolist()
    assert nothing.games == SETTINGS.test_after


@pytest.mark.parametrize(
    ("depth", "threads", "grain"),
    [(12, 2, 8), (20, 2, 8), (8, 2, 4), (6, 2, 2), (2, 2, 2), (6, 1, 8)],
)
def test_threads_share_searches_however_shallow_they_are(depth, threads, grain):
    settings = visiondraughts.VERSION_1.model_copy(update={"look_ahead": depth, "threads": threads})
    assert settings.make_search().grain == grain


def test_who_learns_alone_does_so_side_by_side_and_who_shares_has_the_machine(tmp_path):
    begun, futures = [], []

    class Watched(ThreadPoolExecutor):
        def submit(self, work, *given):
            begun.append(sum(not future.done() for future in futures))
            futures.append(super().submit(work, *given))
            return futures[-1]

    with Watched(2) as executor:
        lab = Lab(True, 3, executor, tmp_path, {}, lambda _: None, workers=2)
        alone = [timed(tmp_path, f"alone-{n}", seconds=0.2, at_a_time=2) for n in range(4)]
        shared = [timed(tmp_path, f"shared-{n}") for n in range(2)]
        dvision_training.train_seed(lab, [*alone, *shared])
        assert begun == [0, 1, 0, 1, 0, 0]
        # After a stop one of those who learn alone may be left: nobody shares beside him.
        shutil.rmtree(alone[1].folder)
        shutil.rmtree(shared[0].folder)
        dvision_training.train_seed(lab, [*alone, *shared])
        assert begun[6:] == [0, 0]


def test_players_of_a_seed_learn_one_after_the_other(tmp_path, monkeypatch):
    sizes = vision_match.Sizes(0.02, 1, 2, 1)
    monkeypatch.setattr(dvision_training, "QUICK_SIZES", sizes)
    monkeypatch.setattr(dvision_training, "_examine", lambda *_: [])
    told = []
    with ThreadPoolExecutor(1) as executor:
        lab = Lab(True, 3, executor, tmp_path, {}, told.append)
        next(dvision_training.measure_training(lab))
    trained = [line.partition(":")[0] for line in told if line.endswith(" games")]
    arms_of = ["v1-alone-{}", "v2-alone-{}", "v1-shared-{}", "v2-shared-{}"]
    assert trained == [arm.format(number) for number in range(2) for arm in arms_of]


def test_players_of_a_seed_learn_all_once_more_where_one_would_have_learnt_otherwise(tmp_path):
    def train(*some):
        told = []
        with ThreadPoolExecutor(2) as executor:
            dvision_training.train_seed(Lab(True, 3, executor, tmp_path, {}, told.append), some)
        return [line.partition(":")[0] for line in told if line.endswith(" games")]

    alone, shared = timed(tmp_path, "alone"), timed(tmp_path, "shared")
    by_four = replace(shared, settings=SETTINGS.model_copy(update={"threads": 4}))
    assert train(alone, shared) == ["alone", "shared"]
    assert train(alone, shared) == []
    assert train(alone, by_four) == ["alone", "shared"]
    # Who is not there yet makes no difference to the others.
    shutil.rmtree(by_four.folder)
    assert train(alone, by_four) == ["shared"]


def test_players_of_a_seed_meet_from_openings_of_their_own(tmp_path, monkeypatch):
    played = []

    def play_match(one, other, terms, executor, **options):
        played.append([opening.name for opening in terms.openings.take(0, 4)])
        return match.play_match(one, other, terms, executor, **options)

    monkeypatch.setattr(vision_match, "play_match", play_match)
    one = Player("one", SETTINGS.initial(1), limits=SearchLimits(depth=1))
    with ThreadPoolExecutor(1) as executor:
        lab = Lab(True, 3, executor, tmp_path, {}, lambda _: None)
        for seed in (7, 7, 8):
            vision_match.meet(lab, one, one, 1, seed)
    assert played[0] == played[1] != played[2]


def test_published_players_learn_in_ten_tournaments_of_250_games():
    published = [visiondraughts.VERSION_1, visiondraughts.VERSION_2]
    length, depth, *_ = vision_match.MATCH
    published += vision_match.match_settings(int(length), depth)
    for settings in published:
        cloning = settings.cloning()
        assert (cloning.blocks, cloning.games_of_block) == (10, 250)
        assert settings.games == 10 * 250


def test_the_small_size_has_ten_tournaments_too():
    length, depth, *_ = vision_match.QUICK_MATCH
    for settings in vision_match.match_settings(int(length), depth):
        assert settings.cloning().blocks == 10


@pytest.mark.parametrize("size", [vision_match.MATCH, vision_match.QUICK_MATCH])
def test_exams_of_the_match_come_where_a_tournament_ends(size):
    (settings, _), exams = vision_match.match_settings(int(size.length), 8), vision_match.EXAMS
    assert settings.games % exams == 0
    assert settings.games // exams % settings.test_after == 0


def test_both_systems_are_trained_and_meet(tmp_path, monkeypatch):
    monkeypatch.setattr(vision_match, "QUICK_MATCH", vision_match.Sizes(10, 2, 2, 1))
    monkeypatch.setattr(comparison, "OPPONENTS", (("random", 1),))
    measured, _ = conducted("visiondraughts-match", tmp_path / "run")
    assert measured["score"].value == measured["better"].value
    shares = [measured[name].value for name in ("wins", "draws", "losses")]
    assert sum(shares) == pytest.approx(1)
    assert measured["score"].value == pytest.approx(shares[0] + shares[1] / 2)
    assert 0 <= measured["loops"].value <= shares[1]
    assert "with unequal material 0." in measured["loops"].note
    assert "depths 2 and 4" in measured["score"].note
    assert re.search(
        r"clonings a run: neurodraughts \d.*; visiondraughts \d", measured["score"].note
    )


def test_rules_say_how_deep_players_are_searched():
    assert "to depth 8 by VisionDraughts, to 4 by NeuroDraughts" in vision_match.VISION_MATCH.rule
    assert "searched to depth 12, the match to 8" in dvision_training.DISTRIBUTED_TRAINING.rule


def test_players_of_equal_times_are_examined_before_and_after():
    player = Player("untrained", SETTINGS.initial(7))
    found = replace(trained_for(2, 0.5), seed=7, player=player)
    before, after = dvision_training._exams_of(SETTINGS, found)
    assert (before.games, before.seconds, after.games, after.seconds) == (0, 0.0, 2, 0.5)
    # It has learnt nothing, so that both are exams of the same net.
    assert before.points == after.points


def test_rules_say_who_plays_where_nothing_was_cloned():
    for experiment in (vision_match.VISION_MATCH, dvision_training.DISTRIBUTED_TRAINING):
        assert "the untrained net that the run began with if nothing was cloned" in experiment.rule
