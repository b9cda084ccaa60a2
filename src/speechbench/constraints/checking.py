"""Checking a response: one constraint, one profile, strict or loose."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

from speechbench.constraints.arguments import ArgumentKind, checked_arguments
from speechbench.constraints.ifeval_table import IFEVAL
from speechbench.constraints.loose import other_readings
from speechbench.constraints.table import CONSTRAINTS
from speechbench.constraints.text import answer_text
from speechbench.errors import SpeechbenchError

__all__ = [
    "CHECK_PROFILES",
    "PROFILES",
    "CheckProfile",
    "Profile",
    "Verdicts",
    "check",
    "checker",
    "verdicts",
]

Profile = Literal["paper", "fixed"]
"""The profiles of Speech-IFEval's constraints, both of which every score carries."""
PROFILES: tuple[Profile, ...] = get_args(Profile)

CheckProfile = Literal["paper", "fixed", "ifeval"]
"""All profiles: `ifeval` is the text benchmark's own, with constraints that speech has not."""
CHECK_PROFILES: tuple[CheckProfile, ...] = get_args(CheckProfile)


def check(
    constraint_id: str,
    response: str,
    /,
    profile: CheckProfile = "paper",
    loose: bool = False,
    **arguments: Any,  # noqa: ANN401 (each constraint's own arguments, validated)
) -> bool:
    r"""Whether `response` keeps a constraint.

    Under every profile a response that is only white space fails.

    Args:
        constraint_id: A key of `CONSTRAINTS`, or of `IFEVAL` under profile `ifeval`.
        response: A model's whole answer.
        profile: `paper` gives the verdicts behind the published tables; `fixed` checks what the
            instruction says; `ifeval` reads IFEval's 25 constraints as that benchmark does.
        loose: Whether it is enough that one of IFEval's eight readings keeps it (without the
            first line, the last line, asterisks). Never stricter than without.
        **arguments: The constraint's arguments, all required; None counts as absent.

    Raises:
        SpeechbenchError: The constraint or profile is unknown, an argument is missing, unknown
            or not of its kind, the response is not text, or a keyword is a regular expression
            whose search does not end in time.

    >>> check("detectable_format:number_bullet_lists", "* milk\n* bread", num_bullets=2)
    True
    >>> check("keywords:existence", "You are smart.", "fixed", keywords=["art"])
    False
    >>> check("change_case:english_lowercase", "Sure!\nmilk and bread", loose=True)
    True
    """
    verdict = checker(constraint_id, profile, loose, **arguments)
    if not isinstance(response, str):
        raise SpeechbenchError(
            f"A response must be text, but {type(response).__name__} came: {response!r:.200}."
        )
    return verdict(response)


class Verdicts(NamedTuple):
    """Whether a response keeps a constraint, read both ways; `loose` where `strict`."""

    strict: bool
    loose: bool


_NEITHER, _LOOSE_ALONE, _BOTH = (
    Verdicts(*pair) for pair in ((False, False), (False, True), (True, True))
)


def verdicts(
    constraint_id: str,
    /,
    profile: CheckProfile = "paper",
    **arguments: Any,  # noqa: ANN401 (each constraint's own arguments, validated)
) -> Callable[[str], Verdicts]:
    r"""`checker` for both readings at once, which costs no more than the loose one.

    Raises:
        SpeechbenchError: As `check` does.

    >>> verdicts("startend:quotation")('Sure!\n"tea"')
    Verdicts(strict=False, loose=True)
    """
    rule, reads = _prepared(constraint_id, profile, arguments)

    def both(response: str) -> Verdicts:
        text = response if reads is None else reads(response)
        if not text or text.isspace():
            return _NEITHER
        if rule(text):
            return _BOTH
        return _LOOSE_ALONE if any(map(rule, other_readings(text))) else _NEITHER

    return both


def checker(
    constraint_id: str,
    /,
    profile: CheckProfile = "paper",
    loose: bool = False,
    **arguments: Any,  # noqa: ANN401 (each constraint's own arguments, validated)
) -> Callable[[str], bool]:
    """`check` for many responses: arguments are validated once, and each call takes a text.

    Raises:
        SpeechbenchError: As `check` does.

    >>> in_capitals = checker("change_case:english_capital")
    >>> [in_capitals(response) for response in ("TEA", "Tea")]
    [True, False]
    """
    if not isinstance(loose, bool):
        raise SpeechbenchError(f"loose must be True or False, but {loose!r} came.")
    if loose:
        both = verdicts(constraint_id, profile, **arguments)
        return lambda response: both(response).loose
    return _strict(*_prepared(constraint_id, profile, arguments))


_Rule = Callable[[str], bool]
_Reader = Callable[[str], str]


def _prepared(
    constraint_id: str, profile: CheckProfile, arguments: Mapping[str, Any]
) -> tuple[_Rule, _Reader | None]:
    rule, kinds = _rule(constraint_id, profile)
    given = checked_arguments(constraint_id, kinds, arguments)
    reads = answer_text if profile == "fixed" else None
    return partial(rule, **given) if given else rule, reads


def _strict(rule: _Rule, reads: _Reader | None) -> _Rule:
    if reads is None:
        return lambda response: bool(response) and not response.isspace() and rule(response)

    def verdict(response: str) -> bool:
        answer = reads(response)
        return bool(answer) and not answer.isspace() and rule(answer)

    return verdict


def _rule(
    constraint_id: str, profile: CheckProfile
) -> tuple[Callable[..., bool], Mapping[str, ArgumentKind]]:
    if profile not in CHECK_PROFILES:
        raise SpeechbenchError(
            f"Profile {profile!r} is unknown; known are {', '.join(CHECK_PROFILES)}."
        )
    known: Mapping[str, Any] = IFEVAL if profile == "ifeval" else CONSTRAINTS
    if not isinstance(constraint_id, str) or constraint_id not in known:
        raise SpeechbenchError(
            f"Constraint {constraint_id!r} is unknown under profile {profile}; known are "
            f"{', '.join(known)}."
        )
    if profile == "ifeval":
        return IFEVAL[constraint_id].rule, IFEVAL[constraint_id].arguments
    row = CONSTRAINTS[constraint_id]
    return row.paper if profile == "paper" else row.fixed, row.arguments
