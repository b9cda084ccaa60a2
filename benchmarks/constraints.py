"""Constraint checks: against lm-eval's IFEval code in one run, and on responses of 10 MB.

    python benchmarks/constraints.py [--peer DIR] [--json FILE] [--quick]
    python benchmarks/constraints.py --large [--json FILE]

The peer is the package `lm-eval` (extra `bench`), or a folder where its wheel and those of `nltk`
and `immutabledict` were unpacked. Its language detector is stubbed, so that nothing but its own
code is timed; the rows that need NLTK's data are left out where that is not installed. Both sides
give the strict and the loose verdict of each response, as lm-eval does for a sample.
"""

import argparse
import importlib
import importlib.util
import json
import sys
import time
import timeit
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from speechbench.constraints import CHECK_PROFILES, CONSTRAINTS, IFEVAL, check, verdicts

_STORY = (
    "The old man walked down to the harbour before the sun was up. He had not slept well, and his "
    "coat was thin. A whale, they said, had been seen near the rocks; he did not believe it. "
)
_SHORT = "the speaker sounds happy and a little tired."
_ANSWER = "The answer is: the speaker sounds happy. That's all."
_ARGUMENTS: Mapping[str, Any] = {
    "prompt_to_repeat": "The answer is:",
    "end_phrase": "That's all.",
    "num_bullets": 3,
    "keywords": ["harbour", "whale"],
    "forbidden_words": ["storm", "whale"],
    "num_words": 60,
    "num_sentences": 4,
    "num_paragraphs": 3,
    "relation": "at least",
    "keyword": "the",
    "frequency": 3,
    "letter": "t",
    "let_frequency": 5,
    "let_relation": "at least",
    "nth_paragraph": 2,
    "first_word": "he",
    "num_placeholders": 2,
    "postscript_marker": "P.S.",
    "num_highlights": 2,
    "section_spliter": "Section",
    "num_sections": 2,
    "capital_frequency": 2,
    "capital_relation": "at least",
}
_KEPT = {
    "change_case:english_capital": _ANSWER.upper(),
    "change_case:english_lowercase": _ANSWER.lower(),
    "startend:quotation": f'"{_ANSWER}"',
    "startend:end_checker": _ANSWER,
    "combination:repeat_prompt": _ANSWER,
}
_NEEDS_NLTK_DATA = {"length_constraints:number_sentences", "change_case:capital_word_frequency"}
_HEADLINE = (
    "change_case:english_capital",
    "change_case:english_lowercase",
    "startend:quotation",
    "detectable_format:title",
    "combination:repeat_prompt",
    "startend:end_checker",
    "detectable_format:json_format",
)

_LARGE_CHARACTERS = 10_000_000
_LARGE_UNITS = (
    *(_STORY, "\n", "a\n", "<", "<<a>>", '"', "*", "* a\n", "*\n", "- a\n", "-\n", ". ", "Dr. "),
    *(
        "# a\n\n",
        "[",
        '{"a":',
        "1,",
        "[],",
        "```a\n",
        " ",
        "<think>",
        "é ",
        "A. ",
        "tea",
        "“",
        "“”",
    ),
)


class Row(NamedTuple):
    """One constraint's times, in microseconds a response, strict and loose verdict together."""

    constraint_id: str
    ours_us: float
    peer_us: float
    ratio: float
    agreement: str


def main() -> None:
    """Run the benchmark that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", type=Path, help="folder that holds lm_eval, nltk, immutabledict")
    parser.add_argument("--large", action="store_true", help="time responses of 10 MB instead")
    parser.add_argument("--quick", action="store_true", help="few repetitions: a smoke test")
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    options = parser.parse_args()
    if options.large:
        rows = large(_LARGE_CHARACTERS // 100 if options.quick else _LARGE_CHARACTERS)
    else:
        rows = against_peer(options.peer, repeats=1 if options.quick else 7)
    if options.json is not None:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def responses(constraint_id: str) -> list[str]:
    """Answers as models give them to a constraint: kept, nearly kept and not kept."""
    if constraint_id in _KEPT:
        kept = _KEPT[constraint_id]
        return [kept, kept, kept, kept, f"**{kept}**", f"Sure!\n{kept}", f"So, {_SHORT} Yes."]
    if constraint_id.startswith("detectable_format:json"):
        kept = json.dumps({"emotion": "happy", "reason": _SHORT})
        return [kept, f"```json\n{kept}\n```", json.dumps([_SHORT]), f"Sure: {kept}", _ANSWER]
    if constraint_id == "detectable_format:title":
        return [f"<<{_SHORT}>>", f"<<Happy>> {_ANSWER}", _ANSWER, f"<< {_SHORT} >>\nBye."]
    story = "\n\n".join([_STORY, _STORY, _STORY])
    listed = "\n".join(f"* {sentence}" for sentence in _STORY.split(". ") if sentence)
    return [_STORY, story, listed, f"Here it is:\n{listed}", f"*One* [x] **two** [y]\n{story}"]


def against_peer(peer: Path | None, repeats: int) -> list[dict[str, Any]]:
    """Print and return each constraint's ratio to lm-eval's IFEval code."""
    utils, has_nltk_data = _peer(peer)
    rows = []
    for constraint_id in IFEVAL:
        if constraint_id.startswith("language:"):
            continue
        if constraint_id in _NEEDS_NLTK_DATA and not has_nltk_data:
            print(f"{constraint_id}: not measured, NLTK's data is not installed")
            continue
        rows.append(_row(constraint_id, utils, repeats))
    print(f"{'constraint':48} {'ours µs':>9} {'peer µs':>9} {'ratio':>7}  same verdicts")
    for row in sorted(rows, key=lambda row: (row.constraint_id not in _HEADLINE, -row.ratio)):
        mark = "*" if row.constraint_id in _HEADLINE else " "
        print(
            f"{mark}{row.constraint_id:47} {row.ours_us:9.2f} {row.peer_us:9.2f} "
            f"{row.ratio:7.1f}  {row.agreement}"
        )
    print("* aim: 10 times the peer's speed or more")
    return [row._asdict() for row in rows]


def _row(constraint_id: str, utils: types.ModuleType, repeats: int) -> Row:
    # Speech-IFEval's own rules ask for no language, like the stubbed peer.
    row = IFEVAL[constraint_id]
    arguments = {name: _ARGUMENTS[name] for name in row.arguments}
    profile = "paper" if constraint_id.startswith("change_case:english") else "ifeval"
    both = verdicts(constraint_id, profile, **arguments)
    answers = responses(constraint_id)
    example = utils.InputExample(0, [constraint_id], "", [arguments])

    def ours() -> Sequence[tuple[bool, bool]]:
        return [both(answer) for answer in answers]

    def theirs() -> list[tuple[bool, bool]]:
        return [
            (
                utils.test_instruction_following_strict(example, answer).follow_all_instructions,
                utils.test_instruction_following_loose(example, answer).follow_all_instructions,
            )
            for answer in answers
        ]

    same = sum(map(tuple.__eq__, ours(), theirs()))
    ours_us, peer_us = _microseconds((ours, theirs), repeats)
    return Row(
        constraint_id,
        ours_us / len(answers),
        peer_us / len(answers),
        peer_us / ours_us,
        f"{same}/{len(answers)}",
    )


def _microseconds(functions: Sequence[Callable[[], object]], repeats: int) -> list[float]:
    """CPU time of one call of each, the least of `repeats` that take turns."""
    timers = [timeit.Timer(function, timer=time.process_time) for function in functions]
    number = 400 if repeats > 1 else 20
    rounds = [[timer.timeit(number) for timer in timers] for _ in range(repeats)]
    return [1e6 * min(times) / number for times in zip(*rounds, strict=True)]


def _peer(folder: Path | None) -> tuple[types.ModuleType, bool]:
    """lm-eval's IFEval module without the rest of lm-eval, and whether NLTK's data is there."""
    if folder is not None:
        sys.path.insert(0, str(folder))
    spec = importlib.util.find_spec("lm_eval")
    if spec is None or not spec.submodule_search_locations:
        sys.exit('lm-eval is not installed: pip install "speechbench[bench]", or give --peer DIR')
    root = Path(spec.submodule_search_locations[0])
    for name in ("lm_eval", "lm_eval.tasks", "lm_eval.tasks.ifeval"):
        package = types.ModuleType(name)
        package.__path__ = [str(root.joinpath(*name.split(".")[1:]))]
        sys.modules[name] = package
    sys.modules["langdetect"] = _stubbed_langdetect()
    nltk: Any = importlib.import_module("nltk")
    try:
        nltk.data.find("tokenizers/punkt_tab")
        has_data = True
    except LookupError:
        has_data = False
    nltk.download = lambda *_args, **_kwargs: has_data
    return importlib.import_module("lm_eval.tasks.ifeval.utils"), has_data


def _stubbed_langdetect() -> types.ModuleType:
    stub: Any = types.ModuleType("langdetect")
    stub.detect = lambda _text: "en"
    stub.LangDetectException = type("LangDetectException", (Exception,), {})
    return stub


def large(characters: int) -> list[dict[str, Any]]:
    """Print and return the slowest checks of responses of so many characters."""
    rows = []
    check("language:response_language", "Load the model first.", "ifeval", language="en")
    for unit in _LARGE_UNITS:
        for response in _long_responses(unit, characters):
            for constraint_id, profile, arguments in _all_checks():
                start = time.process_time()
                check(constraint_id, response, profile, **arguments)
                seconds = time.process_time() - start
                rows.append(
                    {
                        "constraint_id": constraint_id,
                        "profile": profile,
                        "begins": response[:12],
                        "seconds": round(seconds, 3),
                    }
                )
    rows.sort(key=lambda row: -float(row["seconds"]))
    print(f"{len(rows)} checks of {characters} characters; the slowest, in seconds of CPU:")
    for row in rows[:15]:
        print(f"{row['seconds']:8.3f} {row['constraint_id']} {row['profile']} {row['begins']!r}")
    return rows


def _long_responses(unit: str, characters: int) -> Iterator[str]:
    body = unit * (characters // len(unit))
    yield f"a{body}a"
    if unit == "[],":
        yield f"[{body}1]"
    if unit in ("<", "<<a>>"):
        yield f"<<x{body}x>>"
    if unit.startswith("“"):
        yield f"“x{body}x”"


def _all_checks() -> Iterator[tuple[str, Any, dict[str, Any]]]:
    values = {**_ARGUMENTS, "language": "en"}
    for profile in CHECK_PROFILES:
        for row in (IFEVAL if profile == "ifeval" else CONSTRAINTS).values():
            yield row.id, profile, {name: values[name] for name in row.arguments}


if __name__ == "__main__":
    main()
