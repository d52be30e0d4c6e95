"""Random models in DVE: processes with shared variables and arrays, rendezvous, buffers, committed locations."""

from __future__ import annotations

import random

LOCATIONS = ("a", "b", "c")


class _Writer:
    """Writes one model; all of it follows from the seed."""

    def __init__(self, seed: object) -> None:
        self.rng = random.Random(f"dve {seed}")
        self.processes = self.rng.randint(2, 5)
        self.channels = ["r"] * (self.rng.random() < 0.6)
        self.buffers = ["f"] * (self.rng.random() < 0.6)

    def model(self) -> str:
        lines = ["byte x = 1, y, t[2];"]
        lines += [f"channel {{byte}} {name}[0];" for name in self.channels]
        lines += [f"channel {{byte}} {name}[{self.rng.randint(1, 2)}];" for name in self.buffers]
        lines += [self._process(i) for i in range(self.processes)]
        return "\n".join([*lines, "system async;\n"])

    def _process(self, number: int) -> str:
        rng = self.rng
        committed = f"commit {rng.choice(LOCATIONS[1:])};" if rng.random() < 0.15 else ""
        moves = [self._move(number) for _ in range(rng.randint(1, 4))]
        # the syntax wants the transitions of a location together
        moves.sort()
        return (
            f"process P{number} {{\n  byte v;\n  state {', '.join(LOCATIONS)};\n  init a;\n  {committed}\n"
            f"  trans\n    {','.join(moves)};\n}}"
        )

    def _move(self, number: int) -> str:
        rng = self.rng
        parts = []
        if rng.random() < 0.5:
            parts.append(f"guard {self._guard()};")
        synchronised = self.channels + self.buffers
        if synchronised and rng.random() < 0.4:
            name = rng.choice(synchronised)
            parts.append(f"sync {name}{rng.choice([f'!{rng.randrange(2)}', '?v', '!v'])};")
        if rng.random() < 0.6:
            effects = [self._effect() for _ in range(rng.randint(1, 2))]
            parts.append(f"effect {', '.join(effects)};")
        return f"{rng.choice(LOCATIONS)} -> {rng.choice(LOCATIONS)} {{ {' '.join(parts)} }}"

    def _guard(self) -> str:
        rng = self.rng
        one = [
            f"x == {rng.randrange(3)}",
            f"x < {rng.randint(1, 2)}",
            f"y > {rng.randrange(2)}",
            f"t[{rng.randrange(2)}] == {rng.randrange(2)}",
            f"t[y % 2] == {rng.randrange(2)}",
            f"P{rng.randrange(self.processes)}.{rng.choice(LOCATIONS)}",
            "v != x",
        ]
        chosen = rng.sample(one, rng.randint(1, 2))
        return rng.choice([" && ", " || "]).join(chosen)

    def _effect(self) -> str:
        rng = self.rng
        return rng.choice(
            [
                f"x = {rng.randrange(3)}",
                "x = (x + 1) % 3",
                "y = y ^ 1",
                "y = 1 - y",
                f"t[{rng.randrange(2)}] = {rng.randrange(2)}",
                f"t[y % 2] = {rng.randrange(2)}",
                "v = x",
                "v = (v + 1) % 2",
                "y = v % 2",
            ]
        )


def random_dve(seed: object) -> str:
    """Return the text of a model."""
    return _Writer(seed).model()
