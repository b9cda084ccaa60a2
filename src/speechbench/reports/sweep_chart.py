"""A sweep as a drawing: rates, Δ and answers against α′, with their intervals as bands."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from speechbench._extras import load_extra
from speechbench.records import GROUPS
from speechbench.reports.estimates import NOT_KNOWN, Estimate
from speechbench.reports.sweep import Sweep, SweepPoint

__all__ = ["draw_sweep"]

_SIZE_INCHES = (7.2, 8.4)
_DPI = 160


def draw_sweep(sweep: Sweep, *paths: Path) -> None:
    """Draw a sweep to files, SVG or PNG by their names; the same sweep gives the same bytes.

    Raises:
        MissingPackageError: matplotlib, of the extra `hf`, is not installed.
    """
    matplotlib = load_extra("matplotlib", "hf")
    figures = load_extra("matplotlib.figure", "hf")
    with matplotlib.rc_context({"svg.hashsalt": "speechbench", "font.size": 9}):
        figure = figures.Figure(figsize=_SIZE_INCHES, layout="constrained")
        compared = any(point.delta.known for point in sweep.points)
        panels = figure.subplots(3 if compared else 2, 1, sharex=True)
        top, bottom = panels[0], panels[-1]
        _rates(top, sweep)
        if compared:
            _line(panels[1], sweep, "Δ", lambda point: point.delta)
            panels[1].axhline(0, color="0.6", linewidth=0.8)
            panels[1].set_ylabel(f"Δ of {sweep.headline}, % of {sweep.reference}")
        for group in GROUPS:
            if any(group in point.rates for point in sweep.points):
                _line(bottom, sweep, group, partial(_rate, group), bars=True)
        bottom.set_ylabel("rate per type, %")
        bottom.set_ylim(-3, 103)
        bottom.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
        bottom.set_xlabel("α′")
        bottom.set_xticks(range(len(sweep.points)), [f"{p.alpha:g}" for p in _ascending(sweep)])
        for axes in panels:
            axes.axvline(_place(sweep), color="0.3", linestyle=":", linewidth=1)
            axes.spines[["top", "right"]].set_visible(False)
        for path in paths:
            stamp = {"Date": None} if path.suffix == ".svg" else {}
            figure.savefig(path, dpi=_DPI, metadata=stamp)


def _rate(name: str, point: SweepPoint) -> Estimate:
    return point.rates.get(name, NOT_KNOWN)


def _rates(axes: Any, sweep: Sweep) -> None:  # noqa: ANN401
    _line(axes, sweep, sweep.headline, lambda point: point.rates[sweep.headline])
    _line(axes, sweep, "answers right", lambda point: point.answers)
    axes.set_ylim(-3, 103)
    axes.set_ylabel("%")
    axes.set_title(f"{sweep.model}, best trade-off at α′ = {sweep.best:g}", loc="left")
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)


def _line(
    axes: Any,  # noqa: ANN401
    sweep: Sweep,
    label: str,
    estimate: Callable[[SweepPoint], Estimate],
    *,
    bars: bool = False,
) -> None:
    """One curve with its intervals: as a band, or as bars where several curves share the axes."""
    found = [(place, estimate(point)) for place, point in enumerate(_ascending(sweep))]
    known = [(place, one) for place, one in found if one.known]
    if not known:
        return
    places = [place for place, _ in known]
    values = [one.value for _, one in known]
    low = [_end(one.interval.low, one.value) for _, one in known]
    high = [_end(one.interval.high, one.value) for _, one in known]
    if bars:
        below = [value - end for value, end in zip(values, low, strict=True)]
        above = [end - value for value, end in zip(values, high, strict=True)]
        axes.errorbar(places, values, [below, above], marker="o", markersize=3, label=label,
                      linewidth=1, elinewidth=0.6)  # fmt: skip
        return
    [drawn] = axes.plot(places, values, marker="o", markersize=4, label=label)
    axes.fill_between(places, low, high, color=drawn.get_color(), alpha=0.2, linewidth=0)


def _end(end: float, value: float) -> float:
    return value if math.isnan(end) else end


def _ascending(sweep: Sweep) -> Sequence[SweepPoint]:
    return sweep.points[::-1]


def _place(sweep: Sweep) -> int:
    return [point.alpha for point in _ascending(sweep)].index(sweep.best)
