"""The formulas of an experiment: written, in files, of families, random, of an artifact, or inside the models."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from buchi.common.ends import Verdict
from buchi.common.errors import InputError, Place, nearest
from buchi.pipeline import property_files
from buchi.pipeline.experiments.artifact import Artifact, Facts
from buchi.pipeline.experiments.contest_folders import ContestFolder
from buchi.pipeline.experiments.folders import Folders
from buchi.pipeline.experiments.run import Model
from buchi.pipeline.loading import read_text
from buchi.schemas.experiment import (
    MOST_NUMBERS,
    AnyFormulas,
    ArtifactFormulas,
    ContestFormulas,
    FormulaFamily,
    FormulaFile,
    FormulaText,
    ProcessProperty,
    PropertyFormulas,
    RandomFormulas,
    numbers,
)

MOST_CHARACTERS = 50_000_000


@dataclass(frozen=True)
class Formula:
    """A formula with its name in tables and its place; `text` is None for the property process of a model.

    `automata` are files with automata of its negation, by the name of the translator that made them; `expected` is the
    verdict that is expected of it.
    """

    id: str
    text: str | None
    place: Place
    automata: Mapping[str, Path] = field(default_factory=dict)
    facts: Facts = field(default_factory=Facts)
    expected: Verdict | None = None


Formulas = Callable[[Model], Iterator[Formula]]
"""The formulas for a model."""


def formulas_of(folders: Folders, models: Iterable[Model]) -> Formulas:
    """Return the formulas for each model. Those that do not depend on it are made once. Raises InputError."""
    sources = folders.document.experiment.formulas
    names = [model.name for model in models]
    for i, source in enumerate(sources):
        _check_only(source, names, folders, i)
    made = [_restricted(source, _source(source, folders, i)) for i, source in enumerate(sources)]
    return lambda model: (formula for of in made for formula in of(model))


def _check_only(source: AnyFormulas, names: Sequence[str], folders: Folders, index: int) -> None:
    """Refuse formulas that are for no model: a name is misspelt, and they would silently not be run."""
    patterns = () if isinstance(source, str) else source.only
    if patterns and not any(fnmatch(name, pattern) for name in names for pattern in patterns):
        hint = nearest(patterns[0], names) or f"models: {', '.join(names[:20])}"
        message = f"no model is called {' or '.join(patterns)}"
        raise folders.document.error(message, "formulas", index, "only", suggestion=hint)


def _restricted(source: AnyFormulas, formulas: Formulas) -> Formulas:
    if isinstance(source, str) or not source.only:
        return formulas
    patterns = source.only
    return lambda model: formulas(model) if any(fnmatch(model.name, p) for p in patterns) else iter(())


def _source(source: AnyFormulas, folders: Folders, index: int) -> Formulas:
    where = ("formulas", index)
    if isinstance(source, ArtifactFormulas):
        artifact = Artifact.at(folders.folder(source.artifact, *where, "artifact"), source)
        return lambda model: (
            Formula(f.number, f.text, Place(folders.relative(f.path)), f.automata, f.facts)
            for f in artifact.formulas(model.path)
        )
    if isinstance(source, ContestFormulas):
        contest = ContestFolder.at(folders.folder(source.contest, *where, "contest"), source.answers)
        return lambda model: (
            Formula(
                found.id,
                substituted(found.formula, found.texts),
                Place(folders.relative(path)),
                facts=contest.facts.get(found.id, Facts()),
            )
            for path, found in contest.properties(model.path)
        )
    place = folders.document.place(*where)
    if isinstance(source, ProcessProperty):
        process = Formula("process", None, place, expected=_verdict(source.expect))
        return lambda model: iter([process])
    made = tuple(_bounded(_written(source, folders, index), folders, index))
    return lambda model: iter(made)


def _bounded(formulas: Iterator[Formula], folders: Folders, index: int) -> Iterator[Formula]:
    """Refuse more formulas than can be kept, before they are made. Raises InputError."""
    characters = 0
    for number, formula in enumerate(formulas, 1):
        characters += len(formula.text or "")
        if number > MOST_NUMBERS or characters > MOST_CHARACTERS:
            message = f"these are more than {MOST_NUMBERS:,} formulas, or {MOST_CHARACTERS:,} characters"
            raise folders.document.error(message, "formulas", index)
        yield formula


def _verdict(expect: str | None) -> Verdict | None:
    return None if expect is None else Verdict(expect)


def _written(
    source: str | FormulaText | FormulaFile | FormulaFamily | RandomFormulas | PropertyFormulas,
    folders: Folders,
    index: int,
) -> Iterator[Formula]:
    if isinstance(source, str):
        source = FormulaText(ltl=source)
    if isinstance(source, PropertyFormulas):
        yield from _properties(folders.file(source.properties, "formulas", index, "properties"), folders)
        return
    if isinstance(source, RandomFormulas):
        yield from _random(source, folders.document.place("formulas", index))
        return
    for name, text, place in _texts(source, folders, index):
        formula = substituted(text, source.propositions)
        _check(formula, place, "" if isinstance(source, FormulaFile) else f"formulas.{index}: ")
        expected = _verdict(source.expect)
        yield Formula(name, f"!({formula})" if source.negate else formula, place, expected=expected)


def _properties(path: Path, folders: Folders) -> Iterator[Formula]:
    """Yield the formulas of a property file. Raises InputError where one means something else in the experiment."""
    read = property_files.FILE.read(path)
    for name, one in read.value.named().items():
        place = replace(read.place("properties", name, "ltl"), source=folders.relative(path))
        _check(one.ltl, place, f"{name}: ")
        for key in ("deadlock", "fair", "fair_by"):
            if getattr(one, key) not in (None, getattr(folders.document.experiment, key)):
                raise InputError(f"{name}: {key} is another here than in the experiment", place)
        yield Formula(name, one.ltl, place, expected=_verdict(one.expect))


def _texts(
    source: FormulaText | FormulaFile | FormulaFamily, folders: Folders, index: int
) -> Iterator[tuple[str, str, Place]]:
    """Yield name, text and place of each formula."""
    where = ("formulas", index)
    if isinstance(source, FormulaText):
        yield source.name or source.ltl, source.ltl, folders.document.place(*where, "ltl")
    elif isinstance(source, FormulaFile):
        yield from _lines(folders.file(source.file, *where, "file"), folders)
    else:
        family = _family(source.family, folders, index)
        for n in numbers(source.n):
            yield f"{source.family}={n}", _member(family, n, folders, index), folders.document.place(*where)


def _lines(path: Path, folders: Folders) -> Iterator[tuple[str, str, Place]]:
    for number, line in enumerate(read_text(path).splitlines(), 1):
        text = line.strip()
        if text and not text.startswith("#"):
            yield f"{path.stem}:{number}", text, Place(folders.relative(path), number)


def _check(text: str, place: Place, key: str) -> None:
    """Refuse a formula that cannot be read before anything runs."""
    from buchi.translators.ltl import parse_ltl

    try:
        parse_ltl(text)
    except InputError as error:
        shown = error.place.column if error.place else None
        at = f" (column {shown} of the formula)" if shown else ""
        raise InputError(f"{key}{error.message}{at}: {text}", place, error.suggestion) from None


def substituted(text: str, propositions: Mapping[str, str]) -> str:
    """Replace propositions by those of a model; what stands in quotes already is left alone."""
    if not propositions:
        return text
    names = "|".join(sorted(map(re.escape, propositions), key=len, reverse=True))
    pattern = re.compile(rf'"[^"]*"|(?<![\w.])([FGX]*)({names})(?![\w.])')

    def replace(match: re.Match[str]) -> str:
        return f'{match[1]} "{propositions[match[2]]}"' if match[2] else match[0]

    return pattern.sub(replace, text)


def _generator() -> Any:
    """Return `spot.gen`, which warns when it is loaded, and crashes where a warning is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import spot.gen
    return spot.gen


def _family(name: str, folders: Folders, index: int) -> int:
    gen = _generator()
    names = {gen.ltl_pattern_name(i): i for i in range(gen.LTL_BEGIN, gen.LTL_END)}
    if name not in names:
        suggestion = nearest(name, names) or f"families: {', '.join(names)}"
        raise folders.document.error(
            f"there is no family {name}", "formulas", index, "family", suggestion=suggestion
        )
    return int(names[name])


def _member(family: int, n: int, folders: Folders, index: int) -> str:
    try:
        return str(_generator().ltl_pattern(family, n))
    except (RuntimeError, ValueError) as error:
        raise folders.document.error(f"{n}: {error}", "formulas", index, "n") from None


def _random(source: RandomFormulas, place: Place) -> Iterator[Formula]:
    wanted = source.random
    given = wanted.propositions
    names = [f"p{i}" for i in range(given if isinstance(given, int) else len(given))]
    meanings = {} if isinstance(given, int) else dict(zip(names, given, strict=True))
    for seed in numbers(source.seeds):
        for i, formula in enumerate(_spot_random(names, seed, source)):
            text = substituted(str(formula), meanings)
            yield Formula(f"random-{seed}-{i}", f"!({text})" if source.negate else text, place)


def _spot_random(names: list[str], seed: int, source: RandomFormulas) -> Iterator[Any]:
    import spot

    wanted = source.random
    found: Iterator[Any] = spot.randltl(
        names,
        wanted.count,
        seed=seed,
        tree_size=wanted.size,
        simplify=wanted.simplify,
        allow_dups=wanted.duplicates,
    )
    return found
