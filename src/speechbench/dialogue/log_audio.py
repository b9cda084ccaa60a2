"""Where the clips of the running log are kept: the folder `audio` beside the log file."""

from pathlib import Path
from urllib.parse import unquote, urlparse

from inspect_ai.log._samples import sample_active

from speechbench.audio import ClipStore
from speechbench.errors import SpeechbenchError

__all__ = ["log_audio_store", "log_folder"]


def log_folder() -> Path:
    """The folder of the log that the running sample will be written to.

    Raises:
        SpeechbenchError: no sample is running, or the log is not on this machine's disk: clips
            are written beside the log.
    """
    active = sample_active()
    if active is None:
        raise SpeechbenchError("expected to run inside an Inspect sample; there is none.")
    url = urlparse(active.log_location)
    if url.scheme not in ("", "file"):
        raise SpeechbenchError(
            f"expected a log folder on a local disk, got {active.log_location}; audio is kept "
            "beside the log. Write the log locally and copy the folder afterwards."
        )
    path = unquote(url.path) if url.scheme == "file" else active.log_location
    return Path(path).resolve().parent


def log_audio_store() -> ClipStore:
    """The clip store of the running sample's log; see `log_folder` for errors."""
    return ClipStore(log_folder() / "audio")
