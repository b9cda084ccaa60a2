import math

import numpy as np
import pytest

from speechbench.records import Coherence, DialogueOutcome, JudgeStamp, RecallOutcome
from speechbench.reports.turns import turns_view
from speechbench.reports.wording import chance_words, degradation_words, missing_words

JUDGE = JudgeStamp(id="style-named", version="1", fingerprint="r" * 64)


def view(*runs):
    return turns_view(runs, 0, resamples=400)


def only_style(*runs):
    [run] = view(*runs).runs
    [style] = run.styles
    return style


def test_what_two_styles_of_one_dialogue_share(outcome, run_of):
    """Style A at turn 1, B added at turn 2: A, B and both over the same dialogues."""
    pairs = [("1111", "111"), ("1101", "011"), ("1111", "11s"), ("1010", "110")]
    dialogues = [
        DialogueOutcome(
            opener=f"o{number}",
            schedule="add",
            styles=[
                outcome("slow", first, opener=f"o{number}"),
                outcome("loud", second, opener=f"o{number}", first=2, judge="cd" * 32),
            ],
        )
        for number, (first, second) in enumerate(pairs)
    ]
    [run] = view(run_of(dialogues, schedule="add")).runs
    slow, loud, both = (style.result for style in run.styles)
    assert [rate.n for result in (slow, loud, both) for rate in result.rates] == [3] * 10
    assert slow.turns == (1, 2, 3, 4)
    assert loud.turns == both.turns == (2, 3, 4)
    assert [rate.value for rate in both.rates] == pytest.approx([100 / 3, 200 / 3, 200 / 3])
    # D of both: the baseline is turn 2, and both later turns lie above it
    assert both.degradation.degradation == 0
    assert both.degradation.mean_drop == pytest.approx(-100 / 3)
    assert (slow.chance, loud.chance, both.chance) == (50, 50, 25)
    assert both.judges == (*slow.judges, *loud.judges)
    assert len(run.styles) == 3
    assert run.styles[2].measure is None


def test_a_replaced_style_leaves_a_residue_and_no_degradation(outcome, run_of):
    dialogues = [
        DialogueOutcome(
            opener=f"o{number}",
            schedule="switch",
            styles=[
                outcome("slow", first, opener=f"o{number}", replaced_at=2),
                outcome("fast", second, opener=f"o{number}", first=2),
            ],
        )
        for number, (first, second) in enumerate([("1001", "110"), ("1100", "011")])
    ]
    [run] = view(run_of(dialogues, schedule="switch")).runs
    slow, fast = (style.result for style in run.styles)
    assert [rate.value for rate in slow.rates] == [100, 50, 0, 50]
    assert degradation_words(slow) == ["No D: another style took its place at turn 2."]
    assert math.isnan(slow.degradation.degradation)
    assert fast.turns == (2, 3, 4)
    assert fast.degradation.reason is None


def test_recall_stands_beside_the_style_it_is_about(held, run_of):
    answers = [(True, True, True), (True, False, None), (False, False, True)]
    dialogues = [
        dialogue.model_copy(
            update={
                "recall": [
                    RecallOutcome(turn=turn, recalled=recalled, judge=JUDGE)
                    for turn, recalled in enumerate(row, 2)
                ]
            }
        )
        for dialogue, row in zip(held("slow", ["1111", "1100", "1000"]), answers, strict=True)
    ]
    found = only_style(run_of(dialogues, recall="fork")).recall
    assert found.turns == (2, 3, 4)
    assert [rate.value for rate in found.rates] == pytest.approx([200 / 3, 100 / 3, 100])
    assert [rate.n for rate in found.rates] == [3, 3, 2]
    assert found.unscored == 1
    table = found.knows_and_follows
    # recalled and followed: 4; recalled and not: 1 (third, turn 4); 0 only followed; 3 neither
    assert [part.followed for part in (table.both, table.first_only, table.second_only)] == [
        4,
        1,
        0,
    ]
    assert table.n == 8


def test_one_condition_changed_is_an_effect_paired_over_openers(held, run_of):
    fading, steady = ["1100"] * 30, ["1111"] * 30
    without = run_of(held("slow", fading) + held("loud", steady), recall="none")
    reminded = run_of(held("slow", steady) + held("loud", steady), recall="keep")
    [effect] = view(reminded, without).effects
    assert (effect.condition, effect.changed_value, effect.base_value) == ("recall", "keep", "none")
    assert effect.base.endswith("recall none")
    slow, loud = effect.styles["slow"], effect.styles["loud"]
    assert slow.degradation.difference.value == pytest.approx(-200 / 3)
    assert slow.degradation.difference.n == 30
    assert slow.degradation.p_value < 0.01
    assert slow.degradation.p_holm == pytest.approx(2 * slow.degradation.p_value)
    assert loud.degradation.difference.value == 0
    assert loud.degradation.p_value == 1


def test_changed_is_the_later_run_where_neither_is_the_default(held, run_of):
    runs = [run_of(held("slow", ["11"]), phrasing=phrasing) for phrasing in (1, 2)]
    [effect] = view(*runs).effects
    assert (effect.base_value, effect.changed_value) == ("1", "2")


def test_runs_that_differ_twice_are_named_and_not_paired(held, run_of):
    plain = run_of(held("slow", ["11"]))
    system = run_of(held("slow", ["11"]), position="system", instruction_as="text")
    found = view(plain, system)
    assert not found.effects
    [note] = found.notes
    assert "differ in position and instruction_as" in note


@pytest.mark.parametrize("changes", [{"model": "other"}, {"schedule": "together"}, {"openers": 7}])
def test_what_is_no_effect_of_a_condition(held, run_of, changes):
    found = view(run_of(held("slow", ["11"])), run_of(held("slow", ["11"]), **changes))
    assert not found.effects
    assert not found.notes


def test_styles_by_other_judges_are_not_paired(held, run_of):
    dialogues = [
        dialogue.model_copy(
            update={
                "styles": [
                    part.model_copy(
                        update={"judge": part.judge.model_copy(update={"fingerprint": "x"})}
                    )
                    for part in dialogue.styles
                ]
            }
        )
        for dialogue in held("slow", ["11"])
    ]
    found = view(run_of(held("slow", ["11"])), run_of(dialogues, recall="keep"))
    assert not found.effects
    assert "no style with one judge in common" in found.notes[0]


def test_repeated_openers_are_no_further_evidence(held, run_of):
    once = held("slow", ["1100", "1111", "1000", "0011", "1110", "1101"])
    repeated = [
        dialogue.model_copy(update={"epoch": epoch}) for epoch in (1, 2, 3) for dialogue in once
    ]
    alone, thrice = only_style(run_of(once)).result, only_style(run_of(repeated)).result
    assert thrice.degradation.n == 18
    assert thrice.degradation.openers == 6
    for one, three in zip(alone.rates, thrice.rates, strict=True):
        assert three.n == 18
        assert three.interval == pytest.approx(one.interval, abs=8)


def test_approximate_below_fifty_openers(held, run_of):
    assert only_style(run_of(held("slow", ["11"] * 49))).result.degradation.approximate
    assert not only_style(run_of(held("slow", ["11"] * 50))).result.degradation.approximate


def test_near_no_drop_the_floor_leads(held, run_of):
    rng = np.random.default_rng(3)
    codes = ["".join(rng.choice(["0", "1"], 4)) for _ in range(60)]
    words = degradation_words(only_style(run_of(held("slow", codes))).result)
    assert words[0] == "No fading beyond chance."
    assert words[1].startswith("Without any change D would be ")
    assert "noise alone makes it positive" in words[-1]


def test_far_from_no_drop_degradation_leads(held, run_of):
    words = degradation_words(only_style(run_of(held("slow", ["1100"] * 40))).result)
    assert words[0].startswith("D is 66.7 [")
    assert "without any change it would be" in words[0]
    assert words[1].startswith("The signed mean drop is +66.7 [")


def test_missing_turns_are_counted_by_cause(held, run_of):
    result = only_style(run_of(held("slow", ["11", "1s", "s-"]))).result
    assert [(cause.status, cause.turns) for cause in result.missing] == [
        *(("no_speech", 2), ("not_reached", 1)),
    ]
    assert missing_words(result)[0] == "Without a verdict, no speech: 2 turns (s)."


def test_coherence_and_slips_are_over_the_whole_run(held, run_of):
    dialogues = held("slow", ["11", "11", "11"], user_turns=3, user_slips={"too_long": 2})
    ratings = [Coherence(score=5), Coherence(score=2), Coherence(reason="no grader")]
    dialogues = [
        dialogue.model_copy(update={"coherence": rating})
        for dialogue, rating in zip(dialogues, ratings, strict=True)
    ]
    [run] = view(run_of(dialogues)).runs
    assert run.coherence.rating.mean == 3.5
    assert run.coherence.rating.n == 2
    assert (run.coherence.unscored, run.coherence.reason) == (1, "no grader")
    assert (run.user_turns, run.user_slips) == (9, {"too_long": 6})


def test_the_papers_rows_stand_beside_runs_asked_as_in_the_paper(held, run_of):
    found = view(run_of(held("slow", ["11"])))
    assert {row.style for row in found.published} == {"slow"}
    assert "GPT-4o" in {row.model for row in found.published}
    assert not view(run_of(held("slow", ["11"]), recall="keep")).published


def test_chance_of_an_emotion_is_not_guessed(held, run_of):
    result = only_style(run_of(held("sad", ["11"]))).result
    assert result.chance is None
    assert "`--view defaults` says what it needs" in chance_words(result)


def test_same_seed_same_report(held, run_of):
    run = run_of(held("slow", ["1100", "1011", "0111"] * 10))
    assert view(run) == view(run)
