import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from speechbench.audio import Clip, ClipRef, ClipStore, read_clip, silence
from speechbench.errors import SpeechbenchError


@pytest.fixture
def store(tmp_path) -> ClipStore:
    return ClipStore(tmp_path / "audio")


@pytest.fixture(scope="module")
def shared_store(tmp_path_factory) -> ClipStore:
    return ClipStore(tmp_path_factory.mktemp("log") / "audio")


def files(store: ClipStore) -> list[str]:
    return sorted(path.name for path in store.root.rglob("*") if path.is_file())


@given(
    arrays(np.int16, st.integers(1, 4000)),
    st.sampled_from([1, 8000, 11_025, 24_000, 44_100, 48_000, 65_535, 192_000, 655_350]),
)
def test_round_trip_is_bit_identical(shared_store, samples, rate):
    clip = Clip.from_samples(samples, rate)
    back = shared_store.get(shared_store.put(clip).sha256)
    assert back == clip
    assert back.rate_hz == rate
    assert np.array_equal(back.samples, clip.samples)


@given(arrays(np.float64, st.integers(1, 1000), elements=st.floats(-2, 2)))
def test_floats_come_back_as_the_clip_that_they_made(shared_store, samples):
    clip = Clip.from_samples(samples, 16_000)
    assert np.array_equal(shared_store.get(shared_store.put(clip).sha256).samples, clip.samples)


def test_a_clip_lies_under_its_hash(store, voice):
    reference = store.put(voice)
    sha256 = voice.sha256
    assert reference.path == f"audio/{sha256[:2]}/{sha256}.flac"
    assert store.root.parent / reference.path == store.path(sha256)
    assert read_clip(store.path(sha256)) == voice
    assert sha256 in store


def test_a_relative_root_keeps_its_name(tmp_path, monkeypatch, voice):
    monkeypatch.chdir(tmp_path)
    reference = ClipStore("audio").put(voice)
    assert reference.path.startswith("audio/")
    assert (tmp_path / reference.path).is_file()


def test_putting_again_changes_nothing(store, voice):
    first = store.put(voice)
    path = store.path(voice.sha256)
    before = path.stat().st_mtime_ns, path.stat().st_ino
    assert store.put(voice) == first
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == before
    assert files(store) == [path.name]


def test_the_file_is_as_readable_as_any_other(store, voice):
    store.put(voice)
    mask = os.umask(0)
    os.umask(mask)
    assert store.path(voice.sha256).stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_failed_write_leaves_nothing_behind(store, voice, monkeypatch):
    def full(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        store.put(voice)
    assert files(store) == []


def test_a_missing_clip_is_named(store, voice):
    with pytest.raises(SpeechbenchError, match=f"{voice.sha256}.*not there"):
        store.get(voice.sha256)
    assert voice.sha256 not in store


@pytest.mark.parametrize("damage", ["cut", "emptied", "text", "another clip", "flipped"])
def test_a_damaged_clip_is_never_returned_and_is_mended_by_putting_it_again(store, voice, damage):
    store.put(voice)
    path = store.path(voice.sha256)
    whole = path.read_bytes()
    middle = len(whole) // 2
    path.write_bytes(
        {
            "cut": whole[:middle],
            "emptied": b"",
            "text": b"<html>not found</html>",
            "another clip": voice.gained(-6).flac_bytes(),
            "flipped": whole[:middle] + bytes([whole[middle] ^ 0x10]) + whole[middle + 1 :],
        }[damage]
    )
    with pytest.raises(SpeechbenchError, match="damaged"):
        store.get(voice.sha256)
    store.put(voice)
    assert store.get(voice.sha256) == voice


@pytest.mark.parametrize(
    "sha256",
    [
        "",
        "ab",
        "../../etc/passwd",
        "A" * 64,
        "g" * 64,
        "0" * 63,
        "0" * 65,
        "0" * 64 + "\n",
        "٣" * 64,
    ],
)
def test_what_is_no_hash_is_refused(store, sha256):
    for use in (store.path, store.get):
        with pytest.raises(SpeechbenchError, match="64 lower-case hex digits"):
            use(sha256)
    assert sha256 not in store
    with pytest.raises(SpeechbenchError, match="sha256"):
        ClipRef.from_data({"audio": {"path": "x", "sha256": sha256, "duration_s": 1.0}})


def test_a_clip_without_samples_is_not_kept(store):
    with pytest.raises(SpeechbenchError, match="no"):
        store.put(silence(0, 16_000))
    assert files(store) == []


def test_a_reference_goes_round_as_content_data(store, voice):
    reference = store.put(voice)
    data = reference.to_data()
    assert data == {
        "audio": {
            "path": reference.path,
            "sha256": voice.sha256,
            "format": "flac",
            "duration_s": voice.duration_s,
        }
    }
    assert ClipRef.from_data({**data, "transcript": "The ferry leaves at noon."}) == reference


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ({}, "audio"),
        ({"audio": "data:audio/wav;base64,"}, "audio"),
        ({"audio": {"path": "x", "duration_s": 1.0}}, "audio.sha256"),
        ({"audio": {"path": "x", "sha256": "0" * 64, "duration_s": -1}}, "audio.duration_s"),
        (
            {"audio": {"path": "x", "sha256": "0" * 64, "duration_s": 1, "format": "mp3"}},
            "audio.format",
        ),
    ],
)
def test_what_is_no_reference_is_refused(data, where):
    with pytest.raises(SpeechbenchError, match=f"'{where}'"):
        ClipRef.from_data(data)


_PUT_AND_GET = """
import sys
import numpy as np
from speechbench.audio import Clip, ClipStore

store = ClipStore(sys.argv[1])
for round in range(3):
    for number in range(12):
        clip = Clip.from_samples(np.random.default_rng(number).normal(0, 0.1, 20_000), 24_000)
        assert store.get(store.put(clip).sha256) == clip
"""


def test_processes_put_the_same_clips_at_once(store):
    running = [
        subprocess.Popen([sys.executable, "-c", _PUT_AND_GET, str(store.root)]) for _ in range(3)
    ]
    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    assert len(files(store)) == 12
    assert all(name.endswith(".flac") and not name.startswith(".") for name in files(store))


def test_threads_put_the_same_clip_at_once(store, voice):
    failures = []

    def put() -> None:
        try:
            store.get(store.put(voice).sha256)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=put) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert files(store) == [f"{voice.sha256}.flac"]
