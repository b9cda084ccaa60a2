"""Speech-IFEval's constraints: one row an id, with its rule in the profiles `paper` and `fixed`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from speechbench.constraints import bullets, case, json_format, keywords, lengths, phrases, wrapping
from speechbench.constraints.arguments import ArgumentKind, checked_arguments
from speechbench.errors import SpeechbenchError
from speechbench.records import GROUPS, Category

__all__ = [
    "CONSTRAINTS",
    "VERIFIERS_VERSION",
    "Constraint",
    "constraint",
    "group_of",
]

VERIFIERS_VERSION = "2"
"""Raised whenever a verdict of any profile could change."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """One verifiable constraint of Speech-IFEval."""

    id: str
    group: str
    """Its type in Table 2: a key of `records.GROUPS`."""
    paper: Callable[..., bool]
    """The published verifier's rule, given the response as it is."""
    fixed: Callable[..., bool]
    """What the instruction says, given the answer (see `text.answer_text`)."""
    arguments: Mapping[str, ArgumentKind] = field(default_factory=dict)
    """Name and kind of every argument; all are required."""

    @property
    def category(self) -> Category:
        """`closed` or `creative`."""
        return GROUPS[self.group]

    def checked(self, kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """`kwargs` without None values, validated.

        Raises:
            SpeechbenchError: An argument is missing, unknown, or not of its kind.
        """
        return checked_arguments(self.id, self.arguments, kwargs)


_COUNTED_WORDS: dict[str, ArgumentKind] = {"num_words": "count", "relation": "relation"}
_COUNTED_SENTENCES: dict[str, ArgumentKind] = {"num_sentences": "count", "relation": "relation"}

_ROWS = (
    Constraint("change_case:english_capital", "CC", case.capital_paper, case.capital_fixed),
    Constraint("change_case:english_lowercase", "CC", case.lowercase_paper, case.lowercase_fixed),
    Constraint(
        "combination:repeat_prompt",
        "SE",
        phrases.starts_paper,
        phrases.starts_fixed,
        {"prompt_to_repeat": "phrase"},
    ),
    Constraint(
        "startend:end_checker",
        "SE",
        phrases.ends_paper,
        phrases.ends_fixed,
        {"end_phrase": "phrase"},
    ),
    Constraint("startend:quotation", "WR", wrapping.quotation_paper, wrapping.quotation_fixed),
    Constraint("detectable_format:title", "WR", wrapping.title_paper, wrapping.title_fixed),
    Constraint(
        "detectable_format:json_format", "JS", json_format.json_paper, json_format.json_fixed
    ),
    Constraint(
        "detectable_format:number_bullet_lists",
        "BP",
        bullets.bullets_paper,
        bullets.bullets_fixed,
        {"num_bullets": "count"},
    ),
    Constraint(
        "keywords:existence",
        "KW",
        keywords.existence_paper,
        keywords.existence_fixed,
        {"keywords": "words"},
    ),
    Constraint(
        "keywords:forbidden_words",
        "KW",
        keywords.forbidden_paper,
        keywords.forbidden_fixed,
        {"forbidden_words": "words"},
    ),
    Constraint(
        "length_constraints:number_words",
        "LN",
        lengths.words_paper,
        lengths.words_fixed,
        _COUNTED_WORDS,
    ),
    Constraint(
        "length_constraints:number_sentences",
        "LN",
        lengths.sentences_paper,
        lengths.sentences_fixed,
        _COUNTED_SENTENCES,
    ),
    Constraint(
        "length_constraints:number_paragraphs",
        "LN",
        lengths.paragraphs_paper,
        lengths.paragraphs_fixed,
        {"num_paragraphs": "count"},
    ),
)

CONSTRAINTS: Mapping[str, Constraint] = MappingProxyType({row.id: row for row in _ROWS})
"""Every constraint by its id, in the order of Table 2."""


def constraint(constraint_id: str) -> Constraint:
    """The row of `constraint_id`.

    Raises:
        SpeechbenchError: There is none.
    """
    row = CONSTRAINTS.get(constraint_id) if isinstance(constraint_id, str) else None
    if row is None:
        raise SpeechbenchError(
            f"Constraint {constraint_id!r} is unknown; known are {', '.join(CONSTRAINTS)}."
        )
    return row


def group_of(constraint_ids: list[str] | tuple[str, ...]) -> str:
    """The one group that all of an item's constraints belong to.

    Raises:
        SpeechbenchError: An id is unknown, there is none, or they belong to several groups.
    """
    groups = sorted({constraint(constraint_id).group for constraint_id in constraint_ids})
    if len(groups) != 1:
        raise SpeechbenchError(
            f"The constraints of one item must belong to one group of Table 2, but "
            f"{', '.join(constraint_ids) or 'none'} belong to {', '.join(groups) or 'none'}."
        )
    return groups[0]
