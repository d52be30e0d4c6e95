"""Random models in DVE whose processes go round and round: local steps, shared variables, rendezvous, queues.

Many of their steps do not depend on each other, and most of their runs do not end.
"""

from __future__ import annotations

import random

NAMES = ("a", "b", "c", "d")


class _Writer:
    """Writes one model; all of it follows from the seed."""

    def __init__(self, seed: object) -> None:
        self.rng = random.Random(f"processes {seed}")
        self.processes = self.rng.randint(2, 5)
        self.sizes = [self.rng.randint(2, 4 if self.processes < 4 else 3) for _ in range(self.processes)]
        self.rendezvous = ["r"] * (self.rng.random() < 0.4)
        self.buffers = ["f"] * (self.rng.random() < 0.3)
        self.queue = self.rng.random() < 0.3

    def model(self) -> str:
        rng = self.rng
        lines = ["byte x = 1, y, t[2];"]
        lines += [f"channel {{byte}} {name}[0];" for name in self.rendezvous]
        lines += [f"channel {{byte}} {name}[{rng.randint(1, 3)}];" for name in self.buffers]
        lines += ["channel enter, leave;"] * self.queue
        lines += [self._process(i) for i in range(self.processes)]
        lines += [self._queue()] * self.queue
        return "\n".join([*lines, "system async;\n"])

    def _queue(self) -> str:
        """A process that is a queue, as models write them that know no buffers."""
        size = self.rng.randint(1, 3)
        moved = ", ".join(f"b[{i}] = b[{i + 1}]" for i in range(size - 1))
        shift = f"{moved}, " * (size > 1) + f"b[{size - 1}] = 0"
        return (
            f"process Q {{\n  byte b[{size}], n;\n  state q;\n  init q;\n  trans\n"
            f"    q -> q {{ guard n < {size}; sync enter?b[n]; effect n = n + 1; }},\n"
            f"    q -> q {{ guard not (n == 0); sync leave!b[0]; effect {shift}, n = n - 1; }};\n}}"
        )

    def _process(self, number: int) -> str:
        rng, size = self.rng, self.sizes[number]
        places = NAMES[:size]
        steps = [(i, (i + 1) % size) for i in range(size)]
        if rng.random() < 0.2:
            steps.pop()
        steps += [(rng.randrange(size), rng.randrange(size)) for _ in range(rng.choice([0, 0, 1, 2]))]
        moves = sorted(f"{places[s]} -> {places[t]} {{ {self._labels(number)} }}" for s, t in steps)
        committed = f"commit {rng.choice(places[1:])};" if rng.random() < 0.1 else ""
        return (
            f"process P{number} {{\n  byte v;\n  state {', '.join(places)};\n  init a;\n  {committed}\n"
            f"  trans\n    {', '.join(moves)};\n}}"
        )

    def _labels(self, number: int) -> str:
        rng = self.rng
        parts = []
        if rng.random() < 0.3:
            parts.append(f"guard {self._guard(number)};")
        channels = self.rendezvous + self.buffers
        if self.queue and rng.random() < 0.3:
            parts.append(rng.choice(["sync enter!1;", "sync enter!v;", "sync leave?v;"]))
        elif channels and rng.random() < 0.35:
            parts.append(f"sync {rng.choice(channels)}{rng.choice(['!1', '!v', '?v', '?v'])};")
        if rng.random() < 0.4:
            parts.append(f"effect {self._effect()};")
        return " ".join(parts)

    def _guard(self, number: int) -> str:
        rng = self.rng
        other = rng.choice([i for i in range(self.processes) if i != number])
        return rng.choice(
            [
                f"x == {rng.randrange(2)}",
                f"x < {rng.randint(1, 2)}",
                f"y != {rng.randrange(2)}",
                f"t[{rng.randrange(2)}] == 0",
                f"P{other}.{rng.choice(NAMES[: self.sizes[other]])}",
                f"not P{other}.a || x == 0",
                "v == 0",
                "t[y % 2] == 0 && x > 0",
            ]
        )

    def _effect(self) -> str:
        rng = self.rng
        return rng.choice(
            [
                "v = 1 - v",
                "v = (v + 1) % 3",
                "v = 0",
                "v = x",
                f"x = {rng.randrange(2)}",
                "x = (x + 1) % 2",
                "y = 1 - y",
                f"t[{rng.randrange(2)}] = {rng.randrange(2)}",
                "t[y % 2] = v % 2",
                "x = 1, y = 0",
            ]
        )


def random_processes(seed: object) -> str:
    """Return the text of a model."""
    return _Writer(seed).model()
