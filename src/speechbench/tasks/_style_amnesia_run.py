"""What a Style Amnesia log says of its run, whether it was run here or imported."""

from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from speechbench.data.openers import BUILTIN_OPENERS, Opener, builtin_openers, opener_source
from speechbench.dialogue import Prompts
from speechbench.judges import judge_named
from speechbench.protocols import Protocol
from speechbench.records import RunInfo
from speechbench.scorers.dialogue_graders import COHERENCE, RECALL
from speechbench.speech import recognizer_named, synthesizer_named

__all__ = ["VERSION", "opener_bank", "style_amnesia_run_info"]

VERSION = "2"
"""The task's version: raised whenever a result could change; apart from the package's version."""

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


def style_amnesia_run_info(
    rules: Protocol, prompts: Prompts, condition: Mapping[str, Any]
) -> RunInfo:
    """What measures, by what it really is on this machine, and what is asked.

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
        **{name: judge_named(name).stamp.fingerprint for _, name in rules.judges},
    }
    return RunInfo(
        benchmark="style_amnesia",
        protocol=rules.label,
        protocol_hash=rules.hash(**parts),
        protocol_details={**rules.details(), **parts},
        condition=dict(condition),
        versions={package: found for package in _PACKAGES if (found := _version(package))},
    )


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
