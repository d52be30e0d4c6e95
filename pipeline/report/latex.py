"""Tables as LaTeX, with booktabs and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from buchi.pipeline.report.counters import Unit
from buchi.pipeline.report.numbers import MISSING, digits, scientific
from buchi.pipeline.report.tables import Cell, Number, Percent, Ratio, Table

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": "-{}",
    "–": "--",
    "×": r"$\times$",
    "µ": r"$\mu$",
    "→": r"$\rightarrow$",
    "¬": r"$\neg$",
    "∧": r"$\wedge$",
    "∨": r"$\vee$",
    **{character: f"\\{character}" for character in "&%$#_"},
}
HEADER = r"""% Tables of a buchi report, for a preamble with:
% \usepackage{booktabs} \usepackage[T1]{fontenc} \usepackage{textcomp}
"""


def escape(text: str) -> str:
    """Return text that LaTeX prints as it is; a character that is not printable becomes a space."""
    return "".join(_ESCAPES.get(c, c) if c.isprintable() else " " for c in text)


def latex(tables: Iterable[Table]) -> str:
    """Return a file of tables, to be `\\input`; a label is `tab:` and the name of the table."""
    return HEADER + "".join(f"\n{_table(table)}" for table in tables if table.rows)


def _table(table: Table) -> str:
    columns = "l" + "".join("l" if _is_text(table, i) else "r" for i in range(1, len(table.columns)))
    lines = [
        r"\begin{table}",
        r"\centering",
        f"\\caption{{{escape(table.title)}. {escape(table.note)}}}",
        f"\\label{{tab:{table.name}}}",
        f"\\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _row(escape(title) for title in table.columns),
        r"\midrule",
        *(_row(map(_cell, row)) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _is_text(table: Table, column: int) -> bool:
    return any(isinstance(row[column], str) for row in table.rows)


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return escape(cell)
    if isinstance(cell, int):
        return f"{cell:,}".replace(",", r"\,")
    return "".join(_parts(cell))


def _parts(cell: Number | Percent | Ratio) -> Iterator[str]:
    """Yield a number, and its ratio to the baseline in parentheses, as the seeds print it."""
    if cell.value is None:
        yield escape(MISSING)
    elif isinstance(cell, Percent):
        yield f"{cell.value:.1f}\\,\\%"
    elif isinstance(cell, Ratio):
        yield digits(cell.value)
    else:
        yield _number(cell.value, cell.unit)
        if cell.ratio is not None and cell.ratio != 1:
            yield f" ({digits(cell.ratio)})"


def _number(value: float, unit: Unit) -> str:
    if unit is Unit.SECONDS and value < 0.01:
        return f"{digits(value * 1000)}\\,ms"
    if unit is Unit.BYTES:
        return f"{digits(value / 2**20)}\\,MiB"
    suffix = r"\,s" if unit is Unit.SECONDS else ""
    if value < 10_000:
        return digits(value) + suffix
    mantissa, exponent = scientific(value)
    return f"${mantissa} \\times 10^{{{exponent}}}$" + suffix
