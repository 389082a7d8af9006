"""Trial moves are decided as by brute force, one after the other; and what single calls cost."""

from __future__ import annotations

import pathlib
import runpy
from typing import Any, Optional

import numpy as np
import pytest
from conftest import steps_of

import throng

ROOT = pathlib.Path(__file__).resolve().parents[3]
SIDE = 12.0
COUNT = 120


def places(random: np.random.Generator, count: int) -> Any:
    """On a grid on which distances are exact in floats."""
    return np.floor(random.random((count, 2)) * SIDE * 64) / 64


def apart(x: Any, at: Any, period: Optional[float]) -> Any:
    d = x - at
    if period is not None:
        d -= period * np.round(d / period)
    return np.hypot(d[:, 0], d[:, 1])


def by_hand(x: Any, ids: Any, points: Any, reach: Any, rule: Any, period: Optional[float]) -> Any:
    """Moves x, and says for each trial whether it was accepted, and the counts."""
    answers = []
    for i, (id, point) in enumerate(zip(ids, points)):
        others = np.arange(len(x)) != id
        before, after = (int(((apart(x, at, period) <= reach[i]) & others).sum()) for at in (x[id], point))
        accepted = rule(i, before, after)
        if accepted:
            x[id] = point
        answers.append((accepted, before, after))
    return np.array(answers).T


def weight(weights: Any, others: int) -> float:
    return float(weights[others]) if others < len(weights) else 0.0


@pytest.mark.parametrize("period", [None, SIDE])
@pytest.mark.parametrize("weights", [None, np.exp(-0.7 * np.arange(6)), [0.1, 0.4, 1.0]], ids=["hard", "soft", "sticky"])
def test_trials_are_decided_one_after_the_other(random: np.random.Generator, period: Any, weights: Any) -> None:
    engine = throng.Engine(threads=1, period=period)
    x = places(random, COUNT)
    engine.update(x, radius=0.5)
    made = 0
    for _ in range(4):
        ids, points, chance = random.integers(0, COUNT, 50), places(random, 50), random.random(50)

        def rule(i: int, before: int, after: int) -> bool:
            if weights is None:
                return after == 0
            return bool(chance[i] * weight(weights, before) < weight(weights, after))

        accepted, before, after = by_hand(x, ids, points, np.ones(50), rule, period)
        trials = engine.try_moves(ids, points, 0.5, weights=weights, random=None if weights is None else chance)
        assert trials.accepted.tolist() == (accepted != 0).tolist()
        assert (trials.before.tolist(), trials.after.tolist()) == (before.tolist(), after.tolist())
        made += int(accepted.sum())
    assert 0 < made < 200
    boxes = engine.frame.boxes_of(range(COUNT))
    np.testing.assert_array_equal(boxes[:, :2], np.float32(x - 0.5))
    assert engine.validate() is None


def test_a_trial_sees_the_moves_before_it() -> None:
    x = np.array([(0.0, 0.0), (3.0, 0.0)])
    engine = throng.Engine()
    engine.update(x, radius=0.5)
    trials = engine.try_moves([0, 1, 1], [(5, 0), (0, 0), (5.5, 0)], 0.5)
    # The second is right only after the first, and the third only if it sees both.
    assert trials.accepted.tolist() == [True, True, False] and trials.before.tolist() == [0, 0, 0]
    assert trials.after.tolist() == [0, 0, 1]


def test_each_trial_may_have_its_own_radius_and_a_filter() -> None:
    engine = throng.Engine()
    engine.update([(0, 0), (3, 0), (0, 3)], radius=0.5, categories=[1, 2, 4])
    trials = engine.try_moves(
        [0, 0, 0], [(1, 0), (1, 0), (0, 1)], [1.5, 1.25, 2], filter=throng.Filter(categories=2)
    )
    assert trials.after.tolist() == [1, 0, 0] and trials.accepted.tolist() == [False, True, True]


def test_walls_count_if_they_are_asked_for() -> None:
    engine = throng.Engine()
    engine.update([(0, 0)], radius=0.5)
    engine.static_layer = throng.StaticLayer([(2, -5, 3, 5)])  # and the trials publish it
    given: dict[str, Any] = dict(agents_as="boxes", with_static=True)
    assert engine.try_moves([0], [(1.75, 0)], 0.5, **given).after.tolist() == [1]
    assert engine.try_moves([0], [(1.75, 0)], 0.5, agents_as="boxes").accepted.tolist() == [True]


@pytest.mark.parametrize("period", [None, 16])
def test_trials_far_from_zero_are_those_near_it(random: np.random.Generator, period: Any) -> None:
    x, ids, points = places(random, COUNT), random.integers(0, COUNT, 90), places(random, 90)
    answers = []
    for where in np.zeros(2), np.array((500_000.0, 5_400_000.0)):
        engine = throng.Engine(period=period)
        engine.update(x + where - (where % 16 if period else 0), radius=0.5)
        answers.append(engine.try_moves(ids, points + where - (where % 16 if period else 0), 0.5))
    for near, far in zip(*answers):
        np.testing.assert_array_equal(near, far)


def test_a_generator_is_asked_for_a_number_for_each_trial(random: np.random.Generator) -> None:
    x, ids, points = places(random, COUNT), random.integers(0, COUNT, 90), places(random, 90)
    answers = []
    for chance in np.random.default_rng(3), np.random.default_rng(3).random(90):
        engine = throng.Engine()
        engine.update(x, radius=0.5)
        answers.append(engine.try_moves(ids, points, 0.5, weights=[1, 0.5, 0.2], random=chance))
    np.testing.assert_array_equal(answers[0].accepted, answers[1].accepted)


def test_agents_keep_sizes_and_heights() -> None:
    engine = throng.Engine()
    engine.update([(0, 0), (9, 0)], radius=[0.25, 0.5], heights=(1, 2))
    assert engine.try_moves([1, 0], [(8, 1), (1, 1)], 0).accepted.all()
    assert engine.frame.box(0) == (0.75, 0.75, 1.25, 1.25) and engine.frame.height(1) == (1, 2)


@pytest.mark.filterwarnings("ignore::throng.PrecisionWarning")
@pytest.mark.parametrize("is_undone", [True, False])
def test_sizes_do_not_creep_after_a_discard_or_with_other_ids(is_undone: bool) -> None:
    engine, other = throng.Engine(origin=(0, 0)), throng.Engine(origin=(0, 0))
    for each in engine, other:
        each.update([(1_000_000.1, 0), (2_000_000.1, 9)], radius=0.3)
    if is_undone:
        engine.move([1], [(5, 5)], radius=2)
        engine.insert([(7, 7)], radius=3)
        engine.discard()
    for each in engine, other:
        if not is_undone:
            each.renumber([1, 0])
        each.move([0], [(1, 1)])
        each.commit()
    assert engine.frame.box(0) == other.frame.box(0) == pytest.approx((0.7, 0.7, 1.3, 1.3))
    engine.move([0], [(1, 1)], radius=2)
    engine.commit()
    engine.discard()
    engine.move([0], [(3, 3)])
    engine.commit()
    assert engine.frame.box(0) == (1, 1, 5, 5)


REFUSED: list[tuple[Any, type[Exception], str]] = [
    (dict(ids=[0, 2]), throng.BadValue, "no such agent.*index 1"),
    (dict(points=[(0, 0), (np.nan, 0)]), throng.BadValue, "NaN.*index 1"),
    (dict(points=[(0, 0)]), ValueError, "differ in length"),
    (dict(radius=-1), throng.BadValue, "negative"),
    (dict(radius=[1, 2, 3]), throng.BadValue, "radi"),
    (dict(weights=[1]), TypeError, "go together"),
    (dict(random=[0.5, 0.5]), TypeError, "go together"),
    (dict(weights=[1, -1], random=[0.5, 0.5]), ValueError, "element 1 of weights"),
    (dict(weights=[1], random=[0.5, np.nan]), ValueError, "element 1 of random"),
    (dict(weights=[1], random=[0.5]), ValueError, "one number for each trial, 2, and not 1"),
    (dict(agents_as="discs"), ValueError, "agents_as"),
    (dict(filter=throng.Filter(ignore=[0, 1])), ValueError, "one for all"),
    (dict(filter=throng.Filter(ignore=1)), ValueError, "has no `ignore`"),
]


@pytest.mark.parametrize("changed, kind, text", REFUSED)
def test_trials_that_are_refused_change_nothing(changed: Any, kind: type[Exception], text: str) -> None:
    engine = throng.Engine()
    engine.update([(0, 0), (9, 9)], radius=0.5)
    number = engine.frame.number
    given: dict[str, Any] = {**dict(ids=[0, 1], points=[(1, 1), (8, 8)], radius=0.5), **changed}
    with pytest.raises(kind, match=text):
        engine.try_moves(**given)
    assert engine.frame.number == number and engine.staged == 0
    engine.move([0], [(1, 1)])
    with pytest.raises(throng.BadValue):
        engine.try_moves([0], [(1, 1)], 0.5)


def test_ids_far_apart_are_refused() -> None:
    engine = throng.Engine()
    engine.update([(0, 0), (9, 9)], radius=0.5, ids=[0, 2**31 - 2])
    with pytest.raises(throng.BadValue) as refused:
        engine.try_moves([0], [(1, 1)], 0.5)
    assert (refused.value.code, refused.value.argument) == (throng.Code.TOO_MANY, throng.Argument.IDS)
    engine.move(2**31 - 2, (8, 8))
    engine.commit()
    assert engine.frame.box(2**31 - 2) == (7.5, 7.5, 8.5, 8.5)


def test_moves_of_one_agent_are_those_of_many(random: np.random.Generator) -> None:
    for period in None, SIDE:
        for where in np.zeros(2), np.array((4.0e6, 5.0e6)):
            one, many = throng.Engine(period=period), throng.Engine(period=period)
            x = random.random((9, 2)) * SIDE + where
            sizes: Any = 0.3
            for step in range(60):
                if step % 20 == 0:
                    sizes = 0.3 if step == 0 else random.random(9)
                    for engine in one, many:
                        engine.update(x, radius=sizes)
                id, to = int(random.integers(0, 9)), random.random(2) * SIDE * 2 + where
                radius = None if step % 3 else float(random.random())
                one.move([id], [tuple(to.tolist())] if step % 2 else [to], radius)
                many.move(np.array([id]), np.array([to]), radius)
                if step % 5 == 4:
                    one.discard()
                    many.discard()
                one.commit()
                many.commit()
                assert one.frame.fingerprint == many.frame.fingerprint
    one.move(3, (1.0, 2.0))
    one.commit()
    assert one.frame.fingerprint != many.frame.fingerprint


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i2", "i4", "u1", "u2", "u4"])
def test_a_move_of_one_agent_is_rounded_as_one_of_many(random: np.random.Generator, dtype: str) -> None:
    for period in None, 16.7:
        one, many = throng.Engine(period=period), throng.Engine(period=period)
        for engine in one, many:
            engine.update(np.full((9, 2), 5.0), radius=0.3)
        for step in range(60):
            to = (random.random(2) * 100).astype(dtype)
            if step % 2:
                one.move([5], [to])
            else:
                one.move(5, to)
            many.move(np.array([5]), to[np.newaxis])
            one.commit()
            many.commit()
            assert one.frame.fingerprint == many.frame.fingerprint


def test_single_calls_enter_few_functions(random: np.random.Generator) -> None:
    engine = throng.Engine(threads=1)
    engine.update(random.random((1000, 2)) * 30, radius=0.5)
    frame = engine.frame

    def move() -> None:
        engine.move([5], [(5.0, 5.0)])
        engine.commit()

    assert steps_of(lambda: frame.any((4.5, 4.5, 5.5, 5.5))) <= 30
    assert steps_of(lambda: frame.count(circles=(5.0, 5.0, 0.5), agents_as="circles")) <= 35
    assert steps_of(lambda: frame.count_neighbours((5.0, 5.0), radius=1.0)) <= 35
    assert steps_of(lambda: frame.neighbours((5.0, 5.0), radius=1.0)) <= 45
    assert steps_of(move) <= 75


@pytest.mark.parametrize("discs", [7, 900])
def test_the_example_of_hard_discs_is_that_of_a_cell_list(discs: int, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples" / "python" / "hard_discs.py"))["main"](discs, 3)
    assert capsys.readouterr().out.rstrip().endswith("equal: True")
