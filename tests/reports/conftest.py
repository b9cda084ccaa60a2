"""Real logs of both benchmarks, each made once, and runs derived from them."""

from dataclasses import replace

import pytest

from speechbench.records import DialogueOutcome
from speechbench.reports.logs import read_run


@pytest.fixture(scope="session")
def style_log(run_inspect, style_info, style_outcomes):
    return run_inspect(
        "steady",
        style_info(),
        style_outcomes("slow", ["1111", "1110", "1s--", "11r1"])
        | style_outcomes("sad", ["1100", "1000", "1100", "0000"]),
    )


@pytest.fixture(scope="session")
def constraint_log(run_inspect, constraint_info, constraint_outcomes):
    return run_inspect(
        "slm", constraint_info(), constraint_outcomes({"CC": "110f", "KW": "10", "CoT": "1?"})
    )


@pytest.fixture
def style_run(style_log, style_outcomes, style_info):
    """A style run with the given dialogues, in the frame of a real log."""
    frame = read_run(style_log)

    def make(styles, **info):
        dialogues = tuple(
            DialogueOutcome(opener=outcome.opener, styles=[outcome])
            for style, codes in styles.items()
            for outcome in style_outcomes(style, codes).values()
        )
        return replace(
            frame, header=replace(frame.header, info=style_info(**info)), dialogues=dialogues
        )

    return make


@pytest.fixture
def constraint_run(constraint_log, constraint_outcomes, constraint_info):
    """A constraint run with the given responses, in the frame of a real log."""
    frame = read_run(constraint_log)

    def make(groups, **info):
        return replace(
            frame,
            header=replace(frame.header, info=constraint_info(**info)),
            items=constraint_outcomes(groups),
        )

    return make
