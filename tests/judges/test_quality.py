"""The guard that is reported beside the verdicts."""

from speechbench.audio import silence
from speechbench.judges.quality import quality

TEXT = "Start with the easiest part, and then go on to the next one."


def test_clear_speech_of_the_claimed_words(voice, ear):
    found = quality(voice.synthesize(TEXT), TEXT, ear)
    assert found.wer < 0.2
    assert found.clipped_share < 0.001
    assert found.speech_share > 0.6
    assert found.ear == ear.id


def test_other_words_than_claimed(voice, ear):
    assert quality(voice.synthesize(TEXT), "It is raining in the mountains today.", ear).wer > 0.7


def test_silence_lacks_every_word(ear):
    found = quality(silence(2.0, 24_000), TEXT, ear)
    assert (found.wer, found.speech_share, found.heard) == (1.0, 0.0, "")


def test_nothing_claimed_has_no_wer(voice, ear):
    assert quality(voice.synthesize(TEXT), "…", ear).wer is None
