"""Fixtures that every room's tests may use."""

from pathlib import Path

import pytest

_UPSTREAM = Path(__file__).resolve().parents[2] / "shared" / "upstream"


@pytest.fixture(scope="session")
def upstream() -> Path:
    """The benchmarks' own files, which carry no licence and so are not in this repository."""
    if not _UPSTREAM.is_dir():
        pytest.skip("needs the benchmarks' own files in ../shared/upstream, which are not here")
    return _UPSTREAM
