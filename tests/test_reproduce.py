"""The experiments of the papers, in their small versions: run and reported, without a failure or a disagreement."""

from __future__ import annotations

from pathlib import Path

import pytest
from runner import ROOT, buchi

from buchi.pipeline.experiments.reading import read_experiment
from buchi.pipeline.experiments.store import Store
from buchi.schemas.run import RunStatus

FULL = sorted((ROOT / "experiments").glob("*.yaml"))
SMALL = sorted((ROOT / "experiments" / "small").glob("*.yaml"))


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_the_small_version_runs_and_is_reported(path, tmp_path):
    results, page = tmp_path / "results.sqlite", tmp_path / "page.html"
    ended = buchi("run", path, "--results", results, "--processes", 1)
    assert ended.code == 0, ended.out + ended.err
    with Store.open(results) as store:
        runs = list(store.records())
    assert {run.status for run in runs} == {RunStatus.DONE}
    assert {run.verdict for run in runs} <= {"holds", "violated"}
    report = buchi("report", results, "--html", page, "--latex", tmp_path / "tables.tex", "--json")
    assert report.code == 0, report.err
    assert (report.json["disputed"], report.json["failed"], report.json["unknown"]) == (0, 0, 0)
    assert report.json["runs"] == len(runs)
    assert "<html" in page.read_text(encoding="utf-8")[:200]


def test_each_experiment_has_a_small_version_and_a_page():
    assert [path.name for path in FULL] == [path.name for path in SMALL]
    pages = {path.stem.removeprefix("reproduce-") for path in (ROOT / "docs").glob("reproduce-*.md")}
    assert pages == {path.stem.rstrip("-12") for path in FULL}


@pytest.mark.parametrize("path", FULL, ids=lambda path: path.stem)
def test_the_full_version_is_well_formed_and_names_no_folder_of_anyone(path):
    document = read_experiment(path)
    small = read_experiment(SMALL[FULL.index(path)])
    assert document.name == small.name.removesuffix(", small")
    assert not [
        model for model in document.experiment.models if Path(str(getattr(model, "glob", ""))).is_absolute()
    ]


class TestTheWholeProduct:
    def test_it_is_counted_though_the_check_ends_early(self, tmp_path):
        found = self.run(tmp_path, "")
        whole = self.run(tmp_path, ", whole: true")
        assert found.verdict == whole.verdict == "violated"
        assert found.measured.states < whole.measured.states == 43  # as `buchi explore` says
        assert whole.measured.transitions == 80
        assert whole.counterexample is not None

    def test_a_limit_leaves_it_unknown(self, tmp_path):
        assert self.run(tmp_path, ", whole: true", limit=30).reason == "states"

    @staticmethod
    def run(folder: Path, extra: str, limit: int = 1000):
        path = folder / "whole.yaml"
        path.write_text(
            f"models: [peterson.dve]\nformulas: [{{ltl: 'false', name: none}}]\nlimits: {{states: {limit}}}\n"
            f"routes: [{{kind: tgba, checker: ascc{extra}}}]\n"
        )
        results = folder / f"{len(extra)}-{limit}.sqlite"
        ended = buchi("run", path, "--data", ROOT / "examples", "--results", results, "--processes", 1)
        assert ended.code == 0, ended.out + ended.err
        with Store.open(results) as store:
            return next(store.records())


def test_an_optional_route_is_left_out_where_it_does_not_apply(tmp_path):
    path = tmp_path / "optional.yaml"
    path.write_text(
        "models: [peterson.dve]\nformulas: ['F X A.critical', 'F A.critical']\n"
        "routes: [{kind: ta, checker: tarjan+, optional: true}]\n"
    )
    ended = buchi(
        "run", path, "--data", ROOT / "examples", "--results", tmp_path / "r.sqlite", "--processes", 1
    )
    assert (ended.code, ended.out.split(";")[0]) == (0, "1 done, 1 left out")
