"""Transitions to guarded commands: alone, through a buffer, or two at once in a rendezvous.

Successors come by process and then in the order of declaration; a rendezvous stands at its sender, and there
by the process of the receiver and then in the order of declaration. A command that can never be enabled is
left out.

While some process is in a committed location, only processes in committed locations move.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from buchi.common.errors import InputError
from buchi.models import arithmetic
from buchi.models.dve import syntax
from buchi.models.dve.moves import Move
from buchi.models.dve.scope import Channel
from buchi.models.guarded import Assign, Binary, Command, Const, Element, Expr, Message, Read, Shared, Unary

_NO_PROCESS_COMMITTED = Unary("not", Shared(0))


MAX_SIZE = 4_000_000
"""Parts of the expressions of all commands. A rendezvous has as many commands as it has pairs of sides."""


def commands(moves: Sequence[Move], *, committing: bool) -> Iterator[Command]:
    """Yield the commands; `committing` says that Shared(0) tells whether some process is committed."""
    receivers: dict[str, list[Move]] = defaultdict(list)
    for move in moves:
        if move.channel is not None and isinstance(move.transition.sync, syntax.Receive):
            receivers[move.channel.name].append(move)
    size, shifts = 0, _Shifts()
    for move in moves:
        for partner in _partners(move, receivers):
            size += move.size + (partner.size if partner else _shifted(move))
            if size > MAX_SIZE:
                raise _too_large(move)
            command = _command_of(move, partner, shifts, committing)
            if command.guard != Const(0):
                yield command


def _partners(move: Move, receivers: dict[str, list[Move]]) -> Iterator[Move | None]:
    """Yield the other sides of a rendezvous, or None once for a move that needs no other side."""
    if move.channel is None or move.channel.capacity:
        yield None
    elif isinstance(move.transition.sync, syntax.Send):
        for receiver in receivers[move.channel.name]:
            if receiver.process is not move.process and receiver.committed == move.committed:
                yield receiver


def _shifted(move: Move) -> int:
    """Return the size of what moves in a buffer when a value is taken from it."""
    channel = move.channel
    if channel is None or not isinstance(move.transition.sync, syntax.Receive):
        return 0
    return 3 * channel.capacity * len(channel.fields)


def _too_large(move: Move) -> InputError:
    message = f"the model is too large: up to here its commands have more than {MAX_SIZE} parts"
    return move.process.names.source.error(message, move.transition.target)


def _command_of(move: Move, partner: Move | None, shifts: _Shifts, committing: bool) -> Command:
    channel = move.channel
    if channel is None:
        return _command(move.name, (move,), (), (), committing, None)
    if partner is not None:
        return _rendezvous(move, partner, channel, committing)
    if isinstance(move.transition.sync, syntax.Send):
        return _send(move, channel, committing)
    return _receive(move, channel, shifts.of(channel), committing)


def _command(
    name: str,
    moves: tuple[Move, ...],
    conditions: tuple[Expr, ...],
    transfer: tuple[Assign, ...],
    committing: bool,
    message: Message | None,
) -> Command:
    """Join the moves of a command; their effects are carried out last move first."""
    free = [] if moves[0].committed or not committing else [_NO_PROCESS_COMMITTED]
    guard = arithmetic.conjunction([*free, *conditions, *(move.guard for move in moves)])
    effects = [assign for move in reversed(moves) for assign in move.effects]
    steps = [assign for move in moves for assign in move.step]
    at = tuple(move.at for move in moves)
    processes = tuple(str(move.process.syntax.name) for move in moves)
    lines = tuple(move.line for move in moves)
    return Command(name, at, guard, transfer, (*effects, *steps), processes, lines=lines, message=message)


def _rendezvous(sender: Move, receiver: Move, channel: Channel, committing: bool) -> Command:
    """The value passes first, then come the receiver's effects, then the sender's."""
    wanted, sent = len(receiver.targets), len(sender.values)
    if wanted not in (0, sent):
        at = receiver.targets[0].name
        message = (
            f"channel {channel.name} passes {sent} values from {sender.name}, but {wanted} are received here"
        )
        raise receiver.process.names.source.error(message, at)
    name = f"{sender.name}, {receiver.name} ({channel.name})"
    passed = Message(channel.name, "passed", sender.values)
    return _command(name, (sender, receiver), (), receiver.receive(sender.values), committing, passed)


def _send(move: Move, channel: Channel, committing: bool) -> Command:
    length = Read(channel.length)
    room = Binary("<", length, Const(channel.capacity))
    stores = [Assign(field, length, value) for field, value in zip(channel.fields, move.values, strict=True)]
    longer = Assign(channel.length, None, Binary("+", length, Const(1)))
    sent = Message(channel.name, "sent", move.values)
    return _command(f"{move.name} ({channel.name}!)", (move,), (room,), (*stores, longer), committing, sent)


def _receive(move: Move, channel: Channel, shift: tuple[Assign, ...], committing: bool) -> Command:
    """Free slots are zero, so that moving every slot down and a zero into the last one leaves them so."""
    length = Read(channel.length)
    some = Binary(">", length, Const(0))
    first = tuple(Element(field, Const(0)) for field in channel.fields)
    shorter = Assign(channel.length, None, Binary("-", length, Const(1)))
    transfer = (*move.receive(first), *shift, shorter)
    received = Message(channel.name, "received", first)
    return _command(f"{move.name} ({channel.name}?)", (move,), (some,), transfer, committing, received)


class _Shifts:
    """The assignments that move the slots of a buffer, made once for each."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Assign, ...]] = {}

    def of(self, channel: Channel) -> tuple[Assign, ...]:
        if channel.name not in self._known:
            shift = (assign for field in channel.fields for assign in _shift(field, channel.capacity))
            self._known[channel.name] = tuple(shift)
        return self._known[channel.name]


def _shift(field: int, capacity: int) -> Iterator[Assign]:
    for slot in range(capacity - 1):
        yield Assign(field, Const(slot), Element(field, Const(slot + 1)))
    yield Assign(field, Const(capacity - 1), Const(0))
