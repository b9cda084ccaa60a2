"""SODA: any local form of it, drawn with a seed, one situation an event."""

import json

import pytest

from speechbench.data.soda import Situation, read_situations
from speechbench.errors import SpeechbenchError

datasets = pytest.importorskip("datasets")

SITUATIONS = {
    Situation("Ben wants to repair his old bicycle.", "The chain keeps slipping."),
    Situation("Cleo cannot sleep since she moved.", "I was awake all night again."),
    Situation("Dan argues with Eve about their wedding.", "You never listen to me!"),
}


def test_one_situation_an_event_and_none_without_words(soda):
    found = read_situations(str(soda), 100, seed=0)
    assert len(found) == 4
    assert set(found) > SITUATIONS


def test_the_seed_draws(soda):
    drawn = {tuple(read_situations(str(soda), 2, seed=seed)) for seed in range(6)}
    assert len(drawn) > 1
    assert {len(two) for two in drawn} == {2}
    assert read_situations(str(soda), 2, seed=3) == read_situations(str(soda), 2, seed=3)


@pytest.mark.parametrize("form", ["parquet", "saved", "saved splits"])
def test_other_forms_hold_the_same(soda, tmp_path, form):
    rows = [json.loads(line) for line in (soda / "train.jsonl").read_text().splitlines()]
    made = datasets.Dataset.from_list(rows)
    folder = tmp_path / "other"
    match form:
        case "parquet":
            folder.mkdir()
            made.to_parquet(folder / "train.parquet")
        case "saved":
            made.save_to_disk(folder)
        case "saved splits":
            datasets.DatasetDict({"train": made}).save_to_disk(folder)
    assert set(read_situations(str(folder), 9, seed=0)) > SITUATIONS


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"narrative": None}, "got NoneType and list"),
        ({"dialogue": "Hello."}, "got str and str"),
        ({"head": "absent"}, "fields narrative, dialogue, head; head missing"),
    ],
)
def test_another_schema_is_named(tmp_path, changes, sentence):
    row = {"narrative": "A cake.", "dialogue": ["Why?"], "head": "one", **changes}
    row = {name: value for name, value in row.items() if value != "absent"}
    (tmp_path / "train.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(SpeechbenchError, match=sentence):
        read_situations(str(tmp_path), 1, seed=0)


def test_no_words_at_all(tmp_path):
    row = {"narrative": " ", "dialogue": ["Why?"], "head": "one"}
    (tmp_path / "train.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(SpeechbenchError, match="there is none"):
        read_situations(str(tmp_path), 1, seed=0)


def test_no_such_split_or_folder(soda, tmp_path):
    with pytest.raises(SpeechbenchError, match="with a split 'validation'"):
        read_situations(str(soda), 1, seed=0, split="validation")
    (tmp_path / "empty").mkdir()
    with pytest.raises(SpeechbenchError, match="empty to be a folder or a dataset"):
        read_situations(str(tmp_path / "empty"), 1, seed=0)
