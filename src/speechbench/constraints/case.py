"""CC: the whole response in one letter case."""

__all__ = ["capital_fixed", "capital_paper", "lowercase_fixed", "lowercase_paper"]


def capital_paper(response: str) -> bool:
    """Python's `isupper()`: at least one cased character, and none of them lower or title case.

    No language check, unlike IFEval's: a foreign word among capitals changes nothing. A number
    alone fails, for want of a cased character.
    """
    return response.isupper()


def lowercase_paper(response: str) -> bool:
    """Python's `islower()`, likewise."""
    return response.islower()


def capital_fixed(answer: str) -> bool:
    """No letter breaks the case.

    Differs from `paper` only where there is no letter at all: the answer `42` obeys.
    """
    return answer.isupper() or _only_digits(answer)


def lowercase_fixed(answer: str) -> bool:
    """No letter breaks the case; differs from `paper` as `capital_fixed` does."""
    return answer.islower() or _only_digits(answer)


def _only_digits(answer: str) -> bool:
    return any(map(str.isdigit, answer)) and not any(map(str.isalpha, answer))
