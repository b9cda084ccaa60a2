"""What the log of a run of dialogues says of it, whether it was run here or imported."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal

from speechbench.data.openers import BUILTIN_OPENERS, Opener, builtin_openers, opener_source
from speechbench.dialogue import Prompts
from speechbench.judges import judge_named
from speechbench.protocols import Protocol
from speechbench.records import RunInfo
from speechbench.scorers.dialogue_graders import COHERENCE, RECALL
from speechbench.speech import recognizer_named, synthesizer_named
from speechbench.styles import RULES_VERSION, Asked, Style

__all__ = ["VERSION", "dialogue_run_info", "imported_run_info", "opener_bank"]

VERSION = "2"
"""The tasks' version: raised whenever a result could change; apart from the package's version."""

# what can change a number, where it is installed
_PACKAGES = (
    "speechbench",
    "inspect-ai",
    "faster-whisper",
    "funasr",
    "hibari-tts",
    "onnx-asr",
    "torch",
    "transformers",
    "xllamacpp",
)


def opener_bank(folder: str | None) -> tuple[str, Sequence[Opener]]:
    """Id and openers of a folder, or of the built-in set.

    Raises:
        SpeechbenchError: the folder holds no openers.
    """
    if folder is None:
        return BUILTIN_OPENERS, builtin_openers()
    found = opener_source(folder)
    return found.id, found.openers


def dialogue_run_info(
    benchmark: Literal["style_amnesia", "constraint_amnesia"],
    rules: Protocol,
    prompts: Prompts,
    asked: Collection[Asked],
    condition: Mapping[str, Any],
) -> RunInfo:
    """What measures, by what it really is on this machine, and what is asked.

    The judges' fingerprints stand in the details and not in the hash: a run needs the weights of
    the judges of its own styles only. Each score carries the stamp of its judge.

    Raises:
        SpeechbenchError: a voice, an ear or a judge is unknown, or its package or weights are
            missing.
    """
    parts = {
        "voice_id": synthesizer_named(rules.voice).id,
        "ear_id": recognizer_named(rules.ear).id,
        "prompts": prompts.sha256,
        "recall_grader": RECALL.prompt_sha256,
        "coherence_grader": COHERENCE.prompt_sha256,
        "text_rules": RULES_VERSION,
    }
    fingerprints = _judge_fingerprints(rules, [row for row in asked if isinstance(row, Style)])
    return RunInfo(
        benchmark=benchmark,
        protocol=rules.label,
        protocol_hash=rules.hash(**parts),
        protocol_details={**rules.details(), **parts, "judge_fingerprints": fingerprints},
        condition={"styles": [row.name for row in asked], **condition},
        versions=_versions(),
    )


def imported_run_info(
    rules: Protocol, styles: Collection[Style], turns: int, condition: Mapping[str, Any]
) -> RunInfo:
    """The same for dialogues that were recorded elsewhere, whose user side is not known.

    Their protocol is what judges them, under a name and a hash of its own: they compare with
    each other, and not with runs held here.

    Raises:
        SpeechbenchError: an ear or a judge is unknown, or its package or weights are missing.
    """
    details: dict[str, Any] = {
        "name": rules.name,
        "version": rules.version,
        "user_side": "as recorded",
        "turns": turns,
        "ear": rules.ear,
        "ear_id": recognizer_named(rules.ear).id,
        "judges": dict(rules.judges),
        "reference_wer_limit": rules.reference_wer_limit,
    }
    digest = hashlib.sha256(json.dumps(details, sort_keys=True).encode()).hexdigest()
    return RunInfo(
        benchmark="style_amnesia",
        protocol=f"{rules.name}-{rules.version} of imported dialogues, {turns} turns",
        protocol_hash=digest[:16],
        protocol_details={**details, "judge_fingerprints": _judge_fingerprints(rules, styles)},
        condition={"styles": [row.name for row in styles], **condition},
        versions=_versions(),
    )


def _judge_fingerprints(rules: Protocol, styles: Collection[Style]) -> dict[str, str]:
    judges = {rules.judge_of(row.dimension) for row in styles}
    return {name: judge_named(name).stamp.fingerprint for name in sorted(judges)}


def _versions() -> dict[str, str]:
    return {package: found for package in _PACKAGES if (found := _version(package))}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
