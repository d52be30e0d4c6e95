"""Runs a translator within limits.

Spot holds the interpreter's lock while it translates and no signal handler of Python runs meanwhile, so a formula that
blows up can only be ended from outside: by the process that watches over this one, or, where there is none or other
work must go on, by this one watching over a child that translates.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from buchi.common.ends import Limits, Reason
from buchi.common.errors import BuchiError, InternalError, LimitReached
from buchi.pipeline import isolation
from buchi.translators.translator import Options, Translator

NO_LIMITS = Limits()


def translate(
    translator: Translator,
    value: Any,
    options: Options | None = None,
    limits: Limits = NO_LIMITS,
    *,
    apart: bool = False,
) -> Any:
    """Run a translator; `apart` if its end must not be that of this process.

    Raise `LimitReached` when a limit is met, and what the translator raises.
    """
    options = translator.options() if options is None else options
    if limits == NO_LIMITS or (isolation.is_isolated() and not apart):
        isolation.stage(f"translating ({translator.name})", reads=True)
        return translator.run(value, options)
    work = partial(limited, translator, value, options, limits)
    return in_child(lambda: isolation.call(work, farewell=0), limits)


def in_child(call: Callable[[], Any], limits: Limits) -> Any:
    """Return the answer of a child that translates; raise what it means that it gave none."""
    try:
        return call()
    except isolation.Ended as ended:
        raise _error(ended.death, limits) from None


def limited(translator: Translator, value: Any, options: Options, limits: Limits) -> Any:
    """Translate, in the child."""
    isolation.limit(limits.seconds, limits.bytes)
    isolation.be_silent()  # Spot's libraries print before they abort
    try:
        return translator.run(value, options)
    except MemoryError:
        raise LimitReached(Reason.MEMORY, "translation: memory") from None
    except BuchiError:
        raise
    except Exception as error:
        raise InternalError(f"{translator.name}: {type(error).__name__}: {error}") from None


def _error(death: isolation.Death, limits: Limits) -> BaseException:
    """Return what it means that a child died without an answer."""
    if death.reason is Reason.INTERRUPTED:
        return KeyboardInterrupt()
    if death.reason is Reason.TIME:
        return LimitReached(Reason.TIME, f"translation: time ({limits.seconds:g} s)")
    if death.reason is Reason.MEMORY:
        return LimitReached(Reason.MEMORY, "translation: memory")
    return InternalError(f"the translation crashed ({death.how})")
