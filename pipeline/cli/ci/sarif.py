"""Verdicts as SARIF 2.1.0: a rule for each property, a result for each that is violated or not as expected.

A violation that was expected is there too, as suppressed. What could not be decided is a notification: there is no
result. https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from buchi import __version__
from buchi.common.ends import Verdict
from buchi.schemas.verdicts import Outcome, PropertyVerdict, Verdicts

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(verdicts: Verdicts) -> str:
    """Return the document."""
    run = {
        "tool": {"driver": _driver(verdicts)},
        "invocations": [
            {
                "executionSuccessful": verdicts.outcome not in (Outcome.ERROR, Outcome.BUG),
                "toolExecutionNotifications": [
                    _notification(i, one, verdicts)
                    for i, one in enumerate(verdicts.properties)
                    if one.outcome in (Outcome.UNKNOWN, Outcome.ERROR, Outcome.BUG)
                ],
            }
        ],
        "results": [
            _result(i, one, verdicts) for i, one in enumerate(verdicts.properties) if _is_result(one)
        ],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _is_result(one: PropertyVerdict) -> bool:
    return one.outcome is Outcome.FAILED or one.verdict is Verdict.VIOLATED


def _driver(verdicts: Verdicts) -> dict[str, Any]:
    return {"name": "buchi", "version": str(__version__), "rules": list(map(_rule, verdicts.properties))}


def _rule(one: PropertyVerdict) -> dict[str, Any]:
    about = {"fullDescription": {"text": one.description}} if one.description else {}
    return {"id": one.name, "shortDescription": {"text": one.ltl or one.name}, **about}


def _result(number: int, one: PropertyVerdict, verdicts: Verdicts) -> dict[str, Any]:
    found: dict[str, Any] = {
        "ruleId": one.name,
        "ruleIndex": number,
        "level": "error",
        "message": {"text": f"{one.name}: {one.told()}"},
        "locations": [_location(one, verdicts)],
        "partialFingerprints": {"property/v1": f"{verdicts.model}: {one.name}"},
    }
    if verdicts.file is not None:
        found["relatedLocations"] = [{"id": 0, **_physical(verdicts.model), "message": {"text": "the model"}}]
    if one.outcome is Outcome.PASSED:
        found["suppressions"] = [{"kind": "external", "justification": "violated was expected"}]
    return found


def _notification(number: int, one: PropertyVerdict, verdicts: Verdicts) -> dict[str, Any]:
    return {
        "level": "warning" if one.outcome is Outcome.UNKNOWN else "error",
        "message": {"text": f"{one.name}: {one.told()}"},
        "associatedRule": {"id": one.name, "index": number},
        "locations": [_location(one, verdicts)],
    }


def _location(one: PropertyVerdict, verdicts: Verdicts) -> dict[str, Any]:
    """Return where a property is written, or else the model, which has no line that is at fault."""
    return _physical(verdicts.file or verdicts.model, one.line or 1)


def _physical(file: str, line: int = 1) -> dict[str, Any]:
    where = {"artifactLocation": {"uri": _uri(file)}, "region": {"startLine": line}}
    return {"physicalLocation": where}


def _uri(file: str) -> str:
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="replace")
