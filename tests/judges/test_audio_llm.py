"""LLMs as judges, asked through real Inspect models with ready answers."""

import anyio
import pytest

from speechbench import SpeechbenchError
from speechbench.audio import clip_from_data_uri, silence
from speechbench.judges import audio_llm, chosen, judge_named
from speechbench.judges.audio_llm import AudioLlmJudge
from speechbench.judges.labelling import SEMANTIC_EMOTION
from speechbench.judges.semantic import SemanticEmotionJudge


@pytest.fixture(scope="module")
def clip(voice):
    return voice.synthesize("Start with the easiest part, and then go on to the next one.")


@pytest.fixture
def answering(scripted, monkeypatch):
    """A judge of accents whose model gives ready answers, and what it was asked."""

    def make(reply):
        model, asked = scripted("ears", reply)
        monkeypatch.setattr("inspect_ai.model.get_model", lambda *_, **__: model)
        return AudioLlmJudge("accent", "scripted/ears"), asked

    return make


def test_the_named_style_is_heard_and_the_sound_was_sent(answering, clip):
    judge, asked = answering(lambda messages: "North American.")
    [heard] = judge.measure([clip])
    assert heard.probabilities == {"north_american": 1.0, "indian": 0.0}
    assert chosen(heard.probabilities) == "north_american"
    [[message]] = asked
    prompt, sound = message.content
    assert "north american, indian" in prompt.text
    assert clip_from_data_uri(sound.audio).duration_s == pytest.approx(clip.duration_s, abs=1e-3)


def test_it_works_from_a_scorers_worker_thread_too(answering, clip):
    judge, _ = answering(lambda messages: "indian")

    async def score():
        return await anyio.to_thread.run_sync(judge.measure, [clip])

    [heard] = anyio.run(score)
    assert chosen(heard.probabilities) == "indian"


def test_another_answer_is_no_verdict_and_says_so(answering, clip):
    judge, _ = answering(lambda messages: "Probably British.")
    [heard] = judge.measure([clip])
    assert heard.value is None
    assert "answered 'Probably British.'" in heard.reason


def test_silence_is_not_sent(answering, clip):
    judge, asked = answering(lambda messages: "indian")
    [unheard, heard] = judge.measure([silence(2.0, 16_000), clip])
    assert "no speech" in unheard.reason
    assert heard.value == 1.0
    assert len(asked) == 1


def test_a_model_that_fails_leaves_nothing_to_keep(answering, clip):
    def fail(messages):
        raise ConnectionError("no route")

    judge, _ = answering(fail)
    with pytest.raises(SpeechbenchError, match="failed: no route"):
        judge.measure([clip])


def test_names_say_dimension_and_model():
    judge = judge_named("llm-emotion:mockllm/model")
    assert judge.dimension == "emotion"
    assert judge.stamp.fingerprint != judge_named("llm-emotion:mockllm/other").stamp.fingerprint
    with pytest.raises(SpeechbenchError, match="relative ones are measured"):
        judge_named("llm-volume:mockllm/model")
    assert audio_llm.HEARD.keys() == {"emotion", "accent"}


def test_semantic_emotion_reads_the_words_alone(scripted, monkeypatch, voice):
    said = {"sad": "I lost my keys.", "odd": "We won!", "none": " "}
    model, asked = scripted(
        "reader", lambda messages: "Sad" if "lost" in messages[0].text else "joyful"
    )
    monkeypatch.setattr("inspect_ai.model.get_model", lambda *_, **__: model)
    clips = {name: voice.synthesize(f"Clip number {name}.") for name in said}
    judge = SemanticEmotionJudge("scripted/reader", {clips[k].sha256: said[k] for k in said})
    sad, odd, none = judge.measure(list(clips.values()))
    assert sad.probabilities == {"sad": 1.0, "happy": 0.0, "angry": 0.0, "neutral": 0.0}
    assert "one of sad, happy, angry, neutral" in odd.reason
    assert none.reason == "the turn has no transcript."
    assert len(asked) == 2
    assert all(part.type == "text" for [message] in asked for part in message.content)
    assert SEMANTIC_EMOTION.stamp("a").fingerprint != SEMANTIC_EMOTION.stamp("b").fingerprint
