"""Parakeet through its runtimes, on tiny weights of the real class."""

import importlib.util

import pytest

from speechbench import SpeechbenchError
from speechbench.audio import concatenate, silence
from speechbench.speech.parakeet import Parakeet, _Token, _words

BACKENDS = ("onnx-asr", "transformers")


@pytest.fixture(scope="module")
def ears(parakeet_weights, parakeet_transformers_weights):
    return {
        "onnx-asr": Parakeet("onnx-asr", str(parakeet_weights), "cpu"),
        "transformers": Parakeet("transformers", str(parakeet_transformers_weights), "cpu"),
    }


@pytest.fixture(scope="module")
def clip(voice):
    return voice.synthesize("Start with the easiest part, and then go on to the next one.")


def test_both_runtimes_write_the_same_from_the_same_weights(ears, clip):
    for sound in (clip, concatenate([clip, clip])):
        one, other = (ears[name].transcribe(sound) for name in BACKENDS)
        assert one.text == other.text != ""
        assert [word.text for word in one.words] == [word.text for word in other.words]
        assert one.text.split() == [word.text for word in one.words]


@pytest.mark.parametrize("name", BACKENDS)
def test_words_stand_in_order_within_the_clip(ears, clip, name):
    words = ears[name].transcribe(clip).words
    assert all(word.start_s <= word.end_s for word in words)
    assert sorted(words, key=lambda word: word.start_s) == list(words)
    assert words[-1].end_s <= clip.duration_s + 0.5


@pytest.mark.parametrize("name", BACKENDS)
def test_silence_is_not_put_into_words(ears, name):
    assert ears[name].transcribe(silence(2.0, 24_000)).text == ""


def test_the_id_says_backend_version_and_weights(ears):
    ids = {name: ear.id for name, ear in ears.items()}
    assert ids["onnx-asr"].startswith("parakeet-tdt-0.6b-v2/onnx-asr-")
    assert ids["transformers"].startswith("parakeet-tdt-0.6b-v2/transformers-")
    assert all("/weights-" in name for name in ids.values())


def test_pieces_join_to_words():
    pieces = [
        _Token(" mod", 0.0, 0.1),
        _Token("el", 0.2, 0.3),
        _Token(" ", 0.4, 0.5),
        _Token(" it", 0.6, 0.7),
    ]
    assert [(word.text, word.start_s, word.end_s) for word in _words(pieces)] == [
        ("model", 0.0, 0.3),
        ("it", 0.6, 0.7),
    ]


def test_an_unknown_backend_lists_what_there_is():
    with pytest.raises(SpeechbenchError, match="onnx-asr, nemo, transformers"):
        Parakeet("kaldi")


@pytest.mark.skipif(importlib.util.find_spec("nemo") is not None, reason="NeMo is installed")
def test_a_missing_runtime_names_its_extra():
    with pytest.raises(SpeechbenchError, match=r"speechbench\[nemo\]"):
        Parakeet("nemo")
