"""Parakeet through NeMo, the paper's runtime, in an environment of its own: `make test-nemo`."""

import importlib.util
import json
from typing import Any

import pytest

from speechbench.audio import silence
from speechbench.speech.parakeet import Parakeet

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("nemo") is None,
    reason="NeMo conflicts with the rest of this environment: make test-nemo",
)
_DURATIONS = [0, 1, 2, 3, 4]
_PIECES = 40
_WORDS = "the a of to and in easy part next one it is go on start with finish first then last"
_MODULES = "nemo.collections.asr.modules"


@pytest.fixture(scope="module")
def tiny(one_thread, tmp_path_factory) -> Any:
    """A model of 40,000 parameters of NeMo's class, as `.nemo` and as NeMo's own ONNX export."""
    import sentencepiece
    import torch
    from nemo.collections.asr.models import EncDecRNNTBPEModel
    from omegaconf import OmegaConf

    folder = tmp_path_factory.mktemp("nemo")
    words = _WORDS.split()
    lines = [" ".join(words[start:] + words[:start]) for start in range(len(words))]
    (folder / "text").write_text("\n".join(lines))
    sentencepiece.SentencePieceTrainer.train(
        input=str(folder / "text"),
        model_prefix=str(folder / "tokenizer"),
        vocab_size=_PIECES,
        model_type="bpe",
        unk_id=0,
        bos_id=-1,
        eos_id=-1,
        minloglevel=2,
    )
    trained = sentencepiece.SentencePieceProcessor(model_file=str(folder / "tokenizer.model"))
    pieces = [trained.id_to_piece(place) for place in range(_PIECES)]
    (folder / "vocab.txt").write_text("\n".join(pieces[1:]))
    torch.manual_seed(5)
    model = EncDecRNNTBPEModel(cfg=OmegaConf.create(_config(str(folder)))).eval()
    for part in (model.decoder, model.joint):
        for parameter in part.parameters():
            torch.nn.init.normal_(parameter)
    with torch.no_grad():
        model.decoder.prediction.embed.weight[-1] = 0.0
        bias = model.joint.joint_net[-1].bias
        bias[0] = -1e3  # never the unknown piece
        bias[_PIECES + 1] -= 6.0  # hardly ever a duration of 0
    (folder / "weights").mkdir()
    model.save_to(str(folder / "weights" / "parakeet.nemo"))
    exported = folder / "onnx"
    exported.mkdir()
    model.export(str(exported / "model.onnx"), onnx_opset_version=17)
    config = {"model_type": "nemo-conformer-tdt", "features_size": 128, "subsampling_factor": 8}
    (exported / "config.json").write_text(json.dumps(config))
    rows = [f"{piece} {place}\n" for place, piece in enumerate([*pieces, "<blk>"])]
    (exported / "vocab.txt").write_text("".join(rows), encoding="utf-8")
    return {
        "nemo": Parakeet("nemo", str(folder / "weights"), "cpu"),
        "onnx-asr": Parakeet("onnx-asr", str(exported), "cpu"),
    }


def test_nemo_and_onnx_asr_write_the_same_from_the_same_weights(tiny, voice):
    for text in ("Start with the easiest part, and then go on.", "It is raining in the mountains."):
        clip = voice.synthesize(text)
        ours, theirs = tiny["onnx-asr"].transcribe(clip), tiny["nemo"].transcribe(clip)
        assert ours.text == theirs.text != ""
        assert [word.text for word in ours.words] == [word.text for word in theirs.words]
        for one, other in zip(ours.words, theirs.words, strict=True):
            assert one.start_s == pytest.approx(other.start_s, abs=0.09)  # a frame has 0.08 s


def test_silence_is_not_put_into_words(tiny):
    assert tiny["nemo"].transcribe(silence(2.0, 24_000)).text == ""


def test_the_id_says_nemo(tiny):
    assert tiny["nemo"].id.startswith("parakeet-tdt-0.6b-v2/nemo-")


def _config(tokenizer: str) -> dict[str, Any]:
    """The parts that the published model has, each as small as it can be."""
    return {
        "sample_rate": 16_000,
        "tokenizer": {"dir": tokenizer, "type": "bpe"},
        "preprocessor": {
            "_target_": f"{_MODULES}.AudioToMelSpectrogramPreprocessor",
            "sample_rate": 16_000,
            "normalize": "per_feature",
            "window_size": 0.025,
            "window_stride": 0.01,
            "window": "hann",
            "features": 128,
            "n_fft": 512,
            "dither": 0.0,
            "pad_to": 0,
        },
        "model_defaults": {
            "enc_hidden": 32,
            "pred_hidden": 16,
            "joint_hidden": 16,
            "tdt_durations": _DURATIONS,
            "num_tdt_durations": len(_DURATIONS),
        },
        "encoder": {
            "_target_": f"{_MODULES}.ConformerEncoder",
            "feat_in": 128,
            "n_layers": 2,
            "d_model": 32,
            "use_bias": False,
            "subsampling": "dw_striding",
            "subsampling_factor": 8,
            "subsampling_conv_channels": 8,
            "ff_expansion_factor": 1,
            "self_attention_model": "rel_pos",
            "n_heads": 2,
            "xscaling": False,
            "conv_kernel_size": 9,
            "dropout": 0.0,
            "dropout_emb": 0.0,
            "dropout_att": 0.0,
            "dropout_pre_encoder": 0.0,
        },
        "decoder": {
            "_target_": f"{_MODULES}.RNNTDecoder",
            "blank_as_pad": True,
            "prednet": {"pred_hidden": 16, "pred_rnn_layers": 2, "dropout": 0.0},
        },
        "joint": {
            "_target_": f"{_MODULES}.RNNTJoint",
            "fuse_loss_wer": False,
            "jointnet": {"joint_hidden": 16, "activation": "relu", "dropout": 0.0},
            "num_extra_outputs": len(_DURATIONS),
        },
        "decoding": {
            "strategy": "greedy_batch",
            "model_type": "tdt",
            "durations": _DURATIONS,
            "greedy": {"max_symbols": 10},
        },
        "loss": {
            "loss_name": "tdt",
            "tdt_kwargs": {"durations": _DURATIONS, "sigma": 0.02, "omega": 0.1},
        },
        "train_ds": None,
        "validation_ds": {
            "manifest_filepath": None,
            "sample_rate": 16_000,
            "batch_size": 1,
            "shuffle": False,
        },
        "optim": {"name": "adamw", "lr": 0.1},
    }
