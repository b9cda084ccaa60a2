"""What an absolute judge's verdict is made of."""

import pytest

from speechbench import SpeechbenchError
from speechbench.judges import chosen
from speechbench.judges.base import among_styles

EMOTIONS = {"happy": 0.1, "sad": 0.3, "angry": 0.05, "neutral": 0.15}


def test_only_the_styles_of_the_dimension_compete():
    heard = among_styles("emotion", {**EMOTIONS, "surprised": 0.4})
    assert heard.probabilities == pytest.approx(
        {"sad": 0.5, "happy": 1 / 6, "angry": 1 / 12, "neutral": 0.25}
    )
    assert chosen(heard.probabilities) == "sad"
    assert heard.value == pytest.approx(0.5)


def test_a_style_without_a_probability_is_a_defect():
    with pytest.raises(SpeechbenchError, match="none for neutral"):
        among_styles("emotion", {"happy": 0.4, "sad": 0.3, "angry": 0.3})


def test_no_probability_at_all_is_no_verdict():
    heard = among_styles("accent", {"north_american": 0.0, "indian": 0.0})
    assert heard.value is None
    assert heard.probabilities is None
    assert "no probability" in heard.reason
