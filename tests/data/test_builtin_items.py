"""The built-in items: the set's promises, and that each can be obeyed."""

import hashlib
import json
from collections import Counter

import pytest

from speechbench.audio import median_f0_hz, read_clip
from speechbench.constraints import CONSTRAINTS, PROFILES, check, constraint
from speechbench.data.speech_ifeval import (
    BUILTIN_ITEMS,
    builtin_items,
    builtin_recordings,
    items_hash,
)
from speechbench.records import CATEGORIES, GROUPS


def of(category):
    return [one for one in builtin_items() if one.category == category]


def obedient(name, arguments, answer):
    """A response that says `answer` and keeps the constraint, as a person would write it."""
    match name:
        case "change_case:english_capital":
            return answer.upper()
        case "change_case:english_lowercase":
            return answer.lower()
        case "combination:repeat_prompt":
            return f"{arguments['prompt_to_repeat']} {answer}"
        case "startend:end_checker":
            return f"{answer} {arguments['end_phrase']}"
        case "startend:quotation":
            return f'"{answer}"'
        case "detectable_format:title":
            return f"<<{answer}>>"
        case "detectable_format:json_format":
            return json.dumps({"answer": answer}, indent=1)
        case "detectable_format:number_bullet_lists":
            return "\n".join(["- A thing to do."] * arguments["num_bullets"])
        case "keywords:existence":
            return f"I wrote about {' and '.join(arguments['keywords'])}."
        case "keywords:forbidden_words":
            return "Nothing of the kind is said."
        case "length_constraints:number_words":
            few = arguments["relation"] == "less than"
            return " ".join(["word"] * (arguments["num_words"] - few))
        case "length_constraints:number_sentences":
            few = arguments["relation"] == "less than"
            return " ".join(["He went home early."] * (arguments["num_sentences"] - few))
        case "length_constraints:number_paragraphs":
            return "\n\n".join(["They all went home."] * arguments["num_paragraphs"])
    raise AssertionError(f"no response for {name}")


class TestSize:
    def test_every_category_has_enough_items(self):
        assert Counter(one.category for one in builtin_items()) == {
            "closed": 200,
            "creative": 100,
            "cot": 50,
        }

    def test_types_have_the_benchmarks_proportions(self):
        # Table 2: CC 250, SE 200, WR 233, JS 250; BP 100, KW 100, LN 200; CoT 200.
        assert Counter(one.group for one in builtin_items()) == {
            "CC": 54,
            "SE": 43,
            "WR": 50,
            "JS": 53,
            "BP": 25,
            "KW": 25,
            "LN": 50,
            "CoT": 50,
        }

    def test_every_task_meets_every_closed_constraint(self):
        met = {(one.task, one.constraint_ids) for one in of("closed")}
        names = {one.constraint_ids for one in of("closed")}
        assert met == {
            (task, name) for task in ("asr", "understanding", "gender") for name in names
        }
        assert len(names) == 7

    def test_every_constraint_and_relation_is_used(self):
        used = {name for one in builtin_items() for name in one.constraint_ids}
        assert used == {name for name, row in CONSTRAINTS.items() if row.group in GROUPS}
        relations = {
            (name, arguments["relation"])
            for one in builtin_items()
            for name, arguments in zip(one.constraint_ids, one.kwargs, strict=True)
            if "relation" in arguments
        }
        assert len(relations) == 4

    def test_the_first_24_cover_every_group_category_and_constraint(self):
        first = builtin_items()[:24]
        assert {one.group for one in first} == set(GROUPS)
        assert {one.category for one in first} == set(CATEGORIES)
        assert {name for one in first for name in one.constraint_ids} == {
            name for one in builtin_items() for name in one.constraint_ids
        }

    def test_ids_do_not_change(self):
        # another digest means other items: then raise BUILTIN_ITEMS, and only then this value
        assert items_hash(builtin_items()) == "cc974a6867307fc8"
        assert BUILTIN_ITEMS == "builtin-2"

    def test_the_items_of_builtin_1_still_come_first(self):
        first = builtin_items()[:84]
        assert items_hash(first) == "af484b890daa3d57"
        assert all(one.spoken for one in first)


class TestWording:
    def test_every_recording_is_one_to_three_plain_sentences_said_once(self):
        spoken = [one.spoken for one in builtin_items() if one.spoken]
        assert len(set(spoken)) == len(spoken) == 318
        for text in spoken:
            assert text[0].isupper()
            assert text[-1] in ".?!"
            assert 5 <= len(text.split()) <= 25
            assert not any(character.isdigit() for character in text)

    def test_instructions_are_worded_in_many_ways(self):
        asked = Counter(one.prompt for one in builtin_items())
        assert max(asked.values()) <= 2
        sentences = {one.constraint for one in of("closed")}
        assert len(sentences) > 100

    def test_every_item_can_be_read_instead_of_heard(self):
        for one in builtin_items():
            assert (one.spoken is None) != (one.audio is None)
            assert one.spoken is None or one.spoken in one.textual
            assert one.textual.startswith("[00:00:00 - 00:00:0")
            assert one.textual.endswith("Emotion: Neutral)")

    def test_labels_are_what_was_said_or_follows_from_it(self):
        for one in of("closed"):
            assert one.label
            if one.task == "asr":
                assert one.label == one.spoken
        assert all(one.label for one in of("cot"))
        assert not any(one.label for one in of("creative"))

    def test_phrases_stand_in_the_instruction_as_they_are_checked(self):
        for one in builtin_items():
            for arguments in one.kwargs:
                for name in ("prompt_to_repeat", "end_phrase"):
                    assert arguments.get(name, "") in one.prompt
                for name in ("keywords", "forbidden_words"):
                    assert all(f"'{word}'" in one.prompt for word in arguments.get(name, []))
                for name, value in arguments.items():
                    if name.startswith("num_") and name != "num_paragraphs":
                        assert str(value) in one.prompt
                    if name == "relation":
                        few = value == "less than"
                        at_least = ("at least", "no fewer than")
                        assert few != any(words in one.prompt for words in at_least)

    def test_what_is_asked_for_was_not_said_already(self):
        # A keyword that the recording holds would be there in an answer that only repeats it.
        for one in of("creative"):
            for arguments in one.kwargs:
                for word in arguments.get("keywords", []):
                    assert word not in (one.spoken or "").lower()


class TestSolvable:
    @pytest.mark.parametrize("profile", PROFILES[:2])
    def test_a_right_answer_can_keep_the_constraint(self, profile):
        for one in builtin_items():
            for name, arguments in zip(one.constraint_ids, one.kwargs, strict=True):
                assert constraint(name).checked(arguments) == arguments
                response = obedient(name, arguments, one.label or "A story.")
                assert check(name, response, profile, **arguments), (one.id, response)

    @pytest.mark.parametrize("profile", PROFILES[:2])
    def test_no_constraint_is_kept_by_a_plain_right_answer(self, profile):
        # Else the item would measure nothing. A plain story may well be short, or free of a word.
        for one in of("closed"):
            [name], [arguments] = one.constraint_ids, one.kwargs
            plain = f"I think it is this: {one.label or ''}"
            assert not check(name, plain, profile, **arguments), one.id


class TestRecordings:
    """Gender items are heard in two voices, of which one is not embedded: the files are shipped."""

    def test_every_file_is_asked_about_once(self):
        asked = [one.audio for one in builtin_items() if one.audio]
        there = sorted(path.name for path in builtin_recordings().iterdir())
        assert sorted(asked) == there
        assert len(there) == 32

    def test_the_voice_has_the_gender_of_the_label(self):
        # Median F0 of adult speakers: 85 to 155 Hz for men, 165 to 255 Hz for women.
        # A quarter of the files is heard: they are pinned below.
        asked = [one for one in builtin_items() if one.task == "gender"]
        assert Counter(one.label for one in asked) == {"Male": 16, "Female": 16}
        assert all(f"Gender: {one.label}," in one.textual for one in asked)
        for one in asked[::4]:
            f0_hz = median_f0_hz(read_clip(builtin_recordings() / one.audio))
            low, high = {"Male": (85, 155), "Female": (165, 255)}[one.label]
            assert low < f0_hz < high, one.audio

    def test_the_files_do_not_change(self):
        # An item's id holds the file's name and not its sound.
        digest = hashlib.sha256()
        for path in sorted(builtin_recordings().iterdir()):
            digest.update(path.read_bytes())
        assert digest.hexdigest()[:16] == "caa2658d94c29b20"
