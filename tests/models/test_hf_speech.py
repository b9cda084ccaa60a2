"""`hf-speech/…` on a tiny Qwen2-Audio: the real processor, the real model, random weights."""

import asyncio
import json

import numpy as np
import pytest
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentAudio,
    ContentImage,
    ContentText,
    GenerateConfig,
    get_model,
)

from speechbench import SpeechbenchError
from speechbench._stop import StoppedRunError
from speechbench.audio import Clip, data_uri
from speechbench.models import SPOKEN_OUTPUT
from speechbench.models.hf_conversations import conversation_of


def sound(seconds=1.0, hz=300.0, rate_hz=24_000):
    wave = 0.3 * np.sin(2 * np.pi * hz * np.arange(int(seconds * rate_hz)) / rate_hz)
    return ContentAudio(audio=data_uri(Clip.from_samples(wave, rate_hz)), format="wav")


def heard(text="What do you hear?", **wave):
    return ChatMessageUser(content=[sound(**wave), ContentText(text=text)])


def ask(model, *messages, **config):
    settings = GenerateConfig(**{"max_tokens": 6, **config})
    return asyncio.run(model.generate(list(messages), config=settings))


@pytest.fixture(scope="module")
def model(tiny_qwen2_audio):
    return get_model(f"hf-speech/{tiny_qwen2_audio}", memoize=False)


def by_hand(folder, messages, clips, max_tokens=6):
    """What transformers itself answers."""
    import torch
    from transformers import AutoProcessor, Qwen2AudioForConditionalGeneration

    processor = AutoProcessor.from_pretrained(folder)
    network = Qwen2AudioForConditionalGeneration.from_pretrained(folder).eval()
    prompt = processor.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
    inputs = processor(
        text=prompt, audio=clips or None, sampling_rate=16_000, return_tensors="pt", padding=True
    )
    with torch.inference_mode():
        ids = network.generate(**inputs, max_new_tokens=max_tokens, do_sample=False)
    read = inputs.input_ids.shape[1]
    text = processor.tokenizer.decode(ids[0, read:], skip_special_tokens=True).strip()
    return text, read, ids.shape[1] - read


def test_it_answers_as_transformers_does(model, tiny_qwen2_audio):
    asked = heard()
    output = ask(model, ChatMessageSystem(content="Be brief."), asked)
    clip = conversation_of([asked])[0].parts[0]
    assert clip.rate_hz == 16_000
    text, read, written = by_hand(
        tiny_qwen2_audio,
        [
            {"role": "system", "content": "Be brief."},
            {
                "role": "user",
                "content": [
                    {"type": "audio", "audio": "…"},
                    {"type": "text", "text": "What do you hear?"},
                ],
            },
        ],
        [clip.samples],
    )
    assert output.completion == text
    assert output.usage.input_tokens == read
    assert output.usage.output_tokens == written == 6
    assert output.usage.total_tokens == read + 6
    assert output.stop_reason == "max_tokens"


def test_history_holds_every_recording_and_answer(model, tiny_qwen2_audio):
    first, second = heard("First?", hz=300), heard("Second?", hz=600, seconds=0.5)
    output = ask(model, first, ChatMessageAssistant(content="A tone."), second)
    clips = [said.parts[0].samples for said in conversation_of([first, second])]
    chat = [
        {"role": "user", "content": [{"type": "audio"}, {"type": "text", "text": "First?"}]},
        {"role": "assistant", "content": "A tone."},
        {"role": "user", "content": [{"type": "audio"}, {"type": "text", "text": "Second?"}]},
    ]
    text, read, _ = by_hand(tiny_qwen2_audio, chat, clips)
    assert output.completion == text
    assert output.usage.input_tokens == read


def test_what_is_cut_off_is_noted(model):
    assert ask(model, heard(seconds=30.0)).metadata is None
    assert ask(model, heard(seconds=31.0)).metadata == {"recordings_cut_to_s": 30.0}


def test_text_alone_is_answered(model, tiny_qwen2_audio):
    output = ask(model, ChatMessageUser(content="Say something."))
    text, read, _ = by_hand(tiny_qwen2_audio, [{"role": "user", "content": "Say something."}], [])
    assert (output.completion, output.usage.input_tokens) == (text, read)


@pytest.mark.parametrize("sampling", [{}, {"temperature": 1.0, "top_p": 0.9, "top_k": 50}])
def test_a_batch_answers_as_one_by_one(model, sampling):
    questions = [
        heard(f"Question {'x' * n}", hz=200 + 50 * n, seconds=0.3 + n / 10) for n in range(5)
    ]

    async def together():
        return await asyncio.gather(
            *[
                model.generate(
                    [question], config=GenerateConfig(max_tokens=6, seed=seed, **sampling)
                )
                for seed, question in enumerate(questions)
            ]
        )

    at_once = [output.completion for output in asyncio.run(together())]
    alone = [
        ask(model, question, seed=seed, **sampling).completion
        for seed, question in enumerate(questions)
    ]
    assert at_once == alone


def test_the_same_seed_says_the_same_and_another_does_not(model):
    question = ChatMessageUser(content="Say something.")
    first, again, other = (ask(model, question, temperature=1.0, seed=s) for s in (1, 1, 2))
    assert first.completion == again.completion != other.completion


def test_sampling_draws_from_the_models_distribution():
    """Gumbel's trick against softmax: 4000 draws, four standard errors."""
    import torch

    from speechbench.models.hf_engine import Settings, _sampling

    scores = torch.tensor([[1.0, 0.0, -1.0, 2.0]])
    settings = Settings(max_tokens=1, temperature=0.5)
    expected = torch.softmax(scores[0] / 0.5, dim=0)
    process = _sampling(settings, range(4000))
    draws = process(None, scores.repeat(4000, 1)).argmax(dim=-1)
    found = torch.bincount(draws, minlength=4) / 4000
    assert (found - expected).abs().max() < 4 * (0.25 / 4000) ** 0.5


def test_an_answer_ends_at_a_stop_sequence(shouting):
    model = get_model(f"hf-speech/{shouting.model}", memoize=False)
    whole = ask(model, ChatMessageUser(content="Well?"))
    assert (whole.completion, whole.stop_reason) == ("Y", "stop")
    assert whole.usage.output_tokens == 2  # a letter and the end
    assert ask(model, ChatMessageUser(content="Well?"), stop_seqs=["Y"]).completion == ""


def test_the_adapter_turns_from_small_letters_to_capitals(shouting):
    question = ChatMessageUser(content="Well?")

    def at(**arguments):
        name = f"hf-speech/{shouting.model}"
        return ask(
            get_model(name, memoize=False, adapter=str(shouting.adapter), **arguments), question
        )

    assert at().completion == at(lora_alpha=32).completion == "y"
    assert at(lora_alpha=0).completion == "Y"


def test_scales_share_one_model_in_memory(shouting):
    models = [
        get_model(
            f"hf-speech/{shouting.model}",
            memoize=False,
            adapter=str(shouting.adapter),
            lora_alpha=alpha,
        )
        for alpha in (16, 4)
    ]
    assert models[0].api._engine is models[1].api._engine
    assert models[0].api.connection_key() != models[1].api.connection_key()


def test_it_refuses_to_speak_in_one_sentence(model):
    with pytest.raises(StoppedRunError, match="answers in text and cannot speak"):
        ask(model, heard(), extra_body=SPOKEN_OUTPUT)


def test_what_it_does_not_offer_is_refused(model):
    with pytest.raises(SpeechbenchError, match="no frequency_penalty"):
        ask(model, heard(), frequency_penalty=0.5)
    with pytest.raises(SpeechbenchError, match="neither sees nor reads"):
        ask(model, ChatMessageUser(content=[ContentImage(image="data:image/png;base64,AA==")]))
    with pytest.raises(SpeechbenchError, match="hf-speech has no tools"):
        conversation_of([ChatMessageTool(content="4", tool_call_id="1")])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"size": 7}, r"takes -M device, dtype.*got \['size'\]"),
        ({"dtype": "int8"}, "dtype as one of auto, float32"),
        ({"batch": 0}, "batch as a whole number from 1"),
        ({"trust_remote_code": "yes"}, "trust_remote_code as true or false"),
        ({"lora_alpha": 4}, "expected -M adapter=… with -M lora_alpha"),
        ({"lora_alpha": -1, "adapter": "x"}, "lora_alpha as a number from 0"),
        ({"lora_alpha": True, "adapter": "x"}, "lora_alpha as a number from 0"),
    ],
)
def test_bad_settings_stop_the_run(tiny_qwen2_audio, arguments, sentence):
    with pytest.raises(StoppedRunError, match=sentence):
        get_model(f"hf-speech/{tiny_qwen2_audio}", memoize=False, **arguments)


def test_a_place_that_holds_no_model_stops_the_run(tmp_path):
    with pytest.raises(StoppedRunError, match=r"it has no config\.json"):
        get_model(f"hf-speech/{tmp_path}", memoize=False)
    with pytest.raises(StoppedRunError, match=r"there is no .*/nowhere"):
        get_model(f"hf-speech/{tmp_path}/nowhere", memoize=False)


def test_architectures_that_it_does_not_know_stop_the_run(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bert"}))
    with pytest.raises(StoppedRunError, match=r"knows the architectures audioflamingo3.*'bert'"):
        get_model(f"hf-speech/{tmp_path}", memoize=False)


def test_a_missing_package_names_its_command(tiny_qwen2_audio, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "transformers", None)
    with pytest.raises(StoppedRunError, match=r'pip install "speechbench\[hf\]"'):
        get_model(f"hf-speech/{tiny_qwen2_audio}", memoize=False, batch=3)


def test_two_batches_of_calls_at_once(model):
    assert model.config.adaptive_connections is False
    assert model.api.max_connections() == 16
