"""The cluster from Python, on as many ranks as mpirun started: every call against brute force over all agents."""

from __future__ import annotations

import importlib
import pathlib
import tempfile
from typing import Any

import numpy as np

import throng
import throng.cluster
from throng._native.codes import Argument

# By its name, so that types can be checked where there is no mpi4py.
RANKS: Any = importlib.import_module("mpi4py.MPI").COMM_WORLD
COUNT = 600
LUGGAGE = np.dtype([("number", "u8"), ("name", "S3")])
IDS = np.arange(COUNT, dtype=np.uint64) * 7 + 2**40
CENTRES = np.random.default_rng(3).uniform(0, 30, (COUNT, 2)).astype(np.float32)
BOXES = np.concatenate([CENTRES - np.float32(0.5), CENTRES + np.float32(0.5)], axis=1)
HELD = np.arange(RANKS.rank, COUNT, RANKS.size)  # what this rank hands in


def touching(boxes: Any, others: Any) -> Any:
    a, b = boxes[:, None, :], others[None, :, :]
    return (a[..., :2] <= b[..., 2:]).all(axis=-1) & (b[..., :2] <= a[..., 2:]).all(axis=-1)


def everywhere(mine: Any) -> list[tuple[int, ...]]:
    return sorted(tuple(row) for rows in RANKS.allgather(np.asarray(mine).tolist()) for row in rows)


def pairs_of(records: Any) -> list[tuple[int, ...]]:
    return everywhere(np.stack([records["a"], records["b"]], axis=1))


def update(cluster: throng.cluster.Cluster, **more: Any) -> None:
    cluster.update(IDS[HELD], BOXES[HELD], **more)


def check_pairs_and_what_travels() -> None:
    with throng.cluster.Cluster(RANKS, reach=1, threads=1, payload=LUGGAGE, ghost_payload="u8") as cluster:
        luggage = np.zeros(len(HELD), LUGGAGE)
        luggage["number"] = IDS[HELD] * 3
        update(cluster, payload=luggage, labels=np.stack([HELD % 4 + 1, HELD], axis=1))
        mine = cluster.owned()
        assert len(cluster) == COUNT and RANKS.allreduce(len(mine.ids)) == COUNT
        assert mine.payload is not None and (mine.payload["number"] == mine.ids * 3).all()
        ghosts = cluster.ghosts()
        assert ghosts.payload is not None and ghosts.payload.tolist() == (ghosts.ids * 3).tolist()
        assert mine.labels is not None and (mine.labels[:, 1] * 7 + 2**40 == mine.ids).all()
        centres = (mine.boxes[:, :2] + mine.boxes[:, 2:]) / 2
        domain = cluster.domain(RANKS.rank)
        assert ((domain[:2] <= centres) & (centres <= domain[2:])).all()
        a, b = np.nonzero(np.triu(touching(BOXES, BOXES), 1))
        assert pairs_of(cluster.pairs()) == sorted(zip(IDS[a].tolist(), IDS[b].tolist()))
        grown = BOXES + np.asarray([-1, -1, 1, 1], np.float32)
        assert len(pairs_of(cluster.pairs(within=1))) <= np.triu(touching(grown, grown), 1).sum()
        report = cluster.report()
        assert report["owned"] == len(mine.ids) and report["ghosts"] == len(cluster.ghosts().ids)
        assert report["ghosting_seconds"] <= report["seconds"]
        reports = cluster.reports()
        assert reports.shape == (RANKS.size,) and reports["owned"].sum() == COUNT
        assert reports["owned"][RANKS.rank] == len(mine.ids) and (reports["bytes"] > 0).all()
        busy = reports["busy_seconds"]
        assert (busy >= 0).all() and busy.max() >= busy.mean()


def check_that_boxes_are_written_in_place() -> None:
    with throng.cluster.Cluster(RANKS, threads=1, payload="u8") as cluster:
        update(cluster, payload=IDS[HELD])
        for _ in range(4):
            boxes, payload = cluster.in_place()
            assert payload is not None and len(boxes) == len(payload) == len(cluster.owned().ids)
            boxes += np.float32(0.25)
            payload += np.uint64(1)
            assert (cluster.owned().boxes == boxes).all()
            cluster.update(cluster.owned().ids, boxes, payload=payload)
        mine = cluster.owned()
        assert (mine.boxes == BOXES[((mine.ids - 2**40) // 7).astype(int)] + np.float32(1)).all()
        assert mine.payload is not None and (mine.payload == mine.ids + 4).all()


def check_a_world_that_wraps_around() -> None:
    period = np.asarray([30, 0, 30, 0], np.float32)
    touch = touching(BOXES, BOXES) | touching(BOXES + period, BOXES) | touching(BOXES, BOXES + period)
    a, b = np.nonzero(np.triu(touch, 1))
    with throng.cluster.Cluster(RANKS, threads=1, period=(30, 0)) as cluster:
        update(cluster)
        assert pairs_of(cluster.pairs()) == sorted(zip(IDS[a].tolist(), IDS[b].tolist()))
        assert (cluster.count(BOXES + period) == touch.sum(axis=1)).all()
        hits, mine = cluster.frame.overlaps(np.float64(cluster.owned().boxes) + period), cluster.owned().ids
        its = touch[np.searchsorted(IDS, mine)]
        assert [np.sort(cluster.global_ids(ids)).tolist() for ids in hits] == [IDS[row].tolist() for row in its]
    last = RANKS.rank == RANKS.size - 1
    expect_mistake(last, lambda: throng.cluster.Cluster(RANKS, threads=1, period=-1 if last else 30))


def push_of(a: Any, b: Any) -> Any:
    way = np.float64(a[:, :2]) - np.float64(b[:, :2])
    return way / ((way**2).sum(axis=1, keepdims=True) + 1 / 16)


def check_values_that_go_with_ghosts() -> None:
    """Forces from pairs that stand once have the bits of a loop over all pairs."""
    expected = np.zeros((COUNT, 2))
    a, b = np.nonzero(np.triu(touching(BOXES, BOXES), 1))
    for one, other, push in zip(a, b, push_of(BOXES[a], BOXES[b])):
        expected[one] += push
        expected[other] -= push
    with throng.cluster.Cluster(RANKS, reach=1, threads=1) as cluster:
        update(cluster)
        mine, ghosts = cluster.owned(), cluster.ghosts()
        names = cluster.forward(mine.ids.astype("S17"))
        assert (names == np.concatenate([mine.ids, ghosts.ids]).astype("S17")).all()
        try:
            cluster.forward(np.array([object()] * len(mine.ids) + [None])[:-1])
        except ValueError as error:
            assert "objects" in str(error)
        else:
            raise AssertionError("objects went to other ranks")
        boxes, pairs = cluster.forward(mine.boxes), cluster.pairs()
        assert (boxes == np.concatenate([mine.boxes, ghosts.boxes])).all()
        pushes = push_of(boxes[pairs["a_place"]], boxes[pairs["b_place"]])
        of_mine = np.searchsorted(IDS, mine.ids)
        assert (cluster.sum_pairs(pairs, pushes) == expected[of_mine]).all()
        assert (cluster.sum_pairs(pairs, pushes, -pushes, start=np.zeros((len(mine.ids), 2))) == expected[of_mine]).all()
        places = cluster.pairs(places_only=True)
        assert places.shape == (len(pairs), 2)
        whole, halves = np.ones(len(pairs), np.int64), np.full(len(pairs), -0.5)
        assert (cluster.sum_pairs(pairs, whole, halves) == cluster.sum_pairs(pairs, whole * 1.0, halves)).all()
        by_place = cluster.sum_pairs(places, push_of(boxes[places[:, 0]], boxes[places[:, 1]]))
        assert (by_place == expected[of_mine]).all()
        counts = np.zeros(len(boxes), np.int32)
        np.add.at(counts, pairs["a_place"], 1)
        np.add.at(counts, pairs["b_place"], 1)
        assert (cluster.reverse(counts) == touching(BOXES, BOXES).sum(axis=1)[of_mine] - 1).all()
        last = RANKS.rank == RANKS.size - 1
        wrong = pushes[:, :1] if last else pushes
        calls: list[Any] = [
            lambda: cluster.forward(mine.ids[1:] if last else mine.ids),
            lambda: cluster.reverse(counts[1:] if last else counts),
            lambda: cluster.sum_pairs(pairs, pushes, wrong),
            lambda: cluster.sum_pairs(pairs[1:] if last else pairs, pushes),
        ]
        for call in calls:
            expect_mistake(last, call)
        if RANKS.size > 1:
            try:
                cluster.reverse(counts.astype(np.float32) if last else counts)
            except throng.cluster.ClusterError as error:
                assert "differs" in str(error), error
            else:
                raise AssertionError("numbers of different kinds were added")


def check_misuse() -> None:
    with throng.cluster.Cluster(RANKS, threads=1) as cluster:
        for bad in np.zeros((4, 6), np.float32), np.zeros(8, np.float32):
            try:
                cluster.overlaps(bad)
            except ValueError as error:
                assert "(n, 4)" in str(error)
            else:
                raise AssertionError("boxes of a wrong shape were taken")
        try:
            cluster.overlaps(BOXES[:1], filter=throng.Filter(ignore=3))
        except throng.cluster.ClusterBadValue as error:
            assert error.argument == Argument.FILTERS
        else:
            raise AssertionError("an id of 32 bits was taken for one of the cluster")
        update(cluster)
        for kind in dict(radius=0), dict(nearest=2):
            for each in dict(categories=[1] * COUNT), dict(heights=[(0, 1)] * COUNT), dict(each_without_itself=True):
                given: Any = {**kind, "filter": throng.Filter(**each)}  # type: ignore[arg-type]
                try:
                    cluster.neighbours(**given)
                except throng.cluster.ClusterBadValue as error:
                    assert error.argument == Argument.FILTERS
                else:
                    raise AssertionError("a filter for each agent had no effect")
        try:
            cluster.global_ids(np.array([(0, 0), (-1, 0)]))
        except ValueError as error:
            assert "element 2 of places is negative" in str(error)
        else:
            raise AssertionError("no agent got the id of one")
    calls: list[Any] = [cluster.owned, cluster.pairs, cluster.__len__, lambda: cluster.overlaps(BOXES)]
    for call in calls:
        try:
            call()
        except ValueError as error:
            assert "closed" in str(error)
        else:
            raise AssertionError("a closed cluster answered")
    cluster.close()


def check_queries() -> None:
    with throng.cluster.Cluster(RANKS, threads=1) as cluster:
        update(cluster)
        random = np.random.default_rng(RANKS.rank)
        corners = random.uniform(0, 28, (5 + RANKS.rank, 2)).astype(np.float32)
        queries = np.concatenate([corners, corners + np.float32(3)], axis=1)
        hit = touching(queries, BOXES)
        lists = cluster.overlaps(queries)
        assert [lists[i].tolist() for i in range(len(lists))] == [IDS[row].tolist() for row in hit]
        assert (cluster.count(queries) == hit.sum(axis=1)).all()
        nearest = cluster.neighbours(nearest=3)
        assert len(nearest) == len(cluster.owned().ids) and (np.diff(nearest.offsets.astype(int)) == 3).all()
        distance = ((corners[:, None, :] - CENTRES[None, :, :]) ** 2).sum(axis=-1)
        of_points = cluster.neighbours_of(corners, nearest=4)
        assert [of_points[i].tolist() for i in range(len(corners))] == IDS[np.argsort(distance)[:, :4]].tolist()
        assert of_points.numbers is not None
        assert np.allclose(of_points.numbers.reshape(-1, 4), np.sort(distance)[:, :4], rtol=1e-4)
        radii = np.linspace(0.5, 3, len(corners), dtype=np.float32)
        of_points = cluster.neighbours_of(corners, radius=radii, selves=IDS[: len(corners)])
        for i, radius in enumerate(radii):
            near = (distance[i] <= radius * radius) & (np.arange(COUNT) != i)
            assert set(of_points[i].tolist()) == set(IDS[near].tolist())
        # Rays from agents to the right, which do not see themselves.
        selves = IDS[HELD]
        rays = throng.casts(CENTRES[HELD], CENTRES[HELD] + np.array((40, 0), np.float32))
        first = cluster.first_hits(CENTRES[HELD], CENTRES[HELD] + np.array((40, 0), np.float32), selves=selves)
        all_hits = cluster.all_hits(rays, selves=selves)
        for k in range(len(HELD)):
            assert bool(first[k]["is_found"]) == (len(all_hits[k]) != 0)
            assert not first[k]["is_found"] or first[k]["id"] == all_hits[k][0] != selves[k]


def plain_frame() -> throng.Frame:
    """One engine with all agents, whose ids are their places in IDS."""
    engine = throng.Engine()
    engine.update_boxes(BOXES, categories=np.arange(COUNT) % 4 + 1)
    return engine.frame


def same_lists(lists: Any, plain: Any) -> bool:
    return [lists[i].tolist() for i in range(len(lists))] == [IDS[np.sort(ids)].tolist() for ids in plain]


def check_all_shapes_with_a_filter_for_each() -> None:
    """As one engine with all agents answers them."""
    plain = plain_frame()
    random = np.random.default_rng(RANKS.rank + 10)
    at = random.uniform(2, 28, (4 + RANKS.rank, 2)).astype(np.float32)
    sizes = np.full((len(at), 1), 1.5, np.float32)
    one = throng.Filter(categories=3)
    each = throng.Filter(categories=np.arange(len(at)) % 4 + 1)
    corners = np.array([(0, 0), (4, 1), (1, 3)], np.float32)
    shapes: list[dict[str, Any]] = [
        {"boxes": np.concatenate([at - 1, at + 2], axis=1)},
        {"boxes": np.float64(np.concatenate([at, at + 2], axis=1))},
        {"segments": np.concatenate([at, at[::-1], sizes], axis=1)},
        {"polygons": [corners + place for place in at]},
        *[
            {"circles": np.concatenate([at, sizes], axis=1), "agents_as": name}
            for name in ("boxes", "centres", "circles")
        ],
    ]
    with throng.cluster.Cluster(RANKS, threads=1) as cluster:
        update(cluster, labels=np.stack([HELD % 4 + 1, HELD * 0], axis=1))
        for shape in shapes:
            for chosen in None, one, each:
                assert same_lists(cluster.overlaps(**shape, filter=chosen), plain.overlaps(**shape, filter=chosen))
                counts = plain.count(**shape, filter=chosen)
                assert (cluster.count(**shape, filter=chosen) == counts).all() and counts.shape == (len(at),)
        # Wide casts, too, and neighbours of points.
        for radius in 0, 0.7:
            cast: dict[str, Any] = {"half": 0.1, "radius": radius, "filter": each}
            hits, found = cluster.first_hits(at, at[::-1], **cast), plain.first_hits(at, at[::-1], **cast)
            assert (np.where(hits["is_found"] != 0, hits["id"], 0) == np.where(found.ids >= 0, IDS[found.ids], 0)).all()
            assert (hits["fraction"] == found.fractions).all()
        near = cluster.neighbours_of(at, radius=3, filter=each)
        within = plain.neighbours(at, radius=3, filter=each)
        assert [np.sort(near[i]).tolist() for i in range(len(at))] == [IDS[np.sort(ids)].tolist() for ids in within]
        mine = np.searchsorted(IDS, cluster.owned().ids)
        for alone in False, True:
            nearest = cluster.neighbours(nearest=2, filter=one, with_self=alone)
            of_all = plain.nearest(k=2, filter=one, with_self=alone).ids
            assert [nearest[i].tolist() for i in range(len(mine))] == [IDS[of_all[k]].tolist() for k in mine]
        # A filter for each of other queries, on one rank.
        last = RANKS.rank == RANKS.size - 1
        wrong = throng.Filter(categories=[1, 2]) if last else each
        try:
            cluster.overlaps(**shapes[0], filter=wrong)
        except throng.cluster.ClusterBadValue as error:
            assert error.rank == RANKS.size - 1 and error.argument == Argument.FILTERS, error
        else:
            raise AssertionError("two filters were taken for more queries")
        expect_mistake(last, lambda: cluster.overlaps(boxes=shapes[0]["boxes"], circles=BOXES if last else None))


def check_the_frame_of_a_rank() -> None:
    with throng.cluster.Cluster(RANKS, reach=1, radius=2, threads=1) as cluster:
        cluster.set_static_layer(throng.StaticLayer([(0, 0, 30, 1), (0, 0, 1, 30)]))
        update(cluster)
        mine, ghosts = cluster.owned(), cluster.ghosts()
        frame = cluster.frame
        assert len(frame) == cluster.places == len(mine.ids) + len(ghosts.ids) and frame.ghost_count == len(ghosts.ids)
        assert (cluster.reach, cluster.radius) == (1, 2) and cluster.giants_from >= 0.5
        here, boxes = frame.agents()
        known = np.concatenate([mine.boxes, ghosts.boxes])
        assert (boxes == known[here]).all()
        assert (cluster.global_ids(here) == np.concatenate([mine.ids, ghosts.ids])[here]).all()
        hits = frame.overlaps(mine.boxes)
        for own in range(len(mine.ids)):
            its = IDS[touching(mine.boxes[own : own + 1], BOXES)[0]]
            assert np.sort(cluster.global_ids(hits[own])).tolist() == its.tolist()
        elements = frame.with_static.overlaps(mine.boxes)[1]
        walls = touching(mine.boxes, np.array([(0, 0, 30, 1), (0, 0, 1, 30)], np.float32))
        assert [np.sort(ids).tolist() for ids in elements] == [np.nonzero(row)[0].tolist() for row in walls]
        # It outlives the next update, and the cluster.
        update(cluster)
    assert len(frame.overlaps(mine.boxes)) == len(mine.ids)


def check_that_tables_are_read_where_they_lie() -> None:
    with throng.cluster.Cluster(RANKS, reach=1, threads=1, payload="u8") as cluster:
        update(cluster, payload=IDS[HELD], labels=np.stack([HELD % 4 + 1, HELD], axis=1))
        tables: list[Any] = [cluster.owned, cluster.ghosts]
        for table in tables:
            for one, other, again in zip(table(), table(copy=False), table(copy=False)):
                assert (one is None) == (other is None)
                if one is not None:
                    assert (one == other).all() and one.flags.writeable and not other.flags.writeable
                    assert not len(one) or np.shares_memory(other, again)
        again = cluster.owned(copy=False)
        # They may be handed in.
        assert again.labels is not None and again.payload is not None
        cluster.update(again.ids, again.boxes, labels=again.labels, payload=again.payload)
        assert len(cluster) == COUNT and (cluster.owned().payload == cluster.owned().ids).all()


def check_heights() -> None:
    """Two storeys, and agents on the stairs between them."""
    bands = np.zeros((COUNT, 2), np.float32)
    bands[1::2] = 3
    bands += np.where(np.arange(COUNT)[:, None] % 10 == 0, (0, 4), (0, 2)).astype(np.float32)

    def share(one: Any, other: Any) -> Any:
        one, other = np.asarray(one, np.float32)[:, None], np.asarray(other, np.float32)[None]
        return (one[..., 0] <= other[..., 1]) & (other[..., 0] <= one[..., 1])

    with throng.cluster.Cluster(RANKS, reach=1, radius=1, threads=1) as cluster:
        assert cluster.owned().heights is None and cluster.heights_in_place() is None
        update(cluster, heights=bands[HELD])
        mine, ghosts = cluster.owned(), cluster.ghosts()
        for table in mine, ghosts:
            assert table.heights is not None and (table.heights == bands[np.searchsorted(IDS, table.ids)]).all()
        a, b = np.nonzero(np.triu(touching(BOXES, BOXES) & share(bands, bands), 1))
        assert pairs_of(cluster.pairs()) == sorted(zip(IDS[a].tolist(), IDS[b].tolist()))
        queries = BOXES[RANKS.rank : RANKS.rank + 40]
        looks = np.stack([np.arange(40) % 7, np.arange(40) % 7 + 1], axis=1)
        for heights in looks, (2.5, 3.5):
            rows = np.broadcast_to(np.asarray(heights, np.float32).reshape(-1, 2), (40, 2))
            hit = touching(queries, BOXES) & share(rows, bands)
            assert (cluster.count(queries, filter=throng.Filter(heights=heights)) == hit.sum(axis=1)).all()
            found = cluster.overlaps(queries, filter=throng.Filter(heights=heights))
            assert [found[i].tolist() for i in range(40)] == [IDS[row].tolist() for row in hit]
        above = share([(6, 9)], bands)[0]
        near = cluster.neighbours(nearest=1, filter=throng.Filter(heights=(6, 9)))
        both = share(bands, bands) & above & ~np.eye(COUNT, dtype=bool)
        distance = np.where(both, ((CENTRES[:, None] - CENTRES[None]) ** 2).sum(axis=-1), np.inf)
        for k, own in enumerate(np.searchsorted(IDS, mine.ids)):
            nearest = np.argmin(distance[own])
            assert near[k].tolist() == ([IDS[nearest]] if both[own].any() else [])
        engine = throng.Engine()
        engine.update_boxes(BOXES, heights=bands)
        # A ray on a slope finds both storeys, and one that stays below finds one of them.
        rays = np.array([[0, 15, 0, 15, 30, 0, 0.5]] * 2, np.float32)
        hits = cluster.all_hits(rays, z=0, to_z=[6, 0])
        found_at = [bands[np.searchsorted(IDS, hits[i])] for i in range(2)]
        assert (found_at[1][:, 0] == 0).all() and (found_at[0][:, 0] == 3).any() and (found_at[0][:, 0] == 0).any()
        first = cluster.first_hits(rays, z=0)
        assert (first["id"] == hits[1][0]).all()
        plain = engine.frame.all_hits(rays, z=0, to_z=[6, 0])
        assert [hits[i].tolist() for i in range(2)] == [IDS[plain[i]].tolist() for i in range(2)]
        written = cluster.heights_in_place()
        assert written is not None and cluster.ghosts().heights is not None
        written[:] = 0
        cluster.update(mine.ids, mine.boxes, heights=written)
        a, b = np.nonzero(np.triu(touching(BOXES, BOXES), 1))
        assert pairs_of(cluster.pairs()) == sorted(zip(IDS[a].tolist(), IDS[b].tolist()))
        last = RANKS.rank == RANKS.size - 1
        calls: list[Any] = [
            lambda: cluster.update(IDS[HELD], BOXES[HELD], heights=bands[HELD][: 1 if last else None]),
            lambda: cluster.count(queries, filter=throng.Filter(heights=looks[:3] if last else looks)),
            lambda: cluster.first_hits(rays, z=[0, 0, 0] if last else 0),
        ]
        for call in calls:
            expect_refusal_of(last, call)


def check_agents_that_stay_and_two_sets() -> None:
    with throng.cluster.Cluster(RANKS, radius=1, threads=1, agents_stay=True) as cluster:
        update(cluster)
        near = cluster.neighbours(radius=1)
        distance = ((CENTRES[HELD][:, None, :] - CENTRES[None, :, :]) ** 2).sum(axis=-1)
        for k, own in enumerate(HELD):
            within = set(IDS[(distance[k] <= 1) & (np.arange(COUNT) != own)].tolist())
            assert set(near[k].tolist()) == within
        pairs = cluster.pairs()
        assert (IDS[HELD][pairs["a_place"]] == pairs["a"]).all()
        with throng.cluster.Cluster(RANKS, threads=1) as walls:
            walls.partition_as(cluster)
            walls.update(IDS[:40][RANKS.rank :: RANKS.size], BOXES[:40][RANKS.rank :: RANKS.size] + np.float32(0.3))
            a, b = np.nonzero(touching(BOXES, BOXES[:40] + np.float32(0.3)))
            assert pairs_of(cluster.pairs_with(walls)) == sorted(zip(IDS[a].tolist(), IDS[b].tolist()))
            assert not pairs_of(cluster.pairs_with(walls, categories=(1, 2)))


def check_refusals() -> None:
    with throng.cluster.Cluster(RANKS, threads=1) as cluster:
        bad = BOXES[HELD].copy()
        last = RANKS.size - 1
        if RANKS.rank == last:
            bad[2, 1] = np.nan
        try:
            cluster.update(IDS[HELD], bad)
        except throng.cluster.ClusterBadValue as error:
            assert (error.rank, error.index) == (last, 2) and f"on rank {last}" in str(error), error
        else:
            raise AssertionError("a NaN was taken")
        assert len(cluster) == 0
        try:
            cluster.update(IDS[HELD], BOXES[:1])
        except ValueError:
            return
        raise AssertionError("arrays of different lengths were taken")


def check_mistakes_of_one_rank() -> None:
    """What Python finds on one rank, before a message is sent: all ranks are told, and none waits."""
    last = RANKS.rank == RANKS.size - 1
    kinds: dict[str, Any] = {"radius": "far"} if last else {"payload": "u8", "agents_stay": True}
    expect_mistake(last, lambda: throng.cluster.Cluster(RANKS, threads=1, **kinds))
    expect_mistake(last, lambda: throng.cluster.Cluster(RANKS, threads=1, payload="O" if last else "u8"))
    with throng.cluster.Cluster(RANKS, reach=1, threads=1) as cluster:
        update(cluster)
        cluster.agree()
        wrong = IDS[HELD].reshape(1, -1) if last else IDS[HELD]
        broken: Any = IDS[HELD] + 0.5 if last else IDS[HELD]
        for given in (wrong, broken, wrong):  # the steady frames, too
            expect_mistake(last, lambda: cluster.update(given, BOXES[HELD]))
            update(cluster)
        queries = BOXES[:4] if not last else BOXES[:4, :3]
        kind: Any = "discs" if last else "boxes"
        interrupted: Any = Interrupted()
        selves = IDS[:1] if last else None
        calls: list[Any] = [
            lambda: cluster.overlaps(queries),
            lambda: cluster.overlaps(interrupted if last else queries),
            lambda: cluster.count(BOXES[:4], selves=selves),
            lambda: cluster.first_hits(queries if last else np.zeros((4, 7))),
            lambda: cluster.neighbours(nearest=2, agents_as=kind),
            lambda: cluster.neighbours_of(queries[:, :3] if last else CENTRES[:4], radius=1),
            lambda: cluster.pairs_with(cluster, agents_as=kind),
            lambda: cluster.partition(CENTRES[:4], weights=[1.0] if last else None),
        ]
        for call in calls:
            expect_mistake(last, call)
        # The other ranks do not hear of a local call that failed, until the host asks.
        try:
            failed: Any = None
            cluster.pairs(within=5 if last else 1)
        except throng.cluster.ClusterError as error:
            failed = error
        assert (failed is not None) == last
        try:
            cluster.agree(failed)
        except throng.cluster.ClusterError as error:
            assert error.rank == RANKS.size - 1 and "reach" in str(error), error
            assert (error.__cause__ is not None) == last
        else:
            raise AssertionError("a rank that failed was not heard")
        cluster.set_reach(5)
        update(cluster)
        cluster.pairs(within=5)


def check_files() -> None:
    with tempfile.TemporaryDirectory() as mine:
        path = pathlib.Path(RANKS.bcast(mine)) / "world"
        with throng.cluster.Cluster(RANKS, threads=1, payload=LUGGAGE) as cluster:
            luggage = np.zeros(len(HELD), LUGGAGE)
            luggage["number"] = IDS[HELD] * 3
            update(cluster, payload=luggage)
            last = RANKS.rank == RANKS.size - 1
            for call in cluster.save, cluster.load:
                cluster.save(path)
                expect_mistake(last, lambda: call("a\0b" if last else path))
        # One rank goes on.
        alone = RANKS.Split(RANKS.rank)
        if RANKS.rank == 0:
            with throng.cluster.Cluster(alone, threads=1, payload=LUGGAGE) as cluster:
                cluster.load(path)
                owned = cluster.owned()
                assert (owned.ids == IDS).all() and (owned.boxes == BOXES).all()
                assert owned.payload is not None and (owned.payload["number"] == owned.ids * 3).all()
            path.write_bytes(path.read_bytes()[:-1])
        alone.Free()
        RANKS.barrier()
        with throng.cluster.Cluster(RANKS, threads=1, payload=LUGGAGE) as cluster:
            try:
                cluster.load(path)
            except throng.cluster.ClusterError as error:
                assert "too short" in str(error), error
            else:
                raise AssertionError("a part of a file was taken")
        RANKS.barrier()


class Interrupted:
    """An array that is interrupted while it is read."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt


def expect_refusal_of(here: bool, call: Any) -> None:
    """By Python on this rank, or by the cluster on all."""
    try:
        call()
    except throng.cluster.ClusterError as error:
        assert error.rank == RANKS.size - 1, error
    except ValueError:
        assert here
    else:
        raise AssertionError("heights that are none were taken")


def expect_mistake(here: bool, call: Any) -> None:
    try:
        call()
    except throng.cluster.ClusterError as error:
        assert not here and error.rank == RANKS.size - 1 and "differs" not in str(error), error
    except (Exception, KeyboardInterrupt):
        assert here
    else:
        raise AssertionError("a mistake of one rank was not heard")


for check in (
    check_pairs_and_what_travels,
    check_that_boxes_are_written_in_place,
    check_a_world_that_wraps_around,
    check_values_that_go_with_ghosts,
    check_queries,
    check_heights,
    check_all_shapes_with_a_filter_for_each,
    check_the_frame_of_a_rank,
    check_that_tables_are_read_where_they_lie,
    check_agents_that_stay_and_two_sets,
    check_refusals,
    check_misuse,
    check_mistakes_of_one_rank,
    check_files,
):
    check()
