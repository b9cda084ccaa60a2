import pytest

from speechbench.errors import SpeechbenchError
from speechbench.reports.compare import compare_runs


def test_benchmarks_do_not_mix(style_run, constraint_run):
    with pytest.raises(SpeechbenchError, match="Only logs of one benchmark"):
        compare_runs(style_run({"slow": ["11"]}), constraint_run({"CC": "1"}), seed=0)


def test_each_benchmark_has_its_comparison(style_run, constraint_run):
    style = style_run({"slow": ["11"]})
    constraint = constraint_run({"CC": "1"})
    assert compare_runs(style, style, seed=0).benchmark == "style_amnesia"
    assert compare_runs(constraint, constraint, seed=0).benchmark == "speech_ifeval"
