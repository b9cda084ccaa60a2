from xml.etree import ElementTree

import pytest

from speechbench.reports.curves import write_curves
from speechbench.reports.turns import turns_view


def test_every_style_has_its_curves_as_svg_and_png(held, run_of, tmp_path):
    pytest.importorskip("matplotlib")
    runs = [
        run_of(held("slow", ["1100", "1111"]) + held("sad", ["1000", "1010"])),
        run_of(held("slow", ["1111", "1111"]), recall="keep"),
    ]
    view = turns_view(runs, 0, resamples=200)
    written = write_curves(view, tmp_path / "new" / "folder")
    assert [path.name for path in written] == ["slow.svg", "slow.png", "sad.svg", "sad.png"]
    for path in written:
        if path.suffix == ".svg":
            text = path.read_text("utf-8")
            ElementTree.fromstring(text)
            assert "<!-- slow (speed) -->" in text or "<!-- sad (emotion) -->" in text
        else:
            assert path.read_bytes().startswith(b"\x89PNG")
    slow = written[0].read_text("utf-8")
    assert "<!-- chance 50 % -->" in slow
    assert "<!-- prepared/steady · recall keep (n = 2, approximate) -->" in slow


def test_same_report_same_picture(held, run_of, tmp_path):
    pytest.importorskip("matplotlib")
    view = turns_view([run_of(held("slow", ["1100", "1111"]))], 0, resamples=200)
    one, two = (write_curves(view, tmp_path / name)[0].read_bytes() for name in "ab")
    assert one == two
