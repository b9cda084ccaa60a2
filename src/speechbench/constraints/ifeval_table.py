"""IFEval's 25 constraints (Zhou et al. 2023), each with the rule of profile `ifeval`."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from speechbench.constraints import ifeval_form as form
from speechbench.constraints import ifeval_words as words
from speechbench.constraints import json_format, keywords, lengths, phrases, wrapping
from speechbench.constraints.arguments import ArgumentKind

__all__ = ["IFEVAL", "IFEvalConstraint"]


class IFEvalConstraint(NamedTuple):
    """One verifiable constraint of IFEval."""

    id: str
    rule: Callable[..., bool]
    """Given the response as it is."""
    arguments: Mapping[str, ArgumentKind] = MappingProxyType({})
    """Name and kind of every argument; all are required."""


_ROWS = (
    IFEvalConstraint("keywords:existence", keywords.existence_paper, {"keywords": "words"}),
    IFEvalConstraint(
        "keywords:frequency",
        words.keyword_frequency,
        {"keyword": "phrase", "frequency": "count", "relation": "relation"},
    ),
    IFEvalConstraint(
        "keywords:forbidden_words", keywords.forbidden_paper, {"forbidden_words": "words"}
    ),
    IFEvalConstraint(
        "keywords:letter_frequency",
        words.letter_frequency,
        {"letter": "letter", "let_frequency": "count", "let_relation": "relation"},
    ),
    IFEvalConstraint(
        "language:response_language", words.response_language, {"language": "language"}
    ),
    IFEvalConstraint(
        "length_constraints:number_sentences",
        lengths.sentences_paper,
        {"num_sentences": "count", "relation": "relation"},
    ),
    IFEvalConstraint(
        "length_constraints:number_paragraphs", words.paragraphs, {"num_paragraphs": "count"}
    ),
    IFEvalConstraint(
        "length_constraints:number_words",
        lengths.words_paper,
        {"num_words": "count", "relation": "relation"},
    ),
    IFEvalConstraint(
        "length_constraints:nth_paragraph_first_word",
        words.paragraph_first_word,
        {"num_paragraphs": "count", "nth_paragraph": "position", "first_word": "phrase"},
    ),
    IFEvalConstraint(
        "detectable_content:number_placeholders", form.placeholders, {"num_placeholders": "count"}
    ),
    IFEvalConstraint(
        "detectable_content:postscript", form.postscript, {"postscript_marker": "phrase"}
    ),
    IFEvalConstraint(
        "detectable_format:number_bullet_lists", form.bullets, {"num_bullets": "count"}
    ),
    IFEvalConstraint("detectable_format:constrained_response", form.constrained_response),
    IFEvalConstraint(
        "detectable_format:number_highlighted_sections",
        form.highlighted_sections,
        {"num_highlights": "count"},
    ),
    IFEvalConstraint(
        "detectable_format:multiple_sections",
        form.multiple_sections,
        {"section_spliter": "phrase", "num_sections": "count"},
    ),
    IFEvalConstraint("detectable_format:json_format", json_format.json_paper),
    IFEvalConstraint("detectable_format:title", wrapping.title_paper),
    IFEvalConstraint("combination:two_responses", form.two_responses),
    IFEvalConstraint("combination:repeat_prompt", form.starts, {"prompt_to_repeat": "phrase"}),
    IFEvalConstraint("startend:end_checker", phrases.ends_paper, {"end_phrase": "phrase"}),
    IFEvalConstraint("startend:quotation", wrapping.quotation_paper),
    IFEvalConstraint(
        "change_case:capital_word_frequency",
        words.capital_words,
        {"capital_frequency": "count", "capital_relation": "relation"},
    ),
    IFEvalConstraint("change_case:english_capital", words.english_capital),
    IFEvalConstraint("change_case:english_lowercase", words.english_lowercase),
    IFEvalConstraint("punctuation:no_comma", words.no_comma),
)

IFEVAL: Mapping[str, IFEvalConstraint] = MappingProxyType({row.id: row for row in _ROWS})
"""Every constraint of IFEval by its id."""
