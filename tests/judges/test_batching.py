"""Batches by total seconds."""

from hypothesis import given
from hypothesis import strategies as st

from speechbench.judges import by_seconds

LENGTHS = st.dictionaries(st.text(min_size=1, max_size=4), st.floats(0.1, 200), max_size=30)


@given(LENGTHS, st.floats(1, 300))
def test_every_clip_is_in_one_batch_that_is_short_enough(lengths_s, most_s):
    batches = by_seconds(lengths_s, most_s)
    assert sorted(clip for batch in batches for clip in batch) == sorted(lengths_s)
    for batch in batches:
        longest_s = max(lengths_s[clip] for clip in batch)
        assert len(batch) == 1 or len(batch) * longest_s <= most_s


@given(LENGTHS, st.floats(1, 300))
def test_the_longest_come_first(lengths_s, most_s):
    order = [lengths_s[clip] for batch in by_seconds(lengths_s, most_s) for clip in batch]
    assert order == sorted(order, reverse=True)
