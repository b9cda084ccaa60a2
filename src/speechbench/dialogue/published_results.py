"""Recorded dialogues from the result folders of Style Amnesia's published code.

The layout is that of its README: `results/<model>/<location>/<style>/`, and in it
`topic<i>_par<j>_<model>_A_turn<k>.wav` with a transcript `.txt` of equal name and, where the style
is relative, the neutral reading `TTS_….wav`. Its script for Gemini says `assistant` in place of
`A`. What the user says stands beside it under `cascaded`, and is not judged.
"""

import re
from collections import defaultdict
from pathlib import Path

from speechbench.dialogue.recordings import (
    Problem,
    RecordedRun,
    RecordedTurn,
    dialogues_of,
    refuse,
    unreadable_sounds,
)
from speechbench.errors import SpeechbenchError

__all__ = ["read_published_results"]

_TURN = re.compile(r"(topic(\d+)_par(\d+))_(.+)_(A|assistant)_turn(\d+)\.wav")
_USERS = {"A": "cascaded_B", "assistant": "cascaded_user"}
"""What an assistant's turn is marked with, and what stands in its place in the user's files."""
_STYLES = {
    "en_sadness": "sad",
    "en_happiness": "happy",
    "en_anger": "angry",
    "en_neutral": "neutral",
    "en_north_america": "north_american",
    "en_indian": "indian",
    "en_loud": "loud",
    "en_quiet": "quiet",
    "en_fast": "fast",
    "en_slow": "slow",
}
_LOCATIONS = ("user", "system")
_RECALLS = "-recall"


def read_published_results(folder: Path, system: str | None) -> list[RecordedRun]:
    """The recordings of a results folder: one run for each model, location and wording.

    Topics become openers of the same number, `topic-017`, as they are called where their texts
    are read from a checkout. Every recording is read once.

    Args:
        folder: `results` itself, or the folder of one model, location or style in it.
        system: what to call the model; by default as its files do.

    Raises:
        SpeechbenchError: There is no such recording, a folder is of no known style, a turn is
            missing, or recordings cannot be read; each problem is named with its file.
    """
    problems: list[Problem] = []
    found: dict[tuple[str, str, int], dict[tuple[str, str, str], list[RecordedTurn]]]
    found = defaultdict(lambda: defaultdict(list))
    for path in sorted(folder.rglob("topic*_turn*.wav")):
        match = _TURN.fullmatch(path.name)
        if match is None:
            continue
        topic, wording, model = int(match[2]), int(match[3]), match[4]
        where = path.relative_to(folder).as_posix()
        parent = path.resolve().parent
        if parent.name not in _STYLES:
            problems.append(
                Problem(where, f"expected a folder of a style ({', '.join(_STYLES)}) around it.")
            )
            continue
        opener = f"topic-{topic:03d}"
        key = (f"{parent.name}/topic{topic}", _STYLES[parent.name], opener)
        try:
            recorded = _recorded(where, path, match)
        except UnicodeDecodeError as error:
            problems.append(Problem(where, f"expected its transcript in UTF-8: {error}."))
        else:
            found[model, parent.parent.name, wording][key].append(recorded)
    if not found and not problems:
        raise SpeechbenchError(
            f"expected the results of Style Amnesia's published code in {folder}, with files such "
            "as gpt-4o/user/en_fast/topic0_par1_gpt-4o_A_turn1.wav; there is none. For recordings "
            "under other names, write a manifest and use `speechbench import dialogues`."
        )
    runs = [
        RecordedRun(
            system or model, dialogues_of(dialogues, problems), _condition(model, location, wording)
        )
        for (model, location, wording), dialogues in found.items()
    ]
    refuse(folder, problems or unreadable_sounds(runs))
    return runs


def _recorded(where: str, path: Path, match: re.Match[str]) -> RecordedTurn:
    turn, reference = int(match[6]), path.with_name(f"TTS_{path.name}")
    return RecordedTurn(
        where,
        turn,
        path,
        _written(path) or None,
        reference if reference.is_file() else None,
        _written(path.with_name(f"{match[1]}_{_USERS[match[5]]}_turn{turn}.wav")),
    )


def _written(recording: Path) -> str:
    """The text beside a recording; empty where there is none."""
    text = recording.with_suffix(".txt")
    return text.read_text(encoding="utf-8").strip() if text.is_file() else ""


def _condition(model: str, location: str, wording: int) -> dict[str, str | int]:
    known: dict[str, str | int] = {
        "imported": "style-amnesia",
        "phrasing": wording,
        "recall": "keep" if model.endswith(_RECALLS) else "none",
    }
    return {**known, "position": location} if location in _LOCATIONS else known
