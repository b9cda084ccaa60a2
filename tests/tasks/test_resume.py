"""A run that was killed goes on where it was, and nothing that was finished runs again."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from inspect_ai.log import list_eval_logs, read_eval_log

ROOT = Path(__file__).parents[2]
INSPECT = [str(Path(sys.executable).with_name("inspect"))]
PATIENCE_S = 900


def _samples(folder: Path) -> dict[str, str]:
    """Finished samples in the newest log, with when each was completed."""
    logs = list_eval_logs(str(folder), descending=True)
    log = read_eval_log(logs[0]) if logs else None
    return {str(s.id): str(s.completed_at) for s in (log.samples or [] if log else [])}


def test_a_killed_run_is_resumed(tmp_path):
    command = [
        *INSPECT, "eval", "tasks/style_amnesia.py", "--model", "synthetic/forgetful",
        "-T", "styles=loud,quiet", "-T", "openers=4", "-T", "turns=1",
        "--max-samples", "1", "--log-dir", str(tmp_path), "--display", "none",
    ]  # fmt: skip
    run = subprocess.Popen(command, start_new_session=True, cwd=ROOT)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while len(_samples(tmp_path)) < 2:
            assert run.poll() is None, "the run ended before it could be killed"
            assert time.monotonic() < deadline, "no two samples were finished in time"
            time.sleep(0.5)
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
        run.wait()

    before = _samples(tmp_path)
    [log] = list_eval_logs(str(tmp_path))
    assert read_eval_log(log, header_only=True).status == "started"
    retry = [*INSPECT, "eval-retry", log.name, "--log-dir", str(tmp_path), "--display", "none"]
    subprocess.run(retry, check=True, timeout=PATIENCE_S, cwd=ROOT)

    newest = list_eval_logs(str(tmp_path), descending=True)[0]
    header = read_eval_log(newest, header_only=True)
    assert header.status == "success"
    assert header.results.completed_samples == header.results.total_samples == 8
    after = _samples(tmp_path)
    assert len(after) == 8
    assert before.items() <= after.items()
