"""`buchi run`: an experiment file in, a file of results out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from buchi.common.words import counted
from buchi.pipeline import isolation
from buchi.pipeline.cli import output
from buchi.pipeline.cli.lines import line
from buchi.pipeline.cli.parameters import Executor

if TYPE_CHECKING:
    from buchi.pipeline.executors import jobs
    from buchi.pipeline.experiments.conduct import Conducted
    from buchi.pipeline.experiments.execution import Executed
    from buchi.pipeline.experiments.plan import Plan
    from buchi.pipeline.experiments.standing import Standing
    from buchi.pipeline.experiments.store import Store


def run(
    experiment: Annotated[
        str | None, typer.Argument(metavar="EXPERIMENT.yaml", help="What to run.", show_default=False)
    ] = None,
    data: Annotated[
        str | None, typer.Option(metavar="DIR", help="Where files are that are not beside the experiment.")
    ] = None,
    results: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where results go; else EXPERIMENT.sqlite.")
    ] = None,
    processes: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Runs at a time; else one for each processor.")
    ] = None,
    executor: Executor = "local",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="List what would run, and how much.")] = False,
    redo_failed: Annotated[
        bool, typer.Option("--redo-failed", help="Do runs again that ended with an error.")
    ] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of experiment files, for editors.")
    ] = False,
) -> None:
    """Run an experiment, or go on with it: what has a result in the file of results is not run again.

    Exit code: 0 all is done, 1 a verdict is not the expected one, 2 bad input, or runs that failed, 3 killed runs, a
    verdict that is unknown where another was expected, or Ctrl-C: run it again, 4 routes disagree.
    """
    with output.reported():
        if schema:
            output.print_json(_schema())
            return
        plan = _plan(experiment, data)
        file = Path(results) if results else plan.document.path.with_suffix(".sqlite")
        if dry_run:
            _list(plan, file, redo_failed)
            return
        raise typer.Exit(_conduct(plan, file, executor, processes, redo_failed))


def _schema() -> str:
    from buchi.schemas.experiment import Experiment

    return json.dumps(Experiment.model_json_schema(), indent=1)


def _plan(experiment: str | None, data: str | None) -> Plan:
    from buchi.common.errors import InputError, Place
    from buchi.pipeline.experiments.plan import Plan
    from buchi.pipeline.experiments.reading import read_experiment

    if experiment is None:
        raise InputError("which experiment?", suggestion="give the YAML file, or --schema")
    if data is not None and not Path(data).is_dir():
        raise InputError("there is no such folder", Place(data))
    isolation.stage(f"reading {experiment}", reads=True)
    return Plan.of(read_experiment(experiment), Path(data) if data else None)


def _list(plan: Plan, file: Path, redo_failed: bool) -> None:
    """Print one line for each run that has no result yet, and the sums."""
    from buchi.pipeline.experiments.conduct import to_do

    planned = sum(1 for _ in plan.runs())
    _check(plan, file, redo_failed)
    count = 0
    with _kept(file) as store:
        for count, run in enumerate(to_do(plan, store, redo_failed), 1):  # noqa: B007  (the last is the sum)
            output.print_lines([line(str(run))])
    done = f", {planned - count:,} have a result" if planned > count else ""
    optional = any(route.optional for route in plan.routes)
    some = "; those are left out that do not apply" if optional and count else ""
    output.print_lines([line(f"{counted(count, 'run')} to do{done}{some}")])


@contextmanager
def _kept(file: Path) -> Iterator[Store | None]:
    """Give the results that there are already, without making a file."""
    from buchi.pipeline.experiments.store import Store

    if not file.is_file() or not file.stat().st_size:
        yield None
        return
    with Store.open(file, must_exist=True) as store:
        yield store


def _check(plan: Plan, file: Path, redo_failed: bool) -> None:
    """Find mistakes in what is to be run. Raises InputError."""
    from buchi.pipeline.experiments import preflight
    from buchi.pipeline.experiments.conduct import to_do

    isolation.stage("looking at the models and formulas", reads=True)
    with _kept(file) as store:
        preflight.check(to_do(plan, store, redo_failed))


def _conduct(plan: Plan, file: Path, where: str, processes: int | None, redo_failed: bool) -> int:
    from buchi.pipeline.cli.experiment_progress import Progress
    from buchi.pipeline.executors.choice import executor
    from buchi.pipeline.experiments.conduct import conduct
    from buchi.pipeline.experiments.standing import standing
    from buchi.pipeline.experiments.store import Store

    execute: jobs.Executor[Executed] = executor(where, processes)
    _check(plan, file, redo_failed)
    isolation.stage("running the experiment", has_others=True)
    with Store.open(file) as store, store.locked():
        conducted = conduct(
            plan, store, execute, lambda tally: Progress(tally, output.err()), redo_failed=redo_failed
        )
        found = None if conducted.interrupted else standing(plan, store)
    output.print_lines([line(_summary(conducted, file))])
    if found is None:
        return output.UNKNOWN
    _tell(found)
    return _code(conducted, found)


def _code(conducted: Conducted, found: Standing) -> int:
    """Return the exit code of an experiment that was not interrupted, and whose routes agree."""
    from buchi.common.ends import Verdict

    unknown = [one for one in found.unexpected if one.verdict is Verdict.UNKNOWN]
    if len(found.unexpected) > len(unknown):
        return output.VIOLATED
    if conducted.ended["killed"]:
        return output.UNKNOWN
    if conducted.ended["failed"] or conducted.kept_failed:
        return output.BAD_INPUT
    return output.UNKNOWN if unknown else output.HOLDS


def _tell(found: Standing) -> None:
    """Say which verdicts are not the expected ones, why runs failed, and where routes disagree.

    Raises InternalError then.
    """
    from buchi.common.errors import InternalError

    if (surprises := found.surprises()) is not None:
        output.print_lines([line(surprises)])
    for complaint in found.complaints():
        output.warn(complaint)
    if (message := found.disagreement()) is not None:
        raise InternalError(message)


def _summary(conducted: Conducted, file: Path) -> str:
    parts = [f"{count:,} {how}" for how, count in sorted(conducted.ended.items())]
    kept = [f"{conducted.kept:,} kept from before"] if conducted.kept else []
    if conducted.kept_failed:
        kept = [f"{kept[0]} ({conducted.kept_failed:,} of them failed: --redo-failed does them again)"]
    ended = "interrupted: " if conducted.interrupted else ""
    again = "; run it again to go on" if conducted.interrupted else ""
    return f"{ended}{', '.join([*parts, *kept]) or 'nothing to do'}; results in {file}{again}"
