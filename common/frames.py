"""Lists as tables: records, one for each row, and a DataFrame of pandas where it is installed."""

from __future__ import annotations

from typing import Any

from buchi.common.errors import InputError

Record = dict[str, Any]
"""A row: values by the names of their columns."""


class Tabular:
    """What has rows, which `records` gives."""

    def records(self) -> list[Record]:
        """Return the rows."""
        raise NotImplementedError

    def to_dataframe(self) -> Any:
        """Return the rows as a pandas.DataFrame. Raises InputError where pandas is not installed."""
        try:
            import pandas
        except ImportError:
            raise InputError(
                "a DataFrame needs pandas",
                suggestion="install it by: pip install pandas; records() needs none",
            ) from None
        return pandas.DataFrame.from_records(self.records())
