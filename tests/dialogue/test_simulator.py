"""The user simulator hears the assistant's sound, and never repeats the instruction."""

import asyncio

import pytest

from speechbench import SpeechbenchError
from speechbench.dialogue.simulator import UserSimulator


def test_it_answers_what_it_heard_with_roles_exchanged(scripted, voice, ear):
    llm, seen = scripted("hears", lambda messages: "Really? Tell me more. And then")
    user = UserSimulator(llm, ear, voice, temperature=0.7)

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
    user = UserSimulator(llm, ear, voice, temperature=0.7)
    assert asyncio.run(user.reply(["Hello."], ["Hi."], seed=1)).text == "Thank you, I will."


def test_an_llm_that_says_nothing_is_asked_again_and_then_named(scripted, voice, ear):
    llm, seen = scripted("mute", lambda messages: " *** ")
    user = UserSimulator(llm, ear, voice, temperature=0.7)
    with pytest.raises(SpeechbenchError, match=r"scripted/mute.*3 tries"):
        asyncio.run(user.reply(["Hello."], ["Hi."], seed=1))
    assert len(seen) == 3
