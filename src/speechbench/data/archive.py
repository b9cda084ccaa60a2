"""A tar archive of recordings, unpacked once: safely, and from where it stopped."""

import hashlib
import io
import os
import tarfile
import uuid
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfileobj

from speechbench.errors import SpeechbenchError

__all__ = ["Unpacked", "unpack"]

_COMPLETE = ".complete"
_BLOCK = 1 << 20
_TAR_END = bytes(1024)
"""Two empty blocks close a tar archive (POSIX pax). Without them it was cut off, even where the
cut lies between two files, which reading alone would not show."""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """Where an archive's files stand, and which archive it was.

    Attributes:
        folder: holds the files under the names they have in the archive.
        sha256: of the archive, as 64 hex digits.
    """

    folder: Path
    sha256: str


def unpack(archive: Path, cache: Path) -> Unpacked:
    """The files of `archive` in a folder of `cache` that is named after the archive's checksum.

    What is there already is kept: after an interruption the next call goes on, and a complete
    folder is only looked up. Several processes may unpack the same archive at once.

    Raises:
        SpeechbenchError: The archive cannot be read or was cut off, a name in it leads out of the
            folder, it holds links or devices, or the folder cannot be written.
    """
    try:
        sha256 = _sha256(archive)
        folder = cache / sha256[:16]
        if not (folder / _COMPLETE).is_file():
            folder.mkdir(parents=True, exist_ok=True)
            _extract(archive, folder)
            (folder / _COMPLETE).write_text(f"{sha256}\n", encoding="ascii")
    except (tarfile.TarError, EOFError) as error:
        raise SpeechbenchError(
            f"{archive}: expected a complete tar archive: {error}. Fetch it again."
        ) from None
    except OSError as error:
        raise SpeechbenchError(f"cannot unpack {archive} into {cache}: {error}.") from None
    return Unpacked(folder, sha256)


def _sha256(archive: Path) -> str:
    with archive.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _extract(archive: Path, folder: Path) -> None:
    with tarfile.open(archive, "r:*") as tar:
        for member in tar:
            if member.isdir():
                continue
            _extract_member(tar, _safe(member, archive, folder), folder)
        compressed = not isinstance(tar.fileobj, io.BufferedReader)  # then it has its own end mark
    if not compressed and not _is_closed(archive):
        raise tarfile.ReadError("its end is missing")


def _is_closed(archive: Path) -> bool:
    with archive.open("rb") as file:
        file.seek(-min(len(_TAR_END), archive.stat().st_size), os.SEEK_END)
        return file.read() == _TAR_END


def _safe(member: tarfile.TarInfo, archive: Path, folder: Path) -> tarfile.TarInfo:
    """`member`, if it is a file whose name stays inside `folder`."""
    if not member.isfile():
        raise SpeechbenchError(
            f"{archive}: expected files and folders, got {member.name!r}, which is a link or a "
            "device. Nothing more was unpacked."
        )
    try:
        return tarfile.data_filter(member, str(folder))
    except tarfile.FilterError as error:
        raise SpeechbenchError(f"{archive}: {error}. Nothing more was unpacked.") from None


def _extract_member(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    path = folder / member.name
    if path.is_file() and path.stat().st_size == member.size:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{uuid.uuid4().hex}.tmp")
    source = tar.extractfile(member)
    if source is None:
        raise tarfile.ReadError(f"{member.name!r} has no content")
    try:
        with source, beside.open("wb") as target:
            copyfileobj(source, target, _BLOCK)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
