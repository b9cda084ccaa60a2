"""Real runs that several tests look at."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, read_eval_log

from speechbench.tasks import style_amnesia


@pytest.fixture(scope="session")
def run_styles(quick_user) -> Callable[..., EvalLog]:
    """Runs Style Amnesia with the quick user, and reads its log back."""

    def run(folder: Path, model: str, model_args: dict[str, Any], **parameters: Any) -> EvalLog:
        [log] = inspect_eval(
            style_amnesia(**parameters),
            model=model,
            model_args=model_args,
            model_roles={"user": quick_user},
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
