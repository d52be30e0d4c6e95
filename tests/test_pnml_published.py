"""Nets of the Model Checking Contest against the numbers that its tools agree on."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from data import FOLDER, needs_data

from buchi.common.ends import Limits, Verdict
from buchi.models.backends import Backend
from buchi.models.pnml.encode import tokens
from buchi.pipeline.check import check
from buchi.pipeline.explore import explore, explored
from buchi.pipeline.mcc import Examination
from buchi.pipeline.options import CheckOptions, ExploreOptions
from buchi.pipeline.routes import NO_WISHES
from buchi.schemas.result import CheckResult

pytestmark = needs_data
SMALL = 20_000
"""States of a net that is interpreted in no time."""
MEASURED = {"states": "states", "transitions": "transitions", "most_tokens": "tokens_in_place"}
VERDICTS = {"yes": Verdict.HOLDS, "no": Verdict.VIOLATED}
CONTEST, ARTIFACT = FOLDER / "mcc2023", FOLDER / "sttt-mcc"


def rows(table: Path) -> list[dict[str, str]]:
    if not table.exists():
        return []
    with table.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def is_small(row: dict[str, str]) -> bool:
    return int(row["states"]) < SMALL and (CONTEST / row["net"] / "model.pnml").stat().st_size < 1 << 20


def nets(small: bool) -> list[object]:
    """Return the nets of the contest that are small, or are not."""
    return [
        pytest.param(row, id=row["net"]) for row in rows(CONTEST / "states.csv") if is_small(row) is small
    ]


def counted(path: Path, backend: Backend) -> dict[str, int]:
    found = explored(explore(path, ExploreOptions(backend=backend), measures=tokens))
    return {name: found[key] for name, key in MEASURED.items()}


def published(row: dict[str, str]) -> dict[str, int]:
    return {name: int(row[name]) for name in MEASURED}


@pytest.mark.parametrize("row", nets(True))
def test_states_of_small_nets(row: dict[str, str]) -> None:
    assert counted(CONTEST / row["net"] / "model.pnml", Backend.INTERPRETED) == published(row)


@pytest.mark.slow
@pytest.mark.parametrize("row", nets(False))
def test_states_of_large_nets(row: dict[str, str]) -> None:
    assert counted(CONTEST / row["net"] / "model.pnml", Backend.AUTO) == published(row)


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(ARTIFACT.glob("*/*.pnml")), ids=lambda path: path.stem)
def test_states_without_units(path: Path) -> None:
    """The same nets as of the contest before its files told of units."""
    name = path.stem.replace("Construction-PT-005", "Construction-PT-00005")
    (row,) = [row for row in rows(CONTEST / "states.csv") if row["net"] == name]
    assert counted(path, Backend.AUTO) == published(row)


def examinations() -> list[object]:
    """Return the nets of the contest with the kinds of their formulas."""
    return [
        pytest.param(
            row["net"], kind, id=f"{row['net']}-{kind}", marks=[] if quick(row) else pytest.mark.slow
        )
        for row in rows(CONTEST / "states.csv")
        for kind in ("LTLCardinality", "LTLFireability")
    ]


def quick(row: dict[str, str]) -> bool:
    return row["net"] in (
        "TwoPhaseLocking-PT-nC00010vD",
        "GPUForwardProgress-PT-04a",
        "RwMutex-PT-r0010w0100",
    )


@pytest.mark.parametrize(("net", "kind"), examinations())
def test_answers(net: str, kind: str) -> None:
    """What is answered within a minute is what the tools of the contest agree on."""
    agreed = {row["formula"]: row["holds"] for row in rows(CONTEST / "answers.csv") if row["net"] == net}
    options = CheckOptions(limits=Limits(seconds=60))
    folder = CONTEST / net
    asked = Examination.of(folder / "model.pnml", folder / f"{kind}.xml", (), options, NO_WISHES)
    found = {a.id: a.verdict for a in asked.answers() if a.verdict is not Verdict.UNKNOWN}
    assert len(found) > 0
    assert found == {name: VERDICTS[agreed[name]] for name in found}


def artifact_rows(verdict: str) -> list[object]:
    """Return the formulas of the artifact with the numbers of its tgba; all repetitions agree where they hold."""
    first: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows(ARTIFACT / "results.csv"):
        if row["verdict"] == verdict and row["automaton"] == "tgba":
            first.setdefault((row["model"], row["formula"]), row)
    return [pytest.param(row, id="_".join(name)) for name, row in first.items()]


def checked(row: dict[str, str]) -> CheckResult:
    folder = ARTIFACT / row["model"]
    formula = (folder / f"{row['model']}_LTL{row['formula']}.ltl.rabin.selected").read_text()
    return check(folder / f"{row['model']}.pnml", ltl=formula, options=CheckOptions(checker="ascc"))


@pytest.mark.slow
@pytest.mark.parametrize("row", artifact_rows("holds"))
def test_formulas_of_the_artifact_that_hold(row: dict[str, str]) -> None:
    result = checked(row)
    assert result.verdict is Verdict.HOLDS
    assert (result.states, result.transitions) == (int(row["states"]), int(row["transitions"]))


@pytest.mark.slow
@pytest.mark.parametrize("row", artifact_rows("violated"))
def test_formulas_of_the_artifact_that_are_violated(row: dict[str, str]) -> None:
    """A verdict `violated` is given only with a counterexample that was replayed."""
    assert checked(row).verdict is Verdict.VIOLATED
