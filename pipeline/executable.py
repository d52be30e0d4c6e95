"""Makes a model executable."""

from __future__ import annotations

import logging

from buchi.models import backends
from buchi.models.backends import Backend, BuiltModel
from buchi.models.guarded import Model

log = logging.getLogger(__name__)


def build_model(model: Model, backend: Backend) -> BuiltModel:
    """Return the model as the engine runs it, compiled or interpreted."""
    built = backends.build(model, backend)
    if built.note:
        log.warning(built.note)
    return built
