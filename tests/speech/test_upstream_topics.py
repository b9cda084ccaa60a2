"""The benchmark's own 100 spoken openers: read in spite of their headers, and understood."""

import jiwer
from whisper_normalizer.english import EnglishTextNormalizer

from speechbench.audio import read_clip

WER_LIMIT = 0.05


def test_all_hundred_spoken_openers_are_read_and_understood(upstream, hear_all):
    folder = upstream / "style-amnesia" / "topics"
    texts = (folder / "topics.txt").read_text(encoding="utf-8").splitlines()
    texts = [line for line in texts if line.strip()]
    # Paired by number, line n from 0: the folder's own order pairs 10 with 1.
    clips = [read_clip(folder / f"{number}_en.wav") for number in range(len(texts))]
    assert len(clips) == 100
    normalize = EnglishTextNormalizer()
    heard = hear_all(clips)
    rate = jiwer.wer([normalize(text) for text in texts], [normalize(text) for text in heard])
    assert rate < WER_LIMIT
