"""A spoken model's reference: the run of its text backbone, found in a folder of logs."""

from pathlib import Path

from speechbench.errors import SpeechbenchError
from speechbench.reports.compare_constraints import like_for_like
from speechbench.reports.logs import ConstraintRun, RunHeader, read_header, read_run
from speechbench.reports.systems import find_backbone, system_of

__all__ = ["find_reference", "why_no_delta"]

_SUFFIXES = (".eval", ".json")
_LISTED = 8


def why_no_delta(model: str) -> str | None:
    """Why a model has no forgetting rate, where its text model follows no instructions itself.

    >>> why_no_delta("hf-speech/Qwen/Qwen2-Audio-7B-Instruct").partition(",")[0]
    'hf-speech/Qwen/Qwen2-Audio-7B-Instruct was made from Qwen-7B'
    """
    system = system_of(model)
    if system is None or system.instruction_tuned:
        return None
    return (
        f"{model} was made from {system.backbone}, which was never tuned to follow instructions "
        f"({system.source}): there was nothing to forget, so it has no Δ."
    )


def find_reference(slm: ConstraintRun, folder: Path) -> ConstraintRun:
    """The best run of a model's text backbone in a folder, searched with its subfolders.

    One that was asked and judged alike comes first, then one that read the transcript, the larger
    and the newer one.

    Args:
        slm: the spoken model's run.
        folder: of logs; what is no finished run of Speech-IFEval is passed over.

    Raises:
        SpeechbenchError: The backbone is not known, or has no run there.
    """
    headers = _headers(slm, folder)
    model = slm.header.model
    named = slm.header.info.condition.get("backbone")
    backbone = named or find_backbone(model, {header.model for header in headers})
    if backbone is None:
        raise SpeechbenchError(
            f"{model} is not in references/systems.toml, so its text backbone is not known: give "
            "the backbone's log instead of `--auto`."
        )
    runs = [read_run(header.path) for header in headers if header.model == backbone]
    found = [run for run in runs if isinstance(run, ConstraintRun)]
    if not found:
        others = sorted({header.model for header in headers})
        listed = ", ".join(others[:_LISTED]) or "none"
        raise SpeechbenchError(
            f"expected a finished run of {backbone}, the text backbone of {model}, in {folder}, "
            f"and there is none. There are runs of: {listed}."
        )
    return max(found, key=lambda run: _rank(slm, run))


def _headers(slm: ConstraintRun, folder: Path) -> list[RunHeader]:
    if not folder.is_dir():
        raise SpeechbenchError(f"There is no folder {folder}: give the folder of your logs.")
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix not in _SUFFIXES or path.resolve() == slm.header.path.resolve():
            continue
        try:
            header = read_header(path)
        except SpeechbenchError:
            continue  # a folder also holds unfinished runs and other files
        if (
            header.info.benchmark == "speech_ifeval"
            and header.info.condition.get("constraints") != "off"
        ):
            found.append(header)
    return found


def _rank(slm: ConstraintRun, run: ConstraintRun) -> tuple[bool, bool, int, str]:
    header = run.header
    reads = header.info.condition.get("input") == "transcript"
    return not like_for_like(slm, run), reads, header.completed_samples, header.created
