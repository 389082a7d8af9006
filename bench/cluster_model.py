#!/usr/bin/env python3
"""How far the cluster scales past this machine: predicted frames of a crowd on up to 1,000 ranks.

    bench/cluster_model.py --check bench/results/cluster-counts.csv
    bench/cluster_model.py --picture docs/images/cluster-model.png

What a rank does in a steady frame follows from where the world is cut: bisection gives each rank a part, whose border says
how many ghosts it has, how many agents cross, and how many bytes and messages that takes. `--check` compares these with
the counts of throng-cluster-bench. What that costs are numbers an option can change: the time of an agent, and the latency
and bandwidth of a network.

    frame = unevenness x (agents + ghosts) x time of an agent
          + 2 messages to each neighbour + their bytes + one sum of all ranks

Nothing of it overlaps, as in the library. What the model does not know: that ranks of one machine share its memory and its
network card, that a switch is busy with others, and a system that takes a core away now and then.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import math
import pathlib

# The crowd of the workloads: agents an area, mean and largest half extent, and mean speed on an axis.
DENSITY, HALF, LARGEST, SPEED = 0.25, 0.425, 0.5 * (1 + 1 / 64), 0.05
# As counted: bytes for a ghost, with those that are new, for an agent, of the sum, and in front of a parcel.
GHOST_BYTES, AGENT_BYTES, SUM_BYTES, PARCEL_BYTES = 7.2, 24, 1232, 8
SAMPLE = 2048  # for each rank, by which the world is cut


@dataclasses.dataclass(frozen=True)
class Network:
    name: str
    latency: float  # seconds from one rank to another
    bandwidth: float  # bytes a second


NETWORKS = (
    # Over the system's TCP: the latency of Hurwitz and Feng, "Initial End-to-End Performance Evaluation of 10-Gigabit Ethernet"
    # (Hot Interconnects 2003); the bandwidth is the line's.
    Network("10 Gb/s Ethernet, TCP", 20e-6, 10e9 / 8),
    # What Microsoft measures between its HBv3 machines (learn.microsoft.com, "HBv3-series performance"): 1.2 us, 192 Gb/s.
    Network("InfiniBand HDR", 1.2e-6, 192e9 / 8),
)


@dataclasses.dataclass(frozen=True)
class Frame:
    ghosts: float  # of all ranks
    sent: float
    neighbours: float  # of a rank, at most
    compute: float
    messages: float
    transfer: float
    total: float  # all of these are sums, which the last part of the seconds is

    @property
    def seconds(self) -> float:
        return self.compute + self.messages + self.transfer + self.total


def cut_length(ranks: int, side: float) -> float:
    """All cuts of a square that is halved across its longer side until each rank has a part."""

    def halved(parts: int, width: float, height: float) -> float:
        if parts == 1:
            return 0
        first = parts // 2
        long, short = max(width, height), min(width, height)
        one, other = long * first / parts, long * (parts - first) / parts
        return short + halved(first, one, short) + halved(parts - first, other, short)

    return halved(ranks, side, side)


def unevenness(ranks: int) -> float:
    """The busiest rank beside the mean just after a cut, of a sample of so many for each: the largest of so many errors."""
    return 1 + math.sqrt(2 * math.log(ranks)) / math.sqrt(SAMPLE) if ranks > 1 else 1


def predict(agents: int, ranks: int, network: Network, of_agent: float) -> Frame:
    side = math.sqrt(agents / DENSITY)
    cuts = cut_length(ranks, side)
    ghosts = 2 * cuts * (HALF + LARGEST) * DENSITY
    sent = cuts * DENSITY * SPEED
    # A part has four sides; bisection shifts neighbours against each other, so most of these have two on the other side.
    neighbours = 0 if ranks == 1 else min(ranks - 1, 8)
    # A part in the middle of the world has more border than the mean one.
    border = ghosts / ranks * (1 if ranks <= 4 else 4 * math.sqrt(ranks) / (4 * math.sqrt(ranks) - 4))
    share = agents / ranks
    compute = (unevenness(ranks) * share + border) * of_agent
    messages = 2 * neighbours * network.latency
    crossing = border * sent / ghosts if ghosts else 0
    sent_bytes = border * GHOST_BYTES + crossing * AGENT_BYTES + 2 * neighbours * PARCEL_BYTES
    steps = 2 * math.ceil(math.log2(ranks)) if ranks > 1 else 0
    total = steps * (network.latency + SUM_BYTES / network.bandwidth)
    return Frame(ghosts, sent, neighbours, compute, messages, sent_bytes / network.bandwidth, total)


def check(path: pathlib.Path) -> None:
    print(f"{'ranks':>6} {'agents':>9} {'ghosts':>9} {'predicted':>9} {'sent':>9} {'predicted':>9} {'busiest':>8} {'predicted':>9}")
    with path.open() as lines:
        for row in csv.DictReader(lines):
            if row["world"] != "crowd":
                continue
            ranks, agents = int(row["ranks"]), int(row["agents"])
            frame = predict(agents, ranks, NETWORKS[0], 0)
            print(
                f"{ranks:6} {agents:9} {float(row['ghosts']):9.1f} {frame.ghosts:9.1f} {float(row['sent']):9.1f} "
                f"{frame.sent:9.1f} {float(row['busiest']):8.3f} {unevenness(ranks):9.3f}"
            )


RANKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def table(of_agent: float) -> None:
    for title, agents_of in STUDIES:
        print(f"\n{title}: milliseconds of a frame, and how much of the ranks is used")
        for network in NETWORKS:
            print(f"  {network.name}")
            alone = predict(agents_of(1), 1, network, of_agent)
            for ranks in RANKS:
                frame = predict(agents_of(ranks), ranks, network, of_agent)
                ideal = alone.seconds * agents_of(ranks) / agents_of(1) / ranks
                print(
                    f"    {ranks:5} ranks {1e3 * frame.seconds:9.3f} ms {100 * ideal / frame.seconds:6.1f} %   agents and "
                    f"ghosts {1e3 * frame.compute:8.3f}, messages {1e3 * frame.messages:6.3f}, bytes "
                    f"{1e3 * frame.transfer:6.3f}, sum {1e3 * frame.total:6.3f}"
                )


STUDIES = (
    ("the same 10,000,000 agents on more ranks", lambda ranks: 10_000_000),
    ("1,000,000 agents on each rank", lambda ranks: 1_000_000 * ranks),
)


def draw(path: pathlib.Path, of_agent: float) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, plots = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for plot, (title, agents_of), scale in zip(plots, STUDIES, ("log", "linear")):
        for network, colour in zip(NETWORKS, ("tab:orange", "tab:blue")):
            frames = [predict(agents_of(ranks), ranks, network, of_agent) for ranks in RANKS]
            plot.plot(RANKS, [1e3 * frame.seconds for frame in frames], "o-", color=colour, label=network.name)
        alone = predict(agents_of(1), 1, NETWORKS[0], of_agent).seconds
        ideal = [1e3 * alone * agents_of(ranks) / agents_of(1) / ranks for ranks in RANKS]
        plot.plot(RANKS, ideal, "--", color="gray", label="nothing but its share of the agents")
        plot.set(title=title, xscale="log", yscale=scale, xlabel="ranks", ylabel="milliseconds of a frame (model)")
        plot.grid(True, which="both", alpha=0.3)
        plot.legend()
    plots[1].set_ylim(0, 1.6e3 * predict(1_000_000, 1, NETWORKS[0], of_agent).seconds)
    figure.savefig(path, dpi=100)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", type=pathlib.Path, help="the counts of throng-cluster-bench to compare with")
    parser.add_argument("--picture", type=pathlib.Path, help="where the picture goes")
    parser.add_argument("--agent", type=float, default=35, help="nanoseconds of an agent: update and pairs (35)")
    arguments = parser.parse_args()
    if arguments.check:
        check(arguments.check)
    table(1e-9 * arguments.agent)
    if arguments.picture:
        draw(arguments.picture, 1e-9 * arguments.agent)


if __name__ == "__main__":
    main()
