"""Finds a shortest run to a state in which an assertion of the model fails, once a search has met such a state."""

from __future__ import annotations

import logging
from dataclasses import replace

from buchi import _engine
from buchi.common.ends import Limits
from buchi.common.errors import AssertionFails, InternalError
from buchi.models.evaluate import Evaluator
from buchi.pipeline import isolation, search
from buchi.pipeline.ended import Ended
from buchi.pipeline.replay import REPLAY, Trace, failed_assertion
from buchi.pipeline.search import Deadline, Watch

log = logging.getLogger(__name__)


def way_to(
    met: AssertionFails,
    model: _engine.Model,
    evaluator: Evaluator,
    limits: Limits,
    deadline: Deadline,
    watch: Watch,
) -> Ended:
    """Return how the search for the run ended; what it found was replayed. Raises LimitReached."""
    isolation.stage("searching the way to an assertion that fails")
    ended = search.find_failed_assertion(model, limits, deadline, watch)
    if ended.reason is not None:
        log.warning("%s, but no way to it was found (%s)", met.message, ended.reason.value)
        return ended
    if not ended.path:
        raise InternalError(f"{met.message}, but there is no way to a state in which it does not")
    look = deadline.at_least(REPLAY).remaining
    run = Trace.of(range(len(ended.path)), (), ended.path.__getitem__, look)
    return replace(ended, path=(), found=failed_assertion(run, evaluator))
