"""`speechbench report` on Speech-IFEval logs."""

import csv
import io
import json

import pytest
from click.testing import CliRunner
from inspect_ai.log import list_eval_logs, read_eval_log, write_eval_log

from speechbench.cli.import_responses import import_group
from speechbench.cli.report import report
from speechbench.errors import SpeechbenchError

TITLE = {
    "audio_filepath": "set/a.wav",
    "instruction": "Write it down.\nWrap it in <<>>.",
    "instruction_id_list": ["detectable_format:title"],
    "kwargs": [{}],
    "metric": "wer",
    "dataset": "Automatic_speech_recognition",
    "response": "<<Tea>> it is.",
}
LOWER = {
    **TITLE,
    "instruction": "Write it down.\nLower case.",
    "instruction_id_list": ["change_case:english_lowercase"],
    "response": "Sure!\n[tea] and milk",
}
WORDS = {
    **TITLE,
    "instruction": "Say at least 3 words.",
    "instruction_id_list": ["length_constraints:number_words"],
    "kwargs": [{"num_words": 3, "relation": "at least"}],
    "metric": "open",
    "response": "One, two, three.",
}
THOUGHTS = [
    {
        "audio_filepath": f"set/{number}.wav",
        "instruction": "How many?\nThink step by step.",
        "metric": "cot",
        "dataset": "MMAU",
        "response": "First one, then two.",
        "correct": number > 0,
    }
    for number in range(4)
]


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    folder = tmp_path_factory.mktemp("constraints")
    file = folder / "answers.jsonl"
    lines = [TITLE, LOWER, WORDS, *THOUGHTS]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    CliRunner().invoke(
        import_group,
        ["speech-ifeval", str(file), "--model", "m[odel]", "--log-dir", str(folder)],
        catch_exceptions=False,
    )
    [info] = list_eval_logs(str(folder))
    _second_grader(info)
    return info.name.removeprefix("file://")


def _second_grader(info):
    """Verdicts of a second grader, who disagrees once and once has no verdict."""
    log = read_eval_log(info)
    judge = {"id": "grader/other", "version": "1", "fingerprint": "e" * 64}
    verdicts = iter([False, True, False, None])
    for sample in log.samples:
        outcome = sample.scores["constraint_following"].metadata
        if outcome["category"] == "cot":
            outcome["second"] = {"verdict": next(verdicts), "judge": judge}
    write_eval_log(log, info.name)


def run(*arguments):
    result = CliRunner().invoke(report, arguments)
    if result.exception is not None:
        raise result.exception
    return result.output


def test_every_reading_stands_beside_the_published_one(log):
    lines = run(log).splitlines()
    assert max(map(len, [line for line in lines if "/" not in line])) <= 80
    [closed] = [line for line in lines if line.startswith("closed ")]
    # strict: the title alone; loose: the lower case too; fixed: neither
    assert [part.split()[-1] for part in closed.split("[")[:3]] == ["50.0", "100.0", "0.0"]
    assert "Run       m[odel]" in lines


def test_responses_are_shown_where_readings_part(log):
    output = run(log)
    flat = " ".join(output.split())
    assert "title: only paper passes 1, only fixed 0; only loose reading passes 0 more" in flat
    assert "'<<Tea>> it is.'" in output
    assert "'Sure!\\n[tea] and milk'" in output
    assert "length_constraints" not in output


def test_how_far_graders_agree(log):
    # pairs: (no, no), (yes, yes), (yes, no); p = 2/3, e = 2/3 * 1/3 + 1/3 * 2/3 = 4/9, k = 0.4
    output = " ".join(run(log).split())
    assert "grader/other agrees with published on 66.7 % of 3 responses, κ = 0.40" in output
    assert "1 without both verdicts" in output


def test_json_and_csv_hold_all_of_it(log):
    [held] = json.loads(run(log, "--json"))["report"]["runs"]
    assert held["results"]["fixed-loose"]["rates"]["closed"]["value"] == 50
    assert [place["response"] for place in held["disagreements"]] == [
        LOWER["response"],
        TITLE["response"],
    ]
    rows = list(csv.DictReader(io.StringIO(run(log, "--csv"))))
    [loose] = [r for r in rows if (r["style"], r["quantity"]) == ("CC", "followed (paper-loose)")]
    assert (loose["value"], loose["n"]) == ("100.0", "1")


def test_what_is_of_spoken_dialogues_is_refused(log, tmp_path):
    with pytest.raises(SpeechbenchError, match="is of spoken dialogues"):
        run(log, "--view", "recall")
    with pytest.raises(SpeechbenchError, match="--html and --plots show spoken dialogues"):
        run(log, "--html", str(tmp_path / "page.html"))
