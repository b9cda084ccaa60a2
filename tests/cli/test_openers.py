"""`speechbench openers build`: from dialogues to openers that a run can take."""

import csv
import json

import pytest
from click.testing import CliRunner

from speechbench.cli.openers import openers
from speechbench.data.openers import opener_source
from speechbench.errors import SpeechbenchError

pytest.importorskip("datasets")

EVENTS = {
    "cake": "My cake fell apart again. What did I do wrong?",
    "bicycle": "The chain of my bicycle keeps slipping. How do I repair it?",
    "sleep": "I have not slept well for 3 weeks. What helps?",
    "quarrel": "no",
}


@pytest.fixture
def soda(tmp_path):
    """Four dialogues in SODA's schema."""
    folder = tmp_path / "soda"
    folder.mkdir()
    rows = [
        {
            "head": f"PersonX and the {event}",
            "relation": "xWant",
            "tail": "to know more",
            "narrative": f"It is about the {event}.",
            "dialogue": ["What now?", "What do you mean?"],
            "speakers": ["Ada", "Ben"],
        }
        for event in EVENTS
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "train.jsonl").write_text(lines, encoding="utf-8")
    return folder


@pytest.fixture
def writer(scripted):
    """A model that has an opener ready for each event."""

    def reply(messages):
        return next(opener for event, opener in EVENTS.items() if event in messages[-1].text)

    scripted("opener-writer", reply)
    return "scripted/opener-writer"


def build(*arguments):
    result = CliRunner().invoke(openers, ["build", *map(str, arguments)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def decide(path, decisions):
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["keep"] = next(keep for word, keep in decisions.items() if word in row["opener"])
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)
    return rows


def test_from_dialogues_over_a_person_to_a_run(soda, writer, tmp_path):
    out = tmp_path / "mine"
    said = build("--source", soda, "--model", writer, "--out", out)
    assert said.output.startswith(
        "4 situations: 3 openers, 1 of them flagged; 1 situations refused by the model."
    )
    how = json.loads((out / "build.json").read_text())
    assert (how["model"], how["source"], how["refused"]) == (writer, str(soda), 1)
    assert len(how["prompt_sha256"]) == 64

    review = out / "candidates.csv"
    with pytest.raises(SpeechbenchError, match="still open for 3 rows"):
        build("--review", review, "--out", out)
    rows = decide(review, {"cake": "no", "chain": "yes", "slept": "yes"})
    assert {row["opener"]: row["problems"] for row in rows}[EVENTS["sleep"]] == "digits"
    said = build("--review", review, "--out", out)
    assert "kept all the same: digits" in said.stderr
    assert said.stdout.startswith("2 openers in ")
    bank = opener_source(out)
    assert {opener.text for opener in bank.openers} == {EVENTS["bicycle"], EVENTS["sleep"]}

    assert build("--review", review, "--out", out).exit_code == 0
    decide(review, {"cake": "yes", "chain": "yes", "slept": "no"})
    with pytest.raises(SpeechbenchError, match="is there already with other openers"):
        build("--review", review, "--out", out)
    assert opener_source(out) == bank


def test_decisions_are_not_written_over(soda, writer, tmp_path):
    (tmp_path / "candidates.csv").write_text("keep,opener\nyes,Why?\n")
    with pytest.raises(SpeechbenchError, match=r"candidates\.csv is there already"):
        build("--source", soda, "--model", writer, "--out", tmp_path)
    assert (tmp_path / "candidates.csv").read_text() == "keep,opener\nyes,Why?\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "expected --source and --model, or --review"),
        (["--source", "x"], "expected --source and --model, or --review"),
        (["--review", "x", "--model", "y"], "expected either --review or --source and --model"),
        (["--source", "SODA", "--model", "nobody/nothing"], "model 'nobody/nothing': "),
        (["--source", "SODA", "--model", "nothing"], "model 'nothing': "),
    ],
)
def test_what_is_missing_is_said(soda, tmp_path, arguments, sentence):
    arguments = [str(soda) if argument == "SODA" else argument for argument in arguments]
    with pytest.raises(SpeechbenchError, match=sentence):
        build(*arguments, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()
