import base64
import io
from urllib.parse import quote

import numpy as np
import pytest
import soundfile

from speechbench.audio import Clip, clip_from_data_uri, data_uri, read_clip, silence
from speechbench.errors import SpeechbenchError

EXACT = ["PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE"]
COARSE = {"PCM_U8": 1 / 128, "ULAW": 0.02, "ALAW": 0.02}
LOSSY = [("MP3", "MPEG_LAYER_III"), ("OGG", "VORBIS"), ("OGG", "OPUS")]


def encoded(
    samples: np.ndarray, rate: int, container: str = "WAV", subtype: str = "PCM_16"
) -> bytes:
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format=container, subtype=subtype)
    return buffer.getvalue()


@pytest.mark.parametrize("rate", [8000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000])
@pytest.mark.parametrize("subtype", EXACT)
def test_wav_of_every_rate_and_format_is_exact(voice, rate, subtype):
    clip = voice.resampled(rate)
    assert read_clip(encoded(clip.samples, rate, "WAV", subtype)) == clip


@pytest.mark.parametrize("container", ["WAVEX", "RF64"])
def test_other_wav_headers_are_exact(voice, container):
    assert read_clip(encoded(voice.samples, 24_000, container, "PCM_24")) == voice


@pytest.mark.parametrize("subtype", ["PCM_16", "PCM_24"])
def test_flac_is_exact(voice, subtype):
    assert read_clip(encoded(voice.samples, 24_000, "FLAC", subtype)) == voice


@pytest.mark.parametrize(("subtype", "step"), COARSE.items())
def test_coarse_formats_are_close(voice, subtype, step):
    clip = read_clip(encoded(voice.samples, 24_000, "WAV", subtype))
    assert np.abs(clip.samples - voice.samples).max() <= step


@pytest.mark.parametrize(("container", "subtype"), LOSSY)
@pytest.mark.parametrize("channels", [1, 2])
def test_lossy_formats_sound_alike(voice, container, subtype, channels):
    samples = np.stack([voice.samples] * channels, axis=1)
    clip = read_clip(encoded(samples, 24_000, container, subtype))
    assert clip.rate_hz == 24_000
    assert clip.samples.size == voice.samples.size
    assert np.corrcoef(clip.samples, voice.samples)[0, 1] > 0.95


def test_mp3_is_read_as_in_one_piece(voice):
    # Read block by block with seeks in between, libsndfile decodes other samples.
    mp3 = voice.mp3_bytes()
    whole, rate = soundfile.read(io.BytesIO(mp3))
    assert read_clip(mp3) == Clip.from_samples(whole, rate)


def test_mp3_without_a_length_in_its_header_is_read_to_its_end(voice):
    mp3 = voice.mp3_bytes()
    second = mp3.index(mp3[:2], 4)
    clip = read_clip(mp3[second:])
    assert clip.duration_s == pytest.approx(voice.duration_s, abs=0.2)


def test_flac_of_unstated_length_is_read_to_its_end(voice):
    flac = bytearray(voice.flac_bytes())
    flac[21] &= 0xF0  # the 36 bits of STREAMINFO that count samples
    flac[22:26] = bytes(4)
    assert read_clip(bytes(flac)) == voice


@pytest.mark.parametrize("channels", [2, 6])
def test_channels_are_mixed_by_their_mean(voice, channels):
    samples = np.zeros((voice.samples.size, channels))
    samples[:, 0] = voice.samples
    clip = read_clip(encoded(samples, 24_000, subtype="DOUBLE"))
    assert clip == Clip.from_samples(voice.samples.astype(np.float64) / channels, 24_000)


def test_floats_beyond_full_scale_are_clipped():
    clip = read_clip(encoded(np.array([1.5, -1.5, 0.5]), 8000, subtype="FLOAT"))
    assert clip.samples.tolist() == [32_767 / 32_768, -1.0, 0.5]


def test_a_constant_offset_is_kept():
    samples = np.full(800, 0.25)
    assert read_clip(encoded(samples, 8000)) == Clip.from_samples(samples, 8000)


def test_digital_silence_is_sound():
    assert read_clip(silence(1, 16_000).wav_bytes()) == silence(1, 16_000)


def test_paths_are_read_whatever_their_ending(tmp_path, voice):
    path = tmp_path / "ünïcode name.txt"
    path.write_bytes(voice.flac_bytes())
    assert read_clip(path) == read_clip(str(path)) == voice


def test_raw_pcm_has_the_rate_that_is_stated(tmp_path, voice):
    path = tmp_path / "answer.pcm"
    path.write_bytes(voice.pcm16())
    assert read_clip(path, pcm_rate_hz=24_000) == voice
    assert read_clip(voice.pcm16(), pcm_rate_hz=8000).samples.size == voice.samples.size


def test_raw_pcm_with_a_wav_header_is_refused(voice):
    with pytest.raises(SpeechbenchError, match="leave out pcm_rate_hz"):
        read_clip(voice.wav_bytes(), pcm_rate_hz=24_000)


def _html() -> bytes:
    return b"<!DOCTYPE html><html><body>504 Gateway Time-out</body></html>"


def _header_only() -> bytes:
    return silence(0, 16_000).wav_bytes()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (_header_only(), "none behind it"),
        (_header_only()[:20], "libsndfile refuses"),
        (b'{"error": {"message": "quota exceeded"}}', "text that begins .*quota exceeded"),
        (_html(), "text that begins"),
        ("Fehler: ungültig".encode(), "text that begins"),
        (bytes(1000), "libsndfile refuses"),
        (np.random.default_rng(0).bytes(5000), "libsndfile refuses"),
        (b"\0\0\0\x20ftypM4A \0\0\0\0", "MP4 or M4A"),
        (b"\x1aE\xdf\xa3" + bytes(100), "WebM"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
        (encoded(np.zeros(100), 8000, "AIFF"), "AIFF"),
        (encoded(np.zeros(100), 8000, "AU"), "AU"),
        (encoded(np.full(100, np.nan), 8000, subtype="FLOAT"), "NaN"),
        (encoded(np.array([0.0, np.inf, 0.0]), 8000, subtype="DOUBLE"), "infinite"),
        (encoded(np.array([[np.inf, -np.inf]]), 8000, subtype="FLOAT"), "infinite"),
    ],
    # libsndfile stamps some of these with the time, which must not stand in a test's name
    ids=lambda value: value if isinstance(value, str) else "content",
)
def test_what_cannot_be_speech_names_file_and_reason(tmp_path, content, reason):
    path = tmp_path / "answer.wav"
    path.write_bytes(content)
    with pytest.raises(SpeechbenchError, match=rf"(?s)answer\.wav.*{reason}"):
        read_clip(path)
    with pytest.raises(SpeechbenchError, match=rf"(?s)turn 3.*{reason}"):
        read_clip(content, name="turn 3")


def test_errors_carry_no_memory_address():
    with pytest.raises(SpeechbenchError) as raised:
        read_clip(bytes(1000))
    assert "0x" not in str(raised.value)


def test_flac_that_was_cut_off_is_refused(voice):
    flac = voice.flac_bytes()
    with pytest.raises(SpeechbenchError, match="answer"):
        read_clip(flac[: len(flac) // 2], name="answer")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(SpeechbenchError, match=r"none at .*gone\.wav"):
        read_clip(tmp_path / "gone.wav")


def test_a_folder_is_named(tmp_path):
    with pytest.raises(SpeechbenchError, match=f"folder: {tmp_path}"):
        read_clip(tmp_path)


@pytest.mark.parametrize("path", ["a\0b.wav", "x" * 5000])
def test_impossible_paths_are_short_sentences(path):
    with pytest.raises(SpeechbenchError) as raised:
        read_clip(path)
    assert len(str(raised.value)) < 1000


@pytest.mark.parametrize("content", [b"\0\0\0", b"\0"])
def test_raw_pcm_of_half_a_sample_is_refused(content):
    with pytest.raises(SpeechbenchError, match=r"answer: .*odd number of bytes"):
        read_clip(content, pcm_rate_hz=24_000, name="answer")


def test_data_uri_goes_round(voice):
    uri = data_uri(voice)
    assert uri.startswith("data:audio/wav;base64,")
    assert clip_from_data_uri(uri) == voice


def test_mp3_data_uri_sounds_alike(voice):
    uri = data_uri(voice, "mp3")
    assert uri.startswith("data:audio/mpeg;base64,")
    assert len(uri) < len(data_uri(voice)) / 4
    assert np.corrcoef(clip_from_data_uri(uri).samples, voice.samples)[0, 1] > 0.95


def test_data_uri_of_raw_pcm_states_its_rate(voice):
    body = base64.b64encode(voice.pcm16()).decode()
    assert clip_from_data_uri(f"data:audio/pcm;rate=24000;base64,{body}") == voice
    with pytest.raises(SpeechbenchError, match="rate"):
        clip_from_data_uri(f"data:audio/pcm;base64,{body}")


def test_data_uri_in_other_spellings(voice):
    body = base64.b64encode(voice.wav_bytes()).decode()
    assert clip_from_data_uri(f"DATA:Audio/X-Wav;codecs=1;BASE64,{quote(body)}") == voice
    assert clip_from_data_uri(f"data:;base64,{body[:76]}\n{body[76:]}") == voice
    assert clip_from_data_uri(f"data:audio/wav,{quote(voice.wav_bytes())}") == voice


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("answer.wav", "data URI"),
        ("data:audio/wav;base64", "data URI"),
        ("https://example.org/a.wav,", "data URI"),
        ("data:audio/wav;base64,", "empty"),
        ("data:audio/wav;base64,QUJ", "base64"),
        ("data:audio/wav;base64,Q!U=", "base64"),
        ("data:audio/wav;base64,aGVsbG8gd29ybGQ=", "text that begins 'hello world'"),
    ],
)
def test_broken_data_uris_say_what_is_wrong(uri, reason):
    with pytest.raises(SpeechbenchError, match=reason):
        clip_from_data_uri(uri)


def test_data_uri_knows_two_formats(voice):
    with pytest.raises(SpeechbenchError, match="ogg"):
        data_uri(voice, "ogg")


def test_every_published_recording_is_read_whole(upstream):
    topics = sorted((upstream / "style-amnesia" / "topics").glob("*.wav"))
    instructions = sorted((upstream / "style-amnesia" / "instructions").glob("*.wav"))
    assert len(topics) == 100
    for path in [*topics, *instructions]:
        content = path.read_bytes()
        sound = content[content.index(b"data") + 8 :]
        assert read_clip(path).pcm16() == sound, path.name
