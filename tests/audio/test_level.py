"""RMS over speech."""

import pytest

from speechbench.audio import UnmeasurableError, concatenate, silence, speech_rms_dbfs


def test_a_gain_moves_it_by_as_much(voice):
    moved_db = speech_rms_dbfs(voice) - speech_rms_dbfs(voice.gained(-6.0))
    assert moved_db == pytest.approx(6.0, abs=0.1)


def test_pauses_do_not_count(voice):
    longer = concatenate([voice, silence(5.0, voice.rate_hz)])
    assert speech_rms_dbfs(longer) == pytest.approx(speech_rms_dbfs(voice), abs=0.1)


def test_silence_has_no_level():
    with pytest.raises(UnmeasurableError, match="no speech"):
        speech_rms_dbfs(silence(1.0, 16_000))
