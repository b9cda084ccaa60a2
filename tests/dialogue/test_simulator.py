"""The user simulator hears the assistant's sound, and never repeats the instruction."""

import asyncio

import pytest

from speechbench import SpeechbenchError
from speechbench.dialogue import Prompts
from speechbench.dialogue.simulator import UserSimulator

MANNER = Prompts().simulator


def test_it_answers_what_it_heard_with_roles_exchanged(scripted, voice, ear):
    llm, seen = scripted("hears", lambda messages: "Really? Tell me more. And then")
    user = UserSimulator(llm, ear, voice, MANNER, temperature=0.7)

    async def talk():
        heard = await user.hear(voice.synthesize("You should take a walk."))
        return heard, await user.reply(["I am tired. What can I do?"], [heard], seed=1)

    heard, turn = asyncio.run(talk())
    assert "walk" in heard
    assert turn.text == "Really? Tell me more."
    assert "more" in ear.transcribe(turn.clip).text.lower()
    system, greeting, mine, theirs = seen[-1]
    assert (system.role, greeting.role) == ("system", "user")
    assert (mine.role, mine.text) == ("assistant", "I am tired. What can I do?")
    assert (theirs.role, theirs.text) == ("user", heard)


def test_a_reply_that_the_voice_cannot_say_is_asked_for_again(scripted, voice, ear):
    replies = ["你好", "Thank you, I will."]
    llm, _ = scripted("polyglot", lambda messages: replies.pop(0))
    user = UserSimulator(llm, ear, voice, MANNER, temperature=0.7)
    assert asyncio.run(user.reply(["Hello."], ["Hi."], seed=1)).text == "Thank you, I will."


def test_an_llm_that_says_nothing_is_asked_again_and_then_named(scripted, voice, ear):
    llm, seen = scripted("mute", lambda messages: " *** ")
    user = UserSimulator(llm, ear, voice, MANNER, temperature=0.7)
    with pytest.raises(SpeechbenchError, match=r"scripted/mute.*3 tries"):
        asyncio.run(user.reply(["Hello."], ["Hi."], seed=1))
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("written", "said", "slips"),
    [
        ("That helps, thank you.", "That helps, thank you.", ()),
        ("**Really?**", "Really?", ("not_plain",)),
        ("User: I will try it.", "User: I will try it.", ("role_slip",)),
        ("As an AI language model I cannot.", "As an AI language model I cannot.", ("role_slip",)),
        (" ".join(["well"] * 20), " ".join(["well"] * 20), ("too_long",)),
        (" ".join(["well"] * 19), " ".join(["well"] * 19), ()),
        ("Look at https://a.b/c 🙂 now.", "Look at now.", ("not_plain",)),
    ],
)
def test_broken_rules_are_named(scripted, voice, ear, written, said, slips):
    llm, _ = scripted("breaks-rules", lambda messages: written)
    user = UserSimulator(llm, ear, voice, MANNER, temperature=0.7)
    turn = asyncio.run(user.reply(["Hello."], ["Hi."], seed=1))
    assert (turn.text, turn.slips) == (said, slips)


def test_a_reply_that_had_to_be_asked_for_again_is_a_slip(scripted, voice, ear):
    replies = ["***", "Thank you."]
    llm, _ = scripted("stars", lambda messages: replies.pop(0))
    user = UserSimulator(llm, ear, voice, MANNER, temperature=0.7)
    assert asyncio.run(user.reply(["Hello."], ["Hi."], seed=1)).slips == ("unspeakable",)
