"""A small dataset in SODA's schema."""

import json

import pytest

SITUATIONS = (
    ("Ada baked a cake and it fell apart.", "Why does it always crumble?"),
    ("Ben wants to repair his old bicycle.", "The chain keeps slipping."),
    ("Cleo cannot sleep since she moved.", "I was awake all night again."),
    ("Dan argues with Eve about their wedding.", "You never listen to me!"),
)


@pytest.fixture
def soda(tmp_path):
    """Four dialogues, one of which is about an event that another has too."""
    folder = tmp_path / "soda"
    folder.mkdir()
    rows = [
        {
            "head": f"PersonX does {number}",
            "relation": "xWant",
            "tail": "to know more",
            "literal": "",
            "narrative": narrative,
            "dialogue": [first, "What do you mean?"],
            "speakers": ["One", "Two"],
        }
        for number, (narrative, first) in enumerate(SITUATIONS)
    ]
    rows.append({**rows[0], "narrative": "Another telling of the cake."})
    rows.append({**rows[0], "head": "PersonX is silent", "dialogue": []})
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "train.jsonl").write_text(lines, encoding="utf-8")
    return folder
