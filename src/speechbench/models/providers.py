"""The providers by name; each is imported when a model of it is first asked for."""

from inspect_ai.model import ModelAPI, modelapi

__all__ = ["cascade", "embedded", "hf_speech", "synthetic"]


@modelapi(name="embedded")
def embedded() -> type[ModelAPI]:
    """`embedded/smollm2-135m`: the text LLM that ships in a package."""
    from speechbench.models.smollm2 import SmolLM2API

    return SmolLM2API


@modelapi(name="cascade")
def cascade() -> type[ModelAPI]:
    """`cascade/embedded`: ASR, a text LLM and TTS in a row."""
    from speechbench.models.cascade import CascadeAPI

    return CascadeAPI


@modelapi(name="hf-speech")
def hf_speech() -> type[ModelAPI]:
    """`hf-speech/<folder or id>`: audio and text in, text out, in transformers."""
    from speechbench.models.hf_speech import HFSpeechAPI

    return HFSpeechAPI


@modelapi(name="synthetic")
def synthetic() -> type[ModelAPI]:
    """`synthetic/forgetful`: an SLM whose forgetting is set, not measured."""
    from speechbench.models.synthetic import ForgetfulAPI

    return ForgetfulAPI
