"""Models that speak by a function, and one dialogue with them."""

from collections.abc import Callable
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import (
    ChatMessageAssistant,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    get_model,
    modelapi,
)

from speechbench.dialogue import DialogueRecord
from speechbench.models import assistant_message
from speechbench.records import DialogueOutcome
from speechbench.tasks import style_amnesia


@pytest.fixture(scope="session")
def speaker() -> Callable[..., Any]:
    """Makes a model that speaks by a function of its messages and config."""
    behaviours: dict[str, Callable[..., Any]] = {}

    class Speaker(ModelAPI):
        async def generate(self, input, tools, tool_choice, config):
            answer = behaviours[self.model_name](input, config)
            if isinstance(answer, ChatMessageAssistant):
                output = ModelOutput.from_message(answer)
            elif isinstance(answer, str):
                output = ModelOutput.from_content(self.model_name, answer)
            else:
                text, clip = answer
                message = assistant_message(text, clip, self.model_name)
                output = ModelOutput.from_message(message)
            output.usage = ModelUsage()
            return output

    @modelapi(name="speaker")
    def provider():
        return Speaker

    def make(name: str, behaviour: Callable[..., Any]) -> Any:
        behaviours[name] = behaviour
        return get_model(f"speaker/{name}", memoize=False)

    return make


@pytest.fixture
def hold_dialogue(tmp_path, quick_user):
    """Holds one dialogue, `quiet` unless told otherwise, and returns its sample and outcome."""

    def run(model, turns=2, styles="quiet", instruction_as="text", roles=(), **more):
        [log] = inspect_eval(
            style_amnesia(
                styles=styles, openers=1, turns=turns, instruction_as=instruction_as, **more
            ),
            model=model,
            model_roles={"user": quick_user, **dict(roles)},
            log_dir=str(tmp_path),
            display="none",
        )
        assert log.status == "success", log.error
        [sample] = log.samples
        outcome = DialogueOutcome.model_validate(sample.scores["style_following"].metadata)
        return sample, outcome

    return run


@pytest.fixture
def one_dialogue(hold_dialogue):
    """The same under one style: its record, and the outcome of the style."""

    def run(model, **more):
        sample, outcome = hold_dialogue(model, **more)
        [style] = outcome.styles
        return sample.store_as(DialogueRecord), style

    return run
