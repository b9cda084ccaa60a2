"""Where weights are found, and that they are named by what they hold."""

import pytest

from speechbench import SpeechbenchError
from speechbench._weights import find_weights, weights_source

FILES = ("model.bin", "?config.json")


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "models" / "ears"
    place.mkdir(parents=True)
    (place / "model.bin").write_bytes(b"weights")
    return place


def test_a_folder_of_folders_names_weights_by_their_folder(folder, monkeypatch):
    monkeypatch.setenv("SPEECHBENCH_WEIGHTS", str(folder.parent))
    assert find_weights("ears", "org/ears", FILES).folder == folder
    assert weights_source("eyes") is None


def test_an_entry_names_one_folder_or_a_pinned_revision(folder, monkeypatch):
    monkeypatch.setenv("SPEECHBENCH_WEIGHTS", f"eyes=org/eyes@abc123, ears={folder}")
    assert find_weights("ears", "org/ears", FILES).folder == folder
    assert weights_source("eyes") == "org/eyes@abc123"


def test_the_hash_is_of_names_and_contents_alone(folder, tmp_path):
    before = find_weights("ears", "org/ears", FILES, str(folder)).sha256
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "model.bin").write_bytes(b"weights")
    (copy / "README.md").write_text("not a part of the model")
    assert find_weights("ears", "org/ears", FILES, str(copy)).sha256 == before
    (copy / "config.json").write_text("{}")
    with_config = find_weights("ears", "org/ears", FILES, str(copy)).sha256
    (copy / "model.bin").write_bytes(b"others!")
    assert (
        len({before, with_config, find_weights("ears", "org/ears", FILES, str(copy)).sha256}) == 3
    )


def test_a_missing_file_is_named(folder):
    (folder / "model.bin").rename(folder / "other.bin")
    with pytest.raises(SpeechbenchError, match=r"expected a file model\.bin .* got other\.bin"):
        find_weights("ears", "org/ears", FILES, str(folder))


def test_a_missing_folder_says_which_variable_to_set(tmp_path):
    with pytest.raises(SpeechbenchError, match="SPEECHBENCH_WEIGHTS=ears="):
        find_weights("ears", "org/ears", FILES, str(tmp_path / "gone"))


def test_the_hub_is_asked_for_the_pinned_revision(monkeypatch, folder):
    import huggingface_hub

    asked = {}

    def download(repository, *, revision, allow_patterns):
        asked.update(repository=repository, revision=revision, files=allow_patterns)
        return str(folder)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    assert find_weights("ears", "org/ears", FILES, "org/ears@abc123").folder == folder
    assert asked == {
        "repository": "org/ears",
        "revision": "abc123",
        "files": ["model.bin", "config.json"],
    }


def test_without_a_hub_the_sentence_says_how_to_point_to_a_folder(monkeypatch, tmp_path):
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(SpeechbenchError, match="SPEECHBENCH_WEIGHTS=ears=FOLDER"):
        find_weights("ears", "org/ears", FILES)
