"""The spoken dialogue: the user simulator, the neutral reference, and the loop over turns."""

from speechbench.dialogue.log_audio import log_audio_store
from speechbench.dialogue.record import DialogueRecord, TurnRecord
from speechbench.dialogue.solver import spoken_dialogue

__all__ = ["DialogueRecord", "TurnRecord", "log_audio_store", "spoken_dialogue"]
