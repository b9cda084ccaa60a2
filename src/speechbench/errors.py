"""The one base class of every error that speechbench raises on purpose."""

__all__ = ["SpeechbenchError"]


class SpeechbenchError(Exception):
    """Something the user can act on: what was expected, what came, and what to do.

    The command line prints the sentence alone and exits with status 2; Inspect shows it as the
    reason a task or sample ended.
    """
