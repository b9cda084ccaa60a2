import json
import math

import numpy as np
import pytest

from speechbench.metrics.intervals import Interval
from speechbench.records import JudgeStamp
from speechbench.reports.estimates import NOT_KNOWN, Estimate, plain


def test_nan_becomes_null():
    assert plain(NOT_KNOWN) == {"value": None, "interval": {"low": None, "high": None}, "n": 0}


def test_nested_values_become_json():
    value = {
        "a": [Estimate(1.0, Interval(0.0, 2.0), 3)],
        "judge": JudgeStamp(id="j", version="1", fingerprint="f"),
        "numpy": np.float64(1.5),
        "inf": math.inf,
    }
    assert json.loads(json.dumps(plain(value), allow_nan=False)) == {
        "a": [{"value": 1.0, "interval": {"low": 0.0, "high": 2.0}, "n": 3}],
        "judge": {"id": "j", "version": "1", "fingerprint": "f"},
        "numpy": 1.5,
        "inf": None,
    }


def test_what_has_no_plain_form_is_refused():
    with pytest.raises(TypeError, match="ndarray"):
        plain(np.zeros(3))
