"""Whether closed-ended answers are right, beside whether they keep their form (Table 4)."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from speechbench.constraints.text import answer_text
from speechbench.errors import SpeechbenchError
from speechbench.records import TASK_NAMES, TaskOutcome
from speechbench.scorers.answer_graders import ANSWER, EXTRACTION
from speechbench.scorers.grading import grader, second_opinion
from speechbench.scorers.options import right_option
from speechbench.speech.wer import word_errors

__all__ = [
    "task_level",
    "task_rates",
    "task_rates_by_name",
    "task_score",
]

_NO_GRADER = "no grader: give one with --model-role grader=…"


@metric(name="task_rates", scores="unreduced")
def task_rates() -> Metric:
    """Table 4's row in percent: `WER` over the corpus, and accuracies `SER`, `GR`, ….

    With counts: `n/…` answers with a verdict, `n/whole` transcriptions that were scored whole,
    `n/unscored`.
    """

    def compute(scores: list[SampleScore]) -> Value:
        outcomes = [TaskOutcome.model_validate(sample.score.metadata) for sample in scores]
        return cast(Value, task_rates_by_name(outcomes))

    return compute


def task_rates_by_name(outcomes: Sequence[TaskOutcome]) -> dict[str, float]:
    """The values of the metric `task_rates`, by name."""
    values: dict[str, float] = {}
    for task, name in TASK_NAMES.items():
        scored = [one for one in outcomes if one.task == task and one.scored]
        values |= {name: _rate(scored), f"n/{name}": len(scored)}
    values["n/whole"] = sum(one.whole for one in outcomes)
    values["n/unscored"] = sum(not one.scored for one in outcomes)
    return values


def _rate(scored: Sequence[TaskOutcome]) -> float:
    if not scored:
        return math.nan
    if scored[0].errors is not None:
        errors = sum(one.errors or 0 for one in scored)
        return 100.0 * errors / sum(one.words or 0 for one in scored)
    return 100.0 * sum(bool(one.correct) for one in scored) / len(scored)


@scorer(metrics=[task_rates()])
def task_level() -> Scorer:
    """Score a closed-ended answer against its label (Speech-IFEval §4.2, Table 4).

    Transcription: the model in the role `grader` cuts the transcript out of the response, and it
    must stand there; else, or without a grader, the response is scored whole, and counted.
    Questions that name their options are decided where the response names exactly one; all others
    by the grader, and without one they stay unscored unless the response is the label. A model in
    the role `grader2` answers the same questions; its word changes no score.

    Samples without a label, and those of other categories, have no such score.
    """

    async def score(state: TaskState, target: Target) -> Score | None:
        item, label = state.metadata, target.text
        if item["category"] != "closed" or not label.strip():
            return None
        response = state.output.completion
        judge = _transcription if item["task"] == "asr" else _answer
        return task_score(await judge(item, label, response), response)

    return score


async def _transcription(item: Mapping[str, Any], label: str, response: str) -> TaskOutcome:
    model = grader()
    passage, reason = response, _NO_GRADER
    if model is not None and response.strip():
        try:
            cut = await EXTRACTION.ask(model, reference=label, response=response)
            if cut in response.lower():
                passage, reason = cut, ""
            else:
                reason = f"what the grader {model} cut out does not stand in the response"
        except SpeechbenchError as error:
            reason = str(error)
    elif model is not None:
        reason = "the response is empty"
    found = word_errors(label, answer_text(passage) if reason else passage)
    return TaskOutcome(
        task=item["task"],
        question=item["question"],
        method="wer",
        errors=found.errors,
        words=found.words,
        whole=bool(reason),
        reason=reason or None,
        grader=EXTRACTION.stamp(model) if model else None,
    )


async def _answer(item: Mapping[str, Any], label: str, response: str) -> TaskOutcome:
    correct = right_option(item["instruction"], label, answer_text(response))
    if correct is not None:
        return _outcome(item, "options", correct=correct)
    model = grader()
    if model is None:
        return _outcome(item, "grader", reason=_NO_GRADER)
    given = {"question": item["instruction"], "reference": label, "response": response}
    try:
        correct, reason = await ANSWER.ask(model, **given) == "yes", None
    except SpeechbenchError as error:
        correct, reason = None, str(error)
    return _outcome(
        item,
        "grader",
        correct=correct,
        reason=reason,
        grader=ANSWER.stamp(model),
        second=await second_opinion(ANSWER, **given),
    )


def _outcome(
    item: Mapping[str, Any],
    method: Literal["options", "grader"],
    **found: Any,  # noqa: ANN401 (fields of the record)
) -> TaskOutcome:
    return TaskOutcome(task=item["task"], question=item["question"], method=method, **found)


def task_score(outcome: TaskOutcome, response: str) -> Score:
    """The score that carries an outcome: `correct` 1 or 0, or `wer` as a fraction, else NaN."""
    wer = math.nan if outcome.errors is None else outcome.errors / (outcome.words or 1)
    correct = math.nan if outcome.correct is None else float(outcome.correct)
    said = f"{outcome.errors} errors in {outcome.words} words" if outcome.words else None
    word = {True: "right", False: "wrong", None: "unscored"}[outcome.correct]
    judge = outcome.grader.id if outcome.grader else outcome.method
    lines = [f"{outcome.task} ({judge}): {said or word}"]
    if outcome.reason:
        lines.append(outcome.reason)
    return Score(
        value={"correct": correct, "wer": wer},
        answer=response,
        explanation="\n".join(lines),
        reason=None if outcome.scored else outcome.reason,
        metadata=outcome.model_dump(mode="json"),
    )
