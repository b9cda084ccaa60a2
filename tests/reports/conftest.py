"""Real logs of both benchmarks, each made once, and runs derived from them."""

import json
from dataclasses import replace

import numpy as np
import pytest
from inspect_ai.log import read_eval_log, write_eval_log

from speechbench.audio import Clip, ClipStore
from speechbench.records import DialogueOutcome, JudgeStamp, StyleOutcome, TurnOutcome
from speechbench.reports.logs import read_run


@pytest.fixture(scope="session")
def style_log(run_inspect, style_info, style_outcomes):
    return run_inspect(
        "steady",
        style_info(),
        style_outcomes("slow", ["1111", "1110", "1s--", "11r1"])
        | style_outcomes("sad", ["1100", "1000", "1100", "0000"]),
    )


@pytest.fixture(scope="session")
def constraint_log(run_inspect, constraint_info, constraint_outcomes):
    return run_inspect(
        "slm", constraint_info(), constraint_outcomes({"CC": "110f", "KW": "10", "CoT": "1?"})
    )


@pytest.fixture
def style_run(style_log, style_outcomes, style_info):
    """A style run with the given dialogues, in the frame of a real log."""
    frame = read_run(style_log)

    def make(styles, **info):
        dialogues = tuple(
            DialogueOutcome(opener=outcome.opener, styles=[outcome])
            for style, codes in styles.items()
            for outcome in style_outcomes(style, codes).values()
        )
        return replace(
            frame, header=replace(frame.header, info=style_info(**info)), dialogues=dialogues
        )

    return make


@pytest.fixture
def constraint_run(constraint_log, constraint_outcomes, constraint_info):
    """A constraint run with the given responses, in the frame of a real log."""
    frame = read_run(constraint_log)

    def make(groups, **info):
        return replace(
            frame,
            header=replace(frame.header, info=constraint_info(**info)),
            items=constraint_outcomes(groups),
        )

    return make


CODES = {"1": ("judged", True), "0": ("judged", False), "s": ("no_speech", None)}
DIMENSIONS = {"sad": "emotion", "happy": "emotion", "loud": "volume", "slow": "speed"}
DIMENSIONS |= {"fast": "speed", "high": "pitch"}
UNITS = {"emotion": "probability", "volume": "LUFS", "speed": "WPM", "pitch": "Hz"}


@pytest.fixture(scope="session")
def outcome():
    """One style in one dialogue from a string, a character a turn; `-` is not reached."""

    def make(style, codes, *, opener="opener-001", first=1, judge="ab" * 32, **fields):
        dimension = DIMENSIONS[style]
        turns = []
        for number, code in enumerate(codes, first):
            status, followed = CODES.get(code, ("not_reached", None))
            turns.append(TurnOutcome(turn=number, status=status, followed=followed, reason=code))
        return StyleOutcome(
            style=style,
            dimension=dimension,
            relative=dimension != "emotion",
            unit=UNITS[dimension],
            opener=opener,
            turns=turns,
            judge=JudgeStamp(id=f"{dimension}-judge", version="1", fingerprint=judge),
            **fields,
        )

    return make


@pytest.fixture
def run_of(style_log, style_info):
    """A style run of the given dialogues under a condition, in the frame of a real log."""
    frame = read_run(style_log)

    def make(dialogues, *, model="prepared/steady", path=None, **condition):
        info = style_info(condition={"styles": ["slow"], **condition})
        header = replace(
            frame.header, info=info, model=model, path=path or frame.header.path, model_args={}
        )
        return replace(frame, header=header, dialogues=tuple(dialogues))

    return make


@pytest.fixture
def held(outcome):
    """Dialogues that hold one style, an opener each, from a string a dialogue."""

    def make(style, dialogues, **fields):
        return [
            DialogueOutcome(
                opener=f"opener-{number:03}",
                styles=[outcome(style, codes, opener=f"opener-{number:03}")],
                **fields,
            )
            for number, codes in enumerate(dialogues, 1)
        ]

    return make


@pytest.fixture
def write_verdicts():
    """Verdicts into the store beside a log, as `speechbench judge` writes them."""

    def write(log, judge, clips, *, fingerprint="ab" * 32, unit="probability"):
        folder = log.parent / "verdicts"
        folder.mkdir(exist_ok=True)
        rows = [
            {
                "judge": judge,
                "version": "1",
                "fingerprint": fingerprint,
                "clip": clip,
                "value": heard if isinstance(heard, float) else None,
                "unit": unit,
                "reason": None if heard is not None else "no speech",
                "probabilities": heard if isinstance(heard, dict) else None,
            }
            for clip, heard in clips.items()
        ]
        path = folder / f"{judge}-{fingerprint[:12]}-{len(list(folder.iterdir()))}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"cut sh')

    return write


HOSTILE = "<script>alert(1)</script>"


def tone(seconds, level):
    rate = 16_000
    samples = level * np.sin(2 * np.pi * 220 * np.arange(int(seconds * rate)) / rate)
    return Clip.from_samples(samples.astype(np.float32), rate)


@pytest.fixture(scope="session")
def spoken_log(tmp_path_factory, run_inspect, style_info, style_outcomes):
    """A log with its clips beside it, the user's side, recall and coherence; hostile words."""
    folder = tmp_path_factory.mktemp("spoken")
    store = ClipStore(folder / "audio")
    said = [store.put(tone(0.3 + turn / 10, 0.1 * turn)).sha256 for turn in (1, 2, 3, 4)]
    neutral, user = store.put(tone(0.3, 0.05)).sha256, store.put(tone(0.35, 0.2)).sha256
    outcomes = {}
    for key, outcome in style_outcomes("slow", ["1101", "1s--", "1111"]).items():
        turns = [
            turn
            if turn.status != "judged"
            else turn.model_copy(
                update={
                    "clip": said[turn.turn - 1],
                    "reference": neutral,
                    "measure": 120.0,
                    "reference_measure": 150.0,
                    "duration_s": 0.3,
                    "transcript": f"{HOSTILE} {turn.turn}",
                }
            )
            for turn in outcome.turns
        ]
        outcomes[key] = outcome.model_copy(update={"turns": turns})
    path = run_inspect(f"voice{HOSTILE}", style_info(), outcomes, folder=folder)
    log = read_eval_log(str(path))
    for sample in log.samples:
        sample.store["DialogueRecord:turns"] = [
            {"turn": turn, "user_text": f"{HOSTILE} user {turn}", "user_clip": user}
            for turn in (1, 2, 3, 4)
        ]
        found = sample.scores["style_following"].metadata
        judge = JudgeStamp(id="style-named", version="1", fingerprint="r" * 64).model_dump()
        found["recall"] = [
            {"turn": 2, "recalled": False, "answer": HOSTILE, "clip": "0" * 64, "judge": judge}
        ]
        found["coherence"] = {"score": 4, "judge": judge}
        found["user_slips"] = {"too_long": 1}
    write_eval_log(log, str(path))
    return path
