"""The voice that renders styles, and the ear that hears what it said."""

import subprocess
import sys

import pytest

from speechbench import SpeechbenchError
from speechbench.audio import loudness_lufs, median_f0_hz, silence
from speechbench.models.synthetic import replies
from speechbench.speech import word_error_rate
from speechbench.styles import STYLES, Delivery

TEXT = "I would begin by writing down what matters most to you, and then take a short walk."
PITCH_RATIO = 1.12
RELATIVE = [row for row in STYLES.values() if row.direction]


@pytest.fixture(scope="module")
def neutral(voice):
    return voice.synthesize(TEXT)


def lufs(clip):
    return loudness_lufs(clip.resampled(48_000))


def test_the_same_text_gives_the_same_bytes(voice, neutral):
    assert voice.synthesize(TEXT).sha256 == neutral.sha256
    assert voice.synthesize(TEXT, Delivery()).sha256 == neutral.sha256
    both = Delivery(speed=0.9, pitch_ratio=1.1, gain_db=-3.0)
    assert voice.synthesize(TEXT, both).sha256 == voice.synthesize(TEXT, both).sha256


def test_another_process_gives_the_same_bytes(voice):
    code = (
        "from speechbench.speech import embedded_synthesizer as voice\n"
        "from speechbench.styles import Delivery\n"
        "print(voice().synthesize('Hello there.', Delivery(speed=0.8, pitch_ratio=1.12)).sha256)"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    here = voice.synthesize("Hello there.", Delivery(speed=0.8, pitch_ratio=1.12))
    assert other.stdout.strip() == here.sha256


@pytest.mark.parametrize(
    "row", [row for row in RELATIVE if row.dimension == "speed"], ids=lambda row: row.name
)
def test_a_rate_changes_the_duration_by_its_ratio_and_not_the_pitch(voice, neutral, row):
    changed = voice.synthesize(TEXT, row.delivery)
    assert changed.duration_s == pytest.approx(neutral.duration_s / row.delivery.speed, rel=1e-3)
    assert median_f0_hz(changed) == pytest.approx(median_f0_hz(neutral), rel=0.03)


@pytest.mark.parametrize("speed", [0.97, 1.03])
def test_a_small_change_of_rate_is_rendered_too(voice, neutral, speed):
    changed = voice.synthesize(TEXT, Delivery(speed=speed))
    assert changed.duration_s == pytest.approx(neutral.duration_s / speed, rel=1e-3)


def test_loud_and_quiet_change_the_loudness_by_six_decibels(voice):
    for text in replies()[:6]:
        level = lufs(voice.synthesize(text))
        assert lufs(voice.synthesize(text, STYLES["loud"].delivery)) == pytest.approx(
            level + 6.0, abs=0.2
        )
        assert lufs(voice.synthesize(text, STYLES["quiet"].delivery)) == pytest.approx(
            level - 6.0, abs=0.2
        )


def test_a_gain_beyond_full_scale_is_capped_and_does_not_distort(voice, neutral):
    capped = voice.synthesize(TEXT, Delivery(gain_db=40.0))
    assert abs(capped.samples).max() == pytest.approx(1.0, abs=1e-3)
    assert median_f0_hz(capped) == pytest.approx(median_f0_hz(neutral), rel=0.01)


@pytest.mark.parametrize(("name", "ratio"), [("high", PITCH_RATIO), ("low", 1 / PITCH_RATIO)])
def test_high_and_low_change_f0_by_their_ratio_and_leave_the_duration(voice, neutral, name, ratio):
    changed = voice.synthesize(TEXT, STYLES[name].delivery)
    assert median_f0_hz(changed) == pytest.approx(median_f0_hz(neutral) * ratio, rel=0.03)
    assert changed.duration_s == pytest.approx(neutral.duration_s, rel=0.03)


@pytest.mark.parametrize("text", ["", "   ", "...", "🙂 🙂", "**", "你好"])
def test_text_without_a_sound_is_refused(voice, text):
    with pytest.raises(SpeechbenchError, match="expected text that can be spoken"):
        voice.synthesize(text)


@pytest.mark.parametrize(
    "delivery", [Delivery(speed=2.1), Delivery(speed=0.4), Delivery(speed=1.9, pitch_ratio=0.8)]
)
def test_a_rate_that_the_voice_cannot_speak_is_refused(voice, delivery):
    with pytest.raises(SpeechbenchError, match=r"within 0.5 to 2.0 .* got \d"):
        voice.synthesize(TEXT, delivery)


def test_the_shortest_words_can_be_rendered_in_every_style(voice):
    for row in RELATIVE:
        assert voice.synthesize("A.", row.delivery).duration_s > 0.1


def test_the_ids_name_the_versions_that_make_the_sound_and_the_words(voice, ear):
    assert voice.id.startswith("hibari-")
    assert "stretch-" in voice.id
    assert ear.id.startswith("whisper-tiny.en/faster-whisper-")


def test_a_known_sentence_is_heard_word_for_word_with_times(ear, neutral):
    heard = ear.transcribe(neutral)
    assert word_error_rate(TEXT, heard.text) == 0.0
    assert len(heard.words) == len(TEXT.split())
    starts = [word.start_s for word in heard.words]
    assert starts == sorted(starts)
    assert all(0 <= word.start_s <= word.end_s <= neutral.duration_s for word in heard.words)


@pytest.mark.parametrize("seconds", [0.02, 3.0])
def test_silence_is_heard_as_nothing(ear, seconds):
    heard = ear.transcribe(silence(seconds, 16_000))
    assert (heard.text, heard.words) == ("", ())


def test_a_clip_is_heard_once_a_process(ear, neutral):
    assert ear.transcribe(neutral) is ear.transcribe(neutral)


def test_every_reply_of_the_synthetic_model_is_heard(voice, hear_all):
    # A dialogue in which the ear mishears a reference by more than 20 % is lost to the benchmark.
    bank = replies()
    heard = hear_all([voice.synthesize(reply) for reply in bank])
    rates = {reply: word_error_rate(reply, text) for reply, text in zip(bank, heard, strict=True)}
    assert {reply: rate for reply, rate in rates.items() if rate > 0.1} == {}
