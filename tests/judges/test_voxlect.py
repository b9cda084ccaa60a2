"""Voxlect and Vox-Profile: their checkpoints as published, loaded by our own loader."""

import logging

import numpy as np
import pytest

from speechbench import SpeechbenchError
from speechbench.audio import concatenate, silence
from speechbench.judges import chosen
from speechbench.judges.voxlect import (
    VOX_PROFILE_EMOTION,
    VOXLECT_ENGLISH_DIALECT,
    WhisperStyleJudge,
)
from speechbench.judges.whisper_classifier import RATE_HZ, WhisperClassifier, windows

LABELS = VOXLECT_ENGLISH_DIALECT.labels


@pytest.fixture(scope="module")
def clip(voice):
    return voice.synthesize("Start with the easiest part, and then go on to the next one.")


@pytest.fixture(scope="module")
def judge(voxlect_weights):
    return WhisperStyleJudge(VOXLECT_ENGLISH_DIALECT, str(voxlect_weights), "cpu")


def test_the_loader_equals_the_published_forward_pass(make_whisper_classifier, clip):
    folder, published = make_whisper_classifier("out_layer", 16)
    samples = clip.resampled(RATE_HZ).samples
    ours = WhisperClassifier(folder, "out_layer", LABELS, "cpu").probabilities([samples])
    assert np.abs(ours[0] - published.probabilities(samples)).max() < 1e-5


def test_the_low_rank_part_counts(make_whisper_classifier, clip):
    samples = clip.resampled(RATE_HZ).samples
    with_it, without = (
        WhisperClassifier(
            make_whisper_classifier("out_layer", 16, zero_low_rank=zero)[0],
            "out_layer",
            LABELS,
            "cpu",
        ).probabilities([samples])
        for zero in (False, True)
    )
    assert np.abs(with_it - without).max() > 1e-3


@pytest.mark.parametrize(
    ("length_s", "expected_s"),
    [(0.5, [0.5]), (15, [15]), (17.9, [15]), (18, [15, 3]), (33, [15, 15, 3])],
)
def test_windows_of_15_s_whose_tail_counts_from_3_s(length_s, expected_s):
    cut = windows(np.zeros(round(length_s * RATE_HZ), dtype=np.float32))
    assert [piece.size / RATE_HZ for piece in cut] == expected_s


def test_a_batch_is_judged_as_each_clip_alone(judge, clip):
    clips = [clip, concatenate([clip] * 5), clip.gained(-6.0), silence(1.0, 24_000)]
    together = judge.measure(clips)
    for alone, heard in zip((judge.measure([one])[0] for one in clips), together, strict=True):
        assert heard.probabilities == pytest.approx(alone.probabilities, abs=1e-4)


def test_only_the_two_accents_compete(judge, clip):
    [heard] = judge.measure([clip])
    assert set(heard.probabilities) == {"north_american", "indian"}
    assert sum(heard.probabilities.values()) == pytest.approx(1.0)
    assert heard.value == heard.probabilities[chosen(heard.probabilities)]


def test_emotion_by_the_same_loader(vox_profile_weights, clip):
    judge = WhisperStyleJudge(VOX_PROFILE_EMOTION, str(vox_profile_weights), "cpu")
    [heard] = judge.measure([clip])
    assert set(heard.probabilities) == {"sad", "happy", "angry", "neutral"}


def test_another_number_of_classes_is_refused(make_whisper_classifier, clip):
    folder, _ = make_whisper_classifier("out_layer", 15)
    judge = WhisperStyleJudge(VOXLECT_ENGLISH_DIALECT, str(folder), "cpu")
    with pytest.raises(SpeechbenchError, match=r"expected 16 classes .* got 15"):
        judge.measure([clip])


def test_another_model_is_refused(vox_profile_weights, clip, tmp_path):
    from safetensors.numpy import save_file

    judge = WhisperStyleJudge(VOXLECT_ENGLISH_DIALECT, str(vox_profile_weights), "cpu")
    with pytest.raises(SpeechbenchError, match=r"expected the layer out_layer\.0"):
        judge.measure([clip])
    save_file({"a": np.zeros(2)}, tmp_path / "model.safetensors")
    judge = WhisperStyleJudge(VOXLECT_ENGLISH_DIALECT, str(tmp_path), "cpu")
    with pytest.raises(SpeechbenchError, match="expected a Voxlect or Vox-Profile checkpoint"):
        judge.measure([clip])
    (tmp_path / "model.safetensors").write_bytes(b"not that")
    judge = WhisperStyleJudge(VOXLECT_ENGLISH_DIALECT, str(tmp_path), "cpu")
    with pytest.raises(SpeechbenchError, match="expected a safetensors file"):
        judge.measure([clip])


def test_the_licence_is_shown_once_when_the_weights_are_first_used(voxlect_weights, clip, caplog):
    judge = WhisperStyleJudge(VOXLECT_ENGLISH_DIALECT, str(voxlect_weights), "cpu")
    with caplog.at_level(logging.WARNING):
        assert "OpenRAIL" not in caplog.text
        judge.measure([clip])
        judge.measure([clip.gained(-3.0)])
    assert caplog.text.count("no commercial use") == 1
