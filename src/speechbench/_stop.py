"""Our errors in the form in which Inspect prints a sentence instead of a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

from inspect_ai._util.error import PrerequisiteError
from rich.markup import escape

from speechbench.errors import SpeechbenchError

__all__ = ["StoppedRunError", "stops_the_run"]


class StoppedRunError(SpeechbenchError, PrerequisiteError):
    """A run that could not begin, and why."""

    def __init__(self, sentence: str) -> None:
        SpeechbenchError.__init__(self, sentence)
        self.message = escape(sentence)  # Inspect prints it as rich markup


@contextmanager
def stops_the_run() -> Iterator[None]:
    """Around what happens before a run begins: making a task, loading a model.

    Raises:
        StoppedRunError: in place of any SpeechbenchError raised inside.
    """
    try:
        yield
    except SpeechbenchError as error:
        raise StoppedRunError(str(error)) from error
