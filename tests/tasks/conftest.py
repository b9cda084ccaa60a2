"""Real runs that several tests look at."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, read_eval_log

from speechbench.tasks import style_amnesia

REMARKS = (
    "That is good to know. What would you do next?",
    "I had not thought of that. How long does it take?",
    "Thank you, I will try it. Is there anything else?",
)


@pytest.fixture(scope="session")
def quick_user(scripted) -> Any:
    """A user simulator with ready remarks: what it says does not touch what is measured here."""
    model, _ = scripted("user", lambda messages: REMARKS[len(messages) // 2 % len(REMARKS)])
    return model


@pytest.fixture(scope="session")
def run_styles(quick_user) -> Callable[..., EvalLog]:
    """Runs Style Amnesia with the quick user, and reads its log back."""

    def run(folder: Path, model: str, model_args: dict[str, Any], **parameters: Any) -> EvalLog:
        [log] = inspect_eval(
            style_amnesia(**parameters),
            model=model,
            model_args=model_args,
            model_roles={"simulator": quick_user},
            log_dir=str(folder),
            display="none",
        )
        assert log.status == "success", log.error
        return read_eval_log(log.location)

    return run


@pytest.fixture(scope="session")
def forgetful_run(run_styles, tmp_path_factory) -> EvalLog:
    """The six styles, two openers, default forgetting, no jitter."""
    folder = tmp_path_factory.mktemp("forgetful")
    return run_styles(folder, "synthetic/forgetful", {}, openers=2)
