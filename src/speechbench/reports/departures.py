"""Where a run departed from its protocol, so that its numbers do not stand under that name."""

import hashlib
import json
from collections.abc import Mapping

from speechbench.records import RunInfo

__all__ = ["as_run"]


def as_run(info: RunInfo, temperature: float | None, roles: Mapping[str, str]) -> RunInfo:
    """What the run was really made under.

    A task writes its protocol before Inspect applies what the user gave on the command line:
    `--temperature` overrides the protocol's, `--model-role user=…` its user simulator.

    Args:
        info: as the task wrote it.
        temperature: the sampling temperature that was in force, None where none was set.
        roles: role to model.

    Returns:
        `info` itself where nothing departs; else a copy with the changes in its details, named
        in `protocol`, and with a hash of its own, so that it compares with no run that kept to
        the protocol.
    """
    planned = info.protocol_details
    in_force = {
        "temperature": temperature,
        "simulator": roles.get("user", planned.get("simulator")),
    }
    # what a protocol leaves open (imported responses, a benchmark without a user) cannot depart
    actual = {
        name: value
        for name, value in in_force.items()
        if planned.get(name) is not None and value != planned[name]
    }
    if not actual:
        return info
    text = json.dumps([info.protocol_hash, actual], sort_keys=True)
    named = ", ".join(f"{key} {value}" for key, value in actual.items())
    joined = ", " if " with " in info.protocol else " with "
    return info.model_copy(
        update={
            "protocol": f"{info.protocol}{joined}{named}",
            "protocol_hash": hashlib.sha256(text.encode()).hexdigest()[:16],
            "protocol_details": {**planned, **actual},
        }
    )
