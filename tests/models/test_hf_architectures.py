"""Every architecture that `hf-speech` knows, tiny and random, in its published form."""

import asyncio
import json
import shutil
from pathlib import Path

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

from speechbench import SpeechbenchError
from speechbench._stop import StoppedRunError
from speechbench.audio import Clip, data_uri
from speechbench.models.granite_features import GraniteFeatures

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
ARCHITECTURES = ("audio_flamingo", "granite", "phi4", "voxtral")
ENCODER = {
    "num_mel_bins": 128,
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
}


def tone(seconds, hz=300.0):
    wave = 0.3 * np.sin(2 * np.pi * hz * np.arange(int(seconds * 16_000)) / 16_000)
    return Clip.from_samples(wave, 16_000)


def heard(text, clip):
    return ChatMessageUser(
        content=[ContentAudio(audio=data_uri(clip), format="wav"), ContentText(text=text)]
    )


def save(model, tokenizer, folder):
    import torch

    torch.manual_seed(5)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=0.1)
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    model.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def audio_flamingo(one_thread, byte_tokenizer, small_text, tmp_path_factory):
    from transformers import (
        AudioFlamingo3Config,
        AudioFlamingo3ForConditionalGeneration,
        AudioFlamingo3Processor,
        WhisperFeatureExtractor,
    )

    tokenizer = byte_tokenizer("<|im_start|>", "<sound>")
    config = AudioFlamingo3Config(
        audio_config=ENCODER,
        text_config=small_text(tokenizer),
        audio_token_id=tokenizer.convert_tokens_to_ids("<sound>"),
    )
    folder = tmp_path_factory.mktemp("audio-flamingo")
    extractor = WhisperFeatureExtractor(feature_size=128, return_attention_mask=True)
    AudioFlamingo3Processor(extractor, tokenizer, chat_template=CHATML).save_pretrained(folder)
    return save(AudioFlamingo3ForConditionalGeneration(config), tokenizer, folder)


@pytest.fixture(scope="module")
def granite(one_thread, byte_tokenizer, small_text, tmp_path_factory):
    from transformers import GraniteSpeechConfig, GraniteSpeechForConditionalGeneration

    tokenizer = byte_tokenizer("<|im_start|>", "<|audio|>", chat_template=CHATML)
    config = GraniteSpeechConfig(
        text_config=small_text(tokenizer, "granite"),
        encoder_config={"hidden_dim": 16, "num_layers": 2, "num_heads": 2, "output_dim": 8},
        projector_config={
            "model_type": "blip_2_qformer",
            "hidden_size": 16,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "intermediate_size": 32,
            "encoder_hidden_size": 16,
            "vocab_size": 8,
        },
        audio_token_index=tokenizer.convert_tokens_to_ids("<|audio|>"),
        has_lora_adapter=False,
        tie_word_embeddings=False,
    )
    folder = tmp_path_factory.mktemp("granite-speech")
    tokenizer.save_pretrained(folder)
    preprocessor = {
        "feature_extractor_type": "GraniteSpeechFeatureExtractor",
        "melspec_kwargs": {"n_fft": 512, "win_length": 400, "hop_length": 160, "n_mels": 80},
        "sampling_rate": 16_000,
        "projector_window_size": 15,
        "projector_downsample_rate": 5,
    }
    (folder / "preprocessor_config.json").write_text(json.dumps(preprocessor))
    return save(GraniteSpeechForConditionalGeneration(config), tokenizer, folder)


@pytest.fixture(scope="module")
def phi4(one_thread, byte_tokenizer, small_text, tmp_path_factory):
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import (
        Phi4MultimodalConfig,
        Phi4MultimodalFeatureExtractor,
        Phi4MultimodalForCausalLM,
    )

    tokenizer = byte_tokenizer("<|im_start|>", "<|audio|>", chat_template=CHATML)
    text = small_text(tokenizer)
    text = {k: v for k, v in text.items() if k not in ("model_type", "head_dim")}
    config = Phi4MultimodalConfig(
        **text,
        original_max_position_embeddings=4096,
        vision_config={
            "hidden_size": 16,
            "intermediate_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "image_size": 28,
            "crop_size": 28,
        },
        audio_config={
            "hidden_size": 16,
            "intermediate_size": 32,
            "num_blocks": 1,
            "num_attention_heads": 2,
            "ext_pw_out_channel": 16,
            "depthwise_separable_out_channel": 16,
            "nemo_conv_channels": 16,
            "audio_token_id": tokenizer.convert_tokens_to_ids("<|audio|>"),
        },
    )
    folder = tmp_path_factory.mktemp("phi4")
    tokenizer.save_pretrained(folder)
    Phi4MultimodalFeatureExtractor().save_pretrained(folder)
    model = Phi4MultimodalForCausalLM(config)
    save(model, tokenizer, folder)
    adapted = get_peft_model(model, LoraConfig(r=2, target_modules=r".*layers.*qkv_proj"))
    torch.manual_seed(6)
    for name, parameter in adapted.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(parameter, std=0.5)
    adapted.save_pretrained(folder / "speech-lora")
    return folder


@pytest.fixture(scope="module")
def voxtral(one_thread, tmp_path_factory):
    """Its real tokenizer: a Tekken file of mistral-common, with an audio section."""
    from transformers.utils import is_mistral_common_available

    if not is_mistral_common_available():
        pytest.skip("needs the extra `voxtral`, whose tokenizer wants an older numpy")
    import mistral_common
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer
    from transformers import (
        VoxtralConfig,
        VoxtralForConditionalGeneration,
        VoxtralProcessor,
        WhisperFeatureExtractor,
    )
    from transformers.tokenization_mistral_common import MistralCommonBackend

    folder = tmp_path_factory.mktemp("voxtral")
    data = Path(mistral_common.__file__).parent / "data" / "tekken_240911.json"
    tekken = json.loads(data.read_text(encoding="utf-8"))
    tekken["config"]["version"] = "v7"
    names = {int(t["rank"]): t["token_str"] for t in Tekkenizer.DEPRECATED_SPECIAL_TOKENS}
    names |= {24: "[AUDIO]", 25: "[BEGIN_AUDIO]", 34: "[TRANSCRIBE]"}
    tekken["special_tokens"] = [
        {"rank": rank, "token_str": names.get(rank, f"<SPECIAL_{rank}>"), "is_control": True}
        for rank in range(1000)
    ]
    tekken["audio"] = {
        "sampling_rate": 16_000,
        "frame_rate": 12.5,
        "audio_encoding_config": {"num_mel_bins": 128, "hop_length": 160, "window_size": 400},
        "chunk_length_s": 30.0,
    }
    (folder / "tekken.json").write_text(json.dumps(tekken), encoding="utf-8")
    tokenizer = MistralCommonBackend.from_pretrained(folder)
    VoxtralProcessor(WhisperFeatureExtractor(feature_size=128), tokenizer).save_pretrained(folder)
    config = VoxtralConfig(
        audio_config={**ENCODER, "intermediate_size": 64},
        text_config={
            "vocab_size": 131_072,
            "hidden_size": 16,
            "intermediate_size": 32,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "num_key_value_heads": 1,
            "head_dim": 8,
            "max_position_embeddings": 8192,
        },
        audio_token_id=24,
    )
    return save(VoxtralForConditionalGeneration(config), tokenizer, folder)


@pytest.fixture(scope="module", params=ARCHITECTURES)
def folder(request):
    return request.getfixturevalue(request.param)


def test_it_hears_remembers_and_reads(folder):
    model = get_model(f"hf-speech/{folder}", memoize=False)
    system = ChatMessageSystem(content="Be brief.")
    first = heard("What do you hear?", tone(1.0))
    again = heard("And now?", tone(0.6, 700))
    conversations = [
        [system, first],
        [system, first, ChatMessageAssistant(content="A tone."), again],
        [system, ChatMessageUser(content="Say something.")],
        [heard("What do you hear?", tone(0.6, 700))],
    ]
    config = GenerateConfig(max_tokens=6)

    async def together():
        return await asyncio.gather(*[model.generate(c, config=config) for c in conversations])

    at_once = asyncio.run(together())
    alone = [asyncio.run(model.generate(c, config=config)) for c in conversations]
    assert [o.completion for o in at_once] == [o.completion for o in alone]
    assert [o.usage.input_tokens for o in at_once] == [o.usage.input_tokens for o in alone]
    one, two, text, other = alone
    assert two.usage.input_tokens > one.usage.input_tokens > text.usage.input_tokens
    assert {o.stop_reason for o in alone} <= {"stop", "max_tokens"}
    assert len({one.completion, two.completion, text.completion, other.completion}) > 1


def test_phi4_needs_its_speech_adapter(phi4, tmp_path):
    shutil.copytree(phi4, tmp_path / "bare", ignore=shutil.ignore_patterns("speech-lora"))
    with pytest.raises(StoppedRunError, match="expected an adapter in the folder"):
        get_model(f"hf-speech/{tmp_path}/bare", memoize=False)


def test_an_adapter_on_top_of_its_own_is_refused(phi4, shouting):
    with pytest.raises(StoppedRunError, match="listens through an adapter of its own"):
        get_model(f"hf-speech/{phi4}", memoize=False, adapter=str(shouting.adapter))


def test_granite_features_are_those_of_the_published_extractor(granite):
    """torchaudio's definition, by transformers' own spectrogram in numpy."""
    from transformers.audio_utils import mel_filter_bank, spectrogram, window_function

    rng = np.random.default_rng(1)
    clip = rng.normal(scale=0.1, size=16_123).astype(np.float32)
    log = spectrogram(
        clip,
        window_function(400, "hann"),
        frame_length=400,
        hop_length=160,
        fft_length=512,
        power=2.0,
        mel_filters=mel_filter_bank(257, 80, 0.0, 8000.0, 16_000, mel_scale="htk"),
        mel_floor=1e-10,
        log_mel="log10",
    ).T
    expected = np.maximum(log, log.max() - 8.0) / 4 + 1
    expected = expected[: len(expected) // 2 * 2].reshape(-1, 160)
    extract = GraniteFeatures.from_pretrained(str(granite), {})
    found, sizes = extract([clip])
    np.testing.assert_allclose(found["input_features"][0].numpy(), expected, atol=1e-3)
    # 101 frames, 50 pairs, 4 windows of 15, three embeddings each
    assert sizes == [12]
    assert found["input_features_mask"].shape == (1, 12)
    with pytest.raises(SpeechbenchError, match="more than 256 samples, got 100"):
        extract([clip[:100]])


def test_a_text_that_holds_the_audio_token_is_refused(granite):
    model = get_model(f"hf-speech/{granite}", memoize=False)
    with pytest.raises(SpeechbenchError, match="a place for each of 1 recordings"):
        asyncio.run(model.generate([heard("Is <|audio|> a token?", tone(1.0))]))
