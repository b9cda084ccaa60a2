"""Archives: unpacked whole or refused, resumed where they stopped."""

import gzip
import hashlib
import io
import tarfile

import pytest

from speechbench.data.archive import unpack
from speechbench.errors import SpeechbenchError

FILES = {"audios/A/one.wav": b"1" * 3000, "audios/A/two.wav": b"2" * 512, "audios/B/three.wav": b""}


def packed(files=FILES, **extra):
    """An archive; `extra` holds the attributes of one more member."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
        if extra:
            member = tarfile.TarInfo("extra")
            for key, value in extra.items():
                setattr(member, key, value)
            tar.addfile(member)
    return buffer.getvalue()


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "audios.tar"
    path.write_bytes(packed())
    return path


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".complete"
    }


def test_every_file_under_the_archives_checksum(archive, tmp_path):
    unpacked = unpack(archive, tmp_path / "cache")
    assert unpacked.sha256 == hashlib.sha256(packed()).hexdigest()
    assert unpacked.folder == tmp_path / "cache" / unpacked.sha256[:16]
    assert contents(unpacked.folder) == FILES
    assert (unpacked.folder / ".complete").read_text() == f"{unpacked.sha256}\n"


def test_a_compressed_archive_too(tmp_path):
    path = tmp_path / "audios.tar"
    path.write_bytes(gzip.compress(packed()))
    assert contents(unpack(path, tmp_path / "cache").folder) == FILES


def test_a_complete_folder_is_not_unpacked_again(archive, tmp_path, monkeypatch):
    first = unpack(archive, tmp_path / "cache")

    def refuse(*args, **kwargs):
        raise AssertionError("the archive should not have been opened")

    monkeypatch.setattr(tarfile, "open", refuse)
    assert unpack(archive, tmp_path / "cache") == first


def test_after_an_interruption_it_goes_on(archive, tmp_path):
    folder = unpack(archive, tmp_path / "cache").folder
    (folder / ".complete").unlink()
    (folder / "audios/A/two.wav").write_bytes(b"2")
    (folder / "audios/B/three.wav").unlink()
    kept = (folder / "audios/A/one.wav").stat()
    assert contents(unpack(archive, tmp_path / "cache").folder) == FILES
    assert (folder / "audios/A/one.wav").stat().st_ino == kept.st_ino


@pytest.mark.parametrize("name", ["../outside.wav", "audios/../../outside.wav"])
def test_a_name_that_leads_out_is_refused(archive, tmp_path, name):
    archive.write_bytes(packed({name: b"x"}))
    with pytest.raises(SpeechbenchError, match="outside the destination"):
        unpack(archive, tmp_path / "cache")
    assert not list(tmp_path.rglob("outside.wav"))


def test_an_absolute_name_stays_inside(archive, tmp_path):
    archive.write_bytes(packed({"/audios/A/one.wav": b"x"}))
    assert contents(unpack(archive, tmp_path / "cache").folder) == {"audios/A/one.wav": b"x"}


@pytest.mark.parametrize(
    "extra",
    [
        {"type": tarfile.SYMTYPE, "linkname": "audios/A/one.wav"},
        {"type": tarfile.LNKTYPE, "linkname": "audios/A/one.wav"},
        {"type": tarfile.CHRTYPE},
        {"type": tarfile.FIFOTYPE},
    ],
    ids=["symbolic link", "hard link", "device", "pipe"],
)
def test_links_and_devices_are_refused(archive, tmp_path, extra):
    archive.write_bytes(packed(FILES, **extra))
    with pytest.raises(SpeechbenchError, match="'extra', which is a link or a device"):
        unpack(archive, tmp_path / "cache")


# The second cut is between two files, where tarfile itself sees a proper end.
@pytest.mark.parametrize("length", [0, 100, 512 + 3072, 512 + 3072 + 100, 5000])
def test_an_archive_that_was_cut_off_is_refused_and_not_complete(archive, tmp_path, length):
    whole = packed()
    archive.write_bytes(whole[:length])
    with pytest.raises(SpeechbenchError, match="expected a complete tar archive"):
        unpack(archive, tmp_path / "cache")
    assert not list(tmp_path.rglob(".complete"))
    assert not list(tmp_path.rglob("*.tmp"))


def test_a_compressed_archive_that_was_cut_off(archive, tmp_path):
    whole = gzip.compress(packed())
    archive.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SpeechbenchError, match="expected a complete tar archive"):
        unpack(archive, tmp_path / "cache")


def test_no_such_archive(tmp_path):
    with pytest.raises(SpeechbenchError, match="cannot unpack"):
        unpack(tmp_path / "none.tar", tmp_path)


def test_a_folder_that_cannot_be_written(archive, tmp_path):
    (tmp_path / "cache").write_bytes(b"")
    with pytest.raises(SpeechbenchError, match="cannot unpack"):
        unpack(archive, tmp_path / "cache")
