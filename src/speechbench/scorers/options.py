"""Answers to questions that name their options: decided by a rule, where exactly one is named."""

import re

__all__ = ["named_option", "options_of", "right_option"]

_QUOTED = re.compile(r'"([^"\n]+)"')
_CLOSED = (("male", "female"), ("man", "woman"), ("neutral", "happy", "sad", "angry"))
"""Options that a question may name without quotation marks."""
_ALL_OF_IT = re.compile(r"[\W_]*(.*?)[\W_]*", flags=re.DOTALL)


def right_option(question: str, label: str, answer: str) -> bool | None:
    """Whether an answer is the label, where a rule can tell.

    An empty answer is wrong, and one that consists of the label is right. Else the question must
    name its options, and the answer exactly one of them.

    Returns:
        None where the rule cannot tell.

    >>> right_option('"Tea" or "milk"?', "tea", "Tea, I think."), right_option("What?", "tea", "Hm")
    (True, None)
    """
    if not _plain(answer):
        return False
    if _plain(answer) == _plain(label):
        return True
    chosen = named_option(options_of(question, label), answer)
    return None if chosen is None else chosen == _plain(label)


def options_of(question: str, label: str) -> tuple[str, ...]:
    """The options that a question names, in lower case; none where they are not known.

    They stand between double quotation marks, or are one of the sets of genders and emotions,
    whole, and the label is among them.

    >>> options_of('Choose the answer from "Male" or "Female".', "Female")
    ('male', 'female')
    >>> options_of("Is it a man or a woman? Answer Male or Female.", "Male")
    ('male', 'female')
    >>> options_of("What did she buy?", "two loaves")
    ()
    """
    right = _plain(label)
    quoted = tuple(dict.fromkeys(_plain(option) for option in _QUOTED.findall(question)))
    if len(quoted) > 1 and right in quoted:
        return quoted
    named = set(re.findall(r"\w+", question.casefold()))
    return next((known for known in _CLOSED if right in known and named >= set(known)), ())


def named_option(options: tuple[str, ...], response: str) -> str | None:
    """The one option that a response names, as whole words; None where it names none or several.

    An option that stands only inside a longer one (`one` in `twenty one`) is not named.

    >>> named_option(("male", "female"), '{"gender": "Female"}')
    'female'
    >>> named_option(("sad", "happy"), "Not sad but happy.") is None
    True
    """
    text = response.casefold()
    if (whole := _plain(response)) in options:
        return whole
    named = []
    for option in sorted(options, key=len, reverse=True):
        text, count = re.subn(rf"(?<!\w){re.escape(option)}(?!\w)", " | ", text)
        if count:
            named.append(option)
    return named[0] if len(named) == 1 else None


def _plain(text: str) -> str:
    match = _ALL_OF_IT.fullmatch(text.casefold())
    return " ".join(match[1].split()) if match else ""
