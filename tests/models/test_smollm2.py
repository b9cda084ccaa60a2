"""The embedded LLM: repeatable, and honest about what it cannot do."""

import asyncio

import pytest
from inspect_ai.model import ChatMessageUser, ContentAudio, ContentText, GenerateConfig, get_model

from speechbench import SpeechbenchError
from speechbench.audio import data_uri, silence

MODEL = "embedded/smollm2-135m"


def _say(seed, temperature=0.7):
    config = GenerateConfig(max_tokens=24, temperature=temperature, seed=seed)
    return asyncio.run(get_model(MODEL).generate("Tell me about the sea.", config=config))


def test_the_same_seed_says_the_same_and_another_does_not():
    first, again, other = _say(1), _say(1), _say(2)
    assert first.completion == again.completion
    assert first.completion != other.completion
    assert first.usage.output_tokens > 0
    assert first.stop_reason == "max_tokens"


def test_it_refuses_to_pretend_that_it_hears():
    sound = ContentAudio(audio=data_uri(silence(1.0, 16_000)), format="wav")
    message = ChatMessageUser(content=[sound, ContentText(text="What do you hear?")])
    with pytest.raises(SpeechbenchError, match=r"cannot hear.*input=transcript"):
        asyncio.run(get_model(MODEL).generate([message]))


def test_a_chat_beyond_its_context_is_a_sentence():
    with pytest.raises(SpeechbenchError, match="context"):
        asyncio.run(get_model(MODEL).generate("word " * 6000))


def test_unknown_names_and_arguments_stop_the_run():
    with pytest.raises(SpeechbenchError, match="expected the model embedded/smollm2-135m"):
        get_model("embedded/llama")
    with pytest.raises(SpeechbenchError, match="takes no -M"):
        get_model(MODEL, memoize=False, size=3)


def test_only_as_many_calls_as_the_machine_has_use_for():
    model = get_model(MODEL, memoize=False)
    assert model.config.adaptive_connections is False
    assert 2 <= model.api.max_connections() <= 8
    chosen = get_model(MODEL, memoize=False, config=GenerateConfig(max_connections=3))
    assert chosen.config.adaptive_connections is None
