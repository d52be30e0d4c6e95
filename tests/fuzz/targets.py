"""What is fuzzed: each target hands bytes to a reader as the program does, and uses what comes out.

`InputError` and `LimitReached` are answers. Any other exception, a crash, a hang or much memory is a finding.
"""

from __future__ import annotations

import atexit
import io
import json
import os
import shutil
import sqlite3
import tempfile
import warnings
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import spot

from certificates import sealed
from nets import CONTEST_NET as NET
from report_records import record
from runner import PETERSON

from buchi.common.errors import InputError, LimitReached
from buchi.models.documents import read_document
from buchi.models.dve import DVE
from buchi.models.evaluate import Evaluator
from buchi.models.guarded import Model, StepTest
from buchi.models.pnml import PNML
from buchi.models.pnml.contest import read_properties
from buchi.models.propositions import parse_meaning
from buchi.models.random_structures import RandomDocument
from buchi.pipeline.certificates.certifying import By, Question, certify
from buchi.pipeline.cli import report_text as terminal
from buchi.pipeline.cli.ci import github
from buchi.pipeline.cli.ci.junit import junit
from buchi.pipeline.cli.ci.sarif import sarif
from buchi.pipeline.experiments import preflight
from buchi.pipeline.experiments.artifact import Artifact
from buchi.pipeline.experiments.export import print_csv
from buchi.pipeline.experiments.plan import Plan
from buchi.pipeline.experiments.reading import read_experiment
from buchi.pipeline.experiments.store import COLUMNS, Store
from buchi.pipeline.judge import Judge, judge_formula, judge_hoa
from buchi.pipeline.loading import load_model, read_text
from buchi.pipeline.options import CheckOptions
from buchi.pipeline.property_files import given
from buchi.pipeline.report.cases import gather
from buchi.pipeline.report.counters import find
from buchi.pipeline.report.latex import latex
from buchi.pipeline.report.page import page
from buchi.pipeline.report.stories import stories
from buchi.pipeline.report.tables import comparisons, ends_table, sizes_table
from buchi.pipeline.simulation import Simulation
from buchi.pipeline.table import table
from buchi.pipeline.trace_reading import read_trace
from buchi.schemas.experiment import ArtifactFormulas
from buchi.schemas.kind_schemas import Form
from buchi.schemas.testing import TestingAutomaton
from buchi.schemas.verdicts import Outcome, PropertyVerdict, Verdicts
from buchi.translators.documents import read_automaton
from buchi.translators.hoa import read_hoa, write_hoa
from buchi.translators.ltl import parse_ltl
from buchi.translators.ltl_tgba import LtlToTgba
from buchi.translators.spot_helpers.translation import SpotOptions
from buchi.translators.spot_helpers.view import as_spot
from fuzz.agreement import evaluate_alike, execute, judged_alike

CORPUS = Path(__file__).parent / "corpus"
SMALL = 12
"""Operators of a formula that is translated: larger ones may blow up, and a limit would have to end them."""
UNFOLDED = 6
"""Propositions of a testing automaton that Spot gets, with every valuation."""
EDGES = 20_000
"""Edges of a random structure that is made: what is asked for takes its time."""
RUNS = 100
"""Runs of an experiment that are looked at."""
NAMES = ("A.critical", "Fast", "ast", "V", "xor", "true", "a", "GFa")
"""Names of a model with which formulas are read again."""


@cache
def _folder() -> Path:
    """Return a folder of this process and its children with what an experiment can name."""
    folder = Path(tempfile.mkdtemp(prefix="buchi-fuzz-"))
    owner = os.getpid()
    atexit.register(lambda: os.getpid() == owner and shutil.rmtree(folder, ignore_errors=True))
    (folder / "m").mkdir()
    shutil.copy(PETERSON, folder / "peterson.dve")
    shutil.copy(PETERSON, folder / "m" / "m.dve")
    (folder / "m" / "m_001.ltl").write_text("!(G F A.critical)\n")
    (folder / "m" / "m_001_ltl3tela.hoa").write_bytes((CORPUS / "hoa" / "buchi").read_bytes())
    (folder / "formulas.ltl").write_text("# a comment\nG !(A.critical && B.critical)\nG F A.critical\n")
    return folder


def _file(data: bytes, name: str) -> Path:
    path = _folder() / name
    path.write_bytes(data)
    return path


def hoa(data: bytes) -> None:
    """An automaton in HOA or JSON, as `translate --automaton` and `check --automaton` read it."""
    path = _file(data, "automaton.hoa")
    text = read_text(path)
    form = read_automaton(text, str(path))
    judges = [_judge_of(form, text)]
    if not isinstance(form, TestingAutomaton):
        written = write_hoa(form)
        read_hoa(written)
        judges.append(judge_hoa(written))
    if not isinstance(form, TestingAutomaton) or len(form.propositions) <= UNFOLDED:
        judged_alike(table(form), *judges)


def _judge_of(form: Form, text: str) -> Judge:
    """Judge by the text itself where it is HOA."""
    if text.lstrip().startswith("{"):
        return lambda word: judge_hoa(as_spot(form).to_str("hoa"))(word)
    return judge_hoa(text)


def _model(data: bytes, name: str) -> None:
    execute(load_model(_file(data, name)).model)


def kripke_yaml(data: bytes) -> None:
    """A structure in YAML."""
    _model(data, "model.kripke.yaml")


def kripke_json(data: bytes) -> None:
    """A structure in JSON."""
    _model(data, "model.kripke.json")


def kripke_hoa(data: bytes) -> None:
    """A structure in HOA."""
    _model(data, "model.hoa")


def random_structures(data: bytes) -> None:
    """A description of a random structure."""
    path = _file(data, "model.random.yaml")
    wanted = read_document(read_text(path), str(path), RandomDocument)
    if wanted.states * (2 + wanted.states * wanted.density) <= EDGES:
        _model(data, path.name)


def dve(data: bytes) -> None:
    """A model in DVE, with both meanings of overflow."""
    loaded = load_model(_file(data, "model.dve"))
    execute(loaded.model)
    if loaded.forbidden is not None:
        read_hoa(write_hoa(loaded.forbidden))
    execute(load_model(_folder() / "model.dve", overflow_is_error=True).model)


def pnml(data: bytes) -> None:
    """A Petri net."""
    _model(data, "model.pnml")


@cache
def _net() -> Model:
    return PNML().load(NET, "model.pnml").model


def mcc(data: bytes) -> None:
    """Formulas of the Model Checking Contest over a net."""
    path, model = _file(data, "formulas.xml"), _net()
    for found in read_properties(read_text(path), str(path), model):
        parse_ltl(found.formula)
        for meaning in found.meanings.values():
            evaluate_alike(meaning, model)


def formula(data: bytes) -> None:
    """A formula, as the command line gives it: printed, it is read as the same again."""
    text = os.fsdecode(data)
    ltl = parse_ltl(text)
    again = parse_ltl(ltl.formula)
    read = spot.formula(ltl.formula)
    assert spot.formula(again.formula) == read, f"{ltl.formula} is printed as {again.formula}"
    assert again.propositions == ltl.propositions
    if spot.length(read) <= SMALL and len(ltl.propositions) <= SMALL:
        automaton = LtlToTgba().run(ltl, SpotOptions())
        judged_alike(automaton, judge_formula(ltl), judge_hoa(write_hoa(automaton)))
    parse_ltl(text, names=NAMES)


@cache
def _proposed() -> Model:
    return DVE().load(MODEL, "model.dve").model


MODEL = """
byte x = 3; int y = -2; byte a[4] = {1, 2, 3, 4}; const int c = 7; const byte k[2] = {5, 6};
process P { byte z = 1; int b[2]; state idle, busy; init idle; trans idle -> busy { effect z = 2; }; }
process Q { state idle; init idle; }
system async;
"""


def proposition(data: bytes) -> None:
    """A proposition over a model that has everything."""
    model = _proposed()
    meaning = parse_meaning(os.fsdecode(data), model)
    if not isinstance(meaning, StepTest):
        evaluate_alike(meaning, model)


def experiment(data: bytes) -> None:
    """An experiment file, up to the moment before anything runs."""
    plan = Plan.of(read_experiment(_file(data, "experiment.yaml")), _folder())
    preflight.check(islice(plan.runs(), RUNS))


def properties(data: bytes) -> None:
    """A property file, and what is reported of its names."""
    wanted = given((), _file(data, "properties.yaml"), (), CheckOptions())
    found = tuple(
        PropertyVerdict(
            name=one.name, ltl=one.ltl, description=one.description, outcome=Outcome.ERROR, error=one.name
        )
        for one in wanted
    )
    verdicts = Verdicts.of("model", "properties.yaml", found, 1.0)
    cases = ElementTree.fromstring(junit(verdicts).encode()).iter("testcase")
    assert len(list(cases)) == len(found)
    assert len(json.loads(sarif(verdicts))["runs"][0]["tool"]["driver"]["rules"]) == len(found)
    assert not any("\n" in line or "\r" in line for line in github.commands(verdicts))


def results(data: bytes) -> None:
    """A file of results: rows of JSON in a valid file, or a valid file with bytes changed."""
    path = _folder() / "results.sqlite"
    for rest in path.parent.glob("results.sqlite*"):
        rest.unlink()
    path.write_bytes(_damaged(data[1:]) if data[:1] == b"D" else _filled(data))
    with Store.open(path, must_exist=True) as store:
        _report(store)


def _report(store: Store) -> None:
    """Make all that is made of results."""
    print_csv(store, io.StringIO())
    found = gather(store.records())
    counters = [find("seconds"), find("states")]
    list(terminal.lines(found, counters, 100))
    terminal.as_json(found, counters)
    page(found, "0", None, stories(found, store))
    latex([*comparisons(found, counters), sizes_table(found), ends_table(found)])


@cache
def _store() -> bytes:
    """Return a file of results in small pages, so that a change is likely to hit something."""
    path = _folder() / "base.sqlite"
    with Store.open(path) as store:
        for number in range(3):
            store.add(record(f"m{number}", route="tgba" if number else "tlba"))
        store.skip("left out", "it is weak")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in ("PRAGMA journal_mode = DELETE", "PRAGMA page_size = 512", "VACUUM"):
            connection.execute(statement)
    return path.read_bytes()


def _damaged(changes: bytes) -> bytes:
    """Change bytes: each change is a position in two bytes, then a value; an odd end cuts the file off."""
    content = bytearray(_store())
    for i in range(0, len(changes) - 2, 3):
        content[int.from_bytes(changes[i : i + 2], "big") % len(content)] = changes[i + 2]
    if len(changes) % 3 == 1:
        del content[len(content) * changes[-1] // 256 :]
    return bytes(content)


def _filled(data: bytes) -> bytes:
    """Replace columns of the first run by what a JSON object says; what is none is left out."""
    path = _file(_store(), "filled.sqlite")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        for name, value in _object(data).items():
            if name in COLUMNS:
                _put(connection, name, value)
    return path.read_bytes()


def _object(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _put(connection: sqlite3.Connection, name: str, value: Any) -> None:
    """Store a value; a list or mapping as the text that it is in a file."""
    content = json.dumps(value) if isinstance(value, dict | list) else value
    with suppress(OverflowError, sqlite3.Error, UnicodeEncodeError):  # SQLite does not hold it
        connection.execute(f"UPDATE runs SET {name} = ? WHERE rowid = 1", (content,))


def artifact(data: bytes) -> None:
    """The table of results in an artifact."""
    _file(data, "m/results.csv")
    folder = _folder() / "m"
    found = Artifact.at(folder, ArtifactFormulas(artifact="m"))
    assert len(list(found.formulas(folder / "m.dve"))) == 1


def trace(data: bytes) -> None:
    """A run of a model, as `simulate --trace` and `draw --trace` read it."""
    simulation = Simulation(Evaluator(load_model(PETERSON).model))
    simulation.follow(read_trace(_file(data, "trace.json"), simulation.evaluator))
    simulation.go(simulation.last)
    simulation.result(simulation.walk(2))


def certificate(data: bytes) -> None:
    """A certificate as it is, then with a hash of the model and a digest that are right; both checkers agree."""
    with suppress(InputError):
        certify(io.BytesIO(data), "certificate", Question("small"))
    fitting = _fitting(data)
    told = [_is_refused(fitting, by) for by in get_args(By)]
    assert told[0] == told[1], "one checker accepts what the other refuses"


def _is_refused(data: bytes, by: By) -> bool:
    try:
        certify(io.BytesIO(data), "certificate", Question(by))
    except InputError:
        return True
    return False


def _fitting(data: bytes) -> bytes:
    """Return a certificate whose hashes go with what they are of; nothing is compiled for it."""
    first, head, rest = (*data.split(b"\n", 2), b"", b"")[:3]
    found = _object(head)
    model = found.get("model")
    if isinstance(model, dict):
        model["sha256"] = sha256(str(model.get("text")).encode(errors="replace")).hexdigest()
    found["backend"] = "compiled"
    return sealed(b"\n".join([first, json.dumps(found).encode(), rest])[:-33])


TARGETS: dict[str, Callable[[bytes], None]] = {
    "certificate": certificate,
    "hoa": hoa,
    "kripke-yaml": kripke_yaml,
    "kripke-json": kripke_json,
    "kripke-hoa": kripke_hoa,
    "random": random_structures,
    "dve": dve,
    "pnml": pnml,
    "mcc": mcc,
    "formula": formula,
    "proposition": proposition,
    "experiment": experiment,
    "properties": properties,
    "results": results,
    "artifact": artifact,
    "trace": trace,
}


def attempt(target: str, data: bytes) -> None:
    """Run a target; its answers are no findings."""
    try:
        TARGETS[target](data)
    except (InputError, LimitReached) as error:
        str(error)
