"""What a sweep says of its runs: the headline that all have, Δ, and the best trade-off."""

from pathlib import Path

import numpy as np
import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score, scorer
from inspect_ai.solver import solver

from speechbench.errors import SpeechbenchError
from speechbench.records import METADATA_KEY
from speechbench.reports.answers import answer_scores
from speechbench.reports.sweep import read_sweep
from speechbench.reports.sweep_chart import draw_sweep


@pytest.fixture(scope="module")
def run(tmp_path_factory, scripted, constraint_info, constraint_outcomes):
    """Runs prepared outcomes with prepared answers, of tasks and labels that are given."""

    def make(groups, answers=(), info=None):
        outcomes = constraint_outcomes(groups)
        said = dict(zip(outcomes, answers, strict=False))

        @solver
        def silent():
            async def solve(state, generate):
                state.output = ModelOutput.from_content("scripted/x", "Nothing.")
                return state

            return solve

        @scorer(name="constraint_following", metrics={})
        def hand_out():
            async def score(state, target):
                key = str(state.sample_id)
                return Score(
                    value={"followed": 1.0},
                    answer=said.get(key, ("", "", "Nothing."))[2],
                    metadata=outcomes[key].model_dump(),
                )

            return score

        samples = [
            Sample(
                id=key,
                input="Say something.",
                target=said.get(key, ("", "", ""))[1],
                metadata={
                    "task": said.get(key, ("asr", "", ""))[0],
                    "category": outcome.category,
                },
            )
            for key, outcome in outcomes.items()
        ]
        model, _ = scripted("sweep", lambda messages: "Nothing.")
        [log] = inspect_eval(
            Task(
                dataset=MemoryDataset(samples),
                solver=silent(),
                scorer=hand_out(),
                name="speech_ifeval",
                version="1",
                metadata={METADATA_KEY: (info or constraint_info()).model_dump()},
            ),
            model=model,
            log_dir=str(tmp_path_factory.mktemp("logs")),
            display="none",
        )
        return Path(str(log.location).removeprefix("file://"))

    return make


def test_the_best_trade_off_is_the_highest_mean_of_rate_and_answers(run):
    right, wrong = ("gender", "Female", "It is a female voice."), ("gender", "Female", "Male.")
    logs = {
        32.0: run({"CC": "0000"}, [right] * 4),  # 0 and 100
        4.0: run({"CC": "1110"}, [right] * 3 + [wrong]),  # 75 and 75
        0.0: run({"CC": "1111"}, [wrong] * 4),  # 100 and 0
    }
    sweep = read_sweep(logs)
    assert sweep.headline == "closed"
    assert [point.alpha for point in sweep.points] == [32.0, 4.0, 0.0]
    assert [point.answers.value for point in sweep.points] == [100.0, 75.0, 0.0]
    assert sweep.best == 4.0
    assert sweep.reference == "α′ = 0"
    assert [point.delta.value for point in sweep.points] == [-100.0, -25.0, 0.0]


def test_without_labels_the_highest_rate_is_best(run):
    logs = {2.0: run({"KW": "10"}), 1.0: run({"KW": "11"})}
    sweep = read_sweep(logs)
    assert (sweep.headline, sweep.best, sweep.reference) == ("creative", 1.0, None)
    assert not any(point.answers.known or point.delta.known for point in sweep.points)


def test_the_headline_is_the_broadest_rate_that_all_points_have(run):
    both, whole = {"CC": "10", "KW": "11"}, {"CC": "11", "KW": "10", "CoT": "11"}
    assert read_sweep({1.0: run(both), 2.0: run(whole)}).headline == "rule_rate"
    assert read_sweep({1.0: run(whole), 2.0: run(whole)}).headline == "IFrate"
    with pytest.raises(SpeechbenchError, match="no rate is known at every"):
        read_sweep({1.0: run({"CC": "1"}), 2.0: run({"KW": "1"})})


def test_delta_is_against_the_backbone_where_it_is_given(run):
    backbone = run({"CC": "1111"})
    sweep = read_sweep({1.0: run({"CC": "1100"}), 0.0: run({"CC": "1000"})}, backbone)
    assert sweep.reference == "scripted/sweep"
    assert [point.delta.value for point in sweep.points] == [-50.0, -75.0]


def test_answers_are_scored_after_normalisation(run):
    rng = np.random.default_rng(0)
    log = run(
        {"CC": "1111"},
        [
            ("asr", "The lift is out of order.", '{"text": "the LIFT is out"}'),
            ("emotion", "Sad", "SAD!"),
            ("emotion", "Sad", "Sadly, no idea."),
            ("understanding", "", "No label."),
        ],
    )
    estimate = answer_scores(log, rng)
    # WER: two of six words missing, and one too many; so 1/2, 1 and 0 over three items
    assert estimate.n == 3
    assert estimate.value == pytest.approx(100 * (0.5 + 1 + 0) / 3)
    assert estimate.interval.low < estimate.value < estimate.interval.high


def test_a_chart_repeats_to_the_byte(run, tmp_path):
    sweep = read_sweep({1.0: run({"CC": "10", "KW": "1"}), 0.0: run({"CC": "11", "KW": "1"})})
    for name in ("a.svg", "b.svg", "a.png"):
        draw_sweep(sweep, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "a.png").stat().st_size > 10_000
