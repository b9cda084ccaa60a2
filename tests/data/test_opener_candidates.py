"""Candidates: what the model is asked, what its answers become, and what a person decides."""

import asyncio
import csv
import io

import pytest

from speechbench.data.opener_candidates import (
    OPENER_PROMPT_SHA256,
    Candidate,
    propose,
    read_review,
    review_csv,
)
from speechbench.data.opener_rules import alike, opener_problems
from speechbench.data.openers import builtin_openers
from speechbench.data.soda import Situation
from speechbench.errors import SpeechbenchError

CAKE = Situation("Ada baked a cake and it fell apart.", "Why does it always crumble?")
BIKE = Situation("Ben wants to repair his old bicycle.", "The chain keeps slipping.")


def proposals(*answers):
    asked = []

    async def ask(prompt):
        asked.append(prompt)
        return answers[len(asked) - 1]

    situations = [CAKE, BIKE, CAKE, BIKE][: len(answers)]
    return asyncio.run(propose(situations, ask)), asked


class TestRules:
    def test_the_built_in_openers_keep_every_rule(self):
        texts = [opener.text for opener in builtin_openers()]
        for number, text in enumerate(texts):
            assert opener_problems(text) == []
            assert alike(text, texts[:number]) is None

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("Why not?", "2 words, fewer than 4"),
            ("Why " + "so very " * 15 + "long?", "32 words, more than 30"),
            ("My cake fell apart.", "no question at the end"),
            ("How do I bake 2 cakes at once?", "digits"),
            ("How do I bake a *good* cake?", "symbols"),
            ("What would Dr. Oetker do with it?", "an abbreviation"),
            ("Why is my PC so loud?", "an abbreviation"),
            ("I like cake. What is your favourite?", "asks about taste or experience"),
            ("I baked a cake. Have you ever baked one?", "asks about taste or experience"),
        ],
    )
    def test_what_speaks_against_an_opener_is_said(self, text, problem):
        assert opener_problems(text) == [problem]

    @pytest.mark.parametrize("text", ["Why doesn’t my cake rise — ever?", "Wie lange bäckt er?"])
    def test_curly_apostrophes_and_other_letters_can_be_said(self, text):
        assert opener_problems(text) == []

    def test_alike_is_about_the_subject_and_not_the_frame(self):
        before = ["How do I repair my bicycle chain?", "How do I bake bread?"]
        assert alike("My bicycle chain broke. Can I repair it?", before) == 0
        assert alike("How do I paint a fence?", before) is None
        assert alike("What should I do?", []) is None


class TestPropose:
    def test_the_model_reads_narrative_and_first_words(self):
        _, asked = proposals("no", "no")
        for prompt, situation in zip(asked, (CAKE, BIKE), strict=True):
            assert situation.narrative in prompt
            assert situation.first_words in prompt
            assert "{" not in prompt

    def test_the_prompt_does_not_change_unseen(self):
        # build.json holds this hash: another prompt makes other openers
        assert OPENER_PROMPT_SHA256[:16] == "47f489d4dcb8e646"

    @pytest.mark.parametrize("answer", ["no", "No.", ' "NO" ', "", "\n"])
    def test_no_is_a_refusal(self, answer):
        found, _ = proposals(answer)
        assert (found.candidates, found.refused) == ((), 1)

    def test_an_answer_on_several_lines_in_quotes_is_one_line(self):
        found, _ = proposals(' "My cake fell apart.\nWhat went wrong?"\n')
        assert found.candidates == (Candidate("My cake fell apart. What went wrong?", (), CAKE),)

    def test_a_word_that_begins_with_no_is_no_refusal(self):
        found, _ = proposals("Nobody likes my cake. What can I do better?")
        assert found.refused == 0

    def test_problems_and_twins_are_flagged(self):
        found, _ = proposals(
            "My cake fell. Why?", "no", "Why is it that my cake fell?", "Fell, cake!"
        )
        assert [one.problems for one in found.candidates] == [
            (),
            ("much like number 1",),
            ("2 words, fewer than 4", "no question at the end", "much like number 1"),
        ]
        assert found.refused == 1


class TestReview:
    def write(self, path, *decisions, delimiter=",", encoding="utf-8-sig"):
        found, _ = proposals("Why is it so, “really”?", "Where, when and how do I begin?")
        rows = list(csv.DictReader(io.StringIO(review_csv(found.candidates).lstrip("\ufeff"))))
        for row, decision in zip(rows, decisions, strict=True):
            row["keep"] = decision
        text = io.StringIO()
        writer = csv.DictWriter(text, rows[0], delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
        path.write_text(text.getvalue(), encoding=encoding)
        return path

    def test_what_a_person_sees(self):
        found, _ = proposals('Why does "cake", of all things, crumble?')
        text = review_csv(found.candidates)
        assert text.startswith("\ufeffnumber,keep,opener,problems,narrative,first_words\r\n")
        [row] = csv.DictReader(io.StringIO(text.lstrip("\ufeff")))
        assert row == {
            "number": "1",
            "keep": "",
            "opener": 'Why does "cake", of all things, crumble?',
            "problems": "symbols",
            "narrative": CAKE.narrative,
            "first_words": CAKE.first_words,
        }

    @pytest.mark.parametrize("delimiter", [",", ";", "\t"])
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
    def test_what_was_kept_comes_back_however_it_was_saved(self, tmp_path, delimiter, encoding):
        path = self.write(tmp_path / "r.csv", " Yes ", "n", delimiter=delimiter, encoding=encoding)
        assert read_review(path) == ["Why is it so, “really”?"]

    def test_a_reworded_opener_counts_as_it_stands(self, tmp_path):
        path = self.write(tmp_path / "r.csv", "yes", "yes")
        path.write_text(path.read_text(encoding="utf-8-sig").replace(", “really”", ""))
        assert read_review(path) == ["Why is it so?", "Where, when and how do I begin?"]

    @pytest.mark.parametrize(
        ("decisions", "sentence"),
        [
            (("", ""), "still open for 2 rows, first for number 1"),
            (("yes", "maybe"), "still open for 1 rows, first for number 2"),
            (("no", "no"), "and there is none"),
        ],
    )
    def test_undecided_rows_are_named(self, tmp_path, decisions, sentence):
        with pytest.raises(SpeechbenchError, match=sentence):
            read_review(self.write(tmp_path / "r.csv", *decisions))

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (b"", "expected the columns keep and opener"),
            (b"a,b\n1,2\n", "expected the columns keep and opener"),
            (b"keep,opener\nyes,\n", "row 1 is empty"),
            (b"keep,opener\nyes\n", "row 1 is empty"),
            (b"keep,opener\nyes,Why?\nyes,Why?\n", "row 2 stands in it already"),
            (b"keep,opener\nyes,\xe9\n", "expected a review file in UTF-8"),
        ],
    )
    def test_what_is_no_review_is_refused(self, tmp_path, content, sentence):
        (tmp_path / "r.csv").write_bytes(content)
        with pytest.raises(SpeechbenchError, match=sentence):
            read_review(tmp_path / "r.csv")
