"""Verifiers of Speech-IFEval's text constraints: pure functions in a table, in two profiles.

`paper` gives the verdicts behind the published tables; `fixed` checks what the instruction says.
Each rule's docstring says what it accepts and where the two differ.
"""

from speechbench.constraints.table import (
    CONSTRAINTS,
    PROFILES,
    VERIFIERS_VERSION,
    Constraint,
    Profile,
    check,
    constraint,
    group_of,
)

__all__ = [
    "CONSTRAINTS",
    "PROFILES",
    "VERIFIERS_VERSION",
    "Constraint",
    "Profile",
    "check",
    "constraint",
    "group_of",
]
