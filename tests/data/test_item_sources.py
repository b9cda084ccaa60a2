"""Sources of items: the package, a local copy of the Hub's dataset, checkouts of every shape."""

import hashlib
import io
import json
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

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

    def test_recordings_from_elsewhere_are_not_theirs(self):
        with pytest.raises(SpeechbenchError, match="bring their own sound"):
            load_items("builtin", audio=True, audio_dir="elsewhere")


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


class HubServer(BaseHTTPRequestHandler):
    """One dataset, served as the Hub serves it; the archive's first download breaks off halfway."""

    protocol_version = "HTTP/1.1"
    files: ClassVar[dict[str, bytes]] = {}
    ranges: ClassVar[list[str | None]] = []

    def log_message(self, *args):
        pass

    def answer(self, status, content, headers=(), cut=None):
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content[:cut])
        self.close_connection = cut is not None

    def do_GET(self):
        path = self.path.split("?")[0]
        if "/tree/" in path:
            listed = [
                {"type": "file", "path": name, "size": len(content), "oid": name}
                for name, content in self.files.items()
            ]
            return self.answer(200, json.dumps(listed).encode())
        if "/revision/" in path:
            info = {"id": HUB_DATASET, "sha": REVISION, "siblings": []}
            return self.answer(200, json.dumps(info).encode())
        if "/resolve/" not in path:
            return self.answer(404, b"")
        name = path.split(f"/resolve/{REVISION}/")[1]
        content, start = self.files[name], self.headers.get("Range")
        headers = {"ETag": f'"{name}"', "X-Repo-Commit": REVISION, "Accept-Ranges": "bytes"}
        if self.command == "HEAD" or not name.endswith(".tar"):
            return self.answer(200, content, headers)
        self.ranges.append(start)
        if start is None:
            return self.answer(200, content, headers, cut=len(content) // 2)
        first = int(start.removeprefix("bytes=").rstrip("-"))
        headers["Content-Range"] = f"bytes {first}-{len(content) - 1}/{len(content)}"
        return self.answer(206, content[first:], headers)

    do_HEAD = do_GET  # noqa: N815


class TestDownload:
    def test_only_what_is_needed_and_on_from_where_it_broke_off(self, tmp_path, cache, monkeypatch):
        constants = pytest.importorskip("huggingface_hub.constants")
        items = write_items(tmp_path / "made").read_bytes()
        archive = write_archive(tmp_path / "made" / "audios.tar", "audios/").read_bytes()
        HubServer.files = {
            "README.md": b"no items",
            "data/eval_data/closed_ended_questions.jsonl": items,
            "creative_writing.jsonl": b"",
            "audios.tar": archive,
        }
        with ThreadingHTTPServer(("127.0.0.1", 0), HubServer) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{server.server_port}"
            monkeypatch.setattr(constants, "ENDPOINT", address)
            template = f"{address}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
            monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
            monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
            monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", 1024)  # goes on from whole chunks
            found = load_items("hub", audio=True, cache=cache)
            server.shutdown()
        assert HubServer.ranges == [None, f"bytes={len(archive) // 2}-"]
        assert (found.audio_dir / found.items[0].audio).read_bytes() == b"clip"
        assert found.origin == {
            "revision": REVISION,
            "archive_sha256": hashlib.sha256(archive).hexdigest(),
        }
        fetched = {path.name for path in (tmp_path / "hub").rglob("snapshots/**/*") if path.suffix}
        assert fetched == {"closed_ended_questions.jsonl", "creative_writing.jsonl", "audios.tar"}


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
