"""What scripts/compare runs: steps, each one process of throng-compare, and how its tasks are named in the CSV."""

import dataclasses

BOXES = "first,frame,memory,heap,T2,T2c,T2.frame,still,some,p99"
PLACES = "first,memory,heap,T2r,T2r.frame,knn,knn.frame,walk"
# Of `nanoflann`, whose places are sorted as they are updated: what stands still.
SORTED_PLACES = "memory,heap,T2r,knn"
SHORT = "frame,T2"

# Which indexes stand side by side. Those of the second line know places alone.
BOX_PEERS = ["embree.refit", "embree.rebuild", "boost", "cgal", "box2d", "bullet", "geos"]
PLACE_PEERS = ["nanoflann", "nanoflann.ids", "hash"]
BY_HAND = ["grid", "sweep"]
STRUCTURES = ["row_grid", "quadtree.moves", "loose_quadtree.moves", "static_index"]
THREADED = {"engine", "embree.refit", "embree.rebuild", "cgal"}

WORLDS = ["mixed", "clustered", "sizes", "crushed", "villages", "point", "line", "roads"]
QUICK_WORLDS = ["mixed", "roads"]
JOINS = ["join.uniform", "join.gaussian", "join.schools"]

# The task of a line to the tasks of rows: (name, field, unit).
ROWS = {
    "first": [("first", "ms", "ms")],
    "frame": [("frame", "ms", "ms")],
    "frame.update": [("frame.update", "ms", "ms")],
    "frame.pairs": [("frame.pairs", "ms", "ms")],
    "p99": [("frame.p99", "ms", "ms")],
    "T2": [("boxes", "ms", "ms")],
    "T2c": [("boxes.coherent", "ms", "ms")],
    "T2.frame": [("boxes.frame", "ms", "ms")],
    "T2r": [("within", "ms", "ms")],
    "T2r.frame": [("within.frame", "ms", "ms")],
    "knn": [("nearest", "ms", "ms")],
    "knn.frame": [("nearest.frame", "ms", "ms")],
    "heap": [("allocations", "calls", "calls")],
    "walk": [("walk", "ms", "ms")],
    "some": [("some", "ms", "ms")],
    "still": [("still", "ms", "ms")],
    "ticks": [("ticks", "ms", "ms")],
    "ticks.tenth": [("ticks.tenth", "ms", "ms")],
}
# What --help says of the tasks that the other languages do not have.
MORE_TASKS = """\
  walk         a pedestrian simulation: bring up to date, all within 3 of every agent, and a copy of each of them
  some         one agent in a hundred moves, anywhere; then all touching pairs
  still        nothing moves: 1,000 boxes of half size 2, a call for each
  ticks        a moving-object join: all move, then half of them ask for a box of half size 200
  ticks.tenth  the same, and a tenth of them asks
  load         how busy the machine was before, in processes; above 0.5, figures are provisional
  wall         how many seconds all of it took"""

NAMES = {"engine": "throng", "grid": "by_hand.grid", "sweep": "by_hand.sweep", "loop": "by_hand.loop", "hash": "by_hand.hash",
         **{name: f"throng.{name}" for name in STRUCTURES}}
# Whose version Debian says.
PACKAGES = {"embree.refit": "libembree-dev", "embree.rebuild": "libembree-dev", "boost": "libboost-dev", "cgal": "libcgal-dev",
            "box2d": "libbox2d-dev", "bullet": "libbullet-dev", "geos": "libgeos-dev", "nanoflann": "libnanoflann-dev",
            "nanoflann.ids": "libnanoflann-dev"}


# Those that take longer than others, for the time that is left.
SLOW = {"box2d": 3, "bullet": 1.5}


@dataclasses.dataclass(frozen=True)
class Step:
    index: str
    world: str
    agents: int
    threads: int
    tasks: str
    options: tuple = ()
    # About how long it takes on two cores, which only the time that is left is made from.
    seconds: float = 1.0

    def command(self, program):
        return [program, "--index", self.index, "--scenario", self.world, "--n", self.agents, "--threads", self.threads,
                "--tasks", self.tasks, *self.options]

    def __str__(self):
        threads = f" x{self.threads}" if self.threads > 1 else ""
        return f"{self.world}, {self.agents:,}: {NAMES.get(self.index, self.index)}{threads}"


def checks(known, worlds, wrong, agents=2000):
    """Small worlds, in which every peer stands beside brute force within one process."""
    boxes = [name for name in ["engine", *BOX_PEERS, *BY_HAND, *STRUCTURES, *wrong] if name in known]
    places = [name for name in ["engine", *PLACE_PEERS] if name in known]
    once = ("--frames", 0)
    for world in worlds:
        tasks = "frame,ticks" if world in JOINS else "frame,T2,T2c,T2.frame,some,still"
        yield Step("brute," + ",".join(boxes), world, agents, 1, tasks, once, 2)
    yield Step("brute," + ",".join(places), "crowd", agents, 1, "T2r,T2r.frame,knn,knn.frame,walk", once, 2)


def timings(known, agents, cores, is_quick):
    quick = ("--frames", 5, "--repeats", 2, "--steady-frames", 200, "--steady-seconds", 0.4)
    whole = ("--frames", 10, "--steady-frames", 1000, "--steady-seconds", 2)
    peers = ["engine", *BOX_PEERS, *BY_HAND, *STRUCTURES]
    for index in peers:
        for threads in ((1, cores) if index in THREADED and cores > 1 else (1,)):
            yield Step(index, "crowd", agents, threads, BOXES, quick if is_quick else whole, 3 if is_quick else 8)
    for index in ["engine", *PLACE_PEERS, "grid"]:
        tasks = {"nanoflann": SORTED_PLACES, "grid": "T2r,T2r.frame,knn,knn.frame",
                 "engine": "T2r,T2r.frame,knn,knn.frame,walk"}.get(index, PLACES)
        for threads in ((1, cores) if index in THREADED and cores > 1 else (1,)):
            yield Step(index, "crowd", agents, threads, tasks, quick if is_quick else whole, 2 if is_quick else 4)
    for n in (1_000,) if is_quick else (100, 1_000, 10_000):
        for index in [*peers[: 1 + len(BOX_PEERS)], *BY_HAND, "loop"]:
            yield Step(index, "crowd", n, 1, "frame,T2,some,still", quick if is_quick else whole, 1)
        for index in ["engine", *PLACE_PEERS[1:]]:
            yield Step(index, "crowd", n, 1, "T2r.frame,walk", quick if is_quick else whole, 0.5)
    short = ("--frames", 3 if is_quick else 5, "--repeats", 2 if is_quick else 3)
    for world in QUICK_WORLDS if is_quick else WORLDS:
        for index in peers[: 1 + len(BOX_PEERS)]:
            yield Step(index, world, agents, 1, SHORT, short, 2 if is_quick else 3)
    for world in JOINS[:1] if is_quick else JOINS:
        for index in [*peers[: 1 + len(BOX_PEERS)], "static_index"]:
            yield Step(index, world, agents, 1, "ticks", short, 1.5 if is_quick else 3)


def plan(known, agents, cores, is_quick):
    found = [dataclasses.replace(step, seconds=step.seconds * SLOW.get(step.index, 0.6))
             for step in timings(known, agents, cores, is_quick) if step.index in known]
    # Brute force first where it is quick: what it answers is what the others are compared with.
    small = {(step.world, step.agents, step.tasks, step.options) for step in found if step.agents <= 10_000}
    oracle = [Step("brute", world, n, 1, tasks, options, 1 + n / 3000) for world, n, tasks, options in sorted(small)]
    return oracle + found
