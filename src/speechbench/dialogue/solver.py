"""The dialogue as an Inspect solver: K turns of speech, each answer kept with its reference."""

import hashlib
from typing import NamedTuple

import anyio
from inspect_ai.model import (
    ContentAudio,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import collect

from speechbench.audio import Clip, concatenate, data_uri, has_speech, silence
from speechbench.dialogue.log_audio import log_audio_store
from speechbench.dialogue.record import DialogueRecord, TurnRecord
from speechbench.dialogue.reference import NeutralReference, neutral_reference
from speechbench.dialogue.simulator import UserSimulator, UserTurn
from speechbench.models import (
    SPOKEN_OUTPUT,
    ReferencedAudio,
    by_reference,
    referenced,
    spoken,
    unreadable,
)
from speechbench.protocols import Protocol
from speechbench.protocols import protocol as protocol_named
from speechbench.speech import Synthesizer, embedded_recognizer, embedded_synthesizer
from speechbench.styles import DIMENSIONS, style

__all__ = ["spoken_dialogue"]

_SILENT = "the model answered without speech"


class _Answer(NamedTuple):
    """The assistant's turn: what was said (None after every try failed), and how many tries."""

    output: ModelOutput
    clip: Clip | None
    transcript: str
    attempts: int


@solver
def spoken_dialogue(
    protocol: str = "embedded",
    turns: int = 4,
    phrasing: int = 0,
    inline_audio: bool = False,
) -> Solver:
    """Hold a spoken dialogue of K assistant turns (Style Amnesia §3.2).

    The sample's input is the opener's text, and its metadata names the style. The first user turn
    is opener, pause and instruction in one clip; the user simulator speaks from then on. A turn
    without speech is tried again with a new seed; after the last try the dialogue ends there.

    Args:
        protocol: name of a protocol.
        turns: assistant turns K.
        phrasing: which of the style's three wordings, 0 to 2.
        inline_audio: leave mp3 audio in the messages, for listening in Inspect's viewer.
    """
    rules = protocol_named(protocol).with_turns(turns)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        audio = ReferencedAudio(log_audio_store())
        model = by_reference(get_model(), audio)
        wanted = style(state.metadata["style"])
        simulator = UserSimulator(
            llm=get_model(role="simulator", default=rules.simulator),
            ear=embedded_recognizer(),
            voice=embedded_synthesizer(),
            temperature=rules.simulator_temperature,
        )
        record = state.store_as(DialogueRecord)
        record.audio_root = str(audio.store.root)
        record.protocol, record.planned_turns = rules.name, rules.turns
        # A system message may stand here already (--system-message); the input text, which
        # Inspect has placed as a written user message, is replaced by speech.
        state.messages = [message for message in state.messages if message.role == "system"]

        opener = state.input_text
        said = [opener]
        heard: list[str] = []
        for turn in range(1, rules.turns + 1):
            if turn == 1:
                user = await anyio.to_thread.run_sync(
                    _first_turn, opener, wanted.phrasings[phrasing], rules, embedded_synthesizer()
                )
            else:
                user = await simulator.reply(said, heard, _seed(state, turn, "user"))
                said.append(user.text)
            state.messages.append(audio.user_message(user.clip, user.text))
            answer = await _answer(model, state, turn, rules, audio)
            kept = TurnRecord(
                turn=turn,
                user_text=user.text,
                user_clip=user.clip.sha256,
                attempts=answer.attempts,
            )
            record.turns = [*record.turns, kept]
            state.output = answer.output
            if answer.clip is None:
                kept.failure = f"{_SILENT} in {answer.attempts} tries{_last_reason(answer)}"
                break
            kept.assistant_clip, kept.transcript = answer.clip.sha256, answer.transcript
            state.messages.append(answer.output.message)
            if turn < rules.turns:
                heard.append(await simulator.hear(answer.clip))

        dimension = DIMENSIONS[wanted.dimension]
        if dimension.relative:
            await _add_references(model, state, record, dimension.neutral_manner, rules, audio)
        if inline_audio:
            _inline(state, audio)
        return state

    return solve


def _first_turn(opener: str, instruction: str, rules: Protocol, voice: Synthesizer) -> UserTurn:
    spoken_opener = voice.synthesize(opener)
    pause = silence(rules.instruction_pause_s, spoken_opener.rate_hz)
    clip = concatenate([spoken_opener, pause, voice.synthesize(instruction)])
    return UserTurn(f"{opener} {instruction}", clip)


async def _answer(
    model: Model, state: TaskState, turn: int, rules: Protocol, audio: ReferencedAudio
) -> _Answer:
    """Ask for the turn, again with a new seed while it comes without speech (E.5)."""
    output = ModelOutput()
    for attempt in range(1 + rules.retries):
        output = await model.generate(
            state.messages,
            config=GenerateConfig(
                seed=_seed(state, turn, f"assistant-{attempt}"), extra_body=SPOKEN_OUTPUT
            ),
        )
        said = spoken(output.message, audio.store) if output.choices else None
        if said is not None and await anyio.to_thread.run_sync(has_speech, said.clip):
            return _Answer(output, said.clip, said.transcript, attempt + 1)
    return _Answer(output, None, "", 1 + rules.retries)


def _last_reason(answer: _Answer) -> str:
    reason = unreadable(answer.output.message) if answer.output.choices else None
    return f"; the last: {reason}" if reason else ""


async def _add_references(
    model: Model,
    state: TaskState,
    record: DialogueRecord,
    manner: str,
    rules: Protocol,
    audio: ReferencedAudio,
) -> None:
    """Read every turn that spoke in a neutral manner, all at once, and note the result."""
    spoke = [turn for turn in record.turns if turn.assistant_clip is not None]
    references: list[NeutralReference] = await collect(
        *(
            neutral_reference(
                model,
                turn.transcript or "",
                manner,
                audio,
                embedded_recognizer(),
                _seed(state, turn.turn, "reference"),
                rules.reference_wer_limit,
            )
            for turn in spoke
        )
    )
    for turn, reference in zip(spoke, references, strict=True):
        turn.reference_clip, turn.reference_text = reference.clip, reference.heard
        turn.reference_wer, turn.reference_failure = reference.wer, reference.failure
    record.turns = list(record.turns)


def _seed(state: TaskState, turn: int, part: str) -> int:
    """A seed of this sample, epoch, turn and part: a run repeats, and no two calls share one."""
    text = f"{state.sample_id}/{state.epoch}/{turn}/{part}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "little") >> 1


def _inline(state: TaskState, audio: ReferencedAudio) -> None:
    """Put mp3 audio beside every reference, which Inspect's viewer can play."""
    for message in state.messages:
        if isinstance(message.content, list):
            message.content.extend(
                ContentAudio(audio=data_uri(audio.store.get(sha256), "mp3"), format="mp3")
                for part in list(message.content)
                if (sha256 := referenced(part)) is not None
            )
