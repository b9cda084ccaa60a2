"""What models that run in this process share: their limit, and how an answer becomes an output."""

import os
from typing import Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    StopReason,
)

__all__ = ["LOCAL_CONNECTIONS", "LocalAPI", "limit_connections"]

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


class LocalAPI(ModelAPI):
    """Base of the providers whose model runs in this process."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None,
        api_key: str | None,
        config: GenerateConfig,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        limit_connections(config)

    def max_connections(self) -> int:
        """As many calls at once as this machine has use for."""
        return LOCAL_CONNECTIONS

    def answer(
        self,
        message: ChatMessageAssistant | str,
        stop_reason: StopReason = "stop",
        usage: ModelUsage | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> ModelOutput:
        """What the model answered, as Inspect takes it.

        Args:
            message: the whole message, or its text.
            stop_reason: why the answer ended.
            usage: tokens read and written.
            metadata: what a person who reads the log may want to know.
        """
        if isinstance(message, str):
            message = ChatMessageAssistant(
                content=message, model=self.model_name, source="generate"
            )
        return ModelOutput(
            model=self.model_name,
            choices=[ChatCompletionChoice(message=message, stop_reason=stop_reason)],
            usage=usage,
            metadata=metadata,
        )
