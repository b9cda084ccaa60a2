from dataclasses import replace

from speechbench.reports.headers import labels


def headers(run_of, held, *conditions):
    return [run_of(held("slow", ["11"]), **condition).header for condition in conditions]


def test_one_run_is_called_by_its_model(run_of, held):
    assert labels(headers(run_of, held, {})) == ("prepared/steady",)


def test_runs_of_one_model_are_told_apart_by_what_differs(run_of, held):
    found = headers(run_of, held, {"recall": "none"}, {"recall": "keep"}, {"model": "other"})
    assert labels(found) == (
        "prepared/steady · recall none",
        "prepared/steady · recall keep",
        "other",
    )


def test_equal_runs_are_numbered(run_of, held):
    assert labels(headers(run_of, held, {}, {})) == (
        "prepared/steady · run 1",
        "prepared/steady · run 2",
    )


def test_arguments_are_named(run_of, held):
    one, two = headers(run_of, held, {}, {})
    one, two = (
        replace(header, model_args={"jitter": value}) for header, value in ((one, 0), (two, 1))
    )
    assert labels([one, two]) == ("prepared/steady · jitter=0", "prepared/steady · jitter=1")
