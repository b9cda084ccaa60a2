"""Text constraints that can be asked for in speech and kept over a dialogue, as rows.

The counterpart of the styles: a constraint stands in the first turn, and every later turn's words
are checked. Every one can be kept in speech, and each answer can be checked alone.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from speechbench.constraints import VERIFIERS_VERSION, check
from speechbench.errors import SpeechbenchError
from speechbench.styles.table import STYLES, Style

__all__ = ["RULES_VERSION", "TEXT", "TEXT_RULES", "Asked", "TextRule", "asked", "rules_asked_for"]

TEXT = "text"
"""What text constraints are called where styles have a dimension."""

RULES_VERSION = f"1 (verifiers {VERIFIERS_VERSION})"
"""Raised whenever a verdict could change."""


@dataclass(frozen=True)
class TextRule:
    """A text constraint of a dialogue.

    Attributes:
        name: unique name, as in `-T constraints=end_phrase`.
        phrasings: three instructions of equal meaning, to be spoken or written.
        heard_as: regular expression that finds the constraint in a heard instruction.
        checks: constraint ids with their arguments; all must hold, under profile `fixed`.
        written: what it asks for can be seen and not heard, so that a transcript by ear says
            nothing of it.
    """

    name: str
    phrasings: tuple[str, str, str]
    heard_as: str
    checks: tuple[tuple[str, Mapping[str, Any]], ...]
    written: bool = False

    @property
    def dimension(self) -> str:
        """`text`, where a style has its dimension."""
        return TEXT

    @property
    def relative(self) -> bool:
        """False: words need no neutral reference."""
        return False

    def kept_in(self, transcript: str) -> bool:
        """Whether a turn's words keep the constraint."""
        return all(check(name, transcript, "fixed", **args) for name, args in self.checks)


Asked = Style | TextRule
"""What a dialogue can ask for."""


def _sentences(number: int, relation: str) -> tuple[str, Mapping[str, Any]]:
    return (
        "length_constraints:number_sentences",
        {"num_sentences": number, "relation": relation},
    )


TEXT_RULES: dict[str, TextRule] = {
    row.name: row
    for row in (
        TextRule(
            "end_phrase",
            (
                "Please end every answer in our whole conversation with the words, "
                "that is all for now.",
                "For this entire conversation, I would like the last words of every reply to be, "
                "that is all for now.",
                "Close all of your answers, from now until we finish talking, by saying, "
                "that is all for now.",
            ),
            r"\bthat(['’]s| is) all for now\b",
            (("startend:end_checker", {"end_phrase": "that is all for now."}),),
        ),
        TextRule(
            "keyword",
            (
                "Please use the word indeed in every answer throughout our whole conversation.",
                "For this entire conversation, I would like each reply to contain the word indeed.",
                "Say the word indeed in all of your answers, from now until we finish talking.",
            ),
            r"\bword,? indeed\b",
            (("keywords:existence", {"keywords": ["indeed"]}),),
        ),
        TextRule(
            "forbidden_word",
            (
                "Please never say the word you in any answer throughout our whole conversation.",
                "For this entire conversation, I would like every reply to avoid the word you.",
                "Leave the word you out of all of your answers, from now until we finish talking.",
            ),
            r"\bword,? you\b",
            (("keywords:forbidden_words", {"forbidden_words": ["you"]}),),
        ),
        TextRule(
            "two_sentences",
            (
                "Please answer with exactly two sentences throughout our whole conversation.",
                "For this entire conversation, I would like every reply to have exactly two "
                "sentences.",
                "Give all of your answers in exactly two sentences, from now until we finish "
                "talking.",
            ),
            r"\b(two|2) sentences\b",
            (_sentences(2, "at least"), _sentences(3, "less than")),
        ),
        TextRule(
            "lower_case",
            (
                "Please write every answer in lower case letters only, throughout our whole "
                "conversation.",
                "For this entire conversation, I would like every reply to be in lower case "
                "letters only.",
                "Keep all of your answers in lower case letters only, from now until we finish "
                "talking.",
            ),
            r"\blower[ -]?case\b",
            (("change_case:english_lowercase", {}),),
            written=True,
        ),
    )
}


def asked(name: str) -> Asked:
    """The style or text constraint of that name.

    Raises:
        SpeechbenchError: there is none; the sentence lists what there is.
    """
    found = STYLES.get(name) or TEXT_RULES.get(name)
    if found is None:
        raise SpeechbenchError(
            f"expected a style or a text constraint, got {name!r}; styles: {', '.join(STYLES)}; "
            f"constraints: {', '.join(TEXT_RULES)}."
        )
    return found


_LASTING = re.compile(r"\b(throughout|whole|entire|every|each|all|any)\b", re.IGNORECASE)


def rules_asked_for(text: str) -> list[TextRule]:
    """The text constraints that a heard or read text asks for, in the table's order."""
    if not _LASTING.search(text):
        return []
    return [
        row for row in TEXT_RULES.values() if re.search(row.heard_as, text, flags=re.IGNORECASE)
    ]
