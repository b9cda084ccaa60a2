"""Clips kept by their hash, as FLAC files beside a log."""

import os
import re
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

import soundfile
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from speechbench.audio.clip import Clip
from speechbench.errors import SpeechbenchError

__all__ = ["ClipRef", "ClipStore"]

_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)


class ClipRef(BaseModel):
    """What stands in a log for a clip: where it is and what it is."""

    model_config = ConfigDict(frozen=True)

    path: str
    """Relative to the folder that holds the store, with forward slashes: `audio/ab/abcd….flac`."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}\z")
    """`Clip.sha256`; this, not the path, is what `ClipStore.get` takes."""
    format: Literal["flac"] = "flac"
    duration_s: float = Field(ge=0, allow_inf_nan=False)

    def to_data(self) -> dict[str, dict[str, Any]]:
        """The reference as the `data` of Inspect's `ContentData`."""
        return {"audio": self.model_dump()}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The reference in the `data` of a `ContentData`; other keys are left alone.

        Raises:
            SpeechbenchError: `data` holds no such reference.
        """
        try:
            return cls.model_validate(data.get("audio"))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(["audio", *map(str, first["loc"])])
            raise SpeechbenchError(
                "expected a reference to a clip ({'audio': {'path', 'sha256', 'format', "
                f"'duration_s'}}}}), got something else at {where!r}: {first['msg']}."
            ) from None


class ClipStore:
    """A folder of 16-bit FLAC files, `root/ab/abcd….flac`, named by `Clip.sha256`.

    A file is written beside its place and renamed into it, so that any number of processes may
    put and get at once and a killed one leaves no half clip under a clip's name.
    """

    def __init__(self, root: Path) -> None:
        """Use the folder `root`, which the first `put` makes where it does not exist."""
        self.root = Path(root).absolute()

    def put(self, clip: Clip) -> ClipRef:
        """Keep `clip`; a whole copy that is there already is left as it is, a damaged one mended.

        Raises:
            SpeechbenchError: the clip has no samples.
        """
        path = self.path(clip.sha256)
        if not (path.exists() and self._is_whole(clip.sha256)):
            encoded = clip.flac_bytes()
            path.parent.mkdir(parents=True, exist_ok=True)
            beside = path.with_name(f".{clip.sha256}.{uuid.uuid4().hex}.tmp")
            try:
                beside.write_bytes(encoded)
                os.replace(beside, path)
            finally:
                beside.unlink(missing_ok=True)
        return ClipRef(
            path=path.relative_to(self.root.parent).as_posix(),
            sha256=clip.sha256,
            duration_s=clip.duration_s,
        )

    def get(self, sha256: str) -> Clip:
        """The clip of that hash, bit for bit as it was put.

        Raises:
            SpeechbenchError: not a SHA-256, no such clip here, or its file is damaged.
        """
        path = self.path(sha256)
        if not path.is_file():
            raise SpeechbenchError(
                f"expected the clip {sha256} in {self.root}, and it is not there. Keep the audio "
                "folder beside its log, or run again."
            )
        try:
            samples, rate_hz = soundfile.read(path, dtype="int16")
            clip = Clip.from_samples(samples, rate_hz)
        except (soundfile.LibsndfileError, SpeechbenchError) as error:
            raise _damaged(path, str(error)) from error
        if clip.sha256 != sha256:
            raise _damaged(path, f"its sound has the hash {clip.sha256}")
        return clip

    def path(self, sha256: str) -> Path:
        """Where the clip of that hash is or would be.

        Raises:
            SpeechbenchError: `sha256` is not 64 lower-case hex digits.
        """
        if not _SHA256.fullmatch(sha256):
            raise SpeechbenchError(
                f"expected a clip's SHA-256 (64 lower-case hex digits), got {sha256!r}."
            )
        return self.root / sha256[:2] / f"{sha256}.flac"

    def __contains__(self, sha256: object) -> bool:
        return (
            isinstance(sha256, str)
            and _SHA256.fullmatch(sha256) is not None
            and self.path(sha256).is_file()
        )

    def _is_whole(self, sha256: str) -> bool:
        try:
            self.get(sha256)
        except SpeechbenchError:
            return False
        return True


def _damaged(path: Path, reason: str) -> SpeechbenchError:
    return SpeechbenchError(
        f"expected a whole clip in {path}, and it is damaged ({reason}). Copy it again from where "
        "the run was made, or delete it and run again."
    )
