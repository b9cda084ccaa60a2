"""A folder of real logs of every kind that the page must cope with."""

from datetime import UTC, datetime

import pytest

from speechbench.leaderboard.build import build_site

HOSTILE = "<script>alert(1)</script>"
BUILT = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)


@pytest.fixture(scope="session")
def log_dir(
    tmp_path_factory, run_inspect, style_info, style_outcomes, constraint_info, constraint_outcomes
):
    folder = tmp_path_factory.mktemp("all-logs")
    style = style_info(
        condition={"styles": ["slow", "loud"], "position": "user"},
        protocol_details={"turns": 4, "judges": {"speed": "speaking-rate"}, "voice": "<b>v</b>"},
    )
    run_inspect(
        "steady",
        style,
        style_outcomes("slow", ["1111"] * 9 + ["1s--"]) | style_outcomes("loud", ["1111"] * 10),
        folder=folder,
        model_args={"voice": "/home/somebody/voices/low.bin"},
        max_tokens=64,
    )
    run_inspect(
        "fading", style, style_outcomes("slow", ["1100"] * 10), folder=folder / "deeper" / "still"
    )
    run_inspect(
        HOSTILE,
        style_info(protocol="paper-1", protocol_hash="99aa", condition={"styles": ["sad"]}),
        style_outcomes("sad", ["1000", "1010"], transcript="<img src=x onerror=alert(2)>"),
        folder=folder,
    )
    every = {"CC": "1100", "JS": "11ff", "KW": "1110", "CoT": "1110"}
    run_inspect(
        "slm",
        constraint_info(condition={"input": "audio", "backbone": "prepared/llm"}),
        constraint_outcomes(every),
        folder=folder,
    )
    run_inspect(
        "llm",
        constraint_info(condition={"input": "transcript"}),
        constraint_outcomes({name: "1" * len(codes) for name, codes in every.items()}),
        folder=folder,
    )
    run_inspect(
        "ungraded",
        constraint_info(),
        constraint_outcomes({**every, "CoT": "????"}),
        folder=folder,
    )
    unfinished = {**style_outcomes("slow", ["11", "11"]), "slow/opener-002": "error"}
    run_inspect("unfinished", style_info(), unfinished, folder=folder, fail_on_error=False)
    (folder / "notes.json").write_text('{"not": "a log"}')
    (folder / "damaged.eval").write_bytes(b"PK\x03\x04 and no more")
    (folder / "readme.txt").write_text("of no interest")
    return folder


@pytest.fixture(scope="session")
def site(log_dir, tmp_path_factory):
    return build_site(
        log_dir,
        tmp_path_factory.mktemp("site"),
        BUILT,
        backbones={"prepared/ungraded": "prepared/llm"},
    )


@pytest.fixture(scope="session")
def record(site):
    """Records by model name without the provider."""
    return {record.model.removeprefix("prepared/"): record for record in site.records}
