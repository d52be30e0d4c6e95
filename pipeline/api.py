"""The commands as functions, for notebooks and scripts: the same options, the same objects, no printing.

`buchi` itself offers them by name. Bad input raises InputError; a limit or Ctrl-C is a result with the verdict
`unknown`, except in `translate`, which has no such result and raises LimitReached.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar, cast

from buchi.common.ends import Limits, Reason
from buchi.common.errors import InputError, InternalError, LimitReached
from buchi.common.option_names import as_arguments
from buchi.common.words import counted
from buchi.models.frontend import Loaded
from buchi.models.kripke import Kripke, check_propositions
from buchi.pipeline import arguments, isolation, loading, routes
from buchi.pipeline import check as checking
from buchi.pipeline import compare as comparing
from buchi.pipeline import explore as exploring
from buchi.pipeline.api_arguments import documented
from buchi.pipeline.options import AUTO, Overflow
from buchi.pipeline.properties import AutomatonLike
from buchi.pipeline.warm_up import warm_up
from buchi.schemas.certificate import Certified
from buchi.schemas.comparison import Comparison
from buchi.schemas.kind_schemas import Form
from buchi.schemas.kinds import automaton_kind
from buchi.schemas.ltl import Ltl
from buchi.schemas.result import CheckResult, ExploreResult
from buchi.schemas.verdicts import Verdicts

KindName: TypeAlias = Literal["tlba", "slba", "ta", "tgba", "tgra", "tfla", "tela"]
ReduceName: TypeAlias = Literal["auto", "on", "off"]
DeadlockName: TypeAlias = Literal["stutter", "drop"]
OverflowName: TypeAlias = Literal["wrap", "error"]
BackendName: TypeAlias = Literal["auto", "compiled", "interpreted"]
ModelLike: TypeAlias = loading.ModelLike | Kripke
"""The file of a model, what `load_model` made of it, or an explicit structure."""

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def for_python(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Run a function in a child process, which a file of others may crash or fill.

    Its messages speak of arguments, not of the flags of the command line, and its text tells what each of them does.
    """

    @wraps(function)
    def called(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        warm_up()
        try:
            with as_arguments():
                return isolation.call(lambda: function(*args, **kwargs))
        except isolation.Ended as ended:
            return cast(Result, _without_answer(ended))

    called.__doc__ = documented(function)
    return called


def _without_answer(ended: isolation.Ended) -> CheckResult | ExploreResult:
    """Return the result `unknown` that a child left which had to be ended; raise where it left none."""
    death = ended.death
    if death.reason is None:
        raise (InputError if death.stage.reads else InternalError)(str(death))
    if ended.so_far is None:
        if death.reason is Reason.INTERRUPTED:
            raise KeyboardInterrupt
        raise LimitReached(death.reason, str(death))
    known = {**json.loads(ended.so_far), "reason": death.reason, "seconds": death.seconds}
    return (CheckResult if "verdict" in known else ExploreResult).model_validate(known)


@for_python
def load_model(
    path: Path | str, *, constants: Mapping[str, int] | None = None, overflow: OverflowName = "wrap"
) -> Loaded:
    """Read a model, so that several questions can be asked of it."""
    given = arguments.explore_options("auto", overflow, arguments.limits(None, None, None))
    return loading.load_model(model_of(path, constants), overflow_is_error=given.overflow is Overflow.ERROR)


@for_python
def explore(
    model: ModelLike,
    *,
    workers: int | Literal["auto"] = 1,
    coverage: bool = False,
    reduce: bool = False,
    constants: Mapping[str, int] | None = None,
    backend: BackendName = "auto",
    overflow: OverflowName | None = None,
    timeout: float | None = None,
    max_states: int | None = None,
    max_memory: str | int | None = None,
) -> ExploreResult:
    """Count the reachable states of a model, as `buchi explore` does.

    With `coverage`, the result tells what of the model never occurs. With `reduce`, only some states are visited, among
    them all deadlocks.
    """
    model = model_of(model, constants)
    limits = arguments.limits(timeout, max_states, max_memory)
    options = arguments.explore_options(
        backend, overflow_of(model, overflow), limits, workers, coverage, "on" if reduce else "off"
    )
    return ExploreResult(**exploring.explored(exploring.explore(model, options)))


@for_python
def check(
    model: ModelLike,
    ltl: str | None = None,
    *,
    automaton: AutomatonLike | None = None,
    deadlock_free: bool = False,
    end: str | None = None,
    via: KindName | None = None,
    through: Sequence[str] = (),
    options: Mapping[str, Mapping[str, Any]] | None = None,
    checker: str = AUTO,
    shortest: bool = False,
    workers: int | Literal["auto"] | None = None,
    pairs: Literal["one-by-one", "together"] = "one-by-one",
    race: bool = False,
    isolate: bool = False,
    executor: str = "local",
    coverage: bool = False,
    reduce: ReduceName | None = None,
    certified: bool = False,
    certificate: Path | str | None = None,
    deadlock: DeadlockName = "stutter",
    order: str = "model",
    fair: str | Sequence[str] = (),
    fair_by: Literal["process", "command"] = "process",
    constants: Mapping[str, int] | None = None,
    backend: BackendName = "auto",
    overflow: OverflowName | None = None,
    timeout: float | None = None,
    max_states: int | None = None,
    max_memory: str | int | None = None,
) -> CheckResult:
    """Check a model against a formula, an automaton, or its own property process, as `buchi check` does.

    An automaton of forbidden behaviours is a HOA file or a value, such as `translate(…, negate=True)` gives. With
    `deadlock_free` the property is that some command is always enabled, but in states of which `end` holds, if given.
    `through` and `options` say how the automaton is made, as for `translate`. With `race`, `isolate` or another
    `executor` the searches are in processes of their own, and `contest` tells of them. With `fair`, such as "weak" or
    ["weak", "strong:P,Q"], only runs count that are fair to all processes, or to these; or to commands, by `fair_by`.
    With `coverage`, the result tells what of the model never occurs. With `reduce` "on", only a part of the model is
    searched that is enough for the property; "auto", the default unless a checker is named, does so where it pays.
    With `certified`, a verdict `holds` is certified before it is given; `certificate` is a file for its evidence.
    """
    model = model_of(model, constants)
    limits = arguments.limits(timeout, max_states, max_memory)
    name = arguments.checker_name(checker, shortest)
    less = arguments.reduce(reduce, name)
    common = arguments.explore_options(
        backend, overflow_of(model, overflow), limits, coverage=coverage, reduce=less
    )
    apart = arguments.apart(race, isolate, executor)
    team = arguments.threads(workers, apart)
    ends = arguments.ends(deadlock_free, end, deadlock)
    how = arguments.check_options(
        common, via, name, deadlock, order, team, pairs, several(fair), fair_by, ends
    )
    how = arguments.with_certificate(how, certified, certificate, apart)
    wishes = _wishes(through, options)
    return checking.check(model, ltl=ltl, automaton=automaton, options=how, wishes=wishes, apart=apart)


@for_python
def check_all(
    model: ModelLike,
    ltl: Sequence[str] | Mapping[str, str] = (),
    *,
    properties: Path | str | None = None,
    only: Sequence[str] = (),
    jobs: int | Literal["auto"] | None = None,
    via: KindName | None = None,
    through: Sequence[str] = (),
    options: Mapping[str, Mapping[str, Any]] | None = None,
    checker: str = AUTO,
    shortest: bool = False,
    workers: int | Literal["auto"] = 1,
    reduce: ReduceName | None = None,
    fair: str | Sequence[str] = (),
    fair_by: Literal["process", "command"] = "process",
    certified: bool = False,
    deadlock: DeadlockName = "stutter",
    order: str = "model",
    constants: Mapping[str, int] | None = None,
    backend: BackendName = "auto",
    overflow: OverflowName | None = None,
    timeout: float | None = None,
    max_states: int | None = None,
    max_memory: str | int | None = None,
) -> Verdicts:
    """Check a model against several formulas, by their names if they have any, or against a file of `properties`.

    `only` chooses some of a file. `jobs` properties are checked at a time. The time is that of all together; what a
    property of a file says itself goes before the other options. See `check` for these.
    """
    from buchi.pipeline import check_all as checking_all
    from buchi.pipeline import property_files

    model = model_of(model, constants)
    limits = arguments.limits(timeout, max_states, max_memory)
    name = arguments.checker_name(checker, shortest)
    less = arguments.reduce(reduce, name)
    common = arguments.explore_options(backend, overflow_of(model, overflow), limits, reduce=less)
    how = arguments.check_options(
        common, via, name, deadlock, order, workers, fair=several(fair), fair_by=fair_by
    )
    how = arguments.with_certificate(how, certified)
    wanted = property_files.given(ltl, properties, only, how)
    file = None if properties is None else str(properties)
    shared = checking_all.Shared(how, _wishes(through, options), arguments.jobs(jobs, False) or 1, file)
    return checking_all.check_all(model, wanted, shared)


@for_python
def compare(
    model: ModelLike,
    ltl: str | None = None,
    *,
    automaton: AutomatonLike | None = None,
    via: KindName | None = None,
    checker: str = AUTO,
    all_chains: bool = False,
    jobs: int | Literal["auto"] | None = None,
    isolate: bool = False,
    reduce: ReduceName = "off",
    deadlock: DeadlockName = "stutter",
    order: str = "model",
    fair: str | Sequence[str] = (),
    fair_by: Literal["process", "command"] = "process",
    constants: Mapping[str, int] | None = None,
    certified: bool = False,
    backend: BackendName = "auto",
    overflow: OverflowName | None = None,
    timeout: float | None = None,
    max_states: int | None = None,
    max_memory: str | int | None = None,
) -> Comparison:
    """Check a model by every route, as `buchi compare` does; limits hold for each of them.

    With `jobs`, so many routes are taken at a time, each in a process of its own; `isolate` is one at a time.
    With `reduce` "on", each is taken twice: by all of the model, and by a part that is enough for the property; "auto"
    does so if there is such a part.
    """
    model = model_of(model, constants)
    limits = arguments.limits(timeout, max_states, max_memory)
    common = arguments.explore_options(backend, overflow_of(model, overflow), limits, reduce=reduce)
    options = arguments.check_options(
        common, via, checker, deadlock, order, 1, fair=several(fair), fair_by=fair_by
    )
    options = arguments.with_certificate(options, certified)
    return comparing.compare(
        model,
        ltl=ltl,
        automaton=automaton,
        options=options,
        every_chain=all_chains,
        jobs=arguments.jobs(jobs, isolate),
    )


@for_python
def certify(
    certificate: Path | str,
    model: Path | str | None = None,
    *,
    by: Literal["small", "fast"] | None = None,
    workers: int | Literal["auto"] = "auto",
    timeout: float | None = None,
    max_memory: str | int | None = None,
) -> Certified:
    """Check the evidence for a `holds`, as `buchi certify` does. Raises InputError where it proves nothing.

    With `model`, it has to be of the model in this file.
    """
    from buchi.pipeline.certificates.certifying import certify_file

    limits = arguments.limits(timeout, None, max_memory)
    return certify_file(certificate, model, by, arguments.workers(workers), limits)


@for_python
def translate(
    formula: str | Ltl | Form,
    to: KindName,
    *,
    negate: bool = False,
    through: Sequence[str] = (),
    options: Mapping[str, Mapping[str, Any]] | None = None,
    timeout: float = 60.0,
) -> Form:
    """Return the automaton of a formula, or what becomes of an automaton, as `buchi translate` does.

    `options` are those of translators by their names, such as `{"tgra-tfla": {"method": "literal"}}`.
    """
    arguments.check_timeout(timeout)
    value = _to_translate(formula, negate)
    within = Limits(seconds=timeout)
    return cast(Form, routes.convert(value, automaton_kind(to, repr(to)), _wishes(through, options), within))


def several(words: str | Sequence[str]) -> Sequence[str]:
    """Return words, of which one may be given alone."""
    return (words,) if isinstance(words, str) else words


def _wishes(through: Sequence[str], options: Mapping[str, Mapping[str, Any]] | None) -> routes.Wishes:
    given = options or {}
    return routes.Wishes.of(
        through, [f"{name}.{field}={v}" for name, fields in given.items() for field, v in fields.items()]
    )


def model_of(model: ModelLike, constants: Mapping[str, int] | None) -> loading.ModelLike:
    """Return a model that the pipeline takes; what the readers of files check is checked of a structure here."""
    if constants:
        return _given(model, constants)
    if not isinstance(model, Kripke):
        return model
    check_propositions(model.propositions, "the structure")
    _check_states(model)
    return Loaded(model.model())


def _given(model: ModelLike, constants: Mapping[str, int]) -> loading.Given:
    """Return the file of a model with values of constants. Raises InputError."""
    if not isinstance(model, Path | str):
        raise InputError("only a file is given constants", suggestion="give them to load_model")
    wrong = next((name for name, value in constants.items() if type(value) is not int), None)
    if wrong is not None:
        raise InputError(f"the value of the constant {wrong} is no number")
    return loading.Given(Path(model), tuple(constants.items()))


def _check_states(structure: Kripke) -> None:
    """Refuse a structure that leads out of itself. Raises InputError."""
    states = len(structure.edges)
    if len(structure.labels) != states or len(structure.names) not in (0, states):
        raise InputError("a structure has edges and labels for each of its states, and names for all or none")
    targets = (target for row in structure.edges for target in row)
    if not all(0 <= state < states for state in (structure.initial, *targets)):
        raise InputError(
            f"an edge or the initial state leaves the {counted(states, 'state')} of the structure"
        )


def overflow_of(model: loading.ModelLike, wanted: OverflowName | None) -> OverflowName:
    """Return what overflow means; a model that is loaded has that decided."""
    if not isinstance(model, Loaded):
        return wanted or "wrap"
    decided: OverflowName = "error" if model.model.overflow_is_error else "wrap"
    if wanted not in (None, decided):
        raise InputError(f"the model was loaded with overflow {decided!r}", suggestion="load it again")
    return decided


def _to_translate(formula: str | Ltl | Form, negate: bool) -> Any:
    from buchi.translators.ltl import parse_ltl

    value = parse_ltl(formula) if isinstance(formula, str) else formula
    if not negate:
        return value
    if not isinstance(value, Ltl):
        raise InputError("only a formula can be negated, not an automaton")
    return value.negated()
