"""An LLM in a grading role: a pinned prompt, a strict reading, and no guessed verdict."""

import hashlib
import json
import re
from dataclasses import dataclass

from inspect_ai.model import GenerateConfig, Model, get_model, model_roles

from speechbench.constraints.text import answer_text
from speechbench.errors import SpeechbenchError
from speechbench.records import JudgeStamp, SecondOpinion

__all__ = ["GRADER", "SECOND_GRADER", "Grading", "grader", "second_opinion"]

GRADER, SECOND_GRADER = "grader", "grader2"
"""Roles: whose verdict counts, and whose only tells how far graders agree."""

_TEMPERATURE = 0.0
_SHOWN = 120


def grader(role: str = GRADER) -> Model | None:
    """The model in a role; None where none was given, never the model under test."""
    if role not in model_roles():
        return None
    return get_model(role=role, required=True)


@dataclass(frozen=True)
class Grading:
    """One question to a grader.

    Attributes:
        version: raised whenever the prompt or the reading of its answer changes.
        prompt: the question; `{name}` stands for what is given under that name.
        answers: regular expression of the whole answer; its first group is the verdict.
        expected: the answers in words, such as `YES or NO`.
    """

    version: str
    prompt: str
    answers: str
    expected: str

    @property
    def prompt_sha256(self) -> str:
        """SHA-256 of the prompt."""
        return hashlib.sha256(self.prompt.encode()).hexdigest()

    def stamp(self, model: Model) -> JudgeStamp:
        """Which grader judged: model, prompt and temperature."""
        parts = {
            "model": str(model),
            "version": self.version,
            "prompt": self.prompt_sha256,
            "temperature": _TEMPERATURE,
        }
        return JudgeStamp(
            id=f"grader/{model}",
            version=f"{self.version} (prompt {self.prompt_sha256[:16]})",
            fingerprint=hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest(),
        )

    async def ask(self, model: Model, **given: str) -> str:
        """The grader's verdict, in lower case.

        Args:
            model: the grader.
            given: a text for every name in the prompt.

        Raises:
            SpeechbenchError: The grader could not be called, or answered something else.
        """
        blanks = re.compile(r"\{(" + "|".join(map(re.escape, given)) + r")\}")
        prompt = blanks.sub(lambda blank: given[blank[1]], self.prompt)
        try:
            output = await model.generate(prompt, config=GenerateConfig(temperature=_TEMPERATURE))
        except Exception as error:
            # providers raise types of their own, and one that passed would end the whole pass
            reason = str(error).strip()[:_SHOWN] or type(error).__name__
            raise SpeechbenchError(f"the grader {model} failed: {reason}") from error
        match = re.fullmatch(self.answers, answer_text(output.completion), flags=re.IGNORECASE)
        if match is None:
            raise SpeechbenchError(
                f"the grader {model} was to answer {self.expected}, and answered "
                f"{output.completion.strip()[:_SHOWN]!r}"
            )
        return match[1].lower()


async def second_opinion(grading: Grading, **given: str) -> SecondOpinion | None:
    """What the model in the role `grader2` says; None where there is none.

    Args:
        grading: a question to be answered with YES or NO.
        given: as in `Grading.ask`.
    """
    model = grader(SECOND_GRADER)
    if model is None:
        return None
    stamp = grading.stamp(model)
    try:
        verdict = await grading.ask(model, **given)
    except SpeechbenchError as error:
        return SecondOpinion(verdict=None, reason=str(error), judge=stamp)
    return SecondOpinion(verdict=verdict == "yes", judge=stamp)
