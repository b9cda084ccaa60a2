"""What a model that listens like a person makes of a dialogue: turns, requests, questions."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser

from speechbench.models.messages import text_in
from speechbench.styles import Asked, rules_asked_for, styles_asked_for

__all__ = ["Heard", "asks_back", "listen"]

_ASKS_BACK = re.compile(
    r"\bwhat\b.*\b(ask|asked|instruct\w*|request\w*|tell|told)\b.*\b(speak\w*|talk\w*|voice|style|answer)\b",
    flags=re.IGNORECASE | re.DOTALL,
)
_LISTENED_TURNS = 2  # an instruction comes with the first user turn or the second


@dataclass(frozen=True)
class Heard:
    """What was heard in a dialogue so far.

    Attributes:
        turn: the assistant turn that is due, from 1; questions of recall are no turns.
        requests: dimension to the style or text constraint and the turn at which it was asked
            for; a later one of the same dimension has taken the earlier one's place.
        words: what was said where the first style was asked for.
        asked_back: whether the last message asks what style was asked for.
        last_recall: the model's last answer to such a question, None where there was none.
    """

    turn: int
    requests: dict[str, tuple[Asked, int]] = field(default_factory=dict)
    words: str = ""
    asked_back: bool = False
    last_recall: str | None = None


def asks_back(text: str) -> bool:
    """True where a text asks what was asked for about the way of speaking."""
    return bool(_ASKS_BACK.search(text))


async def listen(
    messages: Sequence[ChatMessage],
    hear: Callable[[ChatMessageUser], Awaitable[str]],
    every_turn: bool,
) -> Heard:
    """Follow a dialogue.

    Args:
        messages: system, user and assistant messages, oldest first.
        hear: what is said and written in a user message.
        every_turn: listen to each user turn; otherwise, since hearing costs the most, to the
            first two, which is where styles are asked for.
    """
    turn, words, last_recall = 0, "", None
    requests: dict[str, tuple[Asked, int]] = {}
    question = False
    for message in messages:
        if isinstance(message, ChatMessageAssistant):
            last_recall = text_in(message) if question else last_recall
            question = False
            continue
        text = ""
        if message.role == "system":
            text = message.text
        elif isinstance(message, ChatMessageUser):
            text = await hear(message) if every_turn or turn < _LISTENED_TURNS else ""
            question = asks_back(text)
            turn += not question
        if question:
            continue
        found: list[Asked] = [*styles_asked_for(text), *rules_asked_for(text)]
        for wanted in found:
            words = words or text
            known = requests.get(wanted.dimension)
            if known is None or known[0] is not wanted:  # else it is a reminder
                requests[wanted.dimension] = (wanted, max(turn, 1))
    return Heard(turn + question, requests, words, question, last_recall)
