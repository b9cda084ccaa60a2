"""A model that brings its own code, with DeSTA2's interface: `chat(messages, …)`, `tokenizer`."""

import asyncio
import json

import numpy as np
import pytest
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ContentAudio,
    ContentText,
    GenerateConfig,
    get_model,
)

from speechbench._stop import StoppedRunError
from speechbench.audio import Clip, data_uri

CODE = '''
import wave

import torch
from transformers import PretrainedConfig, PreTrainedModel, PreTrainedTokenizerFast


class ChattyConfig(PretrainedConfig):
    model_type = "chatty"


class ChattyModel(PreTrainedModel):
    """Says what it was given: roles, words, and each recording's length."""

    config_class = ChattyConfig

    def __init__(self, config):
        super().__init__(config)
        self.weight = torch.nn.Parameter(torch.zeros(1))
        self.tokenizer = PreTrainedTokenizerFast.from_pretrained(config.name_or_path)
        self.post_init()

    def chat(self, messages, max_new_tokens, do_sample, temperature=None, top_p=None):
        parts = []
        for message in messages:
            said = message["content"]
            if message["role"] == "audio":
                with wave.open(said) as file:
                    said = f"{file.getnframes() / file.getframerate():.1f}s@{file.getframerate()}"
            parts.append(f"{message['role'][0]}:{said}")
        if do_sample:
            parts.append(f"{temperature}/{top_p}/{int(torch.randint(10**6, (1,)))}")
        ids = self.tokenizer("|".join(parts)).input_ids[: max_new_tokens]
        if len(ids) < max_new_tokens:
            ids.append(self.tokenizer.eos_token_id)
        return torch.tensor([ids])
'''


@pytest.fixture(scope="module")
def chatty(one_thread, byte_tokenizer, tmp_path_factory):
    import torch
    from safetensors.torch import save_file

    folder = tmp_path_factory.mktemp("chatty")
    byte_tokenizer().save_pretrained(folder)
    (folder / "modeling_chatty.py").write_text(CODE, encoding="utf-8")
    config = {
        "model_type": "chatty",
        "architectures": ["ChattyModel"],
        "auto_map": {
            "AutoConfig": "modeling_chatty.ChattyConfig",
            "AutoModel": "modeling_chatty.ChattyModel",
        },
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    save_file({"weight": torch.zeros(1)}, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


@pytest.fixture(scope="module")
def model(chatty):
    return get_model(f"hf-speech/{chatty}", memoize=False, trust_remote_code=True)


def heard(text, seconds):
    clip = Clip.from_samples(np.zeros(int(seconds * 24_000)), 24_000)
    return ChatMessageUser(
        content=[ContentAudio(audio=data_uri(clip), format="wav"), ContentText(text=text)]
    )


def ask(model, *messages, **config):
    return asyncio.run(model.generate(list(messages), config=GenerateConfig(**config)))


def test_its_code_runs_only_where_it_was_allowed(chatty):
    with pytest.raises(StoppedRunError, match=r"brings its own code.*trust_remote_code=true"):
        get_model(f"hf-speech/{chatty}", memoize=False)


def test_recordings_come_as_files_between_the_messages(model):
    output = ask(
        model,
        ChatMessageSystem(content="Be brief."),
        heard("First?", 1.0),
        ChatMessageAssistant(content="One."),
        heard("Second?", 0.5),
    )
    assert output.completion == ("s:Be brief.|a:1.0s@16000|u:First?|a:One.|a:0.5s@16000|u:Second?")
    assert output.stop_reason == "stop"
    assert output.usage.output_tokens == len(output.completion) + 1
    assert output.usage.input_tokens == len("Be brief.\nFirst?\nOne.\nSecond?")


def test_sampling_and_limits_are_handed_on(model):
    question = ChatMessageUser(content="Well?")
    first, again, other = (
        ask(model, question, temperature=0.5, top_p=0.9, seed=seed).completion for seed in (1, 1, 2)
    )
    assert first.startswith("u:Well?|0.5/0.9/")
    assert first == again != other
    cut = ask(model, question, max_tokens=3)
    assert (cut.completion, cut.stop_reason) == ("u:W", "max_tokens")


def test_code_of_another_interface_is_refused(chatty, tmp_path):
    for path in chatty.iterdir():
        if path.is_file():
            text = path.read_bytes().replace(b"def chat(", b"def talk(")
            (tmp_path / path.name).write_bytes(text)
    with pytest.raises(StoppedRunError, match=r"offer `chat\(messages, …\)`"):
        get_model(f"hf-speech/{tmp_path}", memoize=False, trust_remote_code=True)
