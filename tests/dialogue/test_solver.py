"""The dialogue with models that fail in the ways in which real ones do."""

from inspect_ai.model import ChatMessageAssistant, ContentAudio

from speechbench.audio import silence
from speechbench.models import clip_in, text_in
from speechbench.speech import word_error_rate
from speechbench.styles import style

REPLY = "You could take a short walk and drink some water before you start again."
READING = "Read the following text aloud exactly"


def _statuses(outcome):
    return [turn.status for turn in outcome.turns]


def test_a_model_that_reads_when_asked_is_its_own_reference(speaker, one_dialogue, voice):
    asked = []

    def behave(messages, config):
        text = text_in(messages[-1])
        if READING in text:
            asked.append((messages, text))
            return "", voice.synthesize(text.split("\n\n")[-1])
        return REPLY, voice.synthesize(REPLY, style("quiet").delivery)

    _record, outcome = one_dialogue(speaker("reads", behave))
    assert _statuses(outcome) == ["judged", "judged"]
    assert all(turn.followed for turn in outcome.turns)
    assert all(turn.reference_wer == 0 for turn in outcome.turns)
    for messages, text in asked:
        assert len(messages) == 1  # a fresh conversation, without history
        assert "at a normal volume" in text
        assert text.endswith(REPLY)


def test_a_reference_that_says_something_else_does_not_count(speaker, one_dialogue, voice):
    def behave(messages, config):
        if READING in text_in(messages[-1]):
            return "", voice.synthesize("I am sorry, but I cannot read that to you.")
        return REPLY, voice.synthesize(REPLY)

    _record, outcome = one_dialogue(speaker("rambles", behave))
    assert _statuses(outcome) == ["reference_failed"] * 2
    assert all(turn.reference_wer > 0.2 for turn in outcome.turns)
    assert "WER" in outcome.turns[0].reason
    assert outcome.turns[0].followed is None


def test_a_silent_reference_does_not_count(speaker, one_dialogue, voice):
    def behave(messages, config):
        if READING in text_in(messages[-1]):
            return "", silence(2.0, 24_000)
        return REPLY, voice.synthesize(REPLY)

    _, outcome = one_dialogue(speaker("mute-reader", behave), turns=1)
    assert _statuses(outcome) == ["reference_failed"]
    assert "without speech" in outcome.turns[0].reason


def test_a_turn_without_speech_is_tried_again_with_new_seeds(speaker, one_dialogue, voice):
    seeds = []

    def behave(messages, config):
        if READING in text_in(messages[-1]):
            return "", voice.synthesize(REPLY)
        seeds.append(config.seed)
        if len(seeds) == 1:
            return "only text"
        if len(seeds) == 2:
            return "silence", silence(2.0, 24_000)
        return REPLY, voice.synthesize(REPLY)

    record, outcome = one_dialogue(speaker("shy", behave))
    assert [turn.attempts for turn in record.turns] == [3, 1]
    assert len(set(seeds)) == len(seeds) == 4
    assert "no_speech" not in _statuses(outcome)


def test_a_model_that_stops_speaking_ends_the_dialogue_there(speaker, one_dialogue, voice):
    def behave(messages, config):
        if READING in text_in(messages[-1]):
            return "", voice.synthesize(REPLY)
        if len(messages) > 1:
            return "I would rather write."
        return REPLY, voice.synthesize(REPLY, style("quiet").delivery)

    record, outcome = one_dialogue(speaker("stops", behave), turns=4)
    assert _statuses(outcome) == ["judged", "no_speech", "not_reached", "not_reached"]
    assert outcome.turns[0].followed is True
    assert "4 tries" in outcome.turns[1].reason
    assert len(record.turns) == 2


def test_an_empty_sound_is_no_speech_and_its_reason_is_kept(speaker, one_dialogue, voice):
    empty = ContentAudio(audio="data:audio/wav;base64,", format="wav")

    def behave(messages, config):
        if READING in text_in(messages[-1]):
            return "", voice.synthesize(REPLY)
        return ChatMessageAssistant(content=[empty])

    record, outcome = one_dialogue(speaker("empty", behave))
    assert _statuses(outcome) == ["no_speech", "not_reached"]
    assert record.turns[0].attempts == 4
    assert "0 bytes" in outcome.turns[0].reason


def test_the_model_hears_opener_and_instruction_in_one_clip_and_then_the_user(
    speaker, one_dialogue, voice, ear
):
    heard, asked_to_read = [], []

    def behave(messages, config):
        if text_in(messages[-1]):
            asked_to_read.append(messages)
            return "", voice.synthesize(REPLY)
        heard.append([clip_in(m) for m in messages if m.role == "user"])
        assert all(text_in(m) == "" for m in messages if m.role == "user")
        return REPLY, voice.synthesize(REPLY)

    record, outcome = one_dialogue(speaker("listens", behave), instruction_as="speech")
    assert [len(turn) for turn in heard] == [1, 2]
    first, second = heard[-1]
    said = f"{record.turns[0].user_text} {style('quiet').phrasings[0]}"
    assert word_error_rate(said, ear.transcribe(first).text) < 0.15
    assert word_error_rate(record.turns[1].user_text, ear.transcribe(second).text) < 0.2
    # the request to read is spoken too, and what is to be read is written beside it
    assert _statuses(outcome) == ["judged", "judged"]
    [request] = asked_to_read[0]
    assert text_in(request) == REPLY
    assert "normal volume" in ear.transcribe(clip_in(request)).text


def test_a_model_that_speaks_without_saying_what_is_taken_by_ear(speaker, one_dialogue, voice):
    def behave(messages, config):
        if READING in text_in(messages[-1]):
            return "", voice.synthesize(text_in(messages[-1]).split("\n\n")[-1])
        return "", voice.synthesize(REPLY)

    record, outcome = one_dialogue(speaker("wordless", behave), turns=1)
    assert word_error_rate(REPLY, record.turns[0].transcript) < 0.1
    assert _statuses(outcome) == ["judged"]
