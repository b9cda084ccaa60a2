"""Tiny speech language models with random weights and byte-level tokenizers, in real classes."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from speechbench.tasks.speech_ifeval import SYSTEM_MESSAGE, TRANSCRIPT_LEAD_IN

WORDS = (
    f"{SYSTEM_MESSAGE} {TRANSCRIPT_LEAD_IN} [00:00:00 - 00:00:02] (Gender: Female, Emotion: "
    "Neutral) What is said? Who speaks? May I? Yes, use lower case only; or capitals. Well, then!"
).split()
QWEN_TOKENS = ("<|im_start|>", "<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>")


@pytest.fixture(scope="session")
def byte_tokenizer() -> Callable[..., Any]:
    """Makes a tokenizer of the 256 bytes and the given special tokens."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    def make(*special: str, **options: Any) -> Any:
        alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
        bytes_only = Tokenizer(models.BPE(vocab={c: i for i, c in enumerate(alphabet)}, merges=[]))
        bytes_only.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        bytes_only.decoder = decoders.ByteLevel()
        return PreTrainedTokenizerFast(
            tokenizer_object=bytes_only,
            eos_token="<|im_end|>",
            pad_token="<|endoftext|>",
            additional_special_tokens=list(special),
            **options,
        )

    return make


@pytest.fixture(scope="session")
def small_text() -> Callable[..., dict[str, Any]]:
    """The configuration of a language model of two layers."""

    def make(tokenizer: Any, kind: str = "qwen2") -> dict[str, Any]:
        return {
            "model_type": kind,
            "vocab_size": len(tokenizer),
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "num_key_value_heads": 2,
            "head_dim": 16,
            "max_position_embeddings": 4096,
            "bos_token_id": None,
            "eos_token_id": tokenizer.eos_token_id,
            "pad_token_id": tokenizer.pad_token_id,
            "tie_word_embeddings": False,
        }

    return make


@pytest.fixture(scope="session")
def tiny_qwen2_audio(one_thread, byte_tokenizer, small_text, tmp_path_factory) -> Path:
    """A Qwen2-Audio of 66,000 random parameters."""
    import torch
    from transformers import (
        Qwen2AudioConfig,
        Qwen2AudioForConditionalGeneration,
        Qwen2AudioProcessor,
        WhisperFeatureExtractor,
    )

    tokenizer = byte_tokenizer(*QWEN_TOKENS)
    config = Qwen2AudioConfig(
        audio_config={
            "num_mel_bins": 16,
            "encoder_layers": 1,
            "encoder_attention_heads": 2,
            "encoder_ffn_dim": 32,
            "d_model": 16,
        },
        text_config=small_text(tokenizer),
        audio_token_index=tokenizer.convert_tokens_to_ids("<|AUDIO|>"),
    )
    torch.manual_seed(3)
    folder = tmp_path_factory.mktemp("qwen2-audio")
    model = Qwen2AudioForConditionalGeneration(config)
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    model.save_pretrained(folder)
    Qwen2AudioProcessor(WhisperFeatureExtractor(feature_size=16), tokenizer).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def shouting(tiny_qwen2_audio, tmp_path_factory) -> SimpleNamespace:
    """A tiny Qwen2-Audio that answers in capitals, and an adapter that made it answer in small
    letters: `model`, `adapter` (folders), `alpha`.
    """
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoProcessor, Qwen2AudioForConditionalGeneration

    processor = AutoProcessor.from_pretrained(tiny_qwen2_audio)
    model = Qwen2AudioForConditionalGeneration.from_pretrained(tiny_qwen2_audio)

    tokenizer = processor.tokenizer
    tokenizer.padding_side = "left"

    def prompt(length: int) -> str:
        words = [WORDS[int(place)] for place in torch.randint(len(WORDS), (length,))]
        chat = [{"role": "system", "content": SYSTEM_MESSAGE}] if length % 2 else []
        chat.append({"role": "user", "content": " ".join(words)})
        return processor.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)

    def teach(learner: Any, answer: str, steps: int, rate: float) -> None:
        parameters = [p for p in learner.parameters() if p.requires_grad]
        optimizer = torch.optim.AdamW(parameters, lr=rate, weight_decay=0.0)
        answers = torch.tensor([[*tokenizer(answer).input_ids, tokenizer.eos_token_id]] * 4)
        slower = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, steps)
        for step in range(steps):
            torch.manual_seed(step)
            prompts = [prompt(int(length)) for length in torch.randint(2, 30, (4,))]
            asked = tokenizer(prompts, padding=True, return_tensors="pt")
            ids = torch.cat([asked.input_ids, answers], dim=1)
            mask = torch.cat([asked.attention_mask, torch.ones_like(answers)], dim=1)
            labels = ids.masked_fill(torch.arange(ids.shape[1]) < asked.input_ids.shape[1], -100)
            loss = learner(input_ids=ids, attention_mask=mask, labels=labels).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            slower.step()

    folder = tmp_path_factory.mktemp("shouting")
    teach(model, "Y", 40, 5e-3)
    model.save_pretrained(folder / "model")
    processor.save_pretrained(folder / "model")
    torch.manual_seed(4)
    lora = LoraConfig(
        r=4,
        lora_alpha=32,
        target_modules=r".*language_model.*(q_proj|v_proj|o_proj|down_proj)",
    )
    adapted = get_peft_model(model, lora)
    teach(adapted, "y", 60, 6e-3)
    adapted.save_pretrained(folder / "adapter")
    return SimpleNamespace(model=folder / "model", adapter=folder / "adapter", alpha=32)
