"""An LLM in the role `grader`: a pinned prompt, a strict reading, and no guessed verdict."""

import hashlib
import json
import re
from dataclasses import dataclass

from inspect_ai.model import GenerateConfig, Model, get_model, model_roles

from speechbench.constraints.text import answer_text
from speechbench.errors import SpeechbenchError
from speechbench.records import JudgeStamp

__all__ = ["Grading", "grader"]

_ROLE = "grader"
_TEMPERATURE = 0.0
_SHOWN = 120


def grader() -> Model | None:
    """The model in the role `grader`; None where none was given, never the model under test."""
    if _ROLE not in model_roles():
        return None
    return get_model(role=_ROLE, required=True)


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
