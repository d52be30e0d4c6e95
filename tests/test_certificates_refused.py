"""Damaged certificates are refused, by both checkers, with a message that says where; nothing crashes."""

from __future__ import annotations

import io
import json
import random
import re
import struct
import zlib
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from certificates import Open, sealed

from buchi.common.ends import Verdict
from buchi.common.errors import InputError
from buchi.models.backends import Backend
from buchi.pipeline.certificates.certifying import By, Question, certify
from buchi.pipeline.certificates.container import MAGIC
from buchi.pipeline.check import check
from buchi.pipeline.options import CheckOptions, Deadlock, Fair, FairTo
from buchi.schemas.kinds import Kind

MODEL = """
byte x;

process Way {
    state start, left, right;
    init start;
    trans
        start -> left  { },
        start -> right { },
        left  -> left  { effect x = (x + 1) % 3; },
        left  -> right { guard x == 2; },
        right -> right { effect x = (x + 1) % 3; };
}

process Clock {
    state tick, tock;
    init tick;
    trans
        tick -> tock { },
        tock -> tick { };
}

system async;
"""
FORMULA = "F G !Way.left || F G !Way.right"
"""Of its negation there is an automaton of one state with two sets: two marks to give as a reason."""
FAIR = "G F Clock.tock"
ENDS = """
process P {
    state go, done;
    init go;
    trans go -> go { }, go -> done { };
}

system async;
"""
BY: tuple[By, ...] = ("small", "fast")


@cache
def certificate(
    ltl: str = FORMULA,
    text: str = MODEL,
    fair: tuple[FairTo, ...] = (),
    deadlock: Deadlock = Deadlock.STUTTER,
    via: Kind | None = None,
) -> bytes:
    with TemporaryDirectory() as folder:
        model, file = Path(folder) / "turns.dve", Path(folder) / "turns.cert"
        model.write_text(text)
        options = CheckOptions(
            certificate=file, fair=fair, deadlock=deadlock, via=via, backend=Backend.INTERPRETED
        )
        assert check(model, ltl=ltl, options=options).verdict is Verdict.HOLDS
        return file.read_bytes()


def opened(*args: object, **kwargs: object) -> Open:
    found = Open.of(certificate(*args, **kwargs))  # type: ignore[arg-type]
    found.head["backend"] = "compiled"  # so that the fast checker interprets, and nothing is compiled here
    return found


def message(content: bytes, by: By) -> str | None:
    """Return why a certificate is refused; None where it is not."""
    try:
        certify(io.BytesIO(content), "turns.cert", Question(by=by))
    except InputError as error:
        return str(error)
    return None


# Kinds of damage: what is done to a certificate, and what is said of it


def leave_out(number: int) -> Callable[[Open], None]:
    def damage(one: Open) -> None:
        for column in (one.rows, *one.numbers):
            column.pop(number)

    return damage


def twice(one: Open) -> None:
    one.rows.append(one.rows[3])
    for numbers in one.numbers:
        numbers.append(numbers[3])


def change_byte(at: int, to: int) -> Callable[[Open], None]:
    def damage(one: Open) -> None:
        row = bytearray(one.rows[5])
        row[at] = to
        one.rows[5] = bytes(row)

    return damage


def longer_row(one: Open) -> None:
    one.rows[-1] = one.rows[-1][:-1] + b"\x01"
    one.head["width"] -= 1


def renumber(change: Callable[[list[int]], list[int]]) -> Callable[[Open], None]:
    def damage(one: Open) -> None:
        one.numbers[0] = change(one.numbers[0])

    return damage


def raised(numbers: list[int]) -> list[int]:
    lowest = numbers.index(min(numbers))
    return [max(numbers) if i == lowest else number for i, number in enumerate(numbers)]


def swapped(numbers: list[int]) -> list[int]:
    return [{0: 1, 1: 0}.get(number, number) for number in numbers]


def reasons(change: Callable[[bytes], bytes]) -> Callable[[Open], None]:
    def damage(one: Open) -> None:
        one.reasons[0] = change(one.reasons[0])

    return damage


def head(*path: str, to: object) -> Callable[[Open], None]:
    def damage(one: Open) -> None:
        part = one.head
        for name in path[:-1]:
            part = part[name]
        assert part[path[-1]] != to
        part[path[-1]] = to

    return damage


def in_automaton(old: str, new: str) -> Callable[[Open], None]:
    def damage(one: Open) -> None:
        text, times = re.subn(old, new, one.head["automaton"], count=1, flags=re.MULTILINE)
        assert times, one.head["automaton"]
        one.head["automaton"] = text

    return damage


def in_model(old: str, new: str) -> Callable[[Open], None]:
    """Another model, with the hash that goes with it."""

    def damage(one: Open) -> None:
        model = one.head["model"]
        assert model["text"].count(old) == 1
        model["text"] = model["text"].replace(old, new)
        model["sha256"] = sha256(model["text"].encode()).hexdigest()

    return damage


def without_numbering(one: Open) -> None:
    one.head["numberings"], one.numbers, one.reasons = [], [], []


ROW = r"row \d+: "
AUTOMATON = "the automaton of the certificate cannot be read"
LANGUAGE = "its automaton does not accept all that the property forbids"
DAMAGES: dict[str, tuple[Callable[[Open], object], str]] = {
    "the initial state left out": (
        lambda one: leave_out(initial(one))(one),
        "initial state is missing: x = 0",
    ),
    "the first state left out": (leave_out(0), "a successor is missing|initial state is missing"),
    "a state left out": (leave_out(5), f"{ROW}a successor is missing\nthe row is x"),
    "the last state left out": (leave_out(-1), "a successor is missing|initial state is missing"),
    "a state twice": (twice, "row 3: a state is there twice|row [0-9]+: it is there twice"),
    "a variable changed": (change_byte(0, 9), f"{ROW}a successor is missing|initial state is missing"),
    "a location changed": (change_byte(1, 7), f"{ROW}|missing"),
    "the automaton in no state": (change_byte(-1, 77), "row 5: the automaton has no state 77"),
    "a row that is too long": (longer_row, "the rows are not as wide as the states of the model"),
    "a number raised": (renumber(raised), f"{ROW}an edge increases the number"),
    "all numbers the same": (
        renumber(lambda n: [0] * len(n)),
        f"{ROW}an edge within its number carries the mark",
    ),
    "numbers in the other direction": (
        renumber(lambda n: [max(n) - i for i in n]),
        f"{ROW}an edge increases",
    ),
    "two numbers exchanged": (renumber(swapped), f"{ROW}an edge (increases|within)|{ROW}there is an edge"),
    "a number too large": (
        renumber(lambda n: [*n[:-1], 1 << 30]),
        f"{ROW}its number is none of those announced",
    ),
    "a number below zero": (renumber(lambda n: [*n[:-1], -1]), f"{ROW}its number is none of those announced"),
    "a mark that no edge may carry, and one does": (
        reasons(lambda r: bytes(1 - mark for mark in r)),
        f"{ROW}an edge within its number carries the mark",
    ),
    "a mark that nobody asks for": (reasons(lambda r: b"\x05" + r[1:]), "number 0: mark 5 is none"),
    "no edge where there is one": (
        reasons(lambda r: b"\xff" * len(r)),
        f"{ROW}there is an edge within its number",
    ),
    "reasons missing": (reasons(lambda r: r[:1]), f"{ROW}its number has no reason"),
    "no reasons at all": (reasons(lambda _: b""), f"{ROW}its number has no reason"),
    "no numbering": (without_numbering, "there is no numbering for a clause"),
    "a numbering over fewer edges": (
        lambda one: one.head["numberings"][0].update(fin=1),
        "there is no numbering for a clause",
    ),
    "a command that the search did not have": (
        in_model("start -> right { },", "start -> right { }, right -> start { },"),
        f"{ROW}an edge (increases the number|within)|{ROW}a successor is missing",
    ),
    "a command that leads elsewhere": (
        in_model("right -> right {", "right -> left {"),
        f"{ROW}an edge increases",
    ),
    "an effect that the search did not have": (
        in_model("guard x == 2;", "guard x == 2; effect x = 9;"),
        f"{ROW}a successor is missing",
    ),
    "another initial value": (
        in_model("byte x;", "byte x = 5;"),
        "initial state is missing",
    ),
    "a model that divides by zero": (
        in_model("guard x == 2;", "guard 1 / x == 2;"),
        f"{ROW}a step of the model fails in this state",
    ),
    "another text of the model": (head("model", "text", to=MODEL + " "), "not the one that its hash is of"),
    "a model with wider states": (in_model("byte x", "int x"), "rows are not as wide|no state"),
    "no model": (head("model", to=None), "of a model that was no file"),
    "a model that is none": (in_model("system async;", "system;"), "turns.dve:"),
    "an edge of the automaton left out": (in_automaton(r"^\[.*\n", ""), f"{LANGUAGE}|{AUTOMATON}"),
    "a label of the automaton narrowed": (in_automaton(r"^\[[^\]]*\]", "[0&1]"), f"{LANGUAGE}|{ROW}|missing"),
    "a mark of the automaton left out": (in_automaton(r" \{0 1\}| \{0\}| \{1\}", ""), LANGUAGE),
    "an automaton that accepts nothing": (
        in_automaton(r"^Acceptance: .*$", "Acceptance: 2 f"),
        f"{LANGUAGE}|reasons that do not go",
    ),
    "an automaton that begins elsewhere": (
        in_automaton(r"^Start: 0", "Start: 1"),
        f"{AUTOMATON}: its initial",
    ),
    "an automaton that begins nowhere": (in_automaton(r"^Start: 0\n", ""), LANGUAGE + "|Start|initial"),
    "an edge to no state": (in_automaton(r"\] \d", "] 9"), f"{AUTOMATON}: there is no state 9"),
    "propositions exchanged": (
        in_automaton(r'AP: 2 ("[^"]*") ("[^"]*")', r"AP: 2 \2 \1"),
        f"{ROW}|missing|" + LANGUAGE,
    ),
    "a proposition of no property": (
        in_automaton(r'"Way\.left"', '"Way.start"'),
        "has no proposition Way.start",
    ),
    "an automaton that begins where only Spot sees it": (
        in_automaton(r"^Start: 0\n(AP: .*)$", r"\1 Start: 0"),
        AUTOMATON,
    ),
    "an automaton that begins where nobody else sees it": (in_automaton(r"^Start: 0$", "Start:0"), AUTOMATON),
    "an edge that only Spot sees": (in_automaton(r"^(\[.*)$", r"\1 [t] 0"), AUTOMATON),
    "a comment": (in_automaton(r"^--BODY--$", "/* [t] 0 */\n--BODY--"), AUTOMATON),
    "another end of a line": (in_automaton(r"^Start: 0$", "Start: 0\u2028properties: x"), AUTOMATON),
    "two acceptances": (in_automaton(r"^(Acceptance: .*)$", r"\1\nAcceptance: 2 f"), AUTOMATON),
    "an automaton that is no HOA": (head("automaton", to="HOA: v1"), AUTOMATON),
    "another property": (head("property", "text", to="F G !Way.left && F G !Way.right"), LANGUAGE),
    "a property that is no formula": (head("property", "text", to="G F ("), "syntax error"),
    "deadlocks that do not count": (
        head("deadlock", to="always"),
        "turns.cert:2: the head is wrong: deadlock",
    ),
    "letters of destinations": (head("letter", to="destination"), AUTOMATON),
    "more states of the automaton": (head("automaton_states", to=2), AUTOMATON),
    "wider rows": (lambda one: one.head.update(width=one.head["width"] + 1), "rows are not as wide"),
    "something that nobody knows": (lambda one: one.head.update(more=1), "turns.cert:2: the head is wrong"),
}


def initial(one: Open) -> int:
    return one.rows.index(bytes(one.head["width"]))


@pytest.mark.parametrize("by", BY)
def test_a_label_of_the_start_has_a_proposition_too_many(by: By) -> None:
    one = opened(via=Kind.SLBA)
    before, start = one.head["automaton"].rsplit("State: ", 1)
    one.head["automaton"] = before + "State: " + re.sub(r"\[[^]]*\]", "[63]", start, count=1)
    assert re.search(f"{AUTOMATON}: a label has a proposition too many", str(message(one.closed(), by)))


def test_there_are_enough_kinds_of_damage() -> None:
    assert len(DAMAGES) >= 30


@pytest.mark.parametrize("by", BY)
def test_what_is_not_damaged_is_accepted(by: By) -> None:
    one = opened()
    assert one.head["numberings"][0]["numbers"] > 2
    assert message(one.closed(), by) is None


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_refused(damage: str, by: By) -> None:
    one = opened()
    act, expected = DAMAGES[damage]
    act(one)
    said = message(one.closed(), by)
    assert said is not None
    assert re.search(expected, said), said
    assert said.startswith(("turns.cert", "turns.dve", "--ltl"))


@pytest.mark.parametrize("by", BY)
def test_each_state_is_needed(by: By) -> None:
    """All that are there can be reached: without any of them the set is not closed."""
    for number in range(len(opened().rows)):
        one = opened()
        leave_out(number)(one)
        assert message(one.closed(), by) is not None


@pytest.mark.parametrize("by", BY)
def test_a_certificate_for_fair_runs_is_none_for_all(by: By) -> None:
    fair = opened(FAIR, fair=(FairTo(Fair.WEAK),))
    assert message(fair.closed(), by) is None
    fair.head["fair"] = []
    assert re.search(
        f"{ROW}an edge within its number carries|mark 2 is none", message(fair.closed(), by) or ""
    )


@pytest.mark.parametrize("by", BY)
def test_a_process_that_is_disabled_is_treated_fairly(by: By) -> None:
    """The clock stands still, and weak fairness does not ask it for a step: the property does not hold."""
    one = opened(FAIR, fair=(FairTo(Fair.WEAK),))
    in_model(r"tick -> tock { },", "tick -> tock { guard x == 99; },")(one)
    assert re.search(f"{ROW}an edge within its number carries", message(one.closed(), by) or "")


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("kind", ["next", "fair"])
def test_nothing_may_be_left_out_where_a_reduction_is_not_sound(kind: str, by: By) -> None:
    one = (
        opened("G (Way.left -> X !Way.start)") if kind == "next" else opened(FAIR, fair=(FairTo(Fair.WEAK),))
    )
    assert message(one.closed(), by) is None
    one.head["reduced"] = True
    assert "the search cannot be reduced" in str(message(one.closed(), by))


@pytest.mark.parametrize("by", BY)
def test_a_certificate_without_runs_that_end_is_none_for_them(by: By) -> None:
    one = opened("G P.go", text=ENDS, deadlock=Deadlock.DROP)
    assert message(one.closed(), by) is None
    one.head["deadlock"] = "stutter"
    assert re.search(f"{ROW}(an edge|there is an edge|a successor)", message(one.closed(), by) or "")


# The file


def file_damages() -> dict[str, tuple[bytes, str]]:
    whole = certificate()
    start = whole.index(b"\n", len(MAGIC)) + 1
    return {
        "nothing": (b"", "the file ends within the name of the format"),
        "another file": (b"HOA: v1\n--BODY--\n--END--\n", "this is no certificate"),
        "another version": (whole.replace(b"CERTIFICATE 1", b"CERTIFICATE 2", 1), "turns.cert:1"),
        "cut in the head": (whole[: start // 2], "turns.cert:2: the head of the certificate has no end"),
        "cut after the head": (whole[:start], "the file ends within the end"),
        "cut in a piece": (whole[: start + 20], "the file ends within a piece"),
        "cut before the digest": (whole[:-32], "the digest is another one"),
        "cut in the digest": (whole[:-1], "the digest is another one"),
        "more at the end": (whole + b"x", "there is more after the end"),
        "a head that is no JSON": (MAGIC + b"{\n" + whole[start:], "turns.cert:2: the head is wrong"),
        "a head of deep JSON": (MAGIC + b"[" * 100_000 + b"\n", "turns.cert:2: the head is wrong"),
        "an unknown piece": (sealed(whole[:start] + b"X" + bytes(8)), "no piece begins with b'X'"),
        "a piece that cannot be unpacked": (
            sealed(whole[:start] + b"S" + struct.pack("<II", 1, 3) + b"abc"),
            "a piece cannot be unpacked",
        ),
        "a piece that unpacks to gigabytes": (
            sealed(whole[:start] + _piece(1, zlib.compress(bytes(1 << 24)))),
            "a piece is longer or shorter than it says",
        ),
        "a piece of no states": (
            sealed(whole[:start] + _piece(0, zlib.compress(b""))),
            "a piece of 0 states",
        ),
        "pieces missing": (sealed(whole[:start]), "there are 0 states, not the"),
        "more states than announced": (
            opened().closed(states=1),
            "more rows than announced|states, not the 1",
        ),
        "fewer states than announced": (opened().closed(states=10**6), "states, not the 1000000 announced"),
    }


def _piece(count: int, packed: bytes) -> bytes:
    return b"S" + struct.pack("<II", count, len(packed)) + packed


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("damage", file_damages())
def test_a_damaged_file_is_refused(damage: str, by: By) -> None:
    content, expected = file_damages()[damage]
    said = message(content, by)
    assert said is not None
    assert re.search(expected, said), said


def flipped(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def check_flips(count: int, seed: int) -> None:
    whole, rng = certificate(), random.Random(seed)
    for _ in range(count):
        bit = rng.randrange(8 * len(whole))
        assert message(flipped(whole, bit), "small") is not None, bit


def test_a_flipped_bit_is_seen() -> None:
    check_flips(300, 0)


@pytest.mark.slow
def test_ten_thousand_flipped_bits_are_seen() -> None:
    check_flips(10_000, 1)


def claim(head: dict[str, Any]) -> list[object]:
    """Return of what a certificate claims to prove something; the name of a file is no part of it."""
    model, names = head["model"], ("deadlock", "fair", "reduced")
    return [model["text"], model["overflow"], *(head[name] for name in names)]


def check_sealed_flips(count: int, seed: int) -> None:
    """With the digest that goes with it: what is accepted proves the same, and both checkers agree.

    There is more than one proof: a number within which there is no edge needs no reason, and any mark will do.
    """
    whole, rng = opened().closed(), random.Random(seed)
    asked = json.loads(whole.split(b"\n", 2)[1])
    for _ in range(count):
        bit = 8 * len(MAGIC) + rng.randrange(8 * (len(whole) - 33 - len(MAGIC)))
        content = sealed(flipped(whole, bit)[:-33])
        told = {by: message(content, by) for by in BY}
        assert (told["small"] is None) == (told["fast"] is None), (bit, told)
        if told["small"] is None:
            kept = json.loads(content.split(b"\n", 2)[1])
            assert claim(kept) == claim(asked), f"bit {bit}: another claim is accepted"
            if kept["property"] != asked["property"]:  # a weaker one is proved, too
                certificate(kept["property"]["text"])


def test_a_flipped_bit_with_a_new_digest_changes_nothing() -> None:
    check_sealed_flips(150, 0)


@pytest.mark.slow
def test_many_flipped_bits_with_a_new_digest_change_nothing() -> None:
    check_sealed_flips(10_000, 1)
