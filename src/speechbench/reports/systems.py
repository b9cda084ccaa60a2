"""Which text model a spoken model was made from: the one table, `references/systems.toml`."""

import tomllib
from collections.abc import Iterable
from functools import cache

from pydantic import BaseModel, ConfigDict

from speechbench.reports.reference_files import references_folder

__all__ = ["System", "find_backbone", "printed_backbones", "system_of", "systems"]


class System(BaseModel):
    """A spoken model and its text model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    models: tuple[str, ...]
    """Names that Inspect logs, or what they end with: `org/model` for `hf-speech/org/model`."""
    backbone: str
    backbone_models: tuple[str, ...]
    instruction_tuned: bool
    """False where the text model follows no instructions by itself: then there is no Δ."""
    source: str


@cache
def systems() -> tuple[System, ...]:
    """Every row of the table."""
    table = tomllib.loads((references_folder() / "systems.toml").read_text("utf-8"))
    return tuple(System.model_validate(row) for row in table["system"])


def system_of(model: str) -> System | None:
    """The row of a model, None where it has none.

    >>> system_of("hf-speech/DeSTA-ntu/DeSTA2-8B-beta").backbone
    'Llama3-8B-Instruct'
    """
    return next((row for row in systems() if _is_one_of(model, row.models)), None)


def find_backbone(model: str, among: Iterable[str]) -> str | None:
    """The name under which a model's text model has run, else the name that it would have.

    Args:
        model: The spoken model, by the name that Inspect logs.
        among: The models that have runs.

    Returns:
        None where the model's text model is not known.

    >>> find_backbone("vllm/DeSTA-ntu/DeSTA2-8B-beta", ["hf/meta-llama/Meta-Llama-3-8B-Instruct"])
    'hf/meta-llama/Meta-Llama-3-8B-Instruct'
    """
    row = system_of(model)
    if row is None:
        return None
    names = row.backbone_models
    return next((other for other in sorted(among) if _is_one_of(other, names)), names[0])


def printed_backbones() -> dict[str, str]:
    """System to text model, by the names of the paper; without those that have no Δ."""
    return {row.name: row.backbone for row in systems() if row.instruction_tuned}


def _is_one_of(model: str, names: Iterable[str]) -> bool:
    return any(model == name or model.endswith(f"/{name}") for name in names)
