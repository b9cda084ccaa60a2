"""Our errors before a run begins, in the form that Inspect prints as a sentence."""

import pytest
from inspect_ai._util.error import PrerequisiteError

from speechbench import SpeechbenchError
from speechbench._stop import StoppedRunError, stops_the_run


def test_our_errors_become_prerequisites_and_keep_their_sentence():
    with pytest.raises(StoppedRunError) as caught, stops_the_run():
        raise SpeechbenchError("expected `-T turns`, got [none].")
    assert isinstance(caught.value, PrerequisiteError)
    assert isinstance(caught.value, SpeechbenchError)
    assert str(caught.value) == "expected `-T turns`, got [none]."
    # brackets would be read as rich markup, and vanish
    assert caught.value.message == r"expected `-T turns`, got \[none]."


def test_other_errors_pass():
    with pytest.raises(ValueError, match="a bug"), stops_the_run():
        raise ValueError("a bug")
