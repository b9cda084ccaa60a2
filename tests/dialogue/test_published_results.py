"""Result folders in the layout of Style Amnesia's published code."""

import numpy as np
import pytest

from speechbench.audio import Clip
from speechbench.dialogue.published_results import read_published_results
from speechbench.errors import SpeechbenchError


@pytest.fixture
def add(tmp_path):
    """Adds one turn to a results folder, and returns that folder."""
    clip = Clip.from_samples(np.random.default_rng(0).normal(size=800) / 10, 8000).wav_bytes()

    def put(where, name, text="Sure.", reference=True):
        folder = tmp_path / "results" / where
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.wav").write_bytes(clip)
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        if reference:
            (folder / f"TTS_{name}.wav").write_bytes(clip)
        return tmp_path / "results"

    return put


def test_models_locations_and_wordings_become_runs(add):
    for turn in (1, 2):
        add("gpt-4o/user/en_fast", f"topic17_par1_gpt-4o_A_turn{turn}")
    add("gpt-4o/user/en_fast", "topic17_par0_gpt-4o_A_turn1")
    add("gpt-4o/user/en_anger", "topic3_par1_gpt-4o_A_turn1", text=" ", reference=False)
    add("gpt-4o/user/en_fast", "topic17_par1_cascaded_B_turn2", text="And then?", reference=False)
    folder = add("live-recall/system/en_slow", "topic0_par2_live-recall_assistant_turn1")
    add("live-recall/system/en_slow", "topic0_par2_cascaded_user_turn2", reference=False)
    runs = {
        (run.system, run.condition["phrasing"]): run for run in read_published_results(folder, None)
    }
    assert set(runs) == {("gpt-4o", 0), ("gpt-4o", 1), ("live-recall", 2)}
    main = runs["gpt-4o", 1]
    assert main.condition["position"] == "user"
    assert main.condition["recall"] == "none"
    by_style = {dialogue.style: dialogue for dialogue in main.dialogues}
    assert [turn.turn for turn in by_style["fast"].turns] == [1, 2]
    assert [turn.user for turn in by_style["fast"].turns] == ["", "And then?"]
    assert by_style["fast"].opener == "topic-017"
    assert by_style["fast"].turns[0].reference.name == "TTS_topic17_par1_gpt-4o_A_turn1.wav"
    assert by_style["angry"].turns[0].transcript is None
    recalled = runs["live-recall", 2]
    assert (recalled.condition["position"], recalled.condition["recall"]) == ("system", "keep")


def test_a_folder_of_one_style_will_do_and_a_name_may_be_given(add):
    folder = add("gpt-4o/user/en_fast", "topic0_par1_gpt-4o_A_turn1")
    [run] = read_published_results(folder / "gpt-4o" / "user" / "en_fast", "openai/gpt-4o")
    assert run.system == "openai/gpt-4o"
    assert run.condition["position"] == "user"


def test_problems_are_named_with_their_file(add):
    folder = add("m/user/en_fast", "topic0_par1_m_A_turn2")
    add("m/user/en_tired", "topic0_par1_m_A_turn1")
    with pytest.raises(SpeechbenchError) as caught:
        read_published_results(folder, None)
    message = str(caught.value)
    assert "m/user/en_tired/topic0_par1_m_A_turn1.wav: expected a folder of a style" in message
    assert "m/user/en_fast/topic0_par1_m_A_turn2.wav: expected turn 1" in message


def test_transcripts_that_are_no_text_and_missing_readings_are_named(add):
    folder = add("m/user/en_fast", "topic0_par1_m_A_turn1", reference=False)
    with pytest.raises(SpeechbenchError, match="no turn of this style has one"):
        read_published_results(folder, None)
    (folder / "m/user/en_fast/topic0_par1_m_A_turn1.txt").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(SpeechbenchError, match="expected its transcript in UTF-8"):
        read_published_results(folder, None)


def test_another_folder_is_refused_with_what_it_should_look_like(tmp_path):
    with pytest.raises(SpeechbenchError, match=r"topic0_par1_gpt-4o_A_turn1\.wav"):
        read_published_results(tmp_path, None)
