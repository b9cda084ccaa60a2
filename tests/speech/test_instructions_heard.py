"""Every wording, spoken after an opener, is understood: what calibration rests on."""

from speechbench.audio import concatenate, silence
from speechbench.data.openers import builtin_openers
from speechbench.protocols import PROTOCOLS
from speechbench.styles import STYLES, TEXT_RULES, rules_asked_for, styles_asked_for

ASKED = [*(row for row in STYLES.values() if row.direction), *TEXT_RULES.values()]


def test_the_ear_hears_every_wording_as_what_it_asks_for_and_nothing_else(voice, hear_all):
    # each wording after another opener; every opener with every wording would take hours
    openers = builtin_openers()
    asked, clips = [], []
    for row in ASKED:
        for wording in row.phrasings:
            opener = openers[len(clips) % len(openers)]
            pause = silence(PROTOCOLS["embedded"].instruction_pause_s, voice.rate_hz)
            clips.append(
                concatenate([voice.synthesize(opener.text), pause, voice.synthesize(wording)])
            )
            asked.append([row.name])
    heard = hear_all(clips)
    understood = [
        [row.name for row in (*styles_asked_for(text), *rules_asked_for(text))] for text in heard
    ]
    assert understood == asked, heard


def test_no_opener_asks_for_a_style():
    for opener in builtin_openers():
        text = f"{opener.text} Speak so throughout."
        assert [*styles_asked_for(text), *rules_asked_for(text)] == []
