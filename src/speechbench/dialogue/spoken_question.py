"""One spoken turn as an Inspect solver: a recording and a written instruction, a written answer."""

from pathlib import Path

import anyio
from inspect_ai.model import ContentAudio, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from speechbench.audio import Clip, data_uri, read_clip
from speechbench.dialogue.log_audio import log_audio_store
from speechbench.models import ReferencedAudio, by_reference
from speechbench.speech import embedded_synthesizer
from speechbench.speech.cached import cached_speech, speech_cache

__all__ = ["spoken_question"]


@solver
def spoken_question(audio_dir: str | None = None, inline_audio: bool = False) -> Solver:
    """Play the sample's recording to the model, with the sample's input as written instruction.

    The sample's metadata holds `spoken`, the words to synthesise, or `audio`, a file's path.

    Args:
        audio_dir: the folder that `audio` paths are relative to.
        inline_audio: put mp3 audio into the messages, for listening in Inspect's viewer.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        audio = ReferencedAudio(log_audio_store())
        spoken: str | None = state.metadata["spoken"]
        clip = await anyio.to_thread.run_sync(
            _recording, spoken, state.metadata["audio"], audio_dir
        )
        question = audio.user_message(clip, spoken or "", state.user_prompt.text)
        before = [message for message in state.messages if message.role == "system"]
        state.messages = [*before, question]
        state.output = await by_reference(get_model(), audio).generate(state.messages)
        state.messages.append(state.output.message)
        if inline_audio and isinstance(question.content, list):
            question.content.append(ContentAudio(audio=data_uri(clip, "mp3"), format="mp3"))
        return state

    return solve


def _recording(spoken: str | None, audio: str | None, audio_dir: str | None) -> Clip:
    if spoken:
        return cached_speech(embedded_synthesizer(), spoken, speech_cache())
    return read_clip(Path(audio_dir or ".") / str(audio))
