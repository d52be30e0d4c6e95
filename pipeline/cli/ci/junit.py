"""Verdicts as JUnit XML, which most servers read: a test suite for the model, a test case for each property.

What failed is a `failure`, an error or a verdict that is not known an `error`, and what was interrupted is `skipped`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from buchi.common.ends import Reason
from buchi.pipeline.cli.trace_text import render_counterexample
from buchi.schemas.verdicts import Outcome, PropertyVerdict, Verdicts

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document can hold, however they are written."""
FAILURE, ERROR, SKIPPED = "failure", "error", "skipped"


def junit(verdicts: Verdicts) -> str:
    """Return the document."""
    endings = [_ending(one) for one in verdicts.properties]
    counts = {
        "tests": str(len(endings)),
        "failures": str(endings.count(FAILURE)),
        "errors": str(endings.count(ERROR)),
        "skipped": str(endings.count(SKIPPED)),
        "time": f"{verdicts.seconds:.3f}",
    }
    root = Element("testsuites", {"name": "buchi", **counts})
    suite = SubElement(root, "testsuite", {"name": _text(verdicts.model), **counts})
    for one, ending in zip(verdicts.properties, endings, strict=True):
        _add(suite, verdicts, one, ending)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, "unicode")}\n'


def _ending(one: PropertyVerdict) -> str | None:
    """Return how a test case ended; None if it passed."""
    if one.outcome is Outcome.PASSED:
        return None
    if one.outcome is Outcome.FAILED:
        return FAILURE
    interrupted = one.result is not None and one.result.reason is Reason.INTERRUPTED
    return SKIPPED if interrupted else ERROR


def _add(suite: Element, verdicts: Verdicts, one: PropertyVerdict, ending: str | None) -> None:
    case = SubElement(
        suite,
        "testcase",
        {"name": _text(one.name), "classname": _text(verdicts.model), "time": f"{one.seconds:.3f}"},
    )
    case.set("file", _text(verdicts.file or verdicts.model))
    if one.line is not None:
        case.set("line", str(one.line))
    if ending is not None:
        found = SubElement(case, ending, {"message": _text(one.told())})
        if ending != SKIPPED:
            found.set("type", one.outcome.value)
            found.text = _text("\n".join(_body(one)))


def _body(one: PropertyVerdict) -> Iterator[str]:
    """Yield what people read who want to know more."""
    yield from filter(None, (one.ltl, one.description, one.error))
    if one.result is not None and one.result.counterexample is not None:
        yield from (line.plain for line in render_counterexample(one.result.counterexample))


def _text(text: str) -> str:
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
