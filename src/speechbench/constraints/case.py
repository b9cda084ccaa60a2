"""CC: the whole response in one letter case."""

__all__ = ["capital_fixed", "capital_paper", "lowercase_fixed", "lowercase_paper"]


capital_paper = str.isupper
"""At least one cased character, and none of them lower or title case.

No language check, unlike IFEval's: a foreign word among capitals changes nothing. A number alone
fails, for want of a cased character.
"""

lowercase_paper = str.islower
"""At least one cased character, and none of them upper or title case."""


def capital_fixed(answer: str) -> bool:
    """No letter stands in its small form, and at least one in its large form.

    Differs from `paper`: digits without a letter (`42`) obey, since no letter breaks the case; a
    small letter that has no large form (the ordinal `º`, a raised `ᵗʰ`) does not break it. `ß`
    does: its large form is `SS`. Letters of a script without case count neither way, so an
    answer of such letters alone fails.
    """
    if answer.upper() != answer:
        return False
    return answer.lower() != answer or _only_digits(answer)


def lowercase_fixed(answer: str) -> bool:
    """No letter stands in its large form, and at least one in its small form.

    Differs from `paper` as `capital_fixed` does. The Turkish `İ` breaks it, `ı` does not.
    """
    if answer.lower() != answer:
        return False
    return answer.upper() != answer or _only_digits(answer)


def _only_digits(answer: str) -> bool:
    return any(map(str.isdigit, answer)) and not any(map(str.isalpha, answer))
