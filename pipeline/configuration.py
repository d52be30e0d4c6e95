"""The user's configuration: a YAML file, by default `buchi/config.yaml` in the user's configuration folder.

translators:
  ltl3tela: {command: "ltl3tela -f %f", target: tela}
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from buchi.common.errors import InputError, Place

if TYPE_CHECKING:
    from buchi.translators.external import ExternalTranslator

VARIABLE = "BUCHI_CONFIG"


def path() -> Path:
    """Return where the configuration is, or would be."""
    chosen = os.environ.get(VARIABLE)
    return Path(chosen) if chosen else platformdirs.user_config_path("buchi") / "config.yaml"


def external_translators() -> dict[str, ExternalTranslator]:
    """Return the programs that the configuration declares as translators, by name."""
    section = _section("translators")
    if not section:
        return {}
    from pydantic import ValidationError

    from buchi.common.complaints import Complaint
    from buchi.translators.external import ExternalCommand, ExternalTranslator

    found: dict[str, ExternalTranslator] = {}
    for name, fields in section.items():
        try:
            found[str(name)] = ExternalTranslator(str(name), ExternalCommand.model_validate(fields))
        except ValidationError as error:
            raise InputError(f"translators.{name}.{Complaint.of(error)}", Place(str(path()))) from None
    return found


def _section(name: str) -> dict[Any, Any]:
    content = _content(path())
    section = content.get(name) or {}
    if not isinstance(section, dict):
        raise InputError(f"{name} must be a mapping of names", Place(str(path())))
    return section


def _content(file: Path) -> dict[Any, Any]:
    """Return the whole file; a file that is not there is an empty one, unless it was asked for."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        if VARIABLE in os.environ:
            raise InputError(f"{VARIABLE} names a file that is not there", Place(str(file))) from None
        return {}
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", Place(str(file))) from None
    from buchi.common.yaml_values import load_yaml

    content = load_yaml(text, str(file)) or {}
    if not isinstance(content, dict):
        raise InputError("must be a mapping", Place(str(file)))
    return content
