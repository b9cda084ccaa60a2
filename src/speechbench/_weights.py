"""Weights that no package ships: where they are found, by what they hold, and what runs them.

One variable says where, for every command alike:

    export SPEECHBENCH_WEIGHTS=/models          # /models/emotion2vec-plus-large/, …
    export SPEECHBENCH_WEIGHTS=emotion2vec-plus-large=emotion2vec/emotion2vec_plus_large@REVISION

Several entries are separated by commas. What no entry names comes from the Hub.
"""

import fnmatch
import hashlib
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from speechbench._extras import load_extra
from speechbench.errors import SpeechbenchError

__all__ = ["WEIGHTS_VARIABLE", "Weights", "find_weights", "torch_device", "weights_source"]

WEIGHTS_VARIABLE = "SPEECHBENCH_WEIGHTS"


class Weights(NamedTuple):
    """Weights on this machine.

    Attributes:
        folder: where their files are.
        sha256: over names and contents of those files: the same weights have the same hash,
            whether they came from the Hub or from a folder.
    """

    folder: Path
    sha256: str


def weights_source(name: str) -> str | None:
    """What `SPEECHBENCH_WEIGHTS` says of the weights `name`; None where it says nothing.

    Returns:
        A folder, or `ORG/REPO` or `ORG/REPO@REVISION` on the Hub.
    """
    for entry in filter(None, map(str.strip, os.environ.get(WEIGHTS_VARIABLE, "").split(","))):
        named, equals, source = entry.partition("=")
        if equals and named == name:
            return source
        if not equals and (Path(entry) / name).is_dir():
            return str(Path(entry) / name)
    return None


def find_weights(
    name: str, hub: str, files: Sequence[str], source: str | None = None, extra: str = "judges"
) -> Weights:
    """The weights `name`, downloaded where they are not on this machine.

    Args:
        name: what they are called in `SPEECHBENCH_WEIGHTS`.
        hub: their repository on the Hub, used where neither `source` nor the variable says where.
        files: names of the files that make the model, as shell patterns; each must find one. One
            that begins with `?` may find none.
        source: a folder, or `ORG/REPO[@REVISION]`; what the variable says if None.
        extra: the extra that brings the Hub's client.

    Raises:
        SpeechbenchError: there are none, or files are missing; the sentence says what to do.
    """
    place = source or weights_source(name) or hub
    patterns = [pattern.removeprefix("?") for pattern in files]
    folder = Path(place)
    if not folder.is_dir():
        if folder.is_absolute() or place.startswith(".") or place.count("/") != 1:
            raise SpeechbenchError(
                f"expected the weights {name!r} in {place}, and there is no such folder. Name a "
                f"folder or ORG/REPO[@REVISION] with {WEIGHTS_VARIABLE}={name}=…"
            )
        folder = _from_hub(name, place, patterns, extra)
    present = sorted(path for path in folder.iterdir() if path.is_file())
    found = [p for p in present if any(fnmatch.fnmatch(p.name, pattern) for pattern in patterns)]
    for pattern in files:
        if not pattern.startswith("?") and not fnmatch.filter([p.name for p in found], pattern):
            raise SpeechbenchError(
                f"expected a file {pattern} among the weights {name!r} in {folder}, got "
                f"{', '.join(path.name for path in present) or 'an empty folder'}."
            )
    digest = hashlib.sha256()
    for path in found:
        stat = path.stat()
        digest.update(f"{path.name}\n{_sha256(path, stat.st_size, stat.st_mtime_ns)}\n".encode())
    return Weights(folder, digest.hexdigest())


def torch_device(device: str | None) -> str:
    """`device`, or a GPU where torch finds one, else the CPU."""
    if device is not None:
        return device
    torch = load_extra("torch", "judges")
    return "cuda" if torch.cuda.is_available() else "cpu"


def _from_hub(name: str, place: str, patterns: Sequence[str], extra: str) -> Path:
    hub = load_extra("huggingface_hub", extra)
    errors = load_extra("huggingface_hub.errors", extra)
    repository, _, revision = place.partition("@")
    try:
        return Path(
            hub.snapshot_download(
                repository, revision=revision or None, allow_patterns=list(patterns)
            )
        )
    except (errors.HfHubHTTPError, errors.LocalEntryNotFoundError, OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise SpeechbenchError(
            f"expected the weights {name!r} on the Hub at {place}, and could not get them "
            f"({reason}). Copy them to a folder and set {WEIGHTS_VARIABLE}={name}=FOLDER."
        ) from error


@cache
def _sha256(path: Path, size: int, changed_ns: int) -> str:
    """Hash of a file, taken once a process while size and time of change stay."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
