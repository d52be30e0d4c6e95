"""The counterexamples that a report shows: one for each violated case, if there is room for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from pydantic import ValidationError

from buchi.common.ends import Verdict
from buchi.pipeline.experiments.sources import source_of
from buchi.pipeline.pages.assembly import embedded
from buchi.pipeline.report.cases import Case, Results
from buchi.pipeline.traces.payload import payload
from buchi.schemas.run import RunRecord
from buchi.schemas.story import Story

MOST_STEPS = 5000
"""Steps of a run that is shown."""
ROOM = 16 << 20
"""Characters of all of them."""


class Kept(Protocol):
    """What results keep of runs, beside what tables are made of; anything may be in a file of others."""

    def counterexample(self, key: str) -> Any:
        """Return the counterexample of a run, None where there is none."""

    def source(self, digest: str) -> str | None:
        """Return the text of a model, if there is one."""


class Stories(NamedTuple):
    """For cases by their numbers, their counterexamples as the page reads them; how many there was no room for."""

    of_case: dict[int, str]
    left_out: int


NO_STORIES = Stories({}, 0)


def stories(results: Results, kept: Kept) -> Stories:
    """Return the counterexamples of the violated cases."""
    found: dict[int, str] = {}
    room, left_out = ROOM, 0
    for number, case in enumerate(results.cases):
        run = _chosen(case, results.baseline)
        if run is None:
            continue
        text = _text(run, kept)
        if text is None or len(text) > room:
            left_out += 1
        else:
            found[number] = text
            room -= len(text)
    return Stories(found, left_out)


def _chosen(case: Case, baseline: str) -> RunRecord | None:
    """Return the run whose counterexample is shown: that of the baseline, else a shortest one."""
    runs = sorted(_violated(case), key=lambda run: (run.route != baseline, _length(run), run.key))
    return runs[0] if runs else None


def _violated(case: Case) -> Iterator[RunRecord]:
    for outcome in case.outcomes.values():
        for run in outcome.runs:
            if run.verdict is Verdict.VIOLATED and run.measured.counterexample_length is not None:
                yield run


def _length(run: RunRecord) -> int:
    return run.measured.counterexample_length or 0


def _text(run: RunRecord, kept: Kept) -> str | None:
    if _length(run) > MOST_STEPS:
        return None
    try:
        story = Story.model_validate(kept.counterexample(run.key))
    except ValidationError:
        return None
    if len(story.prefix) + len(story.cycle) > MOST_STEPS:
        return None
    about = {"model": run.model, "asked": run.formula, "route": run.route}
    return embedded({**payload(story, _source(run, story, kept)), **about})


def _source(run: RunRecord, story: Story, kept: Kept) -> tuple[str, str] | None:
    """Return the name and the text of a run's model, where its steps say where they are written."""
    known = source_of(run)
    has_lines = any(step.lines for step in (*story.prefix, *story.cycle))
    text = kept.source(known) if known is not None and has_lines else None
    return None if text is None else (run.model, text)
