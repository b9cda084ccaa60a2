"""Verifiers of text constraints: pure functions in tables, in three profiles.

`paper` gives the verdicts behind Speech-IFEval's published tables; `fixed` checks what the
instruction says; `ifeval` reads all 25 constraints of IFEval as that benchmark does. Each rule's
docstring says what it accepts and where the profiles differ.
"""

from speechbench.constraints.checking import (
    CHECK_PROFILES,
    PROFILES,
    CheckProfile,
    Profile,
    Verdicts,
    check,
    checker,
    verdicts,
)
from speechbench.constraints.ifeval_table import IFEVAL, IFEvalConstraint
from speechbench.constraints.table import (
    CONSTRAINTS,
    VERIFIERS_VERSION,
    Constraint,
    constraint,
    group_of,
)

__all__ = [
    "CHECK_PROFILES",
    "CONSTRAINTS",
    "IFEVAL",
    "PROFILES",
    "VERIFIERS_VERSION",
    "CheckProfile",
    "Constraint",
    "IFEvalConstraint",
    "Profile",
    "Verdicts",
    "check",
    "checker",
    "constraint",
    "group_of",
    "verdicts",
]
