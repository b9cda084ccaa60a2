"""Every wording of a style, spoken after an opener, is understood: what calibration rests on."""

from speechbench.audio import concatenate, silence
from speechbench.data.openers import builtin_openers
from speechbench.protocols import PROTOCOLS
from speechbench.styles import STYLES, styles_asked_for

RELATIVE = [row for row in STYLES.values() if row.direction]


def test_the_ear_hears_every_wording_as_its_style_and_no_other(voice, hear_all):
    # All 18 wordings, each after another opener; every opener with every style would take 20 × as
    # long, and was tried once.
    openers = builtin_openers()
    asked, clips = [], []
    for row in RELATIVE:
        for wording in row.phrasings:
            opener = openers[len(clips) % len(openers)]
            pause = silence(PROTOCOLS["embedded"].instruction_pause_s, voice.rate_hz)
            clips.append(
                concatenate([voice.synthesize(opener.text), pause, voice.synthesize(wording)])
            )
            asked.append([row.name])
    heard = hear_all(clips)
    understood = [[row.name for row in styles_asked_for(text)] for text in heard]
    assert understood == asked, heard


def test_no_opener_asks_for_a_style():
    for opener in builtin_openers():
        assert styles_asked_for(f"{opener.text} Speak so throughout.") == []
