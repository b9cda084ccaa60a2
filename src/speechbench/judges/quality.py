"""A guard beside the verdicts: is there speech, is it undistorted, and is it what was claimed?

It is reported and never scored: a model that whispers badly has not thereby changed its style.
"""

from dataclasses import dataclass

from speechbench.audio import Clip, clipped_share, speech_activity
from speechbench.errors import SpeechbenchError
from speechbench.speech import Recognizer, word_error_rate

__all__ = ["Quality", "quality"]


@dataclass(frozen=True)
class Quality:
    """What is known of one spoken turn apart from its style.

    Attributes:
        clipped_share: share of samples in flat tops, 0 to 1; see `clipped_share`.
        speech_share: share of the clip's time that holds speech, 0 to 1.
        wer: word error rate of what the ear heard against what the model says it said, as a
            fraction; None where that holds no words.
        heard: what the ear heard.
        ear: the ear's id.
    """

    clipped_share: float
    speech_share: float
    wer: float | None
    heard: str
    ear: str


def quality(clip: Clip, claimed: str, ear: Recognizer) -> Quality:
    """Look at one turn.

    Args:
        clip: its sound.
        claimed: the transcript that came with it.
        ear: the ASR that checks it. Its own errors are in the WER: compare models, not turns.
    """
    heard = ear.transcribe(clip).text
    try:
        wer: float | None = word_error_rate(claimed, heard)
    except SpeechbenchError:
        wer = None
    return Quality(clipped_share(clip), speech_activity(clip).share, wer, heard, ear.id)
