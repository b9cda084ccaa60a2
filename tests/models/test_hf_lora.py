"""Scaling a LoRA adapter: exactly α′/α of its delta, and refused where that would not be true."""

import json
import shutil

import pytest

from speechbench import SpeechbenchError
from speechbench.models.hf_lora import at_scale, read_adapter, with_adapter, write_scaled_adapters


@pytest.fixture(scope="module")
def models(shouting):
    """The adapted model, and a function from a model to its logits on one prompt."""
    import torch
    from transformers import AutoTokenizer, Qwen2AudioForConditionalGeneration

    asked = AutoTokenizer.from_pretrained(shouting.model)("What do you say?", return_tensors="pt")

    def logits(model):
        with torch.inference_mode():
            return model(**asked).logits

    def base():
        return Qwen2AudioForConditionalGeneration.from_pretrained(shouting.model).eval()

    return with_adapter(base(), str(shouting.adapter)), base, logits


@pytest.mark.parametrize("alpha", [32, 16, 4, 1])
def test_a_scaled_adapter_equals_one_saved_with_that_alpha(models, shouting, tmp_path, alpha):
    import torch
    from peft import PeftModel

    model, base, logits = models
    [folder] = write_scaled_adapters(str(shouting.adapter), [alpha], tmp_path).values()
    saved = PeftModel.from_pretrained(base(), folder).eval()
    with at_scale(model, alpha):
        assert torch.equal(logits(model), logits(saved))


def test_the_delta_is_alpha_over_alpha_of_the_trained_one(models, shouting):
    import torch

    model, _, _ = models
    [layer] = [
        module
        for name, module in model.named_modules()
        if name.endswith("language_model.layers.0.self_attn.q_proj")
        or name.endswith("language_model.model.layers.0.self_attn.q_proj")
    ]
    whole = layer.get_delta_weight("default").clone()
    with at_scale(model, 4):
        assert torch.equal(layer.get_delta_weight("default"), whole * (4 / shouting.alpha))
    assert torch.equal(layer.get_delta_weight("default"), whole)


def test_zero_is_the_model_before_fine_tuning(models):
    import torch

    model, base, logits = models
    with at_scale(model, 0):
        assert torch.equal(logits(model), logits(base()))
    assert not torch.equal(logits(model), logits(base()))


def test_an_adapter_merged_in_memory_is_refused(models, shouting):
    _, base, _ = models
    model = with_adapter(base(), str(shouting.adapter))
    model.merge_adapter()
    with (
        pytest.raises(SpeechbenchError, match="merged into the model's weights"),
        at_scale(model, 4),
    ):
        pass


def test_a_folder_without_adapter_is_refused(shouting, tmp_path):
    with pytest.raises(SpeechbenchError, match="merged into the model"):
        read_adapter(str(shouting.model))
    with pytest.raises(SpeechbenchError, match="there is none"):
        read_adapter(str(tmp_path / "nowhere" / "at" / "all"))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"peft_type": "IA3"}, "of type IA3"),
        ({"use_dora": True}, "DoRA"),
        ({"bias": "all"}, "trained biases"),
        ({"modules_to_save": ["lm_head"]}, r"whole trained modules.*lm_head"),
        ({"lora_alpha": 0}, "lora_alpha above 0"),
    ],
)
def test_what_alpha_does_not_scale_is_refused(shouting, tmp_path, change, sentence):
    config = json.loads((shouting.adapter / "adapter_config.json").read_text())
    (tmp_path / "adapter_config.json").write_text(json.dumps(config | change))
    with pytest.raises(SpeechbenchError, match=sentence):
        read_adapter(str(tmp_path))


def test_an_adapter_of_another_model_is_a_sentence(models, shouting, tmp_path):
    _, base, _ = models
    shutil.copytree(shouting.adapter, tmp_path / "other")
    path = tmp_path / "other" / "adapter_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"target_modules": ["attention"]}))
    with pytest.raises(SpeechbenchError, match="does not fit the model"):
        with_adapter(base(), str(path.parent))


def test_weights_for_modules_of_other_names_are_a_sentence(models, shouting, tmp_path):
    from safetensors.torch import load_file, save_file

    _, base, _ = models
    shutil.copytree(shouting.adapter, tmp_path / "other")
    path = tmp_path / "other" / "adapter_model.safetensors"
    renamed = {k.replace(".layers.", ".blocks."): v for k, v in load_file(path).items()}
    save_file(renamed, path)
    with pytest.raises(SpeechbenchError, match="modules of other names"):
        with_adapter(base(), str(path.parent))


def test_scaled_copies_differ_in_alpha_alone(shouting, tmp_path):
    written = write_scaled_adapters(str(shouting.adapter), [16, 0.5, 0], tmp_path)
    assert [path.name for path in written.values()] == ["alpha-16", "alpha-0.5", "alpha-0"]
    before = json.loads((shouting.adapter / "adapter_config.json").read_text())
    for alpha, folder in written.items():
        after = json.loads((folder / "adapter_config.json").read_text())
        assert after.pop("lora_alpha") == alpha
        assert after == {k: v for k, v in before.items() if k != "lora_alpha"}
        weights = (folder / "adapter_model.safetensors").read_bytes()
        assert weights == (shouting.adapter / "adapter_model.safetensors").read_bytes()
    write_scaled_adapters(str(shouting.adapter), [16], tmp_path)  # again is no harm
    (tmp_path / "alpha-8").mkdir()
    with pytest.raises(SpeechbenchError, match=r"expected .*alpha-8 to be free"):
        write_scaled_adapters(str(shouting.adapter), [8], tmp_path)
