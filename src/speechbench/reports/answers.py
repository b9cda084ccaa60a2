"""Whether answers about a recording are right, by rules: the other side of a trade-off.

A rough and cheap measure for comparing runs of one model with each other. It reads the whole
response, so that it does not depend on the form that the constraint demands.
"""

import re
from pathlib import Path

import jiwer
import numpy as np
from whisper_normalizer.english import EnglishTextNormalizer

from speechbench.metrics.if_rate import Rate
from speechbench.metrics.intervals import RESAMPLES, percentile_interval
from speechbench.reports.estimates import NOT_KNOWN, Estimate, rate_estimate

__all__ = ["answer_scores"]

_TRANSCRIPTION = "asr"


def answer_scores(log: Path, rng: np.random.Generator) -> Estimate:
    """The mean score of a run's closed-ended answers, in percent.

    Transcription scores 1 − WER, at least 0; any other task 1 where the label's words occur in the
    response. Both after Whisper's English normaliser. Items without a label are left out.

    Args:
        log: a finished run of speech_ifeval.
        rng: for the bootstrap over items, where scores are not all 0 or 1.

    Returns:
        Mean and 95 % interval over items; not known where no item has a label.
    """
    from inspect_ai.log import read_eval_log

    heavy = {"events", "events_data", "store", "messages", "attachments", "output"}
    normalise = EnglishTextNormalizer()
    scores = [
        _score(
            sample.metadata["task"],
            _words(normalise, sample.target),
            _words(normalise, score.answer or ""),
        )
        for sample in read_eval_log(str(log), exclude_fields=heavy).samples or []
        if (score := (sample.scores or {}).get("constraint_following"))
        and sample.metadata["category"] == "closed"
        and _words(normalise, sample.target)
    ]
    if not scores:
        return NOT_KNOWN
    values = np.array(scores)
    percent = 100.0 * float(values.mean())
    if np.isin(values, (0.0, 1.0)).all():
        return rate_estimate(Rate(percent, int(values.sum()), len(values), 0))
    means = rng.choice(values, size=(RESAMPLES, len(values))).mean(axis=1)
    return Estimate(percent, percentile_interval(100.0 * means), len(values))


def _words(normalise: EnglishTextNormalizer, said: str | list[str]) -> str:
    text = said if isinstance(said, str) else " ".join(said)
    return str(normalise(text)).strip()


def _score(task: str, label: str, said: str) -> float:
    if task == _TRANSCRIPTION:
        return max(0.0, 1.0 - float(jiwer.wer(label, said)))
    return float(re.search(rf"\b{re.escape(label)}\b", said) is not None)
