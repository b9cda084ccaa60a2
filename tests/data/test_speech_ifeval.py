"""Items: stable ids, and lines that are refused."""

import json

import pytest

from speechbench.data.item_ids import item_id
from speechbench.data.speech_ifeval import (
    Row,
    item_from_row,
    read_items,
    read_rows,
)
from speechbench.errors import SpeechbenchError

LINE = {
    "audio_filepath": "folder/clip.wav",
    "textual_audio": "[00:00:00 - 00:00:02] Hello there.(Gender: Female, Emotion: neutral)",
    "instruction": "Write it down.\nUse capitals.",
    "instruction_id_list": ["change_case:english_capital"],
    "kwargs": [{}],
    "label": "HELLO THERE",
    "metric": "wer",
    "dataset": "Automatic_speech_recognition",
}


def item(**changes):
    fields = {k: v for k, v in {**LINE, **changes}.items() if v != "absent"}
    return item_from_row(Row("items.jsonl:1", fields))


class TestIds:
    def test_numbers_and_folders_take_no_part(self):
        assert item(id=0).id == item(id=7, audio_filepath="elsewhere/deep/clip.wav").id

    def test_data_and_response_files_agree(self):
        assert item().id == item(textual_audio="absent", seed_transcript="said").id

    def test_arguments_that_are_null_take_no_part(self):
        assert item().id == item(kwargs=[{"num_bullets": None}]).id

    def test_whatever_is_asked_takes_part(self):
        ids = {
            item().id,
            item(audio_filepath="folder/other.wav").id,
            item(instruction="Write it down.\nUse small letters.").id,
            item(instruction_id_list=["startend:quotation"]).id,
        }
        assert len(ids) == 4

    def test_the_id_names_group_and_constraint(self):
        assert item().id.startswith("CC/english_capital-")
        assert item_id("a.wav", "Think.").startswith("CoT/")

    def test_upstream_ids_are_distinct_and_equal_in_data_and_outputs(self, upstream):
        root = upstream / "speech-ifeval"
        items = read_items(root)
        assert len(items) == 1533
        assert len({one.id for one in items}) == 1533
        outputs = root / "outputs" / "llama3-8b-instruct"
        answered = {
            item_from_row(row).id
            for name in ("rule_eval_closed_ended_questions", "rule_eval_creative_writing")
            for row in read_rows(outputs / f"{name}.jsonl")
        } | {
            item_from_row(row).id for row in read_rows(outputs / "llm_eval_chain-of-thought.jsonl")
        }
        assert answered == {one.id for one in items}


class TestLines:
    def test_instruction_and_constraint_come_apart_and_together(self):
        one = item(instruction="First.\nSecond.\nUse capitals.")
        assert one.instruction == "First."
        assert one.constraint == "Second.\nUse capitals."
        assert one.prompt == "First.\nSecond.\nUse capitals."

    def test_creative_instructions_stay_whole(self):
        one = item(
            instruction="Write\n2 paragraphs.",
            instruction_id_list=["length_constraints:number_paragraphs"],
            kwargs=[{"num_paragraphs": 2}],
            metric="open",
        )
        assert one.instruction == "Write\n2 paragraphs."
        assert (one.constraint, one.category, one.group, one.task) == (
            "",
            "creative",
            "LN",
            "writing",
        )

    def test_chain_of_thought_has_no_constraint_ids(self):
        one = item(metric="cot", instruction_id_list="absent", kwargs="absent", dataset="MMAU")
        assert (one.category, one.group, one.task) == ("cot", "CoT", "understanding")

    @pytest.mark.parametrize(
        ("changes", "sentence"),
        [
            ({"instruction": "absent"}, "field 'instruction': Field required"),
            ({"instruction": ""}, "field 'instruction'"),
            ({"instruction_id_list": "x"}, "field 'instruction_id_list'"),
            ({"metric": "open", "instruction_id_list": [], "kwargs": []}, "constraint ids in"),
            ({"metric": "open", "instruction_id_list": "absent"}, "constraint ids in"),
            ({"label": "absent", "instruction_id_list": []}, "the right answer in `label`"),
            ({"metric": "cot"}, "or none and the metric `cot`"),
            ({"kwargs": []}, "one entry in `kwargs` for each of 1 constraints, got 0"),
            ({"kwargs": [{"num": 3}]}, "takes no arguments, but num came"),
            ({"instruction_id_list": ["a:b"]}, "'a:b' is unknown"),
            ({"audio_filepath": "absent"}, "expected `audio_filepath` or `spoken_text`"),
            (
                {
                    "instruction_id_list": ["change_case:english_capital", "startend:quotation"],
                    "kwargs": [{}, {}],
                },
                "one group",
            ),
        ],
    )
    def test_what_is_wrong_is_said_with_its_place(self, changes, sentence):
        with pytest.raises(SpeechbenchError, match=r"items.jsonl:1: ") as caught:
            item(**changes)
        assert sentence in str(caught.value)

    def test_a_question_without_constraint_has_one_id_with_and_without(self):
        plain = item(instruction="Write it down.", instruction_id_list=[], kwargs=[])
        assert plain.id == plain.question == item().question
        assert (plain.group, plain.constraint_ids, plain.prompt) == ("", (), "Write it down.")
        assert item(audio_filepath="other/place/b.wav").question != plain.id


class TestFiles:
    def write(self, path, *lines):
        path.write_text("\n".join(json.dumps(line) for line in lines) + "\n\n", encoding="utf-8")
        return path

    def test_a_file_or_a_checkout(self, tmp_path):
        folder = tmp_path / "data" / "eval_data"
        folder.mkdir(parents=True)
        path = self.write(folder / "closed_ended_questions.jsonl", LINE)
        assert read_items(path) == read_items(folder) == read_items(tmp_path) == (item(),)

    def test_a_byte_order_mark_is_no_content(self, tmp_path):
        path = tmp_path / "items.jsonl"
        path.write_bytes(b"\xef\xbb\xbf" + json.dumps(LINE).encode())
        assert read_items(path) == (item(),)

    def test_the_same_item_twice_names_both_lines(self, tmp_path):
        path = self.write(tmp_path / "items.jsonl", LINE, {**LINE, "id": 5})
        with pytest.raises(SpeechbenchError, match=r"items.jsonl:2: .*items.jsonl:1 already"):
            read_items(path)

    @pytest.mark.parametrize("content", [b"{", b"[]", b"\xff\xfe"])
    def test_what_is_no_jsonl_is_refused(self, tmp_path, content):
        path = tmp_path / "items.jsonl"
        path.write_bytes(content)
        with pytest.raises(SpeechbenchError, match=r"items\.jsonl"):
            read_items(path)

    def test_questions_without_constraints_are_no_items_to_run(self, tmp_path):
        path = self.write(tmp_path / "items.jsonl", {**LINE, "instruction_id_list": []})
        with pytest.raises(SpeechbenchError, match="measure task accuracy"):
            read_items(path)

    def test_no_such_place(self, tmp_path):
        with pytest.raises(SpeechbenchError, match="expected a JSONL file or a folder"):
            read_items(tmp_path)
        with pytest.raises(SpeechbenchError, match="No such file"):
            list(read_rows(tmp_path / "none.jsonl"))
