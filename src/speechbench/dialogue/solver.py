"""The dialogue as an Inspect solver: K turns of speech, each answer kept with its reference."""

from inspect_ai.model import ContentAudio, Model, get_model, model_roles
from inspect_ai.solver import Generate, Solver, TaskState, solver

from speechbench.audio import data_uri
from speechbench.dialogue.calls import Caller
from speechbench.dialogue.condition import Condition
from speechbench.dialogue.log_audio import log_audio_store
from speechbench.dialogue.prompts import Prompts
from speechbench.dialogue.recall import ask_recall
from speechbench.dialogue.record import DialogueRecord, TurnRecord
from speechbench.dialogue.reference import add_references
from speechbench.dialogue.schedule import asks
from speechbench.dialogue.simulator import UserSimulator
from speechbench.dialogue.user_side import UserSide
from speechbench.errors import SpeechbenchError
from speechbench.models import ReferencedAudio, by_reference, referenced
from speechbench.protocols import Protocol
from speechbench.speech import recognizer_named, synthesizer_named
from speechbench.styles import DIMENSIONS, asked

__all__ = ["SIMULATOR_ROLE", "check_models", "spoken_dialogue"]

SIMULATOR_ROLE = "user"
"""The Inspect model role of the LLM that plays the user."""


@solver
def spoken_dialogue(
    rules: Protocol,
    condition: Condition = Condition(),  # noqa: B008 (frozen)
    prompts: Prompts = Prompts(),  # noqa: B008 (frozen)
    inline_audio: bool = False,
) -> Solver:
    """Hold a spoken dialogue of K assistant turns (Style Amnesia §3.2).

    The sample's input is the opener's text; its metadata holds `styles`, the names of the styles
    or text constraints in the order in which they are asked for, and `opener_audio`, the path of
    the opener's recording or None. The user simulator speaks from the second turn on. A turn
    without speech is tried again with a new seed; after the last try the dialogue ends there.

    Args:
        rules: the protocol.
        condition: how the style is asked for.
        prompts: the wording.
        inline_audio: leave mp3 audio in the messages, for listening in Inspect's viewer.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        audio = ReferencedAudio(log_audio_store())
        dialogue = _Dialogue(state, audio, rules, condition, prompts)
        await dialogue.hold()
        if inline_audio:
            _inline(state, audio)
        return state

    return solve


class _Dialogue:
    """One dialogue: its two sides, what was said so far, and what is noted of it."""

    def __init__(
        self,
        state: TaskState,
        audio: ReferencedAudio,
        rules: Protocol,
        condition: Condition,
        prompts: Prompts,
    ) -> None:
        self._state = state
        self._rules = rules
        self._condition = condition
        self._prompts = prompts
        self._ear, voice = recognizer_named(rules.ear), synthesizer_named(rules.voice)
        check_models(get_model(), rules)
        self._caller = Caller(by_reference(get_model(), audio), state, audio)
        styles = [asked(name) for name in state.metadata["styles"]]
        self._manners = [DIMENSIONS[row.dimension].neutral_manner for row in styles if row.relative]
        self._simulator = UserSimulator(
            get_model(role=SIMULATOR_ROLE, default=rules.simulator or None),
            self._ear,
            voice,
            prompts.simulator,
            rules.simulator_temperature,
        )
        self._user = UserSide(
            voice,
            audio,
            prompts,
            condition,
            rules.instruction_pause_s,
            asks(condition.schedule, styles),
        )
        self._record = state.store_as(DialogueRecord)
        self._record.audio_root = str(audio.store.root)
        self._record.planned_turns, self._record.recall = rules.turns, condition.recall
        self._record.judges = dict(rules.judges)
        self._record.recall_judge = rules.recall_judge
        self._said = [state.input_text]
        self._heard: list[str] = []

    async def hold(self) -> None:
        """All turns, then the neutral references of those that spoke."""
        # A system message may stand here already (--system-message); the input text, which
        # Inspect has placed as a written user message, is replaced by speech.
        self._state.messages = [
            message for message in self._state.messages if message.role == "system"
        ]
        if (instruction := self._user.system_message()) is not None:
            self._state.messages.append(instruction)
        for turn in range(1, self._rules.turns + 1):
            kept = TurnRecord(turn=turn)
            if turn > 1 and self._condition.recall != "none":
                await self._recall(kept)
            await self._user_turn(kept)
            spoke = await self._assistant_turn(kept)
            self._record.turns = [*self._record.turns, kept]
            if not spoke:
                break
        if self._manners:
            await add_references(
                self._caller,
                self._user,
                self._ear,
                self._record,
                self._prompts.reading.format(manner=" and ".join(dict.fromkeys(self._manners))),
                self._rules.reference_wer_limit,
            )

    async def _recall(self, kept: TurnRecord) -> None:
        asked_and_answered = await ask_recall(
            self._caller,
            self._user,
            self._ear,
            self._state.messages,
            self._prompts.recall,
            kept,
            1 + self._rules.retries,
        )
        if self._condition.recall == "keep":
            self._state.messages.extend(asked_and_answered)

    async def _user_turn(self, kept: TurnRecord) -> None:
        if kept.turn == 1:
            recording = self._state.metadata["opener_audio"]
            said = await self._user.opener(self._state.input_text, recording)
        else:
            seed = self._caller.seed(kept.turn, "user")
            said = await self._simulator.reply(self._said, self._heard, seed)
            self._said.append(said.text)
        message, clip = await self._user.message(kept.turn, said)
        self._state.messages.append(message)
        kept.user_text, kept.user_clip = said.text, clip.sha256
        kept.user_slips = list(said.slips)

    async def _assistant_turn(self, kept: TurnRecord) -> bool:
        """Have the turn answered; False where no speech came."""
        answer = await self._caller.speech(
            self._state.messages, kept.turn, "assistant", 1 + self._rules.retries
        )
        self._state.output, kept.attempts = answer.output, answer.attempts
        if answer.clip is None:
            kept.failure = answer.failure
            return False
        self._state.messages.append(answer.output.message)
        kept.assistant_clip, kept.transcript = answer.clip.sha256, answer.transcript
        last = kept.turn == self._rules.turns
        if not last or not answer.transcript:
            heard = await self._simulator.hear(answer.clip)
            self._heard.append(heard)
            # some models speak without saying what
            kept.transcript = answer.transcript or heard
            kept.transcript_by_ear = not answer.transcript
        return True


def check_models(model: Model, rules: Protocol) -> None:
    """Stop where the model under test cannot speak, or nobody plays the user.

    Raises:
        SpeechbenchError: so it is.
    """
    if not getattr(model.api, "speaks", True):
        raise SpeechbenchError(
            f"expected a model that answers in speech, and {model} answers in text: it has no "
            "speaking style. Run speech_ifeval on it."
        )
    if not rules.simulator and SIMULATOR_ROLE not in model_roles():
        raise SpeechbenchError(
            f"expected an LLM that plays the user under protocol {rules.name}: name one with "
            f"`--model-role {SIMULATOR_ROLE}=PROVIDER/MODEL`."
        )


def _inline(state: TaskState, audio: ReferencedAudio) -> None:
    """Put mp3 audio beside every reference, which Inspect's viewer can play."""
    for message in state.messages:
        if isinstance(message.content, list):
            message.content.extend(
                ContentAudio(audio=data_uri(audio.store.get(sha256), "mp3"), format="mp3")
                for part in list(message.content)
                if (sha256 := referenced(part)) is not None
            )
