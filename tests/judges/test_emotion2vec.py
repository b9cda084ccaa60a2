"""emotion2vec through funasr, on a tiny model of the same class."""

import logging
import random

import numpy as np
import pytest

from speechbench import SpeechbenchError
from speechbench.audio import Clip, concatenate
from speechbench.judges import emotion2vec, judge_named
from speechbench.judges.emotion2vec import Emotion2vecJudge

TEXT = "Start with the easiest part, and then go on to the next one."


@pytest.fixture(scope="module")
def clip(voice):
    return voice.synthesize(TEXT)


@pytest.fixture(scope="module")
def judge(emotion2vec_weights):
    return Emotion2vecJudge(str(emotion2vec_weights), "cpu")


def test_the_verdict_is_funasrs_own_among_four_emotions(judge, clip, emotion2vec_weights):
    from funasr import AutoModel

    model = AutoModel(
        model=str(emotion2vec_weights), hub="hf", disable_update=True, disable_pbar=True, ncpu=1
    )
    [answer] = model.generate(
        [clip.resampled(16_000).samples.copy()],
        fs=16_000,
        granularity="utterance",
        extract_embedding=False,
    )
    scores = dict(zip(answer["labels"], answer["scores"], strict=True))
    four = {
        name: scores[label]
        for label in scores
        if (name := label.split("/")[-1]) in ("happy", "sad", "angry", "neutral")
    }
    [heard] = judge.measure([clip])
    total = sum(four.values())
    assert heard.probabilities == pytest.approx({k: v / total for k, v in four.items()}, abs=1e-6)
    assert heard.value == max(heard.probabilities.values())


def test_clips_together_are_judged_as_alone(judge, clip):
    clips = [clip, clip.gained(-6.0), concatenate([clip, clip])]
    together = judge.measure(clips)
    for one, heard in zip(clips, together, strict=True):
        assert heard.probabilities == pytest.approx(judge.measure([one])[0].probabilities, abs=1e-4)


def test_padding_would_change_the_answer(judge, clip):
    # why clips go through the model one by one: the same sound, with and without masked zeros
    import torch

    samples = torch.from_numpy(clip.resampled(16_000).samples.copy())
    model = judge._model.model
    padded = torch.zeros(2, samples.numel() + 8000)
    padded[0, : samples.numel()] = samples
    mask = torch.zeros(padded.shape, dtype=torch.bool)
    mask[0, samples.numel() :] = True
    with torch.inference_mode():
        alone = model.extract_features(samples[None])["x"][0].mean(dim=0)
        batched = model.extract_features(padded, padding_mask=mask)
        kept = batched["x"][0][~batched["padding_mask"][0]].mean(dim=0)
    assert (alone - kept).abs().max() > 1e-4


def test_only_the_first_180_s_are_heard(judge, clip, monkeypatch):
    assert emotion2vec._LONGEST_S == 180.0
    monkeypatch.setattr(emotion2vec, "_LONGEST_S", 2.0)
    long = clip.resampled(16_000)
    cut = Clip.from_samples(long.samples[:32_000], 16_000)
    one, other = judge.measure([long, cut])
    assert one.probabilities == other.probabilities


def test_another_revision_is_refused(make_emotion2vec, clip):
    five = ("angry", "happy", "neutral", "sad", "<unk>")
    judge = Emotion2vecJudge(str(make_emotion2vec(labels=five)), "cpu")
    with pytest.raises(SpeechbenchError, match="got 5 outputs and the labels angry, happy"):
        judge.measure([clip])


def test_labels_in_another_order_are_refused(make_emotion2vec, emotion2vec_weights, clip):
    labels = (emotion2vec_weights / "tokens.txt").read_text("utf-8").split()
    judge = Emotion2vecJudge(str(make_emotion2vec(labels=tuple(labels[::-1]))), "cpu")
    with pytest.raises(SpeechbenchError, match="got 9 outputs and the labels <unk>"):
        judge.measure([clip])


def test_loading_leaves_randomness_threads_and_logging_alone(emotion2vec_weights):
    import torch

    judge = Emotion2vecJudge(str(emotion2vec_weights), "cpu")
    logs = (logging.root.level, logging.root.handlers[:])
    random.seed(7)
    np.random.seed(7)
    torch.manual_seed(7)
    expected = (random.random(), np.random.random(), torch.rand(1).item())
    random.seed(7)
    np.random.seed(7)
    torch.manual_seed(7)
    _ = judge._model
    assert (random.random(), np.random.random(), torch.rand(1).item()) == expected
    assert torch.get_num_threads() == 1
    assert (logging.root.level, logging.root.handlers) == logs


def test_the_variable_finds_the_weights(emotion2vec_weights, monkeypatch):
    monkeypatch.setenv("SPEECHBENCH_WEIGHTS", str(emotion2vec_weights.parent))
    judge = judge_named("emotion2vec-plus-large")
    assert judge is judge_named("emotion2vec-plus-large")
    assert judge.stamp == Emotion2vecJudge(str(emotion2vec_weights)).stamp
