"""Fuzzing for a minute: whatever is read, the answer is a result or an error that is told. See `fuzz/run.py` for more.

Every file of the corpora, then mutations of them, in a child with limits; some by the command line itself.
"""

from __future__ import annotations

import re
import threading
import time
import traceback
from collections.abc import Iterable
from itertools import chain, cycle, islice
from pathlib import Path

import pytest
from experiment_files import descendants, is_alive, wait_for
from fuzz.mutations import DICTIONARIES, Mutator
from fuzz.targets import CORPUS, TARGETS, attempt
from nets import CONTEST_NET
from runner import Ended, buchi, finish, start

from buchi.pipeline import isolation

SECONDS = 20
"""For one input, on a machine that does other things; it takes milliseconds."""
BYTES = 500 << 20
MEGABYTES = 250
"""The limit of commands."""
SEED = 1
MUTATIONS = {"results": 40, "experiment": 100}
"""How many, where an input takes longer than elsewhere."""
COMMANDS = 5

KRIPKE = "states: {a: {to: [b, a], holds: [p]}, b: {to: [a], holds: [p, q]}}\n"
LIMITS = ("--timeout", "10", "--max-memory", f"{MEGABYTES}MB")
WAYS: dict[str, tuple[str, list[list[str]]]] = {
    "certificate": (
        "a.cert",
        [["certify", "FILE", *LIMITS], ["certify", "FILE", "MODEL", "--by", "fast", "--json", *LIMITS]],
    ),
    "hoa": (
        "a.hoa",
        [
            ["check", "MODEL", "--automaton", "FILE", *LIMITS],
            ["translate", "--automaton", "FILE", "--to", "tfla"],
        ],
    ),
    "kripke-yaml": ("a.kripke.yaml", [["explore", "FILE", *LIMITS]]),
    "kripke-json": ("a.kripke.json", [["explore", "FILE", *LIMITS, "--json"]]),
    "kripke-hoa": ("a.hoa", [["check", "FILE", "--ltl", "G F p", *LIMITS]]),
    "random": ("a.random.yaml", [["explore", "FILE", *LIMITS]]),
    "dve": ("a.dve", [["explore", "FILE", *LIMITS], ["check", "FILE", *LIMITS]]),
    "pnml": ("a.pnml", [["explore", "FILE", *LIMITS], ["check", "FILE", "--ltl", "G (a <= 1)", *LIMITS]]),
    "mcc": ("a.xml", [["check", "NET", "--mcc", "FILE", *LIMITS]]),
    "formula": (
        "a.ltl",
        [["check", "MODEL", "--ltl", "TEXT", *LIMITS], ["translate", "TEXT", "--to", "tgba"]],
    ),
    "proposition": ("a.ltl", [["check", "MODEL", "--ltl", "QUOTED", *LIMITS]]),
    "experiment": ("a.yaml", [["run", "FILE", "--dry-run"]]),
    "properties": ("a.yaml", [["check", "MODEL", "--properties", "FILE", *LIMITS]]),
    "results": ("a.sqlite", [["report", "FILE"], ["export", "FILE", "--csv", "-"]]),
    "artifact": ("results.csv", [["run", "EXPERIMENT", "--dry-run"]]),
    "trace": (
        "a.json",
        [
            ["simulate", "MODEL", "--trace", "FILE", "--random", "3"],
            ["draw", "MODEL", "--trace", "FILE", "--depth", "1"],
        ],
    ),
}
"""The name of the file that an input becomes, and the commands that read it."""


def corpus(target: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((CORPUS / target).iterdir())]


def must_answer(target: str, inputs: Iterable[bytes]) -> None:
    """Run a target on inputs in a child; one that crashes, hangs or swells it is named."""
    try:
        isolation.call(lambda: _attempts(target, inputs))
    except isolation.Ended as ended:
        pytest.fail(f"{target}: {ended.death} at the input {(ended.so_far or b'').decode()}")


def _attempts(target: str, inputs: Iterable[bytes]) -> None:
    for data in inputs:
        isolation.so_far(repr(data))
        isolation.limit(SECONDS, BYTES)
        try:
            attempt(target, data)
        except BaseException:
            raise AssertionError(
                f"{target} at the input {data!r}\n{traceback.format_exc()[-2000:]}"
            ) from None


def test_every_target_has_its_parts():
    assert set(TARGETS) == set(WAYS) == {path.name for path in CORPUS.iterdir()}
    assert set(TARGETS) == {path.stem for path in DICTIONARIES.iterdir()}


def test_corpora_are_small():
    sizes = {path.relative_to(CORPUS): path.stat().st_size for path in CORPUS.glob("*/*")}
    assert sizes
    assert not {path: size for path, size in sizes.items() if size >= 2048}


@pytest.mark.parametrize("target", TARGETS)
def test_the_corpus(target):
    must_answer(target, corpus(target))


@pytest.mark.parametrize("target", TARGETS)
def test_mutations(target):
    mutator = Mutator(target, corpus(target), SEED)
    must_answer(target, mutator.inputs(MUTATIONS.get(target, 300)))


@pytest.mark.parametrize("target", TARGETS)
def test_the_command_line(target, tmp_path):
    """Only exits 0 to 3; in a process of its own nothing is left running, and no memory above the limit."""
    known = corpus(target)
    inputs = chain(known[-1:], Mutator(target, known, SEED + 1).inputs(COMMANDS - 1))
    name, ways = WAYS[target]
    for number, (data, way) in enumerate(zip(inputs, islice(cycle(ways), COMMANDS), strict=True)):
        arguments = _arguments(data, name, way, tmp_path)
        ended = buchi(*arguments) if number else _watched(arguments)
        assert ended.code in (0, 1, 2, 3), f"{way} at the input {data!r}: exit {ended.code}\n{ended.err}"


def _arguments(data: bytes, name: str, way: list[str], folder: Path) -> list[str]:
    """Return a command with an input in its place; no argument has a zero byte."""
    (folder / name).write_bytes(data)
    (folder / "model.kripke.yaml").write_text(KRIPKE)
    (folder / "net.pnml").write_text(CONTEST_NET)
    (folder / "m_001.ltl").write_text("G F p")
    (folder / "experiment.yaml").write_text(
        "models: [model.kripke.yaml]\nformulas: [G F p, {artifact: .}]\nroutes: [tgba]\n"
    )
    text = data.replace(b"\0", b"").decode(errors="surrogateescape")
    places = {
        "FILE": str(folder / name),
        "MODEL": str(folder / "model.kripke.yaml"),
        "NET": str(folder / "net.pnml"),
        "EXPERIMENT": str(folder / "experiment.yaml"),
        "TEXT": f" {text}",
        "QUOTED": '"{}"'.format(text.replace('"', "'")),
    }
    return [places.get(word, word) for word in way]


def _watched(arguments: list[str]) -> Ended:
    """Run a command in a process of its own, with an eye on its memory and on the processes that it starts."""
    process = start(*arguments)
    peak, seen = 0, set[int]()

    def watch() -> None:
        nonlocal peak
        while process.returncode is None:
            pids = {process.pid, *descendants(process.pid)}
            seen.update(pids)
            peak = max(peak, sum(map(_own_memory, pids)))
            time.sleep(0.01)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        ended = finish(process)
    finally:
        watcher.join()
    assert peak < 1.1 * MEGABYTES * 1e6, arguments
    wait_for(lambda: not any(map(is_alive, seen - {process.pid})), seconds=5)
    return ended


def _own_memory(pid: int) -> int:
    """Return the bytes of a process that no other one shares."""
    try:
        found = re.search(r"RssAnon:\s*(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0
