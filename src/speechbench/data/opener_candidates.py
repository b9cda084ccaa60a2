"""From situations to openers: an LLM proposes, rules flag, a person decides (Appendix B).

The prompt is this project's own. As in the paper it gets the narrative and the first utterance,
and the model may answer that no machine could talk about this.
"""

import asyncio
import csv
import hashlib
import io
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from speechbench.data.opener_rules import MOST_WORDS, alike, opener_problems
from speechbench.data.soda import Situation
from speechbench.errors import SpeechbenchError

__all__ = [
    "OPENER_PROMPT",
    "OPENER_PROMPT_SHA256",
    "Candidate",
    "Proposals",
    "propose",
    "read_review",
    "review_csv",
]

OPENER_PROMPT = f"""\
Here is a situation from everyday life, and the first words that somebody says in it.

Situation: {{narrative}}
First words: {{first_words}}

Somebody who is in this situation turns to a voice assistant and wants to talk about it. Write \
what they say first.

- One or two sentences, {MOST_WORDS} words at the most. The last sentence is a question that asks \
for advice, an explanation or ideas.
- It can be understood by somebody who does not know the situation. Leave out the names of people.
- It is meant to be heard: write words only, and no digits, abbreviations, lists or symbols.
- It does not ask what the assistant itself likes, feels or has lived through.

If there is nothing in the situation that a machine could sensibly talk about, write only: no
Otherwise write only the words that are said.
"""
OPENER_PROMPT_SHA256 = hashlib.sha256(OPENER_PROMPT.encode()).hexdigest()

_COLUMNS = ("number", "keep", "opener", "problems", "narrative", "first_words")
_YES, _NO = ("yes", "y", "x", "1", "true"), ("no", "n", "0", "false")
_QUOTES = "\"“”«»'‘’` "


@dataclass(frozen=True, slots=True)
class Candidate:
    """An opener that the model proposed, with what speaks against it."""

    opener: str
    problems: tuple[str, ...]
    situation: Situation


@dataclass(frozen=True, slots=True)
class Proposals:
    """What came of a list of situations."""

    candidates: tuple[Candidate, ...]
    refused: int
    """Situations that the model would not make an opener of."""


async def propose(
    situations: Sequence[Situation], ask: Callable[[str], Awaitable[str]]
) -> Proposals:
    """Have an opener proposed for each situation, and flag what the rules find.

    Args:
        situations: their order is kept.
        ask: the model: prompt in, answer out. All calls are begun at once.
    """
    prompts = [
        OPENER_PROMPT.format(narrative=one.narrative, first_words=one.first_words)
        for one in situations
    ]
    answers = await asyncio.gather(*map(ask, prompts))
    candidates: list[Candidate] = []
    for situation, answer in zip(situations, answers, strict=True):
        opener = _opener(answer)
        if opener is None:
            continue
        problems = opener_problems(opener)
        twin = alike(opener, (candidate.opener for candidate in candidates))
        if twin is not None:
            problems.append(f"much like number {twin + 1}")
        candidates.append(Candidate(opener, tuple(problems), situation))
    return Proposals(tuple(candidates), len(situations) - len(candidates))


def _opener(answer: str) -> str | None:
    """The opener in a model's answer on one line; None where it answered no, or nothing."""
    text = " ".join(answer.split()).strip(_QUOTES)
    refuses = re.fullmatch(r"no\W*", text, flags=re.IGNORECASE) is not None
    return None if refuses or not text else text


def review_csv(candidates: Sequence[Candidate]) -> str:
    """The review file: one candidate a row, `keep` left for a person to fill with yes or no.

    Begins with a byte order mark, by which spreadsheets know UTF-8.
    """
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(_COLUMNS)
    for number, one in enumerate(candidates, 1):
        situation = one.situation
        problems = "; ".join(one.problems)
        rows.writerow(
            (number, "", one.opener, problems, situation.narrative, situation.first_words)
        )
    return f"\ufeff{text.getvalue()}"


def read_review(path: Path) -> list[str]:
    """The openers that a person kept, as they stand in the file now: they may have been reworded.

    Semicolons and tabs between the columns are understood, since some spreadsheets save them.

    Raises:
        SpeechbenchError: The file cannot be read, lacks a column, some rows have no yes or no in
            `keep`, or none has yes; a kept opener is empty or stands twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SpeechbenchError(f"{path}: expected a review file in UTF-8: {error}.") from None
    header = text.split("\n", 1)[0]
    reader = csv.DictReader(io.StringIO(text), delimiter=max(",;\t", key=header.count))
    if not {"keep", "opener"} <= set(reader.fieldnames or ()):
        raise SpeechbenchError(
            f"{path}: expected the columns keep and opener, got {header.strip()[:80]!r}."
        )
    kept: list[str] = []
    undecided: list[str] = []
    for number, row in enumerate(reader, 1):
        decision = (row["keep"] or "").strip().lower()
        if decision not in (*_YES, *_NO):
            undecided.append(row.get("number") or str(number))
        elif decision in _YES:
            kept.append(_kept(" ".join((row["opener"] or "").split()), kept, path, number))
    if undecided:
        raise SpeechbenchError(
            f"{path}: expected yes or no in `keep`; it is still open for {len(undecided)} rows, "
            f"first for number {undecided[0]}."
        )
    if not kept:
        raise SpeechbenchError(f"{path}: expected yes in `keep` at least once, and there is none.")
    return kept


def _kept(opener: str, before: Sequence[str], path: Path, number: int) -> str:
    if not opener or opener in before:
        reason = "is empty" if not opener else f"stands in it already: {opener[:60]!r}"
        raise SpeechbenchError(f"{path}: the opener that was kept in row {number} {reason}.")
    return opener
