"""A benchmark's figures: each beside its bare baseline of the same run, because absolutes drift with the machine."""

from collections.abc import Sequence

from models.contract import Contract


class Figure(Contract):
    """One quantity: the product's value, the baseline's, and their ratio; `unit` says which way is better."""

    name: str
    unit: str
    value: float
    baseline: str
    baseline_value: float
    ratio: float


class BenchReport(Contract):
    """The figures of one run."""

    figures: tuple[Figure, ...]


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` (0..1) of the values do not exceed; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def compared(name: str, unit: str, value: float, baseline: str, baseline_value: float) -> Figure:
    """A figure with its ratio to the baseline, rounded for reading."""
    ratio = value / baseline_value if baseline_value else 0.0
    return Figure(
        name=name,
        unit=unit,
        value=round(value, 3),
        baseline=baseline,
        baseline_value=round(baseline_value, 3),
        ratio=round(ratio, 2),
    )
