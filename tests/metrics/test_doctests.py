import doctest
from importlib import import_module
from pkgutil import iter_modules

import pytest

from speechbench import metrics


@pytest.mark.parametrize("name", [module.name for module in iter_modules(metrics.__path__)])
def test_examples_in_docstrings_run(name):
    results = doctest.testmod(import_module(f"speechbench.metrics.{name}"))
    assert results.attempted > 0
    assert results.failed == 0
