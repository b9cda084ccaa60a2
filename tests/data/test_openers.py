"""Openers: the built-in set's promises, and folders of others, paired by number."""

import hashlib
import itertools
import re
import struct
from collections import Counter

import numpy as np
import pytest

from speechbench.audio import Clip, read_clip
from speechbench.data.openers import builtin_openers, opener_source
from speechbench.errors import SpeechbenchError
from speechbench.speech import speakable

PREFERENCE = re.compile(
    r"\b(?:your favou?rite|do you (?:like|prefer|enjoy|want|have)|have you ever|you like best)\b",
    flags=re.IGNORECASE,
)


FRAMES = {
    *("what", "should", "have", "would", "want", "like", "make", "that", "them"),
    *("without", "every", "from", "time", "home", "when", "there", "first"),
}
"""What many questions are built of, whatever they are about."""


@pytest.fixture(scope="module")
def published(upstream):
    """The benchmark's own openers."""
    return opener_source(str(upstream / "style-amnesia"))


def words(text):
    return re.findall(r"[a-z']+", text.lower())


def similarities(texts):
    """Cosines of all pairs of TF-IDF vectors, shape (n (n - 1) / 2,): 0 for no rare word shared."""
    counts = [Counter(words(text)) for text in texts]
    vocabulary = sorted(set(itertools.chain.from_iterable(counts)))
    tf = np.array([[count[word] for word in vocabulary] for count in counts], dtype=float)
    vectors = tf * np.log(len(texts) / (tf > 0).sum(axis=0))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors @ vectors.T)[np.triu_indices(len(texts), 1)]


class TestBuiltin:
    def test_a_hundred_openers_with_stable_ids(self):
        openers = builtin_openers()
        assert [opener.id for opener in openers] == [f"opener-{n:03d}" for n in range(1, 101)]
        assert len({opener.text for opener in openers}) == 100
        assert all(opener.audio is None for opener in openers)

    @pytest.mark.parametrize(
        ("count", "digest"), [(20, "cf798a1614c5b82c"), (100, "757f55370a87c939")]
    )
    def test_texts_do_not_change(self, count, digest):
        # Logs pair dialogues by id, so `builtin-1` may grow at its end and nowhere else.
        texts = "\n".join(opener.text for opener in builtin_openers()[:count])
        assert hashlib.sha256(texts.encode()).hexdigest()[:16] == digest

    def test_every_opener_ends_in_a_question_that_can_be_said_in_a_breath(self):
        for opener in builtin_openers():
            assert opener.text.endswith("?")
            assert 8 <= len(opener.text.split()) <= 30

    def test_every_opener_can_be_spoken_as_it_is_written(self):
        for opener in builtin_openers():
            assert speakable(opener.text) == opener.text
            # Letters, and marks that a voice pauses at: no digits, abbreviations or acronyms.
            assert re.fullmatch(r"[A-Za-z' ,.?]+", opener.text), opener.text
            assert not re.search(r"\b[A-Z]{2,}\b|\b\w{1,3}\.\w|\.(?! [A-Z])", opener.text)

    def test_no_opener_asks_what_a_machine_likes_or_has_lived_through(self):
        for opener in builtin_openers():
            assert not PREFERENCE.search(opener.text)

    def test_no_two_openers_are_about_the_same(self):
        # Same sentence frames ("What should I …?") stay under 0.2; two openers about one thing in
        # other words, such as a dog to adopt and a dog to train, reach 0.25.
        pairs = similarities([opener.text for opener in builtin_openers()])
        assert pairs.max() < 0.3
        assert pairs.mean() < 0.03

    def test_no_topic_takes_more_than_a_twentieth(self):
        texts = [set(words(opener.text)) for opener in builtin_openers()]
        uses = Counter(word for text in texts for word in text if len(word) > 3)
        assert {word for word, count in uses.items() if count > 5} <= FRAMES
        assert sum(count == 1 for count in uses.values()) > 300

    def test_none_is_the_benchmarks_and_they_are_as_diverse(self, published):
        theirs = [opener.text for opener in published.openers]
        ours = [opener.text for opener in builtin_openers()]
        assert not {" ".join(words(text)) for text in ours} & {
            " ".join(words(text)) for text in theirs
        }
        for text in ours:
            mine = set(words(text))
            assert all(
                len(mine & other) / len(mine | other) < 0.4
                for other in (set(words(their)) for their in theirs)
            )
        assert similarities(ours).mean() < similarities(theirs).mean()


TEXTS = ["How do I sharpen a knife?", "Why do cats purr?", "What is a leap year?"]


def tone(number):
    """A second of sine, another pitch for every number."""
    time_s = np.arange(8000) / 8000
    return Clip.from_samples(0.1 * np.sin(2 * np.pi * (200 + 50 * number) * time_s), 8000)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "topics.txt").write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    for number in range(3):
        (tmp_path / f"{number}_en.wav").write_bytes(tone(number).wav_bytes())
    return tmp_path


class TestSource:
    def test_line_n_from_0_is_said_in_recording_n(self, tmp_path):
        # Directory order would be 0, 1, 10, 11, 2, …
        texts = [f"Question {chr(65 + n)}, what is it?" for n in range(12)]
        (tmp_path / "topics.txt").write_text("\n".join(texts), encoding="utf-8")
        for number in range(12):
            (tmp_path / f"{number}_en.wav").write_bytes(tone(number).wav_bytes())
        openers = opener_source(tmp_path).openers
        assert [opener.id for opener in openers] == [f"topic-{n:03d}" for n in range(12)]
        assert [opener.text for opener in openers] == texts
        for number, opener in enumerate(openers):
            assert read_clip(opener.audio) == tone(number)

    def test_upstream_has_a_hundred_recordings_paired_by_number(self, published):
        assert len(published.openers) == 100
        for number, opener in enumerate(published.openers):
            assert opener.audio.name == f"{number}_en.wav"

    @pytest.mark.parametrize("place", [".", "topic", "topics", "data/topic"])
    def test_a_folder_or_a_checkout(self, tmp_path, place):
        (tmp_path / place).mkdir(parents=True, exist_ok=True)
        (tmp_path / place / "topics.txt").write_text(TEXTS[0], encoding="utf-8")
        assert [opener.text for opener in opener_source(tmp_path).openers] == TEXTS[:1]

    def test_without_recordings_a_voice_speaks(self, tmp_path):
        (tmp_path / "topics.txt").write_text("\n".join(TEXTS), encoding="utf-8")
        assert [opener.audio for opener in opener_source(tmp_path).openers] == [None] * 3

    @pytest.mark.parametrize(
        "content",
        [
            b"\xef\xbb\xbf" + "\n".join(TEXTS).encode(),
            "\r\n".join(TEXTS).encode() + b"\r\n",
            "\r".join(TEXTS).encode(),
            ("\n".join(f"  {text}\t" for text in TEXTS) + "\n\n\n").encode(),
            b"\x0c" + "\n".join(TEXTS).encode(),
        ],
        ids=["byte order mark", "CRLF", "CR", "white space around", "form feed"],
    )
    def test_how_the_file_was_saved_changes_nothing(self, folder, content):
        before = opener_source(folder)
        (folder / "topics.txt").write_bytes(content)
        assert opener_source(folder) == before

    def test_an_empty_line_keeps_its_number(self, folder):
        (folder / "topics.txt").write_text("\n".join([TEXTS[0], "", TEXTS[2]]), encoding="utf-8")
        (folder / "1_en.wav").unlink()
        found = opener_source(folder).openers
        assert [(opener.id, opener.audio.name) for opener in found] == [
            ("topic-000", "0_en.wav"),
            ("topic-002", "2_en.wav"),
        ]

    @pytest.mark.parametrize("size", [0, 0xFFFFFFFF])
    def test_streamed_headers_are_repaired(self, folder, size):
        before = opener_source(folder)
        path = folder / "1_en.wav"
        data = bytearray(path.read_bytes())
        at = data.index(b"data")
        data[at + 4 : at + 8] = data[4:8] = struct.pack("<I", size)
        path.write_bytes(data)
        assert opener_source(folder).id == before.id

    def test_the_id_is_of_texts_and_sound(self, folder):
        ids = {opener_source(folder).id}
        (folder / "2_en.wav").write_bytes(tone(7).wav_bytes())
        ids.add(opener_source(folder).id)
        (folder / "topics.txt").write_text("\n".join(reversed(TEXTS)), encoding="utf-8")
        ids.add(opener_source(folder).id)
        assert len(ids) == 3

    def test_other_files_do_not_matter(self, folder):
        before = opener_source(folder)
        (folder / "notes_en.wav").write_bytes(b"")
        (folder / "0_fr.wav").write_bytes(b"")
        assert opener_source(folder) == before


class TestRefused:
    def test_no_file(self, tmp_path):
        with pytest.raises(SpeechbenchError, match=r"expected a folder with topics\.txt"):
            opener_source(tmp_path)

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (b"", "there is no text"),
            (b"\xef\xbb\xbf\r\n \r\n", "there is no text"),
            (b"caf\xe9\n", "expected text in UTF-8"),
            (b"Why?\n???\n", r"line 1 \(counted from 0\), got '\?\?\?'"),
        ],
    )
    def test_no_text(self, tmp_path, content, sentence):
        (tmp_path / "topics.txt").write_bytes(content)
        with pytest.raises(SpeechbenchError, match=sentence):
            opener_source(tmp_path)

    def test_some_recordings_missing(self, folder):
        (folder / "1_en.wav").unlink()
        with pytest.raises(SpeechbenchError, match="those of 1 are missing"):
            opener_source(folder)

    def test_a_recording_without_text(self, folder):
        (folder / "topics.txt").write_text("\n".join(TEXTS[:2]), encoding="utf-8")
        with pytest.raises(SpeechbenchError, match=r"lines 2 .* are empty or missing"):
            opener_source(folder)

    def test_many_numbers_are_counted(self, tmp_path):
        (tmp_path / "topics.txt").write_text("Why?\n" * 9, encoding="utf-8")
        (tmp_path / "0_en.wav").write_bytes(tone(0).wav_bytes())
        with pytest.raises(SpeechbenchError, match="1, 2, 3, 4, 5 and 3 more are missing"):
            opener_source(tmp_path)

    def test_one_number_twice(self, folder):
        (folder / "01_en.wav").write_bytes(tone(1).wav_bytes())
        with pytest.raises(SpeechbenchError, match=r"01_en\.wav and 1_en\.wav"):
            opener_source(folder)

    def test_a_broken_recording_is_named(self, folder):
        (folder / "2_en.wav").write_bytes(b"RIFF")
        with pytest.raises(SpeechbenchError, match=r"2_en\.wav"):
            opener_source(folder)
