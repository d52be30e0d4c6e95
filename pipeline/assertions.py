"""Finds a shortest run to a state in which an assertion of the model fails."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from buchi.common.errors import AssertionFails, InternalError
from buchi.models.evaluate import Evaluator
from buchi.pipeline import isolation
from buchi.pipeline.ended import Ended
from buchi.pipeline.replay import REPLAY, Trace, failed_assertion
from buchi.pipeline.search import Deadline

log = logging.getLogger(__name__)


def searched(search: Callable[[], Ended], evaluator: Evaluator, deadline: Deadline) -> Ended:
    """Return how a search for an assertion that fails ended; what it found was replayed. Raises LimitReached."""
    isolation.stage("searching an assertion that fails")
    ended = search()
    if not ended.path:
        return ended
    look = deadline.at_least(REPLAY).remaining
    run = Trace.of(range(len(ended.path)), (), ended.path.__getitem__, look)
    return replace(ended, path=(), found=failed_assertion(run, evaluator))


def way_to(
    met: AssertionFails, search: Callable[[], Ended], evaluator: Evaluator, deadline: Deadline
) -> Ended:
    """Do the same where another search has met one."""
    ended = searched(search, evaluator, deadline)
    if ended.reason is not None:
        log.warning("%s, but no way to it was found (%s)", met.message, ended.reason.value)
    elif ended.found is None:
        raise InternalError(f"{met.message}, but there is no way to a state in which it does not")
    return ended
