"""Fixtures that every room's tests may use."""

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from speechbench.audio import Clip
from speechbench.records import (
    GROUPS,
    METADATA_KEY,
    ConstraintOutcome,
    DialogueOutcome,
    JudgeStamp,
    RunInfo,
    StyleOutcome,
    TurnOutcome,
)
from speechbench.speech import embedded_recognizer, embedded_synthesizer
from speechbench.speech.embedded import HibariVoice, WhisperTiny

pytest_plugins = ["tiny_models", "tiny_speech_llm"]

_REMARKS = (
    "That is good to know. What would you do next?",
    "I had not thought of that. How long does it take?",
    "Thank you, I will try it. Is there anything else?",
)
_UPSTREAM = Path(__file__).resolve().parents[2] / "shared" / "upstream"


@pytest.fixture(scope="session")
def upstream() -> Path:
    """The benchmarks' own files, which carry no licence and so are not in this repository."""
    if not _UPSTREAM.is_dir():
        pytest.skip("needs the benchmarks' own files in ../shared/upstream, which are not here")
    return _UPSTREAM


@pytest.fixture(scope="session")
def voice() -> HibariVoice:
    """The embedded voice."""
    return embedded_synthesizer()


@pytest.fixture(scope="session")
def ear() -> WhisperTiny:
    """The embedded ear."""
    return embedded_recognizer()


@pytest.fixture(scope="session")
def hear_all(ear) -> Callable[[Sequence[Clip]], list[str]]:
    """Hears several clips on two cores at once; a second on one core each."""

    def hear(clips: Sequence[Clip]) -> list[str]:
        with ThreadPoolExecutor(2) as pool:
            return [heard.text for heard in pool.map(ear.transcribe, clips)]

    return hear


@pytest.fixture(scope="session")
def run_inspect(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Runs Inspect for real on prepared outcomes, and returns where the log is.

    The model answers nothing of interest; the scorer hands out, by sample id, the outcomes that
    the real scorers would have found.
    """
    from inspect_ai import Task
    from inspect_ai import eval as inspect_eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import GenerateConfig, ModelAPI, ModelOutput, modelapi
    from inspect_ai.scorer import Score, scorer
    from inspect_ai.solver import generate

    class Prepared(ModelAPI):
        def __init__(self, model_name, base_url=None, api_key=None, config=None, voice=None):
            super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())

        async def generate(self, input, tools, tool_choice, config):
            return ModelOutput.from_content(self.model_name, "A prepared answer.")

    @modelapi(name="prepared")
    def prepared():
        return Prepared

    def scores(name: str, outcomes: Mapping[str, Any], value: Callable[[Any], dict[str, float]]):
        @scorer(name=name, metrics={})
        def hand_out():
            async def score(state, target):
                outcome = outcomes[str(state.sample_id)]
                if outcome == "error":
                    raise RuntimeError("a prepared failure")
                whole = (
                    DialogueOutcome(opener=outcome.opener, styles=[outcome])
                    if isinstance(outcome, StyleOutcome)
                    else outcome
                )
                return Score(value=value(outcome), metadata=whole.model_dump())

            return score

        return hand_out()

    def run(
        model: str,
        info: RunInfo | None,
        outcomes: Mapping[str, Any],
        *,
        folder: Path | None = None,
        score_name: str | None = None,
        **options: Any,
    ) -> Path:
        style = any(isinstance(outcome, StyleOutcome) for outcome in outcomes.values())
        name = score_name or ("style_following" if style else "constraint_following")
        task = Task(
            dataset=MemoryDataset([Sample(id=key, input="Say something.") for key in outcomes]),
            solver=generate(),
            scorer=scores(name, outcomes, _style_value if style else _constraint_value),
            name="style_amnesia" if style else "speech_ifeval",
            version="1",
            metadata={METADATA_KEY: info.model_dump()} if info else None,
        )
        log_dir = folder or tmp_path_factory.mktemp("logs")
        [log] = inspect_eval(
            task, model=f"prepared/{model}", log_dir=str(log_dir), display="none", **options
        )
        return Path(str(log.location).removeprefix("file://"))

    return run


def _style_value(outcome: StyleOutcome) -> dict[str, float]:
    return {
        f"if_{turn.turn}": math.nan if turn.followed is None else float(turn.followed)
        for turn in outcome.turns
    }


def _constraint_value(outcome: ConstraintOutcome) -> dict[str, float]:
    return {
        "followed": math.nan if outcome.followed is None else float(outcome.followed),
        "followed_fixed": (
            math.nan if outcome.followed_fixed is None else float(outcome.followed_fixed)
        ),
    }


_TURN_CODES = {
    "1": ("judged", True),
    "0": ("judged", False),
    "s": ("no_speech", None),
    "r": ("reference_failed", None),
    "j": ("judge_failed", None),
    "-": ("not_reached", None),
}


@pytest.fixture(scope="session")
def style_outcomes() -> Callable[..., dict[str, StyleOutcome]]:
    """Outcomes of one style from a string a dialogue: `1` followed, `0` not, `s` silent, …."""

    def make(
        style: str, dialogues: Sequence[str], *, transcript: str = "Well, I would sleep more."
    ) -> dict[str, StyleOutcome]:
        dimension, unit = {
            "loud": ("volume", "LUFS"),
            "slow": ("speed", "wpm"),
            "sad": ("emotion", ""),
        }[style]
        outcomes = {}
        for number, codes in enumerate(dialogues, 1):
            opener = f"opener-{number:03}"
            turns = []
            for turn, code in enumerate(codes, 1):
                status, followed = _TURN_CODES[code]
                turns.append(
                    TurnOutcome(turn=turn, status=status, followed=followed, transcript=transcript)
                )
            outcomes[f"{style}/{opener}"] = StyleOutcome(
                style=style,
                dimension=dimension,
                relative=dimension != "emotion",
                unit=unit,
                opener=opener,
                turns=turns,
                judge=JudgeStamp(id=f"{dimension}-judge", version="1", fingerprint="ab" * 32),
            )
        return outcomes

    return make


@pytest.fixture(scope="session")
def style_info() -> Callable[..., RunInfo]:
    """What stands in the header of a style log."""

    def make(**changes: Any) -> RunInfo:
        info = RunInfo(
            benchmark="style_amnesia",
            protocol="embedded-1",
            protocol_hash="0123456789abcdef",
            condition={"styles": ["slow"], "position": "user", "phrasing": 0},
            versions={"speechbench": "0.1.0", "inspect-ai": "0.3.285"},
        )
        return info.model_copy(update=changes)

    return make


@pytest.fixture(scope="session")
def constraint_outcomes() -> Callable[..., dict[str, ConstraintOutcome]]:
    """Outcomes from a string a group: `1` followed, `0` not, `f` only under `paper`, `?` none."""

    def make(groups: Mapping[str, str]) -> dict[str, ConstraintOutcome]:
        outcomes = {}
        for group, codes in groups.items():
            for number, code in enumerate(codes, 1):
                grader = JudgeStamp(id="grader", version="1", fingerprint="cd" * 32)
                outcomes[f"{group}-{number:04}"] = ConstraintOutcome(
                    category=GROUPS[group],
                    group=group,
                    task="asr",
                    followed={"1": True, "f": True, "0": False, "?": None}[code],
                    followed_fixed={"1": True, "f": False, "0": False, "?": None}[code],
                    reason="no grader" if code == "?" else None,
                    grader=grader if group == "CoT" and code != "?" else None,
                )
        return outcomes

    return make


@pytest.fixture(scope="session")
def constraint_info() -> Callable[..., RunInfo]:
    """What stands in the header of a constraint log."""

    def make(**changes: Any) -> RunInfo:
        info = RunInfo(
            benchmark="speech_ifeval",
            protocol="embedded-1",
            protocol_hash="fedcba9876543210",
            condition={"input": "audio"},
            versions={"speechbench": "0.1.0", "inspect-ai": "0.3.285"},
        )
        return info.model_copy(update=changes)

    return make


@pytest.fixture(scope="session")
def scripted() -> Callable[..., tuple[Any, list[Any]]]:
    """Makes a model that answers by a function of its messages, and notes what it was asked."""
    from inspect_ai.model import ModelAPI, ModelOutput, ModelUsage, get_model, modelapi

    scripts: dict[str, tuple[Callable[[list[Any]], str], list[Any]]] = {}

    class Scripted(ModelAPI):
        async def generate(self, input, tools, tool_choice, config):
            reply, asked = scripts[self.model_name]
            asked.append(input)
            output = ModelOutput.from_content(self.model_name, reply(input))
            output.usage = ModelUsage()
            return output

    @modelapi(name="scripted")
    def provider():
        return Scripted

    def make(name: str, reply: Callable[[list[Any]], str]) -> tuple[Any, list[Any]]:
        asked: list[Any] = []
        scripts[name] = (reply, asked)
        return get_model(f"scripted/{name}", memoize=False), asked

    return make


@pytest.fixture(scope="session")
def quick_user(scripted) -> Any:
    """A user simulator with ready remarks: what it says does not touch what is measured here."""
    model, _ = scripted("user", lambda messages: _REMARKS[len(messages) // 2 % len(_REMARKS)])
    return model
