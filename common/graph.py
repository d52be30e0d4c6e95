"""Strongly connected components, reachability: what every automaton needs of graphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def successors(states: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return for each state the list of its successors."""
    result: list[list[int]] = [[] for _ in range(states)]
    for source, destination in pairs:
        result[source].append(destination)
    return result


def reachable(following: Sequence[Sequence[int]], roots: Iterable[int]) -> set[int]:
    """Return the states that can be reached from the roots, which are among them."""
    seen = set(roots)
    todo = list(seen)
    while todo:
        for state in following[todo.pop()]:
            if state not in seen:
                seen.add(state)
                todo.append(state)
    return seen


def backward(states: int, pairs: Iterable[tuple[int, int]], targets: Iterable[int]) -> set[int]:
    """Return the states that can reach a target, the targets among them."""
    return reachable(successors(states, ((b, a) for a, b in pairs)), targets)


def back_edges(following: Sequence[Sequence[int]]) -> set[tuple[int, int]]:
    """Return the edges that lead back onto the path of a depth-first search: every cycle has one."""
    found: set[tuple[int, int]] = set()
    entered = [False] * len(following)
    on_path = [False] * len(following)
    for root in range(len(following)):
        path = [] if entered[root] else [(root, iter(following[root]))]
        while path:
            state, rest = path[-1]
            entered[state] = on_path[state] = True
            for other in rest:
                if not entered[other]:
                    path.append((other, iter(following[other])))
                    break
                if on_path[other]:
                    found.add((state, other))
            else:
                on_path[state] = False
                path.pop()
    return found


def components(following: Sequence[Sequence[int]]) -> list[int]:
    """Return for each state the number of its strongly connected component; successors have lower numbers.

    Tarjan (1972) with an explicit stack.
    """
    search = _Components(following)
    for state in range(len(following)):
        if search.index[state] < 0:
            search.explore(state)
    return search.component


class _Components:
    """The state of Tarjan's search; `component` is filled as components are completed."""

    def __init__(self, following: Sequence[Sequence[int]]) -> None:
        self.following = following
        self.index = [-1] * len(following)
        self.low = [0] * len(following)
        self.component = [-1] * len(following)
        self.pending: list[int] = []
        self.visited = 0
        self.completed = 0

    def explore(self, root: int) -> None:
        path = [(root, self._enter(root))]
        while path:
            state, rest = path[-1]
            for other in rest:
                if self.index[other] < 0:
                    path.append((other, self._enter(other)))
                    break
                if self.component[other] < 0:
                    self.low[state] = min(self.low[state], self.index[other])
            else:
                path.pop()
                self._leave(state, path[-1][0] if path else None)

    def _enter(self, state: int) -> Iterable[int]:
        self.index[state] = self.low[state] = self.visited
        self.visited += 1
        self.pending.append(state)
        return iter(self.following[state])

    def _leave(self, state: int, parent: int | None) -> None:
        if parent is not None:
            self.low[parent] = min(self.low[parent], self.low[state])
        if self.low[state] != self.index[state]:
            return
        while self.component[state] < 0:
            self.component[self.pending.pop()] = self.completed
        self.completed += 1
