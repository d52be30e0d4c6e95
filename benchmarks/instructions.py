"""Instructions that searches take in the engine and in compiled models, counted by valgrind: times vary, these do not.

    python benchmarks/instructions.py [--data DIR] OUT.json [--compare BEFORE.json]

The products are of BEEM models whose properties hold, so that all of each is searched. A check is run once as always,
which tells what the engine is given; valgrind then runs the engine alone on that, once with and once without a search.
"""

from __future__ import annotations

import argparse
import json
import pickle
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, cast

MODELS = ("anderson.4.prop4", "leader_filters.4.prop2", "synapse.2.prop3")
ROUTES = (("tgba", "ascc"), ("tlba", "gv"), ("tlba", "and"), ("tgra", "tgrp"))
ALONE = """
import pickle, sys, importlib.util
spec = importlib.util.spec_from_file_location("_engine", sys.argv[1])
engine = importlib.util.module_from_spec(spec)
spec.loader.exec_module(engine)
model, automaton, kernel, clauses = pickle.load(open(sys.argv[2], "rb"))
product = engine.Product(engine.Model.compiled(*model), engine.Automaton(*automaton), True, None)
engine.check(kernel, product, clauses, engine.Control(states=int(sys.argv[3])))
"""
"""The engine by itself, with none of the modules that a check loads."""


def given_to_the_engine(path: Path, kind: str, checker: str, library: Path) -> tuple[Any, ...]:
    """Return the arguments that a check gives to the engine: of model, automaton and search; keep the library."""
    from buchi import _engine
    from buchi.models.backends import Backend
    from buchi.pipeline.check import check
    from buchi.pipeline.options import CheckOptions
    from buchi.schemas.kinds import Kind

    seen: dict[str, Any] = {}
    automaton, compiled, search = _engine.Automaton, _engine.Model.compiled, _engine.check

    class Model:
        @staticmethod
        def compiled(initial: bytes, file: str, commands: int) -> Any:
            library.write_bytes(Path(file).read_bytes())
            seen["model"] = (initial, str(library), commands)
            return compiled(initial, file, commands)

    def recorded(*args: Any) -> Any:
        seen["automaton"] = args
        return automaton(*args)

    def searched(kernel: str, product: Any, clauses: Any, *how: Any) -> Any:
        seen["search"] = (kernel, clauses)
        return search(kernel, product, clauses, *how)

    _engine.Automaton, _engine.Model, _engine.check = recorded, Model, searched  # type: ignore[misc, assignment]
    assert check(path, options=CheckOptions(via=Kind(kind), checker=checker, backend=Backend.COMPILED))
    return cast("tuple[Any, ...]", plain((seen["model"], seen["automaton"], *seen["search"])))


def plain(value: Any) -> Any:
    """Return a value without the classes that only the package knows."""
    if isinstance(value, tuple | list):
        return tuple(map(plain, value))
    return int(value) if isinstance(value, int) else str(value) if isinstance(value, str) else value


def total(command: list[str], folder: str) -> int:
    """Return the instructions of a command."""
    valgrind = ("valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out")
    subprocess.run([*valgrind, *command], check=True, capture_output=True)
    found = re.search(r"^totals: (\d+)", (Path(folder) / "out").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1])


def instructions(model: Path, kind: str, checker: str) -> int:
    """Return the instructions of one search."""
    from buchi import _engine

    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/given"
        arguments = [sys.executable, __file__, "--record", file, str(model), kind, checker]
        subprocess.run(arguments, check=True)
        alone = [sys.executable, "-I", "-S", "-c", ALONE, str(_engine.__file__), file]
        return total([*alone, "0"], folder) - total([*alone, "1"], folder)


def main() -> None:
    """Count, and compare with what was counted before."""
    if sys.argv[1] == "--record":
        file, model, kind, checker = sys.argv[2:]
        given = given_to_the_engine(Path(model), kind, checker, Path(f"{file}.so"))
        Path(file).write_bytes(pickle.dumps(given))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared/data/beem")
    parser.add_argument("--compare", type=Path)
    asked = parser.parse_args()
    before = json.loads(asked.compare.read_text()) if asked.compare else {}
    found = {}
    for model in MODELS:
        path = asked.data / model.split(".")[0] / f"{model}.dve"
        for kind, checker in ROUTES:
            name = f"{model} {kind}/{checker}"
            found[name] = instructions(path, kind, checker)
            ratio = f"  {found[name] / before[name]:.3f}" if name in before else ""
            print(f"{name:40} {found[name] / 1e6:10.1f} M{ratio}", flush=True)
    asked.out.write_text(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
