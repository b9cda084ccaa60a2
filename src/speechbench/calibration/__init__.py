"""The instrument's own error: a model whose following is known, measured a thousand times.

`build_bank` renders speech that follows a style and speech that does not, and has it judged;
`calibrate` draws studies from that bank and holds their intervals against the truth.
"""

from speechbench.calibration.bank import Bank, build_bank
from speechbench.calibration.studies import (
    Calibration,
    Coverage,
    StyleCalibration,
    calibrate,
    followed_probability,
)

__all__ = [
    "Bank",
    "Calibration",
    "Coverage",
    "StyleCalibration",
    "build_bank",
    "calibrate",
    "followed_probability",
]
