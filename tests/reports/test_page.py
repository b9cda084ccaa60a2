import base64
import io
import re
import shutil

import pytest
import soundfile
from bs4 import BeautifulSoup

from speechbench.reports.logs import read_run, read_user_turns
from speechbench.reports.page import render_page, write_page
from speechbench.reports.turns import turns_view

HOSTILE = "<script>alert(1)</script>"


def made(path, dialogues=5):
    run = read_run(path)
    return render_page(turns_view([run], 0, resamples=200), [run], dialogues)


@pytest.fixture(scope="module")
def html(spoken_log):
    return made(spoken_log)


@pytest.fixture(scope="module")
def page(html):
    return BeautifulSoup(html, "html.parser")


def test_the_users_side_is_read_from_the_log(spoken_log):
    turns = read_user_turns(spoken_log)["slow", "opener-001", "1"]
    assert list(turns) == [1, 2, 3, 4]
    assert turns[2].text.endswith("user 2")


def test_nothing_is_loaded_from_outside_and_no_script_runs(html, page):
    assert not page.select("script, iframe, object, embed, base, form, video, img")
    for element in page.find_all(attrs={"src": True}):
        assert element.name == "audio"
        assert element["src"].startswith("data:audio/")
    for anchor in page.select("a"):
        assert anchor["href"].startswith("#")
    policy = page.find("meta", attrs={"http-equiv": "Content-Security-Policy"})["content"]
    assert policy.startswith("default-src 'none'")
    assert "script-src" not in policy
    assert not re.search(r"url\(|@import|https?://", html)


def test_names_and_words_are_text_not_markup(html, page):
    assert "<script" not in html
    assert HOSTILE in page.get_text()
    assert f"voice{HOSTILE}" in page.get_text()


def test_every_dialogue_is_there_turn_by_turn(page):
    dialogues = page.select("details.dialogue")
    assert [len(dialogue.select(".turn")) for dialogue in dialogues] == [4, 2, 4]
    first = dialogues[0].select(".turn")[2]
    assert "user 3" in first.select_one(".user").get_text()
    assert first.select_one(".chip.no").get_text() == "slow: not followed"
    assert "120.0 wpm, neutral 150.0" in first.get_text()
    silent = dialogues[1].select(".turn")[1]
    assert silent.select_one(".assistant .chip").get_text() == "slow: no speech"
    assert len(silent.select("audio")) == 1
    assert "not recalled" in dialogues[0].get_text()


def test_a_lost_clip_is_said_and_stops_nothing(page):
    assert "the clip is not in the folder audio beside the log" in page.get_text()


def test_clips_keep_their_level(page):
    """Turn 4 was spoken four times as loud as turn 1, and is so on the page."""
    turns = page.select("details.dialogue")[0].select(".turn")
    levels = []
    for turn in (turns[0], turns[3]):
        source = turn.select_one(".assistant audio")["src"]
        samples, _ = soundfile.read(io.BytesIO(base64.b64decode(source.partition(",")[2])))
        levels.append(abs(samples[len(samples) // 4 : len(samples) // 2]).max())
    assert levels[1] / levels[0] == pytest.approx(4, rel=0.05)


def test_tables_curves_and_sentences(page):
    article = page.select_one("article.style")
    assert "n = 2 of 3 dialogues" in article.get_text()
    assert "intervals approximate" in article.get_text()
    assert article.select_one("svg.curve")["aria-label"].startswith("IF of slow: turn 1: 100.0")
    assert len(article.select("tbody tr")) == 4
    assert "Without a verdict, no speech: 1 turn" in article.get_text()
    assert "Coherence" in page.get_text()
    assert "as printed, other judges' versions" in page.get_text()


def test_runs_that_differ_in_wording_stand_together(held, run_of, spoken_log):
    measured = [
        dialogue.model_copy(
            update={
                "phrasing": phrasing,
                "styles": [
                    part.model_copy(
                        update={
                            "turns": [
                                turn.model_copy(
                                    update={"measure": 100.0 + phrasing, "reference_measure": 90.0}
                                )
                                for turn in part.turns
                            ]
                        }
                    )
                    for part in dialogue.styles
                ],
            }
        )
        for phrasing in (0, 2)
        for dialogue in held("slow", ["11"])
    ]
    runs = [
        run_of([dialogue], path=spoken_log, phrasing=dialogue.phrasing) for dialogue in measured
    ]
    html = render_page(turns_view(runs, 0, resamples=200), runs, 0)
    rows = BeautifulSoup(html, "html.parser").select("#phrasings tbody tr")
    assert [row.th.contents[0].strip() for row in rows] == ["phrasing 0", "phrasing 2"]
    assert "+12.00" in rows[1].get_text()


def test_only_so_many_dialogues_as_asked_for(spoken_log):
    assert len(BeautifulSoup(made(spoken_log, 1), "html.parser").select("details.dialogue")) == 1
    none = BeautifulSoup(made(spoken_log, 0), "html.parser")
    assert not none.select("#dialogues, audio")


def test_same_log_same_page(spoken_log, html):
    assert made(spoken_log) == html


def test_a_log_without_a_users_side(style_log):
    page = BeautifulSoup(made(style_log), "html.parser")
    assert not page.select(".user")
    assert page.select(".assistant")


def test_a_clip_plays_to_its_end_in_a_browser(spoken_log, tmp_path):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("needs chromium or google-chrome, and neither is installed")
    playwright = pytest.importorskip("playwright.sync_api")
    run = read_run(spoken_log)
    path = tmp_path / "folder" / "report.html"
    write_page(turns_view([run], 0, resamples=200), [run], path, 1)
    asked, said = [], []
    with playwright.sync_playwright() as driver:
        chrome = driver.chromium.launch(
            executable_path=browser,
            args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required"],
        )
        view = chrome.new_page(viewport={"width": 390, "height": 900})
        view.on("request", lambda request: asked.append(request.url))
        view.on("console", lambda message: said.append(message.text))
        view.goto(path.as_uri())
        view.locator("details.dialogue > summary").click()
        view.locator("audio").first.scroll_into_view_if_needed()
        ended = view.evaluate(
            """() => new Promise((resolve, reject) => {
                const audio = document.querySelector("audio")
                audio.onended = () => resolve([audio.currentTime, audio.duration])
                audio.onerror = () => reject(audio.error.message)
                audio.play().catch(reject)
            })"""
        )
        wide = view.evaluate("document.documentElement.scrollWidth")
        chrome.close()
    assert ended[0] == pytest.approx(ended[1])
    assert ended[1] == pytest.approx(0.35, abs=0.15)
    assert wide == 390
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert said == []
