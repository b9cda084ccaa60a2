"""The page in a real browser, where there is one."""

import json
import shutil
import subprocess

import pytest


def requests_of(page, folder, width=1280):
    """The http addresses that a page itself asks for, apart from the browser's own."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("needs chromium or google-chrome, and neither is installed")
    net_log, picture = folder / "net.json", folder / "page.png"
    subprocess.run(
        [
            *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"),
            *("--no-first-run", "--disable-background-networking", "--disable-component-update"),
            *("--disable-sync", f"--user-data-dir={folder / 'profile'}"),
            *("--host-resolver-rules=MAP * ~NOTFOUND", f"--log-net-log={net_log}"),
            *(f"--screenshot={picture}", f"--window-size={width},2000", page.as_uri()),
        ],
        capture_output=True,
        timeout=120,
        check=True,
    )
    assert picture.stat().st_size > 1000
    events = json.loads(net_log.read_text())["events"]
    asked = [event["params"] for event in events if "initiator" in event.get("params", {})]
    return {
        params["url"]
        for params in asked
        if params.get("url", "").startswith("http") and params["initiator"] != "not an origin"
    }


@pytest.mark.parametrize("width", [390, 1280])
def test_page_asks_for_nothing(site, tmp_path, width):
    assert requests_of(site.page, tmp_path, width) == set()


def test_a_page_that_asks_would_be_seen(tmp_path):
    page = tmp_path / "asks.html"
    page.write_text('<h1>A picture</h1><img src="http://speechbench.invalid/a.png">')
    assert requests_of(page, tmp_path) == {"http://speechbench.invalid/a.png"}
