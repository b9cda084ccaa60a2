"""Messages as words and sound, and back into the texts that templates take."""

import pytest
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ContentAudio,
    ContentReasoning,
    ContentText,
)

from speechbench.audio import data_uri, silence
from speechbench.models.hf_conversations import (
    RATE_HZ,
    as_chat,
    clips_of,
    conversation_of,
    without_system,
)


@pytest.fixture
def conversation():
    clip = ContentAudio(audio=data_uri(silence(0.5, 24_000)), format="wav")
    return conversation_of(
        [
            ChatMessageSystem(content="Be brief."),
            ChatMessageUser(content=[clip, ContentText(text="What?"), ContentText(text="Who?")]),
            ChatMessageAssistant(
                content=[ContentReasoning(reasoning="Hm."), ContentText(text="Nobody.")]
            ),
            ChatMessageUser(content=[ContentText(text="And here?"), clip]),
        ]
    )


def test_recordings_stand_where_they_were(conversation):
    assert as_chat(conversation, "<a>") == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "<a>What?\nWho?"},
        {"role": "assistant", "content": "Nobody."},
        {"role": "user", "content": "And here?<a>"},
    ]


def test_recordings_are_at_the_rate_that_models_listen_at(conversation):
    assert [len(samples) for samples in clips_of([conversation, conversation])] == [
        RATE_HZ // 2
    ] * 4


def test_a_system_message_moves_into_the_first_user_message(conversation):
    assert [said["content"] for said in as_chat(without_system(conversation), "<a>")] == [
        "Be brief.<a>What?\nWho?",
        "Nobody.",
        "And here?<a>",
    ]
    plain = conversation_of([ChatMessageUser(content="Hello.")])
    assert without_system(plain) == plain
