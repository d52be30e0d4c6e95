"""What each argument of the functions of `buchi` does: `help(buchi.check)` tells it, and docs/api.md."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from textwrap import fill
from typing import Any

ARGUMENTS = {
    "model": "the file of a model, what `load_model` made of it, or a `buchi.models.kripke.Kripke`",
    "path": "the file of a model; its suffix tells the language",
    "ltl": "the property, a formula of LTL over propositions such as P.state or x > 1",
    "formula": "a formula of LTL, or an automaton",
    "to": "the kind of automaton: tlba, slba, ta, tgba, tgra, tfla or tela",
    "negate": "translate the negation of the formula",
    "automaton": "in place of a formula: forbidden behaviours, as an automaton or as a HOA file",
    "properties": "a YAML file of named formulas, with the verdicts that are expected",
    "only": "names of properties of that file; the others are left out",
    "deadlock_free": "in place of a formula: that some command is always enabled",
    "end": "the same, but the model may end in states of which this formula holds",
    "via": "the kind of automaton that is searched; by default tgba",
    "through": "kinds or translators that the automaton is made through",
    "options": 'options of translators by their names, such as {"tgra-tfla": {"method": "literal"}}',
    "checker": "the emptiness check; by default one that suits the automaton",
    "all_chains": "make each kind of automaton in every way, with every choice of an option",
    "shortest": "a counterexample of minimal length; takes longer",
    "workers": 'threads that search, or "auto": one for each core',
    "jobs": 'so many properties or routes at a time, each in a process of its own, or "auto"',
    "pairs": "with several workers: Rabin pairs one by one, or together",
    "race": "several orders and checks race in processes of their own; the first verdict wins",
    "isolate": "the search has a process of its own: one for each clause of the acceptance",
    "executor": 'where such processes are: "local", or "dask=ADDRESS"',
    "coverage": "tell what of the model never occurs; visits all of its states",
    "reduce": 'take only commands of stubborn sets, in fewer states; of a check "on", "off" or "auto"',
    "certified": "certify each verdict `holds` before it is given",
    "certificate": "the file with the evidence for a verdict `holds`, which `check` writes and `certify` reads",
    "by": 'who certifies: the "small" checker in Python or the "fast" one; by default the small one for few states',
    "deadlock": 'a state without successors repeats for ever ("stutter"), or its runs do not count ("drop")',
    "order": 'the order in which successors are explored: "model", or "random:SEED"',
    "fair": 'only runs count that are fair: "weak", "strong:P,Q", or several of these',
    "fair_by": "to what `fair` speaks: processes or single commands",
    "constants": "values of constants of the model, by their names, in place of its own",
    "backend": 'compile the model to C or interpret it; "auto" decides by its size',
    "overflow": 'what storing a value that does not fit does: it wraps around, or is an "error"',
    "timeout": "seconds after which the verdict is `unknown`",
    "max_states": "states beyond which the verdict is `unknown`; of a picture, how many are drawn",
    "max_memory": 'bytes, or a size such as "2GiB", beyond which the verdict is `unknown`',
    "steps": "how many steps are taken at random",
    "seed": "makes random steps the same again; the result tells the one that was taken",
    "trace": "a file with a run, which `check --trace` or `simulate --json` wrote",
    "at": "a state of that run, by its number",
    "watch": "variables and propositions to be looked at",
    "stop": "propositions; the run ends where one of them holds",
    "around": "a proposition: draw what is near the nearest state where it holds",
    "depth": "draw no state that is more steps away",
}
"""By their names: an argument means the same wherever it is."""
_WIDTH = 100


def documented(function: Callable[..., Any]) -> str:
    """Return the text of a function with what each of its arguments does."""
    lines = [_line(name) for name in inspect.signature(function).parameters]
    return "\n".join([inspect.getdoc(function) or "", "", *lines])


def _line(name: str) -> str:
    return fill(f"{name}: {ARGUMENTS[name]}", _WIDTH, subsequent_indent="    ")
