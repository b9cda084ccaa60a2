import re
from datetime import UTC, datetime

import pytest
from bs4 import BeautifulSoup

from speechbench.leaderboard.build import build_site


@pytest.fixture(scope="module")
def html(site):
    return site.page.read_text("utf-8")


@pytest.fixture(scope="module")
def page(html):
    return BeautifulSoup(html, "html.parser")


def rows(section):
    return [row for row in section.select("table.cards tbody tr") if row.select("td")]


def cell(row, label):
    return row.find("td", attrs={"data-label": label}).get_text(" ", strip=True)


def test_nothing_is_loaded_from_outside(page):
    assert not page.select("script, iframe, object, embed, img, base, form, video, audio")
    for element in page.find_all(attrs={"src": True}):
        pytest.fail(f"{element.name} loads {element['src']}")
    for link in page.select("link"):
        assert link["href"].startswith("data:")
    for anchor in page.select("a"):
        assert anchor["href"].startswith("#")
    style = page.style.string
    assert "url(" not in style
    assert "@import" not in style
    policy = page.find("meta", attrs={"http-equiv": "Content-Security-Policy"})["content"]
    assert policy.startswith("default-src 'none'")


def test_names_are_text_not_markup(html, page):
    assert "<script>" not in html
    assert "onerror" not in html
    assert "prepared/<script>alert(1)</script>" in page.get_text()


def test_tables_have_captions_and_scopes(page):
    for table in page.select("table"):
        assert table.caption.get_text(strip=True)
        for header in table.select("th"):
            assert header["scope"] in ("col", "row", "colgroup", "rowgroup")


def test_internal_links_lead_somewhere(page):
    for anchor in page.select("a[href^='#']"):
        assert page.find(id=anchor["href"][1:]) is not None


def test_ids_are_unique(page):
    ids = [element["id"] for element in page.find_all(id=True)]
    assert len(ids) == len(set(ids))


def test_protocols_have_tables_of_their_own(page):
    styles = page.find(id="styles")
    headings = [heading.get_text(" ", strip=True) for heading in styles.select("h3")]
    assert len(headings) == 2
    assert headings[0].startswith("Protocol embedded-1 0123456789abcdef")
    tables = styles.select("table.cards")
    assert "alert(1)" not in tables[0].get_text()
    assert "steady" not in tables[1].get_text()


def test_styles_are_ordered_by_what_is_left_at_the_last_turn(page):
    table = page.find(id="styles").select_one("table.cards")
    slow = [row for row in rows(table) if "%" in row.get_text()][:3]
    names = [row.th.get_text(" ", strip=True) for row in rows(table)]
    assert slow
    assert [name.split()[0] for name in names] == [
        *("prepared/steady", "prepared/fading"),
        "prepared/steady",
    ]


def test_style_row_shows_number_interval_floor_and_counts(page):
    [fading] = [row for row in rows(page.find(id="styles")) if "prepared/fading" in row.get_text()]
    assert cell(fading, "IF₁").startswith("100.0 [72.2, 100.0]")
    assert cell(fading, "D").startswith("66.7 [")
    assert re.match(r"\d+\.\d 95 %: \d+\.\d", cell(fading, "Floor of D"))
    assert float(cell(fading, "p").removeprefix("< ")) <= 0.002
    assert cell(fading, "Drop").startswith("+66.7")
    assert cell(fading, "Complete") == "10 of 10 intervals approximate"
    steady = next(row for row in rows(page.find(id="styles")) if "steady" in row.get_text())
    assert cell(steady, "Complete") == "9 of 10 intervals approximate"
    assert cell(steady, "Turns without verdict") == "1 no speech 2 not reached"


def test_chance_is_drawn_for_relative_styles_only(page):
    tables = page.find(id="styles").select("table.cards")
    for curve in tables[0].select("svg"):
        assert curve.select("line.chance")
        assert "chance is 50.0" in curve["aria-label"]
    for curve in tables[1].select("svg"):
        assert not curve.select("line.chance")
    assert "chance 50.0 %" in tables[0].get_text()


def test_constraints_with_all_categories(page):
    table = page.find(id="constraints").select_one("table.cards")
    found = {row.th.get_text(" ", strip=True).split()[0]: row for row in rows(table)}
    slm = found["prepared/slm"]
    assert cell(slm, "IFrate").startswith("75.0")
    assert cell(slm, "Δ").startswith("−25.0 [")
    assert cell(slm, "Δ").endswith("n = 16")
    assert cell(found["prepared/llm"], "Δ") == "–"


def test_without_chain_of_thought_only_the_rule_rate_stands(page):
    table = page.find(id="constraints").select_one("table.cards")
    [row] = [row for row in rows(table) if "ungraded" in row.get_text()]
    assert cell(row, "IFrate") == "–"
    assert cell(row, "Δ") == "–"
    assert cell(row, "CoT") == "–"
    assert cell(row, "Rule rate").startswith("75.0")
    assert cell(row, "Δ rule").startswith("−25.0")
    assert "4 unscored" in cell(row, "Responses")


def test_spoken_models_and_text_models_stand_apart(page):
    table = page.find(id="constraints").select_one("table.cards")
    groups = [header.get_text(strip=True) for header in table.select("th[scope=rowgroup]")]
    assert groups == ["Text models, given the transcript", "Spoken models, given the audio"]


def test_each_run_shows_what_it_was_made_under(page):
    runs = page.find(id="runs").select("details")
    assert len(runs) == 6
    text = " ".join(run.get_text(" ", strip=True) for run in runs)
    assert "inspect eval tasks/style_amnesia.py --model prepared/fading" in text
    assert "speed-judge 1" in text
    assert "inspect-ai 0.3.285" in text
    assert "turns: 4; judges: speed speaking-rate; voice: <b>v</b>" in text
    assert "somebody" not in text


def test_only_equal_conditions_and_judges_are_ranked_together(
    tmp_path, run_inspect, style_info, style_outcomes
):
    logs = tmp_path / "logs"
    asked = {"styles": ["slow"], "position": "user"}
    plain = style_outcomes("slow", ["1111", "1100"])
    other = {
        key: outcome.model_copy(
            update={"judge": outcome.judge.model_copy(update={"fingerprint": "cd" * 32})}
        )
        for key, outcome in plain.items()
    }
    few = {**asked, "openers": 2, "styles": ["slow", "loud"]}
    for model, condition, outcomes in (
        ("a", asked, plain),
        ("b", {**few, "recall": "none", "schedule": "hold"}, plain),
        ("c", {**asked, "recall": "keep"}, plain),
        ("d", asked, other),
        ("e", {**asked, "schedule": "switch", "styles": ["slow", "fast"]}, plain),
        ("f", {**asked, "schedule": "switch", "styles": ["fast", "slow"]}, plain),
    ):
        run_inspect(model, style_info(condition=condition), outcomes, folder=logs)
    built = datetime(2026, 1, 1, tzinfo=UTC)
    html = build_site(logs, tmp_path, built).page.read_text("utf-8")
    tables = BeautifulSoup(html, "html.parser").find(id="styles").select("table.cards")
    ranked = [
        [
            {row.th.contents[0].strip() for row in body.select("tr:not(.group)")}
            for body in table.select("tbody")
        ]
        for table in tables
    ]
    assert ranked == [
        *([{"prepared/c"}], [{"prepared/a", "prepared/b"}, {"prepared/d"}]),
        *([{"prepared/f"}], [{"prepared/e"}]),
    ]
    assert "recall keep" in html
    assert "heard by speed-judge 1 (cdcdcdcd)" in html


def test_files_not_shown_are_listed_at_the_end(page):
    last = page.main.find_all("section")[-1]
    assert last["id"] == "left-out"
    assert {row.th.get_text() for row in last.select("tbody tr")} >= {"notes.json", "damaged.eval"}


def test_page_says_when_it_was_built(page):
    assert "Built 2026-05-04 12:30 UTC" in " ".join(page.header.get_text().split())


def test_page_is_small(html):
    assert len(html.encode()) < 100_000
