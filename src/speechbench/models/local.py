"""What models that run in this process share: as many calls at once as the machine has use for."""

import os

from inspect_ai.model import GenerateConfig

__all__ = ["LOCAL_CONNECTIONS", "limit_connections"]

LOCAL_CONNECTIONS = 2 * max(1, min(4, os.cpu_count() or 1))
"""Calls at once: enough that no core waits, few enough that a run's memory does not grow."""


def limit_connections(config: GenerateConfig) -> None:
    """Have Inspect keep to the provider's `max_connections`.

    Inspect asks a provider for its limit only where adaptive connections are off, and raises the
    number of samples in flight to a hundred otherwise. What the user sets wins.

    Args:
        config: as handed to the provider, which is the config that Inspect reads.
    """
    if config.adaptive_connections is None and config.max_connections is None:
        config.adaptive_connections = False
