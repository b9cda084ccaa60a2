"""The spoken dialogue: both sides, styles by schedule, recall, the neutral reference."""

from speechbench.dialogue.condition import Condition
from speechbench.dialogue.log_audio import log_audio_store
from speechbench.dialogue.prompts import Prompts, prompts_from
from speechbench.dialogue.record import DialogueRecord, TurnRecord
from speechbench.dialogue.schedule import check_schedule
from speechbench.dialogue.solver import check_models, spoken_dialogue

__all__ = [
    "Condition",
    "DialogueRecord",
    "Prompts",
    "TurnRecord",
    "check_models",
    "check_schedule",
    "log_audio_store",
    "prompts_from",
    "spoken_dialogue",
]
