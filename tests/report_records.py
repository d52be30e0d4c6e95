"""Runs made up for the tests of reports; no model is checked."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from buchi.common.ends import Verdict
from buchi.schemas.run import Measured, RunRecord, RunStatus

EVIL = (
    """</script><script>alert(1)</script><img src=x onerror=alert(2)> & "quoted" 'single' $x^2_{y}$ \\ % #"""
)
"""A name that breaks out of whatever does not escape it."""


def record(model: str = "m", formula: str = "G a", route: str = "tgba", **changes: Any) -> RunRecord:
    """Return a run; what is not given is as in a run that found that a property holds."""
    repetition = changes.get("repetition", 0)
    content: dict[str, Any] = {
        "key": f"{model}|{formula}|{route}|{repetition}",
        "experiment": "made up",
        "model": model,
        "formula_id": formula,
        "formula": formula,
        "route": route,
        "kind": "tgba",
        "checker": "ascc",
        "workers": 1,
        "repetition": 0,
        "status": RunStatus.DONE,
        "verdict": Verdict.HOLDS,
        "reason": None,
        "message": None,
        "measured": Measured(seconds=1.0, states=10),
        "started": "2026-01-01T00:00:00Z",
        "versions": {"buchi": "0.1.0"},
        "machine": {"processor": "made up", "cores": "2"},
        "configuration": {},
        "counterexample": None,
    }
    return RunRecord.model_validate({**content, **changes})


def timed(model: str, route: str, seconds: float, verdict: str = "holds", **changes: Any) -> RunRecord:
    """Return a run that took so long."""
    return record(model, route=route, verdict=verdict, measured=Measured(seconds=seconds), **changes)


def lost(model: str, route: str, **changes: Any) -> RunRecord:
    """Return a run that ran out of time."""
    return record(model, route=route, verdict="unknown", reason="time", measured=Measured(), **changes)


def many(models: int, formulas: int, routes: int, seed: int = 7) -> Iterator[RunRecord]:
    """Yield runs as of a large experiment: some end by a limit, some die; the first case is disputed."""
    draw = random.Random(seed)
    for m in range(models):
        for f in range(formulas):
            hardness, violated = 10 ** draw.uniform(1, 6), draw.random() < 0.45
            for r in range(routes):
                yield _one(draw, (m, f, r), hardness, violated if m or f else r == 0)


def _one(draw: random.Random, place: tuple[int, int, int], hardness: float, violated: bool) -> RunRecord:
    m, f, r = place
    states = int(hardness * draw.lognormvariate(0.1 * r, 0.7) / (8 if violated else 1)) + 1
    changes: dict[str, Any] = {"verdict": "violated" if violated else "holds"}
    if draw.random() < 0.02 * r and place != (0, 0, 1):
        changes = {"verdict": "unknown", "reason": draw.choice(["time", "memory"])}
    elif draw.random() < 0.003 and m + f:
        changes = {"status": "killed", "verdict": None, "message": "the worker died of signal 9"}
    return record(
        f"model.{m}",
        f'G ("x[{f}] <= {m}" -> F (P_{f % 5}.CS && !"y > {f % 7}"))',
        "tgba" if r == 0 else f"route-{r}",
        formula_id=f"{f:03}",
        measured=_measured(draw, states, r, violated and changes["verdict"] == "violated"),
        **changes,
    )


def _measured(draw: random.Random, states: int, route: int, violated: bool) -> Measured:
    return Measured(
        automaton_states=1 + int(draw.expovariate(0.25)),
        automaton_edges=2 + int(draw.expovariate(0.1)),
        automaton_sets=1 + route % 3,
        automaton_pairs=1 + int(draw.expovariate(1.4)) * (route > 2),
        states=states,
        transitions=int(states * draw.uniform(2, 4)),
        post_calls=int(states * draw.uniform(1, 2)),
        max_depth=1 + int(states**0.7),
        seconds=states * draw.uniform(4e-7, 6e-7) + 1e-4,
        bytes=states * 75,
        counterexample_length=1 + int(states**0.5) if violated else None,
    )
