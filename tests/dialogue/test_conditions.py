"""What the model is sent under each condition, and what is noted of its answers."""

import math

import pytest

from speechbench import SpeechbenchError
from speechbench.dialogue import Condition, DialogueRecord
from speechbench.models import clip_in, text_in
from speechbench.styles import style

REPLY = "You could take a short walk and drink some water before you start again."
ASKED_BACK = "what did I ask you"
READING = "Read the following text aloud exactly"


@pytest.fixture
def obliging(speaker, voice):
    """A model that speaks, reads, and answers the question of recall, and notes what it was sent.

    Its answers to the question are taken from a list.
    """
    neutral = voice.synthesize(REPLY)
    quiet = voice.synthesize(REPLY, style("quiet").delivery)

    def make(name, recalls=()):
        answers, sent = list(recalls), []

        def behave(messages, config):
            text = text_in(messages[-1])
            if READING in text:
                return "", neutral
            if ASKED_BACK in text:
                return answers.pop(0)
            sent.append(messages)
            return REPLY, quiet

        return speaker(name, behave), sent

    return make


def test_the_instruction_may_stand_beside_the_sound(obliging, hold_dialogue):
    model, sent = obliging("beside")
    hold_dialogue(model)
    first = [message for message in sent[-1] if message.role == "user"]
    assert text_in(first[0]) == style("quiet").phrasings[0]
    assert [text_in(message) for message in first[1:]] == [""]


@pytest.mark.parametrize("phrasing", [1, 2])
def test_each_phrasing_is_what_is_asked(obliging, hold_dialogue, phrasing):
    model, sent = obliging("phrased")
    _, outcome = hold_dialogue(model, turns=1, phrasing=phrasing)
    assert text_in(sent[0][0]) == style("quiet").phrasings[phrasing]
    assert outcome.phrasing == phrasing


def test_the_instruction_may_stand_in_the_system_message(obliging, hold_dialogue):
    model, sent = obliging("system")
    _, outcome = hold_dialogue(model, position="system", instruction_as=None)
    for messages in sent:
        assert [message.role for message in messages[:2]] == ["system", "user"]
        assert messages[0].text == style("quiet").phrasings[0]
        assert all(text_in(message) == "" for message in messages if message.role == "user")
    assert [turn.followed for turn in outcome.styles[0].turns] == [True, True]


def test_another_wording_is_what_is_asked_and_another_protocol(obliging, hold_dialogue, tmp_path):
    file = tmp_path / "words.toml"
    file.write_text(
        'recall = "Now then, what did I ask you?"\n'
        '[instructions]\nquiet = ["Hush now, always.", "b", "c"]\n'
    )
    model, sent = obliging("reworded", ["You said hush.", "You said a quiet voice."])
    sample, outcome = hold_dialogue(model, turns=3, prompts=str(file), recall="fork")
    assert text_in(sent[0][0]) == "Hush now, always."
    assert [probe.recalled for probe in outcome.recall] == [False, True]
    assert sample.metadata["instructions"] == ["Hush now, always."]


def test_a_question_of_recall_that_is_kept_stands_in_the_history(obliging, hold_dialogue):
    model, sent = obliging("keeps", ["To speak in a quiet voice.", "Nothing, I think."])
    sample, outcome = hold_dialogue(model, turns=3, recall="keep")
    assert [len(messages) for messages in sent] == [1, 5, 9]
    question, answer = sent[1][2], sent[1][3]
    assert ASKED_BACK in text_in(question)
    assert answer.text == "To speak in a quiet voice."
    assert [(probe.turn, probe.recalled) for probe in outcome.recall] == [(2, True), (3, False)]
    value = sample.scores["style_following"].value
    assert (value["recall_2"], value["recall_3"]) == (1.0, 0.0)
    assert all(probe.judge.id == "style-named" for probe in outcome.recall)


def test_a_question_of_recall_in_a_fork_leaves_no_trace(obliging, hold_dialogue):
    model, sent = obliging("forks", ["To speak in a quiet voice."] * 2)
    _, outcome = hold_dialogue(model, turns=3, recall="fork")
    assert [len(messages) for messages in sent] == [1, 3, 5]
    assert not any(ASKED_BACK in text_in(message) for message in sent[-1])
    assert [probe.recalled for probe in outcome.recall] == [True, True]


def test_silence_is_no_memory_and_is_not_kept(obliging, hold_dialogue):
    model, sent = obliging("forgets", [""] * 4)
    _, outcome = hold_dialogue(model, recall="keep")
    [probe] = outcome.recall
    assert (probe.recalled, probe.answer) == (False, None)
    assert "no answer" in probe.reason
    assert len(sent[-1]) == 3


def test_a_spoken_question_is_answered_in_speech_and_taken_by_ear(speaker, hold_dialogue, voice):
    answer = "You asked me to speak in a quiet voice."
    spoken_questions = []

    def behave(messages, config):
        if text_in(messages[-1]):
            return "", voice.synthesize(REPLY)
        if len(messages) == 3 and not spoken_questions:
            spoken_questions.append(clip_in(messages[-1]))
            return "", voice.synthesize(answer)
        return REPLY, voice.synthesize(REPLY)

    sample, outcome = hold_dialogue(
        speaker("spoken-recall", behave), recall="fork", instruction_as="speech"
    )
    [probe] = outcome.recall
    assert probe.recalled
    assert "quiet" in probe.answer
    assert sample.store_as(DialogueRecord).turns[1].recall_clip == probe.clip


def test_a_second_style_comes_with_the_second_turn(obliging, hold_dialogue):
    model, sent = obliging("adds")
    sample, outcome = hold_dialogue(model, turns=3, styles=["slow", "quiet"], schedule="add")
    assert str(sample.id).startswith("slow+quiet/")
    users = [text_in(message) for message in sent[-1] if message.role == "user"]
    assert users == [style("slow").phrasings[0], style("quiet").phrasings[0], ""]
    slow, quiet = outcome.styles
    assert [turn.turn for turn in slow.turns] == [1, 2, 3]
    assert [turn.turn for turn in quiet.turns] == [2, 3]
    assert [turn.followed for turn in quiet.turns] == [True, True]
    value = sample.scores["style_following"].value
    assert set(value) == {
        *(f"slow/if_{j}" for j in (1, 2, 3)),
        *(f"{name}/if_{j}" for name in ("quiet", "both") for j in (2, 3)),
    }
    for j in (2, 3):
        assert value[f"both/if_{j}"] == value[f"slow/if_{j}"] * value[f"quiet/if_{j}"]


def test_a_style_that_was_replaced_is_followed_on_as_a_residue(obliging, hold_dialogue):
    model, _sent = obliging("switches")
    sample, outcome = hold_dialogue(model, turns=3, styles=["quiet", "loud"], schedule="switch")
    quiet, loud = outcome.styles
    assert (quiet.replaced_at, loud.replaced_at) == (2, None)
    assert [turn.followed for turn in quiet.turns] == [True] * 3  # it never changed over
    assert [turn.followed for turn in loud.turns] == [False] * 2
    assert "both/if_2" not in sample.scores["style_following"].value


def test_coherence_is_the_graders(obliging, hold_dialogue, scripted):
    model, _ = obliging("rated")
    grader, asked = scripted("coherence", lambda messages: "4")
    sample, outcome = hold_dialogue(model, coherence=True, roles={"grader": grader})
    assert outcome.coherence.score == 4
    assert sample.scores["style_following"].value["coherence"] == 4.0
    assert f"Assistant: {REPLY}" in asked[0][0].text


def test_without_a_grader_there_is_no_coherence_and_a_reason(obliging, hold_dialogue):
    model, _ = obliging("unrated")
    sample, outcome = hold_dialogue(model, turns=1, coherence=True)
    assert "--model-role grader" in outcome.coherence.reason
    assert math.isnan(sample.scores["style_following"].value["coherence"])


@pytest.mark.parametrize(
    "impossible",
    [
        {"position": "system", "instruction_as": "speech"},
        {"schedule": "add", "recall": "keep"},
        {"schedule": "together", "recall": "fork"},
        {"schedule": "switch", "position": "system", "instruction_as": "text"},
    ],
)
def test_conditions_that_exclude_each_other(impossible):
    with pytest.raises(SpeechbenchError, match="expected"):
        Condition(**impossible)
