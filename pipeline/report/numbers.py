"""Numbers as people read them: three digits matter, and the unit says how large."""

from __future__ import annotations

import math

from buchi.pipeline.report.counters import Unit

MISSING = "–"
_DECIMAL = ("", "k", "M", "G", "T", "P")
_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


def written(value: float | None, unit: Unit) -> str:
    """Return a number with its unit, such as `4.02 M`, `1.7 ms`, `12 MiB`; an exact count below 10 000 is as it is."""
    if value is None:
        return MISSING
    if unit is Unit.SECONDS:
        return _seconds(value)
    if unit is Unit.BYTES:
        return _scaled(value, 1024, _BINARY)
    whole = math.isclose(
        value, round(value), rel_tol=1e-12
    )  # a mean of equal counts is one, but for the last digits
    return f"{value:.0f}" if whole and value < 10_000 else _scaled(value, 1000, _DECIMAL)


def _seconds(value: float) -> str:
    for limit, factor, unit in ((1e-3, 1e6, "µs"), (1, 1e3, "ms")):
        if value < limit:
            return f"{digits(value * factor)} {unit}"
    return f"{digits(value)} s"


def _scaled(value: float, step: int, units: tuple[str, ...]) -> str:
    power = 0
    while value >= step * 0.9995 and power < len(units) - 1:
        value, power = value / step, power + 1
    return f"{digits(value)} {units[power]}".strip()


def digits(value: float) -> str:
    """Return a number with three significant digits, and without an exponent unless it is tiny."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    rounded = float(f"{value:.2e}")
    places = max(0, 2 - math.floor(math.log10(abs(rounded))))
    return f"{value:.{places}f}" if places <= 6 else f"{value:.2g}"


def times(ratio: float | None) -> str:
    """Return a ratio, such as `×1.44`."""
    return MISSING if ratio is None else f"×{digits(ratio)}"


def scientific(value: float) -> tuple[str, int]:
    """Return mantissa and exponent, for a number that is too large to be read as it is."""
    exponent = math.floor(math.log10(value)) if value > 0 else 0
    mantissa = f"{value / 10**exponent:.2f}"
    return ("1.00", exponent + 1) if mantissa == "10.00" else (mantissa, exponent)
