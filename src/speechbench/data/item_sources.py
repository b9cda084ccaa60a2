"""Where a run's items and their recordings come from: the package, the Hub, or a folder."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from speechbench._extras import load_extra
from speechbench.data.archive import unpack
from speechbench.data.speech_ifeval import (
    BUILTIN_ITEMS,
    ITEM_FILES,
    ConstraintItem,
    builtin_items,
    builtin_recordings,
    read_items,
)
from speechbench.errors import SpeechbenchError

__all__ = ["BUILTIN", "HUB", "HUB_DATASET", "ItemSet", "load_items"]

BUILTIN = "builtin"
HUB = "hub"
HUB_DATASET = "kehanlu/Speech-IFEval"
"""The benchmark's dataset on the Hub, and the name of its code repository on GitHub."""

_FILES = "files"
_ARCHIVE = "audios.tar"
_ARCHIVES = (_ARCHIVE, f"data/{_ARCHIVE}")
_AUDIO_FOLDERS = (".", "audios", "data/audios")


@dataclass(frozen=True, slots=True)
class ItemSet:
    """The items of one source.

    Attributes:
        name: part of the protocol; the benchmark's own items have one name wherever they were
            read, since their hash tells sets apart.
        items: in the source's order.
        audio_dir: what the items' `audio` is relative to; None where there is no audio, or none
            was asked for.
        origin: what identifies files that were fetched or unpacked: `revision`, the Hub's commit;
            `archive_sha256`. For the log.
    """

    name: str
    items: tuple[ConstraintItem, ...]
    audio_dir: Path | None
    origin: dict[str, str]


def load_items(
    source: str, *, audio: bool, audio_dir: str | None = None, cache: Path | None = None
) -> ItemSet:
    """The items of `source`, and where their recordings are.

    Args:
        source: `builtin`; `hub`, the benchmark's dataset, fetched once and then kept by the Hub's
            own cache (an interrupted download goes on where it stopped); or a file or folder of
            the benchmark's JSONL: a checkout, or a local copy of the dataset.
        audio: False where nobody will listen: recordings are then neither fetched nor unpacked.
        audio_dir: the folder of the recordings, for a file or folder that does not hold them; or
            `hub`, which fetches only them.
        cache: where an archive is unpacked; by default the user's cache.

    Raises:
        SpeechbenchError: There is no such source, it cannot be fetched or read, its archive is
            broken, the dataset holds no items, or `audio_dir` is given for the built-in ones.
    """
    if source == BUILTIN:
        if audio_dir is not None:
            raise SpeechbenchError(
                "expected `-T audio_dir=` together with `-T source=FOLDER` or a file; the built-in "
                f"items bring their own sound. Got {audio_dir!r}."
            )
        return ItemSet(BUILTIN_ITEMS, builtin_items(), builtin_recordings(), {})
    folder = Path(source)
    origin: dict[str, str] = {}
    if source == HUB:
        folder, origin = _snapshot([f"*{name}" for name in ITEM_FILES], audio)
        items = read_items(_folder_of_items(folder))
    else:
        items = read_items(folder)
    if not audio:
        return ItemSet(_FILES, items, None, origin)
    if audio_dir == HUB:
        folder, origin = _snapshot([], audio)
    elif audio_dir is not None:
        return ItemSet(_FILES, items, Path(audio_dir), origin)
    where, archive = _recordings(folder, items, cache or _user_cache())
    return ItemSet(_FILES, items, where, origin | archive)


def _user_cache() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("speechbench") / "recordings"


def _snapshot(patterns: Sequence[str], audio: bool) -> tuple[Path, dict[str, str]]:
    """The dataset's folder in the Hub's cache, and its revision."""
    hub: Any = load_extra("huggingface_hub", "hub")
    wanted = [*patterns, *(_ARCHIVES if audio else ())]
    try:
        folder = Path(
            hub.snapshot_download(HUB_DATASET, repo_type="dataset", allow_patterns=wanted)
        )
    except (OSError, hub.errors.HTTPError) as error:  # the second is its HTTP client's base class
        raise SpeechbenchError(
            f"cannot fetch the dataset {HUB_DATASET} from the Hub: {str(error).rstrip('.')}. Run "
            "again to go on, or name the folder of a local copy with `-T source=`."
        ) from None
    return folder, {"revision": folder.name}


def _folder_of_items(snapshot: Path) -> Path:
    for name in ITEM_FILES:
        for path in sorted(snapshot.rglob(name)):
            return path.parent
    raise SpeechbenchError(
        f"the dataset {HUB_DATASET} holds no {', '.join(ITEM_FILES)} in this revision "
        f"({snapshot.name}). They also stand in data/eval_data of the benchmark's code repository: "
        f"clone https://github.com/{HUB_DATASET} and run with `-T source=FOLDER -T audio_dir=hub`."
    )


def _recordings(
    folder: Path, items: Sequence[ConstraintItem], cache: Path
) -> tuple[Path | None, dict[str, str]]:
    """The folder under which the items' audio stands, beside the items or out of the archive."""
    if folder.is_file():
        return None, {}
    if (found := _audio_folder(folder, items)) is not None:
        return found, {}
    for name in _ARCHIVES:
        if not (folder / name).is_file():
            continue
        unpacked = unpack(folder / name, cache)
        found = _audio_folder(unpacked.folder, items)
        if found is None:
            raise SpeechbenchError(
                f"{folder / name}: expected {items[0].audio} in it, itself or in "
                f"{' or '.join(_AUDIO_FOLDERS[1:])}. It was unpacked to {unpacked.folder}; name "
                "the folder of the recordings with `-T audio_dir=`."
            )
        return found, {"archive_sha256": unpacked.sha256}
    return None, {}


def _audio_folder(folder: Path, items: Sequence[ConstraintItem]) -> Path | None:
    """The first place where the first recording stands; whether all do is for the task to check."""
    first = next((item.audio for item in items if item.audio), None)
    if first is None:
        return None
    places = (folder / name for name in _AUDIO_FOLDERS)
    return next((place for place in places if (place / first).is_file()), None)
