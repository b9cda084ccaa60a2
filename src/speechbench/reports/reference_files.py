"""Where the published tables are."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from speechbench.errors import SpeechbenchError

__all__ = ["references_folder"]


def references_folder() -> Traversable:
    """The folder `references/`: in the installed package, else at the root of a checkout.

    Raises:
        SpeechbenchError: There is neither.
    """
    places = (files("speechbench") / "_references", Path(__file__).parents[3] / "references")
    for place in places:
        if place.is_dir():
            return place
    raise SpeechbenchError(
        f"expected the published tables in {places[0]} or {places[1]}, and neither is there: "
        "install speechbench again."
    )
