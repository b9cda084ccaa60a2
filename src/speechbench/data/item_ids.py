"""Ids of Speech-IFEval's items and questions, from what they ask."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from speechbench.constraints import group_of

__all__ = ["item_id", "question_id"]


def item_id(
    speech: str,
    prompt: str,
    constraint_ids: Sequence[str] = (),
    kwargs: Sequence[Mapping[str, Any]] = (),
) -> str:
    """The id of an item, from what it asks: equal in the benchmark's data and response files.

    Those number their lines differently, and keep audio in different folders, so neither number
    nor folder takes part.

    Args:
        speech: path of the audio, of which only the file's name counts, or the words to speak.
        prompt: instruction and constraint.
        constraint_ids: none for chain of thought.
        kwargs: the arguments of each constraint; None counts as absent.

    Raises:
        SpeechbenchError: A constraint is unknown, or they belong to several groups.
    """
    group = group_of(tuple(constraint_ids)) if constraint_ids else "CoT"
    given = [{k: v for k, v in arguments.items() if v is not None} for arguments in kwargs]
    content = [PurePosixPath(speech).name, prompt, list(constraint_ids), given]
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:10]
    names = "+".join(name.split(":")[-1] for name in constraint_ids)
    return f"{group}/{names}-{digest}" if names else f"{group}/{digest}"


def question_id(task: str, speech: str, instruction: str) -> str:
    """The id of a question about a recording, equal with and without a constraint.

    Args:
        task: such as `asr`.
        speech: as in `item_id`.
        instruction: without the constraint's sentence.
    """
    content = json.dumps([PurePosixPath(speech).name, instruction])
    return f"{task}/{hashlib.sha256(content.encode()).hexdigest()[:10]}"
