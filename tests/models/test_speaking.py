"""The two models that speak: the cascade understands and renders, the synthetic one forgets."""

import asyncio

import pytest
from inspect_ai.model import ChatMessageUser, ContentAudio, GenerateConfig, get_model

from speechbench import SpeechbenchError
from speechbench.audio import concatenate, data_uri, loudness_lufs, silence
from speechbench.models import SPOKEN_OUTPUT, clip_in
from speechbench.models.synthetic import replies
from speechbench.speech import word_error_rate

SPEAK = GenerateConfig(extra_body=SPOKEN_OUTPUT, seed=3, max_tokens=30)
QUESTION = "What can I do with my old bicycle?"


@pytest.fixture(scope="module")
def asked(voice):
    """The first user turn: a question, a pause, and an instruction to speak loudly."""
    instruction = "Please speak in a loud voice throughout our whole conversation."
    clip = concatenate(
        [voice.synthesize(QUESTION), silence(1.0, voice.rate_hz), voice.synthesize(instruction)]
    )
    return ChatMessageUser(content=[ContentAudio(audio=data_uri(clip), format="wav")])


def _generate(model, messages, config=SPEAK):
    return asyncio.run(model.generate(messages, config=config)).message


def _level(model, message, text=None):
    neutral = asyncio.run(model.api.read_aloud(text or message.text, 0))
    return loudness_lufs(clip_in(message)) - loudness_lufs(clip_in(neutral))


def test_the_cascade_hears_answers_and_renders_the_style(scripted, asked, ear):
    llm, seen = scripted("friend", lambda messages: "You could give it to a friend. Or")
    model = get_model(f"cascade/{llm}", memoize=False)
    message = _generate(model, [asked])
    assert message.text == "You could give it to a friend."  # up to the last whole sentence
    assert word_error_rate(message.text, ear.transcribe(clip_in(message)).text) == 0
    assert _level(model, message) == pytest.approx(6.0, abs=0.3)
    heard = seen[-1][-1].text
    assert "bicycle" in heard
    assert "loud voice" in heard


def test_the_cascade_without_style_in_tts_leaves_it_out(scripted, asked):
    llm, _ = scripted("plain", lambda messages: "You could give it to a friend.")
    model = get_model(f"cascade/{llm}", memoize=False, style_in_tts=False)
    assert _level(model, _generate(model, [asked])) == pytest.approx(0.0, abs=0.01)


def test_the_cascade_only_writes_where_no_speech_is_asked_for(scripted, asked):
    llm, seen = scripted("writer", lambda messages: "One.\n* two")
    model = get_model(f"cascade/{llm}", memoize=False)
    message = _generate(model, [asked], GenerateConfig())
    assert message.text == "One.\n* two"
    assert clip_in(message) is None
    assert [m.role for m in seen[-1]] == ["user"]  # no spoken manner is asked for either


@pytest.mark.parametrize("nothing", ["", "***", "你好"])
def test_the_cascade_writes_what_it_cannot_say(scripted, asked, nothing):
    # so the dialogue asks again with another seed, instead of ending the run
    llm, _ = scripted(f"speechless-{len(nothing)}", lambda messages: nothing)
    message = _generate(get_model(f"cascade/{llm}", memoize=False), [asked])
    assert (message.text, clip_in(message)) == (nothing, None)


def test_forgetful_follows_always_or_never_as_set(asked):
    for follow, decibels in (("1", 6.0), ("0", 0.0)):
        model = get_model("synthetic/forgetful", memoize=False, follow=follow)
        output = asyncio.run(model.generate([asked], config=SPEAK))
        assert bool(output.metadata["follows"]) is (follow == "1")
        assert output.message.text in replies()
        assert _level(model, output.message) == pytest.approx(decibels, abs=0.3)


def test_forgetful_repeats_itself_by_seed(asked):
    model = get_model("synthetic/forgetful", memoize=False, jitter=1.0)
    clips = [
        clip_in(_generate(model, [asked], GenerateConfig(extra_body=SPOKEN_OUTPUT, seed=seed)))
        for seed in (3, 3, 4)
    ]
    assert clips[0] == clips[1] != clips[2]


def test_jitter_varies_references_too():
    text = replies()[0]
    still = get_model("synthetic/forgetful", memoize=False)
    moved = get_model("synthetic/forgetful", memoize=False, jitter=1.0)
    read = {
        name: [clip_in(asyncio.run(model.api.read_aloud(text, seed))) for seed in (1, 2)]
        for name, model in (("still", still), ("moved", moved))
    }
    assert read["still"][0] == read["still"][1]
    assert read["moved"][0] != read["moved"][1]


def test_forgetful_stops_rather_than_guess(asked, voice):
    model = get_model("synthetic/forgetful", memoize=False, follow=[0.9])
    plain = ContentAudio(audio=data_uri(voice.synthesize(QUESTION)), format="wav")
    with pytest.raises(SpeechbenchError, match=r"no instruction about style.*bicycle"):
        _generate(model, [ChatMessageUser(content=[plain])])
    first = _generate(model, [asked])
    with pytest.raises(SpeechbenchError, match="gives 1 probabilities, and turn 2"):
        _generate(model, [asked, first, asked])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"follow": "1,2"}, "probabilities between 0 and 1"),
        ({"follow": "often"}, "probabilities between 0 and 1"),
        ({"follow": []}, "probabilities between 0 and 1"),
        ({"jitter": 9}, "jitter between 0 and 3"),
        ({"jitter": "much"}, "jitter between 0 and 3, got 'much'"),
        ({"recall": 2}, "recall between 0 and 1, got 2"),
        ({"recall_restores": True}, "with it -M recall"),
        ({"jitters": 1}, "takes -M follow, jitter, seed, recall"),
    ],
)
def test_bad_settings_stop_the_run(arguments, sentence):
    with pytest.raises(SpeechbenchError, match=sentence):
        get_model("synthetic/forgetful", memoize=False, **arguments)


def test_unknown_speaking_models_stop_the_run():
    with pytest.raises(SpeechbenchError, match="expected the model synthetic/forgetful"):
        get_model("synthetic/elephant", memoize=False)
    with pytest.raises(SpeechbenchError, match="style_in_tts"):
        get_model("cascade/embedded", memoize=False, voice="deep")
