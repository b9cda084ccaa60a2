"""Messages carry hashes, the provider hears sound, and no setting of a run is lost between."""

import asyncio

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageUser,
    ContentAudio,
    ContentData,
    ContentText,
    GenerateConfig,
    ModelAPI,
    ModelCall,
    ModelOutput,
    ModelUsage,
    get_model,
    modelapi,
)
from inspect_ai.solver import solver

from speechbench import SpeechbenchError
from speechbench.audio import ClipStore, clip_from_data_uri
from speechbench.models import (
    ReferencedAudio,
    assistant_message,
    by_reference,
    spoken,
    unreadable,
)


@pytest.fixture(scope="module")
def echo(voice):
    """A provider that answers with its own sound, and notes what reached it."""
    reached = []
    clip = voice.synthesize("I am listening to you.")

    class Echo(ModelAPI):
        async def generate(self, input, tools, tool_choice, config):
            reached.append((input, config))
            output = ModelOutput.from_message(
                assistant_message("I am listening to you.", clip, self.model_name)
            )
            output.usage = ModelUsage()
            return output, ModelCall.create(request={"audio": "UklGR" * 1000}, response={})

    @modelapi(name="echo")
    def provider():
        return Echo

    return get_model("echo/any", memoize=False), reached, clip


@pytest.fixture
def audio(tmp_path):
    return ReferencedAudio(ClipStore(tmp_path / "audio"))


def test_references_go_in_sound_reaches_the_provider_and_references_come_out(echo, audio, voice):
    model, reached, answer = echo
    question = voice.synthesize("Can you hear me?")
    message = audio.user_message(question, "Can you hear me?", "Answer me.")
    output = asyncio.run(by_reference(model, audio).generate([message]))

    heard = reached[-1][0][0].content
    assert [part.type for part in heard] == ["audio", "text"]
    assert clip_from_data_uri(heard[0].audio) == question
    assert not any(isinstance(part, ContentAudio) for part in output.message.content)
    assert spoken(output.message, audio.store).clip == answer
    assert spoken(output.message, audio.store).transcript == "I am listening to you."
    # the message that was passed in still holds its reference, not the sound
    assert isinstance(message.content[0], ContentData)


def test_the_words_kept_for_readers_of_the_log_do_not_reach_the_model(echo, audio, voice):
    model, reached, _ = echo
    message = audio.user_message(voice.synthesize("Hello."), "these words are for people")
    asyncio.run(by_reference(model, audio).generate([message]))
    assert "these words" not in str(reached[-1][0])


def test_the_tasks_config_reaches_the_wrapped_model(echo, tmp_path):
    """Inspect applies it only to the model that it takes for the one under evaluation."""
    model, reached, _ = echo

    @solver
    def ask():
        async def solve(state, generate):
            store = ReferencedAudio(ClipStore(tmp_path / "audio"))
            state.output = await by_reference(get_model(), store).generate(
                [ChatMessageUser(content="Hello.")], config=GenerateConfig(seed=7)
            )
            return state

        return solve

    task = Task(
        dataset=MemoryDataset([Sample(input="x")]),
        solver=ask(),
        config=GenerateConfig(temperature=0.7),
    )
    [log] = inspect_eval(task, model=model, max_tokens=33, log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    config = reached[-1][1]
    assert (config.temperature, config.max_tokens, config.seed) == (0.7, 33, 7)
    assert "UklGR" not in log.model_dump_json()


def test_a_missing_clip_is_a_sentence(echo, audio, voice):
    model, _, _ = echo
    message = audio.user_message(voice.synthesize("Hello."), "Hello.")
    audio.store.path(message.content[0].data["audio"]["sha256"]).unlink()
    with pytest.raises(SpeechbenchError, match="audio"):
        asyncio.run(by_reference(model, audio).generate([message]))


@pytest.mark.parametrize("body", ["", "AAAA"])
def test_an_answer_whose_audio_cannot_be_read_is_kept_as_the_reason(audio, body):
    broken = ContentAudio(audio=f"data:audio/wav;base64,{body}", format="wav")
    message = ChatMessageAssistant(content=[ContentText(text="Hi."), broken])
    kept = audio.put_away(ModelOutput.from_message(message)).message
    assert kept.text == "Hi."
    assert spoken(kept, audio.store) is None
    assert "data URI" in unreadable(kept)
    assert unreadable(ModelOutput.from_content("m", "only text").message) is None


def test_a_written_answer_is_no_spoken_turn(audio):
    assert spoken(ModelOutput.from_content("m", "only text").message, audio.store) is None
