"""A judge's source or prompt changes: its version must too, or old verdicts would pass for new.

`metric_signatures.json` holds, for each judge, its version and a hash of what decides its
verdicts: source without comments and docstrings, prompts, and rows of data. Where this test fails,
raise the judge's version if a verdict could change, and write the line that it shows.
"""

import ast
import hashlib
import inspect
import io
import json
import textwrap
import tokenize
from pathlib import Path
from typing import Any

import pytest

from speechbench.audio import Clip, clipping, level, loudness, pitch, rate
from speechbench.audio import activity as activity_module
from speechbench.judges import (
    alternatives,
    audio_llm,
    base,
    emotion2vec,
    labelling,
    measures,
    quality,
    voxlect,
    whisper_classifier,
)
from speechbench.scorers import answer_graders, cot_grader, dialogue_graders, grading

_RECORDED: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("metric_signatures.json").read_text(encoding="utf-8")
)
_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_ABSOLUTE = (base.among_styles, base.with_speech, activity_module)
_WHISPER = (voxlect.WhisperStyleJudge, whisper_classifier, *_ABSOLUTE)
_LLM = (labelling.Labelling, audio_llm, *_ABSOLUTE)
_GRADERS = {
    "grader-reasoning": cot_grader.REASONING,
    "grader-answer": answer_graders.ANSWER,
    "grader-extraction": answer_graders.EXTRACTION,
    "grader-recall": dialogue_graders.RECALL,
    "grader-coherence": dialogue_graders.COHERENCE,
}
_JUDGES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "loudness": (measures.LoudnessJudge.version, (measures.LoudnessJudge, loudness)),
    "speaking-rate": (
        measures.SpeakingRateJudge.version,
        (measures.SpeakingRateJudge, rate, activity_module),
    ),
    "median-f0": (measures.MedianF0Judge.version, (measures.MedianF0Judge, pitch)),
    "rms": (alternatives.RmsJudge.version, (alternatives.RmsJudge, level, activity_module)),
    "median-f0-praat": (alternatives.PraatF0Judge.version, (alternatives.PraatF0Judge,)),
    "emotion2vec-plus-large": (
        emotion2vec.Emotion2vecJudge.version,
        (emotion2vec, *_ABSOLUTE),
    ),
    **{
        row.name: (row.version, (repr(row), *_WHISPER))
        for row in (voxlect.VOXLECT_ENGLISH_DIALECT, voxlect.VOX_PROFILE_EMOTION)
    },
    **{
        row.id: (row.version, (row.prompt, *_LLM))
        for row in (*labelling.HEARD.values(), labelling.SEMANTIC_EMOTION)
    },
    **{
        name: (row.version, (row.prompt, row.answers, grading.Grading.ask))
        for name, row in _GRADERS.items()
    },
    "quality": ("1", (quality.quality, clipping, activity_module)),
    "clip": ("1", (Clip.resampled,)),
}


def _signature(parts: tuple[Any, ...]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update((part if isinstance(part, str) else _code(part)).encode())
        digest.update(b"\0")
    return digest.hexdigest()[:16]


def _code(part: Any) -> str:
    """Source without comments, docstrings and white space; the same under every Python."""
    source = textwrap.dedent(inspect.getsource(part))
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node) is not None:
            first = node.body[0]
            for row in range(first.lineno - 1, first.end_lineno or first.lineno):
                lines[row] = ""
    return "".join("".join(lines).split())


@pytest.mark.parametrize("name", _JUDGES)
def test_what_decides_a_verdict_is_recorded_with_its_version(name):
    version, parts = _JUDGES[name]
    now = {"version": version, "signature": _signature(parts)}
    line = f'"{name}": {json.dumps(now)}'
    before = _RECORDED.get(name)
    assert before is not None, f"write to metric_signatures.json: {line}"
    if before["signature"] != now["signature"]:
        assert before["version"] != version, (
            f"what decides the verdicts of {name!r} has changed: raise its version unless none "
            f"can differ, and write to metric_signatures.json: {line}"
        )
    assert before == now, f"write to metric_signatures.json: {line}"


def test_nothing_is_recorded_that_is_gone():
    assert _RECORDED.keys() == _JUDGES.keys()


def test_comments_and_docstrings_do_not_count_and_code_does():
    def one(a):
        """Say it."""
        return a + 1  # once

    def other(a):
        return a + 1

    def third(a):
        return a + 2

    codes = [_code(f).split(":", 1)[1] for f in (one, other, third)]
    assert codes[0] == codes[1] != codes[2]
