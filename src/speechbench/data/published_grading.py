"""What Speech-IFEval's published grader files say: the field `eval_response`."""

from speechbench.data.speech_ifeval import Row
from speechbench.errors import SpeechbenchError

__all__ = ["graded_answer", "graded_verdict"]

_VERDICTS = {"YES": True, "NO": False}
_SHOWN = 40


def graded_answer(row: Row) -> str | None:
    """The grader's answer as it stands; None where the line holds none.

    Raises:
        SpeechbenchError: It is no text.
    """
    answer = row.fields.get("eval_response")
    if answer is not None and not isinstance(answer, str):
        raise SpeechbenchError(
            f"{row.where}: field 'eval_response', the grader's answer, should be a text; got "
            f"{answer!r}."
        )
    return answer


def graded_verdict(row: Row) -> bool | None:
    """The grader's verdict: from `eval_response`, or the field `correct`; None without either.

    Raises:
        SpeechbenchError: The answer does not end with its verdict, `correct` is neither true nor
            false, or the two say opposite things.
    """
    correct = row.fields.get("correct")
    if correct is not None and not isinstance(correct, bool):
        raise SpeechbenchError(
            f"{row.where}: field 'correct', the grader's verdict, should be true or false; got "
            f"{correct!r}."
        )
    answer = graded_answer(row)
    if answer is None:
        return correct
    verdict = _VERDICTS.get(answer.rpartition("Result:")[2].strip(" .*\n").upper())
    if verdict is None:
        raise SpeechbenchError(
            f"{row.where}: expected `eval_response` to end with `Result: YES` or `Result: NO`, "
            f"got {answer[-_SHOWN:]!r}."
        )
    if correct is not None and correct != verdict:
        raise SpeechbenchError(
            f"{row.where}: field 'correct' is {correct}, and `eval_response` says "
            f"{answer[-_SHOWN:]!r}."
        )
    return verdict
