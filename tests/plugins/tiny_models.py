"""Tiny models with random weights, made with the real classes and in the form that is published.

`tiny_weights` is a folder of all of them, for the variable `SPEECHBENCH_WEIGHTS`.
"""

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EMOTION_LABELS = (
    "生气/angry",
    "厌恶/disgusted",
    "恐惧/fearful",
    "开心/happy",
    "中立/neutral",
    "其他/other",
    "难过/sad",
    "吃惊/surprised",
    "<unk>",
)
_EMOTION2VEC_AUDIO = {
    "type": "AUDIO",
    "prenet_depth": 1,
    "prenet_layerdrop": 0.0,
    "prenet_dropout": 0.0,
    "start_drop_path_rate": 0.0,
    "end_drop_path_rate": 0.0,
    "num_extra_tokens": 2,
    "init_extra_token_zero": False,
    "mask_prob": 0.0,
    "mask_noise_std": 0.01,
    "mask_prob_min": None,
    "inverse_mask": False,
    "mask_prob_adjust": 0.0,
    "keep_masked_pct": 0.0,
    "mask_length": 5,
    "add_masks": False,
    "remove_masks": False,
    "mask_dropout": 0.0,
    "encoder_zero_mask": True,
    "mask_channel_prob": 0.0,
    "mask_channel_length": 64,
    "local_grad_mult": 1.0,
    "use_alibi_encoder": True,
    "alibi_scale": 1.0,
    "learned_alibi": False,
    "alibi_max_pos": None,
    "learned_alibi_scale": True,
    "learned_alibi_scale_per_head": True,
    "learned_alibi_scale_per_layer": False,
    "num_alibi_heads": 2,
    "model_depth": 2,
    "extractor_mode": "layer_norm",
    "feature_encoder_spec": "[(16, 10, 5)] + [(16, 3, 2)] * 4 + [(16, 2, 2)] * 2",
    "conv_pos_width": 15,
    "conv_pos_groups": 4,
    "conv_pos_depth": 5,
    "conv_pos_pre_ln": False,
    "decoder": None,
}
_EMOTION2VEC = {
    "embed_dim": 16,
    "depth": 2,
    "num_heads": 2,
    "mlp_ratio": 2.0,
    "norm_eps": 1e-5,
    "norm_affine": True,
    "layer_norm_first": False,
    "encoder_dropout": 0.0,
    "attention_dropout": 0.0,
    "activation_dropout": 0.0,
    "post_mlp_drop": 0.0,
    "start_drop_path_rate": 0.0,
    "end_drop_path_rate": 0.0,
    "end_of_block_targets": False,
    "average_top_k_layers": 2,
    "loss_beta": 0.0,
    "loss_scale": None,
    "dropout_input": 0.0,
    "layerdrop": 0.0,
    "clone_batch": 1,
    "normalize": True,
    "modalities": {"audio": _EMOTION2VEC_AUDIO},
}


@pytest.fixture(scope="session")
def one_thread() -> None:
    """Tiny models are many times faster on one thread."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(0)


@pytest.fixture(scope="session")
def tiny_weights(tmp_path_factory) -> Path:
    """The folder that `SPEECHBENCH_WEIGHTS` names; other fixtures put models into it."""
    return tmp_path_factory.mktemp("weights")


@pytest.fixture(scope="session")
def make_emotion2vec(one_thread, tmp_path_factory) -> Callable[..., Path]:
    """Makes a folder with a tiny emotion2vec, as funasr loads it."""
    import torch
    import yaml
    from funasr.models.emotion2vec.model import Emotion2vec
    from omegaconf import OmegaConf

    def make(folder: Path | None = None, labels: tuple[str, ...] = EMOTION_LABELS) -> Path:
        folder = folder or tmp_path_factory.mktemp("emotion2vec")
        folder.mkdir(exist_ok=True)
        torch.manual_seed(1)
        model = Emotion2vec(model_conf=OmegaConf.create(_EMOTION2VEC), vocab_size=len(labels))
        for parameter in model.proj.parameters():
            torch.nn.init.normal_(parameter)
        torch.save(model.state_dict(), folder / "model.pt")
        (folder / "tokens.txt").write_text("\n".join(labels) + "\n", encoding="utf-8")
        config = {
            "model": "Emotion2vec",
            "vocab_size": len(labels),
            "tokenizer": "CharTokenizer",
            "tokenizer_conf": {"unk_symbol": "<unk>"},
            "scope_map": ["d2v_model.", "none"],
            "model_conf": _EMOTION2VEC,
        }
        (folder / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
        return folder

    return make


@pytest.fixture(scope="session")
def emotion2vec_weights(tiny_weights, make_emotion2vec) -> Path:
    """A tiny emotion2vec with the nine labels of the real one."""
    return make_emotion2vec(tiny_weights / "emotion2vec-plus-large")


@pytest.fixture(scope="session")
def make_whisper_classifier(one_thread, tmp_path_factory) -> Callable[..., Any]:
    """Makes a tiny Whisper classifier as the authors of Voxlect train it, with its low-rank pairs
    kept apart, and saves its state dict: the module has the reference's forward pass.
    """
    import torch
    from safetensors.torch import save_file
    from torch import nn
    from transformers import WhisperConfig, WhisperFeatureExtractor, WhisperModel

    class LowRank(nn.Linear):
        def __init__(self, inputs: int, outputs: int, rank: int = 4) -> None:
            super().__init__(inputs, outputs)
            self.lora_A = nn.Parameter(torch.randn(rank, inputs))
            self.lora_B = nn.Parameter(torch.randn(outputs, rank))

        def forward(self, x: Any) -> Any:
            return super().forward(x) + (x @ self.lora_A.T @ self.lora_B.T) / len(self.lora_A)

    class Classifier(nn.Module):
        def __init__(self, head: str, classes: int, width: int, wide: int, layers: int) -> None:
            super().__init__()
            config = WhisperConfig(
                vocab_size=16,
                num_mel_bins=128,
                d_model=width,
                encoder_layers=layers,
                decoder_layers=1,
                encoder_attention_heads=width // 64,
                decoder_attention_heads=width // 64,
                encoder_ffn_dim=wide,
                decoder_ffn_dim=wide,
                max_source_positions=750,
                max_target_positions=8,
                pad_token_id=0,
                bos_token_id=1,
                eos_token_id=2,
                decoder_start_token_id=1,
            )
            self.backbone_model = WhisperModel(config)
            self.embed_positions = nn.Parameter(torch.randn(750, width))
            for index, layer in enumerate(self.backbone_model.encoder.layers):
                if index > layers // 2:
                    layer.fc1, layer.fc2 = LowRank(width, wide), LowRank(wide, width)
            self.model_seq = nn.Sequential(
                nn.Conv1d(width, 32, 1),
                nn.ReLU(),
                nn.Dropout(0.1),
                nn.Conv1d(32, 32, 1),
                nn.ReLU(),
                nn.Dropout(0.1),
                nn.Conv1d(32, 32, 1),
            )
            self.weights = nn.Parameter(torch.ones(layers + 1) / (layers + 1))
            self.head = head
            layer = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, classes))
            setattr(self, head, layer)
            for parameter in layer.parameters():
                nn.init.normal_(parameter)

        @torch.inference_mode()
        def probabilities(self, samples: Any) -> Any:
            """Of one window at 16 kHz."""
            extract = WhisperFeatureExtractor(feature_size=128, chunk_length=15)
            features = extract(samples, sampling_rate=16_000, return_tensors="pt").input_features
            encoder = self.backbone_model.encoder
            encoder.embed_positions.weight.data = self.embed_positions.data
            heard = encoder(features, output_hidden_states=True).hidden_states[-1]
            frames = self.model_seq(heard.transpose(1, 2)).transpose(1, 2)
            valid = (len(samples) // 160 - 1) // 2 + 1
            logits = getattr(self, self.head)(frames[0, :valid].mean(dim=0))
            return logits.softmax(dim=-1).numpy()

    def make(
        head: str,
        classes: int,
        folder: Path | None = None,
        *,
        zero_low_rank: bool = False,
        width: int = 128,
        wide: int = 64,
        layers: int = 4,
    ) -> tuple[Path, Classifier]:
        folder = folder or tmp_path_factory.mktemp("whisper")
        folder.mkdir(exist_ok=True)
        torch.manual_seed(2)
        model = Classifier(head, classes, width, wide, layers).eval()
        if zero_low_rank:
            for name, parameter in model.named_parameters():
                if name.endswith("lora_B"):
                    nn.init.zeros_(parameter)
        save_file(model.state_dict(), folder / "model.safetensors")
        return folder, model

    return make


@pytest.fixture(scope="session")
def voxlect_weights(tiny_weights, make_whisper_classifier) -> Path:
    """A tiny Voxlect: 16 English dialects."""
    folder = tiny_weights / "voxlect-english-dialect"
    return make_whisper_classifier("out_layer", 16, folder)[0]


@pytest.fixture(scope="session")
def vox_profile_weights(tiny_weights, make_whisper_classifier) -> Path:
    """A tiny Vox-Profile: nine emotions."""
    folder = tiny_weights / "vox-profile-emotion"
    return make_whisper_classifier("emotion_layer", 9, folder)[0]


_WORDS = (
    "the",
    "a",
    "of",
    "to",
    "and",
    "in",
    "easy",
    "part",
    "next",
    "one",
    "it",
    "is",
    "go",
    "on",
)
_PIECES = ("<unk>", "<pad>", *(f"▁{word}" for word in _WORDS), *"ingsed")


@pytest.fixture(scope="session")
def tiny_parakeet(one_thread) -> Any:
    """A Parakeet TDT of the real class that writes nonsense, and its processor."""
    import torch
    from tokenizers import Tokenizer, decoders, models
    from transformers import (
        ParakeetEncoderConfig,
        ParakeetFeatureExtractor,
        ParakeetForTDT,
        ParakeetProcessor,
        ParakeetTDTConfig,
    )
    from transformers.models.parakeet.tokenization_parakeet import ParakeetTokenizer

    torch.manual_seed(3)
    vocabulary = {piece: place for place, piece in enumerate(_PIECES)}
    blank = len(vocabulary)
    pieces = Tokenizer(models.WordLevel({**vocabulary, "<blank>": blank}, unk_token="<unk>"))
    pieces.decoder = decoders.Metaspace()
    tokenizer = ParakeetTokenizer(
        tokenizer_object=pieces,
        unk_token="<unk>",
        pad_token="<pad>",
        additional_special_tokens=["<blank>"],
    )
    config = ParakeetTDTConfig(
        vocab_size=blank + 1,
        decoder_hidden_size=16,
        num_decoder_layers=2,
        pad_token_id=1,
        blank_token_id=blank,
        decoder_start_token_id=blank,
        encoder_config=ParakeetEncoderConfig(
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            subsampling_conv_channels=8,
            num_mel_bins=128,
            scale_input=False,
            attention_bias=False,
            convolution_bias=False,
        ),
    )
    model = ParakeetForTDT(config).eval()
    for parameter in (*model.joint.parameters(), *model.decoder.parameters()):
        torch.nn.init.normal_(parameter)
    with torch.no_grad():
        model.joint.head.bias[:2] = -1e3  # no special token is ever said
        model.joint.head.bias[blank + 1] -= 6.0  # and hardly a token takes no time
    processor = ParakeetProcessor(
        ParakeetFeatureExtractor(feature_size=128),
        tokenizer,
        blank_token="<blank>",
        decoder_type="tdt",
    )
    return model, processor


@pytest.fixture(scope="session")
def parakeet_transformers_weights(tiny_weights, tiny_parakeet) -> Path:
    """The tiny Parakeet as transformers keeps it."""
    model, processor = tiny_parakeet
    folder = tiny_weights / "parakeet-tdt-0.6b-v2-transformers"
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def parakeet_weights(tiny_weights, tiny_parakeet) -> Path:
    """The same weights as onnx-asr reads them: encoder, prediction net with joint, vocabulary."""
    import torch

    model, _ = tiny_parakeet

    class Encoder(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, audio_signal: Any, length: Any) -> Any:
            mask = torch.arange(audio_signal.shape[2])[None] < length[:, None]
            heard = self.model.get_audio_features(
                input_features=audio_signal.transpose(1, 2), attention_mask=mask
            )
            frames = self.model.encoder._get_subsampling_output_length(length)
            return heard.pooler_output.transpose(1, 2), frames.to(torch.int64)

    class DecoderAndJoint(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(
            self, encoder_outputs: Any, targets: Any, target_length: Any, state_1: Any, state_2: Any
        ) -> Any:
            decoder = self.model.decoder
            said, states = decoder.lstm(decoder.embedding(targets), (state_1, state_2))
            logits = self.model.joint(
                decoder.decoder_projector(said)[:, None],
                encoder_outputs.transpose(1, 2)[:, :, None],
            )
            return logits, target_length, *states

    folder = tiny_weights / "parakeet-tdt-0.6b-v2"
    folder.mkdir()
    one = torch.ones(1, dtype=torch.int64)
    state = torch.zeros(2, 1, 16)
    _export(
        Encoder(),
        (torch.randn(1, 128, 401), one * 401),
        folder / "encoder-model.onnx",
        ("audio_signal", "length"),
        ("outputs", "encoded_lengths"),
        {"audio_signal": {2: "time"}, "outputs": {2: "frames"}},
    )
    _export(
        DecoderAndJoint(),
        (torch.randn(1, 16, 1), one[None], one, state, state),
        folder / "decoder_joint-model.onnx",
        ("encoder_outputs", "targets", "target_length", "input_states_1", "input_states_2"),
        ("outputs", "prednet_lengths", "output_states_1", "output_states_2"),
        {},
    )
    config = {"model_type": "nemo-conformer-tdt", "features_size": 128, "subsampling_factor": 8}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    lines = [f"{piece} {place}" for place, piece in enumerate((*_PIECES, "<blk>"))]
    (folder / "vocab.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def _export(
    module: Any,
    example: tuple[Any, ...],
    path: Path,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    free: dict[str, dict[int, str]],
) -> None:
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the exporter that NeMo's own export uses
        torch.onnx.export(
            module.eval(),
            example,
            path,
            input_names=inputs,
            output_names=outputs,
            dynamic_axes=free,
            dynamo=False,
            opset_version=17,
        )
