"""Sources of items: the package, a local copy of the Hub's dataset, checkouts of every shape."""

import io
import json
import tarfile

import pytest

from speechbench.data.item_sources import HUB_DATASET, load_items
from speechbench.data.speech_ifeval import builtin_items, builtin_recordings, read_items
from speechbench.errors import SpeechbenchError

REVISION = "0123456789abcdef0123456789abcdef01234567"
LINE = {
    "audio_filepath": "MMAU/clip.wav",
    "textual_audio": "[00:00:00 - 00:00:02] Hello there.(Gender: Female, Emotion: neutral)",
    "instruction": "Write it down.\nUse capitals.",
    "instruction_id_list": ["change_case:english_capital"],
    "kwargs": [{}],
    "label": "HELLO THERE",
    "metric": "wer",
    "dataset": "MMAU",
}


def write_items(folder):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "closed_ended_questions.jsonl"
    path.write_text(json.dumps(LINE) + "\n", encoding="utf-8")
    return path


def write_archive(path, prefix):
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w") as tar:
        member = tarfile.TarInfo(f"{prefix}MMAU/clip.wav")
        member.size = 4
        tar.addfile(member, io.BytesIO(b"clip"))
    return path


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """The Hub's cache on a machine without network: the folder of the dataset's revision."""
    constants = pytest.importorskip("huggingface_hub.constants")
    cache = tmp_path / "hub"
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(cache))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    dataset = cache / f"datasets--{HUB_DATASET.replace('/', '--')}"
    (dataset / "refs").mkdir(parents=True)
    (dataset / "refs" / "main").write_text(REVISION, encoding="utf-8")
    snapshot = dataset / "snapshots" / REVISION
    snapshot.mkdir(parents=True)
    return snapshot


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


class TestBuiltin:
    def test_items_and_their_recordings(self):
        found = load_items("builtin", audio=True)
        assert (found.name, found.items, found.origin) == ("builtin-2", builtin_items(), {})
        assert found.audio_dir == builtin_recordings()
        for one in found.items:
            assert one.spoken or (found.audio_dir / one.audio).is_file()


class TestHub:
    @pytest.mark.parametrize("place", [".", "data/eval_data", "eval_data", "somewhere"])
    @pytest.mark.parametrize("prefix", ["", "audios/", "data/audios/"])
    def test_items_and_archive(self, hub, cache, place, prefix):
        write_items(hub / place)
        archive = write_archive(hub / "audios.tar", prefix)
        found = load_items("hub", audio=True, cache=cache)
        assert (found.audio_dir / found.items[0].audio).read_bytes() == b"clip"
        assert found.name == "files"
        assert found.origin["revision"] == REVISION
        assert found.origin["archive_sha256"].startswith(
            found.audio_dir.relative_to(cache).parts[0]
        )
        assert archive.is_file()

    def test_nobody_listens_and_nothing_is_unpacked(self, hub, cache):
        write_items(hub)
        found = load_items("hub", audio=False, cache=cache)
        assert (found.audio_dir, found.origin) == (None, {"revision": REVISION})
        assert not cache.exists()

    def test_a_dataset_without_items_says_where_they_are(self, hub, cache):
        write_archive(hub / "audios.tar", "audios/")
        with pytest.raises(
            SpeechbenchError, match=r"holds no closed_ended_questions.*audio_dir=hub"
        ):
            load_items("hub", audio=True, cache=cache)

    def test_items_of_a_checkout_with_the_hubs_archive(self, hub, cache, tmp_path):
        write_items(tmp_path / "checkout" / "data" / "eval_data")
        write_archive(hub / "audios.tar", "audios/")
        found = load_items(str(tmp_path / "checkout"), audio=True, audio_dir="hub", cache=cache)
        assert (found.audio_dir / "MMAU/clip.wav").is_file()
        assert found.origin.keys() == {"revision", "archive_sha256"}

    def test_without_network_and_cache(self, hub, cache, monkeypatch):
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(cache))
        with pytest.raises(
            SpeechbenchError, match="cannot fetch the dataset kehanlu/Speech-IFEval"
        ):
            load_items("hub", audio=False)

    def test_an_archive_of_something_else(self, hub, cache):
        write_items(hub)
        write_archive(hub / "audios.tar", "other/")
        with pytest.raises(SpeechbenchError, match=r"expected MMAU/clip\.wav in it"):
            load_items("hub", audio=True, cache=cache)


class TestFolder:
    @pytest.mark.parametrize("place", [".", "audios", "data/audios"])
    def test_recordings_beside_the_items(self, tmp_path, cache, place):
        write_items(tmp_path / "data" / "eval_data")
        clip = tmp_path / place / "MMAU" / "clip.wav"
        clip.parent.mkdir(parents=True)
        clip.write_bytes(b"clip")
        found = load_items(str(tmp_path), audio=True, cache=cache)
        assert found.audio_dir / "MMAU/clip.wav" == tmp_path / place / "MMAU/clip.wav"
        assert found.origin == {}

    @pytest.mark.parametrize("name", ["audios.tar", "data/audios.tar"])
    def test_an_archive_in_a_local_copy(self, tmp_path, cache, name):
        write_items(tmp_path)
        write_archive(tmp_path / name, "audios/")
        found = load_items(str(tmp_path), audio=True, cache=cache)
        assert (found.audio_dir / "MMAU/clip.wav").is_file()
        assert len(found.origin["archive_sha256"]) == 64

    def test_recordings_elsewhere(self, tmp_path):
        path = write_items(tmp_path / "items")
        found = load_items(str(path), audio=True, audio_dir=str(tmp_path / "sound"))
        assert found.audio_dir == tmp_path / "sound"
        assert found.items == read_items(path)

    def test_items_alone(self, tmp_path, cache):
        path = write_items(tmp_path)
        for source in (path, tmp_path):
            assert load_items(str(source), audio=True, cache=cache).audio_dir is None
            assert load_items(str(source), audio=False, cache=cache).audio_dir is None

    def test_upstream_reads_as_its_own_files(self, upstream):
        found = load_items(str(upstream / "speech-ifeval"), audio=False)
        assert (found.name, len(found.items), found.audio_dir) == ("files", 1533, None)

    def test_no_such_folder(self, tmp_path):
        with pytest.raises(SpeechbenchError, match="expected a JSONL file or a folder"):
            load_items(str(tmp_path / "none"), audio=True)
