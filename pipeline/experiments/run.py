"""One run of an experiment as a plain value: it is sent to a worker, and its key finds its result again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from buchi.common.ends import Verdict
from buchi.common.errors import Place
from buchi.pipeline.options import CheckOptions


def digest(text: str) -> str:
    """Return what stands for a text in the key of a run."""
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=1024)
def _plain(options: CheckOptions) -> dict[str, Any]:
    """Return options as plain values; runs share them, and there are many runs."""
    return asdict(options) | {"limits": options.limits._asdict()}


@dataclass(frozen=True)
class Model:
    """A model: its name in tables, its file as the experiment names it, where that is, and what is in it.

    A model that has no file carries its `text`; the name of the file then only tells the language.
    """

    name: str
    file: str
    path: Path
    digest: str
    text: str | None = None


@dataclass(frozen=True)
class Question:
    """What is asked of a model: a formula, an automaton file, or (neither) its own property process.

    `place` is where it was written, for messages; `expected` is the verdict that is expected.
    """

    id: str
    formula: str
    ltl: str | None = None
    automaton: Path | None = None
    digest: str = ""
    place: Place | None = None
    expected: Verdict | None = None


@dataclass(frozen=True)
class Route:
    """How it is answered. With `optional` a run is left out where this route does not apply.

    With `whole` the counters are those of the whole product.
    """

    name: str
    kind: str | None
    checker: str
    automaton: str | None = None
    through: tuple[str, ...] = ()
    options: dict[str, dict[str, Any]] = field(default_factory=dict)
    workers: int = 1
    reduce: str = "off"
    optional: bool = False
    whole: bool = False

    @cached_property
    def chain(self) -> str:
        """What decides the automaton that is made, as text."""
        return json.dumps([self.kind, self.through, self.options], sort_keys=True)


@dataclass(frozen=True)
class Wanted:
    """The selection as far as only the run can tell; None wants either."""

    verdict: Verdict | None = None
    weak: bool | None = None


@dataclass(frozen=True)
class Run:
    """A run: everything that decides its outcome."""

    experiment: str
    model: Model
    question: Question
    route: Route
    options: CheckOptions
    wanted: Wanted
    repetition: int
    version: str

    @cached_property
    def key(self) -> str:
        """The hash of all that decides the outcome, and of the names by which a report tells runs apart.

        Two translators may make the same automaton of a formula: the tables still want a run of each.
        """
        return digest(json.dumps(self._content(), sort_keys=True, default=str))[:32]

    def _content(self) -> list[Any]:
        route = [self.route.chain, self.route.checker, self.route.workers, self.route.optional]
        route += ["whole"] if self.route.whole else []
        route += [f"reduce {self.route.reduce}"] if self.route.reduce != "off" else []
        question = [self.question.ltl, self.question.digest]
        options = _plain(self.options)
        wanted = [self.wanted.verdict, self.wanted.weak]
        names = [self.model.name, self.question.id, self.route.name]
        return [self.version, names, self.model.digest, question, route, options, wanted, self.repetition]

    def configuration(self) -> dict[str, Any]:
        """Return what a record tells of how it came about."""
        options, asked = self.options, self.question
        expected = asked.expected and asked.expected.value
        return {
            "model": {"file": self.model.file, "sha256": self.model.digest},
            "property": {"ltl": asked.ltl, "sha256": asked.digest, "expected": expected},
            "route": asdict(self.route),
            "limits": options.limits._asdict(),
            "order": "model" if options.seed is None else f"random:{options.seed}",
            "deadlock": options.deadlock.value,
            "fair": [asdict(one) for one in options.fair],
            "fair_by": options.fair_by.value,
            "overflow": options.overflow.value,
            "backend": options.backend.value,
        }

    def __str__(self) -> str:
        order = "" if self.options.seed is None else f"  random:{self.options.seed}"
        return f"{self.model.name}  {self.question.id}  {self.route.name}{order}  #{self.repetition}"


_OTHER_VERDICT = "the verdict is "


def other_verdict(verdict: Verdict) -> str:
    """Return why a run is left out whose verdict the selection does not want."""
    return f"{_OTHER_VERDICT}{verdict.value}"


def verdict_told_by(reason: str) -> Verdict | None:
    """Return the verdict of a run that was left out, where that was why."""
    word = reason.removeprefix(_OTHER_VERDICT)
    return next((verdict for verdict in Verdict if verdict.value == word != reason), None)


@dataclass(frozen=True)
class Skipped:
    """A run that was left out, and why."""

    key: str
    reason: str
