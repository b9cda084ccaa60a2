"""Whether closed-ended answers are right, by the published grader's word."""

import hashlib

from speechbench.data.published_grading import graded_answer, graded_verdict
from speechbench.data.speech_ifeval import ConstraintItem, Row
from speechbench.records import JudgeStamp, TaskOutcome
from speechbench.speech.wer import word_errors

__all__ = ["PUBLISHED_GRADER", "published_task"]

PUBLISHED_GRADER = JudgeStamp(
    id="published",
    version="as in the response file",
    fingerprint=hashlib.sha256(b"published").hexdigest(),
)
"""Stands for whoever filled a response file's `eval_response` or `correct`."""

_TRANSCRIPTION = "asr"


def published_task(row: Row, item: ConstraintItem, response: str) -> TaskOutcome:
    """A line of a grader file: what it cut out of a transcription, or its verdict.

    A cut that does not stand in the response is not used: the response is scored whole.

    Args:
        row: with `eval_response`.
        item: with a label.
        response: the model's.

    Raises:
        SpeechbenchError: The grader's answer has no verdict.
    """
    if item.task != _TRANSCRIPTION:
        return TaskOutcome(
            task=item.task,
            question=item.question,
            method="grader",
            correct=graded_verdict(row),
            grader=PUBLISHED_GRADER,
        )
    cut = graded_answer(row) or ""
    stands = bool(cut.strip()) and cut.strip().casefold() in response.casefold()
    found = word_errors(item.label or "", cut if stands else response)
    return TaskOutcome(
        task=item.task,
        question=item.question,
        method="wer",
        errors=found.errors,
        words=found.words,
        whole=not stands,
        reason=None if stands else "what the published grader cut out is not in the response",
        grader=PUBLISHED_GRADER,
    )
