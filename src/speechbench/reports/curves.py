"""Per-turn curves as pictures, SVG and PNG: IF with bands, D beside its floor, what was measured.

Colours are Okabe and Ito's, which are told apart with any colour vision; each run also has a
marker and a line of its own, so that the curves survive printing in grey.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from speechbench._extras import load_extra
from speechbench.reports.styles import StyleResult
from speechbench.reports.turns import RunTurns, StyleTurns, TurnsView

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["write_curves"]

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_LINES = ("-", "--", "-.", ":")
_INK, _SOFT, _GRID = "#1c2024", "#5a646e", "#dde2e7"
_SETTINGS = {
    "svg.hashsalt": "speechbench",
    "font.family": "sans-serif",
    "font.size": 9.5,
    "axes.edgecolor": _SOFT,
    "axes.labelcolor": _INK,
    "xtick.color": _SOFT,
    "ytick.color": _SOFT,
    "text.color": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": _GRID,
    "grid.linewidth": 0.7,
    "axes.axisbelow": True,
}


def write_curves(view: TurnsView, folder: Path) -> list[Path]:
    """Draw every style of a report, the runs over one another.

    For a style `slow` the files are `slow.svg` and `slow.png` (IF per turn, D and its floor) and,
    where the style has a continuous measure, `slow-measure.svg` and `.png`. The same report gives
    the same files.

    Args:
        view: The report.
        folder: Made where it is missing.

    Returns:
        The files, in order.

    Raises:
        MissingPackageError: matplotlib is not installed.
        OSError: The folder cannot be written to.
    """
    matplotlib = load_extra("matplotlib", "plots")
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    styles = dict.fromkeys(style.result.style for run in view.runs for style in run.styles)
    with matplotlib.rc_context(_SETTINGS):
        for style in styles:
            rows = [
                (place, run, row)
                for place, run in enumerate(view.runs)
                for row in run.styles
                if row.result.style == style
            ]
            written += _save(_rates(rows), folder / style)
            measured = [row for row in rows if row[2].measure is not None]
            if measured:
                written += _save(_measures(measured), folder / f"{style}-measure")
    return written


_Rows = Sequence[tuple[int, RunTurns, StyleTurns]]


def _rates(rows: _Rows) -> "Figure":
    figure = _figure()
    left, right = figure.subplots(1, 2, width_ratios=(3.4, 1.1))
    first = rows[0][2].result
    for place, run, row in rows:
        _curve(left, row.result, run.label, place, len(rows))
    chance = next((row.result.chance for _, _, row in rows if row.result.chance is not None), None)
    if chance is not None:
        left.axhline(chance, color=_SOFT, linestyle=(0, (1, 2)), linewidth=1.4)
        left.annotate(
            f"chance {chance:.0f} %",
            (1.0, chance),
            xycoords=("axes fraction", "data"),
            xytext=(-2, 3),
            textcoords="offset points",
            ha="right",
            color=_SOFT,
            fontsize=8.5,
        )
    turns = sorted({turn for _, _, row in rows for turn in row.result.turns})
    left.set(ylim=(0, 103), ylabel="IF, % of dialogues", xlabel="turn", xticks=turns)
    left.set_title(f"{first.style} ({first.dimension})", loc="left", fontweight="bold")
    left.margins(x=0.08)
    for slot, (place, _, row) in enumerate(rows):
        _degradation(right, row.result, slot, place)
    right.set(xticks=[], xlim=(-0.7, len(rows) - 0.3), ylabel="D, points")
    right.set_ylim(bottom=0)
    right.set_title("D; grey: its floor", loc="left", fontsize=9.5)
    right.grid(False, axis="x")
    _legend(figure, left)
    return figure


def _curve(axes: "Axes", result: StyleResult, label: str, place: int, runs: int) -> None:
    known = [
        (turn, rate) for turn, rate in zip(result.turns, result.rates, strict=True) if rate.known
    ]
    if not known:
        return
    n = result.degradation.n
    about = ", approximate" if result.degradation.approximate else ""
    turns = [turn for turn, _ in known]
    style = _style(place)
    axes.fill_between(
        turns,
        [rate.interval.low for _, rate in known],
        [rate.interval.high for _, rate in known],
        color=style["color"],
        alpha=0.16 if runs < 4 else 0.09,
        linewidth=0,
    )
    axes.plot(turns, [rate.value for _, rate in known], label=f"{label} (n = {n}{about})", **style)
    if result.replaced_at is not None:
        axes.axvline(result.replaced_at - 0.5, color=_SOFT, linewidth=0.9)
        axes.annotate(
            "replaced",
            (result.replaced_at - 0.5, 0.0),
            xycoords=("data", "axes fraction"),
            xytext=(3, 4),
            textcoords="offset points",
            color=_SOFT,
            fontsize=8.5,
        )


def _degradation(axes: "Axes", result: StyleResult, slot: int, place: int) -> None:
    """D with its interval on a grey bar up to the floor's 95th percentile; a line at its mean."""
    found = result.degradation
    if found.reason is not None:
        axes.annotate("–", (slot, 0), ha="center", va="bottom")
        return
    axes.bar(slot, found.floor_p95, width=0.62, color=_GRID, linewidth=0)
    axes.hlines(found.floor_mean, slot - 0.31, slot + 0.31, color=_SOFT, linewidth=1.4)
    low, high = found.degradation_interval
    style = _style(place)
    axes.vlines(slot, low, high, color=style["color"], linewidth=1.6)
    axes.plot(slot, found.degradation, **{**style, "linestyle": "none"})


def _measures(rows: _Rows) -> "Figure":
    figure = _figure()
    axes = figure.subplots()
    measured = [row.measure for _, _, row in rows if row.measure is not None]
    for (place, run, _), found in zip(rows, measured, strict=True):
        aside = 0.06 * (place - (len(rows) - 1) / 2)
        axes.errorbar(
            [turn + aside for turn in found.turns],
            [turn.mean for turn in found.by_turn],
            yerr=[turn.sd for turn in found.by_turn],
            label=run.label,
            capsize=2.5,
            elinewidth=0.9,
            **_style(place),
        )
    measure = measured[0]
    if rows[0][2].result.relative:
        axes.axhline(0, color=_SOFT, linestyle=(0, (1, 2)), linewidth=1.4)
    unit = f", {measure.unit}" if measure.unit else ""
    turns = sorted({turn for found in measured for turn in found.turns})
    axes.set(xlabel="turn", ylabel=f"{measure.what}{unit}", xticks=turns)
    axes.set_title(f"{measure.style}: mean ± SD", loc="left", fontweight="bold")
    _legend(figure, axes)
    return figure


def _style(place: int) -> dict[str, Any]:
    return {
        "color": _COLOURS[place % len(_COLOURS)],
        "marker": _MARKERS[place % len(_MARKERS)],
        "linestyle": _LINES[place % len(_LINES)],
        "markersize": 5,
        "linewidth": 1.8,
    }


def _figure() -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=(7.2, 3.6), layout="constrained")


def _legend(figure: "Figure", axes: "Axes") -> None:
    handles, names = axes.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower left", frameon=False, fontsize=8.5, ncols=1)


def _save(figure: "Figure", stem: Path) -> list[Path]:
    vector, raster = stem.with_name(f"{stem.name}.svg"), stem.with_name(f"{stem.name}.png")
    figure.savefig(vector, metadata={"Date": None})
    figure.savefig(raster, dpi=160)
    return [vector, raster]
