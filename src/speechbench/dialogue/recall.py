"""The recall probe: before a turn the model is asked what style it was asked for (v2 6.1)."""

from collections.abc import Sequence

import anyio
from inspect_ai.model import ChatMessage

from speechbench.dialogue.calls import Caller
from speechbench.dialogue.record import TurnRecord
from speechbench.dialogue.user_side import UserSide
from speechbench.speech import Recognizer

__all__ = ["ask_recall"]


async def ask_recall(
    caller: Caller,
    user: UserSide,
    ear: Recognizer,
    messages: Sequence[ChatMessage],
    question: str,
    record: TurnRecord,
    tries: int,
) -> list[ChatMessage]:
    """Ask, and note the answer in `record`.

    The answer is read from the model's own transcript; where it spoke without one, from what the
    ear hears. An answer without speech counts if it has text: what is judged is memory.

    Returns:
        Question and answer, to be kept in the history or not; empty where no answer came.
    """
    asked = await user.request(question)
    answer = await caller.speech(
        [*messages, asked], record.turn, "recall", tries, text_will_do=True
    )
    text = answer.transcript
    if answer.clip is not None:
        record.recall_clip = answer.clip.sha256
        text = text or (await anyio.to_thread.run_sync(ear.transcribe, answer.clip)).text
    if not text:
        record.recall_failure = "the model gave no answer to the question of recall"
        return []
    record.recall_answer = text
    return [asked, answer.output.message]
