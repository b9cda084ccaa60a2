"""What the measures raise where a clip has no value."""

from speechbench.errors import SpeechbenchError

__all__ = ["UnmeasurableError"]


class UnmeasurableError(SpeechbenchError):
    """A clip has no such value (loudness of silence, pitch of noise); the sentence says why.

    Never a NaN or an infinity instead: those compare without complaint.
    """
