"""The two pictures of a comparison: who takes how long for a frame and for queries, and how that grows with the agents.

    charts.py CSV FOLDER    draws both into the folder
"""

import csv
import pathlib
import statistics
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

OURS, OTHERS, BY_HAND, INK = "#0b6e99", "#b9bec4", "#d9a441", "#22272e"
PANELS = [("frame", "update all, list all touching pairs"), ("boxes.frame", "update all, ask what is in a box around each"),
          ("within.frame", "update all, list all within 2 of each")]


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def times(rows, world, agents, task, language="c++"):
    """By peer, on one thread: milliseconds."""
    found = {}
    for row in rows:
        if (row["world"], row["agents"], row["task"], row["threads"], row["language"]) == (world, str(agents), task, "1", language):
            found.setdefault(row["peer"], []).append(float(row["value"]))
    return {peer: statistics.median(values) for peer, values in found.items()}


def colour(peer):
    return OURS if peer == "throng" else BY_HAND if peer.startswith("by_hand") else OTHERS


def shown(milliseconds):
    return f"{milliseconds:.3g}" if milliseconds < 100 else f"{milliseconds:.0f}"


def is_shown(peer):
    return not peer.startswith("throng.")


def bars(axes, rows, agents, task, title):
    found = {peer: ms for peer, ms in times(rows, "crowd", agents, task).items() if is_shown(peer)}
    peers = sorted(found, key=found.get, reverse=True)
    axes.barh(peers, [found[peer] for peer in peers], color=[colour(peer) for peer in peers], height=0.7)
    longest = max(found.values(), default=1)
    for at, peer in enumerate(peers):
        axes.text(found[peer] + longest * 0.015, at, shown(found[peer]) + " ms", va="center", fontsize=9, color=INK)
    axes.set_title(title, fontsize=10, loc="left", color=INK)
    axes.set_xlim(0, longest * 1.2)
    axes.xaxis.set_visible(False)
    axes.tick_params(axis="y", length=0, labelsize=9)
    axes.spines[:].set_visible(False)


def picture_of_peers(rows, agents, about, path):
    panels = [(task, title) for task, title in PANELS if times(rows, "crowd", agents, task)]
    counts = [len([peer for peer in times(rows, "crowd", agents, task) if is_shown(peer)]) for task, _ in panels]
    figure, axes = plt.subplots(len(panels), 1, figsize=(7.6, 0.55 * len(panels) + 0.27 * sum(counts)), squeeze=False,
                                gridspec_kw={"height_ratios": counts}, layout="constrained")
    for one, (task, title) in zip(axes[:, 0], panels):
        bars(one, rows, agents, task, title)
    figure.suptitle(f"{agents:,} moving agents, one thread: less is better", x=0.01, ha="left", fontsize=12, weight="bold", color=INK)
    figure.supxlabel(about, x=0.01, ha="left", fontsize=8, color="#667077")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def picture_of_sizes(rows, sizes, about, path):
    figure, axes = plt.subplots(figsize=(7.6, 4.6), layout="constrained")
    lines = {}
    for agents in sizes:
        for peer, ms in times(rows, "crowd", agents, "frame").items():
            if is_shown(peer):
                lines.setdefault(peer, []).append((agents, ms * 1e6 / agents))
    ends = []
    for peer, points in lines.items():
        if len(points) < 2:
            continue
        axes.plot(*zip(*points), color=colour(peer), linewidth=2.6 if peer == "throng" else 1.4, marker="o", markersize=3)
        ends.append((points[-1][1], points[-1][0], peer))
    axes.set(xscale="log", yscale="log", xlim=(sizes[0] * 0.8, sizes[-1] * 6))
    low, high = axes.get_ylim()
    apart, last = (high / low) ** (1 / 22), 0.0  # labels keep a distance from each other
    for value, agents, peer in sorted(ends):
        last = max(value, last * apart)
        axes.text(agents * 1.15, last, peer, va="center", fontsize=9, color=colour(peer) if peer == "throng" else INK)
    axes.set_xticks(sizes, [f"{n:,}" for n in sizes])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_xlabel("agents, one thread", fontsize=9)
    axes.set_title("A frame in nanoseconds for each agent: less is better", loc="left", fontsize=12, weight="bold", color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#e6e8ea", linewidth=0.8)
    figure.supxlabel(about, x=0.01, ha="left", fontsize=8, color="#667077")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw(path, folder, stem="compare"):
    rows = rows_of(path)
    frames = [row for row in rows if row["language"] == "c++" and row["world"] == "crowd" and row["task"] == "frame"]
    if not frames:
        return []
    sizes = sorted({int(row["agents"]) for row in frames})
    about = f"{frames[0]['cpu']}, {frames[0]['compiler']}, {frames[0]['date']}; scripts/compare"
    drawn = [folder / f"{stem}-peers.png"]
    picture_of_peers(rows, sizes[-1], about, drawn[0])
    if len(sizes) > 1:
        drawn.append(folder / f"{stem}-sizes.png")
        picture_of_sizes(rows, sizes, about, drawn[-1])
    return drawn


if __name__ == "__main__":
    for picture in draw(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])):
        print(f"{picture} is drawn")
