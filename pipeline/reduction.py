"""Models that take only the commands of stubborn sets: fewer states, the same deadlocks."""

from __future__ import annotations

from buchi import _engine
from buchi.common.errors import InputError
from buchi.common.option_names import option
from buchi.models.bytecode import compile_expression, flat_tables
from buchi.models.guarded import Model
from buchi.models.independence import independence


def reduced(model: Model, engine: _engine.Model) -> _engine.Model:
    """Return the model as the engine runs it, reduced. Raises InputError for a model that cannot be analysed."""
    try:
        known = independence(model)
        conjuncts = [compile_expression(model, conjunct) for conjunct in known.conjuncts]
    except RecursionError:
        raise InputError(
            "a guard of the model is nested too deeply to be analysed",
            suggestion=f"leave out {option('reduce')}",
        ) from None
    return engine.reduced(conjuncts, flat_tables(model), known.tests, known.enablers, known.conflicts)
